/** A table of claims as data: which column is what, one claim a row, and how exact each claimed gain is.
 *    gain       the column of effects, else new score - baseline
 *    variance   the column of variances, else its standard error's square; else (d - Δ²)/n of a paired difference of accuracies, d = 1 - agreement
 *               given or predicted (scenarios/accuracy-overlap.ts); else from the p value, (gain/z)²
 *  A leaderboard without a baseline has its own earlier entries for one: the best score of the task so far.
 *  Scores are accuracies on n items unless a scale says that they are mean ratings, whose gains n alone does not make exact.
 *  Reference: Card et al. (2020), EMNLP, section 3 and App. E.
 *  Limits:    the regressions of agreement are Card et al.'s unless the table has agreement of its own. */
import { asFactor, asNumeric, requireColumns, type Table } from "../../data/table.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { StatError } from "../../result/error.ts";
import { type OverlapRegression, predictOverlap } from "../scenarios/accuracy-overlap.ts";

/** What a column can be. */
export const CLAIM_ROLES = [
  "id",
  "task",
  "n",
  "baseline",
  "score",
  "effect",
  "variance",
  "se",
  "p",
  "agreement",
  "date",
  "dev",
] as const;
export type ClaimRole = (typeof CLAIM_ROLES)[number];
export type ClaimColumns = { readonly [Role in ClaimRole]?: string | undefined };

/** Headers by which a column is known where nobody names it; lower case, letters and digits only. */
const HEADERS: Readonly<Record<Exclude<ClaimRole, "dev">, readonly string[]>> = {
  id: ["id", "claim", "study", "paper", "system", "model", "name", "submission"],
  task: ["task", "dataset", "benchmark", "data", "testset"],
  n: ["n", "ni", "items", "size", "ntest", "testsize", "samplesize"],
  baseline: ["baseline", "base", "sota", "previous", "old", "before", "prev"],
  score: ["score", "new", "accuracy", "acc", "result", "after", "candidate", "newscore"],
  effect: ["effect", "yi", "gain", "delta", "difference", "improvement", "estimate"],
  variance: ["variance", "vi", "var"],
  se: ["se", "sei", "stderr", "standarderror"],
  p: ["p", "pvalue", "pval"],
  agreement: ["agreement", "overlap"],
  date: ["date", "year", "month", "submitted", "time"],
};

const plain = (header: string): string => header.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The columns named, and for the rest those whose headers say what they are. */
export function findClaimColumns(table: Table, named: ClaimColumns): ClaimColumns {
  const names = [...table.columns.keys()];
  const found: Partial<Record<ClaimRole, string>> = {};
  for (const role of CLAIM_ROLES) {
    const given = named[role];
    if (given === undefined) continue;
    requireColumns(table, role, [given]);
    found[role] = given;
  }
  refuseBoth(found);
  const taken = new Set(Object.values(found));
  for (const [role, headers] of Object.entries(HEADERS) as [ClaimRole, readonly string[]][]) {
    if (found[role] !== undefined || (role === "variance" && named.se !== undefined)) continue;
    const own = headers.flatMap((header) => names.filter((name) => plain(name) === header && !taken.has(name)))[0];
    if (own === undefined) continue;
    found[role] = own;
    taken.add(own);
  }
  return found;
}

/** A variance and a standard error say the same thing. */
function refuseBoth({ variance, se }: ClaimColumns): void {
  if (variance === undefined || se === undefined) return;
  throw new StatError("BadOption", "option `se` has no effect beside option `variance`.", "Leave one of them out.");
}

/** Entries by date: the best of the earlier ones is what each had to beat. */
const isLeaderboard = ({ baseline, score, effect, date }: ClaimColumns): boolean =>
  baseline === undefined && effect === undefined && score !== undefined && date !== undefined;

function requireGain(found: ClaimColumns, names: readonly string[]): void {
  const scores = (found.baseline !== undefined && found.score !== undefined) || isLeaderboard(found);
  // with their sizes gains can be described, if not judged
  const exact = found.variance ?? found.se ?? found.p ?? (found.effect === undefined ? undefined : found.n);
  if (found.effect === undefined && !scores) {
    throw new StatError(
      "MissingColumn",
      `no column holds the claimed gains (columns: ${names.join(", ")}).`,
      "name `baseline` and `score`, `score` and `date` of a leaderboard, or `effect` with `n`, `variance`, `se` or `p`.",
    );
  }
  if (exact === undefined && (found.n === undefined || !scores)) {
    throw new StatError(
      "MissingColumn",
      "no column says how exact a claim is.",
      "name `n` with `baseline` and `score`, or `variance`, `se` or `p`.",
    );
  }
}

/** One claim as read; NaN where a cell is empty. Scores and gains are shares where the table's are percentages. */
export interface ReadClaim {
  readonly id: string;
  readonly task: string;
  readonly n: number;
  readonly baseline: number;
  readonly score: number;
  readonly gain: number;
  /** As reported. */
  readonly variance: number;
  readonly p: number;
  readonly agreement: number;
  readonly date: string;
  readonly dev: number;
}

export interface ReadClaims {
  readonly rows: readonly ReadClaim[];
  readonly columns: ClaimColumns;
  /** 100 where scores are percentages, else 1. */
  readonly unit: number;
  /** Scores are shares of right answers on n items. */
  readonly accuracy: boolean;
  /** The scale of mean ratings, where one is given. */
  readonly scale?: readonly [least: number, most: number];
  /** Of a leaderboard without a baseline: how many entries there are, of which the rows are those that beat all before. */
  readonly entries?: readonly ReadClaim[];
}

/** "1-5", "0-1", "-2-2". */
export function parseScale(text: string): readonly [number, number] {
  const [, from, to] = /^\s*(-?\d+(?:\.\d+)?)\s*-\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  if (from !== undefined && Number(from) < Number(to)) return [Number(from), Number(to)];
  throw new StatError("BadOption", `scale ${text}: no range of ratings.`, "write the least and the most: 1-5.");
}

export function readClaims(table: Table, named: ClaimColumns, ratings?: string): ReadClaims {
  const columns = findClaimColumns(table, named);
  const scale = ratings === undefined ? undefined : parseScale(ratings);
  requireGain(columns, [...table.columns.keys()]);
  const numbers = (role: ClaimRole): Float64Array => {
    const name = columns[role];
    if (name === undefined) return new Float64Array(table.rows).fill(Number.NaN);
    const own = table.columns.get(name)!;
    if (own.kind === "numeric") return own.values;
    if (own.codes.every((code) => code < 0)) return new Float64Array(table.rows).fill(Number.NaN);
    const text = own.levels.find((level) => level.trim() === "" || !Number.isFinite(Number(level)));
    if (text === undefined) return asNumeric(own, name).values;
    throw new StatError("NotNumeric", `column ${name} (\`${role}\`) holds "${text}".`, "it must hold numbers.");
  };
  const texts = (role: ClaimRole, otherwise: (i: number) => string): string[] => {
    const name = columns[role];
    if (name === undefined) return Array.from({ length: table.rows }, (_, i) => otherwise(i));
    const { codes, levels } = asFactor(table.columns.get(name)!);
    return Array.from(codes, (code, i) => (code < 0 ? otherwise(i) : levels[code]!));
  };
  const raw = { before: numbers("baseline"), after: numbers("score"), effect: numbers("effect"), dev: numbers("dev") };
  const board = isLeaderboard(columns);
  const scores = board || (columns.baseline !== undefined && columns.score !== undefined);
  const own = { n: numbers("n"), variance: numbers("variance"), se: numbers("se"), p: numbers("p") };
  const agreement = numbers("agreement");
  // effects without scores have units of their own
  const unit = scores && scale === undefined && [...raw.before, ...raw.after].some((value) => value > 1) ? 100 : 1;
  const [ids, tasks, dates] = [texts("id", (i) => `row ${i + 1}`), texts("task", () => ""), texts("date", () => "")];
  const rows = ids.map((id, i): ReadClaim => {
    const se = own.se[i]!;
    return {
      id,
      task: tasks[i]!,
      n: own.n[i]!,
      baseline: raw.before[i]! / unit,
      score: raw.after[i]! / unit,
      gain: (columns.effect === undefined ? raw.after[i]! - raw.before[i]! : raw.effect[i]!) / unit,
      variance: (columns.variance === undefined ? se * se : own.variance[i]!) / unit ** 2,
      p: own.p[i]!,
      agreement: agreement[i]! > 1 ? agreement[i]! / 100 : agreement[i]!,
      date: dates[i]!,
      dev: raw.dev[i]! / unit,
    };
  });
  checkRows(rows, { unit, scale: scale ?? (scores ? undefined : null) });
  const about = {
    ...{ columns, unit, accuracy: scores && columns.n !== undefined && scale === undefined },
    ...(scale === undefined ? {} : { scale }),
  };
  if (!board) return { rows, ...about };
  const entries = againstEarlier(rows);
  // what beats nothing claims nothing
  return { rows: entries.filter(({ gain }) => gain > 0), ...about, entries };
}

/** Each entry against the best of those with an earlier date; the first of a task has none to beat. */
function againstEarlier(rows: readonly ReadClaim[]): readonly ReadClaim[] {
  const best = new Map<string, number>();
  const later = new Map<string, { readonly date: string; readonly score: number }>();
  return inOrder(rows).map((row) => {
    const { task, date, score } = row;
    const pending = later.get(task);
    // entries of one day had the same ones to beat
    if (pending !== undefined && pending.date !== date)
      best.set(task, Math.max(best.get(task) ?? -Infinity, pending.score));
    const baseline = best.get(task) ?? Number.NaN;
    const same = pending?.date === date ? pending.score : Number.NEGATIVE_INFINITY;
    later.set(task, { date, score: Math.max(same, Number.isNaN(score) ? -Infinity : score) });
    return { ...row, baseline, gain: score - baseline };
  });
}

const DATE = /^-?\d+(\.\d+)?$|^\d{4}-\d{1,2}(-\d{1,2})?([T ].*)?$/;

export function inOrder(rows: readonly ReadClaim[]): readonly ReadClaim[] {
  const wrong = rows.find(({ date }) => !DATE.test(date));
  if (wrong !== undefined) {
    throw new StatError(
      "BadDate",
      `"${wrong.date}" (${wrong.id}) is not a date.`,
      "write 2019, 2019-08 or 2019-08-24.",
    );
  }
  const numeric = rows.every(({ date }) => Number.isFinite(Number(date)));
  const key = ({ date }: ReadClaim): string => date.replace(/-(\d)(?!\d)/g, "-0$1");
  const compare = (a: ReadClaim, b: ReadClaim): number =>
    numeric ? Number(a.date) - Number(b.date) : key(a) < key(b) ? -1 : Number(key(a) > key(b));
  return [...rows].sort(compare);
}

interface Scores {
  readonly unit: number;
  /** undefined: accuracies; null: none, effects have units of their own. */
  readonly scale: readonly [least: number, most: number] | undefined | null;
}

function checkRows(rows: readonly ReadClaim[], { unit, scale }: Scores): void {
  const fault = (i: number, found: string, fix: string): StatError =>
    new StatError("BadClaim", `row ${i + 1} (${rows[i]!.id}): ${found}.`, fix);
  rows.forEach(({ n, baseline, score, p, variance, agreement }, i) => {
    if (n <= 0 || (n > 0 && !Number.isInteger(n))) throw fault(i, `n = ${n}`, "it must be a whole number above 0.");
    for (const [name, value] of [
      ["baseline", baseline],
      ["score", score],
    ] as const) {
      if (scale === null) continue;
      if (scale !== undefined) {
        if (!(value < scale[0] || value > scale[1])) continue;
        throw fault(i, `${name} = ${value}`, `the scale goes from ${scale[0]} to ${scale[1]}.`);
      }
      if (value < 0 || value > 1) {
        throw fault(
          i,
          `${name} = ${value * unit}`,
          "accuracies lie between 0 and 1, or all between 0 and 100; of mean ratings give `scale`.",
        );
      }
    }
    if (p < 0 || p > 1) throw fault(i, `p = ${p}`, "it must lie between 0 and 1.");
    if (variance <= 0) throw fault(i, `a variance of ${variance * unit ** 2}`, "it must be above 0.");
    if (agreement < 0 || agreement > 1) throw fault(i, `agreement = ${agreement}`, "it must lie between 0 and 1.");
  });
}

/** Share of items on which exactly one of the two systems is right, at least as large as the difference takes. */
export function disagreementOf(claim: ReadClaim, gain: number, overlap: OverlapRegression): number {
  const agreement = Number.isNaN(claim.agreement) ? predictOverlap(overlap, claim.baseline, gain) : claim.agreement;
  return Math.min(1, Math.max(Math.abs(gain), 1 - agreement));
}

/** Of the claimed gain; NaN where nothing tells. */
export function varianceOf(claim: ReadClaim, accuracy: boolean, overlap: OverlapRegression): number {
  if (!Number.isNaN(claim.variance)) return claim.variance;
  const { gain, n, p } = claim;
  if (accuracy) {
    const variance = (disagreementOf(claim, gain, overlap) - gain * gain) / n;
    return variance > 0 ? variance : Number.NaN;
  }
  const z = p > 0 && p < 1 ? normalQuantileUpper(p / 2) : Number.NaN;
  return gain === 0 || !(z > 0) ? Number.NaN : (gain / z) ** 2;
}
