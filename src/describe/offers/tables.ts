/** Questions for tables of other shapes: one column per system, grids of settings, labels to predict, totals, texts. */

import { type Column, column, type Table } from "../../data/table.ts";
import { listNames, quoteFormula, quoteName, quoteShell } from "../../result/quote.ts";
import { findSpread } from "../../significance/totals/spread.ts";
import { type ColumnProfile, listValues, profileColumn } from "../../study/facts.ts";
import { findJudged } from "../../study/judged.ts";
import { propose } from "../../study/reshape/reshape.ts";
import { scoreNumbers } from "../../study/score-facts.ts";
import { findHumanScore } from "../../validity/metrics/columns.ts";
import { chooseCluster, clusterNote, factorOptions, fitCommand, type Offer, sourceArguments } from "./command.ts";
import type { Question } from "./question.ts";
import { isTotals } from "./question.ts";

import { samePartition } from "./terms.ts";

const MAX_FEATURES = 12;

/** Which of the settings that were varied matter? */
export function offerSettings({ imported, facts, source, profile }: Question): Offer[] {
  const { roles } = imported;
  if (facts === undefined || facts.isFactor || roles.parameters.length === 0) return [];
  const { table } = facts;
  const sweep = roles.item === undefined ? [roles.system, roles.task] : [];
  const varied = [...sweep, ...roles.parameters, roles.repeat]
    .filter((name) => name !== undefined)
    .filter((name) => profile(name).distinct > 1);
  // numbers drawn from a range are another in every row: that says nothing of how they go together
  const settings = varied.filter(
    (name, i) =>
      isRange(profile(name)) ||
      !varied.slice(0, i).some((earlier) => samePartition(table, profile(earlier), profile(name))),
  );
  const dropped = varied.filter((name) => !settings.includes(name));
  const parameters = (name: string): number => (isRange(profile(name)) ? 1 : profile(name).distinct);
  if (settings.length === 0 || table.rows <= 2 * settings.reduce((sum, name) => sum + parameters(name), 1)) return [];
  const chosen = settings.filter((name) => !isRange(profile(name)));
  const cluster = roles.item === undefined ? undefined : chooseCluster(roles, facts.design, table.rows);
  const terms = settings.map(quoteName);
  const response = quoteName(facts.name);
  const offers: Offer[] = [
    {
      needs: "fit lm",
      question: `Which settings change ${facts.name}, and by how much?`,
      command: fitCommand({ model: "lm", response, terms, factors: chosen, cluster: cluster?.name }, table, source),
      note:
        dropped.length > 0 ? `${dropped.join(", ")} left out: always varied together with another setting` : undefined,
    },
  ];
  // Rows of one item are not independent, which a likelihood-ratio test of plain linear models ignores.
  if (cluster === undefined && settings.length > 1) {
    const last = settings[0]!;
    const rest = settings.slice(1).map(quoteName);
    const formulas = [rest, [...rest, quoteName(last)]].map((list) =>
      quoteFormula(`${response} ~ ${list.join(" + ")}`),
    );
    const command = ["gosset anova", ...formulas, ...sourceArguments(source), ...factorOptions(chosen, table)].join(
      " ",
    );
    offers.push({ needs: "anova", question: `Does ${last} matter beyond the other settings?`, command });
  }
  return offers;
}

/** Numbers drawn from a range are no levels. */
const isRange = ({ column: cells, distinct }: ColumnProfile): boolean =>
  cells.kind === "numeric" && distinct > MAX_SETTINGS;

/** A model's scores next to people's labels of the same outputs. */
export function offerJudge({ imported, source }: Question): Offer[] {
  const found = findJudged(imported.table);
  if (found === undefined) return [];
  const file = sourceArguments(source).join(" ");
  const { judge, human } = found;
  const columns = `--judge ${quoteShell(judge)} --human ${quoteShell(human)}`;
  return [
    {
      needs: "judge check",
      question: `How well does ${judge} agree with people (${human}), and whom does it favor?`,
      command: `gosset judge check ${file} ${columns}`,
    },
    {
      needs: "judge",
      question: `What would people (${human}) have said of all outputs, by ${judge} and their labels?`,
      command: `gosset judge correct ${file} ${columns}`,
    },
  ];
}

/** Right answers beside predictions, of one system or several. */
export function offerPredictions({ imported, source }: Question): Offer[] {
  const { label, prediction, score, metrics } = imported.roles;
  if (label === undefined || prediction === undefined || score !== undefined || metrics.length > 0) return [];
  const of = `${sourceArguments(source).join(" ")} --gold ${quoteShell(label)} --pred ${quoteShell(prediction)}`;
  const scored: Offer = {
    needs: "score",
    question: `How accurate is ${prediction} for ${label}, with an interval?`,
    command: `gosset score ${of} --metric accuracy`,
  };
  if (imported.systems.length < 2) return [scored];
  const [first, second, ...others] = imported.systems;
  const asked =
    others.length === 0
      ? `Is the difference in accuracy between ${first} and ${second} real?`
      : `Which differences in accuracy between the ${imported.systems.length} systems are real?`;
  return [scored, { needs: "compare", question: asked, command: `gosset compare ${of} --metric accuracy` }];
}

/** Scores beside a right answer: do they follow it, and is it a function of what the system saw? */
export function offerLabel({ imported, design, source, profile }: Question): Offer[] {
  const { roles, table } = imported;
  if (roles.label === undefined || roles.rater !== undefined || profile(roles.label).distinct < 2) return [];
  if (roles.prediction !== undefined && roles.score === undefined) return [];
  const cluster = chooseCluster(roles, design, table.rows);
  const scores = roles.metrics.filter((name) => column(table, name).kind === "numeric").slice(0, 2);
  const offers = scores.map((score): Offer => {
    const fit = {
      model: "lm" as const,
      response: quoteName(score),
      terms: [quoteName(roles.label!)],
      cluster: cluster?.name,
    };
    return {
      needs: "fit lm",
      question: `Is ${score} associated with ${roles.label}?`,
      command: fitCommand(fit, table, source),
      note: clusterNote(cluster),
    };
  });
  const predicted = roles.system === undefined ? columnsOfLabels(table, roles.label, roles.covariates) : [];
  if (predicted.length > 1) {
    offers.push({
      needs: "compare",
      question: `Which of ${predicted.join(", ")} predicts ${roles.label} more accurately?`,
      command: `gosset compare ${sourceArguments(source).join(" ")} --gold ${quoteShell(roles.label)} --pred ${quoteShell(predicted.join(","))} --metric accuracy`,
    });
  }
  return offers;
}

/** A label beside what it may have been computed from; a table of grades without systems has its grade as the label. */
export function offerCircularity({ imported, facts, source, profile }: Question): Offer[] {
  const { roles, table } = imported;
  const alone = roles.system === undefined && roles.parameters.length === 0;
  const graded = alone && facts !== undefined && facts.kind !== "real" ? facts.name : undefined;
  const label = roles.label ?? graded;
  if (label === undefined || roles.rater !== undefined || profile(label).distinct < 2) return [];
  if (roles.covariates.length === 0 || !isOrdered(column(table, label))) return [];
  if (completeRows(table, [label, ...roles.covariates]) < FEWEST_LABELLED) return [];
  const features =
    roles.covariates.length <= MAX_FEATURES ? ` --features ${quoteShell(roles.covariates.join(","))}` : "";
  return [
    {
      needs: "validity circularity",
      question: `Is ${label} a function of the other columns, so that predicting it is circular?`,
      command: `gosset validity circularity ${quoteShell(source.target)} --label ${quoteShell(label)}${features}`,
    },
  ];
}

function completeRows(table: Table, names: readonly string[]): number {
  const cells = names.map((name) => column(table, name));
  const missing = (own: Column, row: number): boolean =>
    own.kind === "numeric" ? Number.isNaN(own.values[row]!) : own.codes[row]! < 0;
  return Array.from({ length: table.rows }, (_, row) => row).filter((row) => !cells.some((own) => missing(own, row)))
    .length;
}

/** `validity circularity` refuses fewer rows. */
const FEWEST_LABELLED = 50;

/** A curve can follow numbers, ordered levels and two classes, but no three classes without an order. */
const isOrdered = (cells: Column): boolean => cells.kind === "numeric" || cells.ordered || cells.levels.length === 2;

/** Columns that may hold the labels of a rater each, or count those who chose a label. */
export function offerRaterColumns({ imported, source }: Question): Offer[] {
  const { roles, table } = imported;
  if ([roles.score, roles.rater, roles.system, roles.label].some((name) => name !== undefined)) return [];
  return propose("raters", table, roles).flatMap(({ raters, counts }) => {
    if (raters?.some((name) => profileColumn(name, table.columns.get(name)!).values === "real")) return [];
    const [option, names] = raters === undefined ? ["counts", counts ?? []] : ["raters", raters];
    return {
      needs: "agreement",
      question:
        option === "raters"
          ? `Do ${listNames(names, MOST_NAMED)} agree, if each column is a rater?`
          : `Do raters agree, if ${listNames(names, MOST_NAMED)} count those who chose each label?`,
      command: `gosset agreement ${sourceArguments(source).join(" ")} --${option} ${quoteShell(names.join(","))}`,
    };
  });
}
const MOST_NAMED = 5;

/** Metrics beside judgements of the same outputs: which of them goes with what people say? */
export function offerMetricAgreement({ imported, source }: Question): Offer[] {
  const found = findHumanScore(imported);
  if (found === undefined || isTotals(imported) || imported.table.rows < FEWEST_JUDGED) return [];
  const { human, metrics } = found;
  const named = ` --human ${quoteShell(human)}${metrics.length > MAX_FEATURES ? "" : ` --metrics ${quoteShell(metrics.join(","))}`}`;
  return [
    {
      needs: "validity metrics",
      question:
        metrics.length === 1
          ? `Does ${metrics[0]} agree with people (${human})?`
          : `Which of ${metrics.length} metrics agrees with people (${human})?`,
      command: `gosset validity metrics ${sourceArguments(source).join(" ")}${named}`,
      note: `Gosset treats ${human} as the human score: ${found.reason}`,
    },
  ];
}

/** Fewer outputs say little of any correlation. */
const FEWEST_JUDGED = 6;

/** Several scores of the same rows, without systems: does one predict the other? */
export function offerMetricRelation({ imported, design, source, profile }: Question): Offer[] {
  const { roles, table } = imported;
  if (roles.system !== undefined || imported.items > 0) return [];
  const numeric = roles.metrics.filter((name) => column(table, name).kind === "numeric" && profile(name).distinct > 1);
  const [first, second] = numeric;
  const cluster = chooseCluster(roles, design, table.rows);
  if (first !== undefined && second !== undefined && table.rows > 4) {
    const fit = {
      model: "lm" as const,
      response: quoteName(second),
      terms: [quoteName(first)],
      cluster: cluster?.name,
    };
    return [{ needs: "fit lm", question: `Does ${first} predict ${second}?`, command: fitCommand(fit, table, source) }];
  }
  if (roles.metrics.length > 0) return [];
  const numbers = roles.covariates.filter(
    (name) => column(table, name).kind === "numeric" && profile(name).distinct > 2,
  );
  const [x, y] = numbers.slice(-2);
  if (x === undefined || y === undefined || table.rows < 10) return [];
  const fit = { model: "lm" as const, response: quoteName(y), terms: [quoteName(x)], cluster: cluster?.name };
  return [
    {
      needs: "fit lm",
      question: `How is ${y} associated with ${x}?`,
      command: fitCommand(fit, table, source),
      note: "no score column was found: put your own columns into the formula",
    },
  ];
}

/** Outputs without scores: their length can be compared now, their quality against a reference. */
export function offerText({ imported, source }: Question): Offer[] {
  const { roles, table, systems, files } = imported;
  if (roles.text === undefined || roles.system === undefined) return [];
  const offers: Offer[] = [];
  const paths = files.map((name) => ({ name, path: pathOf(name, source.target, files.length) }));
  const reference = paths.find(({ name }) => /(^|\/)ref(erence)?s?[-_.\d]/i.test(name));
  const outputs = paths.filter(({ name }) => name !== reference?.name);
  if (reference !== undefined && roles.reference !== undefined) {
    const [a, b] = outputs;
    if (a !== undefined && b !== undefined) {
      offers.push({
        needs: "compare",
        question: "Which differences in BLEU between the systems are real?",
        command: `gosset compare ${outputs.map(({ path }) => quoteShell(path)).join(" ")} --ref ${quoteShell(reference.path)} --metric bleu`,
      });
    }
    if (a !== undefined) {
      offers.push({
        needs: "score",
        question: `What is the BLEU score of ${systems[0]}?`,
        command: `gosset score ${quoteShell(a.path)} --ref ${quoteShell(reference.path)} --metric bleu`,
      });
    }
  }
  if (systems.length > 1 && column(table, "words").kind === "numeric") {
    const fit = { model: "lm" as const, response: "words", terms: ["0", quoteName(roles.system)], cluster: roles.item };
    offers.push({
      needs: "fit lm",
      question: "How long are the sentences of each system, in words?",
      command: fitCommand(fit, table, source),
    });
  } else if (table.rows > 2) {
    offers.push({
      needs: "fit lm",
      question: "How long are the sentences, in words?",
      command: fitCommand({ model: "lm", response: "words", terms: ["1"] }, table, source),
    });
  }
  return offers;
}

/** Names of a folder's files start with the folder's own name; the path the user typed replaces it. */
function pathOf(name: string, target: string, files: number): string {
  if (files === 1) return target;
  const folder = target.replace(/(?<!\/)\/+$/, "");
  const own = folder.slice(folder.lastIndexOf("/") + 1);
  return `${folder}/${name.startsWith(`${own}/`) ? name.slice(own.length + 1) : name}`;
}

/** Counts of passes and failures still allow a comparison of shares, though not a paired one. */
export function offerTotals(question: Question): Offer[] {
  const { imported, source } = question;
  const { roles, table } = imported;
  const spread =
    isTotals(imported) && roles.score !== undefined ? findSpread(table, roles.score, roles.metrics) : undefined;
  if (spread !== undefined && spread.kind !== "ask" && imported.systems.length > 1) {
    return [
      {
        needs: "compare",
        question: `Which systems differ in ${roles.score}, by ${spread.columns.join(" and ")}?`,
        command: `gosset compare ${sourceArguments(source).join(" ")} --metric ${quoteShell(roles.score!)}`,
        note: "totals, analyzed as independent samples",
      },
    ];
  }
  if (imported.items > 0 || roles.system === undefined || !table.columns.has("passed") || !table.columns.has("failed"))
    return [];
  const passed = scoreNumbers(table, "passed");
  const failed = scoreNumbers(table, "failed");
  const separated = passed.some((count, i) => !(count > 0) || !(failed[i]! > 0));
  if (table.rows < 2) return [];
  const response = "cbind(passed, failed)";
  const note = "every system had the same tests, which counts cannot pair: the errors are rough";
  if (!separated) {
    return [
      {
        needs: "fit glm",
        question: "How do the odds of passing differ between the systems?",
        command: fitCommand({ model: "glm", response, terms: ["system"], binomial: true }, table, source),
        note,
      },
    ];
  }
  return [
    {
      needs: "fit glm",
      question: "What is the overall proportion of passes, with an interval?",
      command: fitCommand({ model: "glm", response, terms: ["1"], binomial: true }, table, source),
      note,
    },
  ];
}

/** A setting has few values. */
const MAX_SETTINGS = 20;

/** Of `names` those that hold nothing but labels of `gold`: predictions, one system each. */
function columnsOfLabels(table: Table, gold: string, names: readonly string[]): string[] {
  const labels = new Set(labelsIn(table, gold));
  return names.filter((name) => {
    const own = name === gold ? [] : labelsIn(table, name);
    return own.length > 1 && own.every((level) => labels.has(level));
  });
}

/** Numbers are labels where they are few and whole. */
function labelsIn({ columns }: Table, name: string): readonly string[] {
  const cells = columns.get(name)!;
  const own = listValues(cells);
  return cells.kind === "factor" ||
    (own.length <= MAX_SETTINGS && own.every((value) => Number.isInteger(Number(value))))
    ? own
    : [];
}
