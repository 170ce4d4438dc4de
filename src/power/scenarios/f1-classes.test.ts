import { describe, expect, it } from "vitest";
import { f1Statistics } from "../../metrics/f1.ts";
import { mccStatistics } from "../../metrics/mcc.ts";
import { scoreOf } from "../../metrics/metric.ts";
import { makeRng } from "../../numeric/rng.ts";
import { analysePower, computePower } from "../solve/solve.ts";
import { accuracyFamily } from "./accuracy.ts";
import { f1Family } from "./f1.ts";
import { cellsOf, parseCells, trueScores } from "./f1-classes.ts";

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
    const exact = computePower(accuracyFamily, { n: 200, delta: 0.05, agreement: 0.89 }).power;
    expect(own.effect).toBeCloseTo(0.05, 12);
    expect(Math.abs(own.power - exact)).toBeLessThan(4 * own.se);
  });

  it("macro F1 of two classes rises with n", async () => {
    const cells = cellsOf(gold, old, fresh);
    const at = async (n: number) =>
      (await analysePower(f1Family, { n, metric: "macro-f1", cells }, { replicates: 200, rng: makeRng(2) })).power;
    expect(await at(400)).toBeGreaterThan(await at(60));
  });

  it.each([
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
