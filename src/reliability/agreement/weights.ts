/** How near two categories are: weights of κ and AC2, and squared distances of Krippendorff's α.
 *
 *      linear     1 - |i - j| / (q - 1)          i, j: places in the order of the categories
 *      quadratic  1 - ((i - j) / (q - 1))²
 *      nominal    [c ≠ k]      interval  (c - k)²      ratio  ((c - k) / (c + k))²
 *      ordinal    (r_c - r_k)²,  r = mid-ranks of the categories among all pairable labels
 *
 *  The ordinal distance is Krippendorff's: the labels between c and k and half of those at the ends, squared, which is the
 *  squared difference of mid-ranks.
 *  Reference: Cohen (1968), Psychol. Bull. 70; Krippendorff (2004), Content Analysis, ch. 11.
 *  Oracle:    vcd, psych (R); Krippendorff's published example. */
import { StatError } from "../../result/error.ts";

export type Scale = "nominal" | "ordinal" | "interval" | "ratio";
export const SCALES: readonly Scale[] = ["nominal", "ordinal", "interval", "ratio"];

/** q × q, 1 on the diagonal. */
export type Weighting = "none" | "linear" | "quadratic" | readonly (readonly number[])[];

/** Beyond this many different labels they are measurements: κ and tables of labels make no sense, and there are no weights. */
export const MOST_LABELS = 1000;

export const isPlain = (w: Float64Array, q: number): boolean =>
  w.every((value, k) => value === Number(k % (q + 1) === 0));

/** Row by row; empty, which stands for no weights, beyond MOST_LABELS. */
export function weightMatrix(weighting: Weighting, q: number): Float64Array {
  if (q > MOST_LABELS) {
    if (weighting === "none") return new Float64Array(0);
    const message = `${q} different labels are too many for weights between them.`;
    throw new StatError("TooManyLabels", message, "Leave the weights out; α on the interval scale fits measurements.");
  }
  const w = new Float64Array(q * q);
  if (typeof weighting !== "string") checkCustom(weighting, q);
  for (let i = 0; i < q; i++) {
    for (let j = 0; j < q; j++) {
      const far = q > 1 ? Math.abs(i - j) / (q - 1) : 0;
      w[i * q + j] =
        typeof weighting !== "string"
          ? weighting[i]![j]!
          : weighting === "linear"
            ? 1 - far
            : weighting === "quadratic"
              ? 1 - far * far
              : Number(i === j);
    }
  }
  return w;
}

function checkCustom(rows: readonly (readonly number[])[], q: number): void {
  const bad = (message: string): StatError =>
    new StatError("BadWeights", message, `Give ${q} rows of ${q} weights, 1 for agreement and at most 1 elsewhere.`);
  if (rows.length !== q || rows.some((row) => row.length !== q)) {
    throw bad(`the weights are ${rows.length} × ${rows[0]?.length ?? 0}, and there are ${q} categories.`);
  }
  rows.forEach((row, i) => {
    if (row[i] !== 1) throw bad(`weight (${i + 1}, ${i + 1}) is ${row[i]}, not 1.`);
    row.forEach((value, j) => {
      if (!(value <= 1) || !Number.isFinite(value)) throw bad(`weight (${i + 1}, ${j + 1}) is ${value}.`);
      if (value !== rows[j]![i]) throw bad(`weight (${i + 1}, ${j + 1}) is ${value}, and (${j + 1}, ${i + 1}) is not.`);
    });
  });
}

/** δ² between two category values; ordinal distances are interval distances of mid-ranks. */
export function squaredDistance(scale: Exclude<Scale, "ordinal">, a: number, b: number): number {
  if (scale === "nominal") return a === b ? 0 : 1;
  const d = a - b;
  if (scale === "interval") return d * d;
  if (d === 0) return 0;
  return (d / (a + b)) ** 2;
}

/** Mid-rank of each category: labels below it and half of its own. */
export function midRanksInto(ranks: Float64Array, counts: Float64Array): void {
  let below = 0;
  for (let c = 0; c < counts.length; c++) {
    ranks[c] = below + counts[c]! / 2;
    below += counts[c]!;
  }
}
