import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { normalPdf } from "../../numeric/dist/normal.ts";
import { makeRng } from "../../numeric/rng.ts";
import { estimateFromDev } from "./dev.ts";
import { planFromHistory } from "./history.ts";
import { type PairedCounts, shrinkDev, shrinkTowards } from "./shrink.ts";

const COUNTS: PairedCounts = [120, 22, 10, 48];
const answers = ([both, onlyNew, onlyOld, neither]: PairedCounts) => {
  const of = (right: readonly number[]): Float64Array =>
    Float64Array.from([both, onlyNew, onlyOld, neither].flatMap((count, k) => Array(count).fill(right[k])));
  return [of([1, 0, 1, 0]), of([1, 1, 0, 0])] as const;
};

describe("estimates drawn towards a prior", () => {
  it("have the mean and SD of the posterior", () => {
    const [dev, prior] = [
      { value: 0.06, sd: 0.028 },
      { value: 0.01, sd: 0.015 },
    ];
    let [all, first, second] = [0, 0, 0];
    for (let x = -0.3; x <= 0.4; x += 1e-4) {
      const density = normalPdf((dev.value - x) / dev.sd) * normalPdf((x - prior.value) / prior.sd);
      all += density;
      first += density * x;
      second += density * x * x;
    }
    const own = shrinkTowards("delta", dev, prior);
    expect(own.value).toBeCloseTo(first / all, 10);
    expect(own.sd).toBeCloseTo(Math.sqrt(second / all - (first / all) ** 2), 10);
  });

  it("are nearer to the truth where truths follow the prior", () => {
    const rng = makeRng("shrunk");
    let [plain, drawn] = [0, 0];
    for (let k = 0; k < 2000; k++) {
      const truth = 0.01 + 0.02 * rng.normal();
      const dev = { value: truth + 0.03 * rng.normal(), sd: 0.03 };
      plain += (dev.value - truth) ** 2;
      drawn += (shrinkTowards("delta", dev, { value: 0.01, sd: 0.02 }).value - truth) ** 2;
    }
    // 1/(1/s² + 1/τ²) against s²: 0.308
    expect(drawn / plain).toBeGreaterThan(0.25);
    expect(drawn / plain).toBeLessThan(0.36);
  });

  it("no prior: agreement towards the middle of what the accuracies leave, the difference as it is", () => {
    const [agreement] = shrinkDev(COUNTS, { kind: "no-prior" });
    // baseline .65, new .71: they disagree by .06 at least, by .64 at most
    expect(agreement!.prior.value).toBeCloseTo(1 - (0.06 + 0.64) / 2, 12);
    expect(agreement!.prior.sd).toBeCloseTo((0.64 - 0.06) / Math.sqrt(12), 12);
    expect(agreement!.dev.value).toBeCloseTo(0.84, 12);
    expect(agreement!.value).toBeLessThan(0.84);
    expect(agreement!.value).toBeGreaterThan(0.83);
  });

  it("history: the regression at the baseline's dev accuracy, its SD that of a new comparison", () => {
    const before = [0.5, 0.55, 0.6, 0.66, 0.7, 0.75, 0.8, 0.86];
    const gains = [0.08, 0.06, 0.07, 0.04, 0.045, 0.03, 0.02, 0.015];
    const table = makeTable([
      ["baseline", numericColumn(before)],
      ["new", numericColumn(before.map((v, i) => v + gains[i]!))],
      ["agreement", numericColumn(before.map((v, i) => 0.4 + 0.6 * v + (i % 2 === 0 ? 0.01 : -0.01)))],
    ]);
    const columns = { baseline: "baseline", candidate: "new", agreement: "agreement" };
    const [delta, agreement] = shrinkDev(COUNTS, { kind: "history", table, columns });
    const direct = planFromHistory(table, columns, { at: 0.65, confidence: 0.5 });
    expect(delta!.prior.value).toBeCloseTo(direct.delta.value, 12);
    // half of a 50 % interval of t with 6 df is .71756 SDs
    expect(delta!.prior.sd).toBeCloseTo((direct.delta.upper - direct.delta.lower) / (2 * 0.717558), 6);
    expect(agreement!.prior.sd).toBeCloseTo(direct.overlapFit!.residualSd, 12);
    const [old, fresh] = answers(COUNTS);
    const result = estimateFromDev(old, fresh, { n: 500, prior: { kind: "history", table, columns } });
    expect(result.params).toMatchObject({ delta: delta!.value, agreement: agreement!.value });
    expect(result.power!.effect).toBe(delta!.value);
    expect(result.toString()).toContain("Drawn towards the prior");
  });

  it("a prior far off cannot make systems that differ agree too often", () => {
    const [old, fresh] = answers(COUNTS);
    const prior = { kind: "stated", agreement: { value: 1, sd: 1e-4 } } as const;
    expect(estimateFromDev(old, fresh, { prior }).params["agreement"]).toBeCloseTo(0.94, 12);
  });

  it("a task of a history with tasks must be named", () => {
    const table = makeTable([
      ["baseline", numericColumn([0.5, 0.6, 0.7, 0.55])],
      ["new", numericColumn([0.55, 0.63, 0.72, 0.6])],
      ["task", factorColumn(["a", "b", "a", "b"])],
    ]);
    const columns = { baseline: "baseline", candidate: "new", task: "task" };
    expect(() => shrinkDev(COUNTS, { kind: "history", table, columns })).toThrow("none is named");
  });

  it.each([
    [{ kind: "stated" }, "says nothing"],
    [{ kind: "stated", delta: { value: 0.1, sd: 0 } }, "SD of 0"],
    [{ kind: "stated", agreement: { value: 1.2, sd: 0.1 } }, "prior of 1.2"],
  ] as const)("refuses %j", (prior, message) => {
    expect(() => shrinkDev(COUNTS, prior)).toThrow(message);
  });

  it("refuses a prior for scores", () => {
    const scores = Float64Array.of(0.2, 0.4, 0.9, 0.1);
    const other = Float64Array.of(0.3, 0.5, 0.8, 0.2);
    expect(() => estimateFromDev(scores, other, { prior: { kind: "no-prior" } })).toThrow("right and wrong answers");
  });
});
