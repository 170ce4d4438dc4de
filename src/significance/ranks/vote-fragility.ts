/** How few votes, voters or prompts carry the first place: the fewest without which another system has the larger strength.
 *      influence of unit g on λ_1 - λ_k, to first order: e' H⁻¹ s_g,   e = +1 at the first, -1 at k
 *      votes of one pair and outcome have the same influence; the largest are dropped first, and influences are computed again on the way
 *  Every number is confirmed by a refit of what is left: with so many dropped the other system is ahead, with one fewer of these it is not.
 *  Reference: Broderick, Giordano & Meager (2020), arXiv 2011.14999.
 *  Oracle:    all subsets of up to three votes of small tournaments (vote-fragility.test.ts).
 *  Limits:    not proved to be the fewest; within one of it on small cases. Systems that lose their finite strength end the search. */

import { matVec } from "../../numeric/linalg/matrix.ts";
import type { Rng } from "../../numeric/rng.ts";
import { outcomesOf, type SolvedVotes, solveVotes, type TieModel } from "../bradley-terry.ts";
import { connectedVotes, countVotes, type Votes } from "./votes.ts";

export interface VoteModelOf {
  readonly ties: TieModel;
  readonly order: boolean;
}

/** What is dropped together: single votes, or all votes of a voter or prompt. */
export interface VoteUnits {
  readonly codes: Int32Array;
  readonly count: number;
}

export interface VotesDropped {
  readonly to: number;
  /** Numbers of the units. */
  readonly units: readonly number[];
}

/** Challengers that are tried, nearest first; and rounds of new influences. */
const CHALLENGERS = 3;
const MOST_REFITS = 40;
const PIECES = 4;
/** Strengths of a refit that agree to this are equal. */
const SAME = 1e-9;

export function fewestVotes(
  votes: Votes,
  units: VoteUnits,
  { first, model, solved }: { readonly first: number; readonly model: VoteModelOf; readonly solved: SolvedVotes },
): VotesDropped | undefined {
  const rivals = votes.systems
    .map((_, s) => s)
    .filter((s) => s !== first)
    .sort((a, b) => solved.abilities[b]! - solved.abilities[a]! || a - b)
    .slice(0, CHALLENGERS);
  let best: VotesDropped | undefined;
  for (const to of rivals) {
    const found = fewestFor(votes, units, { first, to, model, solved });
    if (found !== undefined && (best === undefined || found.length < best.units.length)) best = { to, units: found };
  }
  return best;
}

interface Search {
  readonly first: number;
  readonly to: number;
  readonly model: VoteModelOf;
  readonly solved: SolvedVotes;
}

function fewestFor(votes: Votes, units: VoteUnits, { first, to, model, solved }: Search): number[] | undefined {
  const dropped = new Uint8Array(units.count);
  const order: number[] = [];
  let [now, refits] = [solved as SolvedVotes | undefined, 0];
  const gapOf = (own: SolvedVotes): number => own.abilities[first]! - own.abilities[to]!;
  // down: a few of the predicted ones at a time
  while (now !== undefined && gapOf(now) >= -SAME) {
    if (refits++ > MOST_REFITS) return undefined;
    const influence = influenceOf(votes, units, { first, to, model, solved: now });
    const gains = Int32Array.from(influence.keys()).filter((g) => dropped[g] === 0 && influence[g]! > 0);
    gains.sort((a, b) => influence[b]! - influence[a]! || a - b);
    let [predicted, left] = [0, gapOf(now)];
    while (predicted < gains.length && left >= -SAME) left -= influence[gains[predicted++]!]!;
    if (predicted === 0) return undefined;
    const take = left >= 0 || predicted <= PIECES ? predicted : Math.max(1, Math.floor(predicted * 0.6));
    for (const g of gains.subarray(0, take)) {
      dropped[g] = 1;
      order.push(g);
    }
    if (order.length >= units.count) return undefined;
    now = refit(votes, units, { dropped, model });
  }
  if (now === undefined) return undefined;
  // up: the fewest of this order
  const isAhead = (count: number): boolean => {
    dropped.fill(0);
    for (const g of order.slice(0, count)) dropped[g] = 1;
    const own = refit(votes, units, { dropped, model });
    return own !== undefined && gapOf(own) < -SAME;
  };
  let [low, high] = [0, order.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isAhead(middle)) high = middle;
    else low = middle;
  }
  return isAhead(high) ? order.slice(0, high) : undefined;
}

/** Strengths without what is dropped; undefined where some of them are then not finite. */
function refit(
  votes: Votes,
  { codes }: VoteUnits,
  { dropped, model }: { readonly dropped: Uint8Array; readonly model: VoteModelOf },
): SolvedVotes | undefined {
  const rows = Int32Array.from(codes.keys()).filter((i) => dropped[codes[i]!] === 0);
  const left = {
    ...votes,
    first: rows.map((i) => votes.first[i]!),
    second: rows.map((i) => votes.second[i]!),
    share: Float64Array.from(rows, (i) => votes.share[i]!),
  };
  if (connectedVotes(left).others.length > 0) return undefined;
  if (model.ties !== "half" && !left.share.some((own) => own === 0.5)) return undefined;
  try {
    return solveVotes(countVotes(left, model.ties), { players: votes.systems.length, reference: 0, ...model });
  } catch {
    return undefined; // without a maximum there is no strength to compare
  }
}

function influenceOf(votes: Votes, { codes, count }: VoteUnits, { first, to, model, solved }: Search): Float64Array {
  const { free, places, abilities, tie, order, covariance } = solved;
  const S = abilities.length;
  const contrast = new Float64Array(free);
  if (places[first]! >= 0) contrast[places[first]!]! += 1;
  if (places[to]! >= 0) contrast[places[to]!]! -= 1;
  const moved = matVec(covariance, contrast);
  const at = (place: number): number => (place < 0 ? 0 : moved[place]!);
  const known = new Map<number, readonly number[]>();
  const influence = new Float64Array(count);
  for (let i = 0; i < codes.length; i++) {
    const [a, b, y] = [votes.first[i]!, votes.second[i]!, votes.share[i]!];
    let own = known.get(a + b * S);
    if (own === undefined) {
      const d = at(places[a]!) - at(places[b]!) + at(places[S + 1]!);
      const t = at(places[S]!);
      own = outcomesOf(model.ties, abilities[a]! - abilities[b]! + order, tie).map((one) => one.d * d + one.t * t);
      known.set(a + b * S, own);
    }
    influence[codes[i]!]! +=
      model.ties === "half" ? y * own[0]! + (1 - y) * own[1]! : own[y === 1 ? 0 : y === 0 ? 1 : 2]!;
  }
  return influence;
}

/** Refits of random choices, fewer of many votes. */
const RANDOM = 100;
const FEWEST_RANDOM = 20;
const RANDOM_WORK = 1e6;

/** Proportion of random choices of as many units without which the first is not first, by refits. */
export function votesAtRandom(
  votes: Votes,
  units: VoteUnits,
  {
    first,
    count,
    model,
    rng,
  }: { readonly first: number; readonly count: number; readonly model: VoteModelOf; readonly rng: Rng },
): number {
  const drawn = new Int32Array(count);
  const draws = Math.max(FEWEST_RANDOM, Math.min(RANDOM, Math.floor(RANDOM_WORK / votes.first.length)));
  let overtaken = 0;
  for (let r = 0; r < draws; r++) {
    const dropped = new Uint8Array(units.count);
    rng.sampleWithoutReplacementInto(drawn, units.count);
    for (const g of drawn) dropped[g] = 1;
    const own = refit(votes, units, { dropped, model });
    overtaken += Number(own?.abilities.some((ability) => ability > own.abilities[first]! + SAME) === true);
  }
  return overtaken / draws;
}
