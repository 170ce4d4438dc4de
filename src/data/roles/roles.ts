import { claimRated } from "./layout.ts";
/** What the columns of a table mean, guessed from their names and, where names fail, from how they are crossed.
 *  A guess is always said aloud (assumptions) and never changes a cell. Commands let the user name columns instead. */

import { NO_ROLES, type RoleGuess, type Roles } from "../imported.ts";
import type { Table } from "../table.ts";
import {
  areLanguagePairs,
  claimGrid,
  claimGroups,
  claimItemByContent,
  claimItemById,
  claimItemByInput,
  claimLoneScore,
  claimSiblings,
  claimSystemByContent,
  crossedConditions,
  isAnswerKey,
  isCriterion,
  isFlagOfSystem,
  isKeyOfUnknown,
  isOfSystems,
  namesSubmissions,
} from "./content.ts";
import { isMeasure } from "./direction.ts";
import { isCost, isRatingScale, isRowNumber, namedAsScore, notAScore, orderScores } from "./evidence.ts";
import { Guess, joined, MAX_SETTINGS, type SingleRole } from "./guess.ts";
import { claimCriteria, claimLabels, claimRatersLabel, isVerdict } from "./labels.ts";
import {
  areCodesOfItems,
  areCodesOfRows,
  claimMetricByLevels,
  claimNamedScores,
  namesMeasures,
} from "./metric-rows.ts";
import * as names from "./names.ts";
import { claimDirection, claimHousekeeping, isOfPeople } from "./people.ts";
import { arePredictions, claimClasses, claimPredictions, isClassReport, isTestReport } from "./predictions.ts";
import { type ColumnProfile, isUnique, listValues, profileTable } from "./profile.ts";
import { claimTried, idOfRows, namesWhatRan, withoutTries } from "./repeats.ts";
import { claimParameters, claimSweep } from "./sweeps.ts";
import { claimDataSets, claimFirstColumn, claimKeys, claimTotals, hasRowPerTask } from "./totals.ts";
import { findWide } from "./wide.ts";
import { claimWithin } from "./within.ts";

export interface GuessedRoles {
  readonly roles: Roles;
  readonly assumptions: readonly string[];
  readonly guesses?: readonly RoleGuess[];
  /** Scores without a direction, whatever their names say. */
  readonly undirected?: readonly string[];
}

/** A guess below this is not acted upon: the caller is asked instead. */
export const SURE_ENOUGH = 0.5;

/** A column with more levels than this is not a category. */
const MAX_CATEGORIES = 50;

/** `known` are roles that the shape of the file gave away; `apart` are columns that are not to be guessed at. */
export function guessRoles(
  table: Table,
  known: readonly RoleGuess[] = [],
  apart: readonly string[] = [],
): GuessedRoles {
  if (isClassReport(table) || isTestReport(table))
    return { roles: { ...NO_ROLES, identifiers: [...table.columns.keys()] }, assumptions: [], guesses: [] };
  const guess = new Guess(table, apart);
  for (const name of apart) guess.take(name);
  claimKnown(guess, known);
  claimHousekeeping(guess);
  claimDirection(guess);
  claimRowNumbers(guess);
  claimByName(
    guess,
    "rater",
    names.RATER_NAMES,
    (profile) => !isUnique(profile) && profile.values !== "real" && !namesMeasures(profile),
  );
  claimByName(guess, "repeat", names.REPEAT_NAMES, (profile) => isRepeat(guess, profile));
  claimByName(
    guess,
    "metric",
    names.METRIC_NAMES,
    (profile) => profile.column.kind === "factor" || areCodesOfRows(guess, profile),
  );
  claimNamedScores(guess);
  claimMetricByLevels(guess);
  // what is the same in every row is the system only where nothing else is
  claimByName(guess, "system", names.SYSTEM_NAMES, (profile) => profile.distinct > 1 && isNameOfSystems(profile));
  claimKeys(guess);
  claimSystemByLastWord(guess);
  claimFirstColumn(guess);
  claimByName(guess, "system", names.SYSTEM_NAMES, isNameOfSystems);
  claimPredictions(guess);
  claimClasses(guess);
  claimItem(guess);
  dropKindOfItem(guess, known);
  claimByName(
    guess,
    "task",
    names.TASK_NAMES,
    (profile) => profile.column.kind === "factor" || areCodesOfItems(guess, profile),
  );
  claimByName(guess, "task", ["pair", "langs", "direction"], areLanguagePairs);
  claimByName(guess, "task", ["language", "lang", "locale"], (own) => own.column.kind === "factor" && isUnique(own));
  claimByName(guess, "cluster", names.CLUSTER_NAMES, (profile) => isCluster(profile));
  claimByName(
    guess,
    "label",
    names.LABEL_NAMES,
    (profile) =>
      profile.values !== "text" && !isUnique(profile) && !isCriterion(guess, profile) && !isVerdict(guess, profile),
  );
  claimIdentifiers(guess);
  const swept = claimParameters(guess);
  claimLabels(guess);
  claimScores(guess);
  claimSiblings(guess);
  dropIdleMetric(guess, known);
  if (swept) claimSweep(guess);
  claimSystemByContent(guess);
  claimItemByContent(guess);
  claimItemById(guess);
  claimItemByInput(guess);
  claimRated(guess);
  claimWithin(guess, known);
  claimConditions(guess);
  claimDataSets(guess);
  claimGrid(guess);
  claimGroups(guess);
  dropIdleCluster(guess, known);
  claimCriteria(guess);
  claimTotals(guess);
  claimLoneScore(guess);
  claimRatersLabel(guess);
  const { assumptions, guesses, undirected } = guess;
  return { roles: collectRoles(guess), assumptions, guesses, undirected };
}

const isNameOfSystems = (profile: ColumnProfile): boolean =>
  profile.values !== "real" && profile.values !== "text" && !(isUnique(profile) && isMachineId(profile));

/** 5f3e… in every row: an id that a platform drew. */
const isMachineId = ({ column }: ColumnProfile): boolean =>
  column.kind === "factor" &&
  column.levels.every((level) => /^[0-9a-f]{16,}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/i.test(level));

/** Turns, prompt templates, languages: the same item of the same system again, under another condition. */
function claimConditions(guess: Guess): void {
  const [item, system] = [guess.single.get("item"), guess.single.get("system")];
  if (item === undefined || system === undefined || guess.single.has("opponent")) return;
  const units = guess.groups(item, system);
  const few = guess
    .free()
    .filter((profile) => profile.distinct >= 2 && profile.distinct <= MAX_SETTINGS && profile.missing === 0)
    .filter(({ name }) => guess.groups(item, system, name) > units);
  const named = few.filter((profile) => names.CROSSED_NAMES.includes(joined(profile)) && profile.values !== "real");
  const found = [...named, ...crossedConditions(guess, { item, system, named, few })];
  guess.claimMany(
    "parameters",
    found.map(({ name }) => name),
  );
  for (const { name } of found) guess.assumptions.push(`${name} is a condition under which items come again.`);
}

/** Items that come under one "dimension" each are of that kind: nothing was measured twice. Measures of their own (auc here, rmse there) stay. */
function dropKindOfItem(guess: Guess, known: readonly RoleGuess[]): void {
  const [metric, item] = [guess.single.get("metric"), guess.single.get("item")];
  if (metric === undefined || item === undefined || known.some(({ role }) => role === "metric")) return;
  const items = guess.groups(item);
  const levels = listValues(guess.table.columns.get(metric)!);
  if (levels.length < 2 || levels.every(isMeasure) || guess.groups(item, metric) !== items) return;
  // an id of each row names no item
  if (items === guess.table.rows && /^(id|uid|key)$/.test(names.splitWords(item).join("_"))) return;
  guess.giveBack("metric");
}

/** Groups of one item each say nothing that the items do not. */
function dropIdleCluster(guess: Guess, known: readonly RoleGuess[]): void {
  const [cluster, item] = [guess.single.get("cluster"), guess.single.get("item")];
  if (cluster === undefined || item === undefined || known.some(({ column }) => column === cluster)) return;
  const items = guess.groups(item);
  if (guess.groups(cluster) !== items || guess.groups(cluster, item) !== items) return;
  guess.release("cluster");
  const said = guess.assumptions.findIndex((text) => text.includes(`same ${cluster} `));
  if (said >= 0) guess.assumptions.splice(said, 1);
  guess.many.identifiers.push(cluster);
}

/** One name for several columns of scores says what they are about, not which of them is which. */
function dropIdleMetric(guess: Guess, known: readonly RoleGuess[]): void {
  const metric = guess.single.get("metric");
  if (metric === undefined || guess.many.metrics.length < 2 || guess.groups(metric) > 1) return;
  if (known.some(({ column }) => column === metric)) return;
  guess.release("metric");
  guess.many.identifiers.push(metric);
}

function claimKnown(guess: Guess, known: readonly RoleGuess[]): void {
  for (const { role, column, reason, confidence } of known) {
    if (!guess.table.columns.has(column) || confidence < SURE_ENOUGH) continue;
    if (role === "score" && guess.many.metrics.includes(column)) continue;
    if (role === "score") guess.claimMany("metrics", [column], { reason, confidence });
    else if (role === "identifier") guess.claimMany("identifiers", [column]);
    else if (role === "setting") guess.claimMany("parameters", [column], { reason, confidence });
    else if (!guess.single.has(role as SingleRole))
      guess.claim(role as SingleRole, column, undefined, { reason, confidence });
  }
}

/** What only numbers the rows is neither item nor score, unless it is called an id. */
function claimRowNumbers(guess: Guess): void {
  const found = guess
    .free()
    .filter(
      (profile) =>
        isRowNumber(profile) &&
        /^(column\d+|unnamed.*|index|idx|x|row|level_0)$/i.test(profile.name.replace(/\W+/g, "")),
    )
    .map((profile) => profile.name);
  guess.claimMany("identifiers", found);
}

const FEW_ROWS = 50;

/** A seed, run or trial is a repeat however few the rows; in a long table it comes more than once. */
function isRepeat(guess: Guess, profile: ColumnProfile): boolean {
  const { table } = guess;
  if (namesWhatRan(guess, profile)) return false;
  if (profile.distinct <= table.rows / 2) return true;
  return (
    table.rows <= FEW_ROWS &&
    profile.values === "integer" &&
    /^(random_)?seed$|^(run|trial|fold|epoch)$/.test(joined(profile))
  );
}

/** Properties of rows beyond the design of a log: which one groups items, which may explain scores, which only name. */
export function classifyProperties(
  table: Table,
  columns: readonly string[],
  options: { clusterTaken: boolean },
): Pick<Roles, "cluster" | "covariates" | "identifiers"> {
  const wanted = new Set(columns);
  const profiles = profileTable(table).filter((profile) => wanted.has(profile.name));
  const cluster = options.clusterTaken ? undefined : findCluster(profiles);
  const rest = profiles.filter((profile) => profile.name !== cluster);
  const covariates = rest.filter(isCovariate).map((profile) => profile.name);
  const identifiers = rest.filter((profile) => !isCovariate(profile)).map((profile) => profile.name);
  return { ...(cluster === undefined ? {} : { cluster }), covariates, identifiers };
}

/** Neither a measurement, nor yes and no, nor another text in most rows. */
function isCluster(profile: ColumnProfile): boolean {
  const { values, distinct, rows } = profile;
  if (values === "real" || values === "0/1" || (profile.logical && distinct > 1) || isUnique(profile)) return false;
  return !(values === "text" && distinct > rows / 2);
}

function findCluster(profiles: readonly ColumnProfile[]): string | undefined {
  for (const alias of names.CLUSTER_NAMES) {
    const found = profiles.find((profile) => joined(profile) === alias && profile.values !== "text");
    if (found !== undefined && found.distinct > 1 && !isUnique(found)) return found.name;
  }
  return undefined;
}

/** Can stand on the right of a formula: a number that varies, or a category with few levels. */
function isCovariate(profile: ColumnProfile): boolean {
  if (profile.values === "constant" || profile.values === "empty" || profile.values === "text") return false;
  const words = names.splitWords(profile.name);
  if (words.some((word) => names.IDENTIFIER_WORDS.has(word) || names.ORDER_WORDS.has(word))) return false;
  // whole numbers that name things or number the rows explain nothing
  if (profile.values === "integer" && (/^(ids?|uuid)$/.test(words.at(-1) ?? "") || isRowNumber(profile))) return false;
  if (/^column\d+$/.test(profile.name) && profile.values === "integer" && isUnique(profile)) return false;
  if (profile.column.kind === "factor")
    return profile.distinct <= MAX_CATEGORIES && !isUnique(profile) && !/^[[{]/.test(profile.examples[0] ?? "");
  return profile.distinct > 1;
}

function claimByName(
  guess: Guess,
  role: SingleRole,
  aliases: readonly string[],
  fits: (profile: ColumnProfile) => boolean,
): void {
  if (guess.single.has(role)) return;
  for (const alias of aliases) {
    const found = guess.free().find((profile) => joined(profile) === alias && fits(profile));
    if (found !== undefined) {
      guess.claim(role, found.name);
      return;
    }
  }
}

/** mt_system, asr_model, translation_engine; not the judge's model, nor what was built upon. */
function claimSystemByLastWord(guess: Guess): void {
  if (guess.single.has("system")) return;
  const found = guess.free().filter((profile) => {
    const words = names.splitWords(profile.name);
    const kind = /^(system|model|engine|llm)$/.test(words.at(-1) ?? "");
    const other = words.some((word) =>
      /^(judge|rater|base|reward|reference|ref|scoring|operating|language|teacher|embedding|grader|metric)$/.test(word),
    );
    return kind && !other && words.length > 1 && ["category", "integer"].includes(profile.values) && !isUnique(profile);
  });
  if (found.length === 1) guess.claim("system", found[0]!.name);
}

/** Among several id columns the one that repeats is the item; one that is new in every row only numbers the rows. */
function claimItem(guess: Guess): void {
  if (guess.single.has("item")) return;
  const candidates = names.ITEM_NAMES.flatMap((alias) => guess.free().filter((profile) => joined(profile) === alias))
    .filter((profile) => profile.values !== "real")
    .filter((profile) => profile.missing === 0 || !hasCompleteInput(guess, profile))
    .filter((profile) => !namesSubmissions(guess, profile))
    .filter((profile) => !isKeyOfUnknown(guess, profile))
    .filter((profile) => !isAnswerKey(guess, profile));
  const system = guess.single.get("system");
  // an id of each system, where each has one row, names no item
  const totals = system !== undefined && guess.groups(system) === guess.table.rows;
  const several = withoutTries(guess, candidates).filter((profile) => !(totals && isUnique(profile)));
  const repeated = several.find((profile) => !isUnique(profile)) ?? several[0] ?? loneItem(guess, candidates);
  if (repeated === undefined || claimTried(guess, repeated)) return;
  const found = idOfRows(guess, repeated, several) ?? repeated;
  const finer = partsOf(guess, found, several);
  guess.claim("item", (finer ?? found).name);
  if (guess.single.has("cluster")) return;
  const whole = finer === undefined ? several.find((profile) => partsOf(guess, profile, [found]) !== undefined) : found;
  if (whole !== undefined) guess.claim("cluster", whole.name);
}

/** The id of what a document consists of, where each belongs to one document. New in every row it may only number the rows, unless a row is
 *  all that there is of it. */
function partsOf(guess: Guess, whole: ColumnProfile, candidates: readonly ColumnProfile[]): ColumnProfile | undefined {
  if (!names.DOCUMENT_NAMES.includes(joined(whole))) return undefined;
  const again = (["system", "rater", "repeat"] as const).some((role) => {
    const name = guess.single.get(role);
    return name !== undefined && guess.groups(name) > 1;
  });
  return candidates.find(
    (profile) =>
      profile !== whole &&
      profile.missing === 0 &&
      profile.distinct > whole.distinct &&
      !(again && isUnique(profile)) &&
      guess.groups(profile.name, whole.name) === profile.distinct,
  );
}

/** What was asked or judged, complete and told apart better than by an id with gaps. */
function hasCompleteInput(guess: Guess, id: ColumnProfile): boolean {
  return guess.profiles.some(
    (profile) => profile.missing === 0 && names.INPUT_NAMES.includes(joined(profile)) && profile.distinct > id.distinct,
  );
}

/** One item that every system met is still an item. */
function loneItem(guess: Guess, candidates: readonly ColumnProfile[]): ColumnProfile | undefined {
  const system = guess.single.get("system");
  return system !== undefined && guess.groups(system) === guess.table.rows
    ? candidates.find(({ distinct }) => distinct === 1)
    : undefined;
}

/** Seconds since 1970 are more. */
const FIRST_STAMP = 1e8;

function claimIdentifiers(guess: Guess): void {
  for (const profile of guess.free()) {
    const words = names.splitWords(profile.name);
    // Note is the grade in German and French
    const grade = words.join("") === "note" && profile.column.kind === "numeric" && !isUnique(profile);
    // how long it took, not when it was
    const lapse = profile.column.kind === "numeric" && !isUnique(profile) && profile.max < FIRST_STAMP;
    const isName = (word: string): boolean => names.IDENTIFIER_WORDS.has(word) && !(lapse && word === "time");
    const named = (!grade && words.some(isName)) || names.ORDER_WORDS.has(words.join(""));
    if (profile.values === "text") guess.claimMany("identifiers", [profile.name]);
    else if (!named) continue;
    else if (isUnique(profile) || profile.column.kind === "numeric") guess.claimMany("identifiers", [profile.name]);
    // A link that repeats says which rows come from one source.
    else if (
      !guess.single.has("cluster") &&
      profile.distinct > 2 &&
      /link|url|uri|file|path/.test(joined(profile)) &&
      !isOfSystems(guess, profile.name) &&
      !isOfPeople(guess, profile.name)
    ) {
      guess.claim("cluster", profile.name, `Rows with the same ${profile.name} are taken to belong together.`);
    } else guess.claimMany("identifiers", [profile.name]);
  }
}

function claimScores(guess: Guess): void {
  if (guess.many.metrics.length > 0) return;
  const numeric = guess
    .free()
    .filter((profile) => (profile.column.kind === "numeric" || profile.logical) && notAScore(profile) === undefined)
    .filter((profile) => !isOfPeople(guess, profile.name));
  const exact = names.SCORE_NAMES.flatMap((alias) => numeric.filter((profile) => joined(profile) === alias));
  if (exact.length === 0 && !guess.single.has("system")) {
    const wide = findWide(numeric, {
      hasItem: guess.single.has("item"),
      hasCondition: guess.free().some((own) => names.CONDITION_NAMES.includes(joined(own)) && own.distinct > 1),
      hasDataSets: hasRowPerTask(guess) || guess.numbered,
    });
    if (wide !== undefined && arePredictions(guess, wide.columns)) return;
    if (wide !== undefined) {
      guess.claimMany("wide", wide.columns);
      guess.claimMany("metrics", [...wide.columns, ...wide.companions]);
      guess.assumptions.push(wide.assumption);
      return;
    }
  }
  const byWord = numeric
    .map((profile) => ({ profile, confidence: namedAsScore(profile) }))
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence);
  const named = [...new Set([...exact, ...byWord.map(({ profile }) => profile)])];
  // whether a system may use more data is said of it in every row, and is no result
  const found = named.filter((profile) => !isFlagOfSystem(guess, profile) || named.length === 1);
  // what a run costs is a score only where nothing says how good it was, or where its name is that of a measure
  // whether a run broke down is not how well it did
  const broken = found.filter(
    (profile) => BROKEN.test(joined(profile)) && (profile.logical || profile.values === "0/1"),
  );
  const quality = found.filter(
    (profile) =>
      !isCost(profile) &&
      (!broken.includes(profile) || (broken.length === found.length && !guess.single.has("prediction"))),
  );
  // how long raters took over a question is no answer to it
  const answered = guess.single.has("rater") && numeric.some((own) => isRatingScale(own) && !isCost(own));
  const ordered = [
    ...quality,
    ...found.filter((profile) => isCost(profile) && ((quality.length === 0 && !answered) || exact.includes(profile))),
  ];
  for (const profile of orderScores(withAnswers(ordered, numeric))) {
    const reason = exact.includes(profile) ? "by its name" : "by words of its name";
    const confidence = namedAsScore(profile);
    // beside predictions and their gold labels only a score by its plain name is one
    if (guess.single.has("prediction") && !exact.includes(profile) && confidence < 0.8) continue;
    const evidence = confidence > 0 ? { reason, confidence } : ANSWERED;
    guess.claimMany("metrics", [profile.name], evidence);
  }
}

/** Whether a run, or the reading of its answer, broke down. */
const BROKEN =
  /^((parse|parsing|json|api|request|format|runtime)_)?errors?$|^((is|was)_)?(ok|parsed|parse_ok|parse_success)$/;

const ANSWERED = { reason: "an answer of the worker like the others", confidence: 0.6 };

/** Where one of the workers' answers is a score, the other numbers that they gave are too. */
function withAnswers(found: readonly ColumnProfile[], numeric: readonly ColumnProfile[]): ColumnProfile[] {
  const isAnswer = ({ name }: ColumnProfile): boolean => name.startsWith("Answer.");
  if (!found.some(isAnswer)) return [...found];
  return [...found, ...numeric.filter((profile) => isAnswer(profile) && !found.includes(profile) && !isCost(profile))];
}

function collectRoles(guess: Guess): Roles {
  const rest = guess.free();
  const covariates = rest.filter(isCovariate).map((profile) => profile.name);
  const useless = rest.filter((profile) => !isCovariate(profile)).map((profile) => profile.name);
  const score = guess.many.wide.length > 0 ? undefined : guess.many.metrics[0];
  return {
    ...Object.fromEntries(guess.single),
    ...(score === undefined ? {} : { score }),
    metrics: guess.many.metrics,
    parameters: guess.many.parameters,
    covariates,
    wide: guess.many.wide,
    identifiers: [...guess.many.identifiers, ...useless],
  };
}
