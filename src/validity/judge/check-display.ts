/** How the check of a judge reads: how often it is right, whom it favors, whether it repeats itself. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import { listNames } from "../../result/quote.ts";
import type { JudgeCheck, JudgeFavor } from "./check.ts";
import type { JudgeEstimate } from "./judge.ts";

type Fields = FieldsOf<JudgeCheck>;

/** Adjusted p from which a difference of errors counts. */
const ALPHA = 0.05;

export function displayCheck(fields: Fields): Display {
  const { favors, annotators } = fields;
  const found = favors.filter(({ adjusted }) => adjusted < ALPHA);
  const title = titleOf(fields, found);
  const summary = [
    ...found.map((own) => tellFavor(own, fields)),
    ...(favors.length > 0 && found.length === 0
      ? [
          `No significant difference of the judge's errors (${favors.length} ${favors.length === 1 ? "test" : "tests"}, Holm).`,
        ]
      : []),
    ...tellConsistency(fields),
    ...tellOrder(fields),
    ...tellAnnotators(fields),
  ];
  const tables = [
    accuracyTable(fields),
    agreementTable(fields),
    ...(favors.length === 0 ? [] : [favorTable(fields)]),
    ...(annotators === undefined || annotators.annotators.length === 0 ? [] : [annotatorTable(fields)]),
  ];
  const facts = [{ label: "Labels", text: tellLabels(fields) }];
  return {
    title,
    summary,
    tables,
    notes: facts.map(({ label, text }) => `${label}: ${text}`),
    screen: { title, tables, summary, facts },
  };
}

const percent = (value: number): string => formatNumber(value, "percent");
const range = ({ lower, upper }: JudgeEstimate, write: (value: number) => string): string =>
  `${write(lower)} to ${write(upper)}`;

function titleOf({ accuracy, scale, agreement }: Fields, found: readonly JudgeFavor[]): string {
  const [all] = accuracy as readonly [Fields["accuracy"][number]];
  const favors = found.some(({ what }) => what === "systems") ? ", and errs differently on the systems" : "";
  if (scale === "pass")
    return `The judge agrees with people on ${percent(all.agreement.value)} of ${all.labels} labels (${range(all.agreement, percent)}), κ ${formatNumber(agreement.kappa.value, "statistic")}${favors}.`;
  const error = formatNumber(all.error.value);
  return `The judge's scores are ${error} from people's on average (${range(all.error, (value) => formatNumber(value))}), α ${formatNumber(agreement.alpha.value, "statistic")}${favors}.`;
}

function tellFavor({ what, name, against, value, lower, upper, adjusted }: JudgeFavor, { scale }: Fields): string {
  const write = (own: number): string =>
    scale === "pass" && what !== "number"
      ? percent(own)
      : formatNumber(own, what === "number" ? "statistic" : "number");
  const p = formatP(adjusted);
  if (what === "number") return `The judge's error goes with ${name}: rank correlation ${write(value)}, ${p}.`;
  const higher = value > 0 ? "higher" : "lower";
  const whose = what === "systems" ? name : what === "family" ? `systems of its own family (${name})` : name;
  const of = what === "systems" ? against : against;
  return `The judge scores ${whose} ${write(Math.abs(value))} ${higher} than people do, against ${of} (${write(lower)} to ${write(upper)}, ${p}).`;
}

function tellConsistency({ consistency }: Fields): string[] {
  if (consistency === undefined) return [];
  const { outputs, equal, within } = consistency;
  return [
    `The judge's repeats agree on ${percent(equal)} of ${outputs} outputs; repeats make ${percent(within)} of the variance of its scores.`,
  ];
}

function tellOrder({ order, scale }: Fields): string[] {
  if (order === undefined) return [];
  const { levels, outputs, equal, difference } = order;
  const write = (own: number): string => (scale === "pass" ? percent(own) : formatNumber(own));
  return [
    `Swapped order (${order.column}): scores are equal on ${percent(equal.value)} of ${outputs} outputs (${range(equal, percent)}).`,
    `Shown as ${levels[1]} instead of ${levels[0]}, the judge scores ${write(Math.abs(difference.value))} ${difference.value < 0 ? "lower" : "higher"} (${range(difference, write)}, ${formatP(difference.p)}).`,
  ];
}

function tellAnnotators({ annotators }: Fields): string[] {
  if (annotators === undefined || annotators.annotators.length === 0) return [];
  const { winningRate, epsilon, passes } = annotators;
  return [
    `Alternative annotator test: winning rate ${formatNumber(winningRate, "statistic")} at ε ${epsilon}, ${passes ? "so the judge may stand in for an annotator" : "so the judge may not stand in for an annotator"}.`,
  ];
}

function accuracyTable({ accuracy, scale, confidence }: Fields): DisplayTable {
  if (scale === "pass")
    return {
      caption: `Accuracy (${formatNumber(100 * confidence)}% CI in brackets)`,
      head: ["of", "n", "people", "judge", "agreement", "sensitivity", "specificity"],
      formats: ["text", "integer", "percent", "percent", "text", "text", "text"],
      rows: accuracy.map((own) => [
        ...[own.of, own.labels, own.human, own.judge],
        ...[own.agreement, own.sensitivity, own.specificity].map((part) =>
          Number.isNaN(part.value)
            ? "–"
            : `${percent(part.value)} (${formatNumber(100 * part.lower, "integer")}-${formatNumber(100 * part.upper, "integer")})`,
        ),
      ]),
    };
  return {
    caption: "Means and the judge's error",
    head: ["of", "n", "people", "judge", "error", "from", "to", "equal"],
    formats: ["text", "integer", "number", "number", "number", "number", "number", "percent"],
    rows: accuracy.map((own) => [
      own.of,
      own.labels,
      own.human,
      own.judge,
      own.error.value,
      own.error.lower,
      own.error.upper,
      own.agreement.value,
    ]),
  };
}

function agreementTable({ agreement, scale }: Fields): DisplayTable {
  const all = [
    ["Krippendorff's α", agreement.alpha],
    ...(scale === "pass"
      ? ([
          ["Cohen's κ", agreement.kappa],
          ["Gwet's AC1", agreement.ac1],
        ] as const)
      : []),
  ] as const;
  return {
    caption: "Agreement beyond chance",
    head: ["coefficient", "value", "from", "to"],
    formats: ["text", "statistic", "statistic", "statistic"],
    rows: all.map(([name, { value, lower, upper }]) => [name, value, lower, upper]),
  };
}

function favorTable({ favors, scale }: Fields): DisplayTable {
  const value = scale === "pass" ? ("percent" as const) : ("number" as const);
  const numbers = favors.some(({ what }) => what === "number");
  const format = numbers ? ("statistic" as const) : value;
  return {
    caption: numbers
      ? "Difference of the judge's errors; along a number the rank correlation"
      : "Difference of the judge's errors",
    head: ["of", "against", "n", "difference", "from", "to", "p", "Holm"],
    formats: ["text", "text", "integer", format, format, format, "p", "p"],
    rows: favors.map((own) => [own.name, own.against, own.n, own.value, own.lower, own.upper, own.p, own.adjusted]),
  };
}

function annotatorTable({ annotators }: Fields): DisplayTable {
  return {
    caption: "Alternative annotators: how often each does at least as well as the other",
    head: ["annotator", "n", "judge", "annotator does", "p adjusted", "judge wins"],
    formats: ["text", "integer", "percent", "percent", "p", "text"],
    rows: annotators!.annotators.map((own) => [
      own.annotator,
      own.n,
      own.judge,
      own.human,
      own.adjusted,
      own.won ? "yes" : "no",
    ]),
  };
}

function tellLabels({ columns, drawn, accuracy }: Fields): string {
  const how =
    drawn === "unknown" ? "drawn in an unknown way" : `drawn ${drawn === "random" ? "at random" : `by ${drawn}`}`;
  return `${accuracy[0]!.labels} labels (${listNames(columns.human)}), ${how}; ${columns.judge.length === 1 ? "judge: column" : "judges: columns"} ${listNames(columns.judge)}.`;
}
