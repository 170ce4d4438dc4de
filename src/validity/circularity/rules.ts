/** All the rules that are sought for a label, over all features at once: formulas (formula-rule.ts), steps of features (step-rule.ts), steps
 *  of sums and products (score-rule.ts), tables (table-rule.ts), and a curve of one feature. None of them needs the models of the
 *  search; the sets that those name are tried as well. */
import { findFormulaRules } from "./formula-rule.ts";
import { d2Of, type FoundRule, numbersOf, pick, type RuleFeature, type RuleKind, spreadRows } from "./found-rule.ts";
import { type LabelScale, scaleOfLabel } from "./label-scale.ts";
import { findScoreRules } from "./score-rule.ts";
import { findStepRule, type StepRule } from "./step-rule.ts";
import { findTableRule } from "./table-rule.ts";
import { growTree, pruneTree } from "./threshold-tree.ts";

/** Largest set whose rule is looked for as thresholds. */
export const MOST_STEP_FEATURES = 4;
/** Rows for a tree over all features. */
const MOST_TREE_ROWS = 5000;

export interface RuleSearch {
  readonly scale: LabelScale;
  readonly rules: readonly (FoundRule & { readonly steps?: StepRule })[];
  /** The kinds that were looked for, found or not. */
  readonly sought: readonly RuleKind[];
}

interface RulesRequest {
  /** The best by association with the label first. */
  readonly features: readonly RuleFeature[];
  /** Sets that a model of the label needs, by name. */
  readonly sets: readonly (readonly string[])[];
}

export function findRules(label: string, y: Float64Array, { features, sets }: RulesRequest): RuleSearch {
  const scale = scaleOfLabel(y);
  const request = { features, scale };
  const graded = scale.grades.length > 0;
  const steps = stepSets(y, { features, sets }, graded).flatMap((set) => stepRule(label, y, set) ?? []);
  const sought: RuleKind[] = ["steps"];
  if (steps.some(isWhole)) return { scale, rules: steps, sought };
  const formulas = findFormulaRules(label, y, request);
  sought.push(...formulas.sought);
  const known = [...formulas.rules, ...steps];
  if (formulas.rules.some(isWhole)) return { scale, rules: known, sought };
  if (!graded) {
    const curve = curveRule(label, y, features);
    return { scale, rules: curve === undefined ? known : [...known, curve], sought: [...sought, "curve"] };
  }
  const table = findTableRule(label, y, request);
  const scores = findScoreRules(label, y, request);
  return {
    scale,
    rules: [...known, ...(table === undefined ? [] : [table]), ...scores.rules],
    sought: [...sought, "table", ...scores.sought],
  };
}

/** Nothing is left to look for. */
const isWhole = ({ share, heldOutShare }: FoundRule): boolean => share === 1 && heldOutShare >= 0.99;

/** The sets of the models, and those features that a tree over all of them splits. */
function stepSets(y: Float64Array, { features, sets }: RulesRequest, tree: boolean): RuleFeature[][] {
  const named = sets.map((set) => features.filter(({ name }) => set.includes(name)));
  const made = new Map<string, RuleFeature[]>();
  for (const set of [...named, ...(tree ? [splitFeatures(y, features)] : [])]) {
    if (set.length === 0 || set.length > MOST_STEP_FEATURES) continue;
    made.set(set.map(({ name }) => name).join("\n"), set);
  }
  return [...made.values()];
}

function splitFeatures(y: Float64Array, features: readonly RuleFeature[]): RuleFeature[] {
  const rows = spreadRows(y.length, MOST_TREE_ROWS);
  const some = { y: pick(y, rows), x: features.map(({ column }) => pick(numbersOf(column), rows)) };
  const splits = pruneTree(some.y, some.x, growTree(some.y, some.x, Int32Array.from(rows.keys())));
  return features.filter((_, f) => splits.some(({ feature }) => feature === f));
}

function stepRule(
  label: string,
  y: Float64Array,
  set: readonly RuleFeature[],
): (FoundRule & { steps: StepRule }) | undefined {
  const steps = findStepRule(label, y, set);
  if (steps === undefined) return undefined;
  return {
    kind: "steps",
    features: steps.steps.map(({ feature }) => feature),
    words: steps.words,
    share: steps.agreement,
    heldOutShare: steps.heldOutAgreement,
    heldOutD2: steps.heldOut,
    scatter: steps.scatter,
    scatterBy: steps.scatterBy,
    steps,
  };
}

/** Rows whose neighbours in a feature are on both sides close enough to say something. */
const FEWEST_CURVE_ROWS = 50;

/** A label that is some function of one feature: each row is told by the line between its neighbours in that feature. Noise of share s
 *  would leave 1 - D² near 1.5 s, which is taken off. */
function curveRule(label: string, y: Float64Array, features: readonly RuleFeature[]): FoundRule | undefined {
  let best: { name: string; d2: number } | undefined;
  for (const { name, column } of features) {
    if (column.kind !== "numeric") continue;
    const d2 = interpolatedD2(y, column.values);
    if (best === undefined || d2 > best.d2) best = { name, d2 };
  }
  if (best === undefined) return undefined;
  return {
    kind: "curve",
    features: [best.name],
    words: [`${label} follows a curve of ${best.name}.`],
    share: Number.NaN,
    heldOutShare: Number.NaN,
    heldOutD2: best.d2,
    scatter: Number.NaN,
    scatterBy: "rounding",
  };
}

function interpolatedD2(y: Float64Array, x: Float64Array): number {
  const order = Int32Array.from(x.keys()).sort((a, b) => x[a]! - x[b]! || a - b);
  const [own, told]: [number[], number[]] = [[], []];
  for (let r = 1; r + 1 < order.length; r++) {
    const [a, i, b] = [order[r - 1]!, order[r]!, order[r + 1]!];
    if (x[a] === x[b]) continue;
    const w = (x[i]! - x[a]!) / (x[b]! - x[a]!);
    const said = y[a]! + w * (y[b]! - y[a]!);
    // the neighbours' own noise, as large as the row's, comes in with their weights
    const share = Math.sqrt(1 + w ** 2 + (1 - w) ** 2);
    own.push(y[i]!);
    told.push(y[i]! + (said - y[i]!) / share);
  }
  return own.length < FEWEST_CURVE_ROWS
    ? Number.NEGATIVE_INFINITY
    : d2Of(Float64Array.from(own), Float64Array.from(told));
}
