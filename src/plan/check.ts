/** What a plan can see: its power for the smallest effect that it names, with its test, items, clusters and looks.
 *    0/1 scores     McNemar's mid-p test unless `test` names another of its forms, from the agreement, or the baseline where only that is known
 *    other scores   paired t from the standard deviation of differences, with the design effect of clusters
 *    looks          drift = z_(1-α/2) + z_power of the same test without looks; power of the bounds at that drift */

import { checkMargin, SHARE_BOUNDS } from "../metrics/range.ts";
import { normalQuantile, normalQuantileUpper } from "../numeric/dist/normal.ts";
import { findRoot } from "../numeric/optim/brent.ts";
import { makeRng, type Rng } from "../numeric/rng.ts";
import { accuracyFamily } from "../power/scenarios/accuracy.ts";
import { meansFamily } from "../power/scenarios/means.ts";
import { computePower } from "../power/solve/solve.ts";
import { adjustmentName } from "../result/adjustment.ts";
import { note, warning } from "../result/diagnostic.ts";
import type { Display } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { formatNumber } from "../result/number-format.ts";
import { present } from "../result/present.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import { parseSpending } from "../significance/sequential/boundaries.ts";
import { futilityBounds } from "../significance/sequential/futility.ts";
import { designLooks } from "../significance/sequential/looks.ts";
import { adjustmentOf, type EvaluationPlan, hashPlan, lookItems, type PlanLock, pairsOf } from "./plan.ts";
import { describePlan, preregistration } from "./sentences.ts";
import {
  followingStudies,
  levelOfPair,
  missingSpread,
  type PlannedScenario,
  type SimulatedStudies,
  scenarioOf,
  simulateStudies,
} from "./study.ts";

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
  /** Where people rate. */
  readonly study?: PlannedStudy;
  /** What a preregistration says, in sentences. */
  readonly preregistration: readonly string[];
}

/** Of a plan with raters. */
export interface PlannedStudy {
  readonly scenario: PlannedScenario;
  /** Ratings in all, and of a rater at most. */
  readonly total: number;
  readonly perRater: number;
  /** Pairs, and how their p values are adjusted. */
  readonly pairs: number;
  readonly adjust: string;
  /** Simulated studies; absent where none were. */
  readonly settings?: readonly ({ readonly name: "low" | "middle" | "high" } & SimulatedStudies)[];
  /** Raters with which the plan would find the smallest effect, items as planned. */
  readonly raters?: number;
}

export type PlanJson = JsonOf<PlanResult>;

export interface CheckPlanOptions {
  /** Of a plan with raters: simulated studies; default none, and no power. */
  readonly studies?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export function checkPlan(plan: EvaluationPlan, lock?: PlanLock, options: CheckPlanOptions = {}): PlanResult {
  return makeResult(
    "plan",
    plan.ratings === undefined ? fieldsOf(plan, lock) : ratedFields(plan, lock, options),
    display,
  );
}

/** The plan in sentences, with what it can see. */
export function showPlan(plan: EvaluationPlan, lock?: PlanLock): PlanResult {
  const own = plan.ratings === undefined ? fieldsOf(plan, lock) : ratedFields(plan, lock, {});
  return makeResult("plan", own, (fields) => {
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
    preregistration: preregistration(plan),
    ...present({ looks }),
    signature: { method: "plan", version: GOSSET_VERSION, options: {}, data: hash },
    diagnostics: tellPlan(plan, { power, lock, hash }),
  };
}

/** Enough that 80 % are known to within 4 points. */
export const USUAL_STUDIES = 400;

function ratedFields(plan: EvaluationPlan, lock: PlanLock | undefined, { studies, rng, onProgress }: CheckPlanOptions) {
  const hash = hashPlan(plan);
  const missing = missingSpread(plan);
  const { ratings, items, systems, expected, smallestEffect } = plan;
  const { raters, perItem, design } = ratings!;
  const total = systems.length * items * perItem;
  const each = design === "lists" ? Math.ceil(total / raters) : systems.length * Math.ceil((items * perItem) / raters);
  const names = (["low", "middle", "high"] as const).filter(
    (name) => name === "middle" || expected[name] !== undefined,
  );
  const settings =
    studies === undefined || missing.length > 0
      ? undefined
      : names.map((name, k) => ({
          name,
          ...simulateStudies(plan, {
            ...{ studies, rng: (rng ?? makeRng("1")).stream(k) },
            spread: name === "middle" ? undefined : expected[name],
            onStudy: (done) => onProgress?.(k * studies + done, names.length * studies),
          }),
        }));
  const middle = settings?.find(({ name }) => name === "middle");
  const at = middle === undefined ? undefined : followingStudies(plan, middle);
  const own = { items, raters };
  const power = middle?.power ?? Number.NaN;
  return {
    ...{ hash, locked: lock !== undefined && lock.hash === hash, plan, power },
    preregistration: preregistration(plan),
    mde: at === undefined ? Number.NaN : smallestSeen(plan, (effect) => at(effect, own)),
    needed: at === undefined ? Number.NaN : itemsNeeded(plan, (effect, n) => at(effect, { items: n, raters })),
    study: {
      ...{ scenario: scenarioOf(plan), total, perRater: each, pairs: pairsOf(plan), adjust: adjustmentOf(plan) },
      ...present({ settings }),
      ...(at === undefined
        ? {}
        : { raters: fewest((n) => at(smallestEffect, { items, raters: n }) >= plan.power, raters, MOST_RATERS) }),
    },
    signature: {
      method: "plan",
      version: GOSSET_VERSION,
      options: studies === undefined ? {} : { studies },
      data: hash,
      ...(settings === undefined || rng === undefined ? {} : { seed: rng.seed }),
    },
    diagnostics: [...tellSpread(missing, studies), ...tellPlan(plan, { power, lock, hash, known: true })],
  };
}

const MOST_RATERS = 10_000;

function tellSpread(missing: readonly string[], studies: number | undefined): Diagnostic[] {
  if (missing.length > 0)
    return [
      warning(
        "PowerUnknown",
        `the power is unknown without ${missing.map((name) => `expected.${name}`).join(", ")}.`,
        "Give them, or expected.setting, or estimate them from a pilot: gosset plan new --pilot ratings.csv.",
      ),
    ];
  return studies === undefined ? [note("NotSimulated", "the power of ratings is simulated by `plan check`.", "")] : [];
}

type PowerAt = (effect: number, items: number) => number;

/** undefined where the plan does not say enough. */
function powerOf(plan: EvaluationPlan): PowerAt | undefined {
  const { expected, test, repeats, margin, rater } = plan;
  // how many raters there are decides more than the items do
  if (rater !== undefined) return undefined;
  const alpha = levelOfPair(plan, Number.POSITIVE_INFINITY);
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

function itemsNeeded({ smallestEffect, power, items, ratings }: EvaluationPlan, powerAt: PowerAt): number {
  return fewest((n) => powerAt(smallestEffect, n) >= power, items, ratings === undefined ? MOST_ITEMS : MOST_RATED);
}

/** Nobody has more rated by hand. */
const MOST_RATED = 100_000;

/** From 2 on; Infinity where not even `most` is enough. */
function fewest(enough: (n: number) => boolean, start: number, most: number): number {
  let high = start;
  while (!enough(high) && high < most) high *= 2;
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
  { power, lock, hash, known = false }: { power: number; lock: PlanLock | undefined; hash: string; known?: boolean },
): Diagnostic[] {
  return [
    ...(Number.isNaN(power) && known
      ? []
      : Number.isNaN(power) && plan.rater !== undefined
        ? [
            warning(
              "PowerUnknown",
              `the plan names raters (${plan.rater}) and does not say how many: items alone do not determine its power.`,
              "Give ratings: { raters: 6 } with expected.setting or standard deviations, or leave rater out.",
            ),
          ]
        : Number.isNaN(power)
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
                  plan.ratings === undefined
                    ? "Plan more items, or accept the lower power."
                    : "Plan more raters or items, or accept the lower power.",
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

/** What the power of a plan without raters rests on. */
function expectation({
  systems,
  expected: { agreement, baseline, sd, clusterSize = 1, icc = 0 },
}: EvaluationPlan): string {
  if (sd !== undefined) {
    const clusters =
      clusterSize > 1 ? `, in clusters of ${clusterSize} with intraclass correlation ${formatNumber(icc)}` : "";
    return `the items' differences have a standard deviation of ${formatNumber(sd)}${clusters}`;
  }
  if (agreement !== undefined) return `two systems agree on ${formatNumber(100 * agreement)} % of the items`;
  return `${systems[0]} is right on ${formatNumber(100 * baseline!)} % of the items`;
}

/** What "sd" and points are, of the smallest effect. */
const unitOf = ({ scenario }: PlannedStudy): string => (scenario === "ordinal" ? " SDs of the latent scale" : "");

function foundSentence(plan: EvaluationPlan, study: PlannedStudy, needed: number): string {
  const { power, se, studies } = study.settings!.find(({ name }) => name === "middle")!;
  const margin = 1.96 * se;
  const more = [
    ...(Number.isFinite(needed) ? [`about ${needed} items`] : []),
    ...(Number.isFinite(study.raters!) ? [`about ${study.raters} raters`] : []),
  ];
  const takes =
    more.length === 0
      ? "neither more items nor more raters alone reach it"
      : `${more.join(" or ")} ${more.length === 1 ? "have" : "alone have"} it`;
  return `Power ${percent(power)} (± ${(100 * margin).toFixed(1)}, ${studies} simulated studies) for a true difference of ${formatNumber(plan.smallestEffect)}${unitOf(study)}; of ${percent(plan.power)}: ${takes}.`;
}

function studyTables(study: PlannedStudy | undefined): Display["tables"] {
  const settings = study?.settings ?? [];
  if (settings.length < 2) return [];
  return [
    {
      head: ["standard deviations", "power", "± SE", "no verdict"],
      formats: ["text", "percent", "percent", "integer"],
      rows: settings.map(({ name, power, se, failed }) => [name, power, se, failed]),
    },
  ];
}

function studyNotes(plan: EvaluationPlan, study: PlannedStudy | undefined): string[] {
  if (study === undefined) return [];
  const { raters, perItem, design } = plan.ratings!;
  const several =
    plan.systems.length > 2
      ? [
          `${study.pairs} pairs (${plan.pairs === "baseline" ? `each system against ${plan.systems[0]}` : "all"}), p adjusted by ${adjustmentName(study.adjust)}. In the simulation ${plan.systems.at(-1)} differs from all others by the smallest effect, and its pair with ${plan.systems[0]} counts.`,
        ]
      : [];
  return [
    `${raters} raters, ${perItem} ratings of each item under each system (${design}), ${study.total} ratings in all, at most ${study.perRater} by one rater.`,
    ...several,
    ...(study.settings === undefined
      ? []
      : ["Each simulated study has lists of its own and goes through `compare` with the options of the plan."]),
  ];
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
  study,
}: Pick<PlanResult, "plan" | "hash" | "locked" | "power" | "mde" | "needed" | "looks" | "study">): Display {
  const [baseline, ...others] = plan.systems;
  const what = `${others.join(", ")} against ${baseline} by ${plan.metric} on ${plan.items} items`;
  const seen = Number.isNaN(power)
    ? []
    : [
        study === undefined
          ? `Power for a true difference of ${formatNumber(plan.smallestEffect)}, if ${expectation(plan)}: ${percent(power)}. ${percent(plan.power)} power takes ${Number.isFinite(needed) ? `${needed.toLocaleString("en")} items` : `more than ${MOST_ITEMS.toLocaleString("en")} items, which is out of reach`}${looks === undefined ? "" : " in one look"}.`
          : foundSentence(plan, study, needed),
        Number.isFinite(mde)
          ? `The minimum detectable effect (${percent(plan.power)} power${looks === undefined ? "" : " in one look"}) is ${formatNumber(Number(mde.toPrecision(3)))}.`
          : "No difference of this kind has the target power.",
      ];
  return {
    title: `Plan: ${what}`,
    summary: [...seen, `${locked ? "Locked" : "Draft, not locked yet"}: ${hash.slice(0, 16)}…`],
    tables:
      looks === undefined
        ? studyTables(study)
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
      ...studyNotes(plan, study),
      `α ${plan.alpha}${plan.test === undefined ? "" : `, ${plan.test}`}${plan.margin === undefined ? "" : `, margin ${plan.margin}`}${study === undefined ? `, ${plan.repeats} run${plan.repeats === 1 ? "" : "s"} of each item` : ""}.`,
    ],
  };
}
