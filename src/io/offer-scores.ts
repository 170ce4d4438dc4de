/** Questions about the score of one or more systems: its size, the difference, what it depends on, what could be seen. */
import { isTotals, type Question } from "./answers.ts";
import { listValues } from "./column-profile.ts";
import { chooseCluster, clusterNote, fitCommand, type Offer, sourceArguments } from "./command.ts";
import type { Roles } from "./imported.ts";
import { quoteName, quoteShell } from "./quote.ts";
import { agreementOfTwo, type ScoreFacts, scoreNumbers } from "./score-facts.ts";

/** More systems than this are a population, not a list to compare one by one. */
export const MAX_COMPARED = 30;
/** Rows for every level of a factor that is only adjusted for. */
const ROWS_PER_TERM = 5;
const MAX_COVARIATES = 2;
const MAX_COVARIATE_LEVELS = 10;
/** Normal intervals of shares need about this many items. */
const SMALL_SAMPLE = 30;
const DIGITS = 3;

/** Scored systems, or none when the rows cannot be compared by system. */
export function comparedSystems(facts: ScoreFacts): readonly string[] {
  const { systems } = facts.design;
  return systems.length <= MAX_COMPARED && facts.table.rows > systems.length + 1 ? systems : [];
}

export function offerMeans({ imported, facts, source }: Question): Offer[] {
  if (facts === undefined || isTotals(imported)) return [];
  const counted = facts.isFactor ? countVerdicts(facts) : { name: facts.name, mutate: undefined };
  if (counted === undefined) return [];
  const { roles } = imported;
  if (roles.system === undefined && (roles.item === undefined || roles.parameters.length > 1)) return [];
  const systems = comparedSystems(facts);
  const several = facts.design.systems.length > 1;
  if (several && systems.length === 0) return [];
  const cluster = chooseCluster(roles, facts.design, facts.table.rows);
  const terms = several ? ["0", quoteName(roles.system!)] : ["1"];
  const fit = {
    model: "lm" as const,
    response: quoteName(counted.name),
    terms,
    factors: several ? [roles.system!] : [],
    cluster: cluster?.name,
    mutate: counted.mutate,
  };
  const small =
    facts.kind === "binary" && facts.design.items > 0 && facts.design.items < SMALL_SAMPLE
      ? `only ${facts.design.items} items: the normal interval of a share is rough`
      : undefined;
  const what = facts.isFactor ? `share of ${facts.name}` : `mean ${facts.name}`;
  const question = several
    ? `How high is the ${what} of each ${roles.system}, with an interval?`
    : `How high is the ${what}, with an interval?`;
  return [
    {
      needs: "fit lm",
      question,
      command: fitCommand(fit, facts.table, source),
      note: roles.opponent !== undefined ? pairingNote(roles, facts) : (small ?? clusterNote(cluster)),
    },
  ];
}

export function offerDifference(question: Question): Offer[] {
  const { imported, facts, source } = question;
  if (facts === undefined || isTotals(imported) || isConfounded(question)) return [];
  const { system } = imported.roles;
  const systems = comparedSystems(facts);
  if (systems.length < 2 || system === undefined) return [];
  const { item } = imported.roles;
  const { sharedItems, pairedItems } = facts.design;
  const unpaired = item === undefined || pairedItems === 0 ? " --unpaired" : "";
  const compare: Offer = {
    needs: "compare",
    question:
      systems.length === 2
        ? `Is the difference between ${systems.join(" and ")} real?`
        : `Which differences between the ${systems.length} systems are real?`,
    command: `assay compare ${sourceArguments(source).join(" ")} --metric ${quoteShell(facts.name)}${unpaired}`,
    note: pairingNote(imported.roles, facts),
  };
  const votes = imported.roles.opponent !== undefined;
  const enough = unpaired === "" ? sharedItems > 1 : facts.means.every(({ n }) => n > 1);
  const comparable = votes || enough;
  return [...(comparable ? [compare] : []), ...offerDifferenceModel(question, facts, system)];
}

/** The same question as a regression: every system against the first. */
function offerDifferenceModel({ imported, source, profile }: Question, facts: ScoreFacts, system: string): Offer[] {
  const { roles } = imported;
  const tasks = roles.task === undefined ? 0 : profile(roles.task).distinct;
  const enough = facts.table.rows >= ROWS_PER_TERM * (facts.design.systems.length + tasks);
  const others = tasks > 1 && enough ? [roles.task!] : [];
  // Within a task a share may be 0 or 1 even where the system's is not.
  const binomial = facts.kind === "binary" && !facts.separated && others.length === 0;
  if (facts.isFactor && !binomial) return [];
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
  if (roles.opponent !== undefined) return "a share of wins depends on the opponents that each system met";
  if (roles.item === undefined) return "no column names the items, so rows are not paired";
  const { sharedItems, pairedItems, systems } = facts.design;
  if (pairedItems === 0) return "the systems share no items, so the comparison is unpaired";
  return sharedItems === 0 ? `no item was scored on all ${systems.length} systems` : undefined;
}

/** Each system on tasks of its own: whether the system or the task made the difference cannot be told. */
function isConfounded({ imported, facts }: Question): boolean {
  const design = facts?.design;
  return (
    design !== undefined &&
    imported.roles.item !== undefined &&
    design.systems.length > 1 &&
    design.pairedItems === 0 &&
    design.tasks > 1
  );
}

/** Does the score, or the difference between systems, depend on a property of the items? */
export function offerCovariates(question: Question): Offer[] {
  const { imported, facts, source, profile } = question;
  if (facts === undefined || facts.isFactor || imported.items === 0 || isConfounded(question)) return [];
  const { roles } = imported;
  const systems = comparedSystems(facts);
  const compared = systems.length > 1 && facts.design.pairedItems > 0;
  const cluster = chooseCluster(roles, facts.design, facts.table.rows);
  const names = [...(roles.perturbation === undefined ? [] : [roles.perturbation]), ...roles.covariates];
  const usable = names.filter((name) => {
    const { column, distinct, missing } = profile(name);
    const few = column.kind === "numeric" || distinct <= MAX_COVARIATE_LEVELS;
    const parameters = (compared ? systems.length : 1) * (column.kind === "numeric" ? 2 : distinct);
    return few && distinct > 1 && facts.table.rows - missing > 2 * parameters;
  });
  return usable.slice(0, MAX_COVARIATES).map((name) => {
    const terms = [compared ? `${quoteName(roles.system!)} * ${quoteName(name)}` : quoteName(name)];
    const factors = compared ? [roles.system!] : [];
    const fit = { model: "lm" as const, response: quoteName(facts.name), terms, factors, cluster: cluster?.name };
    const asked = compared
      ? `Does the difference between the systems depend on ${name}?`
      : `Does ${facts.name} depend on ${name}?`;
    return {
      needs: "fit lm",
      question: asked,
      command: fitCommand(fit, facts.table, source),
      note: clusterNote(cluster),
    };
  });
}

/** The smallest difference that this many items can show: a question of the design, not of the observed difference. */
export function offerSmallestEffect(context: Question): Offer[] {
  const { imported, facts, source } = context;
  const { roles } = imported;
  if (facts === undefined || imported.items < 2 || roles.parameters.length > 1 || isConfounded(context)) return [];
  const { design, kind, means } = facts;
  const offer = (scenario: string, options: string): Offer[] => [
    {
      needs: `mde ${scenario}`,
      question: "How small a difference could data of this size show?",
      command: `assay mde ${scenario} ${options}`,
    },
  ];
  if (roles.opponent !== undefined) return offer("preference", `--n ${design.clusters}`);
  const pilot = source.where === undefined && design.systems.length > 1 && roles.item !== undefined;
  if (design.raters > 1 && kind === "rating" && pilot)
    return offer("likert", `--items ${design.items} --raters ${design.raters}${pilotOf(context)}`);
  if (kind !== "binary") return offer("means", `--n ${design.items}`);
  const agreement = agreementOfTwo(facts, roles);
  const best = means.reduce((most, entry) => (entry.n > 0 ? Math.max(most, entry.mean) : most), 0);
  const known = Number.isNaN(agreement) ? `--baseline ${round(best)}` : `--agreement ${round(agreement)}`;
  return offer("accuracy", `--n ${design.items} ${known}`);
}

/** Simulating more ratings than this takes minutes; the approximation is close where there are so many. */
const MOST_SIMULATED = 1000;

/** These ratings as the pilot: their own spread between raters and items, not that of another study. */
function pilotOf({ imported: { roles }, facts, source }: Question): string {
  const columns = { score: facts!.name, system: roles.system, rater: roles.rater, item: roles.item };
  const named = Object.entries(columns).map(([role, name]) => `${role}=${name}`);
  const { systems } = facts!.design;
  const two = systems.length > 2 ? ` --systems ${quoteShell(systems.slice(0, 2).join(","))}` : "";
  const { items, raters } = facts!.design;
  const fast = items * raters > MOST_SIMULATED ? " --method approx" : "";
  return ` --pilot ${quoteShell(source.target)} --columns ${quoteShell(named.join(","))}${two}${fast}`;
}

function round(value: number): string {
  return String(Number(value.toFixed(DIGITS)));
}
