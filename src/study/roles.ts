/** What the columns of a table mean, by plain names and one rule: rows are unique by system, item, rater, run, task and metric.
 *  A role comes from the format of the file, from the user, or from a name of the lexicon whose cells fit it. Nothing else is taken for
 *  anything: what is missing or doubtful is asked (asks.ts). */

import type { Decision, RoleName, Roles } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import type { Table } from "../data/table.ts";
import { type ColumnProfile, holdsRecords, isUnique, listValues, profileTable } from "./facts.ts";
import { inFamily, isMetricName, isTallyName, namedAsScore, scoreRank } from "./lexicon/metrics.ts";
import {
  ANSWER_NAMES,
  CLUSTER_NAMES,
  DOCUMENT_IDS,
  GOLD_NAMES,
  INPUT_NAMES,
  ITEM_NAMES,
  isJudgeName,
  isSeedName,
  KIND_NAMES,
  LABEL_NAMES,
  METRIC_NAMES,
  namesParameter,
  PREDICTION_NAMES,
  PROBABILITY_NAMES,
  RATER_NAMES,
  RUN_NAMES,
  SYSTEM_NAMES,
  TASK_NAMES,
} from "./lexicon/names.ts";
import { plainName, splitWords } from "./lexicon/words.ts";

export interface ReadRoles {
  readonly roles: Roles;
  readonly decisions: readonly Decision[];
}

/** Roles that the user takes back. */
export interface ReadOptions {
  readonly without?: ReadonlySet<RoleName>;
  /** Columns that say from which file a row is, or that are otherwise not to be read. */
  readonly apart?: readonly string[];
}

/** Roles that together make a row, the order of which is that of the questions. */
const KEY: readonly RoleName[] = ["system", "item", "rater", "repeat", "task", "metric", "opponent", "perturbation"];

/** A column with more levels is not a category. */
const MOST_CATEGORIES = 50;
/** Grades from 0 to 100 are labels too. */
const MOST_LABELS = 101;
/** Clusters are resampled or modeled by themselves from so many groups on; with fewer the user says whether they count. */
export const FEWEST_CLUSTERS = 20;
/** So many data sets are a sample of data sets where no item is named. */
export const FEWEST_DATA_SETS = 5;

/** `known`: what the format, the shape of the file or the user said. */
export function readRoles(table: Table, known: readonly Decision[] = [], options: ReadOptions = {}): ReadRoles {
  const { without = new Set(), apart = [] } = options;
  const reader = new Reader(table, known, without, new Set(apart));
  reader.read();
  return { roles: reader.collect(), decisions: reader.decisions };
}

class Reader {
  readonly decisions: Decision[] = [];
  readonly #table: Table;
  readonly #profiles: readonly ColumnProfile[];
  readonly #without: ReadonlySet<RoleName>;
  readonly #taken: Set<string>;
  readonly #single = new Map<RoleName, string>();
  readonly #scores: string[] = [];
  readonly #parameters: string[] = [];
  readonly #identifiers: string[] = [];

  constructor(table: Table, known: readonly Decision[], without: ReadonlySet<RoleName>, apart: Set<string>) {
    this.#table = table;
    this.#profiles = profileTable(table);
    this.#without = without;
    this.#taken = apart;
    for (const decision of known) if (table.columns.has(decision.column)) this.#set(decision);
  }

  read(): void {
    this.#byName("metric", METRIC_NAMES, (own) => own.values === "category" || this.#isCode(own));
    // "judge" over bleu, ter and latency
    this.#byName("metric", RATER_NAMES, namesMetrics);
    // a metric column of one level says what the scores are, and splits nothing
    this.#byName("rater", RATER_NAMES, (own) => !isJudgeName(own.name) && this.#isName(own) && !isUnique(own));
    this.#byName(
      "repeat",
      RUN_NAMES,
      (own) =>
        own.distinct > 1 && own.values !== "real" && own.values !== "text" && (!isUnique(own) || isSeedName(own.name)),
    );
    this.#byName("system", SYSTEM_NAMES, (own) => own.distinct > 1 && this.#isName(own));
    this.#byName("system", SYSTEM_NAMES, (own) => this.#isName(own));
    this.#byName("task", TASK_NAMES, (own) => own.distinct > 1 && this.#isName(own) && !isUnique(own));
    this.#readScores();
    this.#dropFamilies();
    this.#readItem();
    this.#readJudge();
    this.#dropIdleMetric();
    this.#byName("prediction", PREDICTION_NAMES, (own) => own.values !== "text");
    const isLabel = (own: ColumnProfile): boolean =>
      own.distinct <= MOST_LABELS &&
      (own.values === "category" ||
        ((own.values === "integer" || own.values === "0/1") && this.#single.has("rater") && this.#scores.length === 0));
    // gold labels are nobody's rating
    const rated = this.#single.has("rater");
    if (!rated) this.#byName("label", GOLD_NAMES, (own) => own.values !== "text");
    this.#byName("label", LABEL_NAMES, isLabel);
    if (rated) this.#byName("label", ANSWER_NAMES, isLabel);
    this.#byName("label", GOLD_NAMES, (own) => own.values !== "text");
    this.#byName(
      "probability",
      PROBABILITY_NAMES,
      (own) => own.column.kind === "numeric" && this.#single.has("prediction"),
    );
    this.#readCluster();
    this.#readParameters();
  }

  collect(): Roles {
    const rest = this.#free();
    const covariates = rest.filter(isCovariate).map(({ name }) => name);
    const [score] = this.#scores;
    return {
      ...Object.fromEntries(this.#single),
      ...(score === undefined ? {} : { score }),
      metrics: this.#scores,
      parameters: this.#parameters,
      covariates,
      identifiers: [...this.#identifiers, ...rest.filter((own) => !isCovariate(own)).map(({ name }) => name)],
    };
  }

  #free(): ColumnProfile[] {
    return this.#profiles.filter(({ name, values }) => !this.#taken.has(name) && values !== "empty");
  }

  #set(decision: Decision): void {
    const { role, column } = decision;
    this.#taken.add(column);
    if (role === "score") {
      if (this.#scores.includes(column)) return;
      this.#scores.push(column);
    } else if (role === "identifier") this.#identifiers.push(column);
    else if (role === "setting") this.#parameters.push(column);
    else if (this.#single.has(role)) return;
    else this.#single.set(role, column);
    this.decisions.push(decision);
  }

  #byName(role: RoleName, names: readonly string[], fits: (own: ColumnProfile) => boolean): void {
    if (this.#single.has(role) || this.#without.has(role)) return;
    const free = this.#free();
    for (const name of names) {
      const found = free.find((own) => plainName(own.name) === name && fits(own));
      if (found === undefined) continue;
      this.#set({ role, column: found.name, by: "name" });
      return;
    }
  }

  #count(...columns: readonly (string | undefined)[]): number {
    const cells = columns.flatMap((name) => (name === undefined ? [] : [this.#table.columns.get(name)!]));
    return groupKeys(cells, this.#table.rows).count;
  }

  /** The columns that make a row, with others in the place of some. */
  #key(others: Partial<Record<RoleName, string | undefined>> = {}): (string | undefined)[] {
    return KEY.map((role) => (role in others ? others[role] : this.#single.get(role)));
  }

  /** Names and codes, not measurements. */
  #isName(own: ColumnProfile): boolean {
    const { values, column, name } = own;
    if (holdsRecords(own)) return false;
    if (values === "category" || values === "constant" || values === "text") return true;
    return values === "integer" || (values === "0/1" && column.kind === "numeric" && namedAsScore(name) === 0);
  }

  /** Whole numbers that come again in every group of rows. */
  #isCode({ values, distinct, rows }: ColumnProfile): boolean {
    return values === "integer" && distinct > 1 && distinct <= MOST_CATEGORIES && distinct * 2 <= rows;
  }

  #readScores(): void {
    const given = this.decisions.some(({ role, by }) => role === "score" && by !== "user");
    if (given || this.#without.has("score")) return;
    const rated = this.#single.has("rater") || this.#single.has("metric");
    const numeric = this.#free().filter(
      (own) =>
        (own.column.kind === "numeric" || own.logical) && (own.values !== "constant" || own.column.kind === "numeric"),
    );
    const named = numeric
      .map((own, at) => ({ own, at, named: namedAsScore(own.name) }))
      .filter(({ own }) => !(isTallyName(own.name) && own.values === "integer"))
      .filter(({ own, named: how }) => how > 0 && !(isJudgeName(own.name) && rated) && !isGold(own.name));
    // what most rows lack, or what never varies, is not the main score
    const idle = ({ distinct, missing, rows }: ColumnProfile): number => Number(distinct < 2 || missing * 2 > rows);
    named.sort((a, b) => idle(a.own) - idle(b.own) || scoreRank(a.own.name) - scoreRank(b.own.name) || a.at - b.at);
    for (const { own } of named) this.#set({ role: "score", column: own.name, by: "name" });
  }

  /** Scores that are a family by their names: whose they are is asked. */
  #dropFamilies(): void {
    const family = inFamily(this.#scores);
    const told = new Set(
      this.decisions.flatMap(({ role, column, by }) =>
        role === "score" && (by === "user" || by === "format") ? [column] : [],
      ),
    );
    for (const name of family) {
      if (told.has(name)) continue;
      this.#scores.splice(this.#scores.indexOf(name), 1);
      this.#taken.delete(name);
      this.decisions.splice(
        this.decisions.findIndex(({ column }) => column === name),
        1,
      );
    }
  }

  /** Of several names of items the first by which rows are unique; where none makes them so, the first that comes again. */
  #readItem(): void {
    if (this.#single.has("item") || this.#without.has("item")) return;
    const again = (["system", "rater"] as const).some((role) => this.#count(this.#single.get(role)) > 1);
    const named = (names: readonly string[]): ColumnProfile[] => {
      const free = this.#free();
      return names
        .flatMap((name) => free.filter((own) => plainName(own.name) === name))
        .filter((own) => own.values !== "real" && own.values !== "0/1" && own.missing === 0);
    };
    const ids = named(ITEM_NAMES).filter(
      (own) => own.distinct > 1 || this.#table.rows === this.#count(this.#single.get("system")),
    );
    // what is new in every row may only number the rows, where a system or a rater met several of them
    const comesAgain = (own: ColumnProfile): boolean => !(again && isUnique(own));
    const lists = [
      ids.filter(comesAgain),
      named(INPUT_NAMES).filter((own) => comesAgain(own) && own.distinct > 1),
      ids.filter(({ name }) => !ROW_IDS.has(plainName(name))),
    ];
    const candidates = lists.find((list) => list.length > 0) ?? [];
    const unique = candidates.find(({ name }) => this.#count(...this.#key({ item: name })) === this.#table.rows);
    const found = unique ?? candidates[0];
    if (found === undefined) {
      this.#readDataSets();
      return;
    }
    this.#set({ role: "item", column: found.name, by: "name" });
    // the id that several of them share: a document, or one question in several languages
    const items = this.#count(found.name);
    const whole = candidates.find(({ name, distinct }) => distinct < items && this.#count(found.name, name) === items);
    if (whole !== undefined && !this.#without.has("cluster"))
      this.#set({ role: "cluster", column: whole.name, by: "name" });
  }

  /** Systems measured on many data sets, once or in several runs: the data sets are the sample. */
  #readDataSets(): void {
    const task = this.#single.get("task");
    if (task === undefined || this.#without.has("task") || this.#single.get("system") === undefined) return;
    if (this.decisions.some(({ column, by }) => column === task && by !== "name")) return;
    const enough = this.#count(task) >= FEWEST_DATA_SETS && this.#count(this.#single.get("system")) > 1;
    if (!enough || this.#count(...this.#key()) < this.#table.rows || this.#profiles.some(({ name }) => isSpread(name)))
      return;
    this.#single.delete("task");
    this.#single.set("item", task);
    this.decisions.splice(
      this.decisions.findIndex(({ column }) => column === task),
      1,
      { role: "item", column: task, by: "name" },
    );
  }

  /** A judge, grader or expert is the rater where its cells are names, and gave the score where they are numbers or verdicts; whole numbers
   *  are ids where rows need them to be unique. */
  #readJudge(): void {
    const judges = this.#free().filter((own) => isJudgeName(own.name));
    const rated = this.#single.has("rater") || this.#without.has("rater");
    for (const own of judges) {
      const names = own.values === "category" && !own.logical && !isUnique(own) && !holdsRecords(own);
      const needed =
        own.values === "integer" &&
        this.#count(...this.#key()) < this.#table.rows &&
        this.#count(...this.#key({ rater: own.name })) === this.#table.rows;
      if ((names || needed || own.values === "constant") && !rated)
        this.#set({ role: "rater", column: own.name, by: "name" });
      else if ((own.column.kind === "numeric" || own.logical) && this.#scores.length === 0)
        this.#set({ role: "score", column: own.name, by: "name" });
    }
  }

  /** A criterion of which each item has one is a property of items: rows are unique without it. */
  #dropIdleMetric(): void {
    const metric = this.#single.get("metric");
    const item = this.#single.get("item");
    const decided = this.decisions.find(({ role }) => role === "metric");
    if (metric === undefined || item === undefined || decided?.by !== "name") return;
    if (this.#count(item, metric) > this.#count(item) && this.#count(metric) > 1) return;
    this.#single.delete("metric");
    this.#taken.delete(metric);
    this.decisions.splice(this.decisions.indexOf(decided), 1);
  }

  /** Groups that hold several items each, every item in one of them. */
  #readCluster(): void {
    const item = this.#single.get("item");
    if (item === undefined) return;
    const items = this.#count(item, this.#single.get("task"));
    const holds = (own: ColumnProfile): boolean =>
      own.distinct > 1 &&
      own.values !== "real" &&
      own.values !== "0/1" &&
      own.distinct < items &&
      this.#count(item, this.#single.get("task"), own.name) === items;
    this.#byName("cluster", [...CLUSTER_NAMES, ...DOCUMENT_IDS], holds);
    this.#byName("cluster", KIND_NAMES, (own) => own.distinct >= FEWEST_CLUSTERS && holds(own));
  }

  #readParameters(): void {
    if (this.#single.has("item")) return;
    for (const own of this.#free())
      if (own.distinct > 1 && namesParameter(splitWords(own.name)))
        this.#set({ role: "setting", column: own.name, by: "name" });
  }
}

/** Levels that are all names of metrics. */
const namesMetrics = (own: ColumnProfile): boolean =>
  own.values === "category" && own.distinct <= MOST_CATEGORIES && listValues(own.column).every(isMetricName);
/** Ids of rows as well as of items. */
const ROW_IDS = new Set(["id", "sid"]);
const SPREAD = new Set(["pm", "stderr", "std", "sd", "se", "ci", "lower", "upper"]);
const isSpread = (name: string): boolean => splitWords(name).some((word) => SPREAD.has(word));
const isGold = (name: string): boolean => GOLD_NAMES.includes(plainName(name));

const NAMING = new Set([
  "link",
  "url",
  "uri",
  "hash",
  "uuid",
  "guid",
  "timestamp",
  "date",
  "comment",
  "comments",
  "path",
  "file",
  "filename",
  "index",
  "idx",
  "id",
  "ids",
]);

/** Can stand on the right of a formula: a number that varies, or a category with few levels. */
export function isCovariate(own: ColumnProfile): boolean {
  if (own.values === "constant" || own.values === "text") return false;
  if (splitWords(own.name).some((word) => NAMING.has(word)) || /^column\d+$/.test(own.name)) return false;
  if (own.column.kind === "numeric") return own.distinct > 1;
  return own.distinct <= MOST_CATEGORIES && !isUnique(own) && !holdsRecords(own);
}

/** Columns by which rows should be unique. */
export function keyOf(roles: Roles): string[] {
  return KEY.flatMap((role) => {
    const name = role === "identifier" || role === "setting" ? undefined : roles[role];
    return name === undefined ? [] : [name];
  }).concat(roles.parameters);
}
