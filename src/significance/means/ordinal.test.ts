import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, selectRows, withColumn } from "../../data/table.ts";
import type { GlmmFamily } from "../../models/glm/laplace-rows.ts";
import { fitGlmm } from "../../models/glmm/glmm.ts";
import { fitClm } from "../../models/ordinal/clm.ts";
import { fitClmm } from "../../models/ordinal/clmm.ts";
import type { CumulativeLink } from "../../models/ordinal/cumulative-link.ts";
import { predictClm } from "../../models/ordinal/probabilities.ts";
import type { ThresholdKind } from "../../models/ordinal/thresholds.ts";
import { reviveResult } from "../../result/result.ts";
import { type MeansScale, marginalMeans } from "./means.ts";

const oracle = readOracle("r/categorical-inference.json");
const table = oracleTable(oracle.columns);

interface MeansInput {
  readonly model: "clm" | "clmm" | "glmm";
  readonly formula: string;
  readonly by: string;
  readonly within?: string;
  readonly mode: string;
  readonly threshold?: ThresholdKind;
  readonly link?: CumulativeLink;
  readonly family?: GlmmFamily;
}

function fitCase({ model, formula, threshold = "flexible", link, family = "binomial" }: MeansInput) {
  if (model === "clm") return fitClm(formula, table, { threshold, link: link ?? "logit" });
  if (model === "clmm") return fitClmm(formula, table, { threshold, link: link ?? "logit" });
  return fitGlmm(formula, table, { family, ...(link === undefined ? {} : { link }) });
}

/** clm has one maximum, found to many digits by both; glmer's search without a gradient stops within about 1e-5 of a standard
 *  error, clmm's a little earlier. */
const SLACK = { clm: 1e-9, glmm: 2e-5, clmm: 1e-4 } as const;

describe("marginal means against emmeans", () => {
  for (const { kind, input, expected, id } of oracle.cases) {
    if (kind !== "means") continue;
    const own = input as unknown as MeansInput;
    it(`${id} ${own.model} ${own.mode}: ${own.formula}`, () => {
      const type = own.mode.replace(".", "-") as MeansScale;
      const result = marginalMeans(fitCase(own), { by: own.by, within: own.within ?? [], type });
      const extra = own.mode === "prob" ? "rating" : "cut";
      const key = (row: Record<string, string>) => [row[own.by], row[own.within ?? ""], row[extra]].join("/");
      const theirs = new Map<string, Record<string, number>>(expected.means.map((row: never) => [key(row), row]));
      expect(result.means).toHaveLength(theirs.size);
      const tolerance = SLACK[own.model];
      for (const mean of result.means) {
        const want = theirs.get(key(mean.levels as Record<string, string>))!;
        expectClose(
          [mean.estimate, mean.se, mean.lower, mean.upper],
          [want["estimate"]!, want["SE"]!, want["LCL"]!, want["UCL"]!],
          { tolerance, floor: 0.5, label: mean.name },
        );
      }
      const pairKey = (row: Record<string, string>, name: string) =>
        [name, row[own.within ?? ""], row[extra]].join("/");
      const pairs = new Map<string, Record<string, number>>(
        expected.contrasts.map((row: Record<string, string>) => [pairKey(row, row["contrast"]!), row]),
      );
      expect(result.contrasts).toHaveLength(pairs.size);
      for (const contrast of result.contrasts) {
        const want = pairs.get(pairKey((contrast.within ?? {}) as Record<string, string>, contrast.contrast))!;
        const ours = [contrast.estimate, contrast.se, contrast.lower, contrast.upper];
        const values = [want["estimate"]!, want["SE"]!, want["LCL"] ?? want["asymp.LCL"]!, want["UCL"]!];
        expectClose(ours, values, { tolerance, floor: 0.5, label: contrast.contrast });
        // R's ptukey has about eight digits
        expect(Math.abs(contrast.p - want["p.value"]!)).toBeLessThan(Math.max(1e-7, 2 * tolerance));
      }
    });
  }
});

describe("probabilities of categories", () => {
  const fit = fitClm("rating ~ system * length + x", table, { link: "probit" });

  it("are those of predict at a grid point, sum to 1, and give the mean class", () => {
    const at = { length: ["long"], x: [0.5] };
    const prob = marginalMeans(fit, { by: "system", type: "prob", at, contrasts: "none" });
    const rows = makeTable([
      ["system", factorColumn(["A", "B", "C"])],
      ["length", factorColumn(["long", "long", "long"])],
      ["x", { kind: "numeric", values: Float64Array.of(0.5, 0.5, 0.5) }],
    ]);
    expectClose(
      prob.means.map((m) => m.estimate),
      predictClm(fit, rows).probabilities.data,
      { tolerance: 1e-12 },
    );
    const mean = marginalMeans(fit, { by: "system", type: "mean-class", at });
    ["A", "B", "C"].forEach((system, s) => {
      const own = prob.means.filter((m) => m.levels["system"] === system);
      expect(own.reduce((sum, m) => sum + m.estimate, 0)).toBeCloseTo(1, 12);
      expect(own.reduce((sum, m, j) => sum + (j + 1) * m.estimate, 0)).toBeCloseTo(mean.means[s]!.estimate, 12);
    });
  });

  it("have the delta method's SE: the change of the estimate along each parameter", () => {
    const prob = marginalMeans(fit, { by: "system", type: "exc-prob", at: { length: ["long"], x: [0] } });
    const step = 1e-5;
    const phi = [...fit.thresholds, ...fit.coefficients].map(({ value }) => value);
    const valueAt = (k: number, by: number): number => {
      const moved = phi.map((value, j) => value + (j === k ? by : 0));
      const cuts = Float64Array.from(moved.slice(0, fit.thresholds.length));
      const thresholds = fit.thresholds.map((t, j) => ({ ...t, value: moved[j]! }));
      const coefficients = fit.coefficients.map((c, j) => ({ ...c, value: moved[fit.thresholds.length + j]! }));
      const other = { ...fit, cuts, thresholds, coefficients };
      return marginalMeans(other, { by: "system", type: "exc-prob", at: { length: ["long"], x: [0] } }).means[1]!
        .estimate;
    };
    const gradient = phi.map((_, k) => (valueAt(k, step) - valueAt(k, -step)) / (2 * step));
    const V = fit.parameterVcov;
    let variance = 0;
    for (let i = 0; i < phi.length; i++) {
      for (let j = 0; j < phi.length; j++) variance += gradient[i]! * gradient[j]! * V.data[i + j * V.rows]!;
    }
    expect(prob.means[1]!.se).toBeCloseTo(Math.sqrt(variance), 8);
  });

  it("do not depend on which level is the reference", () => {
    const other = fitClm("rating ~ system * length + x", table, {
      link: "probit",
      levels: { system: ["C", "A", "B"], length: ["long", "short"] },
    });
    const value = (own: typeof fit) =>
      Object.fromEntries(
        marginalMeans(own, { by: "system", type: "prob" }).means.map((m) => [
          `${m.levels["system"]}${m.levels["rating"]}`,
          [m.estimate, m.se],
        ]),
      );
    const [a, b] = [value(fit), value(other)];
    for (const key of Object.keys(a)) expectClose(a[key]!, b[key]!, { tolerance: 1e-6, label: key });
  });

  it("average over the data's frequencies when asked", () => {
    const equal = marginalMeans(fit, { by: "system", type: "prob" });
    const own = marginalMeans(fit, { by: "system", type: "prob", weights: "proportional" });
    const within = marginalMeans(fit, { by: "system", within: "length", type: "prob" });
    const lengths = oracle.columns["length"]!.values;
    const share = lengths.filter((value) => value === "short").length / lengths.length;
    const of = (length: string) =>
      within.means.find(
        (m) => m.levels["system"] === "B" && m.levels["length"] === length && m.levels["rating"] === "3",
      )!;
    const at = (result: typeof own) =>
      result.means.find((m) => m.levels["system"] === "B" && m.levels["rating"] === "3")!.estimate;
    expect(at(own)).toBeCloseTo(share * of("short").estimate + (1 - share) * of("long").estimate, 12);
    expect(at(equal)).toBeCloseTo((of("short").estimate + of("long").estimate) / 2, 12);
  });
});

describe("scales and refusals", () => {
  const fit = fitClmm("rating ~ system + (1 | item)", table);

  it("link means latent, response means prob; a positive contrast is a higher rating", () => {
    expect(marginalMeans(fit, { by: "system", type: "link" }).type).toBe("latent");
    expect(marginalMeans(fit, { by: "system", type: "response" }).type).toBe("prob");
    const latent = marginalMeans(fit, { by: "system" });
    expect(latent.contrasts[0]!.estimate).toBeCloseTo(-fit.coefficients[0]!.value, 12);
  });

  it("says whose probabilities these are, and prints the same after a journey through JSON", () => {
    const prob = marginalMeans(fit, { by: "system", type: "mean-class" });
    expect(prob.randomAtZero).toEqual(["item"]);
    expect(String(prob)).toContain("For an average item");
    expect(String(reviveResult(JSON.parse(JSON.stringify(prob))))).toBe(String(prob));
    expect(String(prob)).toMatchSnapshot();
  });

  it("refuses scales that a model does not have", () => {
    const glmm = fitGlmm("correct ~ system + (1 | item)", table);
    expect(() => marginalMeans(glmm, { by: "system", type: "prob" })).toThrow(/ordinal models/);
    expect(() => marginalMeans(fit, { by: "system", regrid: true })).toThrow(/regrid/);
    expect(() => marginalMeans(fitClm("rating ~ x", table), { by: [], slopes: "x", type: "prob" })).toThrow(/slopes/);
    expect(() => marginalMeans(fitClm("rating ~ 0 + system", table), { by: "system" })).toThrow(/intercept/);
  });

  it("leaves means that the data cannot determine undefined, and only those", () => {
    const keep = Int32Array.from({ length: table.rows }, (_, i) => i).filter(
      (i) => !(oracle.columns["system"]!.values[i] === "C" && oracle.columns["length"]!.values[i] === "long"),
    );
    const gap = fitClm("rating ~ system * length", selectRows(table, keep));
    const prob = marginalMeans(gap, { by: "system", within: "length", type: "prob" });
    const lost = prob.means.filter((m) => m.levels["system"] === "C" && m.levels["length"] === "long");
    expect(lost).toHaveLength(5);
    for (const mean of prob.means) expect(Number.isNaN(mean.estimate)).toBe(lost.includes(mean));
    expect(prob.diagnostics.map(({ code }) => code)).toContain("NotEstimable");
  });

  it("an empty category has no probability of its own", () => {
    const values = oracle.columns["rating"]!.values.map((v) => (v === "4" ? "5" : (v as string)));
    const merged = withColumn(table, "rating", factorColumn(values, { levels: ["1", "2", "3", "4", "5"] }));
    const own = marginalMeans(fitClm("rating ~ system", merged), { by: "system", type: "prob" });
    expect([...new Set(own.means.map((m) => m.levels["rating"]))]).toEqual(["1", "2", "3", "5"]);
    expect(own.diagnostics.map(({ code }) => code)).toContain("EmptyCategory");
  });
});

describe("separated data", () => {
  const system = Array.from({ length: 90 }, (_, i) => ["A", "B", "C"][i % 3]!);
  const item = system.map((_, i) => `i${i % 10}`);
  const mixed = system.map((_, i) => (i * 7) % 11);
  const correct = system.map((s, i) => (s === "C" ? 1 : Number(mixed[i]! < (s === "A" ? 6 : 4))));
  const cuts = { A: [4, 8], B: [6, 9], C: [0, 0] } as Record<string, number[]>;
  const rating = system.map((s, i) => String(1 + cuts[s]!.filter((cut) => mixed[i]! >= cut).length));
  const apart = makeTable([
    ["system", factorColumn(system)],
    ["item", factorColumn(item)],
    ["correct", { kind: "numeric", values: Float64Array.from(correct) }],
    ["rating", factorColumn(rating, { levels: ["1", "2", "3"] })],
  ]);

  it("an infinite effect has no test, the others keep theirs, whichever level is the reference", () => {
    const [first, last] = [
      ["A", "B", "C"],
      ["C", "A", "B"],
    ].map((order) => {
      const fit = fitGlmm("correct ~ system + (1 | item)", apart, { levels: { system: order } });
      const { contrasts } = marginalMeans(fit, { by: "system", adjust: "none" });
      return Object.fromEntries(contrasts.map((c) => [c.contrast, c]));
    });
    expect([first!["A - C"]!.estimate, last!["C - A"]!.estimate]).toEqual([-Infinity, Infinity]);
    expect([first!["A - C"]!.p, last!["C - A"]!.p]).toEqual([Number.NaN, Number.NaN]);
    const finite = ({ estimate, se, p }: { estimate: number; se: number; p: number }) => [estimate, se, p];
    expectClose(finite(first!["A - B"]!), finite(last!["A - B"]!), { tolerance: 1e-4 });
    expect(first!["A - B"]!.se).toBeLessThan(1);
  });

  it("ratings too: the finite difference as without the separated system, probabilities 0 and 1", () => {
    const fit = fitClm("rating ~ system", apart);
    const { contrasts } = marginalMeans(fit, { by: "system", adjust: "none" });
    const of = (name: string) => contrasts.find((c) => c.contrast === name)!;
    expect([of("A - C").estimate, of("A - C").p]).toEqual([-Infinity, Number.NaN]);
    const rest = fitClm(
      "rating ~ system",
      selectRows(
        apart,
        Int32Array.from(system.keys()).filter((i) => system[i] !== "C"),
      ),
    );
    expectClose([of("A - B").estimate, of("A - B").se], [-rest.coefficients[0]!.value, rest.coefficients[0]!.se], {
      tolerance: 1e-5,
    });
    const prob = marginalMeans(fit, { by: "system", type: "prob" }).means.filter((m) => m.levels["system"] === "C");
    expectClose(
      prob.map((m) => m.estimate),
      [0, 0, 1],
      { tolerance: 1e-6, floor: 1 },
    );
  });
});
