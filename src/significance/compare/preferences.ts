/** Head-to-head votes (arena battles, side-by-side judgements): a battle is the item, and its two rows are the two systems' scores,
 *  1 : 0 for a win, ½ : ½ for a tie. Two systems are compared on the battles they fought; more than two get strengths on one scale.
 *      P(i beats j) = 1 / (1 + exp(λ_j - λ_i))                                                    (Bradley & Terry 1952)
 *  Reference: Bradley & Terry (1952), Biometrika 39; ties count half to each side. */

import { fingerprint } from "../../data/fingerprint.ts";
import { asFactor, column, selectColumns, type Table } from "../../data/table.ts";
import { checkMargin, SHARE_BOUNDS } from "../../metrics/range.ts";
import { makeRng } from "../../numeric/rng.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { type Battles, fitBradleyTerry } from "../bradley-terry.ts";
import { independentTests } from "../joint-tests.ts";
import { adjustP, apart } from "../multiplicity.ts";
import { assembleComparison } from "./assemble.ts";
import type { Comparison, ComparisonData, PairwiseOptions } from "./comparison.ts";
import { type PlainPair, plainPair, refuseMeetings } from "./conclude.ts";
import { diagnose } from "./diagnose.ts";
import type { PairItems } from "./pair/differing.ts";
import { checkGroups, claimedP, type Facet, holdAgainst, type RepeatedFacet } from "./pair/facets.ts";
import { gainsOf } from "./pair/items.ts";
import { comparePair, type PairComparison } from "./pair/pair.ts";
import { cutDifference } from "./scale.ts";
import { chooseScope } from "./scope.ts";
import { type SystemScore, scoreMean } from "./system-scores.ts";

export interface PreferenceColumns {
  readonly system: string;
  readonly opponent: string;
  /** One value per battle. */
  readonly battle: string;
  readonly score: string;
  /** What the votes were about, and who voted. */
  readonly prompt?: string | undefined;
  readonly rater?: string | undefined;
  /** What holds several prompts. */
  readonly cluster?: string | undefined;
}

export interface PreferenceOptions extends PairwiseOptions {
  readonly systems: readonly string[];
}

/** Both sides' scores in the battles of two systems. */
interface Meeting {
  readonly a: number;
  readonly b: number;
  readonly battles: readonly string[];
  readonly scoresA: Float64Array;
  readonly scoresB: Float64Array;
  /** Documents, prompts and raters with several votes, at least two of them. */
  readonly groups: readonly VoteGroups[];
  /** What each vote was about, where a column says so. */
  readonly prompts?: readonly string[];
}

interface VoteGroups extends RepeatedFacet {
  readonly facet: "clusters" | "prompts" | "raters";
  readonly codes: Int32Array;
}

export function comparePreferences(table: Table, columns: PreferenceColumns, options: PreferenceOptions): Comparison {
  const {
    systems,
    alpha = 0.05,
    confidence = 0.95,
    adjust = "sidak",
    rng = makeRng("1"),
    onProgress: _,
    ...choices
  } = options;
  refuseMeetings(systems.length, 0);
  const all = collectMeetings(table, columns, systems);
  refuseMeetings(systems.length, all.length);
  const meetings = options.pairs === "baseline" ? all.filter(({ a }) => a === 0) : all;
  if (meetings.length === 0) {
    throw new StatError(
      "NothingMatches",
      all.length === 0 ? `${systems.join(" and ")} never met.` : `${systems[0]} met none of the others.`,
      "Name systems that were compared head to head.",
    );
  }
  const signature = {
    method: "comparison",
    version: GOSSET_VERSION,
    options: { columns, systems, alpha, adjust, ...choices },
    data: fingerprint(
      selectColumns(
        table,
        Object.values(columns).filter((name) => name !== undefined),
      ),
    ),
    seed: rng.seed,
  };
  const inputs = meetings.map((meeting) => inputOf(meeting, signature));
  const repeated = repeatedVotes(meetings);
  const scope = chooseScope(
    repeated.map(({ facet }) => facet),
    options.scope,
  );
  // battles of different pairs are different ones
  const joint = adjust === "sidak" && meetings.length > 1 ? independentTests(meetings.length) : undefined;
  const level = joint === undefined ? confidence : 1 - joint.levelFor(1 - confidence);
  const plain = meetings.map(({ a, b, scoresA, scoresB, groups }, k): PlainPair => {
    const votes = comparePair(
      { kind: "scores", a: scoresA, b: scoresB },
      {
        ...options,
        confidence: level,
        rng: rng.stream(k),
      },
    );
    const checks = checkGroups(gainsOf(scoresA, scoresB), unitsOf(groups.filter(({ facet }) => scope.includes(facet))));
    const held = holdAgainst(votes, checks, { alpha, confidence: level });
    const result = { ...held, ci: { ...cutDifference(held.ci, [0, 1]), level: confidence } };
    return { ...plainPair([0, 1], result, { input: inputs[k]!, margin: options.margin }), a, b };
  });
  const adjusted = adjustP(
    plain.map(({ result }) => claimedP(result)),
    apart(adjust),
  );
  checkMargin(options.margin, SHARE_BOUNDS);
  const found = {
    ...{ signature, plain, p: adjusted, adjust, simultaneous: joint !== undefined, scope, repeated, share: true },
    input: { systems, metric: METRIC, higherIsBetter: true, units: UNITS },
    options: { alpha, margin: options.margin },
    scale: [0, 1] as const,
    scores: rankSystems(all, systems, { confidence, held: plain[0]!.result }),
    n: all.reduce((sum, { battles }) => sum + battles.length, 0),
  };
  return assembleComparison(found, ({ pairs, main, style }) => ({
    diagnostics: all.length === 1 ? diagnose(inputs[0]!, pairs, { style, scope }) : [STRENGTHS],
    testChoice: explainVotes(main),
    items: meetings.map((meeting) => votesByPrompt(meeting, systems)),
  }));
}

/** Prompts lie in documents, which hold against both. */
const unitsOf = (groups: readonly VoteGroups[]): readonly VoteGroups[] =>
  groups.some(({ facet }) => facet === "clusters") ? groups.filter(({ facet }) => facet !== "prompts") : groups;

const METRIC = "win share";
const UNITS = "battles";
const STRENGTHS = note(
  "Strengths",
  "The win proportion of a system is its chance to beat an average opponent, by Bradley and Terry's model of all battles. A pair counts only the battles between its two systems.",
  "Look at the pairs for who beats whom.",
);

function explainVotes({ test: { name }, facets = [] }: PairComparison): string {
  const wide = facets.at(-1);
  if (wide !== undefined) {
    const units = wide.parts.map(({ facet }) => facet).join(" and ");
    return `votes between two systems: a win is 1, a loss -1, a tie 0, with standard errors clustered by ${units.replaceAll("prompts", "prompt").replaceAll("raters", "rater").replaceAll("clusters", "cluster")}.`;
  }
  return name === "permutation"
    ? "votes between two systems: the exact sign test of wins against losses (a permutation of the two sides of each battle). Ties count half to each side."
    : `${name}, as requested; the default here is the exact sign test.`;
}

/** Battles, and the documents, prompts and raters that any two systems share several votes of. */
function repeatedVotes(meetings: readonly Meeting[]): RepeatedFacet[] {
  const most = (facet: Facet): RepeatedFacet[] => {
    const levels = meetings.flatMap(({ groups }) =>
      groups.filter((own) => own.facet === facet).map((own) => own.levels),
    );
    return levels.length === 0 ? [] : [{ facet, levels: mostOf(levels) }];
  };
  const items = { facet: "items" as const, levels: mostOf(meetings.map(({ battles }) => battles.length)) };
  return [items, ...most("raters"), ...most("clusters"), ...most("prompts")];
}

function collectMeetings(table: Table, columns: PreferenceColumns, systems: readonly string[]): Meeting[] {
  const system = asFactor(column(table, columns.system));
  const opponent = asFactor(column(table, columns.opponent));
  const battle = asFactor(column(table, columns.battle));
  const score = column(table, columns.score);
  if (score.kind !== "numeric")
    throw new StatError("NotNumeric", `${columns.score} is not numeric.`, "Name a column of numbers.");
  const numbers = new Map(systems.map((name, s) => [name, s]));
  const place = (levels: readonly string[]): number[] => levels.map((level) => numbers.get(level) ?? -1);
  const [own, other] = [place(system.levels), place(opponent.levels)];
  const facets = [
    { facet: "clusters" as const, name: columns.cluster },
    { facet: "prompts" as const, name: columns.prompt },
    { facet: "raters" as const, name: columns.rater },
  ].flatMap(({ facet, name }) => (name === undefined ? [] : [{ facet, cells: asFactor(column(table, name)) }]));
  const prompt = columns.prompt === undefined ? undefined : asFactor(column(table, columns.prompt));
  const rowOf = new Map<number, number>();
  const found = new Map<string, Map<number, [number, number]>>();
  for (let row = 0; row < table.rows; row++) {
    const [i, j] = [own[system.codes[row]!] ?? -1, other[opponent.codes[row]!] ?? -1];
    if (i < 0 || j < 0 || Number.isNaN(score.values[row]!)) continue;
    const key = `${Math.min(i, j)}/${Math.max(i, j)}`;
    const rows = found.get(key) ?? new Map<number, [number, number]>();
    found.set(key, rows);
    const sides = rows.get(battle.codes[row]!) ?? [Number.NaN, Number.NaN];
    sides[i < j ? 0 : 1] = score.values[row]!;
    rowOf.set(battle.codes[row]!, row);
    rows.set(battle.codes[row]!, sides);
  }
  return [...found].map(([key, rows]) => {
    const [a, b] = key.split("/").map(Number) as [number, number];
    const whole = [...rows].filter(([, [x, y]]) => !Number.isNaN(x) && !Number.isNaN(y));
    return {
      a,
      b,
      battles: whole.map(([code]) => battle.levels[code]!),
      scoresA: Float64Array.from(whole, ([, [x]]) => x),
      scoresB: Float64Array.from(whole, ([, [, y]]) => y),
      ...(prompt === undefined
        ? {}
        : { prompts: whole.map(([code]) => prompt.levels[prompt.codes[rowOf.get(code)!]!] ?? "") }),
      groups: facets.flatMap(({ facet, cells }) => {
        const codes = Int32Array.from(whole, ([code]) => cells.codes[rowOf.get(code)!]!);
        const levels = new Set(codes).size;
        // votes without a name of either kind stand for themselves
        return levels > 1 && levels < codes.length && !codes.includes(-1) ? [{ facet, levels, codes }] : [];
      }),
    };
  });
}

/** Each side's share of the wins on every prompt, or in every battle where nothing names the prompts. */
function votesByPrompt(
  { a, b, battles, prompts = battles, scoresA, scoresB }: Meeting,
  systems: readonly string[],
): PairItems {
  const items = [...new Set(prompts)];
  const place = new Map(items.map((item, k) => [item, k]));
  const votes = new Float64Array(items.length);
  const [sumsA, sumsB] = [new Float64Array(items.length), new Float64Array(items.length)];
  prompts.forEach((item, i) => {
    const k = place.get(item)!;
    votes[k]! += 1;
    sumsA[k]! += scoresA[i]!;
    sumsB[k]! += scoresB[i]!;
  });
  return {
    a: systems[a]!,
    b: systems[b]!,
    items,
    scoresA: sumsA.map((sum, k) => sum / votes[k]!),
    scoresB: sumsB.map((sum, k) => sum / votes[k]!),
    groups: new Map(),
  };
}

/** The battles of two systems as a comparison of its own. */
function inputOf({ battles, scoresA, scoresB }: Meeting, signature: ComparisonData["signature"]): ComparisonData {
  const means = new Float64Array(2 * battles.length);
  means.set(scoresA);
  means.set(scoresB, battles.length);
  const counts = new Int32Array(means.length).fill(1);
  const data = { kind: "scores" as const, items: battles, means, counts, within: new Float64Array(means.length) };
  return { systems: ["a", "b"], metric: METRIC, higherIsBetter: true, data, units: UNITS, signature };
}

/** Shares of wins sum to 1: what is known of their difference is known of each. */
function sharesOf({ scoreA, scoreB, ci }: PairComparison, systems: readonly string[]): SystemScore[] {
  const [lower, upper] = [(1 + ci.lower) / 2, (1 + ci.upper) / 2];
  return [
    { name: systems[0]!, score: scoreA, lower: 1 - upper, upper: 1 - lower, interval: ci.method },
    { name: systems[1]!, score: scoreB, lower, upper, interval: ci.method },
  ];
}

/** Two systems: shares of wins. More: the chance to beat an average opponent, from the Bradley-Terry strengths. */
function rankSystems(
  meetings: readonly Meeting[],
  systems: readonly string[],
  { confidence, held }: { readonly confidence: number; readonly held: PairComparison },
): SystemScore[] {
  if (systems.length === 2) {
    const { scoresA, scoresB } = meetings[0]!;
    if (held.facets !== undefined) return sharesOf(held, systems);
    return [scoresA, scoresB].map((scores, s) => ({
      name: systems[s]!,
      ...scoreMean(scores, { confidence, share: true }),
    }));
  }
  const battles: Battles[] = meetings.map(({ a, b, scoresA, scoresB }) => ({
    first: systems[a]!,
    second: systems[b]!,
    winsFirst: scoresA.reduce((sum, v) => sum + v, 0),
    winsSecond: scoresB.reduce((sum, v) => sum + v, 0),
  }));
  const { abilities } = fitBradleyTerry(battles);
  const mean = abilities.reduce((sum, { value }) => sum + value, 0) / abilities.length;
  return abilities.map(({ name, value }) => ({ name, score: 1 / (1 + Math.exp(mean - value)) }));
}
