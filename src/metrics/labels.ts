/** Labels to numbers, and the checks that every metric of labels needs. */
import { StatError } from "../result/error.ts";
import { suggest } from "../result/suggest.ts";

export type Label = string | number | boolean;
export type Labels = ArrayLike<Label | null>;

export interface CodedLabels {
  /** Every label of either side, sorted. */
  readonly classes: readonly string[];
  readonly gold: Int32Array;
  readonly predicted: Int32Array;
}

/** Labels of the listed class that are taken to mean "yes" where nobody says which label is the positive one. */
const POSITIVE = ["1", "true", "yes", "positive", "pos", "y", "t"];
const CLASSES_SHOWN = 8;

/** `classes` fixes their order and may name more than occur, so that the rows of several systems fit together. */
export function codeLabels(gold: Labels, predicted: Labels, classes?: readonly string[]): CodedLabels {
  if (gold.length !== predicted.length) {
    throw new StatError(
      "UnequalLength",
      `${gold.length} gold labels and ${predicted.length} predicted labels.`,
      "Give one predicted label per item, in the same order.",
    );
  }
  const known = classes ?? listClasses([gold, predicted]);
  const index = new Map(known.map((label, k) => [label, k]));
  const code = (labels: Labels, what: string): Int32Array =>
    Int32Array.from({ length: labels.length }, (_, i) => {
      const text = labelText(labels[i]!, what, i);
      const found = index.get(text);
      if (found !== undefined) return found;
      throw new StatError("UnknownLabel", `item ${i + 1}: ${what} "${text}" is none of the classes.`, listed(known));
    });
  return { classes: known, gold: code(gold, "gold label"), predicted: code(predicted, "predicted label") };
}

/** Every label that occurs, numbers as numbers. */
export function listClasses(columns: readonly Labels[]): string[] {
  const found = new Set<string>();
  for (const labels of columns) {
    for (let i = 0; i < labels.length; i++) found.add(labelText(labels[i]!, "label", i));
  }
  const all = [...found];
  const numeric = all.every((label) => Number.isFinite(Number(label)));
  return all.sort((a, b) => (numeric ? Number(a) - Number(b) : a < b ? -1 : 1));
}

function labelText(label: Label | null, what: string, i: number): string {
  const missing = label === null || label === undefined || label === "" || Number.isNaN(label);
  if (!missing) return String(label);
  throw new StatError(
    "LabelMissing",
    `item ${i + 1} has no ${what}.`,
    'Fill it in (a system that gave no answer was wrong: use a label such as "none"), or leave the item out.',
  );
}

/** The class that precision, recall and F1 are about. */
export function positiveClass(classes: readonly string[], positive: Label | undefined): number {
  if (positive !== undefined) {
    const found = classes.indexOf(String(positive));
    if (found >= 0) return found;
    const fix = suggest(String(positive), classes, listed(classes));
    throw new StatError("UnknownLabel", `no label "${positive}" among the gold or predicted labels.`, fix);
  }
  const found = classes.findIndex((label) => POSITIVE.includes(label.toLowerCase()));
  if (classes.length <= 2 && found >= 0) return found;
  throw new StatError(
    "NoPositiveLabel",
    `which of the ${classes.length} labels is the positive one?`,
    `Name it (\`positive\`), or average over classes (macro-f1 as the metric). ${listed(classes)}`,
  );
}

function listed(classes: readonly string[]): string {
  const shown = classes.slice(0, CLASSES_SHOWN).join(", ");
  return `The labels are ${shown}${classes.length > CLASSES_SHOWN ? ", …" : ""}.`;
}
