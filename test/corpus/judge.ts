/** How a reading relates to the one that a case expects. */
import type { Compared, Found, Reading, ReadPair, Refused } from "./read-case.ts";

export type Outcome = "right" | "asks" | "refuses" | "wrong";

export interface Judgment {
  readonly outcome: Outcome;
  /** What differs from the case; empty unless it is wrong. */
  readonly faults: readonly string[];
}

export interface Expected {
  readonly reading?: Reading | Refused;
  readonly compare?: Compared | Refused;
}

/** Errors that name the option that decides: a column, a pairing, a direction. */
const QUESTIONS: ReadonlySet<string> = new Set([
  "BetweenPeople",
  "DirectionUnknown",
  "MissingFlag",
  "NoItemColumn",
  "NoReference",
  "NoScoreFound",
  "NoSystemColumn",
  "NoWinner",
  "NotNumeric",
  "NothingMatches",
  "RunsOnly",
  "TooManyPairs",
  "UnsureColumn",
]);

const isQuestion = (code: string): boolean => /^(Ask|Ambiguous)/.test(code) || QUESTIONS.has(code);

/** What a sum in another order, or an iterative fit, may change of a difference. */
const RELATIVE = 1e-3;
const ABSOLUTE = 1e-6;

export function judge(expected: Expected, found: Found): Judgment {
  const faults = isRefused(found.compare)
    ? contradictions(expected.reading, found.reading)
    : [...differences(expected.reading, found.reading), ...comparedOtherwise(expected.compare, found.compare)];
  if (faults.length > 0) return { outcome: "wrong", faults };
  // a direction that the names leave open is a question next to the answer
  if (!isRefused(found.compare))
    return { outcome: leavesOpen(expected.compare, found.compare) ? "asks" : "right", faults };
  return { outcome: isQuestion(found.compare.refused) ? "asks" : "refuses", faults };
}

const leavesOpen = (expected: Expected["compare"], found: Compared): boolean =>
  expected !== undefined && !isRefused(expected) && expected.higherIsBetter != null && found.higherIsBetter === null;

/** HIGHER says less than BETTER or WORSE, and the same of the difference. */
const OPEN: Readonly<Record<string, string>> = { BETTER: "HIGHER", WORSE: "LOWER" };

const isRefused = (answer: object): answer is Refused => "refused" in answer;

/** The parts of a reading that an answer rests on. */
const RESTS_ON = ["systems", "items", "raters", "score", "higherIsBetter"] as const;

/** With an answer: everything that the case states is so. */
function differences(expected: Expected["reading"], found: Found["reading"]): string[] {
  if (expected === undefined || isRefused(expected)) return [];
  if (isRefused(found)) return [`describe refuses (${found.refused}) and compare answers`];
  return RESTS_ON.flatMap((key) =>
    key === "higherIsBetter" && found[key] === null ? [] : tellField(key, expected[key], found[key]),
  );
}

/** Without an answer: nothing is claimed that the case denies. */
function contradictions(expected: Expected["reading"], found: Found["reading"]): string[] {
  if (expected === undefined || isRefused(expected) || isRefused(found)) return [];
  return (["systems", "raters"] as const).flatMap((key) =>
    isEmpty(expected[key]) || isEmpty(found[key]) ? [] : tellField(key, expected[key], found[key]),
  );
}

const isEmpty = (value: number | readonly string[] | undefined): boolean =>
  value === undefined || value === 0 || (Array.isArray(value) && value.length === 0);

function comparedOtherwise(expected: Expected["compare"], found: Compared): string[] {
  if (expected === undefined) return [];
  if (isRefused(expected)) return [`answers, where ${expected.refused} is expected`];
  const wanted = new Map(expected.pairs.map((pair) => [keyOf(pair), inOrder(pair)]));
  const pairs = found.pairs.flatMap((pair) => {
    const own = wanted.get(keyOf(pair));
    if (own === undefined) return [`compares ${pair.a} and ${pair.b}`];
    return tellPair(found.higherIsBetter === null ? undirected(own, expected.higherIsBetter) : own, inOrder(pair));
  });
  const there = new Set(found.pairs.map(keyOf));
  const absent = expected.pairs.filter((pair) => !there.has(keyOf(pair))).map(({ a, b }) => `no pair ${a}, ${b}`);
  return [
    ...tellField("metric", expected.metric, found.metric),
    ...(found.higherIsBetter === null
      ? []
      : tellField("higherIsBetter", expected.higherIsBetter, found.higherIsBetter)),
    ...tellField("n", expected.n, found.n),
    ...pairs,
    ...absent,
  ];
}

/** What is said of a pair where nobody says which way is better. */
function undirected(pair: ReadPair, higherIsBetter: boolean | null | undefined): ReadPair {
  const open = OPEN[pair.verdict ?? ""];
  if (open === undefined) return pair;
  return { ...pair, verdict: higherIsBetter === false ? REVERSED[open]! : open };
}

function tellPair(expected: ReadPair, found: ReadPair): string[] {
  const name = `${expected.a}, ${expected.b}: `;
  const gap = Math.abs((expected.difference ?? 0) - (found.difference ?? 0));
  const near = ABSOLUTE + RELATIVE * Math.abs(expected.difference ?? 0);
  const known = expected.difference !== undefined && found.difference !== undefined;
  return [
    ...(known && gap > near ? [`difference ${expected.difference} → ${found.difference}`] : []),
    ...tellField("verdict", expected.verdict, found.verdict),
  ].map((text) => name + text);
}

/** A list of systems is a set. What the case does not state is not judged. */
function tellField(key: string, expected: unknown, found: unknown): string[] {
  if (expected === undefined) return [];
  const [own, other] = [expected, found].map((value) =>
    JSON.stringify(Array.isArray(value) ? [...value].sort() : value),
  );
  return own === other ? [] : [`${key} ${own} → ${other}`];
}

const keyOf = ({ a, b }: ReadPair): string => JSON.stringify([a, b].sort());

const REVERSED: Readonly<Record<string, string>> = {
  ...{ BETTER: "WORSE", WORSE: "BETTER", HIGHER: "LOWER", LOWER: "HIGHER" },
  ...{ higher: "lower", lower: "higher" },
};

/** The same pair whichever system comes first. */
function inOrder(pair: ReadPair): ReadPair {
  const { a, b, difference, verdict } = pair;
  if (a <= b) return pair;
  return {
    ...{ a: b, b: a },
    ...(difference === undefined ? {} : { difference: -difference }),
    ...(verdict === undefined ? {} : { verdict: REVERSED[verdict] ?? verdict }),
  };
}
