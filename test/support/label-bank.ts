/** Simulated labels with a known truth: rules of many kinds, whole or with a share of the rows replaced, and signals with noise. */
import { makeTable, numericColumn, type Table } from "../../src/data/table.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";

export const RULE_KINDS = [
  "threshold",
  "steps",
  "largest of steps",
  "sum",
  "rounded sum",
  "sum of six",
  "product",
  "ratio",
  "max",
  "cut sum",
  "mean of marks",
  "lookup",
  "curve",
] as const;
export const SIGNAL_KINDS = [
  "linear",
  "three features",
  "curved",
  "product",
  "rounded",
  "classes",
  "grades",
  "marks",
] as const;

export type LabelSpec = {
  readonly features: number;
  readonly rows: number;
} & (
  | {
      readonly truth: "rule";
      readonly kind: (typeof RULE_KINDS)[number] /** Rows with another label. */;
      readonly replaced: number;
    }
  | {
      readonly truth: "signal";
      readonly kind: (typeof SIGNAL_KINDS)[number] /** Variance explained; of the latent score for classes. */;
      readonly r2: number;
    }
);

/** Features x1, x2 …: normal; x4, x6 … go with x1, r = .7; x5 is a count and x7 skewed, where there are as many. */
export function simulateLabel(spec: LabelSpec, seed: string | number): Table {
  const rng = makeRng(`label-bank ${seed}`);
  const { rows: n } = spec;
  const count = Math.max(spec.features, spec.truth === "rule" && spec.kind === "sum of six" ? 8 : 2);
  const draw = (one: () => number): Float64Array => Float64Array.from({ length: n }, one);
  const first = draw(() => rng.normal());
  const x = Array.from({ length: count }, (_, j) => {
    if (j === 0) return first;
    if (j === 4) return draw(() => rng.int(6));
    if (j === 6) return draw(() => Math.exp(rng.normal()));
    if (j >= 3) return first.map((value) => 0.7 * value + Math.sqrt(0.51) * rng.normal());
    return draw(() => rng.normal());
  });
  prepare(x, spec, rng);
  const label =
    spec.truth === "rule" ? replaceSome(ruleOf(spec.kind, x, rng), spec.replaced, rng) : signalOf(spec, x, rng);
  return makeTable([
    ...x.map((values, j) => [`x${j + 1}`, numericColumn(values)] as const),
    ["label", numericColumn(label)],
  ]);
}

/** Marks, tables and ratios have features of their own kind. */
function prepare(x: Float64Array[], { kind }: LabelSpec, rng: Rng): void {
  const n = x[0]!.length;
  const fill = (j: number, one: () => number): void => {
    x[j] = Float64Array.from({ length: n }, one);
  };
  if (kind === "lookup") {
    fill(0, () => rng.int(3));
    fill(1, () => rng.int(4));
  }
  if (kind === "marks" || kind === "mean of marks") {
    const skill = Float64Array.from({ length: n }, () => rng.normal());
    for (const j of [0, 1, 2]) x[j] = skill.map((s) => mark(3 + 0.8 * s + 0.8 * rng.normal()));
  }
  if (kind === "ratio") for (const j of [0, 1]) fill(j, () => 1 + Math.exp(rng.normal()));
}

const mark = (value: number): number => Math.max(1, Math.min(5, Math.round(value)));
const steps = (value: number, cuts: readonly number[]): number =>
  cuts.reduce((sum, cut) => sum + (value > cut ? 1 : 0), 0);

function ruleOf(kind: (typeof RULE_KINDS)[number], x: readonly Float64Array[], rng: Rng): Float64Array {
  const [a, b] = [x[0]!, x[1]!];
  const c = x[Math.min(2, x.length - 1)]!;
  const weights = x.map(() => 0.5 + rng.uniform());
  switch (kind) {
    case "threshold":
      return a.map((value) => (value > 0 ? 1 : 0));
    case "steps":
      return a.map((value) => steps(value, [-1, 0, 0.8]));
    case "largest of steps":
      return a.map((value, i) => Math.max(steps(value, [0, 1]), b[i]! < -0.7 ? 3 : 0));
    case "sum":
      return a.map((value, i) => weights[0]! * value + weights[1]! * b[i]! - 2 * c[i]!);
    case "rounded sum":
      return a.map((value, i) => Math.round(10 * (value + 2 * b[i]!)) / 10);
    case "sum of six":
      return a.map((_, i) => x.slice(0, 6).reduce((sum, values) => sum + values[i]!, 0));
    case "product":
      return a.map((value, i) => value * b[i]!);
    case "ratio":
      return a.map((value, i) => value / b[i]!);
    case "max":
      return a.map((value, i) => Math.max(value, b[i]!));
    case "cut sum":
      return a.map((value, i) => steps(value + 1.5 * b[i]!, [-1, 1]));
    case "mean of marks":
      return a.map((value, i) => mark((value + b[i]! + c[i]!) / 3));
    case "lookup": {
      const table = Array.from({ length: 12 }, () => rng.int(3));
      return a.map((value, i) => table[4 * value + b[i]!]!);
    }
    case "curve":
      return a.map((value) => Math.sin(1.5 * value) + 0.3 * value ** 2);
  }
}

/** Grades become another grade, numbers the label of another row. */
function replaceSome(label: Float64Array, share: number, rng: Rng): Float64Array {
  const values = [...new Set(label)];
  const graded = values.length <= 12;
  return label.map((value) => {
    if (rng.uniform() >= share) return value;
    if (!graded) return label[rng.int(label.length)]!;
    const others = values.filter((other) => other !== value);
    return others[rng.int(others.length)]!;
  });
}

function signalOf(
  { kind, r2 }: { readonly kind: (typeof SIGNAL_KINDS)[number]; readonly r2: number },
  x: readonly Float64Array[],
  rng: Rng,
): Float64Array {
  const [a, b] = [x[0]!, x[1]!];
  const c = x[Math.min(2, x.length - 1)]!;
  const noisy = (signal: Float64Array): Float64Array => {
    const mean = signal.reduce((sum, value) => sum + value / signal.length, 0);
    const sd = Math.sqrt(signal.reduce((sum, value) => sum + (value - mean) ** 2 / signal.length, 0));
    return signal.map((value) => (Math.sqrt(r2) * (value - mean)) / sd + Math.sqrt(1 - r2) * rng.normal());
  };
  switch (kind) {
    case "linear":
      return noisy(a);
    case "three features":
      return noisy(a.map((value, i) => value + b[i]! + c[i]!));
    case "curved":
      return noisy(a.map((value) => Math.sin(1.5 * value) + 0.3 * value ** 2));
    case "product":
      return noisy(a.map((value, i) => value * b[i]!));
    case "rounded":
      return noisy(a).map((value) => Math.round(10 * value) / 10);
    case "classes":
      return noisy(a).map((value) => (value > 0 ? 1 : 0));
    case "grades":
      return noisy(a.map((value, i) => value + 0.5 * b[i]!)).map((value) => steps(value, [-1, 0, 0.8]));
    case "marks":
      return noisy(a.map((value, i) => value + b[i]! + c[i]!)).map((value) => mark(3 + value));
  }
}
