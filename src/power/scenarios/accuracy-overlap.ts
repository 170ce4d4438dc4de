/** How often two systems agree, from their accuracies: Card et al.'s regressions of agreement on the lower accuracy and the difference.
 *    P_a = a + b · (lower accuracy) + c · |Δ|
 *  Reference: Card et al. (2020), EMNLP, Tables 5 (GLUE) and 6 (SQuAD 2.0), eq. 2; the GLUE coefficients with the digits of their code. */
import { StatError } from "../../result/error.ts";

export interface OverlapRegression {
  readonly intercept: number;
  readonly accuracy: number;
  readonly difference: number;
}

export const OVERLAP_REGRESSIONS: Readonly<Record<"glue" | "squad", OverlapRegression>> = {
  glue: { intercept: 0.41422307, accuracy: 0.58187475, difference: -0.46624237 },
  squad: { intercept: 0.4339, accuracy: 0.5932, difference: -1.2849 },
};

/** "glue", "squad", or the three coefficients "0.41,0.58,-0.47". */
export function parseOverlap(text: string): OverlapRegression {
  if (text === "glue" || text === "squad") return OVERLAP_REGRESSIONS[text];
  const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (parts.length === 3 && parts.every(Number.isFinite)) {
    return { intercept: parts[0]!, accuracy: parts[1]!, difference: parts[2]! };
  }
  throw new StatError(
    "BadParameter",
    `overlap = ${text}: no such regression.`,
    "write glue, squad, or three coefficients such as 0.41,0.58,-0.47 (`planFromHistory` fits them).",
  );
}

export function predictOverlap(regression: OverlapRegression, baseline: number, delta: number): number {
  const lower = Math.min(baseline, baseline + delta);
  return regression.intercept + regression.accuracy * lower + regression.difference * Math.abs(delta);
}
