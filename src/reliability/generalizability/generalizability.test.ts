import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, selectRows, type Table, withColumn } from "../../data/table.ts";
import { filterRows } from "../../formula/evaluate/evaluate.ts";
import { fitGlmm } from "../../models/glmm/glmm.ts";
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { reviveResult } from "../../result/result.ts";
import { intraclass } from "../agreement/intraclass.ts";
import { measureReliability, type ReliabilityOptions, type ReliabilityResult } from "./generalizability.ts";

const variance = ({ components }: ReliabilityResult, term: string): number =>
  components.find((own) => own.term === term)!.variance;

/** Scores of a crossed layout, in the order object, rater, occasion. */
function crossed(sizes: readonly [number, number, number], score: (i: number, r: number, o: number) => number): Table {
  const cells: { i: number; r: number; o: number }[] = [];
  for (let i = 0; i < sizes[0]; i++)
    for (let r = 0; r < sizes[1]; r++) for (let o = 0; o < sizes[2]; o++) cells.push({ i, r, o });
  return makeTable([
    ["y", numericColumn(cells.map(({ i, r, o }) => score(i, r, o)))],
    ["item", factorColumn(cells.map(({ i }) => `i${i}`))],
    ["rater", factorColumn(cells.map(({ r }) => `r${r}`))],
    ["occasion", factorColumn(cells.map(({ o }) => `o${o}`))],
    ["length", numericColumn(cells.map(({ i }) => i))],
  ]);
}

function simulated(sizes: readonly [number, number, number], seed: string): Table {
  const rng = makeRng(seed);
  const items = Array.from({ length: sizes[0] }, () => rng.normal());
  const raters = Array.from({ length: sizes[1] }, () => 0.6 * rng.normal());
  return crossed(sizes, (i, r) => items[i]! + raters[r]! + 0.7 * rng.normal());
}

const BASE = { score: "y", object: "item", facets: ["rater"] } as const;
const codes = ({ diagnostics }: ReliabilityResult): string[] => diagnostics.map(({ code }) => code);
const refusal = (table: Table, options: ReliabilityOptions): string => {
  try {
    measureReliability(table, options);
  } catch (error) {
    if (error instanceof StatError) return error.toString();
  }
  return "nothing";
};

describe("closed forms", () => {
  it("one facet, balanced: φ is ICC(2,1), the relative coefficient ICC(3,1)", () => {
    const table = simulated([12, 5, 1], "icc");
    const found = measureReliability(table, { ...BASE, intervals: "none" });
    const scores = (table.columns.get("y") as { values: Float64Array }).values;
    const { icc } = intraclass(scores, 5);
    expectClose([found.phi.value, found.relative.value], [icc[1]!.value, icc[2]!.value], { tolerance: 1e-8 });
    const { whatIf } = measureReliability(table, { ...BASE, intervals: "none", numbers: { rater: [5] } });
    expectClose([whatIf[0]!.phi, whatIf[0]!.relative], [icc[4]!.value, icc[5]!.value], { tolerance: 1e-8 });
    expect(found.observed.value).toBeCloseTo(whatIf[0]!.phi, 12);
  });

  it("generalised intervals of a one-way share are those of the F distribution", () => {
    const table = simulated([15, 4, 1], "one-way");
    const one = makeTable([...table.columns].filter(([name]) => name === "y" || name === "item"));
    // no facet but the rows themselves: the occasion is constant, so that rater has a level per column
    const scores = (one.columns.get("y") as { values: Float64Array }).values;
    const { icc } = intraclass(scores, 4);
    const found = measureReliability(table, { ...BASE, replicates: 40_000 });
    // relative coefficient: only the item and the residual enter, as in ICC(3,1)
    expect(found.intervals).toBe("generalised");
    expect(Math.abs(found.relative.lower - icc[2]!.lower)).toBeLessThan(0.01);
    expect(Math.abs(found.relative.upper - icc[2]!.upper)).toBeLessThan(0.01);
  });

  it("the cheapest design is that of full enumeration", () => {
    const table = simulated([10, 6, 3], "cheap");
    const costs = { facets: { rater: 20, occasion: 3 }, score: 0.4, objects: 50 };
    const options = { ...BASE, facets: ["rater", "occasion"], interactions: "all", intervals: "none" } as const;
    const numbers = {
      rater: Array.from({ length: 40 }, (_, n) => n + 1),
      occasion: Array.from({ length: 40 }, (_, n) => n + 1),
    };
    const { cheapest, whatIf } = measureReliability(table, { ...options, numbers, target: 0.8, costs });
    const price = (n: Readonly<Record<string, number>>): number =>
      20 * n["rater"]! + 3 * n["occasion"]! + 0.4 * 50 * n["rater"]! * n["occasion"]!;
    const least = Math.min(...whatIf.filter(({ phi }) => phi >= 0.8).map(({ n }) => price(n)));
    expect(cheapest!.reached).toBe(true);
    expect(cheapest!.cost).toBeCloseTo(least, 9);
    expect(cheapest!.phi).toBeGreaterThanOrEqual(0.8);
  });

  it("a target is reached, or not, by the estimates: the sentence gives the interval and what it does not rule out", () => {
    const rng = makeRng("no signal");
    const [item, rater, y] = [[] as string[], [] as string[], [] as number[]];
    for (let i = 0; i < 6; i++)
      for (let r = 0; r < 3; r++) {
        item.push(`i${i}`);
        rater.push(`r${r}`);
        y.push(rng.normal() - (i === 0 && r === 0 ? 2 : 0));
      }
    const table = makeTable([
      ["y", numericColumn(y)],
      ["item", factorColumn(item)],
      ["rater", factorColumn(rater)],
    ]);
    const told = (target: number) => {
      const own = measureReliability(table, { ...BASE, target, replicates: 2000 });
      return { ...own.cheapest!, text: own.toString().replaceAll(/\s+/g, " ") };
    };
    const missed = told(0.999);
    expect(missed).toMatchObject({ reached: false });
    expect(missed.upper).toBeGreaterThan(missed.phi);
    expect(missed.text).toMatch(
      /By the estimates no design of up to 200 levels of rater reaches φ = 0\.999: that many would give 0\.\d+ \(0\.\d+ to \d\.\d+\)/,
    );
    const reached = measureReliability(simulated([10, 6, 3], "cheap"), {
      ...BASE,
      facets: ["rater", "occasion"],
      target: 0.8,
      replicates: 2000,
    });
    expect(reached.cheapest).toMatchObject({ reached: true });
    expect(reached.cheapest!.lower).toBeLessThan(0.8);
    expect(reached.toString().replaceAll(/\s+/g, " ")).toMatch(
      /Cheapest design whose estimated φ is at least 0\.8: .*, φ = 0\.8\d* \(0\.\d+ to 0\.\d+\), cost/,
    );
  });

  it("systems left out of the model make items more alike than chance, which is said", () => {
    const rng = makeRng("systems");
    const [item, seed, y] = [[] as string[], [] as string[], [] as number[]];
    for (let i = 0; i < 20; i++)
      for (let s = 0; s < 2; s++)
        for (const system of [0, 100, 200]) {
          item.push(`i${i}`);
          seed.push(`s${s}`);
          y.push(system + rng.normal());
        }
    const columns = [
      ["y", numericColumn(y)],
      ["item", factorColumn(item)],
      ["seed", factorColumn(seed)],
    ] as const;
    const own = measureReliability(makeTable(columns.map(([name, cells]) => [name, cells])), {
      ...BASE,
      facets: ["seed"],
    });
    expect(own.diagnostics.map(({ code }) => code)).toContain("AlikeBeyondChance");
  });
});

describe("what must not matter", () => {
  it("order of rows, names of levels, shift and scale of the scores", () => {
    const table = simulated([10, 4, 2], "invariance");
    const options = { ...BASE, facets: ["rater", "occasion"], interactions: "all", intervals: "none" } as const;
    const own = measureReliability(table, options);
    const order = Int32Array.from({ length: table.rows }, (_, i) => (i * 37) % table.rows);
    const shuffled = selectRows(table, order);
    const values = (shuffled.columns.get("y") as { values: Float64Array }).values.map((v) => 100 - 3 * v);
    const moved = measureReliability(withColumn(shuffled, "y", { kind: "numeric", values }), options);
    expectClose([moved.phi.value, moved.relative.value], [own.phi.value, own.relative.value], { tolerance: 1e-6 });
    for (const { term, variance: v } of own.components) expect(variance(moved, term)).toBeCloseTo(9 * v, 6);
  });
});

describe("incomplete data", () => {
  const full = simulated([30, 6, 1], "holes");
  const holes = filterRows(full, "!(item == 'i3' & rater == 'r1')");

  it("get bootstrap and profile intervals that hold the estimate, near those of the complete data", () => {
    const found = measureReliability(holes, { ...BASE, replicates: 150 });
    expect([found.balanced, found.intervals]).toEqual([false, "bootstrap"]);
    for (const { variance: v, lower, upper } of found.components) {
      expect(lower).toBeLessThan(v);
      expect(upper).toBeGreaterThan(v);
    }
    const complete = measureReliability(full, BASE);
    expect(found.phi.lower).toBeGreaterThan(complete.phi.lower - 0.15);
    expect(found.phi.upper).toBeLessThan(complete.phi.upper + 0.15);
    expect(found.phi.lower).toBeLessThan(found.phi.value);
  });

  it("missing scores are left out and counted", () => {
    const values = (full.columns.get("y") as { values: Float64Array }).values.slice();
    values[7] = Number.NaN;
    const found = measureReliability(withColumn(full, "y", { kind: "numeric", values }), {
      ...BASE,
      intervals: "none",
    });
    expect(found.nobs).toBe(full.rows - 1);
    expect(codes(found)).toContain("MissingCells");
  });
});

describe("bad input", () => {
  const table = simulated([8, 3, 1], "bad");

  it("one rater, one object, a constant score", () => {
    expect(refusal(filterRows(table, "rater == 'r0'"), BASE)).toMatch(/OneLevel: the facet rater has one level/);
    expect(refusal(filterRows(table, "item == 'i0'"), BASE)).toMatch(/OneObject: the object of measurement item/);
    expect(
      refusal(
        crossed([4, 3, 1], () => 1),
        BASE,
      ),
    ).toMatch(/ConstantResponse/);
  });

  it("scores that cannot be used are named as the file names them, not as the model does", () => {
    const rated = (score: (i: number) => number): Table =>
      withColumn(
        crossed([6, 3, 1], (i) => i),
        "rating",
        numericColumn(Array.from({ length: 18 }, (_, i) => score(i))),
      );
    const told = (score: (i: number) => number): string => refusal(rated(score), { ...BASE, score: "rating" });
    expect(told(() => 3)).toContain('the score column "rating" has the same value, 3, in every row');
    expect(told((i) => (i === 4 ? Number.POSITIVE_INFINITY : i))).toContain('the score column "rating" holds Infinity');
  });

  it("a facet that is the object under another name is refused", () => {
    const copy = withColumn(table, "doc", table.columns.get("item")!);
    expect(refusal(copy, { ...BASE, facets: ["doc", "rater"] })).toMatch(
      /FacetIsObject: the facet doc is confounded with the object item/,
    );
  });

  it("objects that each have one rater only are a warning", () => {
    const rater = factorColumn(Array.from({ length: table.rows }, (_, k) => `w${Math.floor(k / 6)}`));
    const found = measureReliability(withColumn(table, "rater", rater), { ...BASE, intervals: "none" });
    expect(codes(found)).toContain("ObjectWithinFacet");
  });

  it("unknown columns, columns named twice, unknown interactions", () => {
    expect(refusal(table, { ...BASE, facets: ["ratr"] })).toMatch(/did you mean "rater"/);
    expect(refusal(table, { ...BASE, facets: ["item"] })).toMatch(/SameColumn/);
    expect(refusal(table, { ...BASE, interactions: ["item:judge"] })).toMatch(/UnknownFacet/);
    expect(refusal(table, { score: BASE.score, facets: [] })).toMatch(/NoFacets/);
  });

  it("an interaction with one row per combination is part of the residual", () => {
    const found = measureReliability(table, { ...BASE, interactions: "all", intervals: "none" });
    expect(found.components.map(({ term }) => term)).toEqual(["item", "rater", "residual"]);
    expect(codes(found)).toContain("InResidual");
  });
});

describe("other scales and classes", () => {
  it("right and wrong: the logit scale of a logistic mixed model", () => {
    const linear = simulated([60, 8, 1], "binary");
    const values = (linear.columns.get("y") as { values: Float64Array }).values.map((v) => Number(v > 0));
    const table = withColumn(linear, "y", { kind: "numeric", values });
    const found = measureReliability(table, { ...BASE, model: "glmm", replicates: 30 });
    const fit = fitGlmm("y ~ 1 + (1 | item) + (1 | rater)", table);
    const item = fit.variances.find(({ group }) => group === "item")!.cov.data[0]!;
    const rater = fit.variances.find(({ group }) => group === "rater")!.cov.data[0]!;
    expectClose([variance(found, "item"), variance(found, "rater")], [item, rater], { tolerance: 1e-6 });
    expect(found.phi.value).toBeCloseTo(item / (item + rater + Math.PI ** 2 / 3), 8);
    expect(found.phi.lower).toBeLessThan(found.phi.value);
    expect(found.phi.upper).toBeGreaterThan(found.phi.value);
  });

  it("ordered ratings: the latent scale of a cumulative model", () => {
    const linear = simulated([25, 5, 1], "ordinal");
    const values = (linear.columns.get("y") as { values: Float64Array }).values.map((v) =>
      Math.max(1, Math.min(5, Math.round(3 + v))),
    );
    const found = measureReliability(withColumn(linear, "y", { kind: "numeric", values }), {
      ...BASE,
      model: "clmm",
      replicates: 10,
    });
    expect(found.model).toBe("clmm");
    expect(variance(found, "residual")).toBeCloseTo(Math.PI ** 2 / 3, 12);
    expect(found.phi.value).toBeGreaterThan(0.3);
  });

  it("within classes of a property: those of separate analyses", () => {
    const table = simulated([30, 4, 1], "classes");
    const found = measureReliability(table, { ...BASE, by: "length", intervals: "none" });
    expect(found.conditional.map(({ level }) => level)).toEqual(["≤ 9", "9 – 19", "> 19"]);
    const part = measureReliability(filterRows(table, "length > 19"), { ...BASE, intervals: "none" });
    expect(found.conditional[2]!.phi.value).toBeCloseTo(part.phi.value, 12);
  });

  it("without an object there are components but no coefficient", () => {
    const found = measureReliability(simulated([6, 4, 1], "none"), {
      score: "y",
      facets: ["item", "rater"],
      intervals: "none",
    });
    expect(found.phi.value).toBeNaN();
    expect(found.components).toHaveLength(3);
    expect(codes(found)).toContain("NoObject");
  });

  it("a stored result prints the same, and a seed repeats itself", () => {
    const table = simulated([9, 3, 2], "print");
    const options = {
      ...BASE,
      facets: ["rater", "occasion"],
      interactions: ["item:rater"],
      target: 0.7,
      replicates: 200,
    };
    const once = measureReliability(table, { ...options, rng: makeRng(3) });
    expect(measureReliability(table, { ...options, rng: makeRng(3) }).phi).toEqual(once.phi);
    expect(reviveResult(JSON.stringify(once)).toString()).toBe(once.toString());
    expect(once.toString()).toContain("Where the variance comes from");
  });
});

describe("designs in which an object meets some raters only", () => {
  it("are averaged over the raters that an object met, not over all", () => {
    const rng = makeRng("some raters");
    const rows = Array.from({ length: 40 }, (_, item) =>
      [0, 1, 2].map((k) => ({ item, rater: (item + 3 * k) % 9 })),
    ).flat();
    const items = Array.from({ length: 40 }, () => rng.normal());
    const table = makeTable([
      ["item", factorColumn(rows.map((r) => `i${r.item}`))],
      ["rater", factorColumn(rows.map((r) => `r${r.rater}`))],
      ["score", numericColumn(rows.map((r) => items[r.item]! + rng.normal()))],
    ]);
    const result = measureReliability(table, { score: "score", object: "item", facets: ["rater"], intervals: "none" });
    expect(result.observed.n).toEqual({ rater: 3 });
  });
});

describe("several scores for one object and level", () => {
  it("are called repeats, with their number", () => {
    const rows = Array.from({ length: 48 }, (_, k) => ({
      item: k % 6,
      rater: Math.floor(k / 6) % 4,
      system: Math.floor(k / 24),
    }));
    const table = makeTable([
      ["y", numericColumn(rows.map(({ item, rater, system }, k) => item + 0.3 * rater * system + (k % 7) / 5))],
      ["item", factorColumn(rows.map(({ item }) => `i${item}`))],
      ["rater", factorColumn(rows.map(({ rater }) => `r${rater}`))],
      ["system", factorColumn(rows.map(({ system }) => `s${system}`))],
    ]);
    const repeats = (facets: string[]) =>
      measureReliability(table, { score: "y", object: "item", facets, intervals: "none" }).diagnostics.find(
        ({ code }) => code === "Repeats",
      );
    expect(repeats(["rater"])!.message).toContain("about 2 scores for each item × rater");
    expect(repeats(["rater", "system"])).toBeUndefined();
  });
});

it("objects with skewed means have a warning with the coverage of the interval of φ; normal ones have none", () => {
  const told = (transform: (z: number) => number) => {
    const rng = makeRng("skewed objects");
    const rows = Array.from({ length: 60 }, (_, i) => ({ i, mean: transform(rng.normal()) })).flatMap(({ i, mean }) =>
      ["r", "s", "t"].map((rater) => ({ i, rater, y: mean + 0.3 * rng.normal() })),
    );
    const table = makeTable([
      ["item", factorColumn(rows.map(({ i }) => `i${i}`))],
      ["rater", factorColumn(rows.map(({ rater }) => rater))],
      ["y", numericColumn(rows.map(({ y }) => y))],
    ]);
    const { diagnostics } = measureReliability(table, { score: "y", object: "item", facets: ["rater"] });
    return diagnostics.find(({ code }) => code === "SkewedObjects")?.message;
  };
  expect(told(Math.exp)).toMatch(/skewed \(skewness \d.*covered 88 %/);
  expect(told((z) => z)).toBeUndefined();
});
