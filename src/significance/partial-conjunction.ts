/** On how many of N data sets is one system better? Partial conjunction: H_k says "fewer than k of the N alternatives are true"; its p value
 *  is a combination of the N-k+1 largest p values.   p_(1) <= … <= p_(N)
 *    bonferroni   (N-k+1) p_(k)                      any dependence
 *    simes        min_{i>=k} (N-k+1) p_(i)/(i-k+1)   independence or positive dependence
 *    fisher       P(χ²_{2(N-k+1)} > -2 Σ_{i>=k} log p_(i))   independence only
 *  k̂ is the largest k such that H_1 … H_k are all rejected: with probability 1-α at least k̂ data sets show a real effect.
 *  Which ones: Holm's procedure.
 *  Reference: Benjamini & Heller (2008), Biometrics 64; Dror, Baumer, Bogomolov & Reichart (2017), TACL 5.
 *  Oracle:    closed forms; k = 1 and k = N.
 *  Limits:    p values must be one-sided for "better"; two-sided ones count effects of either direction. */

import type { FieldsOf } from "../models/fit.ts";
import { chiSquareSf } from "../numeric/dist/chi-square.ts";
import type { Display } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { Fingerprint } from "../result/fingerprint.ts";
import { formatNumber } from "../result/number-format.ts";
import { makeResult, type Published, type Result, type ResultJson } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import { adjustP } from "./multiplicity.ts";

export const COMBINATIONS = ["bonferroni", "simes", "fisher"] as const;
export type Combination = (typeof COMBINATIONS)[number];

export interface PartialConjunction extends Result<"test"> {
  readonly test: "partial-conjunction";
  readonly method: Combination;
  readonly alpha: number;
  /** p of H_k for k = 1 … N, made monotone. */
  readonly p: readonly number[];
  /** At least this many data sets show an effect. */
  readonly k: number;
  readonly datasets: readonly {
    readonly name: string;
    readonly p: number;
    readonly holm: number;
    readonly identified: boolean;
  }[];
}

export interface PartialConjunctionJson extends ResultJson<"test">, Omit<PartialConjunction, keyof Result<"test">> {
  /** Data sets. */
  readonly n: number;
}

export interface PartialConjunctionOptions {
  readonly method?: Combination | undefined;
  readonly alpha?: number | undefined;
  readonly names?: readonly string[] | undefined;
}

export function partialConjunction(
  pValues: ArrayLike<number>,
  options: PartialConjunctionOptions = {},
): PartialConjunction {
  const { method = "bonferroni", alpha = 0.05 } = options;
  const own = Float64Array.from(pValues);
  const wrong = own.find((v) => !(v >= 0 && v <= 1));
  if (wrong !== undefined || own.length === 0) {
    throw new StatError(
      "BadProbability",
      own.length === 0 ? "no p values." : `${wrong} is not a p value.`,
      "give p values between 0 and 1.",
    );
  }
  const sorted = own.slice().sort();
  const p: number[] = [];
  for (let k = 1; k <= own.length; k++) p.push(Math.max(p[k - 2] ?? 0, combine(sorted.subarray(k - 1), method)));
  const k = p.filter((v) => v <= alpha).length;
  const holm = adjustP(own, "holm");
  const names = options.names ?? Array.from(own, (_, i) => `data set ${i + 1}`);
  const hash = new Fingerprint();
  hash.update(own);
  const fields: FieldsOf<PartialConjunction> = {
    signature: {
      method: "partial-conjunction",
      version: GOSSET_VERSION,
      options: { method, alpha, names },
      data: hash.digest(),
    },
    diagnostics: [],
    test: "partial-conjunction",
    method,
    alpha,
    p,
    k,
    datasets: Array.from(own, (v, i) => ({ name: names[i]!, p: v, holm: holm[i]!, identified: holm[i]! <= alpha })),
  };
  return makeResult("test", fields, { display, json: conjunctionJson });
}

/** p of the intersection of the hypotheses whose (sorted) p values are given. */
function combine(sorted: Float64Array, method: Combination): number {
  const m = sorted.length;
  if (method === "bonferroni") return Math.min(1, m * sorted[0]!);
  if (method === "simes") return sorted.reduce((least, v, i) => Math.min(least, (m * v) / (i + 1)), 1);
  return chiSquareSf(-2 * sorted.reduce((sum, v) => sum + Math.log(v), 0), 2 * m);
}

function display({ p, k, datasets, method, alpha }: FieldsOf<PartialConjunction>): Display {
  return {
    title: "Partial conjunction over data sets",
    summary: [
      `At least ${k} of ${datasets.length} data sets show an effect (confidence ${formatNumber(1 - alpha)}, ${method}).`,
    ],
    tables: [
      {
        head: ["data set", "p", "Holm p", "identified"],
        formats: ["text", "p", "p", "text"],
        rows: datasets.map((d) => [d.name, d.p, d.holm, d.identified ? "yes" : "no"]),
      },
      { head: ["at least k", "p"], formats: ["integer", "p"], rows: p.map((v, i) => [i + 1, v]) },
    ],
    notes: [],
  };
}

function conjunctionJson(result: FieldsOf<PartialConjunction>): Published<PartialConjunctionJson> {
  const { signature: _, diagnostics: __, ...own } = result;
  return { ...own, n: own.datasets.length };
}
