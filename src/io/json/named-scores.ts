/** Lists of named scores within a record → one field a score:
 *    "metricsData": [{"name": "Correctness", "score": 0.9, "success": true, …}, …]              DeepEval
 *    "evaluation_results": {"results": [{"key": "correctness", "score": 1}, …]}                 LangSmith
 *    "assertions": [{"metric": "similar", "value": 0.7}, …]
 *  Thresholds, reasons and costs of the scores stay out. A list is read so if it is one in nearly every record and no name comes twice in one. */
import { isRecord, type JsonRecord } from "./records.ts";

const NAMES = ["name", "key", "metric", "metric_name", "criterion", "evaluator"];
const SCORES = ["score", "value"];
/** So many of the records must have the list. */
const MOSTLY = 0.8;
const MOST_SCORES = 100;
/** Each list is one pass over all records; more of them are no lists of scores. */
const MOST_LISTS = 20;

export interface SpreadScores {
  readonly records: readonly unknown[];
  /** The names in each list that became columns. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** What was done, one sentence a list. */
export const tellLists = (lists: SpreadScores["lists"]): string[] =>
  [...lists].map(
    ([path, names]) =>
      `${path} lists scores by name: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""} became columns.`,
  );

export function spreadNamedScores(records: readonly unknown[]): SpreadScores {
  const first = records.filter(isRecord);
  const paths = new Set(first.slice(0, 50).flatMap((record) => candidates(record).map((path) => path.join("\n"))));
  const done = new Map<string, readonly string[]>();
  if (paths.size > MOST_LISTS) return { records, lists: done };
  let own: readonly unknown[] = records;
  for (const text of paths) {
    const path = text.split("\n");
    const lists = own.map((record) => readList(at(record, path)));
    const found = lists.filter((list) => list !== undefined);
    const names = [...new Set(found.flatMap((list) => list.map(([name]) => name)))];
    if (found.length < Math.max(1, MOSTLY * own.length) || names.length === 0 || names.length > MOST_SCORES) continue;
    own = own.map((record, i) => withScores(record, path, lists[i]));
    done.set(path.join("."), names);
  }
  return { records: own, lists: done };
}

/** Lists of records, one or two levels down. */
function candidates(record: JsonRecord): string[][] {
  return Object.entries(record).flatMap(([name, value]): string[][] => {
    if (readList(value) !== undefined) return [[name]];
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([inner, part]) => (readList(part) === undefined ? [] : [[name, inner]]));
  });
}

type NamedScore = readonly [name: string, score: number | boolean | null];

function readList(value: unknown): NamedScore[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const list = value.map(readScore);
  if (list.some((score) => score === undefined)) return undefined;
  const named = list as NamedScore[];
  return new Set(named.map(([name]) => name)).size === named.length && named.some(([, score]) => score !== null)
    ? named
    : undefined;
}

function readScore(part: unknown): NamedScore | undefined {
  if (!isRecord(part)) return undefined;
  const name = NAMES.map((key) => part[key]).find((text) => typeof text === "string" && text !== "");
  const key = SCORES.find((own) => own in part);
  const score = key === undefined ? undefined : part[key];
  if (typeof name !== "string" || !(typeof score === "number" || typeof score === "boolean" || score === null))
    return undefined;
  return [name, score];
}

function at(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (const key of path) value = isRecord(value) ? value[key] : undefined;
  return value;
}

function withScores(record: unknown, path: readonly string[], list: readonly NamedScore[] | undefined): unknown {
  if (!isRecord(record)) return record;
  const kept = without(record, path);
  const scores = (list ?? []).map(([name, score]) => [name in kept ? `${path.join(".")}.${name}` : name, score]);
  return { ...kept, ...Object.fromEntries(scores) };
}

function without(record: JsonRecord, [name, ...rest]: readonly string[]): JsonRecord {
  const { [name!]: own, ...others } = record;
  if (rest.length === 0 || !isRecord(own)) return others;
  const inner = without(own, rest);
  return Object.keys(inner).length === 0 ? others : { ...others, [name!]: inner };
}
