/** Which questions a data set can answer, and the command that answers each. A rule offers a question only where the rows
 *  suffice for it: one system is not compared, items with one rater have no agreement, equal scores have no model. */

import type { Imported } from "../../data/imported.ts";
import { asFactor, selectRows } from "../../data/table.ts";
import { quoteName, quoteShell } from "../../result/quote.ts";
import { type ColumnProfile, profileTable } from "../../study/facts.ts";
import { type Design, measureDesign } from "../../study/layout.ts";
import { measureScore, type ScoreFacts } from "../../study/score-facts.ts";
import { type Answer, type Offer, type Source, sourceArguments } from "./command.ts";
import { offerSmallestEffect } from "./power.ts";
import { isTotals, MIN_ROWS, type Question } from "./question.ts";
import { offerAgreement, offerChoice, offerMixedModels, offerReliability, offerVotes } from "./ratings.ts";
import { offerCovariates, offerDifference, offerMeans } from "./scores.ts";
import {
  offerCircularity,
  offerJudge,
  offerLabel,
  offerMetricAgreement,
  offerMetricRelation,
  offerPredictions,
  offerRaterColumns,
  offerSettings,
  offerText,
  offerTotals,
} from "./tables.ts";
import { countsAnew } from "./terms.ts";

const RULES: readonly ((question: Question) => Offer[])[] = [
  offerJudge,
  offerMeans,
  offerDifference,
  offerMixedModels,
  offerChoice,
  offerVotes,
  offerAgreement,
  offerReliability,
  offerSettings,
  offerCovariates,
  offerPredictions,
  offerRaterColumns,
  offerLabel,
  offerCircularity,
  offerMetricAgreement,
  offerMetricRelation,
  offerText,
  offerTotals,
  offerSmallestEffect,
];

/** Questions on what a row is, and the offers that rest on it. */
const UNITS: ReadonlySet<string> = new Set(["system", "item", "prompt"]);
const OF_UNITS: ReadonlySet<unknown> = new Set([
  ...[offerMeans, offerDifference, offerCovariates, offerSmallestEffect, offerMetricAgreement],
]);

export interface AnswerContext {
  readonly design: Design;
  /** Of the main score, if there is one. */
  readonly facts: ScoreFacts | undefined;
  /** Of all rows. */
  readonly profiles: readonly ColumnProfile[];
  readonly target: string;
  readonly paths?: readonly string[] | undefined;
  /** How the user starts the program. */
  readonly program: string;
  /** Words that commands which read the file need too. */
  readonly flags: readonly string[];
  readonly roleFlags: readonly string[];
}

const SEVERAL: ReadonlySet<string> = new Set(["compare", "score", "validity metrics"]);

/** Commands that unroll a table by themselves; the others see the columns of the file. */
const UNROLLING = ["compare", "score", "describe", "validity metrics"].map((name) => `gosset ${name}`);

export function listAnswers(imported: Imported, context: AnswerContext): Answer[] {
  const { target, paths, program, flags, roleFlags } = context;
  const source = sourceArguments({ target, paths }).join(" ");
  const complete = (command: string): string => {
    const own =
      imported.unrolled === true && !UNROLLING.some((own) => command.startsWith(own))
        ? [...flags, "--shape", "long"]
        : flags;
    const roles = roleFlags.filter((_, i) => takesRole(command, roleFlags[i - (i % 2)]!));
    const reads = command.includes(` ${source}`) ? [...own, ...roles].map(quoteShell) : [];
    return [command.replace(/^gosset\b/, () => program), ...reads].join(" ");
  };
  const focus = isTotals(imported) ? undefined : focusOnMetric(imported);
  const question =
    focus === undefined
      ? makeQuestion(imported, context, { target, paths }, imported.roles.score)
      : makeQuestion(focus.imported, measure(focus.imported), { target, paths, where: focus.where }, focus.metric);
  // what rests on an answer that is still open is offered once it is given
  const open = (imported.asks ?? []).map(({ id }) => id);
  const rules =
    imported.roles.system !== undefined && open.some((id) => UNITS.has(id))
      ? RULES.filter((rule) => !OF_UNITS.has(rule))
      : RULES;
  const plain = imported.unnamedRaters === true ? withoutRater(imported, { target, paths }) : question;
  const all = rules
    .flatMap((rule) => rule(rule === offerAgreement ? question : plain))
    .filter(({ command }) => !mixesItems(question, command));
  // the other commands read one file
  const offers = paths === undefined || paths.length < 2 ? all : all.filter(({ needs }) => SEVERAL.has(needs));
  return offers.map(({ question, command, note }) => ({
    question: focus === undefined ? question : `For ${focus.metric}: ${question}`,
    command: complete(command),
    ...(note === undefined ? {} : { note }),
  }));
}

/** Errors are clustered by one column: where ids start again in every task, it would take items that share a number for one. */
const mixesItems = ({ imported: { roles }, facts }: Question, command: string): boolean =>
  facts !== undefined && countsAnew(roles, facts) && `${command} `.includes(` --cluster ${quoteShell(roles.item!)} `);

/** Formulas name their columns; a flag that a command has already is not said twice. */
const takesRole = (command: string, flag: string): boolean =>
  (/^gosset compare\b/.test(command) || (/^gosset score\b/.test(command) && flag === "--system")) &&
  !command.includes(` ${flag} `);

/** Raters whom nobody named have numbers that mean nothing across items: no model can have a term of them. */
function withoutRater(imported: Imported, source: Source): Question {
  const { rater: _, ...roles } = imported.roles;
  const own = { ...imported, roles };
  return makeQuestion(own, measure(own), source, roles.score);
}

type Measured = Pick<AnswerContext, "design" | "facts" | "profiles">;

function measure(imported: Imported): Measured {
  const { table, roles } = imported;
  const facts = roles.score === undefined ? undefined : measureScore(imported, roles.score);
  return { design: measureDesign(table, roles), facts, profiles: profileTable(table) };
}

function makeQuestion(imported: Imported, measured: Measured, source: Source, metric: string | undefined): Question {
  const { facts } = measured;
  const usable = facts !== undefined && !facts.constant && facts.table.rows >= MIN_ROWS ? facts : undefined;
  const whole = usable === undefined || usable.table === imported.table;
  const byName = new Map((whole ? measured.profiles : profileTable(usable.table)).map((one) => [one.name, one]));
  return { imported, design: measured.design, facts: usable, source, metric, profile: (name) => byName.get(name)! };
}

/** In a table with one row per metric, scores of different metrics must not be mixed: the most frequent one is taken. */
function focusOnMetric(imported: Imported): { imported: Imported; where: string; metric: string } | undefined {
  const { roles, table } = imported;
  if (roles.metric === undefined || roles.score === undefined) return undefined;
  const own = table.columns.get(roles.metric)!;
  const cells = asFactor(own);
  const counts = new Int32Array(cells.levels.length);
  for (const code of cells.codes) if (code >= 0) counts[code]! += 1;
  const most = counts.indexOf(counts.reduce((a, b) => Math.max(a, b), 0));
  const metric = cells.levels[most];
  if (metric === undefined || counts.filter((count) => count > 0).length < 2 || /['"\\]/.test(metric)) return undefined;
  const rows = selectRows(table, (row) => cells.codes[row] === most);
  const coded = own.kind === "numeric";
  const where = `${quoteName(roles.metric)} == ${coded ? metric : `'${metric}'`}`;
  return { imported: { ...imported, table: rows }, where, metric: coded ? `${roles.metric} ${metric}` : metric };
}
