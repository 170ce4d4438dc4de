import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { solveVotes, type TieModel } from "../bradley-terry.ts";
import { fewestVotes } from "./vote-fragility.ts";
import { connectedVotes, countVotes, type Votes } from "./votes.ts";

const S = 3;
function draw(seed: string, n: number): Votes {
  const rng = makeRng(seed);
  const first = Int32Array.from({ length: n }, () => rng.int(S));
  const second = first.map((a) => (a + 1 + rng.int(S - 1)) % S);
  const share = Float64Array.from(first, (a, i) => {
    const x = 0.5 * (a - second[i]!) + Math.log(1 / rng.uniform() - 1);
    return Math.abs(x) < 0.4 ? 0.5 : x > 0 ? 1 : 0;
  });
  return { systems: [..."abc"], first, second, share, groups: [] };
}
const without = (votes: Votes, gone: ReadonlySet<number>, codes: Int32Array): Votes => {
  const rows = Int32Array.from(votes.first.keys()).filter((i) => !gone.has(codes[i]!));
  return {
    ...votes,
    ...{ first: rows.map((i) => votes.first[i]!), second: rows.map((i) => votes.second[i]!) },
    share: Float64Array.from(rows, (i) => votes.share[i]!),
  };
};
const fit = (votes: Votes, ties: TieModel) =>
  solveVotes(countVotes(votes, ties), { players: S, reference: 0, ties, order: false });
const isSolvable = (votes: Votes, ties: TieModel): boolean =>
  connectedVotes(votes).others.length === 0 && (ties === "half" || votes.share.includes(0.5));
const bestOf = (abilities: Float64Array): number => abilities.indexOf(Math.max(...abilities));

/** The fewest of up to three units, all subsets tried. */
function bruteForce(votes: Votes, ties: TieModel, units: { codes: Int32Array; count: number }): number {
  const first = bestOf(fit(votes, ties).abilities);
  const tryAll = (from: number, left: number, gone: Set<number>): boolean => {
    if (left === 0) {
      const rest = without(votes, gone, units.codes);
      if (!isSolvable(rest, ties)) return false;
      const { abilities } = fit(rest, ties);
      return abilities.some((own) => own > abilities[first]! + 1e-9);
    }
    for (let g = from; g < units.count; g++) if (tryAll(g + 1, left - 1, new Set([...gone, g]))) return true;
    return false;
  };
  for (let k = 1; k <= 3; k++) if (tryAll(0, k, new Set())) return k;
  return 4;
}

describe("the fewest votes that carry the first place", () => {
  for (const ties of ["half", "davidson"] as const)
    it(`are within one of those of all subsets, and a refit confirms them (${ties})`, () => {
      let compared = 0;
      for (let k = 0; k < 12; k++) {
        const votes = draw(`fragile ${k}`, 26);
        if (!isSolvable(votes, ties)) continue;
        for (const units of [
          { codes: Int32Array.from(votes.first.keys()), count: 26 },
          { codes: Int32Array.from({ length: 26 }, (_, i) => i % 9), count: 9 },
        ]) {
          const solved = fit(votes, ties);
          const first = bestOf(solved.abilities);
          const found = fewestVotes(votes, units, { first, model: { ties, order: false }, solved });
          const least = bruteForce(votes, ties, units);
          if (found !== undefined) {
            const rest = fit(without(votes, new Set(found.units), units.codes), ties).abilities;
            expect(rest[found.to]!).toBeGreaterThan(rest[first]!);
            expect(found.units.length).toBeGreaterThanOrEqual(Math.min(least, 4));
          }
          if (least > 3) continue;
          compared += 1;
          expect(found?.units.length ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(least + 1);
        }
      }
      expect(compared).toBeGreaterThan(5);
    });

  it("are none where nobody else can be first", () => {
    const votes: Votes = {
      systems: ["a", "b"],
      first: Int32Array.from({ length: 12 }, () => 0),
      second: Int32Array.from({ length: 12 }, () => 1),
      share: new Float64Array(12).fill(0.75),
      groups: [],
    };
    const solved = solveVotes(countVotes(votes, "half"), { players: 2, reference: 0, ties: "half", order: false });
    const units = { codes: Int32Array.from(votes.first.keys()), count: 12 };
    expect(fewestVotes(votes, units, { first: 0, model: { ties: "half", order: false }, solved })).toBeUndefined();
  });
});
