/** Nothing is known about how often the systems agree: the difference alone bounds it.
 *    lower   the new system is right wherever the baseline is:  d = δ            (the least disagreement, the most power)
 *    upper   as different as the accuracies allow:              d = 2(1 - base) - δ, or 2 base + δ if that is less
 *    middle  half way between:                                  d = 1 - base for a good baseline
 *  Sizes by Lachenbruch's formula  N = (z_{1-α/2} + z_{power})² d/δ²;  beside them the exact test's.
 *  Reference: Lachenbruch (1992), Stat. Med. 11; Connett, Smith & McHugh (1987), Stat. Med. 6; Card et al. (2020), App. E.3.
 *  Oracle:    oracle/reference/power.json, Table 9 — closed forms to 1e-10. */

import type { FieldsOf } from "../../models/fit.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import type { Display } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { enumerateDiscordant, makeCritical } from "../../significance/tests/mcnemar-power.ts";
import { USUAL_POWER } from "../result.ts";
import { checkAlpha } from "../scenario.ts";
import { ACCURACY_TESTS } from "../scenarios/accuracy.ts";
import { firstEffect } from "../solve/mde.ts";
import { checkTarget } from "../solve/solve.ts";

export const PRIOR_BOUNDS = ["lower", "middle", "upper"] as const;
export type PriorBound = (typeof PRIOR_BOUNDS)[number];

export function boundDisagreement(bound: PriorBound, baseline: number, delta: number): number {
  const most = Math.min(1, 2 * (1 - baseline) - delta, 2 * baseline + delta);
  return bound === "lower" ? delta : bound === "upper" ? most : (delta + most) / 2;
}

export interface LachenbruchOptions {
  readonly bound?: PriorBound | undefined;
  readonly alpha?: number | undefined;
  readonly power?: number | undefined;
}

/** Pairs needed, not rounded. */
export function lachenbruchSize(baseline: number, delta: number, options: LachenbruchOptions = {}): number {
  const { bound = "middle", alpha = 0.05, power = USUAL_POWER } = options;
  const z = normalQuantileUpper(alpha / 2) + normalQuantileUpper(1 - power);
  return (z * z * boundDisagreement(bound, baseline, delta)) / (delta * delta);
}

/** The difference for which n pairs are needed; NaN if even the largest possible one needs more. */
export function lachenbruchMde(n: number, baseline: number, options: LachenbruchOptions = {}): number {
  // the disagreement is at most 1 and at least δ, so that n(δ) - n changes sign on (0, 1 - base] or nowhere
  const gap = (delta: number): number =>
    delta <= 0 ? -n : delta * delta * (n - lachenbruchSize(baseline, delta, options));
  return gap(1 - baseline) < 0 ? Number.NaN : findRoot(gap, 0, 1 - baseline).root;
}

export interface PriorRow {
  readonly bound: PriorBound;
  readonly disagreement: number;
  /** By the formula, and by the exact power of the test. */
  readonly mde: number;
  readonly mdeExact: number;
  /** At `delta`, where it is given. */
  readonly power: number;
  readonly size: number;
}

export interface NoPriorResult extends Result<"no-prior"> {
  readonly n: number;
  readonly baseline: number;
  readonly delta?: number;
  readonly target: number;
  readonly alpha: number;
  readonly test: string;
  readonly rows: readonly PriorRow[];
}

export type NoPriorJson = JsonOf<NoPriorResult>;

export interface NoPriorOptions {
  readonly n: number;
  readonly baseline: number;
  readonly delta?: number | undefined;
  readonly power?: number | undefined;
  readonly alpha?: number | undefined;
  readonly test?: string | undefined;
}

const PLAN_WITHOUT_PRIOR_OPTIONS = {
  n: true,
  baseline: true,
  delta: true,
  power: true,
  alpha: true,
  test: true,
} as const satisfies Record<keyof NoPriorOptions, true>;

export function planWithoutPrior(options: NoPriorOptions): NoPriorResult {
  refuseUnknownNames("planWithoutPrior", options, PLAN_WITHOUT_PRIOR_OPTIONS);
  const { n, baseline, delta, power: target = USUAL_POWER, alpha = 0.05, test = "mcnemar-midp" } = options;
  checkInput(options);
  const critical = makeCritical({ method: ACCURACY_TESTS[test]!, alpha, twoSided: true, n });
  // the critical region is two-sided; the power needs its right side alone
  const powerAt = (bound: PriorBound, effect: number): number => {
    const d = boundDisagreement(bound, baseline, effect);
    return enumerateDiscordant({ n, win: (d + effect) / 2, lose: Math.max(0, d - effect) / 2 }, critical, false).power;
  };
  const rows = PRIOR_BOUNDS.map((bound): PriorRow => {
    const mde = lachenbruchMde(n, baseline, { bound, alpha, power: target });
    const mdeExact = firstEffect({ from: 0, to: 1 - baseline }, target, (effect) => powerAt(bound, effect)).x;
    const effect = delta ?? mdeExact;
    return {
      bound,
      disagreement: boundDisagreement(bound, baseline, effect),
      mde,
      mdeExact,
      power: delta === undefined ? Number.NaN : powerAt(bound, delta),
      size: delta === undefined ? Number.NaN : lachenbruchSize(baseline, delta, { bound, alpha, power: target }),
    };
  });
  const fields: FieldsOf<NoPriorResult> = {
    signature: { method: "power/no-prior", version: GOSSET_VERSION, options: { ...options }, data: "" },
    diagnostics: [],
    n,
    baseline,
    ...(delta === undefined ? {} : { delta }),
    target,
    alpha,
    test,
    rows,
  };
  return makeResult("no-prior", fields, displayNoPrior);
}

function checkInput(options: NoPriorOptions): void {
  const { n, baseline, delta, power = USUAL_POWER, alpha = 0.05, test = "mcnemar-midp" } = options;
  const fault = (found: string, fix: string): StatError => new StatError("BadParameter", found, fix);
  if (!(Number.isInteger(n) && n >= 1)) throw fault(`n = ${n}.`, "it must be a whole number of at least 1.");
  if (!(baseline > 0 && baseline < 1)) throw fault(`baseline = ${baseline}.`, "it must lie between 0 and 1.");
  if (delta !== undefined && !(delta > 0 && delta <= 1 - baseline)) {
    throw fault(
      `delta = ${delta} on a baseline of ${baseline} cannot be.`,
      `give a delta above 0, up to ${formatNumber(1 - baseline)}.`,
    );
  }
  checkAlpha(alpha);
  checkTarget(power, alpha);
  if (ACCURACY_TESTS[test] === undefined)
    throw fault(`\`test: ${test}\`: no such test.`, `choose one of ${Object.keys(ACCURACY_TESTS).join(", ")}.`);
}

function displayNoPrior({ n, baseline, delta, target, alpha, test, rows }: FieldsOf<NoPriorResult>): Display {
  const given = delta !== undefined;
  return {
    title: "Power without prior knowledge of agreement",
    summary: [
      `n = ${formatNumber(n, "integer")}, baseline ${formatNumber(baseline)}, α = ${formatNumber(alpha)}, ${test}` +
        (given ? `, difference ${formatNumber(delta)}.` : "."),
    ],
    tables: [
      {
        head: ["bound", "disagreement", "MDE", "MDE, exact test", ...(given ? ["power", "n needed"] : [])],
        rows: rows.map((row) => [
          row.bound,
          row.disagreement,
          row.mde,
          row.mdeExact,
          ...(given ? [row.power, Math.ceil(row.size)] : []),
        ]),
      },
    ],
    notes: [
      "Lower: the new system is right wherever the baseline is. Upper: the two differ as much as their accuracies allow. Middle: half way.",
      `MDE: smallest difference with a power of ${formatNumber(target)}, by Lachenbruch's formula and by the exact power of the test.`,
      `The disagreement shown is the one at ${given ? "the difference given" : "the exact test's MDE"}. Any knowledge of agreement (\`planFromDev\`, \`planFromHistory\`) narrows these bounds.`,
    ],
  };
}
