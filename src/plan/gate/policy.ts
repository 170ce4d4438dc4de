/** What a gate asks for: of each task or slice how much it may lose, how much it counts, and how often the whole may err.
 *    alpha        of changes that change nothing at most this share fails; of those that lose a margin on a critical task at most this share passes
 *    correction   of the regressions that are looked for in every task: Holm, or a fixed sequence in the order of the policy
 *    tiers        critical: must pass; supporting: must not fail; advisory: is told */
import { StatError } from "../../result/error.ts";
import { present } from "../../result/present.ts";
import { type Field, type ObjectField, readDocument, schemaOf } from "../document.ts";

export type Tier = "critical" | "supporting" | "advisory";
export type Correction = "holm" | "fixed-sequence";
export type GateUnscored = "bounds" | "complete" | "wrong";

/** What a task may lose: a difference, a share of the baseline's score, or nothing below a score of its own. */
export type Allowance =
  | { readonly kind: "absolute"; readonly value: number }
  | { readonly kind: "relative"; readonly share: number }
  | { readonly kind: "floor"; readonly score: number };

export interface TaskRule {
  readonly allowance: Allowance;
  readonly tier: Tier;
  /** Its absence is an error. */
  readonly required: boolean;
  /** Fewest items that both sides have scores on. */
  readonly items: number;
  /** Least share of the items that both sides must have, and of rows that must have a score. */
  readonly coverage: number;
}

export interface GatePolicy {
  readonly alpha: number;
  readonly correction: Correction;
  /** Wanted chance of the right outcome, which `checkGate` plans for. */
  readonly power: number;
  readonly metric?: string | undefined;
  readonly higherIsBetter?: boolean | undefined;
  /** The column whose levels are judged one by one; default: the task, where there is one. */
  readonly by?: string | undefined;
  /** Of rows without a score: the outcome must hold whatever they are, they are left out, or they are failures. */
  readonly unscored: GateUnscored;
  /** Settings that may differ between the runs; "any" for all. */
  readonly changes: readonly string[];
  /** Files of runs that are agreed upon as baselines, by name. */
  readonly baselines: Readonly<Record<string, readonly string[]>>;
  /** Rules of single tasks, in the order of a fixed sequence; all others follow `fallback`, where there is one. */
  readonly tasks: Readonly<Record<string, TaskRule>>;
  readonly fallback?: TaskRule | undefined;
}

const TIERS = ["critical", "supporting", "advisory"] as const;
const MARGIN: Field = {
  kind: "either",
  of: [
    { kind: "number", from: 0 },
    { kind: "text", pattern: "^\\s*\\d+(\\.\\d+)?\\s*%\\s*$", like: "a proportion of the baseline's score such as 5%" },
  ],
};
const RULE = {
  margin: {
    field: MARGIN,
    help: "largest loss that does not matter, in units of the score (0.02), or in percent of the baseline's score (5%)",
  },
  "no-worse-than": {
    field: { kind: "number" },
    help: "a score that the candidate itself must reach, instead of a margin",
  },
  tier: {
    field: { kind: "text", choices: TIERS },
    help: "critical must pass, supporting must not fail, advisory is reported only",
  },
  items: { field: { kind: "number", from: 2, whole: true }, help: "fewest items with scores on both sides" },
  coverage: {
    field: { kind: "number", above: 0, to: 1 },
    help: "least proportion of items in common and of rows with a score",
  },
} as const satisfies ObjectField["fields"];

const POLICY: ObjectField = {
  kind: "object",
  fields: {
    version: { field: { kind: "number", from: 1, to: 1, whole: true }, help: "of this format: 1" },
    alpha: { field: { kind: "number", above: 0, to: 0.5 }, help: "error rate of the whole gate (0.05)" },
    correction: { field: { kind: "text", choices: ["holm", "fixed-sequence"] }, help: "over the tasks (holm)" },
    power: { field: { kind: "number", above: 0, to: 0.999 }, help: "target probability of the correct outcome (0.8)" },
    metric: { field: { kind: "text" }, help: "the score to judge by" },
    "higher-is-better": { field: { kind: "flag" }, help: "where the logs do not say it" },
    by: { field: { kind: "text" }, help: "column whose levels are judged one by one (default: the task)" },
    unscored: {
      field: { kind: "text", choices: ["bounds", "complete", "wrong"] },
      help: "missing scores (bounds)",
    },
    changes: {
      field: { kind: "list", of: { kind: "text" } },
      help: "settings that may differ between the runs; any for all",
    },
    baselines: {
      field: { kind: "map", of: { kind: "list", of: { kind: "text" } } },
      help: "files of agreed baselines, by name",
    },
    ...RULE,
    tasks: {
      field: {
        kind: "map",
        of: {
          kind: "object",
          fields: { ...RULE, required: { field: { kind: "flag" }, help: "must be there (true)" } },
        },
      },
      help: "rules of single tasks or slices, by name",
    },
  },
};

/** The JSON Schema of a policy. */
export const policySchema = (): object => schemaOf("Policy of gosset gate", POLICY);

interface WrittenRule {
  readonly margin?: number | string;
  readonly "no-worse-than"?: number;
  readonly tier?: Tier;
  readonly items?: number;
  readonly coverage?: number;
  readonly required?: boolean;
}

interface WrittenPolicy extends WrittenRule {
  readonly alpha?: number;
  readonly correction?: Correction;
  readonly power?: number;
  readonly metric?: string;
  readonly "higher-is-better"?: boolean;
  readonly by?: string;
  readonly unscored?: GateUnscored;
  readonly changes?: readonly string[];
  readonly baselines?: Readonly<Record<string, readonly string[]>>;
  readonly tasks?: Readonly<Record<string, WrittenRule>>;
}

/** The policy that a YAML or JSON text states; `name` stands in messages. */
export function readPolicy(text: string, name = "the policy"): GatePolicy {
  return makePolicy(readDocument(text, { name, shape: POLICY }) as WrittenPolicy, name);
}

/** A policy of one rule for every task: what it may lose, or the score that it must reach. */
export function simplePolicy(options: {
  readonly margin?: number | string | undefined;
  readonly floor?: number | undefined;
  readonly alpha?: number | undefined;
}): GatePolicy {
  const { margin, floor, alpha } = options;
  return makePolicy(
    {
      ...present({ margin }),
      ...(floor === undefined ? {} : { "no-worse-than": floor }),
      ...present({ alpha }),
    },
    "the gate",
  );
}

/** Whether every rule is a score to reach, which needs no baseline. */
export const hasFloorsOnly = ({ tasks, fallback }: GatePolicy): boolean =>
  [...Object.values(tasks), ...(fallback === undefined ? [] : [fallback])].every(
    ({ allowance }) => allowance.kind === "floor",
  );

const FEWEST_ITEMS = 10;
const LEAST_COVERAGE = 0.95;

function makePolicy(written: WrittenPolicy, name: string): GatePolicy {
  const shared = { ...written, required: true };
  const own = Object.entries(written.tasks ?? {});
  const tasks = own.map(([task, rule]) => {
    // a rule of its own kind takes the place of the shared one
    const kinds = rule.margin !== undefined || rule["no-worse-than"] !== undefined;
    const { margin, "no-worse-than": floor, ...rest } = shared;
    const base = kinds
      ? rest
      : {
          ...rest,
          ...present({ margin }),
          ...(floor === undefined ? {} : { "no-worse-than": floor }),
        };
    return [task, ruleOf({ ...base, ...rule }, `${name}: tasks.${task}`)] as const;
  });
  const stated = written.margin !== undefined || written["no-worse-than"] !== undefined;
  const fallback = stated ? ruleOf({ ...shared, required: false }, name) : undefined;
  if (tasks.length === 0 && fallback === undefined)
    throw new StatError("NoMargin", `${name} has no margin.`, "Give a margin, or rules of tasks.");
  if ([...tasks.map(([, rule]) => rule), ...(fallback ? [fallback] : [])].every(({ tier }) => tier === "advisory"))
    throw new StatError(
      "NothingDecides",
      `${name}: every task is advisory, so nothing could fail.`,
      "Make one critical or supporting.",
    );
  const {
    alpha = 0.05,
    correction = "holm",
    power = 0.8,
    metric,
    by,
    unscored = "bounds",
    changes = [],
    baselines = {},
  } = written;
  const higherIsBetter = written["higher-is-better"];
  if (!(alpha > 0 && alpha <= 0.5))
    throw new StatError("BadOption", `alpha ${alpha} is not above 0 and at most 0.5.`, "Give a proportion.");
  return {
    alpha,
    correction,
    power,
    metric,
    higherIsBetter,
    by,
    unscored,
    changes,
    baselines,
    tasks: Object.fromEntries(tasks),
    fallback,
  };
}

function ruleOf(rule: WrittenRule, name: string): TaskRule {
  const { margin, "no-worse-than": floor, tier = "critical", required = true } = rule;
  if ((margin === undefined) === (floor === undefined))
    throw new StatError(
      "NoMargin",
      `${name} ${margin === undefined ? "says nowhere how much may be lost" : "has a margin and no-worse-than at once"}.`,
      "Give a margin or no-worse-than.",
    );
  const allowance: Allowance = margin === undefined ? { kind: "floor", score: floor! } : readMargin(margin, name);
  return { allowance, tier, required, items: rule.items ?? FEWEST_ITEMS, coverage: rule.coverage ?? LEAST_COVERAGE };
}

function readMargin(margin: number | string, name: string): Allowance {
  const percent = typeof margin === "string" && /%\s*$/.test(margin);
  const value = typeof margin === "number" ? margin : Number(margin.replace("%", ""));
  if (!(value >= 0 && Number.isFinite(value)))
    throw new StatError(
      "BadMargin",
      `${name}: a margin of ${margin} is not a margin.`,
      "Give a number from 0, or a percentage such as 5%.",
    );
  return percent ? { kind: "relative", share: value / 100 } : { kind: "absolute", value };
}

export const ruleFor = (policy: GatePolicy, task: string): TaskRule | undefined =>
  policy.tasks[task] ?? policy.fallback;
