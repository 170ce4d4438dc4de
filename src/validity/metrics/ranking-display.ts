/** How the agreement of metrics with people reads: the best one and who is behind it, then a table for each level. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Coefficient } from "./association.ts";
import type { LevelResult, MetricAgreement } from "./levels.ts";
import type { MetricValidity } from "./metrics.ts";

const SYMBOLS: Readonly<Record<Coefficient, string>> = { pearson: "r", spearman: "ρ", kendall: "τ-b" };
const NAMES_TOLD = 6;

export function displayMetricValidity(fields: FieldsOf<MetricValidity>): Display {
  const { human, levels, outputs, systems, items, metrics } = fields;
  const size = [
    count(outputs, "output"),
    ...(systems > 0 ? [`of ${count(systems, "system")}`] : []),
    ...(items > 0 ? [`on ${count(items, "item")}`] : []),
  ];
  const turned = metrics.filter(({ direction }) => direction === "lower").map(({ metric }) => metric);
  return {
    title: `Which metric agrees with people (${human.metric})?`,
    summary: [...levels.map((level) => tellLevel(level, fields)), `${size.join(" ")}.`],
    tables: levels.map((level) => levelTable(level, fields)),
    notes: [
      ...(human.direction === "lower" ? [`Less of ${human.metric} is better: its sign is reversed.`] : []),
      ...(turned.length === 0 ? [] : [`Less is better, so the sign is reversed: ${turned.join(", ")}.`]),
      ...methodNotes(fields),
    ],
  };
}

const count = (n: number, what: string): string => `${n.toLocaleString("en-US")} ${what}${n === 1 ? "" : "s"}`;

const WHERE: Readonly<Record<LevelResult["level"], (n: number) => string>> = {
  item: (n) => `Within items (${n})`,
  system: (n) => `As a ranking of the ${n} systems`,
  output: (n) => `Over all ${n} outputs`,
};

function tellLevel({ level, n, metrics }: LevelResult, { coefficient, alpha }: FieldsOf<MetricValidity>): string {
  const [best, ...others] = metrics as [MetricAgreement, ...MetricAgreement[]];
  const { value, lower, upper } = best[coefficient];
  const figure = `${SYMBOLS[coefficient]} ${formatNumber(value, "statistic")} (${formatNumber(lower, "statistic")} to ${formatNumber(upper, "statistic")})`;
  const where = WHERE[level](n);
  if (!(lower > 0))
    return `${where}: no metric correlates significantly with people; the highest is ${best.metric}, ${figure}.`;
  const behind = others.filter(({ adjusted }) => adjusted < alpha).map(({ metric }) => metric);
  const open = others.filter(({ adjusted }) => !(adjusted < alpha)).map(({ metric }) => metric);
  const told = [
    ...(behind.length === 0 ? [] : [`ahead of ${listAll(behind)} beyond chance`]),
    ...(open.length === 0 ? [] : [`not significantly different from ${listAll(open)}`]),
  ];
  return `${where}: ${best.metric} agrees best, ${figure}${told.length === 0 ? "" : `; ${told.join(", ")}`}.`;
}

function listAll(names: readonly string[]): string {
  if (names.length > NAMES_TOLD)
    return `${names.slice(0, NAMES_TOLD - 1).join(", ")} and ${names.length - NAMES_TOLD + 1} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const CAPTIONS: Readonly<Record<LevelResult["level"], string>> = {
  item: "Within items: over the systems that answered the same item, averaged over items",
  system: "Systems: their means",
  output: "All outputs together",
};

function levelTable({ level, metrics, units }: LevelResult, fields: FieldsOf<MetricValidity>): DisplayTable {
  const { coefficient, confidence } = fields;
  const symbol = SYMBOLS[coefficient];
  const others = (["pearson", "spearman", "kendall"] as const).filter((kind) => kind !== coefficient);
  const accuracy = level !== "output";
  const williams = level === "system" && units > 0 && metrics.some((own) => !Number.isNaN(own.williams));
  const several = metrics.length > 1;
  return {
    caption: CAPTIONS[level],
    head: [
      "metric",
      symbol,
      `${formatNumber(100 * confidence)}% from`,
      "to",
      ...others.map((kind) => SYMBOLS[kind]),
      ...(accuracy ? ["pairs right"] : []),
      ...(several ? ["p to best"] : []),
      ...(williams ? ["p Williams"] : []),
    ],
    formats: [
      "text",
      "statistic",
      "statistic",
      "statistic",
      "statistic",
      "statistic",
      ...(accuracy ? ["percent" as const] : []),
      ...(several ? ["p" as const] : []),
      ...(williams ? ["p" as const] : []),
    ],
    rows: metrics.map((own, place) => [
      own.metric,
      own[coefficient].value,
      own[coefficient].lower,
      own[coefficient].upper,
      ...others.map((kind) => own[kind].value),
      ...(accuracy ? [own.accuracy.value] : []),
      ...(several ? [place === 0 ? "" : own.adjusted] : []),
      ...(williams ? [place === 0 ? "" : own.williams] : []),
    ]),
  };
}

function methodNotes({ levels, replicates, metrics }: FieldsOf<MetricValidity>): string[] {
  const has = (level: LevelResult["level"]): LevelResult | undefined => levels.find((own) => own.level === level);
  const [item, system, output] = [has("item"), has("system"), has("output")];
  const several = metrics.length > 1;
  return [
    ...(item === undefined
      ? []
      : [
          `Within items: mean over items with its t interval${several ? "; p by swapping the two metrics within items" : ""}. Items that people score alike for all systems are left out; a metric that is constant there counts as 0.`,
        ]),
    ...(system === undefined
      ? []
      : system.units === 0
        ? [`Systems: one row each, so that the systems are the sample${several ? "; p of Williams' test (of r)" : ""}.`]
        : [
            `Systems: ${replicates} draws of items, the systems taken as given${several ? "; p by swapping the two metrics within items; Williams' test (of r, not adjusted) takes the systems as drawn" : ""}.`,
          ]),
    ...(output === undefined
      ? []
      : [`All outputs: errors from influence functions, outputs of one item taken together.`]),
    ...(item === undefined && system === undefined
      ? []
      : ["pairs right: pairs that the metric orders as people do, their ties left out."]),
    ...(several ? ["p adjusted by Holm over all pairs of metrics, since the best is chosen by the same data."] : []),
  ];
}
