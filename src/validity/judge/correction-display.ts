/** How corrected scores read: the verdict on the main pair, then judge, labels and corrected values side by side. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { listNames } from "../../result/quote.ts";
import { isClaim, isInconclusive, isRefused, verdictSentence } from "../../result/verdict.ts";
import type { CorrectedDifference, CorrectedSystem, JudgeCorrection, JudgeEstimate } from "./judge.ts";

type Fields = FieldsOf<JudgeCorrection>;

export function displayCorrection(fields: Fields): Display {
  const title = titleOf(fields);
  const summary = [...fields.differences.slice(0, 1).map((own) => tellDifference(own, fields)), ...tellSystems(fields)];
  const tables = [systemTable(fields), ...(fields.differences.length === 0 ? [] : [differenceTable(fields)])];
  const facts = [
    { label: "Labels", text: tellLabels(fields) },
    { label: "Interval", text: tellMethod(fields) },
  ];
  return {
    title,
    summary,
    tables,
    notes: facts.map(({ label, text }) => `${label}: ${text}`),
    screen: { title, tables, summary, facts },
  };
}

/** The first pair decides the headline: the systems as they were named. */
function titleOf(fields: Fields): string {
  const [pair] = fields.differences;
  if (pair === undefined) {
    const [own] = fields.systems;
    if (own === undefined || own.method === "none") return "NONE  these labels carry no corrected score.";
    return `People would have given ${name(own)} ${write(own.corrected.value, fields)} (${interval(own.corrected, fields)}); the judge says ${write(own.judge.value, fields)}.`;
  }
  const { verdict } = pair.corrected;
  const sentence = verdictSentence({
    ...{ verdict, a: pair.a, b: pair.b, metric: "", margin: "" },
    higherIsBetter: fields.higherIsBetter,
    sample: `${pair.labels} labeled ${pair.labels === 1 ? "item" : "items"}`,
  });
  const judged = pair.judge.verdict === verdict ? "" : ` The judge alone says ${pair.judge.verdict}.`;
  return `${verdict}  ${sentence}${judged}`;
}

const name = ({ system }: CorrectedSystem): string => (system === "all outputs" ? "these outputs" : system);

const write = (value: number, { scale }: Fields): string =>
  formatNumber(value, scale === "pass" ? "percent" : "number");

/** A difference of percentages is in points. */
const writeDifference = (value: number, { scale }: Fields): string =>
  scale === "pass" ? (100 * value).toFixed(1) : formatNumber(value);

const interval = ({ lower, upper }: JudgeEstimate, fields: Fields): string =>
  `${formatNumber(100 * fields.confidence)} % CI ${write(lower, fields)} to ${write(upper, fields)}`;

function tellDifference(pair: CorrectedDifference, fields: Fields): string {
  const { a, b, corrected, judge, reason } = pair;
  if (isRefused(corrected.verdict)) return `No corrected difference of ${b} and ${a}: ${reason}.`;
  const ci = `${formatNumber(100 * fields.pairConfidence)} % CI ${writeDifference(corrected.lower, fields)} to ${writeDifference(corrected.upper, fields)}`;
  const unit = fields.scale === "pass" ? " points" : "";
  const shift =
    isClaim(judge.verdict) && isInconclusive(corrected.verdict)
      ? " What the judge alone claims may be the judge's own error."
      : "";
  return `Corrected difference ${b} - ${a}: ${writeDifference(corrected.value, fields)}${unit} (${ci}); by the judge alone ${writeDifference(judge.value, fields)}${unit}.${shift}`;
}

/** One sentence for all systems that are alike in it. */
function tellSystems({ systems }: Fields): string[] {
  const gaining = systems.filter(({ method, worth, labels }) => method !== "none" && worth > labels);
  if (gaining.length === 0) return [];
  const gain = gaining.map(({ worth, labels }) => worth / labels);
  const least = Math.min(...gain);
  const most = Math.max(...gain);
  const times = (value: number): string => `${value.toFixed(1)} times`;
  const range = least.toFixed(1) === most.toFixed(1) ? times(most) : `${least.toFixed(1)} to ${times(most)}`;
  const whose = gaining.length === systems.length ? "" : ` of ${listNames(gaining.map(({ system }) => system))}`;
  return [
    `Using the judge's scores narrows the interval${gaining.length === 1 ? "" : "s"}${whose} as much as ${range} as many labels would.`,
  ];
}

function systemTable(fields: Fields): DisplayTable {
  const { systems, scale, confidence } = fields;
  const value = scale === "pass" ? ("percent" as const) : ("number" as const);
  const pass = systems.some(({ sensitivity }) => !Number.isNaN(sensitivity));
  const level = `${formatNumber(100 * confidence)}%`;
  return {
    caption: scale === "pass" ? "Pass rate" : "Mean score",
    head: [
      "system",
      "judge",
      "n",
      "labels",
      ...[`${level} from`, "to"],
      "corrected",
      ...[`${level} from`, "to"],
      "equivalent labels",
      ...(pass ? ["sensitivity", "specificity"] : []),
    ],
    formats: [
      ...(["text", value, "integer"] as const),
      ...[value, value, value, value, value, value],
      "integer",
      ...(pass ? (["percent", "percent"] as const) : []),
    ],
    rows: systems.map((own) => [
      ...[own.system, own.judge.value, own.labels],
      ...[own.labelsAlone.value, own.labelsAlone.lower, own.labelsAlone.upper],
      ...[own.corrected.value, own.corrected.lower, own.corrected.upper],
      own.worth,
      ...(pass ? [own.sensitivity, own.specificity] : []),
    ]),
  };
}

function differenceTable(fields: Fields): DisplayTable {
  const { differences, scale, pairConfidence } = fields;
  const value = scale === "pass" ? ("percent" as const) : ("number" as const);
  const level = `${formatNumber(100 * pairConfidence)}%`;
  return {
    caption: "Difference",
    head: ["pair", "judge", "says", "labels", "corrected", `${level} from`, "to", "verdict"],
    formats: ["text", value, "text", value, value, value, value, "text"],
    rows: differences.map((own) => [
      `${own.b} - ${own.a}`,
      ...[own.judge.value, own.judge.verdict],
      own.labelsAlone.value,
      ...[own.corrected.value, own.corrected.lower, own.corrected.upper, own.corrected.verdict],
    ]),
  };
}

function tellLabels({ columns, drawn, systems }: Fields): string {
  const labels = systems.reduce((sum, own) => sum + own.labels, 0);
  if (labels === 0) return `none of these outputs; the judge is ${listNames(columns.judge)}.`;
  const outputs = systems.reduce((sum, own) => sum + own.outputs, 0);
  const how =
    drawn === "unknown" ? "drawn in an unknown way" : `drawn ${drawn === "random" ? "at random" : `by ${drawn}`}`;
  return `${labels} of ${outputs} outputs have labels (${listNames(columns.human)}), ${how}; ${columns.judge.length === 1 ? "judge: column" : "judges: columns"} ${listNames(columns.judge)}.`;
}

function tellMethod({ systems, differences, confidence, pairConfidence }: Fields): string {
  const methods = new Set(systems.map(({ method }) => method));
  const told = [
    ...(methods.has("post-stratified")
      ? [
          "pass rates: people's pass rate within each verdict of the judge, weighted by how often the judge gives it; interval MOVER from Wilson limits",
        ]
      : []),
    ...(methods.has("regression") ? ["labels corrected by cross-fitted regression on the judge, t interval"] : []),
    ...(methods.has("carried")
      ? [
          "judge's pass rates corrected by sensitivity and specificity that were carried over (Rogan and Gladen; Lang and Reiczigel's interval)",
        ]
      : []),
    ...(differences.some(({ method }) => method === "regression")
      ? ["differences: paired differences of the labels, corrected by regression on the judge's differences"]
      : []),
    ...(differences.some(({ raters }) => raters !== undefined)
      ? [`about new raters too (mean squares of ${differences.find(({ raters }) => raters !== undefined)!.raters})`]
      : []),
    ...(pairConfidence === confidence ? [] : [`α is divided among the ${differences.length} pairs (Bonferroni)`]),
  ];
  return `${told.length === 0 ? "none" : told.join("; ")}.`;
}
