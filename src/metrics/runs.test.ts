import { expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { type ItemStatistics, type Metric, scoreOf } from "./metric.ts";
import { joinRuns, pseudoValues } from "./runs.ts";
import { prepareText } from "./score-text.ts";

const MEAN: Metric = {
  name: "mean",
  higherIsBetter: true,
  width: 2,
  signature: "mean",
  isMean: true,
  scoreOf: (sums, at = 0) => sums[at]! / sums[at + 1]!,
};

function draws(seed: string, n: number): ItemStatistics {
  const rng = makeRng(seed);
  const data = Float64Array.from({ length: 2 * n }, (_, k) => (k % 2 === 0 ? rng.normal() : 1));
  return { metric: MEAN, n, width: 2, data };
}

it("joined runs score the mean of the runs, however often each stands there", () => {
  const runs = [draws("a", 30), draws("b", 30), draws("c", 30)];
  const mean = runs.reduce((sum, run) => sum + scoreOf(run), 0) / 3;
  expect(scoreOf(joinRuns(runs))).toBeCloseTo(mean, 13);
  expect(scoreOf(joinRuns(runs, 4))).toBeCloseTo(mean, 13);
  expect(joinRuns(runs, 4).width).toBe(24);
});

it("pseudo-values of a mean are the items' scores", () => {
  const runs = [draws("a", 12), draws("b", 12)];
  const values = pseudoValues(runs);
  runs.forEach((run, r) => {
    for (let i = 0; i < 12; i++) expect(values[r * 12 + i]).toBeCloseTo(run.data[2 * i]!, 10);
  });
});

it("pseudo-values of BLEU average to its score but for the bias that they take out", () => {
  const rng = makeRng("words");
  const words = ["a", "b", "c", "d", "e"];
  const line = () => Array.from({ length: 12 }, () => words[rng.int(5)]).join(" ");
  const references = Array.from({ length: 200 }, line);
  const system = references.map((text) => text.replace(/a/g, () => (rng.uniform() < 0.3 ? "x" : "a")));
  const statistics = prepareText([references]).statisticsOf(system);
  const values = pseudoValues([statistics]);
  expect(values.reduce((sum, v) => sum + v, 0) / 200).toBeCloseTo(scoreOf(statistics), 1);
});
