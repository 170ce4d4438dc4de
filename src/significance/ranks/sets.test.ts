import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { lawOfDraws, normalLaw, separateAll, separateEach } from "./separate.ts";
import { groupsOf, letterOf, rankSets, ranksOf } from "./sets.ts";

interface Case {
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: cases of several shapes
  readonly input: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly expected: any;
}
const { cases } = JSON.parse(readFileSync(new URL("../../../oracle/next/rank-sets.json", import.meta.url), "utf8")) as {
  cases: Case[];
};

const variancesOf = (sigma: number[][]) => {
  const S = sigma.length;
  const data = new Float64Array(S * S);
  for (let j = 0; j < S; j++)
    for (let k = 0; k < S; k++) if (j !== k) data[j + k * S] = sigma[j]![j]! + sigma[k]![k]! - 2 * sigma[j]![k]!;
  return { rows: S, cols: S, data };
};
const statisticsOf = (theta: number[], variances: { data: Float64Array; rows: number }) =>
  Float64Array.from(variances.data, (v, code) =>
    v > 0 ? (theta[code % theta.length]! - theta[Math.floor(code / theta.length)]!) / Math.sqrt(v) : Number.NaN,
  );
const better = (statistics: Float64Array, c: number) => Uint8Array.from(statistics, (t) => (t > c ? 1 : 0));
const lowers = (sets: readonly { lower: number }[]) => sets.map(({ lower }) => lower);
const uppers = (sets: readonly { upper: number }[]) => sets.map(({ upper }) => upper);

describe("rank sets of given critical values", () => {
  for (const { id, input, expected } of cases.filter(({ input: own }) => own.critical_simultaneous !== undefined)) {
    it(`agree with ${id}`, () => {
      const theta: number[] = input.theta;
      const variances = variancesOf(input.sigma);
      const statistics = statisticsOf(theta, variances);
      expect(ranksOf(theta)).toEqual(expected.estimated_rank);
      const sets = rankSets(better(statistics, input.critical_simultaneous), theta.length);
      expect(lowers(sets)).toEqual(expected.simultaneous_lower);
      expect(uppers(sets)).toEqual(expected.simultaneous_upper);
      const marginal = theta.map((_, j) => rankSets(better(statistics, input.critical_marginal[j]), theta.length)[j]!);
      expect(lowers(marginal)).toEqual(expected.marginal_lower);
      expect(uppers(marginal)).toEqual(expected.marginal_upper);
      const one = rankSets(better(statistics, input.critical_one_sided), theta.length);
      expect(one.flatMap(({ lower }, j) => (lower <= 1 ? [j] : []))).toEqual(expected.may_be_best);
      expect(one.flatMap(({ lower }, j) => (lower <= 3 ? [j] : []))).toEqual(expected.may_be_among_three_best);
      expect(one.flatMap(({ upper }, j) => (upper >= theta.length ? [j] : []))).toEqual(expected.may_be_worst);
    });
  }
});

describe("rank sets of given draws", () => {
  for (const { id, input, expected } of cases.filter(({ input: own }) => own.draws !== undefined)) {
    it(`agree with ${id}, step by step`, () => {
      const theta: number[] = input.theta;
      const S = theta.length;
      const variances = variancesOf(input.sigma);
      const draws = Float64Array.from((input.draws as number[][]).flat());
      const law = lawOfDraws(statisticsOf(theta, variances), { draws, variances });
      const alpha = 1 - input.coverage;
      for (const [stepDown, name] of [
        [false, "single_step"],
        [true, "stepdown"],
      ] as const) {
        const all = separateAll(law, { alpha, stepDown });
        const want = expected[`simultaneous_${name}`];
        for (const [i, c] of all.critical.entries()) expect(c).toBeCloseTo(want.critical_values[i], 12);
        expect(all.critical.length).toBe(want.critical_values.length);
        expect(lowers(rankSets(all.better, S))).toEqual(want.lower);
        expect(uppers(rankSets(all.better, S))).toEqual(want.upper);
        const each = separateEach(law, { alpha, stepDown });
        const own = expected[`marginal_${name}`];
        each.forEach(({ critical }, j) => {
          expect(critical.length).toBe(own.critical_values[j].length);
          for (const [i, c] of critical.entries()) expect(c).toBeCloseTo(own.critical_values[j][i], 12);
        });
        expect(each.map((one, j) => rankSets(one.better, S)[j]!.lower)).toEqual(own.lower);
        expect(each.map((one, j) => rankSets(one.better, S)[j]!.upper)).toEqual(own.upper);
      }
      const sets = rankSets(separateAll(law, { alpha }).better, S);
      expect(sets.flatMap(({ lower }, j) => (lower <= 1 ? [j] : []))).toEqual(expected.may_be_best);
      expect(sets.flatMap(({ lower }, j) => (lower <= 2 ? [j] : []))).toEqual(expected.may_be_among_two_best);
    });
  }
});

describe("csranks on PISA 2018", () => {
  const oracle = JSON.parse(readFileSync(new URL("../../../oracle/r/rank-sets.json", import.meta.url), "utf8"));
  const { names, score, se } = oracle.pisa as { names: string[]; score: number[]; se: number[] };
  const S = names.length;
  const variances = variancesOf(se.map((own, j) => se.map((_, k) => (j === k ? own * own : 0))));
  const law = normalLaw(
    { estimates: Float64Array.from(score), variances },
    { replicates: 40_000, rng: makeRng("pisa") },
  );

  it("gives the same simultaneous sets, and the same countries that may be among the five best", () => {
    const { better: own } = separateAll(law, { alpha: 0.05 });
    const sets = rankSets(own, S);
    expect(lowers(sets)).toEqual(oracle.pisa.lower);
    expect(uppers(sets)).toEqual(oracle.pisa.upper);
    expect(names.filter((_, j) => sets[j]!.lower <= 5)).toEqual(oracle.pisa.top5);
    expect(names.filter((_, j) => sets[j]!.lower <= 5)).toHaveLength(12);
    const set = (name: string) => sets[names.indexOf(name)];
    expect(set("Japan")).toEqual({ lower: 1, upper: 6 });
    expect(set("Netherlands")).toEqual({ lower: 1, upper: 11 });
    expect(set("Canada")).toEqual({ lower: 3, upper: 17 });
  });

  it("gives the same marginal sets", () => {
    const sets = separateEach(law, { alpha: 0.05 }).map((own, j) => rankSets(own.better, S)[j]!);
    // one end of the United Kingdom's set lies within the Monte-Carlo error of either program
    const differ = sets.filter(
      ({ lower, upper }, j) => lower !== oracle.pisa.marginalLower[j] || upper !== oracle.pisa.marginalUpper[j],
    );
    expect(differ.length).toBeLessThanOrEqual(1);
    const far = sets.map(({ lower, upper }, j) =>
      Math.max(Math.abs(lower - oracle.pisa.marginalLower[j]), Math.abs(upper - oracle.pisa.marginalUpper[j])),
    );
    expect(Math.max(...far)).toBeLessThanOrEqual(1);
  });
});

describe("groups", () => {
  const rng = makeRng("groups");

  it("are all maximal sets of mutually unseparated systems, by enumeration of subsets", () => {
    for (let trial = 0; trial < 40; trial++) {
      const S = 2 + rng.int(7);
      const own = new Uint8Array(S * S);
      for (let j = 0; j < S; j++) for (let k = j + 1; k < S; k++) if (rng.uniform() < 0.5) own[j + k * S] = 1;
      const tied = (set: number[]) =>
        set.every((j) => set.every((k) => j === k || (own[j + k * S] === 0 && own[k + j * S] === 0)));
      const subsets = Array.from({ length: 2 ** S }, (_, bits) =>
        Array.from({ length: S }, (_n, j) => j).filter((j) => (bits >> j) & 1),
      ).filter((set) => set.length > 0 && tied(set));
      const maximal = subsets.filter(
        (set) => !subsets.some((more) => more.length > set.length && set.every((j) => more.includes(j))),
      );
      const order = Array.from({ length: S }, (_, j) => j);
      const key = (sets: number[][]) => sets.map((set) => set.join()).sort();
      expect(key(groupsOf(own, order)!)).toEqual(key(maximal));
    }
  });

  it("do not chain overlaps", () => {
    // 0 and 1 are tied, 1 and 2 are tied, 0 is better than 2
    const own = new Uint8Array(9);
    own[0 + 2 * 3] = 1;
    expect(groupsOf(own, [0, 1, 2])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it("have letters without an end", () => {
    expect([0, 25, 26, 27, 52, 701, 702].map(letterOf)).toEqual(["a", "z", "aa", "ab", "ba", "zz", "aaa"]);
  });

  it("are not listed where they are too many", () => {
    // 12 pairs, each separated within itself: 2 to the 12 maximal sets
    const S = 24;
    const own = new Uint8Array(S * S);
    for (let j = 0; j < S; j += 2) own[j + (j + 1) * S] = 1;
    expect(
      groupsOf(
        own,
        Array.from({ length: S }, (_, j) => j),
      ),
    ).toBeUndefined();
  });
});
