/** Who ranks where? Ranks of systems with sets that hold the true ranks, from scores of items, totals with errors, or votes.
 *      sets          simultaneous: all hold the true ranks together with the stated confidence; by itself: each set alone does (separate.ts)
 *      top           which systems may be among the k best
 *      groups        maximal sets of systems that are not separated (sets.ts)
 *      P(best)       proportion of draws θ̂ + d in which a system is first; it is no confidence statement
 *      neighbors     difference with its simultaneous interval, and the units that it would take to separate the two:
 *                    needed = units · ((c + z_.80) se / |difference|)²,  resolution = units / needed,  c of the first step
 *  A difference without any spread is separated if G units that all point one way are too unlikely for that: S(S-1)/2 · 2^(1-G) <= α/100.
 *  Reference: Mogstad, Romano, Shaikh & Wilhelm (2024), Rev. Econ. Stud. 91.
 *  Oracle:    those of separate.ts, sets.ts and board.ts; coverage by simulation: docs/calibration.md.
 *  Limits:    items, or clusters of them, are a sample; raters and runs are taken as they are. */
import { fingerprint } from "../../data/fingerprint.ts";
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import type { OptionsOf } from "../../question/option.ts";
import { RANK } from "../../question/rank.ts";
import { refuseUnknown, refuseUnused } from "../../question/refuse.ts";
import { drawJointly } from "../../resample/joint-draws.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import {
  addToResult,
  assumedLine,
  type Diagnostic,
  type JsonOf,
  makeResult,
  type Result,
} from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import type { TieModel } from "../bradley-terry.ts";
import { type ComparedFiles, totalsIn } from "../compare/columns.ts";
import type { RepeatedFacet } from "../compare/pair/facets.ts";
import { readTotals } from "../totals/totals.ts";
import { boardMeans, lawNameOf, lawOfBoard, unitSums } from "./board.ts";
import { displayRanking } from "./display.ts";
import { fewestOvertaking, overtakes, overtakingAtRandom, type UnitSums } from "./fragility.ts";
import { type OddItems, oddItems } from "./items.ts";
import { rankedVotes } from "./ranked-votes.ts";
import { knownDirection, type ReadBoard, readBoard, readVotes, requireTwo, votesIn } from "./read.ts";
import { dfOf, type JointEstimates, type JointLaw, normalLaw, separateAll, separateEach } from "./separate.ts";
import { groupsOf, letterOf, rankSetOf, rankSets, ranksOf } from "./sets.ts";
import { type RankedTasks, rankOverTasks, tasksWon } from "./tasks.ts";

export interface RankOptions extends OptionsOf<typeof RANK.options> {
  readonly rng?: Rng | undefined;
}

export interface RankedSystem {
  readonly name: string;
  readonly score: number;
  readonly se: number;
  readonly rank: number;
  /** All sets together hold the true ranks with the stated confidence. */
  readonly lower: number;
  readonly upper: number;
  /** This set alone does. */
  readonly alone: { readonly lower: number; readonly upper: number };
  /** Letters of its groups. */
  readonly groups: string;
  /** Proportion of draws in which it is first: no confidence statement. */
  readonly pBest: number;
}

export interface Neighbors {
  readonly better: string;
  readonly worse: string;
  readonly difference: number;
  readonly se: number;
  /** All intervals together, single step. */
  readonly lower: number;
  readonly upper: number;
  readonly separated: boolean;
  /** Units for a power of 80 % to separate the two, if the difference is what was seen; Infinity where it is 0. */
  readonly needed: number;
  /** Units at hand over units needed. */
  readonly resolution: number;
  /** Repeats of every item that would do instead, with the items at hand; Infinity where none do, null where scores have no repeats. */
  readonly repeats: number | null;
  /** At least so many tasks on which the better one wins, for this pair alone; null without tasks. */
  readonly tasksWon: number | null;
  /** The fewest units without which the worse one is ahead; null where no choice does it, or where it is not known. */
  readonly dropped: number | null;
}

/** The fewest units without which a system falls behind another one. */
export interface DroppedUnits {
  readonly count: number;
  readonly proportion: number;
  readonly overtaken: string;
  readonly by: string;
  /** Names of the units, at most 100 of them. */
  readonly units: readonly string[];
  /** Proportion of random choices of as many units that change it too. */
  readonly atRandom: number;
}

export interface Fragility {
  readonly units: string;
  readonly of: number;
  /** Of the first place, and of the k best; null where no choice of units changes it. */
  readonly top: DroppedUnits | null;
  readonly best: DroppedUnits | null;
}

export interface Ranking extends Result<"ranking"> {
  readonly of: "items" | "totals" | "votes";
  readonly metric: string;
  readonly higherIsBetter: boolean;
  /** What was sampled: items, or clusters; NaN of totals. */
  readonly n: number;
  readonly units: string;
  readonly clusters: number | null;
  readonly tasks: readonly string[];
  readonly confidence: number;
  /** Normal draws, or flips of signs. */
  readonly law: "normal" | "flips";
  /** One for each step. */
  readonly critical: readonly number[];
  /** Best first. */
  readonly systems: readonly RankedSystem[];
  readonly top: {
    readonly k: number;
    /** Those that are left out are not among the k best, with the stated confidence for all together. */
    readonly may: readonly string[];
    readonly surely: readonly string[];
  };
  /** Maximal sets of systems that are not separated; none where they are too many to list. */
  readonly groups: readonly { readonly letter: string; readonly systems: readonly string[] }[];
  readonly neighbors: readonly Neighbors[];
  readonly separated: { readonly pairs: number; readonly of: number };
  /** Of means of items. */
  readonly fragility?: Fragility;
  /** Of several tasks: ranks over new ones. */
  readonly overTasks?: RankedTasks;
  readonly oddItems?: OddItemNames;
  readonly missing: readonly { readonly system: string; readonly items: number; readonly unscored: number }[];
  readonly itemsLost: number;
  /** Averaged, and taken as they are. */
  readonly held: readonly RepeatedFacet[];
  /** Of votes: the model of ties, what they are clustered by, and wins of row over column (ties half). */
  readonly votes?: RankedVotes;
}

/** Items by their names, at most 100 of each kind. */
export interface OddItemNames {
  readonly dead: { readonly count: number; readonly items: readonly string[] };
  readonly inverted: {
    readonly count: number;
    readonly items: readonly { readonly item: string; readonly correlation: number; readonly p: number }[];
  };
  readonly permutations: number;
}

export interface RankedVotes {
  readonly ties: TieModel;
  readonly groups: readonly { readonly name: string; readonly levels: number }[];
  /** Advantage of the side that is shown first, in log odds; null where it is not fitted. */
  readonly order: { readonly advantage: number; readonly se: number } | null;
  /** log ν (davidson) or log θ (rao-kupper). */
  readonly tie: { readonly parameter: number; readonly se: number } | null;
  /** Of the first place, to the votes and to what they are clustered by; confirmed by refits. Empty beyond 100,000 votes. */
  readonly fragility: readonly Omit<Fragility, "best">[];
  /** Systems without a finite strength. */
  readonly unranked: readonly string[];
  /** In the order of `systems`. */
  readonly wins: readonly (readonly number[])[];
}

export type RankingJson = JsonOf<Ranking>;

const REPLICATES = 10_000;
const POWER = 0.8;

/** What is ranked, before anything is drawn. */
export interface Ranked extends JointEstimates {
  readonly of: Ranking["of"];
  readonly names: readonly string[];
  /** As reported: `estimates` are larger where better. */
  readonly scores: ArrayLike<number>;
  readonly standardErrors: ArrayLike<number>;
  readonly metric: string;
  readonly higherIsBetter: boolean;
  /** What is sampled; NaN where that is not known. */
  readonly n: number;
  readonly units: string;
  readonly clusters?: number | undefined;
  readonly tasks?: readonly string[] | undefined;
  /** Differences without any spread. */
  readonly constant?: Matrix | undefined;
  /** Scores of items, larger being better. */
  readonly board?: ReadBoard | undefined;
  /** What can be left out. */
  readonly drops?: (UnitSums & { readonly what: string; readonly unitName: (unit: number) => string }) | undefined;
  readonly law: (options: { readonly replicates: number; readonly rng: Rng }) => JointLaw;
  readonly lawName: Ranking["law"];
  readonly missing: Ranking["missing"];
  readonly itemsLost: number;
  readonly held: readonly RepeatedFacet[];
  readonly votes?: RankedVotes | undefined;
  readonly data: string;
  readonly columns?: object | undefined;
  readonly assumed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function rankSystems(data: ComparedFiles, options: RankOptions = {}): Ranking {
  refuseUnknown(RANK, { ...options, rng: undefined });
  const totals = totalsIn(data, options);
  const votes = totals === undefined ? votesIn(data, options) : undefined;
  refuseUnused(RANK, options, totals !== undefined ? "totals" : votes !== undefined ? "votes" : "items");
  const ranked =
    totals !== undefined
      ? rankedTotals(totals, options)
      : votes !== undefined
        ? rankedVotes(readVotes(votes, options), options)
        : rankedItems(readBoard(data, options));
  return rankEstimates(ranked, options);
}

function rankedItems(board: ReadBoard): Ranked {
  const sign = board.higherIsBetter ? 1 : -1;
  const own = board.higherIsBetter ? board : { ...board, scores: board.scores.map((score) => -score) };
  const means = boardMeans(own);
  const { systems: names, metric, higherIsBetter, unitNames, clusterNames, taskNames, unmatched } = board;
  return {
    ...means,
    ...{ of: "items", names, metric, higherIsBetter },
    scores: means.estimates.map((estimate) => sign * estimate),
    n: board.items,
    units: unitNames,
    ...(clusterNames && { clusters: clusterNames.length }),
    ...(taskNames && { tasks: taskNames }),
    ...{ board: own, drops: dropsOf(own) },
    law: (options) => lawOfBoard(own, means, options),
    lawName: lawNameOf(own, means.units),
    missing: unmatched.map(({ system, missing, unscored }) => ({ system, items: missing, unscored })),
    itemsLost: board.itemsLost,
    held: board.held,
    data: board.data,
    columns: board.columns,
    assumed: board.assumed,
    diagnostics: [...board.diagnostics, ...noteTasks(board)],
  };
}

/** Tasks that count alike, else clusters, else items: what was sampled, or what makes up the mean. */
function dropsOf(board: ReadBoard): Ranked["drops"] {
  const { systems, scores, items, tasks, taskNames, clusterNames, itemNames, unitNames } = board;
  if (tasks !== undefined && taskNames !== undefined) {
    const units = taskNames.length;
    const sizes = new Float64Array(units);
    for (const task of tasks) sizes[task]! += 1;
    const sums = new Float64Array(units * systems.length);
    systems.forEach((_, s) => {
      for (let i = 0; i < items; i++) sums[tasks[i]! + s * units]! += scores[i + s * items]! / sizes[tasks[i]!]!;
    });
    return { sums, units, what: "tasks", unitName: (task) => taskNames[task]! };
  }
  const { sums } = unitSums(board);
  return clusterNames === undefined
    ? { sums, units: items, what: unitNames, unitName: (i) => itemNames[i]! }
    : { sums, units: clusterNames.length, what: "clusters", unitName: (g) => clusterNames[g]! };
}

const MOST_DROPPED = 100;

function fragilityOf({ drops, names }: Ranked, order: readonly number[], { top, rng }: { top: number; rng: Rng }) {
  if (drops === undefined) return {};
  const of = (k: number): DroppedUnits | null => {
    const [inside, outside] = [order.slice(0, k), order.slice(k)];
    const found = fewestOvertaking(drops, inside, outside);
    if (found === undefined) return null;
    const count = found.dropped.length;
    return {
      ...{ count, proportion: count / drops.units, overtaken: names[found.from]!, by: names[found.to]! },
      units: found.dropped.slice(0, MOST_DROPPED).map(drops.unitName),
      atRandom: overtakingAtRandom(drops, { inside, outside, count, rng: rng.stream(k) }),
    };
  };
  const first = of(1);
  return {
    fragility: { units: drops.what, of: drops.units, top: first, best: top === 1 ? first : of(top) },
  };
}

const noteTasks = ({ taskNames, columns, items }: ReadBoard): Diagnostic[] =>
  taskNames === undefined
    ? []
    : [
        note(
          "MacroMean",
          `The score is the mean over the ${taskNames.length} values of ${columns.task}, which count alike however many of the ${items} items each has; ranks are about these.`,
          "Option `task: none` counts all items alike.",
        ),
      ];

function rankedTotals(given: Parameters<typeof readTotals>[0], options: RankOptions): Ranked {
  const { ranked, df, metric, higherIsBetter: known, spread, tasks, table } = readTotals(given, options);
  const higherIsBetter = knownDirection(known, metric);
  requireTwo(ranked.length);
  const S = ranked.length;
  const variances = zeros(S, S);
  const degrees = zeros(S, S);
  ranked.forEach((a, j) => {
    ranked.forEach((b, k) => {
      if (j === k) return;
      variances.data[j + k * S] = a.se ** 2 + b.se ** 2;
      const rest = a.se ** 4 / df.get(a.name)! + b.se ** 4 / df.get(b.name)!;
      degrees.data[j + k * S] = rest === 0 ? Number.POSITIVE_INFINITY : (a.se ** 2 + b.se ** 2) ** 2 / rest;
    });
  });
  const estimates = Float64Array.from(ranked, ({ score }) => (higherIsBetter ? score : -score));
  const joint = { estimates, variances, df: degrees };
  const from = spread.columns.join(", ");
  return {
    ...joint,
    ...{ of: "totals", names: ranked.map(({ name }) => name), metric, higherIsBetter },
    scores: ranked.map(({ score }) => score),
    standardErrors: ranked.map(({ se }) => se),
    n: Number.NaN,
    units: "items",
    law: (own) => normalLaw(joint, own),
    lawName: "normal",
    missing: [],
    itemsLost: 0,
    held: [],
    data: fingerprint(table),
    assumed: [],
    diagnostics: [
      note(
        "TotalsRanked",
        `These are totals: their errors come from ${from}, and the systems are analyzed as independent samples${tasks > 1 ? `; the score is the mean over the ${tasks} tasks that every system has` : ""}.`,
        "If the systems answered the same items, give the items' scores: sets are then sharper.",
      ),
    ],
  };
}

function rankEstimates(ranked: Ranked, options: RankOptions): Ranking {
  const { confidence = 0.95, top = 1, replicates = REPLICATES, rng = makeRng("1") } = options;
  const { names, estimates } = ranked;
  const S = names.length;
  if (top > S)
    throw new StatError("BadOption", `option \`top: ${top}\`: there are ${S} systems.`, "Ask for fewer of the best.");
  const alpha = 1 - confidence;
  const law = ranked.law({ replicates, rng: rng.stream(0) });
  const constant = separateConstant(ranked, alpha);
  const { better, critical } = withPairs(separateAll(law, { alpha }), constant.better);
  const each = separateEach(law, { alpha }).map((own) => withPairs(own, constant.better).better);
  const sets = rankSets(better, S);
  const ranks = ranksOf(estimates);
  const order = Array.from(names.keys()).sort((a, b) => ranks[a]! - ranks[b]! || a - b);
  const groups = groupsOf(better, order);
  const first = firstOf(ranked, { replicates, rng: rng.stream(1) });
  const systems = order.map(
    (j): RankedSystem => ({
      ...{ name: names[j]!, score: ranked.scores[j]!, se: ranked.standardErrors[j]!, rank: ranks[j]!, ...sets[j]! },
      alone: rankSetOf(each[j]!, S, j),
      groups: (groups ?? []).flatMap((group, g) => (group.includes(j) ? [letterOf(g)] : [])).join(" "),
      pBest: first[j]!,
    }),
  );
  const { board } = ranked;
  const found = { better, c: critical[0]!, alpha, rng: rng.stream(3) };
  const neighbors = order.slice(1).map((k, i) => neighborsOf(ranked, [order[i]!, k], found));
  const overTasks = board && rankOverTasks(board, order, { alpha, replicates, rng: rng.stream(4) });
  const odd = options.oddItems === true && board && oddItems(board, { alpha, replicates, rng: rng.stream(5) });
  const pairs = (S * (S - 1)) / 2;
  const fields = {
    signature: {
      method: "ranking",
      version: GOSSET_VERSION,
      options: {
        ...(ranked.columns === undefined ? {} : { columns: ranked.columns }),
        ...{ systems: names, higherIsBetter: ranked.higherIsBetter, confidence, top, replicates },
      },
      data: ranked.data,
      seed: rng.seed,
    },
    diagnostics: [...ranked.diagnostics, ...constant.notes, ...tellSets(ranked, { critical, groups, S })],
    ...{
      of: ranked.of,
      metric: ranked.metric,
      higherIsBetter: ranked.higherIsBetter,
      n: ranked.n,
      units: ranked.units,
    },
    clusters: ranked.clusters ?? null,
    tasks: ranked.tasks ?? [],
    confidence,
    law: ranked.lawName,
    critical,
    systems,
    top: {
      k: top,
      may: systems.filter(({ lower }) => lower <= top).map(({ name }) => name),
      surely: systems.filter(({ upper }) => upper <= top).map(({ name }) => name),
    },
    groups: (groups ?? []).map((group, g) => ({ letter: letterOf(g), systems: group.map((j) => names[j]!) })),
    neighbors,
    ...fragilityOf(ranked, order, { top, rng: rng.stream(2) }),
    ...(overTasks && { overTasks }),
    ...(odd && { oddItems: nameOdd(odd, board!.itemNames) }),
    separated: { pairs: better.reduce((sum, one) => sum + one, 0), of: pairs },
    missing: ranked.missing,
    itemsLost: ranked.itemsLost,
    held: ranked.held,
    ...(ranked.votes && {
      votes: { ...ranked.votes, wins: order.map((j) => order.map((k) => ranked.votes!.wins[j]![k]!)) },
    }),
  };
  const { assumed } = ranked;
  return addToResult(makeResult("ranking", fields, displayRanking), { assumed, notes: assumedLine(assumed) });
}

interface Found {
  readonly better: Uint8Array;
  readonly critical: readonly number[];
}

const withPairs = <F extends Found>(found: F, more: Uint8Array): F => ({
  ...found,
  better: found.better.map((own, code) => Math.max(own, more[code]!)),
});

/** How much smaller than α the chance of a difference without spread must be. */
const NEGLIGIBLE = 100;

/** Pairs whose units all give one difference. */
function separateConstant({ names, constant, clusters, n, units }: Ranked, alpha: number) {
  const S = names.length;
  const better = new Uint8Array(S * S);
  if (constant === undefined) return { better, notes: [] };
  const G = clusters ?? n;
  const chance = ((S * (S - 1)) / 2) * 2 ** (1 - G);
  const apart = chance <= alpha / NEGLIGIBLE;
  const told: string[] = [];
  const same: string[] = [];
  for (let j = 0; j < S; j++)
    for (let k = 0; k < S; k++) {
      const difference = constant.data[j + k * S]!;
      if (difference > 0 && apart) better[j + k * S] = 1;
      if (difference > 0) told.push(`${names[j]} and ${names[k]}`);
      if (difference === 0 && j < k) same.push(`${names[j]} and ${names[k]}`);
    }
  const what = clusters === undefined ? units : "clusters";
  return {
    better,
    notes: [
      ...(same.length === 0
        ? []
        : [
            warning(
              "SameScores",
              `${list(same)} have the same score on every one of the ${units}, and are tied. They may be one system under two names.`,
              "Leave one of them out with option `systems`.",
            ),
          ]),
      ...(told.length === 0
        ? []
        : [
            warning(
              "ConstantDifference",
              `${list(told)} differ by one number on all ${G} ${what}, so that their difference has no standard error. ${apart ? "They count as separated" : `They are not separated: ${G} ${what} are too few to rule out chance`}.`,
              "Look whether one score was made from the other.",
            ),
          ]),
    ],
  };
}

const MOST_PAIRS = 3;
const list = (pairs: readonly string[]): string =>
  pairs.length > MOST_PAIRS
    ? `${pairs.slice(0, MOST_PAIRS).join("; ")} and ${pairs.length - MOST_PAIRS} more pairs`
    : pairs.join("; ");

/** Proportion of draws in which each is first; ties are shared. */
function firstOf({ estimates, variances }: JointEstimates, options: { replicates: number; rng: Rng }): Float64Array {
  const S = estimates.length;
  const draws = drawJointly(variances, options);
  const first = new Float64Array(S);
  for (let r = 0; r < options.replicates; r++) {
    let most = Number.NEGATIVE_INFINITY;
    for (let s = 0; s < S; s++) most = Math.max(most, estimates[s]! + draws[s + r * S]!);
    const least = most - Math.abs(most) * 1e-12;
    let best = 0;
    for (let s = 0; s < S; s++) best += Number(estimates[s]! + draws[s + r * S]! >= least);
    for (let s = 0; s < S; s++)
      if (estimates[s]! + draws[s + r * S]! >= least) first[s]! += 1 / best / options.replicates;
  }
  return first;
}

function neighborsOf(
  ranked: Ranked,
  [j, k]: readonly [number, number],
  { better, c, alpha, rng }: Pick<Found, "better"> & { readonly c: number; readonly alpha: number; readonly rng: Rng },
): Neighbors {
  const { names, estimates, variances, n, clusters, drops, board } = ranked;
  const S = names.length;
  const code = j + k * S;
  const difference = estimates[j]! - estimates[k]!;
  const se = Math.sqrt(variances.data[code]!);
  const critical = ranked.lawName === "flips" ? c : fromNormalScale(c, dfOf(ranked, code));
  const wanted = Math.abs(difference) / (critical + normalQuantileUpper(1 - POWER));
  const resolution = (wanted / se) ** 2;
  const isAlike = board === undefined || board.tasks === undefined || board.clusters !== undefined;
  return {
    ...{ better: names[j]!, worse: names[k]!, difference, se },
    lower: difference - critical * se,
    upper: difference + critical * se,
    separated: better[code] === 1,
    needed: Math.ceil((clusters ?? n) / resolution),
    resolution,
    repeats: board === undefined ? null : repeatsNeeded(board, [j, k], { variance: se * se, wanted }),
    tasksWon: isAlike ? null : tasksWon(board, [j, k], { alpha, rng: rng.stream(code) }),
    dropped: (drops && overtakes(drops, j, k)?.length) ?? null,
  };
}

/** Repeats m of which se² = V - (1 - m_0/m) w/n reaches what is wanted: w the mean spread of a score's mean over its m_0 repeats. */
function repeatsNeeded(
  { noise, repeats, items, tasks, clusters }: ReadBoard,
  [j, k]: readonly [number, number],
  { variance, wanted }: { readonly variance: number; readonly wanted: number },
): number | null {
  const own = (noise[j]! + noise[k]!) / items;
  if (Number.isNaN(own) || tasks !== undefined || clusters !== undefined) return null;
  const left = wanted ** 2 - (variance - own);
  return left > 0 ? Math.ceil((repeats * own) / left - REPEATS_ROUNDING) : Number.POSITIVE_INFINITY;
}

const REPEATS_ROUNDING = 1e-9;

const nameOdd = ({ dead, inverted, permutations }: OddItems, names: readonly string[]): OddItemNames => ({
  dead: { count: dead.length, items: dead.slice(0, MOST_DROPPED).map((i) => names[i]!) },
  inverted: {
    count: inverted.length,
    items: inverted.slice(0, MOST_DROPPED).map(({ item, correlation, p }) => ({ item: names[item]!, correlation, p })),
  },
  permutations,
});

/** The t that has the tail of a normal deviate. */
const fromNormalScale = (z: number, df: number): number =>
  Number.isFinite(df) && Number.isFinite(z) ? tQuantileUpper(normalSf(z), df) : z;

const FEW_CLUSTERS = 12;

function tellSets(
  { clusters, lawName }: Ranked,
  { critical, groups, S }: { readonly critical: readonly number[]; readonly groups: unknown; readonly S: number },
): Diagnostic[] {
  const few = clusters !== undefined && clusters < FEW_CLUSTERS;
  return [
    ...(lawName === "flips" && critical[0] === Number.POSITIVE_INFINITY
      ? [
          warning(
            "TooFewUnits",
            "The units are too few to separate any two systems at this confidence: every set holds all ranks.",
            "Score more of them.",
          ),
        ]
      : few
        ? [
            warning(
              "FewClusters",
              `Only ${clusters} clusters: few systems can be separated.`,
              "Collect more clusters, rather than more items of each.",
            ),
          ]
        : []),
    ...(groups === undefined
      ? [
          note(
            "ManyGroups",
            `The ${S} systems fall into too many overlapping groups to list; the sets say the same.`,
            "",
          ),
        ]
      : []),
  ];
}
