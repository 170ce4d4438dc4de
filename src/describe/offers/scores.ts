/** Questions about the score of one or more systems: its size, the difference, what it depends on, what could be seen. */

import type { Roles } from "../../data/imported.ts";
import { groupKeys } from "../../data/keys.ts";
import { column, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { fitLm } from "../../models/lm/lm.ts";
import { quoteName, quoteShell } from "../../result/quote.ts";
import { listValues } from "../../study/facts.ts";
import { isCourse, isFold } from "../../study/lexicon/names.ts";
import { isCostName, isSettled } from "../../study/lexicon/others.ts";
import { type ScoreFacts, scoreNumbers } from "../../study/score-facts.ts";
import { chooseCluster, clusterNote, fitCommand, type Offer, sourceArguments } from "./command.ts";
import { isTotals, type Question } from "./question.ts";

import { hangsTogether, isOwnPilot, isRated, randomTerms, samePartition } from "./terms.ts";

/** More systems than this are a population, not a list to compare one by one. */
export const MAX_COMPARED = 30;
/** Rows for every level of a factor that is only adjusted for. */
const ROWS_PER_TERM = 5;
const MAX_COVARIATES = 2;
const MAX_COVARIATE_LEVELS = 10;
/** Normal intervals of shares need about this many items. */
const SMALL_SAMPLE = 30;

/** Scored systems, or none when the rows cannot be compared by system. */
export function comparedSystems(facts: ScoreFacts): readonly string[] {
  const { systems } = facts.design;
  return systems.length <= MAX_COMPARED && facts.table.rows > systems.length + 1 ? systems : [];
}

export function offerMeans(question: Question): Offer[] {
  const { imported, facts, source } = question;
  // folds are no sample of anything
  if (facts === undefined || isTotals(imported) || foldOf(question) !== undefined || isCourseOnly(question)) return [];
  const counted = facts.isFactor ? countVerdicts(facts) : { name: facts.name, mutate: undefined };
  if (counted === undefined) return [];
  const { roles } = imported;
  // both rows of a battle are one vote: the comparison prints the proportions
  if (roles.opponent !== undefined) return [];
  if (roles.system === undefined && (roles.item === undefined || roles.parameters.length > 1)) return [];
  const systems = comparedSystems(facts);
  const several = facts.design.systems.length > 1;
  if (several && systems.length === 0) return [];
  const rated = isRated(roles, facts);
  // A comparison of raters' scores prints the means and their intervals.
  if (rated && isCompared(question)) return [];
  const what = facts.isFactor ? `proportion of ${facts.name}` : `mean ${facts.name}`;
  const asked = several
    ? `How high is the ${what} of each ${roles.system}, with an interval?`
    : `How high is the ${what}, with an interval?`;
  if (facts.kind === "binary" && roles.opponent === undefined && !hangsTogether(roles, facts)) {
    const command = `gosset score ${metricArguments(question)}`;
    return [{ needs: "score", question: asked, command }];
  }
  const random = rated ? randomTerms(roles, facts) : [];
  const cluster = random.length > 0 ? undefined : chooseCluster(roles, facts.design, facts.table.rows);
  const model = random.length > 0 ? ("lmm" as const) : ("lm" as const);
  const fit = {
    model,
    response: quoteName(counted.name),
    terms: [...(several ? ["0", quoteName(roles.system!)] : ["1"]), ...random],
    factors: several ? [roles.system!] : [],
    cluster: cluster?.name,
    mutate: counted.mutate,
  };
  const small =
    facts.kind === "binary" && facts.design.items > 0 && facts.design.items < SMALL_SAMPLE
      ? `only ${facts.design.items} items: the normal interval of a share is rough`
      : undefined;
  return [
    {
      needs: `fit ${model}`,
      question: asked,
      command: fitCommand(fit, facts.table, source),
      note: small ?? clusterNote(cluster),
    },
  ];
}

export function offerDifference(question: Question): Offer[] {
  const { imported, facts } = question;
  if (facts === undefined || !isComparable(question)) return [];
  const { roles } = imported;
  const systems = comparedSystems(facts);
  const fold = foldOf(question);
  if (fold !== undefined) return offerFolds(question, fold, systems);
  // what raters, repeats and clusters do to the power is known to the comparison only
  const planned = roles.opponent !== undefined || isOwnPilot(question) || !hangsTogether(roles, facts);
  const also = planned ? "" : ", and what is the minimum detectable effect";
  const byRow = !isPaired(question) && hasRowsOfRuns(question);
  const compare: Offer = {
    needs: "compare",
    question:
      systems.length === 2
        ? `Is the difference between ${systems.join(" and ")} real${also}?`
        : `Which differences between the ${systems.length} systems are real${also}?`,
    command: `gosset compare ${metricArguments(question)}${isPaired(question) ? "" : byRow ? " --by-row" : " --unpaired"}`,
    note: byRow ? "if row i of each run is the same item: no column names the items" : pairingNote(roles, facts),
  };
  return [
    ...(isCompared(question) ? [compare] : []),
    // errors clustered by item know nothing of the raters: their model is among the mixed ones
    ...(isRated(roles, facts) ? [] : offerDifferenceModel(question, facts, roles.system!)),
  ];
}

/** Runs of several rows each, as many in every run, and no names of items: rows that are repeated are not independent of each other. */
function hasRowsOfRuns({ imported: { roles }, facts }: Question): boolean {
  if (facts === undefined || roles.repeat === undefined || roles.system === undefined) return false;
  const cells = [roles.system, roles.repeat].map((name) => facts.table.columns.get(name)!);
  const { group, count } = groupKeys(cells, facts.table.rows);
  const sizes = new Int32Array(count);
  for (const own of group) sizes[own]! += 1;
  return sizes.every((size) => size > 1 && size === sizes[0]);
}

/** The column of folds where there is one number for each system and fold, or for each of several repeats of the folds: nothing smaller could be
 *  paired. */
function foldOf({ imported: { roles }, facts }: Question): string | undefined {
  if (facts === undefined || roles.repeat === undefined || roles.system === undefined) return undefined;
  if ([roles.item, roles.task, roles.rater].some((name) => name !== undefined)) return undefined;
  const { table } = facts;
  const fold = isFold(roles.repeat) ? roles.repeat : [...table.columns.keys()].find(isFold);
  if (fold === undefined) return undefined;
  const cells = [...new Set([roles.system, roles.repeat, fold])].map((name) => table.columns.get(name)!);
  return groupKeys(cells, table.rows).count === table.rows ? fold : undefined;
}

/** Of metrics in rows the name of one is enough: its rows are found by it. */
function metricArguments({ source, metric, facts }: Question): string {
  const inRows = source.where !== undefined && metric !== undefined;
  const files = sourceArguments(inRows ? { ...source, where: undefined } : source).join(" ");
  return `${files} --metric ${quoteShell(inRows ? metric : facts!.name)}`;
}

/** Folds share training data: the test that allows for it, of the first two systems. */
function offerFolds(question: Question, fold: string, systems: readonly string[]): Offer[] {
  const { facts, imported, source, profile } = question;
  const { system, repeat } = imported.roles;
  const two = systems.length === 2 ? "" : ` --systems ${quoteShell(systems.slice(0, 2).join(","))}`;
  const again = repeat !== fold;
  if (again && [repeat!, fold].some((name) => profile(name).column.kind !== "numeric")) return [];
  const item = again
    ? `--item split --mutate ${quoteShell(`split = 1000 * ${quoteName(repeat!)} + ${quoteName(fold)}`)}`
    : `--item ${quoteShell(fold)}`;
  return [
    {
      needs: "test",
      question: `Is the difference between ${systems[0]} and ${systems[1]} real?`,
      command: `gosset test cv ${sourceArguments(source).join(" ")} --score ${quoteShell(facts!.name)} --by ${quoteShell(system!)} ${item}${two} --n-train ${profile(fold).distinct - 1} --n-test 1`,
      note: "the models of different folds share training data, so a plain test is too optimistic",
    },
  ];
}

/** One number for each system and step of its training: nothing that could be tested. */
function isCourseOnly({ imported: { roles }, facts }: Question): boolean {
  if (facts === undefined || roles.system === undefined || roles.item !== undefined) return false;
  const { table, name: score } = facts;
  return [...table.columns.keys()].some(
    (name) =>
      isCourse(name, score) &&
      groupKeys([table.columns.get(roles.system!)!, table.columns.get(name)!], table.rows).count === table.rows,
  );
}

function isComparable(question: Question): boolean {
  const { imported, facts } = question;
  if (facts === undefined || isTotals(imported) || isConfounded(question) || isCourseOnly(question)) return false;
  return comparedSystems(facts).length > 1 && imported.roles.system !== undefined;
}

const isPaired = ({ imported, facts }: Question): boolean =>
  imported.roles.item !== undefined && facts !== undefined && facts.design.pairedItems > 0;

/** Whether `compare` has enough to go by. */
function isCompared(question: Question): boolean {
  const { imported, facts } = question;
  if (facts === undefined || !isComparable(question)) return false;
  if (imported.roles.opponent !== undefined) return true;
  // samples that the same raters scored are not independent
  if (!isPaired(question) && isRated(imported.roles, facts)) return false;
  return isPaired(question) ? facts.design.sharedItems > 1 : facts.means.every(({ n }) => n > 1);
}

/** The same question as a regression: every system against the first. */
function offerDifferenceModel({ imported, source, profile }: Question, facts: ScoreFacts, system: string): Offer[] {
  const { roles } = imported;
  const tasks = roles.task === undefined ? 0 : profile(roles.task).distinct;
  const enough = facts.table.rows >= ROWS_PER_TERM * (facts.design.systems.length + tasks);
  const others = tasks > 1 && enough ? [roles.task!] : [];
  // Within a task a share may be 0 or 1 even where the system's is not.
  const binomial = facts.kind === "binary" && !facts.separated && others.length === 0;
  if ((facts.isFactor && !binomial) || roles.opponent !== undefined) return [];
  const cluster = chooseCluster(roles, facts.design, facts.table.rows);
  const model = binomial ? ("glm" as const) : ("lm" as const);
  const terms = [system, ...others].map(quoteName);
  const levels = facts.isFactor ? orderVerdicts(facts) : undefined;
  const fit = {
    model,
    response: quoteName(facts.name),
    terms,
    factors: [system],
    cluster: cluster?.name,
    binomial,
    levels,
  };
  const first = facts.design.systems[0];
  return [
    {
      needs: `fit ${model}`,
      question: binomial
        ? `How do the odds of ${facts.name} differ from those of ${first}?`
        : `How far is each system's ${facts.name} from that of ${first}?`,
      command: fitCommand(fit, facts.table, source),
      note: pairingNote(roles, facts) ?? clusterNote(cluster),
    },
  ];
}

/** Verdicts as a column of 0 and 1, whose mean is a share. */
function countVerdicts(facts: ScoreFacts): { name: string; mutate: string } | undefined {
  const good = listValues(facts.profile.column).find((level) => isGood(facts, level));
  const name = `${facts.name}_01`;
  if (good === undefined || /['"\\]/.test(good) || facts.table.columns.has(name)) return undefined;
  return { name, mutate: `${quoteName(name)} = ${quoteName(facts.name)} == '${good}'` };
}

function isGood({ name, table, profile }: ScoreFacts, level: string): boolean {
  const { column: cells } = profile;
  if (cells.kind !== "factor") return false;
  return scoreNumbers(table, name)[cells.codes.indexOf(cells.levels.indexOf(level))] === 1;
}

/** A binomial model counts the second level as success; --levels where the alphabet has it first. */
function orderVerdicts(facts: ScoreFacts): string | undefined {
  const [first, second] = listValues(facts.profile.column);
  if (first === undefined || second === undefined || !isGood(facts, first)) return undefined;
  return `${facts.name}=${second},${first}`;
}

function pairingNote(roles: Roles, facts: ScoreFacts): string | undefined {
  if (roles.opponent !== undefined) return "a proportion of wins depends on the opponents that each system met";
  if (roles.item === undefined) return "no column names the items, so rows are not paired";
  const { sharedItems, pairedItems, systems } = facts.design;
  if (pairedItems === 0) return "the systems share no items, so the comparison is unpaired";
  return sharedItems === 0 ? `no item was scored on all ${systems.length} systems` : undefined;
}

/** Each system on tasks of its own: whether the system or the task made the difference cannot be told. */
export function isConfounded({ imported, facts }: Question): boolean {
  const design = facts?.design;
  return (
    design !== undefined &&
    imported.roles.item !== undefined &&
    design.systems.length > 1 &&
    design.pairedItems === 0 &&
    design.tasks > 1
  );
}

/** The settled value of several judgements is made of them. */
const isDerived = (name: string, score: string): boolean => isSettled(name) || `${name}_each` === score;

/** Whether an item has several values, and not the same ones for every system. */
function isOfOutputs({ table, design }: ScoreFacts, { item, system }: Roles, name: string): boolean {
  const count = (...names: readonly string[]): number =>
    groupKeys(
      names.map((own) => column(table, own)),
      table.rows,
    ).count;
  const values = count(item!, name);
  return values > count(item!) && count(item!, name, system!) < MOSTLY * values * design.systems.length;
}
const MOSTLY = 0.9;

/** What the score is made of, or made into: it is a function of one column, or a weighted sum of several. That it depends on them says nothing. */
function componentsOf({ table, name: score }: ScoreFacts, names: readonly string[]): ReadonlySet<string> {
  const count = (...own: readonly string[]): number =>
    groupKeys(
      own.map((one) => column(table, one)),
      table.rows,
    ).count;
  // a value for every row determines everything
  const isFunction = (name: string): boolean => 2 * count(name) <= table.rows && count(name, score) === count(name);
  const numeric = names.filter((name) => column(table, name).kind === "numeric");
  return new Set([...names.filter(isFunction), ...summandsOf(table, score, numeric)]);
}

/** Columns with a weight in a sum that is the score in every row. */
function summandsOf(table: Table, score: string, names: readonly string[]): string[] {
  if (names.length === 0 || table.rows < ROWS_PER_TERM * (names.length + 1)) return [];
  const columns = names.map((name, k) => [`x${k}`, column(table, name)] as const);
  const own = makeTable([["y", numericColumn(scoreNumbers(table, score))], ...columns]);
  const { coefficients, rSquared } = fitLm(`y ~ ${columns.map(([name]) => name).join(" + ")}`, own);
  if (!(1 - rSquared < EXACT)) return [];
  return names.filter((_, k) => Math.abs(coefficients.find(({ name }) => name === `x${k}`)?.value ?? 0) > EXACT);
}
/** Residual proportion of variance that rounding leaves. */
const EXACT = 1e-9;

/** Does the score, or the difference between systems, depend on a property of the items? */
export function offerCovariates(question: Question): Offer[] {
  const { imported, facts, source, profile } = question;
  if (facts === undefined || facts.isFactor || imported.items === 0 || isConfounded(question)) return [];
  const { roles } = imported;
  // both rows of a battle are one vote
  if (roles.opponent !== undefined) return [];
  const systems = comparedSystems(facts);
  const compared = systems.length > 1 && facts.design.pairedItems > 0;
  const parts = componentsOf(facts, roles.covariates);
  const random = isRated(roles, facts) ? randomTerms(roles, facts) : [];
  const cluster = random.length > 0 ? undefined : chooseCluster(roles, facts.design, facts.table.rows);
  const model = random.length > 0 ? ("lmm" as const) : ("lm" as const);
  const names = [...(roles.perturbation === undefined ? [] : [roles.perturbation]), ...roles.covariates];
  const usable = names.filter((name) => {
    const { column: cells, distinct, missing } = profile(name);
    const few = cells.kind === "numeric" || distinct <= MAX_COVARIATE_LEVELS;
    const parameters = (compared ? systems.length : 1) * (cells.kind === "numeric" ? 2 : distinct);
    if (isDerived(name, facts.name) || isCostName(name) || parts.has(name)) return false;
    // what goes with the system (the side on which it stood) is indistinguishable from it
    if (compared && samePartition(facts.table, profile(roles.system!), profile(name))) return false;
    // what differs within an item was measured on the outputs, and is no property that a difference could depend on
    if (compared && isOfOutputs(facts, roles, name)) return false;
    return few && distinct > 1 && facts.table.rows - missing > 2 * parameters;
  });
  return usable.slice(0, MAX_COVARIATES).map((name) => {
    const [system, own] = [quoteName(roles.system ?? ""), quoteName(name)];
    const terms = [compared ? `${system} * ${own}` : own, ...random];
    const factors = compared ? [roles.system!] : [];
    const fit = { model, response: quoteName(facts.name), terms, factors, cluster: cluster?.name };
    const asked = compared
      ? `Does the difference between the systems depend on ${name}?`
      : `Does ${facts.name} depend on ${name}?`;
    return {
      needs: `fit ${model}`,
      question: asked,
      command: fitCommand(fit, facts.table, source),
      note: clusterNote(cluster),
    };
  });
}
