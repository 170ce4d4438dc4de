import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../../test/support/oracle.ts";
import { makeRng } from "../../numeric/rng.ts";
import { anytimeBets, anytimePairs } from "./anytime.ts";
import { betsOf, bettingInterval, followBetting, logCapital } from "./betting.ts";
import { followPairs, logEvidence, mixtureEvidence } from "./e-process.ts";
import { bestRho, followMean, normalMixture } from "./normal-mixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: as the oracle names them
const cases = readOracle("next/always-valid.json").cases as unknown as { id: string; input: any; expected: any }[];
const named = (start: string) => cases.filter(({ id }) => id.startsWith(start));
type Numbers = number | readonly (number | null)[];
const close = (actual: Numbers, expected: Numbers, label: string): void => {
  const plain = (own: Numbers): number[] => [own].flat().map((value) => (value === null ? Number.NaN : Number(value)));
  expectClose(plain(actual), plain(expected), { tolerance: 1e-10, floor: 1e-3, label });
};

describe("e-processes as mpmath has them", () => {
  it.each([...named("eprocess")])("$id", ({ input, expected }) => {
    const signs =
      input.differences ?? input.first_correct.map((own: number, i: number) => own - input.second_correct[i]);
    const own = followPairs(signs, { a: input.prior_a, b: input.prior_b, alpha: input.alpha });
    const last = own.steps.at(-1)!;
    expect([last.wins, last.losses]).toEqual([expected.wins, expected.losses]);
    close(
      own.steps.map(({ eValue }) => eValue),
      expected.e_value,
      "e",
    );
    close(
      own.steps.map(({ eValueOneSided }) => eValueOneSided),
      expected.e_value_one_sided,
      "one-sided",
    );
    close(own.p, expected.p_anytime, "p");
    close(
      own.steps.map(({ lower }) => lower),
      expected.cs_lower,
      "lower",
    );
    close(
      own.steps.map(({ upper }) => upper),
      expected.cs_upper,
      "upper",
    );
    close(own.lower, expected.cs_running_lower, "running lower");
    close(own.upper, expected.cs_running_upper, "running upper");
    expect([own.crossing ?? null, own.crossingOneSided ?? null]).toEqual([
      expected.first_crossing,
      expected.first_crossing_one_sided,
    ]);
  });

  it.each(named("evalue"))("$id", ({ input, expected }) => {
    const own = mixtureEvidence(input.wins, input.losses, { a: input.prior_a, b: input.prior_b, alpha: input.alpha });
    close(own.logE, expected.log_e_value, "log e");
    close(own.logEOneSided, expected.log_e_value_one_sided, "log one-sided");
    close([own.lower, own.upper], expected.cs, "set");
  });

  it.each(named("robbins-n"))("$id", ({ input, expected }) => {
    const own = normalMixture(input.mean, input);
    close(own.radius, expected.radius_two_sided, "radius");
    close(own.radiusOneSided, expected.radius_one_sided_exact, "one-sided");
    close(own.eValue, expected.e_value, "e");
    close(own.eValueOneSided, expected.e_value_one_sided, "e one-sided");
    close(own.p, expected.p_anytime, "p");
    close([own.lower, own.upper], expected.interval, "interval");
  });

  it.each(named("robbins-rho"))("$id", ({ input, expected }) => {
    close(bestRho(input.n_target, input.alpha), expected.rho_exact, "rho");
  });

  it.each(named("robbins-sequence"))("$id", ({ input, expected }) => {
    const own = followMean(input.x, input);
    close(own.mean, expected.mean, "mean");
    close(own.lower, expected.lower, "lower");
    close(own.upper, expected.upper, "upper");
  });

  it.each(named("betting"))("$id", ({ input, expected }) => {
    const { x, alpha, c, theta } = input;
    const bets = betsOf(x, alpha);
    close([...bets], expected.bets_untruncated, "bets");
    const own = followBetting(x, { alpha, c, theta });
    close(own.lower, expected.lower, "lower");
    close(own.upper, expected.upper, "upper");
    close(own.runningLower, expected.running_lower, "running lower");
    close(own.runningUpper, expected.running_upper, "running upper");
    const { lower, upper } = bettingInterval(x, { alpha, c, theta });
    close([lower, upper], [expected.lower.at(-1), expected.upper.at(-1)], "last set");
    for (const { m, capital_positive, capital_negative } of expected.capital) {
      const found = logCapital(x, bets, { m, c });
      close(Math.exp(found.positive), capital_positive.at(-1), "K+");
      close(Math.exp(found.negative), capital_negative.at(-1), "K-");
    }
  });
});

describe("what holds at any time", () => {
  it("e averages 1 under the null, whatever n", () => {
    const choose = (n: number, s: number): number => (s === 0 ? 1 : (choose(n, s - 1) * (n - s + 1)) / s);
    for (const n of [1, 7, 30]) {
      const mean = Array.from({ length: n + 1 }, (_, s) => choose(n, s) * 0.5 ** n * mixtureEvidence(s, n - s).eValue);
      expect(mean.reduce((sum, own) => sum + own, 0)).toBeCloseTo(1, 10);
    }
  });

  it("reaches 1/α in fewer than α of all streams, by enumeration of all of 1,000 items", () => {
    // share of streams that have not crossed, by their wins
    let alive = new Map([[0, 1]]);
    let crossed = 0;
    for (let n = 1; n <= 1000; n++) {
      const next = new Map<number, number>();
      for (const [wins, share] of alive) {
        next.set(wins, (next.get(wins) ?? 0) + share / 2);
        next.set(wins + 1, (next.get(wins + 1) ?? 0) + share / 2);
      }
      alive = new Map();
      for (const [wins, share] of next) {
        // the share of wins is far from ½ at the edges: those with no mass to speak of need no e-value
        if (share < 1e-12) continue;
        if (logEvidence(wins, n - wins) >= Math.log(20)) crossed += share;
        else alive.set(wins, share);
      }
    }
    expect(crossed).toBeGreaterThan(0.02);
    expect(crossed).toBeLessThan(0.05);
  });

  it("betting covers the mean in all of a stream", () => {
    const rng = makeRng("peeking");
    const missed = Array.from({ length: 100 }, () => {
      const { runningLower, runningUpper } = followBetting(Array.from({ length: 60 }, () => rng.int(2)));
      return runningLower.at(-1)! > 0.5 || runningUpper.at(-1)! < 0.5;
    }).filter(Boolean);
    expect(missed.length).toBeLessThanOrEqual(12);
  });

  it.each([
    [() => mixtureEvidence(-1, 2), /-1 is not a number of items/],
    [() => mixtureEvidence(1.5, 2), /1.5 is not/],
    [() => mixtureEvidence(1, 2, { a: 0 }), /Beta\(0, 1\)/],
    [() => mixtureEvidence(1, 2, { alpha: 1 }), /alpha 1/],
    [() => followPairs([1, Number.NaN]), /item 2 has no score/],
    [() => followBetting([0.5, 1.2]), /value 2 \(1.2\)/],
    [() => followBetting([0.5], { c: 1 }), /c 1/],
    [() => normalMixture(0, { n: 10, sd: 0, rho: 1 }), /sd 0/],
  ])("bad input %#", (call, message) => {
    expect(call).toThrow(message);
  });
});

describe("a whole stream at once", () => {
  const signs = Array.from({ length: 80 }, (_, i) => [1, 0, -1, 1, 1, 0, 1][(i * i) % 7]!);
  it("pairs: as followed step by step", () => {
    const { steps, p } = followPairs(signs);
    const found = anytimePairs(signs);
    expect([found.eValue, found.p]).toEqual([expect.closeTo(steps.at(-1)!.eValue, 9), expect.closeTo(p.at(-1)!, 12)]);
  });
  it("bets: as the capital step by step", () => {
    const values = signs.map((sign) => 0.5 + sign / 2.5);
    const bets = betsOf(values);
    const logs = values.map((_, i) => {
      const { positive, negative } = logCapital(values, bets, { m: 0.45, n: i + 1 });
      return Math.max(positive, negative) - Math.LN2;
    });
    const found = anytimeBets(values, { m: 0.45 });
    expect(Math.log(found.eValue)).toBeCloseTo(logs.at(-1)!, 9);
    expect(found.p).toBeCloseTo(Math.exp(-Math.max(0, ...logs)), 9);
  });
});
