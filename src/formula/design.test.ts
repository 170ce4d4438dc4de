import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asFactor,
  type Column,
  factorColumn,
  makeTable,
  numericColumn,
  selectRows,
  type Table,
  withColumn,
} from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { aliasedColumns, buildDesign, type Design, makeDesign, noteDropped } from "./design.ts";
import { parseFormula } from "./parse.ts";
import { binomialResponse } from "./response.ts";
import { learnSchema, type SchemaOptions } from "./schema.ts";
import type { Contrast, RandomBlock } from "./term.ts";

type Name = "full" | "gaps" | "new";
interface OracleColumn {
  readonly name: string;
  readonly kind: "numeric" | "factor";
  readonly values: (number | string | null)[];
  readonly levels: string[];
  readonly ordered: boolean;
}
interface FixedCase {
  readonly formula: string;
  readonly data: Name;
  readonly contrasts: Contrast | Record<string, Contrast> | null;
  readonly labels: string[];
  readonly assign: number[];
  readonly names: string[];
  readonly rows: number[];
  readonly X: number[][];
  readonly offset: number[] | null;
  readonly y: number[] | null;
}
interface RandomCase {
  readonly formula: string;
  readonly data: Name;
  readonly cnms: string[][];
  readonly groups: string[];
  readonly levels: string[][];
  readonly rows: number[];
  readonly Zt: number[][];
  readonly names: string[];
}
const oracle = JSON.parse(readFileSync(new URL("../../oracle/r/design.json", import.meta.url), "utf8")) as {
  data: Record<Name, OracleColumn[]>;
  fixed: FixedCase[];
  predicted: { formula: string; names: string[]; X: number[][] }[];
  randomFixed: { formula: string; names: string[]; assign: number[] }[];
  random: RandomCase[];
};

function tableOf(columns: readonly OracleColumn[]): Table {
  return makeTable(
    columns.map(({ name, kind, values, levels, ordered }): [string, Column] => [
      name,
      kind === "numeric"
        ? numericColumn(values as (number | null)[])
        : factorColumn(values as (string | null)[], { levels, ordered }),
    ]),
  );
}
const tables = { full: tableOf(oracle.data.full), gaps: tableOf(oracle.data.gaps), new: tableOf(oracle.data.new) };

/** Largest difference, relative to the larger of 1 and R's value. */
function distance(ours: ArrayLike<number>, theirs: readonly number[]): number {
  if (ours.length !== theirs.length) return Number.POSITIVE_INFINITY;
  return theirs.reduce(
    (worst, value, i) => Math.max(worst, Math.abs(ours[i]! - value) / Math.max(1, Math.abs(value))),
    0,
  );
}

function errorOf(run: () => unknown): StatError {
  try {
    run();
  } catch (error) {
    if (error instanceof StatError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

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

describe("responses", () => {
  it("a factor gives its codes, and success is not the first level", () => {
    const design = buildDesign("f ~ x", tables.gaps);
    expect(design.schema.response).toEqual({ kind: "factor", levels: ["p", "q", "r"], ordered: false });
    const f = tables.gaps.columns.get("f") as Column & { kind: "factor" };
    expect([...design.y]).toEqual(Array.from(design.rowsUsed, (row) => f.codes[row]!));
    const binary = binomialResponse(design, design.schema.response!);
    expect([...binary.y]).toEqual(Array.from(design.y, (code) => (code > 0 ? 1 : 0)));
    expect(new Set(binary.trials)).toEqual(new Set([1]));
  });

  it("cbind(s, f) gives proportions and trials, and 0 of 0 is 0", () => {
    const table = makeTable([
      ["s", numericColumn([3, 0, 5])],
      ["f", numericColumn([1, 0, 5])],
    ]);
    const design = buildDesign("cbind(s, f) ~ 1", table);
    expect([...design.y]).toEqual([0.75, 0, 0.5]);
    expect([...design.trials!]).toEqual([4, 0, 10]);
    expect(binomialResponse(design, design.schema.response!).trials).toBe(design.trials);
    expect(errorOf(() => buildDesign("cbind(s, -f) ~ 1", table)).code).toBe("BadCount");
    expect(errorOf(() => buildDesign("cbind(s, f, s) ~ 1", table)).message).toContain("3 column(s)");
  });

  it("a condition is 0 and 1; numbers of a binomial lie between", () => {
    const design = buildDesign("y > 0 ~ 1", tables.full);
    expect(new Set(design.y)).toEqual(new Set([0, 1]));
    expect(errorOf(() => binomialResponse(buildDesign("x ~ 1", tables.full), { kind: "numeric" })).code).toBe(
      "NotAProportion",
    );
  });

  it("a one-sided formula has none", () => {
    const design = buildDesign("~ x", tables.full);
    expect(design.schema.response).toBeUndefined();
    expect(design.y.every(Number.isNaN)).toBe(true);
  });
});

describe("options", () => {
  it("levels, reference and order are the user's", () => {
    const names = (formula: string, options: SchemaOptions): readonly string[] =>
      buildDesign(formula, tables.full, options).names.slice(1);
    expect(names("y ~ f", { levels: { f: ["r", "p", "q"] } })).toEqual(["fp", "fq"]);
    expect(names("y ~ f", { reference: new Map([["f", "q"]]) })).toEqual(["fp", "fr"]);
    expect(names("y ~ n", { factors: ["n"] })).toEqual(["n2", "n10"]);
    expect(names("y ~ n", { ordered: ["n"] })).toEqual(["n.L", "n.Q"]);
    expect(names("y ~ f", { ordered: { f: ["q", "p", "r"] } })).toEqual(["f.L", "f.Q"]);
    expect(names("y ~ factor(n) + f", { contrasts: { n: "sum" } })).toEqual(["factor(n)1", "factor(n)2", "fq", "fr"]);
    expect(names("y ~ factor(n) + f", { contrasts: { "factor(n)": "helmert" } })[0]).toBe("factor(n)1");
    expect(names("y ~ f + o", { contrasts: "sum" })).toEqual(["f1", "f2", "o.L", "o.Q", "o.C"]);
  });

  it("wrong options are named", () => {
    const error = (options: SchemaOptions): string => errorOf(() => buildDesign("y ~ f", tables.full, options)).message;
    expect(error({ levels: { f: ["p", "q"] } })).toContain('column "f": row 17 has "r"');
    expect(error({ reference: { f: "z" } })).toContain('"z"');
    expect(error({ factors: ["ff"] })).toContain('no column "ff"');
    expect(error({ contrasts: { h: "sum" } })).toContain('"h", which the formula does not use');
  });

  it("weights and offsets come by name, expression or vector, and add up", () => {
    const design = buildDesign("y ~ offset(x)", tables.full, { weights: "w", offset: "z / 2" });
    const [w, x, z] = ["w", "x", "z"].map((name) => (tables.full.columns.get(name) as { values: Float64Array }).values);
    expect(design.weights).toEqual(w);
    expect(design.offset).toEqual(x!.map((value, i) => value + z![i]! / 2));
    const vector = makeDesign(design.schema, tables.full, { offset: w!, weights: x! });
    expect(vector.weights).toEqual(x);
    expect(vector.offset).toEqual(x!.map((value, i) => value + w![i]!));
    expect(makeDesign(design.schema, tables.full, { response: false }).weights).toBeUndefined();
    expect(errorOf(() => buildDesign("y ~ 1", tables.full, { weights: "y" })).code).toBe("BadWeight");
    expect(errorOf(() => makeDesign(design.schema, tables.full, { weights: w!.subarray(1) })).code).toBe(
      "UnequalLength",
    );
    expect(errorOf(() => buildDesign("y ~ offset(log(x * 0))", tables.full)).code).toBe("NotFinite");
  });

  it("a missing weight drops its row, and the levels only found there", () => {
    const table = makeTable([
      ["y", numericColumn([1, 2, 3, 4, 5])],
      ["f", factorColumn(["a", "b", "a", "b", "c"])],
      ["my w", numericColumn([1, 1, 1, 1, null])],
    ]);
    const design = buildDesign("y ~ f", table, { weights: "my w" });
    expect(design.names).toEqual(["(Intercept)", "fb"]);
    expect(design.dropped.byVariable).toEqual(new Map([["my w", 1]]));
  });
});

describe("missing and new data", () => {
  it("rows are dropped and counted per variable", () => {
    const design = buildDesign("y ~ x + z + (1 | g)", tables.gaps);
    expect(design.dropped.rows).toBe(5);
    expect([...design.dropped.byVariable]).toEqual([
      ["y", 1],
      ["x", 2],
      ["z", 2],
      ["g", 1],
    ]);
    expect(noteDropped(design)[0]!.message).toBe("5 of 24 rows dropped for missing values (y 1, x 2, z 2, g 1).");
    expect(noteDropped(buildDesign("y ~ x", tables.full))).toEqual([]);
  });

  it("no row left is an error that says why", () => {
    const table = withColumn(tables.full, "x", numericColumn(new Float64Array(24).fill(Number.NaN)));
    expect(errorOf(() => buildDesign("y ~ x", table)).message).toBe("none of the 24 rows is complete; missing: x 24.");
    const empty = selectRows(tables.full, Int32Array.of());
    expect(errorOf(() => buildDesign("y ~ x", empty)).message).toBe("the table has no rows.");
  });

  it("a factor with one level is an error that names it", () => {
    const table = withColumn(tables.full, "f", factorColumn(new Array(24).fill("only")));
    expect(errorOf(() => buildDesign("y ~ x + f", table)).message).toContain(
      'the factor f has a single level ("only")',
    );
    expect(errorOf(() => buildDesign("y ~ (f | g)", table)).code).toBe("OneLevel");
    expect(buildDesign("y ~ (1 | f)", table).random[0]!.levels).toEqual(["only"]);
  });

  it("an unknown level is named with column, row and known levels", () => {
    const schema = learnSchema(parseFormula("y ~ f + (1 | g)"), tables.full);
    const strange = withColumn(tables.new, "f", factorColumn(["p", "pp", "r"]));
    const error = errorOf(() => makeDesign(schema, strange, { response: false }));
    expect(error.message).toBe(`f is "pp" in row 2, a level that the model has not seen (levels: p, q, r).`);
    expect(error.fix).toContain('did you mean "p"');
    const newGroup = withColumn(tables.new, "g", factorColumn(["g1", "g9", "g2"]));
    expect(errorOf(() => makeDesign(schema, newGroup, { response: false })).message).toContain('g is "g9" in row 2');
    const allowed = makeDesign(schema, newGroup, { response: false, newGroups: "allow" });
    expect([...allowed.random[0]!.index]).toEqual([0, -1, 1]);
    expect(makeDesign(schema, newGroup, { response: false, random: false }).random).toEqual([]);
  });

  it("an unseen combination of seen levels is a new group", () => {
    const table = makeTable([
      ["y", numericColumn([1, 2, 3])],
      ["a", factorColumn(["a1", "a1", "a2"])],
      ["b", factorColumn(["b1", "b2", "b1"])],
    ]);
    const schema = learnSchema(parseFormula("y ~ (1 | a:b)"), table);
    expect(schema.groups.get("a:b")!.levels).toEqual(["a1:b1", "a1:b2", "a2:b1"]);
    const fresh = makeTable([
      ["a", factorColumn(["a2", "a2"])],
      ["b", factorColumn(["b1", "b2"])],
    ]);
    expect(errorOf(() => makeDesign(schema, fresh, { response: false })).message).toContain('a:b is "a2:b2" in row 2');
    expect([...makeDesign(schema, fresh, { response: false, newGroups: "allow" }).random[0]!.index]).toEqual([2, -1]);
  });

  it("an unknown level in a row that is dropped anyway is no error", () => {
    const schema = learnSchema(parseFormula("y ~ f + x"), tables.full);
    const strange = withColumn(
      withColumn(tables.new, "f", factorColumn(["p", "new", "r"])),
      "x",
      numericColumn([1, null, 2]),
    );
    expect([...makeDesign(schema, strange, { response: false }).rowsUsed]).toEqual([0, 2]);
  });

  it("columns may change their kind between files, not their meaning", () => {
    const schema = learnSchema(parseFormula("y ~ n + x"), tables.full, { factors: ["n"] });
    const design = makeDesign(schema, tables.new, { response: false });
    expect(design.names).toEqual(["(Intercept)", "n2", "n10", "x"]);
    const textual = withColumn(tables.new, "x", asFactor(tables.new.columns.get("x")!));
    expect(makeDesign(schema, textual, { response: false }).X).toEqual(design.X);
    const words = withColumn(tables.new, "x", factorColumn(["1", "two", "3"]));
    expect(errorOf(() => makeDesign(schema, words, { response: false })).message).toContain('"two" in row 2');
  });

  it("nested learning functions keep the old data's numbers", () => {
    const schema = learnSchema(parseFormula("y ~ I(scale(x)^2) + I(z - mean(z))"), tables.full);
    const old = makeDesign(schema, tables.full);
    const part = selectRows(tables.full, Int32Array.of(4, 7));
    const again = makeDesign(schema, part);
    for (let j = 0; j < 3; j += 1) {
      expect(again.X.data[j * 2]).toBe(old.X.data[j * 24 + 4]);
      expect(again.X.data[j * 2 + 1]).toBe(old.X.data[j * 24 + 7]);
    }
  });

  it("infinite values are named", () => {
    const table = withColumn(tables.full, "x", numericColumn(Float64Array.from({ length: 24 }, (_, i) => i)));
    expect(errorOf(() => buildDesign("y ~ log(x)", table)).message).toBe("log(x) is -Infinity in row 1.");
    expect(errorOf(() => buildDesign("log(x) ~ y", table)).message).toContain(
      "the response log(x) is -Infinity in row 1",
    );
    expect(errorOf(() => buildDesign("y ~ (log(x) | g)", table)).code).toBe("NotFinite");
  });

  it("an unknown column is pointed at in the formula", () => {
    const error = errorOf(() => buildDesign("y ~ x + ff:h", tables.full));
    expect(error.code).toBe("UnknownColumn");
    expect(error.message.split("\n").slice(1)).toEqual(["    y ~ x + ff:h", "            ^"]);
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
