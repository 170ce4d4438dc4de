/** JSON documents as people write them → a list of flat records, by one rule: what repeats is a row, what names the repetition is a column.
 *    {"q1": {…}, "q2": {…}}                         one record a key: the key becomes a column
 *    {"eval": {"t1": [{…}, {…}], "t2": [{…}]}}      lists of records by key: key, number within the list
 *    {"results": {"t1": {"acc": …, "acc_stderr": …}}}   the same, one level down; the rest of the document is left out and named
 *    {"sysA": {"q1": 0.5, "q2": 1}, "sysB": {…}}    numbers by two keys: key, key_2, value
 *    {"resolved_ids": ["a"], "error_ids": ["b"]}    lists of names: one row a name, one column a list
 *    {"a": {…}, "b": {…}, "config": {…}}            records by key beside how the run was set up, which is left out
 *    {"preds": [{…}, …], "golds": [{…}, …]}         lists of the same length: their records side by side
 *    {"runner": "x", "scores": [0.1, …]}            numbers in a list beside what they are about
 *    {"q1": "text", "q2": "text"}                   texts by key
 *    {"columns": ["a", "b"], "data": [[1, 2], …]}   pandas, orient="split"; a list of lists under a header likewise
 *  Nothing is computed; whoever reads is told what was done. */
import { metricDirection } from "../../study/lexicon/metrics.ts";
import { SYSTEM_NAMES } from "../../study/lexicon/names.ts";
import { splitWords } from "../../study/lexicon/words.ts";
import { ImportBudget } from "../budget.ts";
import { ALIKE, areAlike, overlap } from "./alike.ts";
import { isRecord, type JsonRecord } from "./records.ts";

export interface Unrolled {
  readonly records: readonly JsonRecord[];
  /** What was done, one plain sentence each. */
  readonly reading: readonly string[];
  /** Parts of the document that are not in the records. */
  readonly leftOut: readonly string[];
}

/** Records in a document that is no list of them; undefined where no rule applies. */
export function unrollJson(value: unknown, budget = new ImportBudget()): Unrolled | undefined {
  if (Array.isArray(value)) return fromHeader(value, []);
  if (!isRecord(value)) return undefined;
  return (
    fromSplit(value) ??
    fromParallel(value) ??
    fromJudgements(value) ??
    fromKeys(value) ??
    fromMostKeys(value) ??
    fromIdLists(value, budget) ??
    fromPart(value) ??
    fromResults(value) ??
    fromOneRecord(value, budget) ??
    fromScalars(value) ??
    fromTexts(value) ??
    fromNumbers(value) ??
    fromNestedRecord(value)
  );
}

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;
const isNumberLike = (value: unknown): boolean => typeof value === "number" || typeof value === "boolean";
const isRecordList = (value: unknown): value is JsonRecord[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);

/** A list of lists whose first names the columns. */
function fromHeader(rows: readonly unknown[], leftOut: readonly string[]): Unrolled | undefined {
  const [header, ...rest] = rows;
  if (rest.length === 0 || !rows.every((row) => Array.isArray(row))) return undefined;
  const names = header as readonly unknown[];
  if (!names.every((name) => typeof name === "string") || new Set(names).size < names.length) return undefined;
  const lists = rest as readonly (readonly unknown[])[];
  if (lists.some((list) => list.length !== names.length)) return undefined;
  return {
    records: lists.map((list) => Object.fromEntries(names.map((name, j) => [name as string, list[j]]))),
    reading: ["The first list names the columns of the others."],
    leftOut,
  };
}

function fromSplit(value: JsonRecord): Unrolled | undefined {
  const { columns, data } = value;
  if (!Array.isArray(columns) || !Array.isArray(data)) return undefined;
  const others = Object.keys(value).filter((key) => key !== "columns" && key !== "data" && key !== "index");
  const found = fromHeader([columns, ...data], others);
  return found === undefined
    ? undefined
    : { ...found, reading: ["columns names the columns of the lists under data."] };
}

/** Two or more lists of records of one length, which go on side by side. Where they share an id, it is the same row by row. */
function fromParallel(value: JsonRecord): Unrolled | undefined {
  const lists = Object.entries(value).filter((entry): entry is [string, JsonRecord[]] => isRecordList(entry[1]));
  const [first, second] = lists;
  if (first === undefined || second === undefined || first[1].length < 2) return undefined;
  if (lists.some(([, list]) => list.length !== first[1].length)) return undefined;
  const shared = Object.keys(first[1][0]!).filter((name) => lists.every(([, list]) => name in list[0]!));
  const ids = shared.filter((name) => /(^|_)id$/i.test(name));
  const same = (name: string): boolean =>
    first[1].every((record, i) => isScalar(record[name]) && lists.every(([, list]) => list[i]![name] === record[name]));
  if (ids.length === 0 || !ids.every(same)) return undefined;
  const records = first[1].map((record, i) =>
    Object.fromEntries([
      ...ids.map((name) => [name, record[name]]),
      ...lists.flatMap(([key, list]) =>
        Object.entries(list[i]!).flatMap(([name, cell]) =>
          ids.includes(name) ? [] : [[shared.includes(name) ? `${key}.${name}` : name, cell]],
        ),
      ),
    ]),
  );
  const names = lists.map(([key]) => key);
  return {
    records,
    reading: [
      `${names.join(" and ")} list the same ${ids.join(", ")} in the same order: their records stand side by side.`,
    ],
    leftOut: Object.keys(value).filter((key) => !names.includes(key)),
  };
}

/** {"q1": {"doc7": 3, "doc9": 0}, …}: which documents are relevant to a query, in few whole steps. */
function fromJudgements(value: JsonRecord): Unrolled | undefined {
  const entries = Object.entries(value);
  if (entries.length < 2 || !entries.every(([, part]) => isRecord(part) && Object.keys(part).length > 0))
    return undefined;
  const cells = entries.flatMap(([query, part]) =>
    Object.entries(part as JsonRecord).map(([doc, relevance]) => ({
      query_id: query,
      doc_id: doc,
      relevance,
    })),
  );
  const steps = cells.every(
    ({ relevance }) => Number.isInteger(relevance) && Number(relevance) >= 0 && Number(relevance) <= MOST_STEPS,
  );
  const documents = new Set(cells.map(({ doc_id }) => doc_id));
  const named = [...documents].every((name) => /\d/.test(name) && metricDirection(name) === undefined);
  // documents are judged for few queries; what every key has is measured
  if (!steps || !named || documents.size * 2 <= cells.length || documents.size <= entries.length) return undefined;
  return {
    records: cells,
    reading: [
      "The document holds documents by query, each with its relevance: columns query_id, doc_id and relevance.",
    ],
    leftOut: [],
  };
}

const MOST_STEPS = 4;

/** How a run was set up and when it was. */
const SETUP =
  /^(config|configs|configuration|config_\w+|args|arguments|settings|metadata|meta|params|parameters|versions?|info|environment|env|git_hash|generated_at|timestamp|date|schema_version|summary_\w+|run_info|hyperparameters)$/i;

/** Records by key beside the settings of the run. */
function fromResults(value: JsonRecord): Unrolled | undefined {
  const kept = Object.entries(value).filter(([key]) => !SETUP.test(key));
  if (kept.length === 0 || kept.length === Object.keys(value).length) return undefined;
  const rest = Object.fromEntries(kept);
  const found = kept.length > 1 ? (fromKeys(rest) ?? fromMostKeys(rest)) : undefined;
  const left = Object.keys(value).filter((key) => SETUP.test(key));
  return found === undefined ? undefined : { ...found, leftOut: [...left, ...found.leftOut] };
}

/** One text a key: what was answered to each question. */
function fromTexts(value: JsonRecord): Unrolled | undefined {
  const entries = Object.entries(value);
  if (entries.length < FEWEST_TEXTS || !entries.every(([, cell]) => typeof cell === "string")) return undefined;
  return {
    records: entries.map(([key, cell]) => ({ key, answer: cell })),
    reading: ["The document is an object with one text a key: columns key and answer."],
    leftOut: [],
  };
}

const FEWEST_TEXTS = 10;

/** One list of numbers; what stands beside it is about all of them. */
function fromNumbers(value: JsonRecord): Unrolled | undefined {
  const entries = Object.entries(value);
  const lists = entries.filter(([, cell]) => Array.isArray(cell));
  const [list] = lists;
  if (list === undefined || lists.length > 1 || entries.some(([, cell]) => isRecord(cell))) return undefined;
  const [name, numbers] = list as [string, unknown[]];
  if (numbers.length < 2 || !numbers.every(isNumberLike)) return undefined;
  const about = Object.fromEntries(entries.filter(([key]) => key !== name));
  return {
    records: numbers.map((number, i) => ({ ...about, item: i + 1, [name]: number })),
    reading: [`${name} lists ${numbers.length} numbers: one row for each, with its place in the list (column item).`],
    leftOut: [],
  };
}

/** Numbers and texts, and records within the record: the totals of one run. */
function fromNestedRecord(value: JsonRecord): Unrolled | undefined {
  const entries = Object.entries(value);
  const cells = entries.flatMap(([, cell]) => (isRecord(cell) ? Object.values(cell) : [cell]));
  const scalars = entries.filter(([, cell]) => isScalar(cell)).length;
  if (scalars === 0 || !cells.some((cell) => typeof cell === "number")) return undefined;
  return { records: [value], reading: ["The document is one record: one row."], leftOut: [] };
}

type Row = { readonly keys: readonly string[]; readonly record: JsonRecord };

/** An object whose values are all records, lists of records, or such objects again. */
function fromKeys(value: JsonRecord): Unrolled | undefined {
  // a single name is a heading, not a key
  if (Object.keys(value).length < 2) return undefined;
  const rows = keyedRows(value, []);
  if (rows === undefined) return undefined;
  const depth = rows[0]!.keys.length;
  const names = nameKeys(rows, depth);
  const kept = withoutAverages(
    rows,
    names.findIndex(({ name }) => name === "task"),
  );
  const records = kept.map(({ keys, record }) => ({
    ...Object.fromEntries(names.flatMap(({ name, own }, level) => (own ? [] : [[name, keys[level]]]))),
    ...record,
  }));
  const made = names.filter(({ own }) => !own).map(({ name }) => name);
  const known = names.filter(({ own }) => own).map(({ name }) => name);
  const numbered = rows.some(({ record }) => NUMBER in record);
  const parts = [
    ...(made.length === 0 ? [] : [`its keys are column ${made.join(", ")}`]),
    ...(known.length === 0 ? [] : [`its keys are those of column ${known.join(" and ")}`]),
    ...(numbered ? [`${NUMBER} numbers the records under one key`] : []),
    ...(kept.length < rows.length ? ["the average over the others is left out"] : []),
  ];
  return { records, reading: [`The document is an object with one entry a key: ${parts.join("; ")}.`], leftOut: [] };
}

/** So many entries must be alike before what stands beside them passes for another thing. */
const FEWEST_ALIKE = 5;
const MOST = 0.8;

/** Records by key, and one or two other things beside them: a matrix, a date. */
function fromMostKeys(value: JsonRecord): Unrolled | undefined {
  const entries = Object.entries(value);
  const shapes = entries.map(([, part]) => (isRecord(part) ? Object.keys(part).sort().join("\n") : undefined));
  const counts = new Map<string, number>();
  for (const shape of shapes) if (shape !== undefined) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const [common] = [...counts].sort((a, b) => b[1] - a[1]);
  if (common === undefined) return undefined;
  const names = new Set(common[0].split("\n"));
  const own = entries.filter(([, part]) => isRecord(part) && overlap(new Set(Object.keys(part)), names) >= ALIKE);
  const scalars = entries.filter(([, part]) => isScalar(part)).length;
  // numbers beside records of one shape, as in a report by class, are about all of them
  const beside =
    scalars > 0 && own.length + scalars === entries.length && common[1] === own.length && own.length > scalars;
  const many = own.length >= Math.max(FEWEST_ALIKE, MOST * entries.length);
  if (own.length === entries.length || own.length < 2 || !(many || beside)) return undefined;
  const found = fromKeys(Object.fromEntries(own));
  if (found === undefined) return undefined;
  const kept = new Set(own.map(([key]) => key));
  return { ...found, leftOut: entries.filter(([key]) => !kept.has(key)).map(([key]) => key) };
}

/** "all" beside tasks is their average, no task. */
function withoutAverages(rows: readonly Row[], task: number): readonly Row[] {
  if (task < 0) return rows;
  const others = rows.filter(({ keys }) => !/^(all|average|avg|overall|mean|macro_avg)$/i.test(keys[task]!));
  return others.length > 0 ? others : rows;
}

/** The place of a record among several under one key. */
const NUMBER = "repeat";
const VALUE = "value";
const MOST_KEYS = 4;
/** So many names under each key are names of things, not of properties. */
const MANY_NAMES = 12;

function keyedRows(value: JsonRecord, keys: readonly string[]): Row[] | undefined {
  // {} under a key says that there is nothing
  const entries = Object.entries(value).filter(([, part]) => !isRecord(part) || Object.keys(part).length > 0);
  if (entries.length === 0 || keys.length >= MOST_KEYS) return undefined;
  if (entries.every(([, part]) => isRecordList(part)) && (entries.length > 1 || keys.length > 0)) {
    const lists = entries as [string, JsonRecord[]][];
    if (!areAlike(lists.map(([, list]) => list[0]!)) && lists.length > 1) return undefined;
    const several = lists.some(([, list]) => list.length > 1);
    return lists.flatMap(([key, list]) =>
      list.map((record, i) => ({ keys: [...keys, key], record: several ? { [NUMBER]: i + 1, ...record } : record })),
    );
  }
  if (!entries.every(([, part]) => isRecord(part))) return undefined;
  const parts = entries as [string, JsonRecord][];
  const deeper = parts.map(([key, part]) => keyedRows(part, [...keys, key]));
  if (deeper.every((rows) => rows !== undefined) && sameDepth(deeper) && areLeavesAlike(deeper)) return deeper.flat();
  const own = parts.map(([, part]) => part);
  // one run of a task is a run as well; whether it is like those of the other tasks is seen above
  const lone = own.length === 1 && keys.length > 0 && RUN_KEY.test(parts[0]![0]);
  if (!lone && !own.every(hasErrors) && (!areAlike(own) || ofTwoKinds(own))) return undefined;
  if (parts.every(([, part]) => namesThings(part))) {
    return parts.flatMap(([key, part]) =>
      Object.entries(part).map(([inner, cell]) => ({ keys: [...keys, key, inner], record: { [VALUE]: cell } })),
    );
  }
  return parts.map(([key, part]) => ({ keys: [...keys, key], record: part }));
}

/** Totals with their errors: tasks may be measured in other ways. */
const hasErrors = (part: JsonRecord): boolean =>
  Object.keys(part).some((name) => /_stderr\b/.test(name) && name.replace(/_stderr\b/, "") in part);

/** When or in which go something was run. */
const RUN_KEY = /^\d{4}-\d\d-\d\d|^(run|seed|trial)[-_ ]?\d+$/i;

/** A task may have measures that no other has. */
const NEARLY_ALL = 0.9;

/** Runs that stand alone under their keys were not held against each other yet. */
function areLeavesAlike(lists: readonly Row[][]): boolean {
  if (lists.every((rows) => rows.length > 1)) return true;
  return areAlike(
    lists.flat().map(({ record }) => record),
    NEARLY_ALL,
  );
}

/** Under the same names one part has records and another numbers: results beside versions. */
function ofTwoKinds(parts: readonly JsonRecord[]): boolean {
  const [first, ...others] = parts as [JsonRecord, ...JsonRecord[]];
  const own = new Map(Object.entries(first).map(([name, part]) => [name, isRecord(part)]));
  const mixed = new Set<string>();
  for (const other of others) {
    for (const [name, part] of Object.entries(other)) {
      const record = own.get(name);
      if (record !== undefined && record !== isRecord(part)) mixed.add(name);
    }
  }
  return mixed.size * 2 > own.size;
}

const sameDepth = (lists: readonly Row[][]): boolean => new Set(lists.flat().map(({ keys }) => keys.length)).size === 1;

/** Only numbers, under so many names, or under numbers as names, that these are items. */
function namesThings(part: JsonRecord): boolean {
  const entries = Object.entries(part);
  if (entries.length < 2 || !entries.every(([, cell]) => isNumberLike(cell))) return false;
  // ndcg@10, recall_100: measures at a depth
  if (entries.filter(([name]) => metricDirection(name) !== undefined).length * 2 > entries.length) return false;
  return entries.length > MANY_NAMES || entries.every(([name]) => /\d/.test(name));
}

/** A level of keys that a field of the records repeats needs no column of its own. Keys of totals with their errors are tasks. */
function nameKeys(rows: readonly Row[], depth: number): { name: string; own: boolean }[] {
  const totals = rows.some(({ record }) => hasErrors(record));
  const runs = Array.from({ length: depth }, (_, level) =>
    rows.every(({ keys }) => RUN_KEY.test(keys[level]!)) ? (/^\d/.test(rows[0]!.keys[level]!) ? "date" : "run") : "",
  );
  const inner = runs.lastIndexOf("");
  return Array.from({ length: depth }, (_, level) => {
    const field = Object.keys(rows[0]!.record).find((name) =>
      rows.every(({ keys, record }) => isScalar(record[name]) && String(record[name]) === keys[level]),
    );
    if (field !== undefined) return { name: field, own: true };
    const key = level === 0 ? "key" : `key_${level + 1}`;
    const plain = runs[level] !== "" ? runs[level]! : totals && level === inner ? "task" : key;
    const name = rows.some(({ record }) => plain in record) ? `${plain}_of` : plain;
    return { name, own: false };
  });
}

/** Lists of the same kind of names, one for each outcome. */
function fromIdLists(value: JsonRecord, budget: ImportBudget): Unrolled | undefined {
  const lists = Object.entries(value).filter(
    (entry): entry is [string, string[]] =>
      Array.isArray(entry[1]) && entry[1].every((name) => typeof name === "string"),
  );
  const filled = lists.filter(([, list]) => list.length > 0);
  if (filled.length < 2 || lists.some(([, list]) => new Set(list).size < list.length)) return undefined;
  // columns of a table have one length and no names in common; outcomes are about the same names
  const all = new Set(filled.flatMap(([, list]) => list));
  const total = filled.reduce((sum, [, list]) => sum + list.length, 0);
  const outcomes = lists.filter(([name]) => OUTCOME.test(name)).length;
  if (outcomes < 2 && all.size === total) return undefined;
  budget.checkTable(all.size, lists.length + 1);
  // the verdict comes first: whether an item was resolved says more than whether the run was completed
  const verdict = ([name]: readonly [string, unknown]): number => Number(VERDICT.test(name));
  const members = [...lists]
    .sort((a, b) => verdict(b) - verdict(a))
    .map(([name, list]) => [name.replace(/_?ids$/i, ""), new Set(list)] as const);
  const records = [...all].map((id) => ({
    item: id,
    ...Object.fromEntries(members.map(([name, set]) => [name, set.has(id)])),
  }));
  const names = lists.map(([name]) => name);
  const listed = new Set(names);
  return {
    records,
    reading: [
      `${names.join(", ")} are lists of items: one row for each item, and for each list whether it names the item.`,
    ],
    leftOut: Object.keys(value).filter((key) => !listed.has(key)),
  };
}

const VERDICT = /^(resolved|solved|passed|correct|success)/i;
const OUTCOME =
  /resolved|passed|failed|solved|error|completed|submitted|correct|incorrect|applied|empty|generated|timeout/i;

/** The one part of a document that holds rows, or nearly all of them. */
function fromPart(value: JsonRecord): Unrolled | undefined {
  const found = Object.entries(value).flatMap(([key, part]) => {
    const unrolled = partRows(part);
    return unrolled === undefined ? [] : [{ key, unrolled }];
  });
  // what was asked stands beside what came out of it
  const results = found.filter(({ key }) => ROWS.test(key));
  const named = results.length > 0 ? results : found.filter(({ key }) => INPUTS.test(key));
  const [one, next] = (named.length > 0 ? named : found).sort((a, b) => rowsOf(b) - rowsOf(a));
  if (one === undefined || (next !== undefined && rowsOf(one) < MANY_MORE * rowsOf(next))) return undefined;
  const { records, reading, leftOut } = one.unrolled;
  return {
    records,
    reading: [
      `The rows were taken from "${one.key}".`,
      ...reading.map((text) => text.replace(/^The document/, `"${one.key}"`)),
    ],
    leftOut: [...Object.keys(value).filter((key) => key !== one.key), ...leftOut.map((key) => `${one.key}.${key}`)],
  };
}

/** A list with so many times the records of the next is what the document is about: results beside a list of models. */
const MANY_MORE = 5;
const rowsOf = ({ unrolled }: { readonly unrolled: Unrolled }): number => unrolled.records.length;

const ROWS =
  /^(results?|eval|evals|evaluations?|simulations|runs|trials|trajectories|performances|data|samples|scores|records|rows|predictions|details)$/i;
const INPUTS = /^(instances|items|examples|tasks|questions|prompts|test_?cases)$/i;

function partRows(part: unknown): Unrolled | undefined {
  if (isRecordList(part)) return { records: part, reading: [], leftOut: [] };
  if (!isRecord(part)) return undefined;
  return fromSplit(part) ?? fromKeys(part) ?? fromPart(part);
}

/** One record: texts beside numbers, or measures under their own names. */
function fromOneRecord(value: JsonRecord, { limits }: ImportBudget): Unrolled | undefined {
  const entries = Object.entries(value);
  // more fields than a table may have columns are no fields
  if (entries.length > limits.columns) return undefined;
  const numbers = entries.filter(([, cell]) => typeof cell === "number");
  if (numbers.length === 0 || !entries.every(([, cell]) => isScalar(cell))) return undefined;
  const measures = numbers.filter(([name]) => metricDirection(name) !== undefined).length;
  const spreads = numbers.filter(
    ([name]) => name.replace(/[:_](std|stderr)$/, "") !== name && name.replace(/[:_](std|stderr)$/, "") in value,
  );
  const ofSystem = entries.some(
    ([name, cell]) => typeof cell === "string" && SYSTEM_NAMES.includes(splitWords(name).join("_")),
  );
  const known = measures > 0 && 2 * measures >= numbers.length;
  if (!known && !ofSystem && 3 * spreads.length < numbers.length) return undefined;
  return { records: [value], reading: ["The document is one record: the totals of one run."], leftOut: [] };
}

/** One number a key. */
function fromScalars(value: JsonRecord): Unrolled | undefined {
  const entries = Object.entries(value);
  if (entries.length < FEWEST_SCALARS || !entries.every(([, cell]) => isScalar(cell) && isNumberLike(cell)))
    return undefined;
  return {
    records: entries.map(([key, cell]) => ({ key, [VALUE]: cell })),
    reading: [`The document is an object with one number a key: columns key and ${VALUE}.`],
    leftOut: [],
  };
}

const FEWEST_SCALARS = 3;
