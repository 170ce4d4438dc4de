/** Ranks from votes: strengths of the systems that wins connect, who is not ranked, and the fewest votes or voters that the first place hangs on.
 *  Reference: Bradley & Terry (1952), Biometrika 39; Davidson (1970), J. Am. Stat. Assoc. 65 (ties).
 *  Oracle:    those of votes.ts and vote-fragility.ts. */
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { doesNothing } from "../../question/refuse.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { SolvedVotes } from "../bradley-terry.ts";
import type { Ranked, RankedVotes, RankOptions } from "./ranks.ts";
import { areGraded, type ReadVotes } from "./read.ts";
import { flipLaw, normalLaw } from "./separate.ts";
import { ranksOf } from "./sets.ts";
import { fewestVotes, type VoteModelOf, votesAtRandom } from "./vote-fragility.ts";
import { connectedVotes, type Votes, voteStrengths } from "./votes.ts";

/** Units that are named. */
const MOST_NAMED = 100;

export function rankedVotes(all: ReadVotes, { ties: asked, order: fitted, rng = makeRng("1") }: RankOptions): Ranked {
  const { kept, others } = connectedVotes(all);
  if (kept.length < 2)
    throw new StatError(
      "NoFiniteStrength",
      "every system won, or lost, all of its votes against the others: no strength is finite.",
      "Collect more votes between them.",
    );
  const votes = keepSystems(all, kept);
  const graded = areGraded(votes);
  if (graded && asked !== undefined && asked !== "half")
    throw doesNothing("ties", asked, "of graded votes, which are neither won nor lost");
  const hasTies = votes.share.some((own) => own === 0.5);
  const ties = graded || !hasTies ? "half" : (asked ?? "davidson");
  const order = fitted !== "none" && meetBothWays(votes);
  const strengths = voteStrengths(votes, { ties, order });
  const { estimates, standardErrors, df, solved, variances, pseudoValues } = strengths;
  const groups = votes.groups.map(({ name, count }) => ({ name, levels: count }));
  const joint = { estimates, variances, df };
  return {
    ...joint,
    ...{ of: "votes", names: votes.systems, metric: "strength (log odds)", higherIsBetter: true },
    scores: estimates,
    standardErrors,
    n: votes.first.length,
    units: "votes",
    // few groups: their signs are flipped, as those of items
    law: (own) =>
      pseudoValues === undefined
        ? normalLaw(joint, own)
        : flipLaw(pseudoValues, { sizes: new Float64Array(groups[0]!.levels).fill(1), ...own }),
    lawName: pseudoValues === undefined ? "normal" : "flips",
    missing: [],
    itemsLost: 0,
    held: [],
    votes: {
      ties,
      groups,
      order: order ? { advantage: solved.order, se: errorOf(solved, solved.orderAt) } : null,
      tie: solved.tieAt < 0 ? null : { parameter: solved.tie, se: errorOf(solved, solved.tieAt) },
      fragility: votesFragility(votes, { solved, model: { ties, order }, rng: rng.stream(6) }),
      unranked: others.map((s) => all.systems[s]!),
      wins: winMatrix(votes),
    },
    data: all.data,
    columns: all.columns,
    assumed: all.assumed,
    diagnostics: [...all.diagnostics, ...tellUnranked(all, others), ...tellFewVoters(groups)],
  };
}

/** Each refit counts all of them. */
const MOST_REFITTED = 100_000;

interface Refitting {
  readonly solved: SolvedVotes;
  readonly model: VoteModelOf;
  readonly rng: Rng;
}

function votesFragility(votes: ReadVotes, { solved, model, rng }: Refitting): RankedVotes["fragility"] {
  const n = votes.first.length;
  if (n > MOST_REFITTED) return [];
  const first = Array.from(ranksOf(solved.abilities)).indexOf(1);
  const { systems } = votes;
  const single = {
    ...{ name: "votes", codes: Int32Array.from(votes.first.keys()), count: n },
    names: Array.from(votes.first, (a, i) => voteName([systems[a]!, systems[votes.second[i]!]!], votes.share[i]!)),
  };
  return [single, ...votes.groups].map(({ name, codes, count, names }, k) => {
    const units = { codes, count };
    const found = fewestVotes(votes, units, { first, model, solved });
    const top = found && {
      ...{ count: found.units.length, proportion: found.units.length / count },
      ...{ overtaken: systems[first]!, by: systems[found.to]! },
      units:
        k === 0
          ? tallied(found.units.map((g) => names![g]!))
          : found.units.slice(0, MOST_NAMED).map((g) => names?.[g] ?? `${g}`),
      atRandom: votesAtRandom(votes, units, { first, count: found.units.length, model, rng: rng.stream(k) }),
    };
    return { units: k === 0 ? name : `values of ${name}`, of: count, top: top ?? null };
  });
}

const voteName = ([a, b]: readonly [string, string], share: number): string =>
  share === 0.5 ? `${a} ties with ${b}` : share > 0.5 ? `${a} beats ${b}` : `${b} beats ${a}`;

/** "a beats b (12)" */
function tallied(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].slice(0, MOST_NAMED).map(([text, count]) => `${text} (${count})`);
}

const errorOf = ({ covariance, places, free }: SolvedVotes, at: number): number =>
  Math.sqrt(covariance.data[places[at]! * (free + 1)]!);

/** Some pair was shown in both orders, else the first place is one of the systems. */
function meetBothWays({ systems, first, second }: Votes): boolean {
  const S = systems.length;
  const met = new Set(first.map((a, i) => a + second[i]! * S));
  return [...met].some((key) => met.has(Math.floor(key / S) + (key % S) * S));
}

function keepSystems<V extends Votes>(votes: V, kept: readonly number[]): V {
  const place = new Int32Array(votes.systems.length).fill(-1);
  kept.forEach((s, i) => {
    place[s] = i;
  });
  const rows = Int32Array.from(votes.first.keys()).filter(
    (i) => place[votes.first[i]!]! >= 0 && place[votes.second[i]!]! >= 0,
  );
  return {
    ...votes,
    systems: kept.map((s) => votes.systems[s]!),
    first: rows.map((i) => place[votes.first[i]!]!),
    second: rows.map((i) => place[votes.second[i]!]!),
    share: Float64Array.from(rows, (i) => votes.share[i]!),
    groups: votes.groups.flatMap(({ name, codes, names }) => {
      const known = new Map<number, number>();
      const own = rows.map((i) => {
        const code = known.get(codes[i]!) ?? known.size;
        known.set(codes[i]!, code);
        return code;
      });
      const left = names && [...known.keys()].map((code) => names[code]!);
      return known.size > 1 ? [{ name, codes: own, count: known.size, names: left }] : [];
    }),
  };
}

/** What row i got of column j, ties half. */
function winMatrix({ systems, first, second, share }: Votes): number[][] {
  const wins = systems.map(() => systems.map(() => 0));
  for (let i = 0; i < first.length; i++) {
    wins[first[i]!]![second[i]!]! += share[i]!;
    wins[second[i]!]![first[i]!]! += 1 - share[i]!;
  }
  return wins;
}

function tellUnranked({ systems, first, second, share }: Votes, others: readonly number[]): Diagnostic[] {
  return others.map((s) => {
    let [votes, won] = [0, 0];
    for (let i = 0; i < first.length; i++) {
      if (first[i] !== s && second[i] !== s) continue;
      votes += 1;
      won += first[i] === s ? share[i]! : 1 - share[i]!;
    }
    const why =
      votes === 0
        ? "has no votes"
        : won === votes
          ? `won all of its ${votes} votes, so that no strength is large enough`
          : won === 0
            ? `lost all of its ${votes} votes, so that no strength is small enough`
            : `is not connected with the ranked systems by wins in both directions (${votes} votes)`;
    return warning(
      "Unranked",
      `Not ranked: ${systems[s]}, which ${why}.`,
      "Collect more votes between it and the others.",
    );
  });
}

const FEW_VOTERS = 10;

function tellFewVoters(groups: readonly { readonly name: string; readonly levels: number }[]): Diagnostic[] {
  return groups
    .filter(({ levels }) => levels < FEW_VOTERS)
    .map(({ name, levels }) =>
      warning(
        "FewClusters",
        `Votes are clustered by ${name}, which has only ${levels} values: standard errors are themselves uncertain.`,
        `Collect votes of more values of ${name}.`,
      ),
    );
}
