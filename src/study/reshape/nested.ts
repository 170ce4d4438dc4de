/** Records within a cell → one row for each.
 *    "annotations": [{"coherence": 2, …}, {"coherence": 4, …}]        judgements of one output, by raters whom nobody named or by worker_id
 *    "responses": [{"model": "a", "Overall": [3, 4, 4]}, …]           outputs of several systems on one item
 *    "system_summaries.s0": {"scores": …}, "system_summaries.s1": …   the same, by name
 *    "annotations": {"Ann7": "1", "Ann12": "0"}                       what each of several raters said
 *  Cells hold JSON text. Only records that carry numbers, verdicts or answers of named raters are unrolled, and only where the row itself has no
 *  score: messages, steps and the single tests behind a score stay as they are. */
import type { Decision } from "../../data/imported.ts";
import { isDecimal } from "../../data/levels.ts";
import { type Column, factorColumn, makeTable, numericColumn, type Table, takeCells } from "../../data/table.ts";
import { namedAsScore, saysWhatIsGood } from "../lexicon/metrics.ts";
import { INPUT_NAMES, ITEM_NAMES, RATER_NAMES, SYSTEM_NAMES } from "../lexicon/names.ts";
import { splitWords } from "../lexicon/words.ts";
import { freshName, type Reshaped } from "./reshaped.ts";

type Part = Readonly<Record<string, unknown>>;

interface Nested {
  readonly name: string;
  /** The records of each row. */
  readonly parts: readonly (readonly Part[])[];
}

const MOST_PARTS = 200;
const MOST_ROWS = 500_000;
const DEEPEST = 3;
const MOSTLY = 0.5;
/** What a run went through, was given or was made of: no judgements. */
const PROCESS =
  /message|histor|traj|tool|choice|conversation|dialog|log|step|turn|span|token|entit|usage|reference|chunk|document|context|retriev|action|event|input|file|source|candidate_answers/i;
const JUDGED = /annotat|rating|rater|judg|vote|review|opinion|response|answer|label|score|eval/i;
const ANSWER = /^(response|label|rating|vote|answer|annotation|judge?ment|verdict|preference|choice|score|value)s?$/i;
const NO_SCORE =
  /(^|_)(id|ids|idx|index|nr|no|time|timestamp|tstamp|start|end|offset|tokens|cost|turn|step|length|seed|count|runs|total)$/i;

export function findNested(table: Table): Reshaped | undefined {
  const answers = openAnswers(table);
  if (answers !== undefined) return answers;
  let found: Reshaped | undefined;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const own = found?.table ?? table;
    if (depth === 0 && hasScore(own)) return undefined;
    const next = unrollLists(own) ?? unrollSiblings(own) ?? (depth === 0 ? openVerdicts(own) : undefined);
    if (next === undefined) break;
    found = {
      ...next,
      reading: [...(found?.reading ?? []), ...next.reading],
      hints: [...(found?.hints ?? []), ...next.hints],
      unnamedRaters: found?.unnamedRaters === true || next.unnamedRaters === true,
    };
  }
  return found;
}

/** {"Ann7": "1", "Ann12": "0"}: the names are those of a list of raters beside it ("Ann7,Ann12"), or are made like one ("Ann7"). */
function openAnswers(table: Table): Reshaped | undefined {
  for (const [name, cells] of table.columns) {
    if (!JUDGED.test(name) || cells.kind === "numeric" || !cells.levels.every((level) => level.startsWith("{")))
      continue;
    const parsed = cells.levels.map(parse);
    if (parsed.length === 0 || !parsed.every(isAnswers)) continue;
    const rows = Array.from(cells.codes, (code) => (code < 0 ? [] : Object.entries(parsed[code]!)));
    const listed = [...table.columns].find(([, own]) => own !== cells && listsNames(own, rows))?.[0];
    if (listed === undefined && !rows.flat().every(([rater]) => RATER_KEY.test(rater))) continue;
    const keyName = freshName(table, "rater");
    const numbers = rows.flat().every(([, said]) => typeof said !== "boolean" && isDecimal(String(said)));
    const records = rows.map((own) =>
      own.map(([rater, said]) => ({ [keyName]: rater, [name]: numbers ? Number(said) : said })),
    );
    const hint = (role: Decision["role"], column: string): Decision => ({
      role,
      column,
      by: "file",
    });
    const score: Decision = { role: "score", column: name, by: "file" };
    return {
      table: spread(table, records, listed === undefined ? [name] : [name, listed], name),
      reading: [
        `${name}: each cell lists what each rater said, by name; each became a row, and column ${keyName} names the rater.`,
      ],
      hints: [hint("rater", keyName), score],
    };
  }
  return undefined;
}

/** Ann12, rater_3, worker-A7. */
const RATER_KEY = /^(ann|annot|annotator|rater|coder|judge|worker|user|participant|expert|evaluator)[ _.-]?[a-z]?\d+$/i;

const isAnswers = (value: unknown): value is Part =>
  isPart(value) && Object.values(value).every((own) => own !== null && typeof own !== "object");

/** Every cell names those who answered in its row, in whatever order, and now and then more than once. */
function listsNames(cells: Column, rows: readonly (readonly (readonly [string, unknown])[])[]): boolean {
  if (cells.kind === "numeric") return false;
  const names = cells.levels.map(
    (level) =>
      new Set(
        level
          .replace(/[[\]"']/g, "")
          .split(/[,;]/)
          .map((part) => part.trim()),
      ),
  );
  return rows.every((own, row) => {
    const listed = names[cells.codes[row]!];
    return listed === undefined
      ? own.length === 0
      : own.every(([rater]) => listed.has(rater)) && listed.size === own.length;
  });
}

/** A row that was scored itself is the unit. */
function hasScore(table: Table): boolean {
  return [...table.columns].some(([name, cells]) => {
    const logical =
      cells.kind === "factor" && cells.levels.length > 0 && cells.levels.every((l) => /^(true|false)$/i.test(l));
    if (cells.kind === "numeric" ? cells.values.every(Number.isNaN) : !logical) return false;
    const words = splitWords(name);
    if (NO_SCORE.test(words.join("_"))) return false;
    return namedAsScore(name) > 0;
  });
}

function unrollLists(table: Table): Reshaped | undefined {
  const lists = [...table.columns].flatMap(([name, cells]) => readLists(name, cells) ?? []);
  const judged = lists.filter((own) => !PROCESS.test(own.name) && own.parts.flat().some(carriesScore));
  const [first] = judged;
  if (first === undefined) return undefined;
  const group = judged.filter((own) => alike(first.parts, own.parts));
  if (judged.length > group.length && group.length > 1) return undefined;
  return stack(table, group.length === judged.length ? group : [first]);
}

/** Cells that are lists of records, empty lists among them. */
function readLists(name: string, cells: Column): Nested | undefined {
  if (cells.kind === "numeric" || cells.levels.length === 0 || !cells.levels.some((level) => level.startsWith("[{")))
    return undefined;
  const parsed = cells.levels.map((level) => {
    const value = parse(level);
    return Array.isArray(value) && value.every(isPart) && value.length <= MOST_PARTS ? (value as Part[]) : undefined;
  });
  if (parsed.includes(undefined)) return undefined;
  const parts = Array.from(cells.codes, (code) => (code < 0 ? [] : parsed[code]!));
  const filled = parts.filter((list) => list.length > 0).length;
  const total = parts.reduce((sum, list) => sum + list.length, 0);
  return filled >= MOSTLY * parts.length && total <= MOST_ROWS ? { name, parts } : undefined;
}

/** A record in every cell that says how the run went ({"is_correct": true, …}): its fields become columns. */
function openVerdicts(table: Table): Reshaped | undefined {
  for (const [name, cells] of table.columns) {
    if (PROCESS.test(name) || cells.kind === "numeric" || !cells.levels.every((level) => level.startsWith("{")))
      continue;
    const parsed = cells.levels.map(parse);
    if (parsed.length === 0 || !parsed.every(isPart)) continue;
    const rows = Array.from(cells.codes, (code) => [code < 0 ? {} : (parsed[code] as Part)]);
    if (rows.filter(([part]) => isVerdict(part!)).length < MOSTLY * table.rows) continue;
    const reading = [`${name}: each cell is a record; its fields became columns.`];
    return { table: spread(table, rows, [name], name), reading, hints: [] };
  }
  return undefined;
}

const isVerdict = (part: Part): boolean =>
  Object.entries(part).some(([name, value]) => {
    const words = splitWords(name);
    if (typeof value === "boolean") return /^(is|was)$/.test(words[0] ?? "") || namedAsScore(words.at(-1) ?? "") > 0;
    return typeof value === "number" && (namedAsScore(words.at(-1) ?? "") > 0 || saysWhatIsGood(name));
  });

/** Columns "prefix.key" that hold records with the same fields. */
function unrollSiblings(table: Table): Reshaped | undefined {
  const families = new Map<string, Sibling[]>();
  for (const [name, cells] of table.columns) {
    const dot = name.indexOf(".");
    if (dot < 1 || cells.kind === "numeric" || !cells.levels.some((level) => level.startsWith("{"))) continue;
    const parsed = cells.levels.map(parse);
    if (!parsed.every(isPart)) continue;
    const own = Array.from(cells.codes, (code) => (code < 0 ? undefined : (parsed[code] as Part)));
    const prefix = name.slice(0, dot);
    families.set(prefix, [...(families.get(prefix) ?? []), { key: name.slice(dot + 1), name, cells: own }]);
  }
  for (const [prefix, members] of families) {
    const parts = members.map(({ cells }) => cells.filter((cell) => cell !== undefined));
    if (members.length < 2 || PROCESS.test(prefix) || !parts.flat().some(carriesScore)) continue;
    if (parts.flat().every(sumsToOne)) continue;
    if (!members.every((_, k) => alike([parts[0]!], [parts[k]!]))) continue;
    const single = members.filter(({ key }) => !TOGETHER.test(key));
    return stackSiblings(table, prefix, single.length > 1 ? single : members, members);
  }
  return undefined;
}

/** {"0": 0.25, "1": 0.75}: how a judgement is spread over labels, which is no judgement of its own. */
function sumsToOne(part: Part): boolean {
  const values = Object.values(part);
  if (values.length < 2 || !values.every((value) => typeof value === "number" && value >= 0)) return false;
  return Math.abs((values as number[]).reduce((sum, value) => sum + value, 0) - 1) < 0.01;
}

/** Beside others it sums them up. */
const TOGETHER = /^(all|overall|average|avg|mean|total)$/i;

interface Sibling {
  readonly key: string;
  readonly name: string;
  readonly cells: readonly (Part | undefined)[];
}

function stackSiblings(
  table: Table,
  prefix: string,
  members: readonly Sibling[],
  all: readonly Sibling[] = members,
): Reshaped {
  const systems = splitWords(prefix).some((word) => /^(systems?|models?|methods?|engines?)$/.test(word));
  const ofSystems = [...table.columns.keys()].some((name) => SYSTEM_NAMES.includes(splitWords(name).join("_")));
  const measures = !systems && areMeasures(prefix, members, ofSystems);
  const keyName = freshName(table, systems ? "system" : measures ? "metric" : "key");
  const rows = Array.from({ length: table.rows }, (_, row) =>
    members.flatMap(({ key, cells }) => (cells[row] === undefined ? [] : [{ [keyName]: key, ...cells[row] }])),
  );
  const named = members.map(({ name }) => name);
  const summed = all.filter((member) => !members.includes(member)).map(({ name }) => name);
  const told =
    `${named[0]} … ${named.at(-1)} are records with the same fields: one row for each, and column ${keyName} names it` +
    `${summed.length === 0 ? "" : `; ${summed.join(", ")} sums up the others and is left out`}.`;
  const hint: Decision = { role: "system", column: keyName, by: "file" };
  const item: Decision = {
    role: "item",
    column: keyName,
    by: "file",
  };
  const metric: Decision = { ...item, role: "metric" };
  const hints = systems ? [hint] : measures ? [metric] : ofSystems ? [item] : [];
  return { table: spread(table, rows, [...named, ...summed], prefix), reading: [told], hints };
}

/** {"scores": {"em": {"value": 1, …}, "f1": {"value": 0.4, …}}}: measures of one row, which have no mean. */
const areMeasures = (prefix: string, members: readonly Sibling[], ofSystems: boolean): boolean =>
  members.every(({ key }) => saysWhatIsGood(key)) ||
  (ofSystems &&
    splitWords(prefix).some((word) => /^(scores?|metrics?|measures?|criteria|grades?|ratings?)$/.test(word)));

/** One row for each record; where several columns list them, a column says which. */
function stack(table: Table, group: readonly Nested[]): Reshaped {
  const fields = new Set(group.flatMap(({ parts }) => parts.flat().flatMap(Object.keys)));
  const has = (names: readonly string[]): boolean =>
    [...fields].some((name) => names.includes(splitWords(name).join("_")));
  const unnamed = !has(RATER_NAMES) && !has(SYSTEM_NAMES) && group.every(({ name }) => JUDGED.test(name));
  const keyName = freshName(table, unnamed ? "rater" : "item");
  const groupName = freshName(table, "raters");
  const short = shortNames(group.map(({ name }) => name));
  const numbered = unnamed || !(has(RATER_NAMES) || has(SYSTEM_NAMES));
  const rows = Array.from({ length: table.rows }, (_, row) =>
    group.flatMap(({ parts }, g) =>
      parts[row]!.map((part, i) => ({
        ...(group.length > 1 ? { [groupName]: short[g] } : {}),
        ...(numbered
          ? { [keyName]: unnamed ? (group.length > 1 ? `${short[g]} ${i + 1}` : i + 1) : `${row + 1}.${i + 1}` }
          : {}),
        ...part,
      })),
    ),
  );
  const names = group.map(({ name }) => name);
  const empty = rows.filter((list) => list.length === 0).length;
  const told = `${names.join(", ")}: each cell lists records; each became a row${unnamed ? `. Column ${keyName} is the place in the list, which need not be the same person in every row` : ""}${numbered && !unnamed ? `, which is an item (column ${keyName}: row of the file, place in the list)` : ""}${empty === 0 ? "" : `; ${empty} of ${table.rows} cells list none`}.`;
  const hint: Decision = {
    role: "rater",
    column: keyName,
    by: "file",
  };
  const part: Decision = {
    role: "item",
    column: keyName,
    by: "file",
  };
  return {
    table: spread(table, rows, names, names[0]!),
    reading: [told],
    hints: [...(unnamed ? [hint] : numbered ? [part] : []), ...(has(SYSTEM_NAMES) ? askedIn(table) : [])],
    unnamedRaters: unnamed,
  };
}

/** Where each row lists several systems, what they were given is the item. */
function askedIn(table: Table): Decision[] {
  const named = [...table.columns].filter(([name, cells]) => {
    const words = splitWords(name).join("_");
    const distinct = cells.kind === "factor" ? new Set(cells.codes).size : new Set(cells.values).size;
    return distinct === table.rows && [...ITEM_NAMES, ...INPUT_NAMES].includes(words);
  });
  return named.slice(0, 1).map(
    ([name]): Decision => ({
      role: "item",
      column: name,
      by: "file",
    }),
  );
}

/** expert_annotations, turker_annotations: expert, turker. */
function shortNames(names: readonly string[]): string[] {
  const words = names.map((name) => name.split("_"));
  const tail = words[0]!.at(-1);
  const same = names.length > 1 && words.every((own) => own.length > 1 && own.at(-1) === tail);
  return words.map((own) => (same ? own.slice(0, -1) : own).join("_"));
}

/** Rows repeated for each of their records, whose fields become columns; one level of objects becomes "a.b". */
function spread(table: Table, rows: readonly (readonly Part[])[], drop: readonly string[], prefix: string): Table {
  const source = Int32Array.from(rows.flatMap((parts, row) => parts.map(() => row)));
  const flat = rows.flat().map(flatten);
  const fields = [...new Set(flat.flatMap(Object.keys))];
  const kept = [...table.columns].filter(([name]) => !drop.includes(name));
  const taken = new Set(kept.map(([name]) => name));
  const added = fields.map((field): readonly [string, Column] => {
    const values = flat.map((part) => part[field]);
    return [taken.has(field) ? freshName(table, `${prefix}.${field}`) : field, columnOf(values)];
  });
  return makeTable(
    [...kept.map(([name, cells]) => [name, takeCells(cells, source)] as const), ...added],
    source.length,
  );
}

function flatten(part: Part): Part {
  return Object.fromEntries(
    Object.entries(part).flatMap(([name, value]): [string, unknown][] =>
      isPart(value)
        ? Object.entries(value).map(([inner, own]) => [`${name}.${inner}`, plainValue(own)])
        : [[name, value]],
    ),
  );
}

/** {"value": 4} is 4, as tools write an answer that may have a unit or a state beside it. */
const plainValue = (cell: unknown): unknown =>
  isPart(cell) && Object.keys(cell).length === 1 && "value" in cell ? cell["value"] : cell;

function columnOf(values: readonly unknown[]): Column {
  const known = values.filter((value) => value !== null && value !== undefined);
  if (known.every((value) => typeof value === "number"))
    return numericColumn(values.map((value) => (typeof value === "number" ? value : Number.NaN)));
  return factorColumn(
    values.map((value) =>
      value === null || value === undefined ? null : typeof value === "object" ? JSON.stringify(value) : String(value),
    ),
  );
}

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Numbers or verdicts that are no ids or times; or the answer of somebody who is named. */
function carriesScore(part: Part): boolean {
  const entries = Object.entries(part);
  const named = entries.some(([name]) => RATER_NAMES.includes(splitWords(name).join("_")));
  return entries.some(([name, value]) => {
    if (NO_SCORE.test(splitWords(name).join("_")) || PROCESS.test(name)) return false;
    if (typeof value === "number" || typeof value === "boolean") return true;
    if (typeof value === "string") return named && ANSWER.test(name);
    if (Array.isArray(value))
      return value.length > 0 && value.every((own) => typeof own === "number" || (isPart(own) && carriesScore(own)));
    return isPart(value) && carriesScore(value);
  });
}

/** Half of the fields, or more, in common. */
function alike(a: Nested["parts"], b: Nested["parts"]): boolean {
  const fields = (parts: Nested["parts"]): Set<string> => new Set(parts.flat().flatMap(Object.keys));
  const [ours, theirs] = [fields(a), fields(b)];
  const shared = [...ours].filter((name) => theirs.has(name)).length;
  return shared >= MOSTLY * Math.max(ours.size, theirs.size);
}
