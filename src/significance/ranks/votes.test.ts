import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { solveVotes } from "../bradley-terry.ts";
import { connectedVotes, countVotes, type Votes, voteStrengths } from "./votes.ts";

const place = (path: string) => new URL(`../../../oracle/next/${path}`, import.meta.url);
const { cases } = JSON.parse(readFileSync(place("bradley-terry.json"), "utf8")) as {
  cases: {
    id: string;
    input: { data: string };
    expected: { levels: string[]; reference: string; robust_se_per_vote?: number[]; parameters: { names: string[] } };
  }[];
};

/** Each vote by itself. */
function votesOf(name: string, levels: readonly string[]): Votes {
  const rows = readFileSync(place(`data/${name}.csv`), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const [a, b, ...counts] = line.split(",");
      return [1, 0, 0.5].flatMap((share, k) =>
        Array.from({ length: Number(counts[k]) }, () => [levels.indexOf(a!), levels.indexOf(b!), share] as const),
      );
    });
  return {
    systems: levels,
    first: Int32Array.from(rows, ([a]) => a),
    second: Int32Array.from(rows, ([, b]) => b),
    share: Float64Array.from(rows, ([, , share]) => share),
    groups: [],
  };
}

describe("votes as strengths", () => {
  for (const { id, input, expected } of cases.filter(({ expected: own }) => own.robust_se_per_vote !== undefined))
    it(`have robust errors of single votes as in ${id}`, () => {
      const votes = votesOf(input.data, expected.levels);
      const n = votes.first.length;
      const { variances } = voteStrengths(votes, { ties: "half", order: false });
      const reference = expected.levels.indexOf(expected.reference);
      // the oracle has no n/(n - 1); up to 200 votes are left out in turn instead
      if (n <= 200) return;
      for (const [i, se] of expected.robust_se_per_vote!.entries()) {
        const own = Math.sqrt(
          (variances.data[expected.levels.indexOf(expected.parameters.names[i]!) + reference * variances.rows]! *
            (n - 1)) /
            n,
        );
        expect(own).toBeCloseTo(se, 7);
      }
    });

  it("have the jackknife of groups that is that of fits without each of them, nearly", () => {
    const rng = makeRng("jackknife");
    const [users, each, S] = [30, 20, 4];
    const n = users * each;
    const taste = Array.from({ length: users * S }, () => 0.5 * rng.normal());
    const codes = Int32Array.from({ length: n }, (_, i) => Math.floor(i / each));
    const first = Int32Array.from({ length: n }, () => rng.int(S));
    const second = first.map((a) => (a + 1 + rng.int(S - 1)) % S);
    const share = Float64Array.from(first, (a, i) => {
      const u = codes[i]! * S;
      const d = 0.4 * (a - second[i]!) + taste[u + a]! - taste[u + second[i]!]!;
      const x = d + Math.log(1 / rng.uniform() - 1);
      return Math.abs(x) < 0.4 ? 0.5 : x > 0 ? 1 : 0;
    });
    const votes: Votes = {
      systems: [..."abcd"],
      ...{ first, second, share },
      groups: [{ name: "user", codes, count: users }],
    };
    for (const ties of ["davidson", "rao-kupper", "half"] as const) {
      const { variances, df, estimates, pseudoValues } = voteStrengths(votes, { ties, order: true });
      expect(df).toBe(users - 1);
      for (let j = 0; j < S; j++)
        for (let k = 0; k < j; k++) {
          const D = Float64Array.from(
            { length: users },
            (_, g) => pseudoValues![g + j * users]! - pseudoValues![g + k * users]!,
          );
          const mean = D.reduce((sum, own) => sum + own / users, 0);
          expect(mean).toBeCloseTo(estimates[j]! - estimates[k]!, 12);
          const variance = D.reduce((sum, own) => sum + (own - mean) ** 2, 0) / users / (users - 1);
          expect(variance).toBeCloseTo(variances.data[j + k * S]!, 12);
        }
      const without = Array.from({ length: users }, (_, g) => {
        const rows = Int32Array.from(first.keys()).filter((i) => codes[i] !== g);
        const rest = {
          ...votes,
          first: rows.map((i) => first[i]!),
          second: rows.map((i) => second[i]!),
          share: Float64Array.from(rows, (i) => share[i]!),
        };
        return solveVotes(countVotes(rest, ties), { players: S, reference: 0, ties, order: true }).abilities;
      });
      const all = solveVotes(countVotes(votes, ties), { players: S, reference: 0, ties, order: true }).abilities;
      for (const [j, k] of [
        [0, 1],
        [1, 3],
        [2, 3],
      ] as const) {
        const gap = (own: Float64Array) => own[j]! - own[k]!;
        const jackknife = without.reduce((sum, own) => sum + (gap(own) - gap(all)) ** 2, 0) * ((users - 1) / users);
        expect(variances.data[j + k * S]! / jackknife).toBeGreaterThan(0.95);
        expect(variances.data[j + k * S]! / jackknife).toBeLessThan(1.05);
      }
    }
  });

  it("are of the largest set that wins connect both ways", () => {
    const list = (votes: [number, number, number][]): Votes => ({
      systems: [..."abcdef"],
      first: Int32Array.from(votes, ([a]) => a),
      second: Int32Array.from(votes, ([, b]) => b),
      share: Float64Array.from(votes, ([, , share]) => share),
      groups: [],
    });
    // a beats all, b and c and d in a circle, e and f by themselves
    const votes = list([
      [0, 1, 1],
      [2, 0, 0],
      [1, 2, 1],
      [2, 3, 1],
      [3, 1, 1],
      [4, 5, 0.5],
    ]);
    expect(connectedVotes(votes)).toEqual({ kept: [1, 2, 3], others: [0, 4, 5] });
    expect(connectedVotes(list([[0, 1, 0.5]])).kept).toEqual([0, 1]);
  });

  it("turn round with the sides of the votes", () => {
    const votes = votesOf("arena1", ["alpha", "beta", "gamma", "delta", "epsilon"]);
    const turned = { ...votes, first: votes.second, second: votes.first, share: votes.share.map((own) => 1 - own) };
    for (const ties of ["davidson", "rao-kupper", "half"] as const) {
      const [a, b] = [votes, turned].map((own) => voteStrengths(own, { ties, order: false }));
      for (const [i, v] of a!.variances.data.entries()) expect(v).toBeCloseTo(b!.variances.data[i]!, 9);
      for (const [i, v] of a!.estimates.entries()) expect(v).toBeCloseTo(b!.estimates[i]!, 9);
    }
  });
});
