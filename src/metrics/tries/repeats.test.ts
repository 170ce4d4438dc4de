import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../../test/support/oracle.ts";
import { passOf } from "./pass.ts";
import { bayesScore, gPassOf, majorityOf, mGPassOf, successesNeeded } from "./repeats.ts";

interface Case {
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
  readonly input: any;
  // biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
  readonly expected: any;
}
const cases = readOracle("next/pass-at-k.json").cases as unknown as Case[];
const close = (actual: readonly number[], expected: readonly (number | null)[], label: string): void =>
  expectClose(
    [...actual],
    expected.map((own) => own ?? Number.NaN),
    { tolerance: 1e-12, floor: 1e-3, label },
  );
const of = (start: string) => cases.filter(({ id }) => id.startsWith(start));

describe("several tries of an item, in exact fractions", () => {
  it.each(cases.filter(({ input, expected }) => Array.isArray(input.c) && expected.pass_at_k))(
    "$id",
    ({ input, expected }) => {
      const { n, c, tau = [] } = input as { n: number[]; c: number[]; tau: number[] };
      const each = (value: (n: number, c: number) => number): number[] => n.map((own, i) => value(own, c[i]!));
      for (const [text, { items }] of Object.entries<{ items: number[] }>(expected.pass_at_k))
        close(
          each((own, right) => passOf(own, right, { kind: "@", k: Number(text) })),
          items,
          `pass@${text}`,
        );
      for (const [text, { items }] of Object.entries<{ items: number[] }>(expected.pass_hat_k ?? {}))
        close(
          each((own, right) => passOf(own, right, { kind: "^", k: Number(text) })),
          items,
          `pass^${text}`,
        );
      for (const [text, byTau] of Object.entries<Record<string, { items: number[] }>>(expected.g_pass_at_k ?? {}))
        for (const share of tau)
          close(
            each((own, right) => gPassOf(own, right, { k: Number(text), tau: share })),
            byTau[String(share)]!.items,
            `G-pass@${text}(${share})`,
          );
      for (const [text, { items }] of Object.entries<{ items: number[] }>(expected.mg_pass_at_k ?? {}))
        close(
          each((own, right) => mGPassOf(own, right, Number(text))),
          items,
          `mG-pass@${text}`,
        );
    },
  );

  it("τ is a decimal", () => {
    const [{ input, expected }] = of("gpass") as [(typeof cases)[number]];
    expect(successesNeeded(input.k, input.tau)).toBe(expected.successes_needed);
    close([gPassOf(input.n[0], input.c[0], input)], [expected.g_pass], "G-pass");
  });

  it.each(of("maj"))("$id", ({ input, expected }) => {
    for (const [text, { items, items_tie_loses, items_tie_wins }] of Object.entries<Record<string, number[]>>(
      expected.maj_at_k,
    )) {
      const counts = input.items.map(({ counts, correct }: { counts: Record<string, number>; correct: string }) => [
        counts[correct] ?? 0,
        ...Object.entries(counts).flatMap(([answer, count]) => (answer === correct ? [] : [count])),
      ]);
      const each = (ties: "split" | "loses" | "wins"): number[] =>
        counts.map((own: number[]) => majorityOf(own, Number(text), ties));
      close(each("split"), items!, `maj@${text}`);
      close(each("loses"), items_tie_loses!, `maj@${text}, ties lose`);
      close(each("wins"), items_tie_wins!, `maj@${text}, ties win`);
    }
  });

  it.each(of("bayes"))("$id", ({ input, expected }) => {
    const own = bayesScore(input.outcomes, input.weights, input.prior_outcomes);
    close([own.mean, own.sd], [expected.mean, expected.sd], "mean and sd");
    close(own.items, expected.item_means, "items");
  });

  it("has no value where tries are too few", () => {
    expect([gPassOf(5, 2, { k: 8, tau: 0.5 }), mGPassOf(5, 2, 8), majorityOf([2, 3], 8)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
    expect(() => gPassOf(5, 2, { k: 2, tau: 0 })).toThrow(/tau 0/);
    expect(() => bayesScore([[0, 4]], [0, 1])).toThrow(/no category 4/);
    expect(() => bayesScore([], [0, 1])).toThrow(/no items/);
  });
});
