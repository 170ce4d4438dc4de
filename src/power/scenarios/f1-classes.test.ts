import { describe, expect, it } from "vitest";
import { f1Statistics } from "../../metrics/f1.ts";
import { mccStatistics } from "../../metrics/mcc.ts";
import { scoreOf } from "../../metrics/metric.ts";
import { makeRng } from "../../numeric/rng.ts";
import { findMde } from "../solve/mde.ts";
import { findSize } from "../solve/size.ts";
import { analysePower, computePower } from "../solve/solve.ts";
import { accuracyFamily } from "./accuracy.ts";
import { f1Family } from "./f1.ts";
import { CLASS_METRICS, cellsOf, largestGain, leanTo, parseCells, trueScores } from "./f1-classes.ts";

const rng = makeRng(7);
const gold = Array.from({ length: 300 }, () => "abc"[rng.int(3)]!);
const guess = (share: number) => gold.map((label) => (rng.uniform() < share ? label : "abc"[rng.int(3)]!));
const [old, fresh] = [guess(0.5), guess(0.65)];

describe("classifiers with several classes", () => {
  it("true scores are those of the metrics on the same labels", () => {
    const law = parseCells(cellsOf(gold, old, fresh));
    const score = (predicted: string[]) => [
      scoreOf(f1Statistics(gold, predicted, { average: "macro" })),
      scoreOf(mccStatistics(gold, predicted)),
    ];
    const [macro, mcc] = [trueScores(law, "macro-f1"), trueScores(law, "mcc")];
    [old, fresh].forEach((predicted, s) => {
      expect([macro[s], mcc[s]].map((x) => x!.toFixed(12))).toEqual(score(predicted).map((x) => x.toFixed(12)));
    });
  });

  it("accuracy has the power of McNemar's exact test", async () => {
    // swapping answers leaves the same discordant pairs: 8 % won, 3 % lost
    const cells = "a>a>a:50; b>b>b:39; a>b>a:5; b>c>b:3; a>a>b:2; b>b>c:1";
    const params = { n: 200, metric: "accuracy", cells };
    const own = await analysePower(f1Family, params, { method: "simulation", replicates: 2000, rng: makeRng(5) });
    const exact = computePower(accuracyFamily, { n: 200, delta: 0.05, agreement: 0.89, test: "mcnemar-exact" }).power;
    expect(own.effect).toBeCloseTo(0.05, 12);
    expect(Math.abs(own.power - exact)).toBeLessThan(4 * own.se);
  });

  it("macro F1 of two classes rises with n", async () => {
    const cells = cellsOf(gold, old, fresh);
    const at = async (n: number) =>
      (await analysePower(f1Family, { n, metric: "macro-f1", cells }, { replicates: 200, rng: makeRng(2) })).power;
    expect(await at(400)).toBeGreaterThan(await at(60));
  });

  const TABLE = "a>a>a:60; b>b>b:40; c>c>c:30; a>b>a:9; a>a>b:4; b>c>b:8; b>b>c:5; c>a>c:7; c>c>a:3";

  it("a gain leans the disagreements and leaves the agreement as it is", () => {
    const given = parseCells(TABLE);
    for (const metric of CLASS_METRICS) {
      const shown = trueScores(given, metric)[1] - trueScores(given, metric)[0];
      for (const gain of [0.4 * shown, shown, -0.7 * shown, largestGain(given, metric)]) {
        const law = leanTo(given, metric, gain);
        const [baseline, system] = trueScores(law, metric);
        expect(system - baseline).toBeCloseTo(gain, 10);
        const apart = law.cells.reduce((sum, cell) => sum + (cell.baseline === cell.system ? 0 : cell.share), 0);
        expect(apart).toBeCloseTo(36 / 166, 12);
        expect(law.cells.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
      }
    }
    // all disagreements won: each of the 36 items counts for the accuracy
    expect(largestGain(parseCells("a>b>a:5; a>a>b:2; b>b>b:13"), "accuracy")).toBeCloseTo(7 / 20, 12);
  });

  it("mde of accuracy with cells is that of the exact test, and size finds the n of a power", async () => {
    const cells = "a>a>a:50; b>b>b:39; a>b>a:5; b>c>b:3; a>a>b:2; b>b>c:1";
    const options = { rng: makeRng(3), replicates: 1500 };
    const own = await findMde(f1Family, { n: 200, metric: "accuracy", cells }, options);
    const exact = await findMde(accuracyFamily, { n: 200, agreement: 0.89 });
    expect(own.parameter).toBe("gain");
    expect(Math.abs(own.mde - exact.mde)).toBeLessThan(4 * own.se + 0.002);
    const size = await findSize(f1Family, { metric: "accuracy", cells }, options);
    const there = computePower(accuracyFamily, { n: size.n, delta: 0.05, agreement: 0.89 }).power;
    expect(Math.abs(there - 0.8)).toBeLessThan(0.05);
  });

  it.each([
    [{ metric: "accuracy", cells: TABLE, gain: 0.9 }, "gain = 0.9: disagreements that all lean"],
    [{ metric: "accuracy", cells: TABLE, recall: 0.8 }, "recall = 0.8 beside cells"],
    [{ metric: "accuracy", cells: TABLE, fprGain: 0.1 }, "fprGain = 0.1 beside cells"],
    [{ metric: "f1", gain: 0.1 }, "gain belongs to cells"],
    [{ metric: "macro-f1" }, "needs the joint table"],
    [{ metric: "macro-f1", cells: "a>b:3" }, "is none"],
    [{ metric: "macro-f1", cells: "a>a>a:-1" }, "is none"],
    [{ metric: "macro-f1", cells: "a>a>a:5" }, "1 labels"],
    [{ metric: "f1", cells: "a>a>b:5; b>b>b:4" }, "f1 with cells"],
    [{ metric: "macro-f1", cells: "a>a>a:5; b>b>b:4" }, "no difference"],
  ])("refuses %j", (params, message) => {
    expect(() => f1Family.make({ n: 100, ...params })).toThrow(message);
  });
});
