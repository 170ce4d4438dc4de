import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { testAlternativeAnnotators } from "./alternative-annotator.ts";

const url = (name: string): URL => new URL(`../../../oracle/next/${name}`, import.meta.url);
interface Case {
  readonly id: string;
  readonly input: {
    readonly data: string;
    readonly humans: readonly string[];
    readonly score: string;
    readonly epsilons: readonly number[];
  };
  // biome-ignore lint/suspicious/noExplicitAny: one answer for each ε
  readonly expected: any;
}
const CASES: readonly Case[] = JSON.parse(readFileSync(url("judges.json"), "utf8")).cases.filter(({ id }: Case) =>
  id.startsWith("alt-test"),
);

function readColumns(name: string): Map<string, Float64Array> {
  const [head, ...rows] = readFileSync(url(`data/${name}.csv`), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return new Map(
    head!.map((column, j) => [
      column,
      Float64Array.from(rows, (row) => (row[j] === "NA" ? Number.NaN : Number(row[j]))),
    ]),
  );
}

describe("the alternative annotator test", () => {
  it.each(CASES)("$id agrees with the reference", ({ input, expected }) => {
    const columns = readColumns(input.data);
    const humans = input.humans.map((name) => ({ name, values: columns.get(name)! }));
    for (const epsilon of input.epsilons) {
      const found = testAlternativeAnnotators(columns.get("llm")!, humans, {
        epsilon,
        numeric: input.score === "neg_rmse",
      });
      const answer = expected[`epsilon_${epsilon}`];
      expect(found.winningRate).toBeCloseTo(answer.winning_rate, 10);
      expect(found.advantage).toBeCloseTo(answer.average_advantage_probability, 10);
      expect(found.passes).toBe(answer.passes);
      for (const [k, own] of found.annotators.entries()) {
        const reference = answer.annotators[k];
        expect(own.n).toBe(reference.n);
        expect(own.judge).toBeCloseTo(reference.rho_llm, 10);
        expect(own.human).toBeCloseTo(reference.rho_human, 10);
        expect(own.t).toBeCloseTo(reference.t, 8);
        expect(own.p).toBeCloseTo(reference.p, 10);
        expect(own.adjusted).toBeCloseTo(reference.p_by_adjusted, 10);
        expect(own.won).toBe(reference.rejected);
      }
    }
  });

  it("takes items of one text together: doubling every item leaves the error of clusters", () => {
    const columns = readColumns("alt1");
    const twice = (values: Float64Array): Float64Array => Float64Array.from([...values, ...values]);
    const humans = ["h1", "h2", "h3"].map((name) => ({ name, values: columns.get(name)! }));
    const judge = columns.get("llm")!;
    const cluster = Int32Array.from({ length: 2 * judge.length }, (_, i) => i % judge.length);
    const once = testAlternativeAnnotators(judge, humans);
    const doubled = testAlternativeAnnotators(
      twice(judge),
      humans.map(({ name, values }) => ({ name, values: twice(values) })),
      { cluster },
    );
    for (const [k, own] of doubled.annotators.entries()) {
      expect(own.t).toBeCloseTo(once.annotators[k]!.t, 8);
      expect(own.df).toBeCloseTo(once.annotators[k]!.df, 8);
    }
  });
});
