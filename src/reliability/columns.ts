/** Which columns hold the scores or labels, what is measured, and what varies: as the options say, otherwise as the study does; what neither
 *  says is asked. */
import { type Imported, NO_ROLES, type Roles } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import { keyColumns, withKeyColumn } from "../data/reshape.ts";
import { asFactor, column, factorColumn, isMissing, selectRows, type Table, withColumn } from "../data/table.ts";
import { note } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import { present } from "../result/present.ts";
import { listNames } from "../result/quote.ts";
import type { Diagnostic } from "../result/result.ts";
import { tellRatersApart } from "../significance/compare/reading/checks.ts";
import { askColumn, askRepeats } from "../study/asks.ts";
import { clusterByName, countGroups, FEWEST_FOUND_CLUSTERS } from "../study/clusters.ts";
import { isGoldName, isSystemName } from "../study/lexicon/names.ts";
import { type SingleVotes, singleVotes, votesOf } from "../study/reshape/single-votes.ts";
import { orderWords } from "../study/reshape/word-scales.ts";
import { Question, refuseUnfit, tellDone } from "../study/tell.ts";
import { understandTable } from "../study/understand.ts";

/** A table, or what an importer found. */
export type Ratings = Table | Study;

type Study = Pick<Imported, "table" | "roles"> & Partial<Pick<Imported, "unnamedRaters" | "decisions" | "unfit">>;

const studyOf = (data: Ratings): Study => ("roles" in data ? data : understandTable(data));

export interface RatingNames {
  readonly score?: string | undefined;
  readonly object?: string | undefined;
  /** Raters, seeds, prompts, settings. */
  readonly varied?: readonly string[] | undefined;
}

export interface ChosenRatings {
  readonly table: Table;
  readonly score: string;
  readonly object?: string;
  readonly varied: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The score alone. */
export function scoreOf(data: Ratings, score: string | undefined): { readonly table: Table; readonly score: string } {
  if (score !== undefined) return { table: "roles" in data ? data.table : data, score };
  const { table, roles } = studyOf(data);
  if (roles.score === undefined) throw new Question(askColumn("score", table, roles));
  return { table, score: roles.score };
}

/** Where a table is given and all is named, nothing is guessed: without `object` there is none. */
export function chooseRatings(
  data: Ratings,
  { score, object, varied }: RatingNames,
  find: (roles: Roles, table: Table) => string[],
): ChosenRatings {
  if (!("roles" in data) && score !== undefined && varied !== undefined)
    return { table: withKeyColumn(data, object), score, varied, ...present({ object }), diagnostics: [] };
  const { table, roles } = studyOf(data);
  const votes = score === undefined || score === roles.score ? singleVotes(table, roles) : undefined;
  if (votes !== undefined) {
    // a vote is of both systems at once
    const { system: _, ...others } = roles;
    return chooseVotes(votes, roles, { object, varied: varied ?? find(others, table) });
  }
  const measured = object ?? roles.item;
  const names = varied ?? find(roles, table);
  const own = score ?? roles.score;
  if (own === undefined) throw new Question(askColumn("score", table, roles));
  const told = [
    ...(score === undefined ? otherScores(roles, own) : []),
    ...ratersApart(roles, table, own),
    ...pooledSystems(roles, table, [...(keyColumns(table, measured) ?? [measured ?? ""]), ...names]),
  ];
  return {
    table: withKeyColumn(table, measured),
    score: own,
    varied: names,
    ...present({ object: measured }),
    diagnostics: told,
  };
}

/** Of several scores one was taken. */
function otherScores({ metrics }: Roles, own: string): Diagnostic[] {
  const others = metrics.filter((name) => name !== own);
  if (others.length === 0) return [];
  const message = `taken by ${own}; there ${others.length === 1 ? "is" : "are"} also ${listNames(others)}.`;
  return [note("OtherScores", message, `Option \`score: ${others[0]}\` takes another.`)];
}

export interface LabelNames {
  readonly item?: string | readonly string[] | undefined;
  readonly rater?: string | undefined;
  /** What raters gave: a label, or a score. */
  readonly label?: string | undefined;
  /** Units that are correlated, or "none". */
  readonly cluster?: string | undefined;
  readonly scale?: string | undefined;
  readonly categories?: readonly string[] | undefined;
}

export interface ChosenLabels {
  readonly table: Table;
  readonly columns: { readonly item: readonly string[]; readonly rater: string; readonly label: string };
  readonly cluster?: string | undefined;
  /** The raters of an item are numbered, and nobody knows who they are. */
  readonly unnamed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly assumed: readonly string[];
}

/** What raters said of items. A vote between two systems is one label, the system preferred; words of a scale get its order. */
export function chooseLabels(data: Ratings, named: LabelNames): ChosenLabels {
  const { item, rater, label, scale, categories } = named;
  const complete = !("roles" in data) && item !== undefined && rater !== undefined && label !== undefined;
  const study: Study = complete ? { table: data, roles: NO_ROLES } : studyOf(data);
  const { roles } = study;
  if (rater === undefined) refuseUnfit(study);
  const votes = complete ? votesOf(data, label) : votesIn(study, label);
  const { table } = votes ?? study;
  const own = rater ?? roles.rater;
  if (own === undefined) throw new Question(askColumn("rater", table, roles));
  const said = votes?.label ?? label ?? labelOf(study);
  if (said === undefined) throw new Question(askColumn("label", table, roles));
  const columns = { item: itemsOf(study, item, votes), rater: own, label: said };
  if (item === undefined) askRepeated(table, columns, { pair: votes?.pair, repeat: roles.repeat });
  // an order that the caller gives, or a scale without one, needs none of the words
  const ordered = categories !== undefined || scale === "nominal" ? undefined : orderWords(table, said);
  const others = votes === undefined && label === undefined ? otherScores(roles, said) : [];
  return {
    table: ordered?.table ?? table,
    columns,
    cluster: clusterOfLabels(table, columns, { roles, told: named.cluster, pair: votes?.pair }),
    unnamed: study.unnamedRaters === true && own === roles.rater,
    diagnostics: votes === undefined ? others : [votes.counted],
    assumed: ordered === undefined ? [] : [tellDone(ordered.done)],
  };
}

/** What labeled units lie in: documents by their name, or what all parts of a name of several columns belong to, as the outputs of several systems
 *  on one item do. */
function clusterOfLabels(
  table: Table,
  { item, rater, label }: ChosenLabels["columns"],
  {
    roles,
    told,
    pair,
  }: { readonly roles: Roles; readonly told: string | undefined; readonly pair: string | undefined },
): string | undefined {
  if (told !== undefined) return told === "none" ? undefined : told;
  const own = roles.cluster;
  if (own !== undefined && countGroups(table, own, item) >= FEWEST_FOUND_CLUSTERS) return own;
  const named = clusterByName(table, { units: item, taken: [rater, label] });
  if (named !== undefined || item.length < 2) return named;
  const parts = item
    .filter((name) => name !== pair && name !== roles.system && !isSystemName(name))
    .map((name) => ({ name, groups: countGroups(table, name, item) }))
    .filter(({ groups }) => groups >= FEWEST_FOUND_CLUSTERS);
  const known = parts.find(({ name }) => name === roles.item);
  return (known ?? parts.sort((a, b) => b.groups - a.groups)[0])?.name;
}

/** Several labels of a rater on what a name calls the item, in one run: which column makes an item of each is for the caller to say. */
function askRepeated(
  table: Table,
  { item, rater, label }: ChosenLabels["columns"],
  { pair, repeat }: { readonly pair: string | undefined; readonly repeat: string | undefined },
): void {
  const said = column(table, label);
  const key = item.join(",");
  const rows = withKeyColumn(
    selectRows(table, (row) => !isMissing(said, row)),
    key,
  );
  const runs = repeat === undefined ? {} : { repeat };
  const parts = item.length > 1 ? item : [];
  const [ask] = askRepeats(rows, { ...NO_ROLES, item: key, rater, label, ...runs, parameters: parts });
  // the pair of a vote is part of its item anyway
  const answers = (ask?.answers ?? []).flatMap(({ item: own }) => {
    const names = own?.split(",").filter((name) => name !== pair) ?? [];
    return names.length === 0 ? [] : [{ item: names.join(",") }];
  });
  if (ask !== undefined && answers.length > 0) throw new Question({ ...ask, key: [...item, rater], answers });
}

/** What raters said: the judgments that a shape made rows of, else a label or score. The gold labels beside it are nobody's rating. */
function labelOf({ roles, decisions = [] }: Study): string | undefined {
  const judged = decisions.find(({ role, by }) => (role === "score" || role === "label") && by !== "name");
  const own = roles.rater === undefined ? undefined : judged?.column;
  return [own, roles.label, roles.score].find((name) => name !== undefined && !isGoldName(name));
}

/** Votes between systems, unless `label` names something else that was asked. */
function votesIn({ table, roles }: Study, label: string | undefined): SingleVotes | undefined {
  const other = label !== undefined && label !== roles.score && !roles.identifiers.includes(label);
  return other ? undefined : singleVotes(table, roles);
}

/** What a rater judges is one system's output on one item, or two of them side by side, unless `item` says otherwise. */
function itemsOf({ table, roles }: Study, item: LabelNames["item"], votes: SingleVotes | undefined): string[] {
  const given = item === undefined ? roles.item : item;
  if (given === undefined) throw new Question(askColumn("item", table, roles));
  const own = typeof given === "string" ? [...(keyColumns(table, given) ?? [given])] : [...given];
  if (votes !== undefined) return votes.pair === undefined ? own : [...own, votes.pair];
  return item === undefined && roles.system !== undefined ? [...own, roles.system] : own;
}

/** A vote is one score of a prompt, or of a prompt and a pair where several were compared: 1 for the first system, ½ for a tie, 0 for the other. */
function chooseVotes(
  { table, pair, counted }: SingleVotes,
  { score, item, cluster }: Roles,
  { object, varied }: { readonly object: string | undefined; readonly varied: readonly string[] },
): ChosenRatings {
  const measured = object ?? item;
  const names = { score: score!, varied: varied.filter((name) => name !== cluster), diagnostics: [counted] };
  if (pair === undefined || object !== undefined) return { table, ...names, ...present({ object: measured }) };
  if (measured === undefined) return { table, ...names, object: pair };
  const both = `${measured} of ${pair}`;
  const cells = [measured, pair].map((name) => asFactor(column(table, name)));
  const joined = factorColumn(
    Array.from({ length: table.rows }, (_, row) => cells.map(({ codes, levels }) => levels[codes[row]!]).join(" of ")),
  );
  return { table: withColumn(table, both, joined), ...names, object: both };
}

/** What varies beside the items; nothing where the scores of an item are all that there is. */
export function facetsOf(roles: Roles, table: Table): string[] {
  const names = [roles.rater, roles.repeat, ...roles.parameters].filter((name) => name !== undefined);
  const varied = names.filter((name) => countLevels(table, name) > 1);
  return varied.length === 0 ? [] : [...varied, ...systemFacet(roles, table).filter((name) => !varied.includes(name))];
}

/** Systems that met the same items vary beside raters and repeats, and are no noise of theirs. */
export function systemFacet({ system, item }: Roles, table: Table): string[] {
  if (system === undefined || item === undefined || countLevels(table, system) < 2) return [];
  const [items, systems] = [column(table, item), column(table, system)];
  const met = groupKeys([items, systems], table.rows).count > groupKeys([items], table.rows).count;
  return met ? [system] : [];
}

/** What was varied on purpose, and runs; in a sweep, which has no items, systems and data sets were varied too. */
export function parametersOf({ parameters, repeat, item, system, task }: Roles, table: Table): string[] {
  const names = [...parameters, ...(repeat === undefined ? [] : [repeat])];
  // a name of each row is that of a configuration, which its settings describe
  const varied = [system, task].filter((name) => name !== undefined && countLevels(table, name) < table.rows);
  const sweep = item === undefined && parameters.length > 0 ? (varied as string[]) : [];
  if (names.length > 0) return [...names, ...sweep];
  throw new StatError(
    "NoParameters",
    "no settings that were varied were found.",
    "Name them with option `parameters`.",
  );
}

function countLevels(table: Table, name: string): number {
  const cells = table.columns.get(name);
  return cells === undefined ? 0 : new Set(cells.kind === "factor" ? cells.codes : cells.values).size;
}

/** Who saw one system each is indistinguishable from what they saw. */
function ratersApart({ system, rater, item }: Roles, table: Table, score: string): Diagnostic[] {
  if (system === undefined || rater === undefined || item === undefined) return [];
  const { codes, levels } = asFactor(column(table, system));
  const seen = new Set(codes);
  const systems = levels.filter((_, code) => seen.has(code));
  return tellRatersApart({ table, columns: { system, item, score, rater }, systems });
}

/** Items of several systems are not one kind of measurement. */
function pooledSystems({ system }: Roles, table: Table, used: readonly string[]): Diagnostic[] {
  const count = system === undefined || used.includes(system) ? 0 : countLevels(table, system);
  if (count < 2 || count === table.rows) return [];
  return [
    note(
      "PooledSystems",
      `the scores of ${count} systems (${system}) are pooled.`,
      `Keep one with option \`where\`, look at each with option \`by: ${JSON.stringify(system)}\`, or add ${system} to option \`facets\`.`,
    ),
  ];
}
