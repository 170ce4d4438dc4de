/** The right answer beside what was predicted, by their usual names; and reports that were made of both. */
import type { Table } from "../table.ts";
import { metricDirection } from "./direction.ts";
import { type Guess, joined, MAX_SETTINGS } from "./guess.ts";
import { SYSTEM_NAMES, splitWords } from "./names.ts";
import { type ColumnProfile, listValues } from "./profile.ts";

const GOLD =
  /(^|_)(true|gold|actual|truth|label|labels|target|expected|answer_key)$|^(true|gold|correct|real|actual|reference)_(answer|label|class)$/;
const PREDICTED =
  /(^|_)(pred|preds|prediction|predictions|predicted|yhat|hat)$|(^|_)(pred|predicted|prediction|model)_(label|labels|class|category|answer|value)$/;
const PROBABILITY = /(^|_)(prob|proba|probability|probabilities|confidence|conf)$/;

/** The right answer beside what was predicted, perhaps with a probability: by their usual names, and with labels in common. */
export function claimPredictions(guess: Guess): void {
  const usable = guess.free().filter(({ values }) => values !== "text" && values !== "real");
  if (claimSeveral(guess, usable)) return;
  const golds = usable.filter((profile) => GOLD.test(joined(profile)) && !PREDICTED.test(joined(profile)));
  // of two codings of the gold label that one counts whose labels were predicted
  const predictions = usable.filter((profile) => PREDICTED.test(joined(profile)));
  const [gold, predicted] = golds
    .flatMap((own) => predictions.map((other) => [own, other] as const))
    .sort(([a, b], [c, d]) => share(c, d) - share(a, b))[0] ?? [golds[0], predictions[0]];
  if (gold === undefined || predicted === undefined || !shareLabels(gold, predicted)) return;
  const reason = `${gold.name} and ${predicted.name} hold the same labels`;
  guess.claim("label", gold.name, undefined, { reason, confidence: 0.9 });
  guess.claim("prediction", predicted.name, undefined, { reason, confidence: 0.9 });
  const probability = guess
    .free()
    .find((profile) => PROBABILITY.test(joined(profile)) && profile.min >= 0 && profile.max <= 1);
  if (probability !== undefined)
    guess.claim("probability", probability.name, undefined, {
      reason: "a number between 0 and 1, by its name",
      confidence: 0.85,
    });
}

const CERTAIN_GOLD =
  /^((gold|true|expected|actual|correct|human|reference)_(label|class|answer)|y_true|gold|ground_truth|target|label|truth)$/;

/** expected_label beside small_label, large_label and their scores: what several systems predicted, and how sure they were. */
function claimSeveral(guess: Guess, usable: readonly ColumnProfile[]): boolean {
  const gold = usable.find((own) => CERTAIN_GOLD.test(joined(own)) && own.column.kind === "factor" && own.distinct > 1);
  if (gold === undefined || guess.single.has("system")) return false;
  const several = usable.filter(
    (own) =>
      own !== gold &&
      own.column.kind === "factor" &&
      /_(label|pred|prediction|class)$/.test(joined(own)) &&
      share(gold, own) === 1,
  );
  if (several.length < 2) return false;
  const told = several.map(({ name }) => name);
  const stems = several.map((own) => joined(own).replace(/_[^_]+$/, "_"));
  const sure = guess
    .free()
    .filter((own) => own.column.kind === "numeric" && stems.some((stem) => joined(own).startsWith(stem)));
  guess.claim("label", gold.name, undefined, { reason: `${told.join(", ")} hold its labels`, confidence: 0.9 });
  guess.claimMany("identifiers", [...told, ...sure.map(({ name }) => name)]);
  guess.assumptions.push(
    `${told.join(", ")} hold labels of ${gold.name} and are taken as the predictions of one system each, not as scores.`,
  );
  return true;
}

/** Share of the predicted labels that are gold labels too. */
function share(gold: ColumnProfile, predicted: ColumnProfile): number {
  const own = new Set(listValues(gold.column));
  const other = listValues(predicted.column);
  return other.filter((label) => own.has(label)).length / Math.max(1, other.length);
}

function shareLabels(a: ColumnProfile, b: ColumnProfile): boolean {
  const [own, other] = [a, b].map(({ column }) => new Set(listValues(column))) as [Set<string>, Set<string>];
  return own.size >= 2 && [...other].filter((label) => own.has(label)).length >= other.size / 2;
}

/** Of `names` those that hold nothing but labels of `gold`: predictions, one system each. Numbers are labels where they are few and whole. */
export function columnsOfLabels(table: Table, gold: string, names: readonly string[]): string[] {
  const labels = new Set(labelsIn(table, gold));
  return names.filter((name) => {
    const own = name === gold ? [] : labelsIn(table, name);
    // one level that is a label by chance predicts nothing, nor does where an item is from
    return (
      own.length > 1 && own.every((level) => labels.has(level)) && !/source|domain|subset|split|categor/i.test(name)
    );
  });
}

function labelsIn({ columns }: Table, name: string): string[] {
  const cells = columns.get(name)!;
  const own = listValues(cells);
  return cells.kind === "factor" || (own.length <= MAX_SETTINGS && own.every((value) => /^-?\d+$/.test(value)))
    ? own
    : [];
}

const RIGHT_SCORE = /^(gold|true|right|correct|expected|actual)_(score|rating|grade|value|class|label)$/;

/** 0 and 1, or steps of a scale, beside the right ones: whether a column holds what a system said or whether that was right, its numbers do not
 *  tell, and a name such as base_correct would. */
export function arePredictions(guess: Guess, columns: readonly string[]): boolean {
  const right = guess.profiles.find((own) => columns.includes(own.name) && RIGHT_SCORE.test(joined(own)))?.name;
  const gold = guess.single.get("label") ?? right;
  const others = columns.filter((name) => name !== right);
  if (gold === undefined || others.some((name) => metricDirection(name) !== undefined)) return false;
  if (columnsOfLabels(guess.table, gold, others).length < others.length) return false;
  if (gold === right)
    guess.claim("label", gold, undefined, { reason: `${others.join(", ")} hold its values`, confidence: 0.8 });
  return true;
}

/* Reports by class, as scikit-learn writes them: precision, recall and F1 of each class, its support, and averages over the classes. Their rows
 * are no items, since none was drawn from anything, and the averages among them count everything twice. */

const AVERAGES = /^(macro|micro|weighted|samples)_(avg|average|mean)$/;
const plain = (name: string): string => splitWords(name).join("_");

/** The averages stand among the rows, or among the columns of a report that was turned. */
export function isClassReport({ columns }: Table): boolean {
  const names = [...columns.keys()].map(plain);
  if (names.filter((name) => AVERAGES.test(name)).length > 1) return true;
  const measures = ["precision", "recall"].every((name) => names.includes(name));
  if (!measures) return false;
  // without its averages: classes that nothing tells from systems but their support
  if (names.includes("support") && !names.some((name) => SYSTEM_NAMES.includes(name) || CLASS.test(name))) return true;
  return [...columns.values()].some(
    (cells) => cells.kind === "factor" && listValues(cells).filter((level) => AVERAGES.test(plain(level))).length > 1,
  );
}

/** Why there is no score in it, and what would have one. */
export const TELL_REPORT = {
  why: "the table is a report by class, with precision and recall of each class and averages over the classes, and no results of single items",
  fix: "Give the predictions that it was made from: one row for each item, with its right and its predicted label.",
} as const;

const P_VALUE = /^p(_?val(ue)?s?)?$|^p_?val(ue)?_|_p_?val(ue)?s?$|^adj(usted)?_p/;
const OF_TEST =
  /^(test|test_used|test_name|hypothesis|hypotheses|contrast|comparison|test_statistic|statistic|stat|t|z|t_stat|t_statistic|z_score|chi2|df|dof|effect_size|effect_size_type|cohens?_?d[zs]?|hedges_g|cliffs_delta|significant|reject(ed)?|supported_at_alpha.*)$/;

/** p-values beside what else a test has: rows are tests that were made, of scores that are elsewhere. */
export function isTestReport({ columns }: Table): boolean {
  const names = [...columns.keys()].map((name) => splitWords(name).join("_"));
  return names.some((name) => P_VALUE.test(name)) && names.filter((name) => OF_TEST.test(name)).length > 1;
}

export const TELL_TESTS = {
  why: "the table holds the results of tests (a p-value and what belongs to it in each row), and no scores",
  fix: "Give the scores that were tested: one row for each item and system.",
} as const;

const CLASS = /^(class|class_name|classes|label|labels|category|tag|entity|entity_type|intent|emotion|species|type)$/;

/** Where systems have precision, recall and support for each class, a class is a part of the data and no item. */
export function claimClasses(guess: Guess): void {
  const own = new Set(guess.profiles.map(joined));
  if (!["precision", "recall", "support"].every((name) => own.has(name)) || guess.single.has("task")) return;
  const found = guess.free().find((profile) => profile.column.kind === "factor" && CLASS.test(joined(profile)));
  if (found === undefined) return;
  const reason = "its levels have precision, recall and support: classes, no items";
  guess.claim("task", found.name, `Each ${found.name} is a class with totals of its own, no item.`, {
    reason,
    confidence: 0.85,
  });
}
