/** Declared scales, checked against the columns before anything is fitted. */

import { column, type Table } from "../../data/table.ts";
import { SCALES, type Scale } from "../../reliability/agreement/weights.ts";
import { StatError } from "../../result/error.ts";
import { faultOfFeature } from "../learner/rows.ts";

export type Scales = Readonly<Record<string, Scale>>;

/** `id=nominal,age=ratio` */
export function parseScales(text: string): Record<string, Scale> {
  const scales: Record<string, Scale> = {};
  for (const part of text.split(",")) {
    const at = part.lastIndexOf("=");
    const [name, scale] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    if (at < 1 || name === "") {
      const message = `"${part.trim()}" declares no scale.`;
      throw new StatError("BadScale", message, "write column=nominal, separated by commas.");
    }
    if (!(SCALES as readonly string[]).includes(scale)) {
      throw new StatError(
        "BadScale",
        `"${scale}" is not a scale (column "${name}").`,
        `choose one of ${SCALES.join(", ")}.`,
      );
    }
    if (Object.hasOwn(scales, name)) {
      throw new StatError("BadScale", `the scale of "${name}" is given twice.`, "give it once.");
    }
    scales[name] = scale as Scale;
  }
  return scales;
}

export function checkScales(train: Table, test: Table, options: { scales: Scales; label: string }): void {
  const { scales, label } = options;
  const declared = Object.entries(scales);
  if (declared.length === 0)
    throw new StatError("NoScales", "no scale is declared.", "give `scales`, such as id=nominal.");
  for (const [name, scale] of declared) {
    if (name === label) {
      throw new StatError("LabelScale", `"${name}" is the label, not a feature.`, "declare scales of features.");
    }
    const cells = column(train, name);
    if (!test.columns.has(name)) {
      throw new StatError(
        "UnknownColumn",
        `the test rows have no column "${name}".`,
        "give both files the same columns.",
      );
    }
    const text = [cells, column(test, name)].find((own) => own.kind === "factor");
    if (scale !== "nominal" && text !== undefined) {
      const message = `"${name}" holds text: a scale that is ${scale} needs numbers.`;
      throw new StatError("TextScale", message, `write its values as numbers, or declare ${name}=nominal.`);
    }
    const fault = faultOfFeature(cells);
    if (fault !== undefined) {
      throw new StatError("UselessFeature", `the feature "${name}" ${fault} of the training file.`, "leave it out.");
    }
    if (scale === "ratio" && cells.kind === "numeric" && cells.values.some((value) => value < 0)) {
      const least = cells.values.reduce((low, value) => Math.min(value, low), 0);
      throw new StatError(
        "NegativeRatio",
        `"${name}" has the value ${least}: a ratio scale begins at 0.`,
        `declare ${name}=interval.`,
      );
    }
  }
}
