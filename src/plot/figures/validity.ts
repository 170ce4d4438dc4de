/** Features in and out of domain (Riezler & Hagmann, Fig. 2.2-2.5), and what recoding a feature does to the loss. */
import { adjustmentName } from "../../result/adjustment.ts";
import type { NestedJson } from "../../result/result.ts";
import type { AuditJson } from "../../validity/audit.ts";
import type { BiasJson } from "../../validity/bias/bias.ts";
import type { InvarianceJson } from "../../validity/invariance/invariance.ts";
import type { MetricValidityJson } from "../../validity/metrics/metrics.ts";
import type { ChartRow, Figure } from "../charts/figure.ts";
import { circularityFigures } from "./gam.ts";
import { count, formatP, interval, join, level, pText, styleFor, write } from "./words.ts";

const MOST_ROWS = 60;

/** The pictures of the tests that were run. */
export function auditFigures({ circularity, bias, invariance }: AuditJson): Figure[] {
  return [
    ...(circularity === undefined ? [] : circularityFigures(circularity)),
    ...(bias === undefined ? [] : biasFigures(bias)),
    ...(invariance === undefined ? [] : invarianceFigures(invariance)),
  ];
}

export function biasFigures(json: NestedJson<BiasJson>): Figure[] {
  const gold = json.features
    .filter(({ inDomain, outOfDomain }) => Number.isFinite(inDomain.value) || Number.isFinite(outOfDomain.value))
    .slice(0, MOST_ROWS);
  if (gold.length === 0) return [];
  const biased = gold.filter((own) => own.biased);
  const style = styleFor([0.05]);
  const rows = gold.map((own): ChartRow => {
    const { feature, inDomain, outOfDomain, difference, adjustedP } = own;
    const reversed = own.pattern === "reverses";
    const tone = reversed ? "v-worse" : own.biased ? "k1" : "k0";
    return {
      label: gold.some((other) => other !== own && other.feature === feature)
        ? `${feature}, ${outOfDomain.domain}`
        : feature,
      marks: [
        {
          mark: "estimate",
          value: inDomain.value,
          lower: inDomain.lower,
          upper: inDomain.upper,
          tone,
          symbol: "ring",
          shift: -5,
        },
        {
          mark: "estimate",
          value: outOfDomain.value,
          lower: outOfDomain.lower,
          upper: outOfDomain.upper,
          tone,
          symbol: reversed ? "diamond" : "circle",
          shift: 5,
        },
      ],
      cells: [
        { text: write(inDomain.value, style, true) },
        { text: write(outOfDomain.value, style, true) },
        { text: write(difference, style, true), bold: true },
        { text: pText(adjustedP) },
        { text: own.pattern, bold: own.biased },
      ],
    };
  });
  const { settings, domains, label } = json;
  return [
    {
      name: "domains",
      title:
        biased.length === 0
          ? `No feature is tied to ${label} differently out of domain`
          : `${join([...new Set(biased.map(({ feature }) => feature))])}: tied to ${label} in ${domains.inDomain}, not so elsewhere`,
      subtitle: `Association with ${label}: hollow in ${domains.inDomain}, filled in ${join(domains.outOfDomain)}; ${level(settings.confidence)} intervals, p of the difference adjusted by ${adjustmentName(settings.adjust)}`,
      description: `Association with ${label}. ${gold.map(({ feature, inDomain, outOfDomain, adjustedP }) => `${feature}: ${write(inDomain.value, style, true)} in domain, ${write(outOfDomain.value, style, true)} in ${outOfDomain.domain}, ${formatP(adjustedP)}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: {
          title: `association with ${label} (${[...new Set(gold.map(({ measure }) => MEASURE_WORDS[measure]))].join(", ")})`,
          format: "signed",
        },
        zero: 0,
        step: 36,
        columns: [
          { title: "in" },
          { title: "out" },
          { title: "difference" },
          { title: "p" },
          { title: "pattern", align: "start" },
        ],
        rows,
      },
      data: {
        head: ["feature", "domain", "in", "out", "outLower", "outUpper", "difference", "adjustedP", "pattern"],
        rows: gold.map((own) => [
          own.feature,
          own.outOfDomain.domain,
          own.inDomain.value,
          own.outOfDomain.value,
          own.outOfDomain.lower,
          own.outOfDomain.upper,
          own.difference,
          own.adjustedP,
          own.pattern,
        ]),
      },
    },
  ];
}

const LOSS_NAMES: Readonly<Record<string, string>> = {
  squared: "squared error",
  absolute: "absolute error",
  brier: "Brier score",
  log: "log loss",
  error: "error rate",
};

export function invarianceFigures({
  features,
  loss,
  label,
  settings,
  testRows,
  learner,
}: NestedJson<InvarianceJson>): Figure[] {
  const shown = features.filter(({ difference }) => Number.isFinite(difference)).slice(0, MOST_ROWS);
  if (shown.length === 0) return [];
  const style = styleFor(shown.map(({ lower, upper }) => (upper - lower) / 4));
  const violated = shown.filter(({ status }) => status === "violated").map(({ feature }) => feature);
  return [
    {
      name: "invariance",
      title:
        violated.length === 0
          ? "No recoding that keeps the meaning of a feature harms the predictions"
          : `Predictions of ${label} depend on how ${join(violated)} ${violated.length === 1 ? "is" : "are"} coded`,
      subtitle: `Change of the ${LOSS_NAMES[loss.name] ?? loss.name} when a feature is recoded within its scale (${learner}, ${count(testRows, "rows")}); ${level(settings.confidence)} intervals`,
      description: `${shown.map(({ feature, difference, lower, upper, adjustedP, status }) => `${feature}: ${write(difference, style, true)} (${interval(lower, upper, style, true)}), ${formatP(adjustedP)}, ${status}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: `change of the ${LOSS_NAMES[loss.name] ?? loss.name}`, format: "signed" },
        zero: 0,
        columns: [{ title: "change" }, { title: "interval" }, { title: "p" }, { title: "status", align: "start" }],
        rows: shown.map(({ feature, scale, difference, lower, upper, adjustedP, status }) => ({
          label: feature,
          remark: scale,
          marks: [
            {
              mark: "estimate",
              value: difference,
              lower,
              upper,
              tone: status === "violated" ? "v-worse" : "k0",
              symbol: status === "violated" ? "diamond" : "circle",
            },
          ],
          cells: [
            { text: write(difference, style, true), bold: true },
            { text: interval(lower, upper, style, true) },
            { text: pText(adjustedP) },
            { text: status, bold: status === "violated" },
          ],
        })),
      },
      data: {
        head: ["feature", "scale", "difference", "lower", "upper", "adjustedP", "status"],
        rows: shown.map((own) => [
          own.feature,
          own.scale,
          own.difference,
          own.lower,
          own.upper,
          own.adjustedP,
          own.status,
        ]),
      },
    },
  ];
}

const MEASURE_WORDS = { pearson: "Pearson's r", eta: "η", cramer: "Cramér's V", nmi: "NMI" } as const;
const LEVEL_WORDS = {
  item: "within items",
  system: "as a ranking of systems",
  output: "over all outputs",
} as const;
const COEFFICIENT_WORDS = { pearson: "Pearson's r", spearman: "Spearman's ρ", kendall: "Kendall's τ-b" } as const;

/** Metrics by their agreement with people, the best first; one picture for each level. */
export function metricValidityFigures({ levels, coefficient, human, ci, alpha }: MetricValidityJson): Figure[] {
  return levels.map(({ level: own, best, metrics }) => {
    const style = styleFor(metrics.map((metric) => (metric[coefficient].upper - metric[coefficient].lower) / 4));
    const behind = metrics.filter(({ adjusted }) => adjusted < alpha).length;
    const cells = metrics.map(({ metric, adjusted, [coefficient]: figure }) => ({
      ...figure,
      metric,
      text: write(figure.value, style),
      range: interval(figure.lower, figure.upper, style),
      p: metric === best ? "" : pText(adjusted),
    }));
    return {
      name: levels.length === 1 ? "agreement" : `agreement-${own}`,
      title: `${best} agrees best with people ${LEVEL_WORDS[own]}${metrics.length > 1 ? `; ${behind} of ${metrics.length - 1} others are behind it` : ""}`,
      subtitle: `${COEFFICIENT_WORDS[coefficient]} with ${human.metric}, ${level(ci.level)} intervals; p of the difference from ${best}, adjusted for all pairs`,
      description: `${cells.map(({ metric, text, range }) => `${metric} ${text} (${range})`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: COEFFICIENT_WORDS[coefficient] },
        zero: 0,
        columns: [
          { title: "agreement" },
          { title: "interval" },
          ...(metrics.length > 1 ? [{ title: "p to best" }] : []),
        ],
        rows: cells.map(({ metric, value, lower, upper, text, range, p }) => ({
          label: metric,
          marks: [{ mark: "estimate", value, lower, upper, tone: "k1" }],
          cells: [{ text, bold: true }, { text: range }, ...(metrics.length > 1 ? [{ text: p }] : [])],
        })),
      },
      data: {
        head: ["metric", "value", "lower", "upper", "adjusted"],
        rows: metrics.map((metric) => {
          const { value, lower, upper } = metric[coefficient];
          return [metric.metric, value, lower, upper, metric.adjusted];
        }),
      },
    };
  });
}
