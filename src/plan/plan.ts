/** A plan states what will be compared, how, and what would count, before the results are there; locked, it cannot change unnoticed.
 *    hash   SHA-256 of the plan's fields in a fixed order: comments and layout do not count, every value does
 *    lock   that hash, and the ids of the items if they were given */

import { DESIGN_KINDS, type DesignKind } from "../power/designs/designs.ts";
import { LIKERT_SETTINGS, ORDINAL_SETTINGS } from "../power/published-settings.ts";
import { PAIR_TESTS } from "../question/choices.ts";
import { StatError } from "../result/error.ts";
import { sha256 } from "../result/hash.ts";
import type { CompareOptions } from "../significance/compare/comparison.ts";
import { ADJUSTMENTS, DEFAULT_ADJUSTMENT } from "../significance/multiplicity.ts";
import { parseSpending } from "../significance/sequential/boundaries.ts";
import { type Field, type NamedField, type ObjectField, readDocument, schemaOf } from "./document.ts";

/** Who rates what, where people (or judges) give the scores. */
export interface PlannedRatings {
  readonly raters: number;
  /** Of each item under each system. */
  readonly perItem: number;
  readonly design: DesignKind;
  /** Most texts of one rater, attention checks not counted. */
  readonly perRater?: number | undefined;
  /** Attention checks in the list of each rater. */
  readonly checks: number;
  /** A rater who fails this many of them is left out. */
  readonly exclude?: number | undefined;
  /** Of the scale; the answers that attention checks ask for. */
  readonly points?: number | undefined;
}

/** Standard deviations of raters and items, as `power likert` and `power ordinal` take them. */
export interface ExpectedSpread {
  readonly raterIntercept?: number;
  readonly raterSlope?: number;
  readonly itemIntercept?: number;
  readonly itemSlope?: number;
  readonly residual?: number;
}

export interface EvaluationPlan {
  /** The baseline first. */
  readonly systems: readonly string[];
  readonly metric: string;
  readonly higherIsBetter?: boolean | undefined;
  readonly items: number;
  readonly repeats: number;
  readonly cluster?: string | undefined;
  readonly rater?: string | undefined;
  readonly ratings?: PlannedRatings | undefined;
  /** Of more than two systems: every other one against the baseline, or all. */
  readonly pairs: "baseline" | "all";
  /** What else is left out, and when collecting ends, in words. */
  readonly exclusions?: string | undefined;
  readonly stopping?: string | undefined;
  readonly test?: CompareOptions["test"];
  readonly alpha: number;
  readonly margin?: number | undefined;
  readonly smallestEffect: number;
  readonly power: number;
  readonly correction?: CompareOptions["adjust"];
  readonly unscored?: CompareOptions["unscored"];
  readonly looks?:
    | { readonly at: readonly number[]; readonly spending: string; readonly futility?: number }
    | undefined;
  readonly judge?: Readonly<Record<string, string>> | undefined;
  /** What is expected of the data, for the power analysis. */
  readonly expected: ExpectedSpread & {
    readonly baseline?: number;
    readonly agreement?: number;
    readonly sd?: number;
    readonly clusterSize?: number;
    readonly icc?: number;
    /** A paper's scale and standard deviations. */
    readonly setting?: string;
    /** Between the points of the scale, on the latent scale: the ratings are ordinal. */
    readonly thresholds?: readonly number[];
    /** The same standard deviations where they are small, and where they are large. */
    readonly low?: ExpectedSpread;
    readonly high?: ExpectedSpread;
  };
}

export interface PlanLock {
  readonly hash: string;
  /** Sorted ids, where they were locked too. */
  readonly items?: readonly string[] | undefined;
}

const TESTS = [...PAIR_TESTS, "model"];
const CORRECTIONS = [...ADJUSTMENTS, DEFAULT_ADJUSTMENT];
const TEXT: Field = { kind: "text" };
const SHARE: Field = { kind: "number", above: 0, to: 1 };

const SD: Field = { kind: "number", from: 0 };

const SPREAD = {
  "rater-intercept": { field: SD, help: "ratings: SD of the raters' levels" },
  "rater-slope": { field: SD, help: "ratings: SD of the raters' differences between systems, as `power` counts them" },
  "item-intercept": { field: SD, help: "ratings: SD of the items' levels" },
  "item-slope": { field: SD, help: "ratings: SD of the items' differences between systems" },
  residual: { field: { kind: "number", above: 0 }, help: "ratings: SD of a rating, all else being equal" },
} as const satisfies Record<string, NamedField>;

const RATINGS: ObjectField = {
  kind: "object",
  fields: {
    raters: { field: { kind: "number", from: 2, whole: true }, help: "how many raters", required: true },
    "per-item": {
      field: { kind: "number", from: 1, whole: true },
      help: "ratings of each item under each system (one by every rater)",
    },
    design: {
      field: { kind: "text", choices: DESIGN_KINDS },
      help: "crossed: all rate all; k-of-m: some rate an item, under all systems; lists: nobody meets an item twice",
    },
    "per-rater": { field: { kind: "number", from: 1, whole: true }, help: "most texts of one rater" },
    points: { field: { kind: "number", from: 2, to: 101, whole: true }, help: "of the rating scale, 1 to this" },
    checks: { field: { kind: "number", from: 0, whole: true }, help: "attention checks in each rater's list (0)" },
    exclude: {
      field: { kind: "number", from: 1, whole: true },
      help: "leave out raters who fail this many attention checks",
    },
  },
};

const PLAN: ObjectField = {
  kind: "object",
  fields: {
    version: { field: { kind: "number", from: 1, to: 1, whole: true }, help: "of this format: 1" },
    question: { field: TEXT, help: "what is to be found out, in a sentence" },
    systems: { field: { kind: "list", of: TEXT }, help: "the baseline first", required: true },
    metric: { field: TEXT, help: "primary metric", required: true },
    "higher-is-better": { field: { kind: "flag" }, help: "direction of the metric" },
    items: { field: { kind: "number", from: 2, whole: true }, help: "how many items", required: true },
    repeats: { field: { kind: "number", from: 1, whole: true }, help: "runs of each item (1)" },
    cluster: { field: TEXT, help: "column of clusters: items of one document, topic … are correlated; none" },
    rater: { field: TEXT, help: "column of raters or judges; none, with ratings: rater" },
    ratings: { field: RATINGS, help: "raters, and who rates what: the list of each rater is made of it" },
    pairs: {
      field: { kind: "text", choices: ["baseline", "all"] },
      help: "of several systems: each against the baseline (default), or all pairs",
    },
    exclusions: { field: TEXT, help: "which raters or items will be left out, in a sentence" },
    stopping: { field: TEXT, help: "when collecting ends, in a sentence" },
    test: { field: { kind: "text", choices: TESTS }, help: "default: what fits the data" },
    alpha: { field: { kind: "number", above: 0, to: 0.5 }, help: "error rate (0.05)" },
    margin: { field: { kind: "number", above: 0 }, help: "smaller differences do not matter: equivalence" },
    "smallest-effect": {
      field: { kind: "number", above: 0 },
      help: "smallest difference worth finding",
      required: true,
    },
    power: { field: { kind: "number", above: 0, to: 0.999 }, help: "target power (0.8)" },
    correction: { field: { kind: "text", choices: CORRECTIONS }, help: "over several pairs" },
    unscored: { field: { kind: "text", choices: ["complete", "wrong", "bounds"] }, help: "missing outcomes" },
    looks: {
      field: {
        kind: "object",
        fields: {
          at: { field: { kind: "list", of: SHARE }, help: "fractions of the items, the last 1", required: true },
          spending: { field: TEXT, help: "lan-demets-of (default), pocock, hsd:-4 …" },
          futility: {
            field: { kind: "number", above: 0, to: 0.5 },
            help: "stop for futility below this conditional power at the last look; not binding; none",
          },
        },
      },
      help: "when the results may be looked at",
    },
    judge: { field: { kind: "map", of: TEXT }, help: "identity of the judge: model, rubric, version …" },
    expected: {
      field: {
        kind: "object",
        fields: {
          baseline: { field: SHARE, help: "0/1 scores: the baseline's accuracy" },
          agreement: { field: SHARE, help: "0/1 scores: proportion of items on which both are right or both wrong" },
          sd: {
            field: { kind: "number", above: 0 },
            help: "other scores: standard deviation of the items' differences",
          },
          "cluster-size": { field: { kind: "number", from: 1, whole: true }, help: "items of a cluster" },
          icc: { field: { kind: "number", from: 0, to: 1 }, help: "correlation of differences within a cluster" },
          setting: {
            field: { kind: "text", choices: [...Object.keys(LIKERT_SETTINGS), ...Object.keys(ORDINAL_SETTINGS)] },
            help: "ratings: scale and standard deviations of a paper",
          },
          ...SPREAD,
          thresholds: {
            field: { kind: "list", of: { kind: "number" } },
            help: "ordinal ratings: cuts of the latent scale, rising; the smallest effect is then in its SDs",
          },
          low: { field: { kind: "object", fields: SPREAD }, help: "standard deviations where they are small" },
          high: { field: { kind: "object", fields: SPREAD }, help: "standard deviations where they are large" },
        },
      },
      help: "what the power analysis rests on",
    },
  },
};

/** The JSON Schema of a plan. */
export const planSchema = (): object => schemaOf("Plan of an evaluation for gosset", PLAN);

interface WrittenPlan {
  readonly [name: string]: unknown;
  readonly systems: readonly string[];
  readonly metric: string;
  readonly items: number;
  readonly "smallest-effect": number;
  readonly looks?: { readonly at: readonly number[]; readonly spending?: string; readonly futility?: number };
  readonly ratings?: Readonly<Record<string, number | string>>;
  readonly expected?: Readonly<Record<string, unknown>>;
}

/** The plan that a YAML or JSON text states. */
export function readPlan(text: string, name = "the plan"): EvaluationPlan {
  const written = readDocument(text, { name, shape: PLAN }) as WrittenPlan;
  const { systems, metric, items, looks, expected = {} } = written;
  if (systems.length < 2 || new Set(systems).size < systems.length)
    throw new StatError(
      "BadPlan",
      `${name}: systems should be two or more different names, the baseline first.`,
      "Name them.",
    );
  const at = looks?.at;
  if (at !== undefined && !(at.length > 0 && at.at(-1) === 1 && at.every((t, k) => t > (at[k - 1] ?? 0))))
    throw new StatError(
      "BadPlan",
      `${name}: looks.at should rise to 1, as in [0.5, 1].`,
      "Give fractions of all items.",
    );
  if (looks?.spending !== undefined) parseSpending(looks.spending);
  const ratings = written.ratings === undefined ? undefined : readRatings(written.ratings, name);
  const plan: EvaluationPlan = {
    systems,
    metric,
    items,
    higherIsBetter: written["higher-is-better"] as boolean | undefined,
    repeats: (written["repeats"] as number | undefined) ?? 1,
    cluster: written["cluster"] as string | undefined,
    rater: (written["rater"] as string | undefined) ?? (ratings === undefined ? undefined : "rater"),
    ratings,
    pairs: (written["pairs"] as EvaluationPlan["pairs"] | undefined) ?? "baseline",
    exclusions: written["exclusions"] as string | undefined,
    stopping: written["stopping"] as string | undefined,
    test: written["test"] as EvaluationPlan["test"],
    alpha: (written["alpha"] as number | undefined) ?? 0.05,
    margin: written["margin"] as number | undefined,
    smallestEffect: written["smallest-effect"],
    power: (written["power"] as number | undefined) ?? 0.8,
    correction: written["correction"] as EvaluationPlan["correction"],
    unscored: written["unscored"] as EvaluationPlan["unscored"],
    looks:
      looks === undefined
        ? undefined
        : {
            at: looks.at,
            spending: looks.spending ?? "lan-demets-of",
            ...(looks.futility === undefined ? {} : { futility: looks.futility }),
          },
    judge: written["judge"] as EvaluationPlan["judge"],
    expected: {
      ...pick(expected, "baseline", "baseline"),
      ...pick(expected, "agreement", "agreement"),
      ...pick(expected, "sd", "sd"),
      ...pick(expected, "cluster-size", "clusterSize"),
      ...pick(expected, "icc", "icc"),
      ...pick(expected, "setting", "setting"),
      ...pick(expected, "thresholds", "thresholds"),
      ...readSpread(expected),
      ...(expected["low"] === undefined ? {} : { low: readSpread(expected["low"] as object) }),
      ...(expected["high"] === undefined ? {} : { high: readSpread(expected["high"] as object) }),
    },
  };
  checkRatings(plan, name);
  return plan;
}

const pick = (from: Readonly<Record<string, unknown>>, name: string, as: string): object =>
  from[name] === undefined ? {} : { [as]: from[name] };

const readSpread = (from: object): ExpectedSpread =>
  Object.assign(
    {},
    ...Object.keys(SPREAD).map((name) =>
      pick(
        from as Readonly<Record<string, unknown>>,
        name,
        name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      ),
    ),
  );

function readRatings(written: Readonly<Record<string, number | string>>, name: string): PlannedRatings {
  const count = (field: string): number | undefined => written[field] as number | undefined;
  const raters = count("raters")!;
  const checks = count("checks") ?? 0;
  const own: PlannedRatings = {
    raters,
    perItem: count("per-item") ?? (written["design"] === "lists" ? 1 : raters),
    design:
      (written["design"] as DesignKind | undefined) ??
      (count("per-item") === undefined || count("per-item") === raters ? "crossed" : "k-of-m"),
    perRater: count("per-rater"),
    checks,
    exclude: count("exclude"),
    points: count("points"),
  };
  const refuse = (found: string, fix: string): never => {
    throw new StatError("BadPlan", `${name}: ${found}`, fix);
  };
  if (checks > 0 && own.points === undefined)
    refuse("ratings.checks without ratings.points: what should a check ask for?", "Give the points of the scale.");
  if (own.exclude !== undefined && own.exclude > checks)
    refuse(
      `ratings.exclude ${own.exclude} with ${checks} attention checks: nobody can fail as many.`,
      "Plan more checks.",
    );
  if (own.design === "crossed" && own.perItem !== raters)
    refuse(`${own.perItem} ratings of an item by ${raters} raters who all rate everything.`, "Use the design k-of-m.");
  return own;
}

/** What a plan with ratings cannot have beside them: nothing would say what it can see, or compare would not follow it. */
function checkRatings({ ratings, test, cluster, repeats, looks, expected, rater }: EvaluationPlan, name: string): void {
  const refuse = (what: string, why: string): never => {
    throw new StatError("BadPlan", `${name}: ${what} ${why}`, "Leave one of them out.");
  };
  const spread = ["setting", "raterIntercept", "raterSlope", "itemIntercept", "itemSlope", "residual", "thresholds"];
  const own = spread.find((field) => (expected as Readonly<Record<string, unknown>>)[field] !== undefined);
  if (ratings === undefined) {
    if (own !== undefined)
      refuse(`expected.${own} without ratings:`, "it is about raters, of which the plan has none.");
    return;
  }
  if (test !== undefined && test !== "model")
    refuse(`test ${test} with ratings:`, "raters are compared by a mixed model.");
  if (cluster !== undefined) refuse("cluster with ratings:", "the power of both together is not known.");
  if (repeats > 1) refuse("repeats with ratings:", "each rater rates an output once.");
  if (looks !== undefined)
    refuse("looks with ratings:", "more items do not bring more raters, so no bound of the looks holds.");
  for (const field of ["sd", "agreement", "baseline", "clusterSize", "icc"] as const)
    if (expected[field] !== undefined)
      refuse(
        `expected.${field} with ratings:`,
        `it knows nothing of ${rater}; ratings need a setting, or standard deviations.`,
      );
}

/** 64 hexadecimal digits; undefined fields do not count, so that a default that is written out changes it only where it is no default. */
export const hashPlan = (plan: EvaluationPlan): string => sha256(canonical(plan));

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const own = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${own
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
    .join(",")}}`;
}

/** The plan as it stands, with the items that it is about. */
export function lockPlan(plan: EvaluationPlan, items?: readonly string[]): PlanLock {
  if (items === undefined) return { hash: hashPlan(plan) };
  const sorted = [...new Set(items)].sort();
  if (sorted.length !== plan.items)
    throw new StatError(
      "ItemsDiffer",
      `the plan is about ${plan.items} items, the list has ${sorted.length} different ones.`,
      "Change the list, or the plan before it is locked.",
    );
  return { hash: hashPlan(plan), items: sorted };
}

/** A lock as it was written. */
export function readLock(text: string, name = "the lock"): PlanLock {
  const shape: ObjectField = {
    kind: "object",
    fields: {
      hash: {
        field: { kind: "text", pattern: "^[0-9a-f]{64}$", like: "64 hexadecimal digits" },
        help: "of the plan",
        required: true,
      },
      items: { field: { kind: "list", of: TEXT }, help: "ids" },
    },
  };
  return readDocument(text, { name, shape }) as PlanLock;
}

/** What `compare` does to follow a plan; options that the caller gives stand, and are deviations. */
export function planOptions(plan: EvaluationPlan): CompareOptions {
  const { systems, metric, higherIsBetter, cluster, rater, test, alpha, margin, unscored } = plan;
  const many = systems.length > 2;
  return {
    ...{ systems, metric, higherIsBetter, cluster, rater, test, alpha, margin, unscored },
    adjust: many ? adjustmentOf(plan) : plan.correction,
    ...(many && plan.pairs === "baseline" ? { baseline: systems[0]! } : {}),
    ...(plan.ratings === undefined ? {} : { system: "system", item: "item" }),
  };
}

/** Over several pairs: that of `compare`, so Tukey's where raters' scores of all pairs are tested by a model. */
export const adjustmentOf = ({ correction, pairs, ratings }: EvaluationPlan): NonNullable<CompareOptions["adjust"]> =>
  correction ?? (pairs === "all" && ratings !== undefined ? "tukey" : DEFAULT_ADJUSTMENT);

/** The systems of each pair that is compared, by their places in the plan. */
export const pairsIn = ({ systems, pairs }: EvaluationPlan): (readonly [number, number])[] =>
  systems.flatMap((_, b) =>
    systems.flatMap((__, a): (readonly [number, number])[] =>
      a < b && (pairs !== "baseline" || a === 0) ? [[a, b]] : [],
    ),
  );

/** Pairs that are compared. */
export const pairsOf = (plan: EvaluationPlan): number => pairsIn(plan).length;

/** Items at each planned look; all of them without looks. */
export const lookItems = ({ looks, items }: EvaluationPlan): number[] =>
  // a share times a number is whole only up to rounding
  looks === undefined ? [items] : looks.at.map((t) => Math.ceil(t * items - 1e-9));
