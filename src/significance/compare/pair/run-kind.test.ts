/** What repeats are: draws or trainings. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runsInClaim, testRuns } from "./run-kind.ts";

const oracle = JSON.parse(readFileSync("oracle/r/run-kind.json", "utf8")) as {
  readonly systems: readonly { readonly runs: number; readonly scores: readonly number[] }[];
  readonly F: number;
  readonly df: readonly number[];
  readonly p: number;
};
const whole = oracle.systems.map(({ runs, scores }) => ({ runs, scores: Float64Array.from(scores) }));

describe("whole runs against single scores", () => {
  it("have the F of aov in R, pooled over systems", () => {
    const { F, df, p } = testRuns(whole);
    expect(F).toBeCloseTo(oracle.F, 10);
    expect(df).toEqual(oracle.df);
    expect(p).toBeCloseTo(oracle.p, 10);
  });

  it("differ for certain where every score of a run is shifted alike", () => {
    expect(testRuns([{ runs: 2, scores: Float64Array.of(1, 2, 3, 2, 3, 4) }]).p).toBe(0);
    expect(testRuns([{ runs: 2, scores: Float64Array.of(1, 2, 3, 1, 2, 3) }]).p).toBe(1);
  });
});

describe("the runs that a claim is about", () => {
  const about = { whole, asked: undefined, inScope: false, dataSets: false, units: "items" };

  it("are those of seeds, and of epochs only where these differ as wholes or the user says so", () => {
    const shifted = [{ runs: 2, scores: Float64Array.of(1, 2, 3, 2, 3, 4) }];
    expect(runsInClaim({ ...about, name: "seed" }).runs).toBe(whole);
    expect(runsInClaim({ ...about, name: "epoch" }).runs).toBeUndefined();
    expect(runsInClaim({ ...about, name: "epoch", whole: shifted }).runs).toBe(shifted);
    expect(runsInClaim({ ...about, name: "epoch", whole: shifted, asked: "draws" }).runs).toBeUndefined();
    expect(runsInClaim({ ...about, name: "epoch", asked: "trainings" }).runs).toBe(whole);
    expect(runsInClaim({ ...about, name: "seed", dataSets: true }).runs).toBeUndefined();
  });

  it("refuse a kind of runs where there are none", () => {
    expect(() => runsInClaim({ ...about, name: undefined, whole: undefined, asked: "draws" })).toThrow(
      /no column numbers the runs/,
    );
  });
});
