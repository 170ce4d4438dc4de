/** Votes between two systems as what ranks need: Bradley-Terry strengths, and how far their differences go by chance, clustered by who voted and
 *  by what was voted on.
 *      V = Σ_g δ_g δ_g' (G-1)/G,   δ_g = (H - H_g)⁻¹ s_g     up to 200 groups: what leaving group g out moves (jackknife)
 *          around their mean where there is one grouping; t of differences is then that of the G pseudo-values, whose signs are flipped (ranks.ts)
 *      V = Σ_g δ_g δ_g' G/(G-1),   δ_g = H⁻¹ s_g             more groups;  s_g the score of group g, H_g its information, H that of all
 *  Two groupings: V_1 + V_2 - V_12 of each difference, never below V_1 or V_2. Without any, single votes are the groups.
 *  Reference: as ../bradley-terry.ts; Bell & McCaffrey (2002), Surv. Methodol. 28 (jackknife).
 *  Oracle:    oracle/next/bradley-terry.json (robust errors of votes); leaving out each group and fitting again; coverage: docs/calibration.md.
 *  Limits:    the model is one strength a system. */
import { cholesky, cholInverse, cholSolve } from "../../numeric/linalg/cholesky.ts";
import { type Matrix, matVec, multiply, zeros } from "../../numeric/linalg/matrix.ts";
import { outcomesOf, type SolvedVotes, solveVotes, type TieModel, type VoteModel } from "../bradley-terry.ts";

/** Vote i is of systems first[i] and second[i]; `share` is what the first gets of it: 1, 0, or ½ for a tie. */
export interface Votes {
  readonly systems: readonly string[];
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly share: Float64Array;
  /** Groups from 0 of each vote: who voted, what was voted on. */
  readonly groups: readonly {
    readonly name: string;
    readonly codes: Int32Array;
    readonly count: number;
    /** Of the groups themselves. */
    readonly names?: readonly string[] | undefined;
  }[];
}

export interface VoteOptions {
  readonly ties: TieModel;
  readonly order: boolean;
}

export interface VoteStrengths {
  readonly solved: SolvedVotes;
  /** Log odds, their mean 0. */
  readonly estimates: Float64Array;
  readonly variances: Matrix;
  readonly standardErrors: Float64Array;
  /** Of the smallest grouping, less 1. */
  readonly df: number;
  /** Of one grouping of few groups, system after system: θ̂ + (G-1)(δ_g - δ̄), whose mean is θ̂ and whose spread gives V (pseudo-values). */
  readonly pseudoValues?: Float64Array | undefined;
}

/** Counts of each outcome by ordered pair. */
export function countVotes({ systems, first, second, share }: Votes, ties: TieModel) {
  const S = systems.length;
  const counts = new Map<number, [number, number, number]>();
  for (let i = 0; i < first.length; i++) {
    const key = first[i]! + second[i]! * S;
    let own = counts.get(key);
    if (own === undefined) counts.set(key, (own = [0, 0, 0]));
    const y = share[i]!;
    if (ties === "half") {
      own[0] += y;
      own[1] += 1 - y;
    } else own[y === 1 ? 0 : y === 0 ? 1 : 2] += 1;
  }
  return [...counts].map(([key, own]) => ({ first: key % S, second: Math.floor(key / S), counts: own }));
}

/** Systems between which chains of wins (or ties) lead both ways: the largest such set, and the others. */
export function connectedVotes({ systems, first, second, share }: Votes): { kept: number[]; others: number[] } {
  const S = systems.length;
  const beats = Array.from({ length: S }, () => new Set<number>());
  const votes = new Int32Array(S);
  for (let i = 0; i < first.length; i++) {
    const [a, b] = [first[i]!, second[i]!];
    if (share[i]! > 0) beats[a]!.add(b);
    if (share[i]! < 1) beats[b]!.add(a);
    votes[a]! += 1;
    votes[b]! += 1;
  }
  const loses = Array.from({ length: S }, () => new Set<number>());
  beats.forEach((own, a) => {
    for (const b of own) loses[b]!.add(a);
  });
  const reach = (from: number, edges: readonly ReadonlySet<number>[]): Set<number> => {
    const seen = new Set([from]);
    for (const own of seen) for (const next of edges[own]!) seen.add(next);
    return seen;
  };
  const open = new Set(Array.from({ length: S }, (_, s) => s));
  let best: number[] = [];
  let most = -1;
  for (const s of open) {
    const [down, up] = [reach(s, beats), reach(s, loses)];
    const own = [...down].filter((other) => up.has(other));
    for (const other of own) open.delete(other);
    const size = own.length * first.length * 2 + own.reduce((sum, other) => sum + votes[other]!, 0);
    if (own.length > best.length || size > most) [best, most] = [own, size];
  }
  const kept = best.sort((a, b) => a - b);
  return { kept, others: Array.from({ length: S }, (_, s) => s).filter((s) => !kept.includes(s)) };
}

/** Up to so many groups each is left out in turn. */
const MOST_JACKKNIFED = 200;

export function voteStrengths(votes: Votes, { ties, order }: VoteOptions): VoteStrengths {
  const S = votes.systems.length;
  const model: VoteModel = { players: S, reference: 0, ties, order };
  const solved = solveVotes(countVotes(votes, ties), model);
  const groupings = votes.groups.filter(({ count }) => count > 1 && count < votes.first.length);
  const single = { codes: Int32Array.from(votes.first.keys()), count: votes.first.length };
  const of = (codes: Int32Array, count: number, moved?: Float64Array): Matrix =>
    pairVariances(votes, { solved, ties, codes, count }, moved);
  const [one, two] = groupings;
  const pseudo = one !== undefined && two === undefined && one.count <= MOST_JACKKNIFED;
  const moved = pseudo ? new Float64Array(one.count * S) : undefined;
  const own = groupings.map(({ codes, count }) => of(codes, count, moved));
  let variances = own[0] ?? of(single.codes, single.count);
  if (one !== undefined && two !== undefined) {
    const { codes, count } = crossed(one.codes, two.codes);
    const both = of(codes, count);
    variances = {
      ...both,
      data: both.data.map((v, at) =>
        Math.max(own[0]!.data[at]! + own[1]!.data[at]! - v, own[0]!.data[at]!, own[1]!.data[at]!),
      ),
    };
  }
  if (moved !== undefined) variances = lessMean(variances, moved);
  const mean = solved.abilities.reduce((sum, own) => sum + own / S, 0);
  const estimates = solved.abilities.map((ability) => ability - mean);
  return {
    solved,
    estimates,
    ...(moved && { pseudoValues: pseudoValuesOf(estimates, moved) }),
    variances,
    standardErrors: ownErrors(variances),
    df: groupings.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...groupings.map(({ count }) => count)) - 1,
  };
}

/** Around the mean of what groups move: the intervals and the flips then have one standard error. */
function lessMean(variances: Matrix, moved: Float64Array): Matrix {
  const S = variances.rows;
  const G = moved.length / S;
  const means = Array.from({ length: S }, (_, s) =>
    moved.subarray(s * G, (s + 1) * G).reduce((sum, own) => sum + own / G, 0),
  );
  const data = variances.data.map((v, at) =>
    Math.max(0, v - (G - 1) * (means[at % S]! - means[Math.floor(at / S)]!) ** 2),
  );
  return { ...variances, data };
}

function pseudoValuesOf(estimates: Float64Array, moved: Float64Array): Float64Array {
  const G = moved.length / estimates.length;
  const means = estimates.map((_, s) => moved.subarray(s * G, (s + 1) * G).reduce((sum, own) => sum + own / G, 0));
  return moved.map((own, at) => {
    const s = Math.floor(at / G);
    return estimates[s]! + (G - 1) * (own - means[s]!);
  });
}

function crossed(a: Int32Array, b: Int32Array): { codes: Int32Array; count: number } {
  const known = new Map<number, number>();
  const codes = a.map((own, i) => {
    const key = own * 2 ** 26 + b[i]!;
    const code = known.get(key) ?? known.size;
    known.set(key, code);
    return code;
  });
  return { codes, count: known.size };
}

interface Grouped {
  readonly solved: SolvedVotes;
  readonly ties: TieModel;
  readonly codes: Int32Array;
  readonly count: number;
}

/** Of θ_j - the mean, from the variances of the differences. */
function ownErrors({ rows: S, data }: Matrix): Float64Array {
  let all = 0;
  for (const v of data) all += v;
  return Float64Array.from({ length: S }, (_, j) => {
    let own = 0;
    for (let k = 0; k < S; k++) own += data[j + k * S]!;
    return Math.sqrt(Math.max(0, own / S - all / (2 * S * S)));
  });
}

/** Var(λ_j - λ_k) from what each group of votes moves; `kept`: what group g moves system s, at [g + s · G]. */
function pairVariances(votes: Votes, grouped: Grouped, kept?: Float64Array): Matrix {
  const { solved, count } = grouped;
  const { free, covariance: M, places } = solved;
  const jackknifed = count <= MOST_JACKKNIFED;
  const information = jackknifed ? cholInverse(cholesky(M)!) : undefined;
  const sum = zeros(free, free);
  let g = 0;
  eachGroup(votes, grouped, (score, own) => {
    const left = information && cholesky({ ...information, data: information.data.map((v, at) => v - own!.data[at]!) });
    // without a group that alone links two systems there is no estimate: what it moves is then taken to first order
    const moved = left ? cholSolve(left, score) : information ? matVec(M, score) : score;
    if (kept !== undefined)
      for (let s = 0; s < votes.systems.length; s++) if (places[s]! >= 0) kept[g + s * count] = moved[places[s]!]!;
    g += 1;
    const touched = Array.from(moved.keys()).filter((i) => moved[i] !== 0);
    for (const i of touched) for (const j of touched) sum.data[i + j * free]! += moved[i]! * moved[j]!;
  });
  const V = jackknifed ? sum : multiply(multiply(M, sum), M);
  const factor = jackknifed ? (count - 1) / count : count / (count - 1);
  const S = votes.systems.length;
  const at = (i: number, j: number): number =>
    places[i]! < 0 || places[j]! < 0 ? 0 : V.data[places[i]! + places[j]! * free]! * factor;
  const variances = zeros(S, S);
  for (let j = 0; j < S; j++)
    for (let k = 0; k < S; k++)
      if (j !== k) variances.data[j + k * S] = Math.max(0, at(j, j) + at(k, k) - 2 * at(j, k));
  return variances;
}

/** Hands on the score of each group, and where few groups are left out in turn its information. */
function eachGroup(
  votes: Votes,
  { solved, ties, codes, count }: Grouped,
  visit: (score: Float64Array, information: Matrix | undefined) => void,
): void {
  const { first, second, share } = votes;
  const { free, places, abilities, tie, order } = solved;
  const S = abilities.length;
  const known = new Map<number, ReturnType<typeof outcomesOf>>();
  const score = new Float64Array(free);
  const information = count <= MOST_JACKKNIFED ? zeros(free, free) : undefined;
  const members = byGroup(codes, count);
  for (let g = 0; g < count; g++) {
    score.fill(0);
    information?.data.fill(0);
    for (let at = members.from[g]!; at < members.from[g + 1]!; at++) {
      const i = members.votes[at]!;
      const [a, b, y] = [first[i]!, second[i]!, share[i]!];
      const key = a + b * S;
      let outcomes = known.get(key);
      if (outcomes === undefined)
        known.set(key, (outcomes = outcomesOf(ties, abilities[a]! - abilities[b]! + order, tie)));
      const sides = [
        [places[a]!, 1, 0],
        [places[b]!, -1, 0],
        [places[S + 1]!, 1, 0],
        [places[S]!, 0, 1],
      ] as const;
      const add = (own: (typeof outcomes)[0], weight: number): void => {
        for (const [p, dp, tp] of sides) {
          if (p < 0) continue;
          score[p]! += weight * (own.d * dp + own.t * tp);
          if (information === undefined) continue;
          for (const [q, dq, tq] of sides)
            if (q >= 0)
              information.data[p + q * free]! -=
                weight * (own.dd * dp * dq + own.dt * (dp * tq + tp * dq) + own.tt * tp * tq);
        }
      };
      if (ties === "half") {
        if (y > 0) add(outcomes[0], y);
        if (y < 1) add(outcomes[1], 1 - y);
      } else add(outcomes[y === 1 ? 0 : y === 0 ? 1 : 2], 1);
    }
    visit(score, information);
  }
}

/** Votes in order of their group. */
function byGroup(codes: Int32Array, count: number): { from: Int32Array; votes: Int32Array } {
  const from = new Int32Array(count + 1);
  for (const code of codes) from[code + 1]! += 1;
  for (let g = 0; g < count; g++) from[g + 1]! += from[g]!;
  const next = from.slice();
  const votes = new Int32Array(codes.length);
  codes.forEach((code, i) => {
    votes[next[code]!++] = i;
  });
  return { from, votes };
}
