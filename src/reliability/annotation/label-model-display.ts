/** How the model of labels reads, and its JSON: who is right, what is uncertain, who should be asked. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Published, ResultJson } from "../../result/result.ts";
import type { AnnotationResult, AskAgain, ConsensusLabel, EstimatedShare, ModelledRater } from "./annotation.ts";

type Fields = FieldsOf<AnnotationResult>;

export interface DawidSkeneJson extends ResultJson<"dawid-skene"> {
  readonly items: number;
  readonly ratings: number;
  /** The order of `prior`, of the rows and columns of `confusion` and of every `posterior`. */
  readonly classes: readonly string[];
  readonly prior: readonly number[];
  readonly priorCi: readonly { readonly lower: number; readonly upper: number }[];
  /** By rater: rows are true classes, columns labels. */
  readonly confusion: { readonly [rater: string]: readonly (readonly number[])[] };
  readonly raters: readonly Omit<ModelledRater, "confusion">[];
  readonly consensus: readonly ConsensusLabel[];
  readonly askAgain: readonly AskAgain[];
  readonly certainty: number;
  readonly againstMajority: number;
  readonly logLik: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly confidence: number;
  readonly replicates: number;
}

export function annotationJson(result: Fields): Published<DawidSkeneJson> {
  const { signature: _, diagnostics: __, prior, raters, ...own } = result;
  return {
    ...own,
    prior: prior.map(({ value }) => value),
    priorCi: prior.map(({ lower, upper }) => ({ lower, upper })),
    confusion: Object.fromEntries(raters.map(({ rater, confusion }) => [rater, confusion])),
    raters: raters.map(({ confusion: _confusion, ...rater }) => rater),
  };
}

const percent = (value: number): string => formatNumber(value, "percent");

export function displayAnnotation(fields: Fields): Display {
  const { items, ratings, raters, classes, consensus, certainty, askAgain: ask, againstMajority } = fields;
  const sure = consensus.filter(({ probability }) => probability >= certainty).length;
  return {
    title: "Model of labels: true classes and raters' confusions (Dawid & Skene)",
    summary: [
      `${items} items, ${raters.length} raters, ${ratings} labels of ${classes.length} classes.`,
      `${percent(sure / items)} of the items have a consensus label of at least ${percent(certainty)} probability; ${ask.length} should be asked again. The consensus is not the majority's on ${percent(againstMajority)}.`,
    ],
    tables: [
      shareTable(fields),
      raterTable(fields),
      ...confusionTables(fields),
      ...(ask.length === 0 ? [] : [askTable(fields)]),
      ...hardTable(fields),
    ],
    notes: [
      `Log-likelihood ${formatNumber(fields.logLik, "statistic")} after ${fields.iterations} iterations. Every item's consensus and probabilities are in JSON.`,
      ...(fields.replicates === 0 ? [] : [`Intervals: ${fields.replicates} draws of the model with Jeffreys' prior.`]),
      `Consensus probabilities treat the estimated error rates as known, so they tend to be too high${fields.replicates === 0 ? "" : "; `sampled` in JSON averages over the draws"}.`,
    ],
  };
}

const ends = ({ value, lower, upper }: EstimatedShare): number[] => [value, lower, upper];

function shareTable({ classes, prior, confidence, consensus }: Fields): DisplayTable {
  const level = `${formatNumber(100 * confidence)}%`;
  return {
    caption: "Proportions of the true classes",
    head: ["class", "share", `${level} from`, "to", "items with this consensus"],
    formats: ["text", "percent", "percent", "percent", "integer"],
    rows: classes.map((name, k) => [name, ...ends(prior[k]!), consensus.filter(({ label }) => label === name).length]),
  };
}

/** Rows that a screen holds; all are in JSON. */
const MOST_SHOWN = 20;

function raterTable({ raters, confidence }: Fields): DisplayTable {
  const level = `${formatNumber(100 * confidence)}%`;
  const many = raters.length > MOST_SHOWN;
  const shown = many ? [...raters].sort((a, b) => a.accuracy.value - b.accuracy.value).slice(0, MOST_SHOWN) : raters;
  return {
    caption: many ? `Raters (the ${MOST_SHOWN} of ${raters.length} who are right least often)` : "Raters",
    head: ["rater", "labels", "right", `${level} from`, "to", "discrimination"],
    formats: ["text", "integer", "percent", "percent", "percent", "statistic"],
    rows: shown.map((own) => [own.rater, own.labels, ...ends(own.accuracy), own.discrimination]),
  };
}

const MOST_TABLES = 6;
const MOST_CLASSES = 6;

function confusionTables({ raters, classes }: Fields): DisplayTable[] {
  if (raters.length > MOST_TABLES || classes.length > MOST_CLASSES) return [];
  return [
    {
      caption: "What each rater says (columns) of a true class (rows)",
      head: ["rater", "class", ...classes],
      formats: ["text", "text", ...classes.map(() => "percent" as const)],
      rows: raters.flatMap(({ rater, confusion }) =>
        confusion.map((row, k) => [k === 0 ? rater : "", classes[k]!, ...row]),
      ),
    },
  ];
}

function askTable({ askAgain: ask, certainty }: Fields): DisplayTable {
  const more = ask.length > MOST_SHOWN ? `, the ${MOST_SHOWN} most uncertain of ${ask.length}` : "";
  return {
    caption: `Ask again (probability below ${percent(certainty)})${more}`,
    head: ["item", "consensus", "probability", "ask", "bits to gain"],
    formats: ["text", "text", "percent", "text", "statistic"],
    rows: ask.slice(0, MOST_SHOWN).map((own) => [own.item, own.label, own.probability, own.rater, own.gain]),
  };
}

const MOST_HARD = 5;

/** Items that divide the raters most, although the model may be sure of them. */
function hardTable({ consensus }: Fields): DisplayTable[] {
  const hard = consensus
    .filter(({ difficulty }) => difficulty > 0)
    .sort((a, b) => b.difficulty - a.difficulty || b.entropy - a.entropy);
  if (hard.length === 0) return [];
  return [
    {
      caption: `Hardest items: proportion of labels that differ from the consensus (${Math.min(MOST_HARD, hard.length)} of ${hard.length} with any)`,
      head: ["item", "labels", "differ", "consensus", "probability"],
      formats: ["text", "integer", "percent", "text", "percent"],
      rows: hard.slice(0, MOST_HARD).map((own) => [own.item, own.labels, own.difficulty, own.label, own.probability]),
    },
  ];
}
