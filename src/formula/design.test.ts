import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distance, type Name, oracle, tables } from "../../test/support/design.ts";
import { makeTable, numericColumn, selectRows, withColumn } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { aliasedColumns, buildDesign, type Design, makeDesign } from "./design.ts";
import { parseFormula } from "./parse/parse.ts";
import { learnSchema, type SchemaOptions, tellUnusedColumns } from "./schema.ts";
import type { RandomBlock } from "./term.ts";

describe("R's model.matrix()", () => {
  it.each(oracle.fixed)("$formula ($data, contrasts $contrasts)", (item) => {
    const options: SchemaOptions = item.contrasts === null ? {} : { contrasts: item.contrasts };
    const design = buildDesign(item.formula, tables[item.data], options);
    expect(design.names).toEqual(item.names);
    expect(design.terms).toEqual(item.labels);
    expect([...design.assign]).toEqual(item.assign);
    expect(Array.from(design.rowsUsed, (row) => row + 1)).toEqual(item.rows);
    expect(design.X).toMatchObject({ rows: item.rows.length, cols: item.names.length });
    expect(distance(design.X.data, item.X.flat())).toBeLessThan(1e-12);
    if (item.offset === null) expect(design.offset).toBeUndefined();
    else expect(distance(design.offset!, item.offset)).toBeLessThan(1e-12);
    if (item.y !== null) expect(distance(design.y, item.y)).toBeLessThan(1e-12);
  });

  it("names the columns of hundreds of random formulas", () => {
    let compared = 0;
    for (const { formula, names, assign } of oracle.randomFixed) {
      let design: Design;
      try {
        design = buildDesign(formula, tables.full);
      } catch (error) {
        expect((error as StatError).message).toContain("holds no variable");
        continue;
      }
      compared += 1;
      expect([formula, ...design.names]).toEqual([formula, ...names]);
      expect([...design.assign]).toEqual(assign);
    }
    expect(compared).toBeGreaterThan(350);
  });

  it.each(oracle.predicted)("codes new data: $formula", ({ formula, names, X }) => {
    const schema = learnSchema(parseFormula(formula), tables.full);
    const design = makeDesign(schema, tables.new, { response: false });
    expect(design.names).toEqual(names);
    expect(distance(design.X.data, X.flat())).toBeLessThan(1e-12);
    expect(design.y.every(Number.isNaN)).toBe(true);
  });
});

/** lme4's order of terms: by decreasing number of levels; where that changes anything, ties are reversed. */
function sortLikeLme4(blocks: readonly RandomBlock[]): RandomBlock[] {
  const sizes = blocks.map(({ levels }) => levels.length);
  if (!sizes.some((size, i) => i > 0 && size > sizes[i - 1]!)) return [...blocks];
  return blocks
    .map((block, i) => ({ block, i }))
    .sort((a, b) => a.block.levels.length - b.block.levels.length || a.i - b.i)
    .reverse()
    .map(({ block }) => block);
}

/** Rows of Z': per term, all columns of its first level, then of its second, and so on. */
function transposed(blocks: readonly RandomBlock[]): number[][] {
  return blocks.flatMap(({ levels, index, Z }) =>
    levels.flatMap((_, level) =>
      Array.from({ length: Z.cols }, (_, c) =>
        Array.from(index, (group, i) => (group === level ? Z.data[i + c * Z.rows]! : 0)),
      ),
    ),
  );
}

describe("lme4's lFormula()", () => {
  it.each(oracle.random)("$formula ($data)", (item) => {
    const design = buildDesign(item.formula, tables[item.data]);
    const blocks = sortLikeLme4(design.random);
    expect(blocks.map(({ group }) => group)).toEqual(item.groups);
    expect(blocks.map(({ names }) => names)).toEqual(item.cnms);
    expect(blocks.map(({ levels }) => levels)).toEqual(item.levels);
    expect(Array.from(design.rowsUsed, (row) => row + 1)).toEqual(item.rows);
    expect(design.names).toEqual(item.names);
    expect(distance(transposed(blocks).flat(), item.Zt.flat())).toBeLessThan(1e-12);
  });

  it("keeps the order of the formula in the design", () => {
    const { random } = buildDesign("y ~ (1 | a) + (1 | g) + (x | b)", tables.full);
    expect(random.map(({ group }) => group)).toEqual(["a", "g", "b"]);
  });

  it("diag() has the columns of (f | g), marked independent", () => {
    const [block] = buildDesign("y ~ diag(f | g)", tables.full).random;
    expect(block).toMatchObject({ names: ["(Intercept)", "fq", "fr"], correlated: false });
  });

  it("says that || leaves a factor correlated, and nothing for numbers", () => {
    const { diagnostics } = learnSchema(parseFormula("y ~ (x + f || g)"), tables.full);
    expect(diagnostics).toEqual([
      {
        code: "CorrelatedFactor",
        severity: "note",
        message: "in (0 + f | g) the columns of the factor f stay correlated, as in lme4.",
        fix: "write diag(f | g) to make every column independent.",
      },
    ]);
    expect(learnSchema(parseFormula("y ~ (x || g)"), tables.full).diagnostics).toEqual([]);
  });
});

describe("smooth terms", () => {
  it("carry their raw columns, evaluated, in the rows used", () => {
    const { smooth, names, rowsUsed } = buildDesign(
      "y ~ h + s(log(z), by = f) + te(x, z) + s(g, bs = 're')",
      tables.gaps,
    );
    expect(names).toEqual(["(Intercept)", "hB"]);
    const z = (tables.gaps.columns.get("z") as { values: Float64Array }).values;
    expect(smooth.map(({ term }) => term.label)).toEqual(["s(log(z))", "te(x,z)", "s(g)"]);
    expect(smooth[0]!.covariates[0]).toEqual(numericColumn(Array.from(rowsUsed, (row) => Math.log(z[row]!))));
    expect(smooth[0]!.by).toMatchObject({ kind: "factor", levels: ["p", "q", "r"] });
    expect(smooth[1]!.covariates[1]).toEqual(numericColumn(Array.from(rowsUsed, (row) => z[row]!)));
    expect(smooth[2]!.covariates[0]).toMatchObject({ kind: "factor", levels: ["g1", "g2", "g3", "g4"] });
  });
});

describe("names and copies", () => {
  it.each(["__proto__", "constructor", "if", "T", "toString", "a:b", "x`y"])(
    "a column called %j is a plain column",
    (name) => {
      const table = withColumn(tables.full, name, tables.full.columns.get("f")!);
      const quoted = `\`${name.replace("`", "\\`")}\``;
      const design = buildDesign(`y ~ ${quoted} * x + (1 | ${quoted})`, table);
      const plain = buildDesign("y ~ f * x + (1 | f)", tables.full);
      expect(design.X).toEqual(plain.X);
      expect(design.random[0]!.group).toBe(name);
      expect(design.random[0]!.index).toEqual(plain.random[0]!.index);
    },
  );

  it("a schema survives a structured clone", () => {
    const schema = learnSchema(parseFormula("y ~ poly(x, 2) * f + scale(z) + (x | a/b) + s(w)"), tables.full);
    const direct = makeDesign(schema, tables.new, { response: false });
    const cloned = makeDesign(structuredClone(schema), tables.new, { response: false });
    expect(cloned.X).toEqual(direct.X);
    expect(cloned.random).toEqual(direct.random);
  });

  it("`.` takes all other columns and warns of the grouping column among them", () => {
    const table = makeTable(["y", "x", "f", "g"].map((name) => [name, tables.full.columns.get(name)!] as const));
    const design = buildDesign("y ~ . + (1 | g)", table);
    expect(design.names).toEqual(["(Intercept)", "x", "fq", "fr", "gg2", "gg3", "gg4"]);
    expect(design.schema.diagnostics[0]!.fix).toBe("write . - g to leave it out.");
    expect(buildDesign("y ~ . - g + (1 | g)", table).schema.diagnostics).toEqual([]);
  });

  it("says which columns were dropped", () => {
    expect(aliasedColumns(["a", "b", "c"], [2]).message).toBe("dropped c: it is determined by the other columns.");
    expect(aliasedColumns(["a", "b", "c"], [1, 2]).message).toBe(
      "dropped b, c: they are determined by the other columns.",
    );
  });
});

describe("invariance", () => {
  const formulas = [
    "y ~ f * h + x:f + (x | g) + (1 | a/b)",
    "y ~ 0 + o * k + log(z) + (f || g)",
    "y ~ poly(x, 3) + scale(z):h",
  ];

  it("reordered rows reorder the design and nothing else", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...formulas),
        fc.shuffledSubarray([...Array(24).keys()], { minLength: 24 }),
        (text, order) => {
          const before = buildDesign(text, tables.full);
          const after = buildDesign(text, selectRows(tables.full, Int32Array.from(order)));
          expect(after.names).toEqual(before.names);
          const expected = before.names.flatMap((_, j) => order.map((row) => before.X.data[row + j * 24]!));
          expect(distance(after.X.data, expected)).toBeLessThan(1e-13);
          after.random.forEach((block, t) => {
            expect(block.levels).toEqual(before.random[t]!.levels);
            expect([...block.index]).toEqual(order.map((row) => before.random[t]!.index[row]!));
          });
        },
      ),
      { numRuns: 40, seed: 5 },
    );
  });

  it("rows with a missing value give the design of the rest", () => {
    for (const text of formulas.slice(0, 2)) {
      const rows = [...Array(24).keys()].filter((row) => row % 5 !== 0);
      const y = (tables.full.columns.get("y") as { values: Float64Array }).values;
      const holes = withColumn(tables.full, "y", numericColumn(y.map((v, row) => (row % 5 === 0 ? Number.NaN : v))));
      const [a, b] = [buildDesign(text, holes), buildDesign(text, selectRows(tables.full, Int32Array.from(rows)))];
      expect(a.X).toEqual(b.X);
      expect(a.random).toEqual(b.random);
      expect(a.y).toEqual(b.y);
    }
  });
});

describe("any formula", () => {
  const variables =
    "x z f h o k lg g n s `my col` log(z) I(x^2) factor(n) poly(x,2) scale(z) C(f,sum) relevel(f,'q') x>3 ordered(n) cbind(x,z) log(f) foo(x) w nope".split(
      " ",
    );
  const term = fc
    .array(fc.constantFrom(...variables.map((text) => (text.includes(">") ? `(${text})` : text))), {
      minLength: 1,
      maxLength: 4,
    })
    .chain((parts) =>
      fc
        .array(fc.constantFrom("+", "*", ":", "/", "-", "%in%"), { minLength: parts.length, maxLength: parts.length })
        .map((ops) => parts.map((part, i) => (i === 0 ? part : `${ops[i]!} ${part}`)).join(" ")),
    );
  const random = fc
    .tuple(term, fc.constantFrom("|", "||"), fc.constantFrom("g", "a/b", "a:f", "n", "x", "lg"))
    .map(([left, bar, group]) => `(${left} ${bar} ${group})`);
  const formula = fc
    .tuple(
      fc.constantFrom("y", "f", "cbind(succ, fail)", "x > 3", ""),
      fc.constantFrom("", "0 + "),
      term,
      fc.array(random, { maxLength: 2 }),
    )
    .map(([response, zero, fixed, bars]) => `${response} ~ ${zero}${[fixed, ...bars].join(" + ")}`);

  it("gives a finite design of matching parts, or a StatError", () => {
    let made = 0;
    fc.assert(
      fc.property(formula, fc.constantFrom<Name>("full", "gaps"), (text, name) => {
        let design: Design;
        try {
          design = buildDesign(text, tables[name]);
        } catch (error) {
          expect(error).toBeInstanceOf(StatError);
          return;
        }
        made += 1;
        const rows = design.rowsUsed.length;
        expect(design.dropped.rows + rows).toBe(24);
        expect(design.X.data).toHaveLength(rows * design.names.length);
        expect(design.X.data.every(Number.isFinite)).toBe(true);
        expect(new Set(design.names).size).toBe(design.names.length);
        for (const { Z, index, levels, names } of design.random) {
          expect(Z.data).toHaveLength(rows * names.length);
          expect(new Set(index).size).toBe(levels.length);
        }
        // The rows used, as a table of their own, give the same design from the same schema.
        const part = makeDesign(design.schema, selectRows(tables[name], design.rowsUsed));
        expect(part.X).toEqual(design.X);
        expect(part.random).toEqual(design.random);
        expect(part.y).toEqual(design.y);
      }),
      { numRuns: 400, seed: 13 },
    );
    expect(made).toBeGreaterThan(100);
  });
});

describe("options on columns that no formula uses", () => {
  const columns = { y: [1, 2, 3, 4], x: [1, 1, 2, 2], z: [1, 2, 1, 2] };
  const table = makeTable(Object.entries(columns).map(([name, values]) => [name, numericColumn(values)]));
  it.each([
    [{ factors: ["z"] }, "option `factor` has no effect with z"],
    [{ levels: { z: ["2", "1"] } }, "option `levels` has no effect with z"],
    [{ ordered: ["z"] }, "option `ordered` has no effect with z"],
    [{ ordered: new Map([["z", ["2", "1"]]]) }, "option `ordered` has no effect with z"],
  ] as const)("%j is told", (options, message) => {
    expect(tellUnusedColumns(["y ~ x"], table, options)[0]!.message).toContain(message);
  });

  it("a name that is no column is refused", () => {
    expect(() => tellUnusedColumns(["y ~ x"], table, { factors: ["w"] })).toThrow('no column "w"');
  });

  it("may be used by one of several, within a function, in a group or by a dot", () => {
    for (const formulas of [["y ~ x", "y ~ x + z"], ["y ~ log(z)"], ["y ~ x + (1 | z)"], ["y ~ ."], ["y ~ x", "z"]])
      expect(tellUnusedColumns(formulas, table, { factors: ["z"] })).toEqual([]);
  });
});
