/** Values that look like scores and cannot be averaged as they stand. */
import { describe, expect, it } from "vitest";
import { compare, makeRng } from "../src/index.ts";
import { lines, readText, times, warned } from "./support/read-text.ts";

const rng = makeRng("values");

describe("scores on two scales", () => {
  const table = (metric: string, a: (i: number) => number, b: (i: number) => number) =>
    readText("s.csv", lines([`model,id,${metric}`, ...times(60, (i) => [`a,${i},${a(i)}`, `b,${i},${b(i)}`]).flat()]));
  const share = (): number => Number((0.5 + 0.3 * rng.uniform()).toFixed(3));

  it.each<[string, string, (i: number) => number, (i: number) => number]>([
    ["ratings up to 5 and up to 10", "rating", (i) => 1 + (i % 5), (i) => 1 + ((i * 3) % 10)],
    ["ratings and points out of 100", "rating", (i) => 1 + (i % 5), (i) => 50 + ((i * 7) % 30)],
    ["seconds and milliseconds", "latency", () => 3 * share(), () => 3000 * share()],
    ["two codings of right and wrong", "correct", (i) => i % 2, (i) => (i % 3 ? 2 : 1)],
    ["shares and percent", "score", (i) => (i % 3 ? share() : 100 * share()), (i) => (i % 3 ? share() : 100 * share())],
  ])("%s were compared", async (as, metric, a, b) => {
    const data = await table(metric, a, b);
    const { main } = compare(data);
    expect([main.verdict, main.reason]).toEqual(["NONE", expect.stringContaining(`as ${as} do`)]);
    // who has seen the values and says so is believed
    expect(compare(data, { where: [`${metric} >= 0`] }).main.verdict).not.toBe("NONE");
  });

  it.each<[string, string, (i: number) => number, (i: number) => number]>([
    [
      "a poor system on a scale to 10",
      "rating",
      (i) => [1, 2, 2, 3, 3, 3, 4, 4, 5, 3, 2, 3][i % 12]!,
      (i) => 5 + (i % 6),
    ],
    ["few errors and many", "errors", (i) => i % 5, (i) => 40 + ((i * 7) % 30)],
    ["rare and usual counts", "violations", (i) => i % 2, (i) => 1 + (i % 2)],
    ["a fast and a slow one", "latency", () => 3 * share(), () => 60 * share()],
  ])("%s have one scale", async (_, metric, a, b) => {
    expect(compare(await table(metric, a, b)).main.verdict).not.toBe("NONE");
  });
});

describe("codes of a file's own for no answer were averaged", () => {
  const coded = (metric: string, code: number, value: (i: number) => number, every = 17) =>
    readText(
      "s.csv",
      lines([
        `model,id,${metric}`,
        ...times(120, (i) => `${i % 2 ? "a" : "b"},${i >> 1},${i % every ? value(i) : code}`),
      ]),
    );

  it.each<[string, number, (i: number) => number]>([
    ["rating", -2, (i) => 1 + (i % 5)],
    ["rating", 100, (i) => 1 + (i % 5)],
    ["latency_ms", -1, (i) => 110 + ((i * 37) % 400)],
    ["bleu", -100, (i) => 10 + ((i * 7) % 40)],
    ["tokens", -1, (i) => 110 + ((i * 37) % 400)],
    ["perplexity", 1000000000, (i) => 10 + ((i * 7) % 40) / 3],
    ["quality", -3, (i) => i % 5],
    ["quality", 7, (i) => i % 5],
    ["rating", 10, (i) => 1 + (i % 5)],
    ["f1", 9, (i) => ((i * 37) % 97) / 97],
    ["latency_s", 0, (i) => 1 + ((i * 37) % 97) / 10],
  ])("%s: %i", async (metric, code, value) => {
    const { main } = compare(await coded(metric, code, value));
    expect([main.verdict, main.reason]).toEqual(["NONE", expect.stringContaining(`are ${code} among`)]);
  });

  it.each<[string, number, (i: number) => number]>([
    ["latency_diff", -1, (i) => 110 + ((i * 37) % 400)],
    ["reward", -10, (i) => (i * 7) % 40],
    ["rating", 6, (i) => 1 + (i % 5)],
  ])("%s may be %i", async (metric, code, value) => {
    expect(compare(await coded(metric, code, value)).main.reason).toBeUndefined();
  });

  it("0 below ratings of 1 to 5, and the time at which runs were stopped, went unnoticed", async () => {
    const zeros = compare(
      await coded("rating", 0, (i) => [3, 4, 2, 5, 3, 4, 3, 4, 1, 5, 3, 4, 5, 3, 4, 2][i % 16]!, 9),
    );
    expect(warned(zeros)).toContain('if 0 stands for "not rated", it is averaged as the lowest rating.');
    const capped = compare(await coded("latency_s", 600, (i) => 1 + ((i * 37) % 997) / 100));
    expect(warned(capped)).toContain("are exactly 600, the next is");
    const plain = compare(await coded("rating", 0, (i) => 1 + (i % 5), 9));
    expect(warned(plain)).not.toContain("ZeroRatings");
  });
});
