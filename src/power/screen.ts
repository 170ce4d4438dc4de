/** A plan on one screen: the sentence, the figures, what was given and what is taken for granted; the rest is for those who ask. */
import type { DisplayTable, Screen } from "../result/display.ts";
import { formatNumber } from "../result/number-format.ts";
import type { StatedParameter } from "./scenario.ts";

interface Plan {
  /** What is planned, and by which test. */
  readonly plan: string;
  readonly tables: readonly DisplayTable[];
  readonly summary?: readonly string[];
  readonly parameters: readonly StatedParameter[];
  readonly assumptions?: readonly string[];
}

export function planScreen(title: string, { plan, tables, summary = [], parameters, assumptions = [] }: Plan): Screen {
  const given = parameters.map(({ name, value }) => `${name} ${statedValue(value)}`).join(", ");
  return {
    title,
    tables,
    summary,
    facts: [
      { label: "Plan", text: `${plan[0]!.toUpperCase()}${plan.slice(1)}.` },
      { label: "Given", text: `${given}.` },
      ...(assumptions.length === 0 ? [] : [{ label: "Assumed", text: assumptions.join(" ") }]),
    ],
  };
}

export const statedValue = (value: number | string): string =>
  typeof value === "number" ? formatNumber(value, Number.isInteger(value) ? "integer" : "number") : value;

/** What a parameter stands for, without what is said about it: "items that both systems answer" for n. */
export function nounFor(name: string, parameters: readonly StatedParameter[], other = name): string {
  const { meaning = "" } = parameters.find((own) => own.name === name) ?? {};
  const noun = meaning.replace(/[,;:(].*/s, "").trim();
  return noun === "" ? other : noun;
}

/** So many rows, evenly spaced, the first and the last among them. */
export function thinned<T>(rows: readonly T[], most: number): T[] {
  if (rows.length <= most) return [...rows];
  return Array.from({ length: most }, (_, k) => rows[Math.round((k * (rows.length - 1)) / (most - 1))]!);
}
