/** A plan states what will be compared, how, and what would count, before the results are there; locked, it cannot change unnoticed.
 *    hash   SHA-256 of the plan's fields in a fixed order: comments and layout do not count, every value does
 *    lock   that hash, and the ids of the items if they were given */

import { PAIR_TESTS } from "../question/choices.ts";
import { StatError } from "../result/error.ts";
import { sha256 } from "../result/hash.ts";
import type { CompareOptions } from "../significance/compare/comparison.ts";
import { ADJUSTMENTS } from "../significance/multiplicity.ts";
import { parseSpending } from "../significance/sequential/boundaries.ts";
import { type Field, type ObjectField, readDocument, schemaOf } from "./document.ts";

export interface EvaluationPlan {
  /** The baseline first. */
  readonly systems: readonly string[];
  readonly metric: string;
  readonly higherIsBetter?: boolean | undefined;
  readonly items: number;
  readonly repeats: number;
  readonly cluster?: string | undefined;
  readonly rater?: string | undefined;
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
  readonly expected: {
    readonly baseline?: number;
    readonly agreement?: number;
    readonly sd?: number;
    readonly clusterSize?: number;
    readonly icc?: number;
  };
}

export interface PlanLock {
  readonly hash: string;
  /** Sorted ids, where they were locked too. */
  readonly items?: readonly string[] | undefined;
}

const TESTS = [...PAIR_TESTS, "model"];
const CORRECTIONS = [...ADJUSTMENTS, "max-t"];
const TEXT: Field = { kind: "text" };
const SHARE: Field = { kind: "number", above: 0, to: 1 };

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
    rater: { field: TEXT, help: "column of raters or judges; none" },
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
  readonly expected?: Readonly<Record<string, number>>;
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
  return {
    systems,
    metric,
    items,
    higherIsBetter: written["higher-is-better"] as boolean | undefined,
    repeats: (written["repeats"] as number | undefined) ?? 1,
    cluster: written["cluster"] as string | undefined,
    rater: written["rater"] as string | undefined,
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
    },
  };
}

const pick = (from: Readonly<Record<string, number>>, name: string, as: string): object =>
  from[name] === undefined ? {} : { [as]: from[name] };

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
  const { systems, metric, higherIsBetter, cluster, rater, test, alpha, margin, correction, unscored } = plan;
  return { systems, metric, higherIsBetter, cluster, rater, test, alpha, margin, adjust: correction, unscored };
}

/** Items at each planned look; all of them without looks. */
export const lookItems = ({ looks, items }: EvaluationPlan): number[] =>
  // a share times a number is whole only up to rounding
  looks === undefined ? [items] : looks.at.map((t) => Math.ceil(t * items - 1e-9));
