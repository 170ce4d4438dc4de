/** A comparison as it was planned: the plan's options, every deviation from it, and at a planned look p and estimate that know of the looks.
 *    z of a look       the normal quantile of the two-sided p that the verdict goes by, with the sign of the difference
 *    estimate          median-unbiased drift · se_k √t_k: drift is in standard errors of the last look
 *    se of a look      that of the items; where runs or other facets decide too, or p is adjusted, |difference| / z, so that all rests on one p
 *  Reference: Jennison & Turnbull (2000), chapter 8; significance/sequential/stopped.ts. */

import type { Table } from "../data/table.ts";
import { normalQuantileUpper } from "../numeric/dist/normal.ts";
import { note, warning } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import { formatNumber } from "../result/number-format.ts";
import { listNames } from "../result/quote.ts";
import { addToResult, type Diagnostic } from "../result/result.ts";
import { isOpen } from "../result/verdict.ts";
import { type CompareInput, compare } from "../significance/compare/compare.ts";
import type { ComparedPair, CompareOptions, Comparison } from "../significance/compare/comparison.ts";
import type { PlannedLook } from "../significance/compare/json.ts";
import { parseSpending } from "../significance/sequential/boundaries.ts";
import { conditionalPower } from "../significance/sequential/futility.ts";
import { designLooks } from "../significance/sequential/looks.ts";
import { judgeStopped } from "../significance/sequential/stopped.ts";
import { isOfJudge } from "../study/lexicon/circumstances.ts";
import type { DifferingSetting } from "../study/settings.ts";
import { type FilledLists, readFilled } from "./filled.ts";
import { type EvaluationPlan, hashPlan, lookItems, type PlanLock, planOptions } from "./plan.ts";

export interface PlannedOptions extends CompareOptions {
  readonly plan: EvaluationPlan;
  readonly lock?: PlanLock | undefined;
  /** Which of the planned looks this is, from 1. */
  readonly look?: number | undefined;
  /** The lists of raters that `listRatings` made, where the filled ones hide the systems. */
  readonly key?: Table | undefined;
}

/** `compare` with the options of the plan; what the caller gives beside it stands and is listed. */
export function followPlan(given: CompareInput, options: PlannedOptions): Comparison {
  const { key: _key, ...rest } = options;
  const filled = filledOf(given, options);
  if (filled === undefined) return followRows(given, rest);
  const result = followRows(filled.table, rest, filled.deviations);
  return addToResult(result, { diagnostics: filled.notes.map((text) => note("AsPlanned", `${text}.`, "")) });
}

/** Of a plan with raters: the ratings of its lists, in a table as they are or with a key. */
function filledOf(data: CompareInput, { plan, key }: PlannedOptions): FilledLists | undefined {
  const isTable = "columns" in data && "rows" in data;
  if (plan.ratings === undefined || !isTable) {
    if (key === undefined) return undefined;
    throw new StatError("BadOption", "option `key` is for a plan with ratings.", "Leave it out.");
  }
  return readFilled(plan, data as Table, key);
}

function followRows(data: CompareInput, options: PlannedOptions, found: readonly string[] = []): Comparison {
  const { plan, lock, look, ...given } = options;
  const planned = planOptions(plan);
  const own = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
  const bound = boundOf(plan, look);
  // before the last look the items to come are no missing outcomes
  const unfinished = look !== undefined && look < lookItems(plan).length;
  const result = compare(data, { unfinished, ...planned, ...own, ...(bound === undefined ? {} : { alpha: bound }) });
  const deviations = [
    ...changedOptions(planned, own),
    ...changedPlan(plan, lock),
    ...changedItems(plan, lock, { result, look }),
    ...changedRuns(plan, result),
    ...changedLooks(plan, { result, look }),
    ...found,
  ];
  const at = look === undefined ? undefined : judgeLook(plan, look, result);
  return addToResult(result, {
    published: {
      plan: {
        hash: hashPlan(plan),
        locked: lock !== undefined && lock.hash === hashPlan(plan),
        deviations,
        look: at,
      },
    },
    diagnostics: [
      ...deviations.map((text) =>
        warning("PlanDeviation", `not as planned: ${text}.`, "Report the deviation with the result."),
      ),
      ...tellFollowed(plan, { lock, deviations }),
      ...tellLook(at, result),
      ...(at === undefined ? [] : tellFacets(result)),
    ],
  });
}

/** The p that the look must stay below, against which the verdict is held. */
function boundOf({ looks, alpha }: EvaluationPlan, look: number | undefined): number | undefined {
  if (look === undefined || looks === undefined) return undefined;
  return designLooks({ information: looks.at, spending: looks.spending, alpha }).p[look - 1];
}

const NAMES: Partial<Record<keyof CompareOptions, string>> = { adjust: "correction", higherIsBetter: "direction" };

function changedOptions(planned: CompareOptions, given: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(planned).flatMap(([name, value]) => {
    const own = given[name];
    if (own === undefined || JSON.stringify(own) === JSON.stringify(value)) return [];
    const told = value === undefined ? "none was planned" : `planned was ${String(value)}`;
    return [`${NAMES[name as keyof CompareOptions] ?? name} ${String(own)}, ${told}`];
  });
}

function changedPlan(plan: EvaluationPlan, lock: PlanLock | undefined): string[] {
  return lock === undefined || lock.hash === hashPlan(plan) ? [] : ["the plan was changed after it was locked"];
}

interface Compared {
  readonly result: Comparison;
  readonly look?: number | undefined;
}

const MOST_NAMED = 5;

function changedItems(plan: EvaluationPlan, lock: PlanLock | undefined, { result, look }: Compared): string[] {
  const wanted =
    look === undefined || plan.looks === undefined ? plan.items : (lookItems(plan)[look - 1] ?? plan.items);
  const counted =
    result.n === wanted
      ? []
      : [`${result.n} items, planned were ${wanted}${look === undefined ? "" : ` at look ${look}`}`];
  const items = result.items?.[0]?.items;
  if (lock?.items === undefined || items === undefined) return counted;
  const known = new Set(lock.items);
  const met = new Set(items.map(String));
  const added = [...met].filter((id) => !known.has(id));
  const missing = look === undefined ? lock.items.filter((id) => !met.has(id)) : [];
  return [
    ...counted,
    ...(added.length === 0
      ? []
      : [`${added.length} items are not in the locked list (${listNames(added, MOST_NAMED)})`]),
    ...(missing.length === 0
      ? []
      : [`${missing.length} items of the locked list are missing (${listNames(missing, MOST_NAMED)})`]),
  ];
}

function changedRuns(plan: EvaluationPlan, result: Comparison): string[] {
  const runs = result.repeated.find(({ facet }) => facet === "runs")?.levels ?? 1;
  const averaged = result.diagnostics.find(({ code }) => code === "RepeatsAveraged");
  const repeats =
    runs !== plan.repeats && !(averaged !== undefined && plan.repeats > 1)
      ? [`${runs} runs of each item, planned ${plan.repeats === 1 ? "was 1" : `were ${plan.repeats}`}`]
      : [];
  const { settings = [] } = result.toJSON() as { readonly settings?: readonly DifferingSetting[] };
  const judged = settings.filter(({ name }) => isOfJudge(name));
  const differ = judged.map(
    ({ name, values }) =>
      `${name} differs between the systems (${Object.entries(values)
        .map(([system, value]) => `${system} ${value}`)
        .join(", ")})`,
  );
  const other = Object.entries(plan.judge ?? {}).flatMap(([name, value]) => {
    const found = settings.find((own) => own.name === name || own.name === `judge_${name}`);
    const seen = found === undefined ? [] : [...new Set(Object.values(found.values))].filter((own) => own !== value);
    return seen.length === 0 ? [] : [`judge ${name} ${seen.join(" and ")}, planned was ${value}`];
  });
  return [...repeats, ...differ, ...other];
}

function changedLooks(plan: EvaluationPlan, { result, look }: Compared): string[] {
  if (look === undefined) {
    if (result.n >= plan.items) return [];
    return plan.looks === undefined
      ? ["a look before all items are there, and no looks were planned"]
      : ["a look that is not named, at fewer items than planned"];
  }
  if (plan.looks === undefined) return [`look ${look}, and no looks were planned`];
  return look > plan.looks.at.length ? [`look ${look}, and ${plan.looks.at.length} were planned`] : [];
}

function judgeLook(
  { looks, alpha, smallestEffect }: EvaluationPlan,
  look: number,
  result: Comparison,
): PlannedLook | undefined {
  if (!(Number.isInteger(look) && look >= 1))
    throw new StatError("BadLook", `look ${look}: looks are counted from 1.`, "Give a whole number.");
  if (looks === undefined || look > looks.at.length) return undefined;
  const { main } = result;
  const found = evidenceOf(main);
  if (found === undefined) return undefined;
  const { z, se, shift } = found;
  const stopped = judgeStopped({
    information: looks.at,
    alpha,
    sides: 2,
    spending: parseSpending(looks.spending),
    look,
    z,
  });
  const t = looks.at[look - 1]!;
  const unit = se * Math.sqrt(t);
  const futile =
    looks.futility === undefined || t === 1
      ? undefined
      : conditionalPower({ z: Math.abs(z), t, bound: boundOfLast(looks, alpha), drift: smallestEffect / unit });
  const { estimate, lower, upper } = stopped.drift;
  // one degree of freedom, or rows without a score, leave a verdict open whatever p is
  const rejected = stopped.rejected && !isOpen(main.verdict);
  return {
    look,
    z,
    rejected,
    p: stopped.p,
    estimate: estimate * unit + shift,
    lower: lower * unit + shift,
    upper: upper * unit + shift,
    level: stopped.level,
    ...(futile === undefined ? {} : { conditionalPower: futile, futile: !rejected && futile < looks.futility! }),
    decision:
      rejected || look === looks.at.length || (futile !== undefined && futile < looks.futility!) ? "stop" : "continue",
  };
}

export interface LookEvidence {
  readonly z: number;
  /** What one z is in the unit of the difference. */
  readonly se: number;
  /** difference - z · se, where the test of a facet gives both; 0 for items, whose z by the test and by the standard error differ a little. */
  readonly shift: number;
}

/** z and standard error of a look from the p that decides; undefined where there is none. */
export function evidenceOf({ difference, p, se, ci, test, facets = [] }: ComparedPair): LookEvidence | undefined {
  if (Number.isNaN(p)) return undefined;
  const z = Math.sign(difference) * normalQuantileUpper(Math.max(p, Number.MIN_VALUE) / 2);
  if (facets.length === 0 && p === test.p) return se > 0 ? { z, se, shift: 0 } : undefined;
  // near p = 1 the quotient is of two small numbers: the interval says it better
  const own =
    p <= 0.5 ? Math.abs(difference / z) : (ci.upper - ci.lower) / (2 * normalQuantileUpper((1 - ci.level) / 2));
  return own > 0 && Number.isFinite(own) ? { z, se: own, shift: p <= 0.5 ? 0 : difference - z * own } : undefined;
}

const boundOfLast = ({ at, spending }: NonNullable<EvaluationPlan["looks"]>, alpha: number): number =>
  designLooks({ information: at, spending, alpha }).z.at(-1)!;

function tellFollowed(
  plan: EvaluationPlan,
  { lock, deviations }: { lock: PlanLock | undefined; deviations: readonly string[] },
): Diagnostic[] {
  const hash = hashPlan(plan).slice(0, 12);
  if (lock === undefined)
    return [
      note(
        "PlanNotLocked",
        `the plan ${hash} was never locked: nothing shows that it was made before the results.`,
        "Lock plans before there are results.",
      ),
    ];
  return deviations.length === 0 ? [note("AsPlanned", `as in the locked plan ${hash}, no deviation.`, "")] : [];
}

/** Looks are planned for items; of other facets all looks have the same levels. */
function tellFacets({ main: { facets = [] } }: Comparison): Diagnostic[] {
  if (facets.length === 0) return [];
  const others = [...new Set(facets.flatMap(({ parts }) => parts.map(({ facet }) => facet)))].filter(
    (facet) => facet !== "items",
  );
  return [
    note(
      "LookScope",
      `looks are planned for items, and here new ${listNames(others)} count too, which more items do not make more: figures of the look follow the largest p, and are approximate.`,
      "`compare` with option `scope: items` is about new items alone.",
    ),
  ];
}

function tellLook(at: PlannedLook | undefined, { style, main, alpha }: Comparison): Diagnostic[] {
  if (at === undefined) return [];
  const open = main.p < alpha && isOpen(main.verdict);
  const unreached = open
    ? "its bound is reached, but the verdict is open for another reason"
    : "the bound is not reached";
  const scale = style.percent ? 100 : 1;
  const write = (value: number): string => formatNumber(Number((scale * value).toPrecision(3)));
  if (at.decision === "continue")
    return [
      warning(
        "LookOpen",
        `look ${at.look}: ${unreached} (z ${at.z.toFixed(2)}): continue. The verdict compares p with the bound of this look; the interval is not adjusted for the looks.`,
        "Collect the items of the next look.",
      ),
    ];
  const outcome = at.rejected
    ? "the bound is reached: stop"
    : at.futile === true
      ? `${unreached}, and the smallest effect has conditional power at the last look of ${(100 * at.conditionalPower!).toFixed(1)} %: the plan stops for futility (continuing would not inflate the error rate)`
      : `the last look, and ${open ? unreached : "its bound is not reached"}`;
  const message = `look ${at.look}: ${outcome}. Adjusted for the looks, p = ${formatNumber(Number(at.p.toPrecision(3)))} (stagewise) and the difference is ${write(at.estimate)} (median-unbiased, ${write(at.lower)} to ${write(at.upper)}); the verdict compares p with the bound of this look; the p and interval above are not adjusted for the looks.${main.facets === undefined ? "" : " More items do not make more runs or raters: with those in the claim the figures of a look are approximate."}`;
  return [warning("LookTaken", message, "Report these figures.")];
}
