/** What a plan can see: its power for the smallest effect that it names, with its test, items, clusters and looks.
 *    0/1 scores     McNemar's exact test, from the agreement, or the baseline where only that is known
 *    other scores   paired t from the standard deviation of differences, with the design effect of clusters
 *    looks          drift = z_(1-α/2) + z_power of the same test without looks; power of the bounds at that drift */

import { checkMargin, SHARE_BOUNDS } from "../metrics/range.ts";
import { normalQuantile, normalQuantileUpper } from "../numeric/dist/normal.ts";
import { findRoot } from "../numeric/optim/brent.ts";
import { accuracyFamily } from "../power/scenarios/accuracy.ts";
import { meansFamily } from "../power/scenarios/means.ts";
import { computePower } from "../power/solve/solve.ts";
import { note, warning } from "../result/diagnostic.ts";
import type { Display } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { formatNumber } from "../result/number-format.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import { parseSpending } from "../significance/sequential/boundaries.ts";
import { futilityBounds } from "../significance/sequential/futility.ts";
import { designLooks } from "../significance/sequential/looks.ts";
import { type EvaluationPlan, hashPlan, lookItems, type PlanLock } from "./plan.ts";
import { describePlan } from "./sentences.ts";

export interface PlanResult extends Result<"plan"> {
  readonly hash: string;
  /** Whether the lock is that of this plan; undefined without a lock. */
  readonly locked: boolean;
  readonly plan: EvaluationPlan;
  /** Of finding the smallest effect; NaN where the plan does not say what to expect. */
  readonly power: number;
  /** The smallest difference that it finds with the wanted power. */
  readonly mde: number;
  /** Items with which it would find the smallest effect. */
  readonly needed: number;
  /** Where the plan has looks: power until each. */
  readonly looks?: {
    readonly at: readonly number[];
    readonly p: readonly number[];
    readonly power: readonly number[];
    /** Where the plan gives up: |z| below which a look does, power until each look if it always does, and the chance of giving up by then
     *  if the effect is as planned and if there is none. */
    readonly futility?: {
      readonly z: readonly number[];
      readonly power: readonly number[];
      readonly stoppedEffect: readonly number[];
      readonly stoppedNone: readonly number[];
    };
  };
}

export type PlanJson = JsonOf<PlanResult>;

export function checkPlan(plan: EvaluationPlan, lock?: PlanLock): PlanResult {
  return makeResult("plan", fieldsOf(plan, lock), display);
}

/** The plan in sentences, with what it can see. */
export function showPlan(plan: EvaluationPlan, lock?: PlanLock): PlanResult {
  return makeResult("plan", fieldsOf(plan, lock), (fields) => {
    const checked = display(fields);
    return { ...checked, summary: [...describePlan(plan), ...(checked.summary ?? [])], notes: [] };
  });
}

function fieldsOf(plan: EvaluationPlan, lock: PlanLock | undefined) {
  const powerAt = powerOf(plan);
  const hash = hashPlan(plan);
  const fixed = powerAt?.(plan.smallestEffect, plan.items) ?? Number.NaN;
  const looks = plan.looks === undefined || powerAt === undefined ? undefined : withLooks(plan, fixed);
  const power = looks?.power.at(-1) ?? fixed;
  const mde = powerAt === undefined ? Number.NaN : smallestSeen(plan, powerAt);
  const needed = powerAt === undefined ? Number.NaN : itemsNeeded(plan, powerAt);
  return {
    ...{ hash, locked: lock !== undefined && lock.hash === hash, plan, power, mde, needed },
    ...(looks === undefined ? {} : { looks }),
    signature: { method: "plan", version: GOSSET_VERSION, options: {}, data: hash },
    diagnostics: tellPlan(plan, { power, lock, hash }),
  };
}

type PowerAt = (effect: number, items: number) => number;

/** undefined where the plan does not say enough. */
function powerOf({ expected, alpha, test, repeats, margin }: EvaluationPlan): PowerAt | undefined {
  const { baseline, agreement, sd, clusterSize = 1, icc = 0 } = expected;
  if (sd !== undefined) {
    const clusters = clusterSize > 1 ? { clusterSize, icc } : {};
    return (delta, n) => {
      const whole = Math.max(clusterSize, n - (n % clusterSize));
      return computePower(meansFamily, { n: whole, delta, sd, alpha, ...clusters }).power;
    };
  }
  if (agreement === undefined && baseline === undefined) return undefined;
  checkMargin(margin, SHARE_BOUNDS);
  if (clusterSize > 1 || repeats > 1)
    throw new StatError(
      "BadPlan",
      "right and wrong answers in clusters, or repeated, need the standard deviation of the items' differences.",
      "Give expected.sd instead of agreement.",
    );
  const known = agreement === undefined ? { baseline } : { agreement };
  const own = test?.startsWith("mcnemar") ? { test } : { test: "mcnemar-midp" };
  return (delta, n) => computePower(accuracyFamily, { n, delta, alpha, ...known, ...own }).power;
}

function withLooks({ looks, alpha }: EvaluationPlan, fixed: number): NonNullable<PlanResult["looks"]> {
  const drift = normalQuantileUpper(alpha / 2) + normalQuantile(Math.min(0.9999999, Math.max(1e-7, fixed)));
  const { power, p } = designLooks({ information: looks!.at, spending: looks!.spending, alpha, drift });
  const own = { at: looks!.at, p, power: power! };
  if (looks!.futility === undefined) return own;
  const { z, ...rest } = futilityBounds({
    ...{ information: looks!.at, spending: parseSpending(looks!.spending), alpha, sides: 2, drift },
    least: looks!.futility,
  });
  const { power: obeyed, stoppedEffect, stoppedNone } = rest;
  return { ...own, futility: { z, power: obeyed, stoppedEffect, stoppedNone } };
}

/** Differences up to this many times the smallest effect are looked at. */
const WIDEST = 64;

function smallestSeen({ smallestEffect, items, power }: EvaluationPlan, powerAt: PowerAt): number {
  const gap = (effect: number): number => {
    try {
      return powerAt(effect, items) - power;
    } catch (error) {
      // a difference that the agreement leaves no room for
      if (error instanceof StatError) return 1 - power;
      throw error;
    }
  };
  let high = smallestEffect;
  while (gap(high) < 0 && high < WIDEST * smallestEffect) high *= 1.5;
  if (gap(high) < 0) return Number.POSITIVE_INFINITY;
  let low = high;
  while (gap(low) > 0 && low > smallestEffect / WIDEST) low /= 1.5;
  return findRoot(gap, low, high, { tolerance: 1e-6 * smallestEffect }).root;
}

const MOST_ITEMS = 10_000_000;

function itemsNeeded({ smallestEffect, power, items }: EvaluationPlan, powerAt: PowerAt): number {
  const enough = (n: number): boolean => powerAt(smallestEffect, n) >= power;
  let high = items;
  while (!enough(high) && high < MOST_ITEMS) high *= 2;
  if (!enough(high)) return Number.POSITIVE_INFINITY;
  let low = 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function tellPlan(
  plan: EvaluationPlan,
  { power, lock, hash }: { power: number; lock: PlanLock | undefined; hash: string },
): Diagnostic[] {
  return [
    ...(Number.isNaN(power)
      ? [
          warning(
            "PowerUnknown",
            "the plan has no expected values, so its power is unknown.",
            "Give expected.agreement or expected.baseline (0/1 scores), or expected.sd.",
          ),
        ]
      : power < plan.power
        ? [
            warning(
              "Underpowered",
              `the power for the smallest effect is ${percent(power)}, below the target of ${percent(plan.power)}.`,
              "Plan more items, or a larger smallest effect.",
            ),
          ]
        : []),
    ...(plan.margin !== undefined && plan.margin > plan.smallestEffect
      ? [
          warning(
            "MarginAboveEffect",
            `a margin of ${plan.margin} says that the smallest effect, ${plan.smallestEffect}, does not matter.`,
            "Make the margin smaller.",
          ),
        ]
      : []),
    ...(lock !== undefined && lock.hash !== hash
      ? [
          warning(
            "PlanChanged",
            "the plan was changed after it was locked.",
            "Lock it again before there are results, or report the change with them.",
          ),
        ]
      : []),
    ...(plan.unscored === undefined
      ? [
          note(
            "NoMissingRule",
            "the plan has no rule for missing outcomes: a verdict that they could overturn will be inconclusive.",
            "Set unscored: bounds, complete or wrong.",
          ),
        ]
      : []),
  ];
}

/** Cells of the columns of futility; empty where a look never gives up. */
function giveUp({ futility }: NonNullable<PlanResult["looks"]>, k: number): (number | string)[] {
  if (futility === undefined) return [];
  const z = futility.z[k];
  return [z === undefined || z === Number.NEGATIVE_INFINITY ? "" : z, futility.stoppedNone[k] ?? ""];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function display({
  plan,
  hash,
  locked,
  power,
  mde,
  needed,
  looks,
}: Pick<PlanResult, "plan" | "hash" | "locked" | "power" | "mde" | "needed" | "looks">): Display {
  const [baseline, ...others] = plan.systems;
  const what = `${others.join(", ")} against ${baseline} by ${plan.metric} on ${plan.items} items`;
  const seen = Number.isNaN(power)
    ? []
    : [
        `Power for a true difference of ${formatNumber(plan.smallestEffect)}: ${percent(power)}. ${percent(plan.power)} power takes ${Number.isFinite(needed) ? `${needed.toLocaleString("en")} items` : `more than ${MOST_ITEMS.toLocaleString("en")} items, which is out of reach`}${looks === undefined ? "" : " in one look"}.`,
        Number.isFinite(mde)
          ? `The minimum detectable effect (${percent(plan.power)} power${looks === undefined ? "" : " in one look"}) is ${formatNumber(Number(mde.toPrecision(3)))}.`
          : "No difference of this kind has the target power.",
      ];
  return {
    title: `Plan: ${what}`,
    summary: [...seen, `${locked ? "Locked" : "Not locked"}: ${hash.slice(0, 16)}…`],
    tables:
      looks === undefined
        ? []
        : [
            {
              head: [
                ...["look", "items", "p to stop", "power so far"],
                ...(looks.futility === undefined ? [] : ["|z| to give up", "given up if no effect"]),
              ],
              formats: ["integer", "integer", "p", "percent", "statistic", "percent"],
              rows: looks.at.map((_, k) => [
                ...[k + 1, lookItems(plan)[k]!, looks.p[k]!, looks.power[k]!],
                ...giveUp(looks, k),
              ]),
            },
          ],
    notes: [
      `α ${plan.alpha}${plan.test === undefined ? "" : `, ${plan.test}`}${plan.margin === undefined ? "" : `, margin ${plan.margin}`}, ${plan.repeats} run${plan.repeats === 1 ? "" : "s"} of each item.`,
    ],
  };
}
