/** Were claimed improvements to be expected? Each claim's size is predicted from the other claims (difference ~ baseline + task, the claim
 *  itself left out), the agreement from the regression, and from both the power that a careful author would have planned with; beside it
 *  the p value that the reported accuracies imply (continuity-corrected McNemar on the whole part of the implied table).
 *  Left out: claims of no improvement, and those whose predicted difference is not positive or larger than the predicted disagreement.
 *  Reference: Card et al. (2020), EMNLP, section 3.3, Table 10 and Fig. 14; App. E.
 *  Oracle:    oracle/papers/card2020.json, table-10 and figure-14 (R) — 1e-9.
 *  Limits:    the paper tabulates the share with power below .8 as "% powered", and its leave-one-out drops another row than the claim;
 *             `leaveOut: "published"` repeats the second for comparison. */

import type { Table } from "../../data/table.ts";
import { asFactor, asNumeric, column, makeTable, numericColumn, selectRows } from "../../data/table.ts";
import { predictFixed } from "../../models/glm/predict.ts";
import { mcnemarP } from "../../significance/tests/mcnemar.ts";
import { approximateDiscordant } from "../normal-figures.ts";
import { USUAL_POWER } from "../result.ts";
import { type OverlapRegression, predictOverlap } from "../scenarios/accuracy-overlap.ts";
import { type BenchmarkMde, benchmarkMde } from "./benchmarks.ts";
import { fitEffectHistory, type HistoryColumns } from "./history.ts";

/** A table of comparisons in percent: all of them, with those rows that are claims. */
export interface ClaimsInput {
  readonly table: Table;
  readonly columns: HistoryColumns & { readonly task: string };
  /** Rows of the table that claim an improvement over the state of the art. */
  readonly claims: Int32Array;
  /** Test items by task. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly overlap: OverlapRegression;
}

export interface ClaimPower {
  readonly row: number;
  readonly task: string;
  /** Percentage points. */
  readonly predicted: number;
  readonly observed: number;
  readonly power: number;
  readonly p: number;
}

export interface ClaimsSummary {
  readonly claims: readonly ClaimPower[];
  /** Shares of the claims. */
  readonly powered: number;
  readonly significant: number;
  readonly significantAndPowered: number;
}

export function judgeClaims(input: ClaimsInput, leaveOut: "claim" | "published" = "claim"): ClaimsSummary {
  const { table, columns, claims, sizes, overlap } = input;
  const { before, after, tasks } = readClaims(table, columns);
  const judged: ClaimPower[] = [];
  claims.forEach((row, i) => {
    const dropped = leaveOut === "claim" ? row : i;
    const rest = selectRows(
      table,
      claims.filter((other) => other !== dropped),
    );
    const task = tasks.levels[tasks.codes[row]!]!;
    const n = sizes.get(task)!;
    const predicted = predictGain(rest, columns, { baseline: before[row]!, task });
    const disagree = (delta: number): number => 1 - predictOverlap(overlap, before[row]! / 100, delta);
    const power = plannedPower(n, predicted / 100, { disagreement: disagree(predicted / 100) });
    const observed = after[row]! - before[row]!;
    if (Number.isNaN(power) || !(observed > 0)) return;
    judged.push({
      row,
      task,
      predicted,
      observed,
      power,
      p: impliedP(n, observed / 100, disagree(observed / 100)),
    });
  });
  const share = (is: (claim: ClaimPower) => boolean): number => judged.filter(is).length / judged.length;
  const isPowered = ({ power }: ClaimPower): boolean => power >= USUAL_POWER;
  const isSignificant = ({ p }: ClaimPower): boolean => p < 0.05;
  return {
    claims: judged,
    powered: share(isPowered),
    significant: share(isSignificant),
    significantAndPowered: share((claim) => isPowered(claim) && isSignificant(claim)),
  };
}

function readClaims(table: Table, columns: ClaimsInput["columns"]) {
  return {
    before: asNumeric(column(table, columns.baseline), columns.baseline).values,
    after: asNumeric(column(table, columns.candidate), columns.candidate).values,
    tasks: asFactor(column(table, columns.task)),
  };
}

/** What the other claims would have led one to expect, in the units of the table; NaN where none is on the same task. */
export function predictGain(
  rest: Table,
  columns: HistoryColumns,
  { baseline, task }: { readonly baseline: number; readonly task?: string | undefined },
): number {
  const fit = fitEffectHistory(rest, columns);
  const at = numericColumn([baseline]);
  if (columns.task === undefined) return predictFixed(fit, makeTable([["baseline", at]])).value[0]!;
  const learned = fit.design.schema.columns.get("task");
  const levels = learned?.kind === "factor" ? learned.levels : [];
  const code = levels.indexOf(task ?? "");
  // the only claim on its task: nothing to predict from
  if (code < 0) return Number.NaN;
  const factor = { kind: "factor" as const, codes: Int32Array.of(code), levels, ordered: false };
  return predictFixed(
    fit,
    makeTable([
      ["baseline", at],
      ["task", factor],
    ]),
  ).value[0]!;
}

/** NaN where the difference is not one that could be planned for: none, or more than the disagreement. */
export function plannedPower(
  n: number,
  delta: number,
  { disagreement: d, alpha = 0.05 }: { readonly disagreement: number; readonly alpha?: number },
): number {
  if (!(delta > 0) || !(d > delta)) return Number.NaN;
  return approximateDiscordant({ n, win: (d + delta) / 2, lose: (d - delta) / 2 }, { alpha, twoSided: true }).power;
}

export function impliedP(n: number, delta: number, disagreement: number): number {
  const wins = Math.trunc((n * (disagreement + delta)) / 2);
  const losses = Math.max(0, Math.trunc((n * (disagreement - delta)) / 2));
  return mcnemarP(wins, losses, { method: "corrected" });
}

/** A positive claim beside the smallest differences that its test set shows with 80 % power, by kind; all as shares. */
export interface ClaimLimits {
  readonly gain: number;
  readonly limits: Readonly<Record<string, number>>;
}

export function claimLimits(input: ClaimsInput, tests: readonly string[]): ClaimLimits[] {
  const { table, columns, claims, sizes, overlap } = input;
  const { before, after, tasks } = readClaims(table, columns);
  const sizeOf = (row: number): number => sizes.get(tasks.levels[tasks.codes[row]!]!)!;
  // by task, whose claims share one critical region
  const positive = claims.filter((row) => after[row]! - before[row]! > 0).sort((a, b) => sizeOf(a) - sizeOf(b));
  const known = new Map<string, BenchmarkMde>();
  return Array.from(positive, (row) => {
    const n = sizeOf(row);
    const baseline = before[row]! / 100;
    const key = `${n} ${baseline}`;
    const mde = known.get(key) ?? benchmarkMde({ n, baseline, overlap }, { tests });
    known.set(key, mde);
    return {
      gain: (after[row]! - before[row]!) / 100,
      limits: { binomial: mde.binomial, ...mde.lachenbruch, ...mde.regression },
    };
  });
}

/** Shares of positive claims that reach the minimum detectable difference at 80 % power of each kind. */
export function claimsReachingMde(input: ClaimsInput, tests: readonly string[]): Record<string, number> {
  const all = claimLimits(input, tests);
  const kinds = Object.keys(all[0]?.limits ?? {});
  const share = (kind: string): number => all.filter(({ gain, limits }) => gain >= limits[kind]!).length / all.length;
  return Object.fromEntries(kinds.map((kind) => [kind, share(kind)]));
}
