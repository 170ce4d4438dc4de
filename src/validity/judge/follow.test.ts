import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { bettingInterval } from "../../significance/sequential/betting.ts";
import { followCorrected, nextJudge } from "./follow.ts";

function draw(labels: number, gain: number, seed = "next"): Table {
  const rng = makeRng(seed);
  const rows = Array.from({ length: 500 }, (_, i) =>
    ["a", "b"].map((system) => {
      const truth = rng.uniform() < 0.5 + (system === "b" ? gain : 0) ? 1 : 0;
      const judge = rng.uniform() < (truth === 1 ? 0.95 : system === "a" ? 0.1 : 0.4) ? 1 : 0;
      return { item: `q${i}`, system, judge, human: i < labels ? truth : null };
    }),
  ).flat();
  return makeTable([
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["system", factorColumn(rows.map(({ system }) => system))],
    ["judge", numericColumn(rows.map(({ judge }) => judge))],
    ["human", numericColumn(rows.map(({ human }) => human))],
  ]);
}

describe("labels bought one by one", () => {
  it("stop at a large difference, and stay stopped", () => {
    const early = nextJudge(draw(120, 0.4));
    expect([early.decision, early.verdict]).toEqual(["stop", "BETTER"]);
    const later = nextJudge(draw(200, 0.4));
    expect(later.stoppedAt).toBe(early.stoppedAt);
    expect(later.difference.lower).toBeGreaterThan(0);
  });

  it("go on where people see no difference, whatever the judge says", () => {
    const found = nextJudge(draw(150, 0));
    expect(found.decision).toBe("continue");
    expect(found.difference.lower).toBeLessThan(0);
    expect(found.p).toBeGreaterThan(0.05);
  });

  it("are the betting sequence of the labels where the judge says nothing", () => {
    const rng = makeRng("flat judge");
    const human = Float64Array.from({ length: 60 }, () => rng.int(3) - 1);
    const order = Int32Array.from(human.keys());
    const found = followCorrected({ human, judge: new Float64Array(60), order, width: 1 }, 0.05);
    const plain = bettingInterval(human.map((d) => (d + 1) / 2));
    expect(found.lower).toBeCloseTo(2 * plain.lower - 1, 10);
    expect(found.upper).toBeCloseTo(2 * plain.upper - 1, 10);
  });

  it("need to know the ends of the scores", () => {
    const graded = Float64Array.of(3, -2, 1);
    const all = { human: graded, judge: graded, order: Int32Array.of(0, 1, 2) };
    expect(() => followCorrected({ ...all, width: 1 }, 0.05)).toThrow(/beyond the ends/);
    expect(followCorrected({ ...all, width: 4 }, 0.05).lower).toBeLessThan(0);
  });
});
