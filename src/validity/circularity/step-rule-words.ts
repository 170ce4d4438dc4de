/** A step rule as sentences. */
import { formatNumber } from "../../result/number-format.ts";
import type { StepFunction, StepRule } from "./step-rule.ts";
import type { Threshold } from "./threshold-tree.ts";

/** A mean this close to a value of the label, in steps between neighbouring values, is that value. */
const NEAR = 0.1;

type Unworded = Omit<StepRule, "words">;

export function describeRule(label: string, rule: Unworded, labels: readonly number[]): string[] {
  const value = (mean: number): string => formatNumber(nearLabel(mean, labels));
  const parts = rule.steps.map((step) => ({ name: step.feature, text: describeSteps(step, value) }));
  if (rule.form === "steps") return [`${label} is ${parts[0]!.text}.`];
  const lines = parts.map(({ text }) => text);
  if (rule.form === "cells") {
    return [`${label} changes at ${rule.steps.map(describeThresholds).join("; ")}.`];
  }
  const how = { largest: "the largest of", smallest: "the smallest of", sum: "the sum of" }[rule.form];
  return [`${label} is ${how}:`, ...lines.map((line, i) => `(${i + 1}) ${line}${i === lines.length - 1 ? "." : ";"}`)];
}

function nearLabel(mean: number, labels: readonly number[]): number {
  const [first, ...rest] = labels;
  if (first === undefined) return mean;
  const near = rest.reduce((a, b) => (Math.abs(b - mean) < Math.abs(a - mean) ? b : a), first);
  const gap = labels
    .slice(1)
    .reduce((least, value, i) => Math.min(least, value - labels[i]!), Number.POSITIVE_INFINITY);
  return Math.abs(near - mean) <= NEAR * gap ? near : mean;
}

function describeSteps(step: StepFunction, value: (mean: number) => string): string {
  const { feature, thresholds, levels, values } = step;
  if (levels !== undefined) return describeLevels(feature, levels, values.map(value));
  const shown = values.map(value);
  const merged = thresholds.filter((_, i) => shown[i] !== shown[i + 1]);
  const kept = [shown[0]!, ...thresholds.flatMap((_, i) => (shown[i] === shown[i + 1] ? [] : [shown[i + 1]!]))];
  if (merged.length === 0) return `${kept[0]} whatever ${feature} is`;
  const first = `${kept[0]} for ${feature} ${merged[0]!.inclusive ? "<" : "≤"} ${formatThreshold(merged[0]!)}`;
  const rest = merged.map((t, i) => `${kept[i + 1]} for ${t.inclusive ? "≥" : ">"} ${formatThreshold(t)}`);
  return [first, ...rest].join(", ");
}

function describeLevels(feature: string, levels: readonly string[], shown: readonly string[]): string {
  const groups = new Map<string, string[]>();
  levels.forEach((level, i) => {
    groups.set(shown[i]!, [...(groups.get(shown[i]!) ?? []), level]);
  });
  return [...groups].map(([told, own]) => `${told} for ${feature} = ${own.join(", ")}`).join("; ");
}

function describeThresholds({ feature, thresholds }: StepFunction): string {
  if (thresholds.length === 0) return `the levels of ${feature}`;
  return `${feature} ${thresholds.map(formatThreshold).join(", ")}`;
}

/** The digits of the threshold itself, however small its differences. */
function formatThreshold({ value }: Threshold): string {
  return String(Number(value.toPrecision(6)));
}
