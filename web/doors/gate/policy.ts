/** A policy as the form holds it, and as the file that `gosset gate --policy` takes. Reading and checking are the library's. */
import type { GatePolicy, TaskRule } from "../../../src/plan.ts";
import type { Setting, Settings } from "../../engine/protocol.ts";
import { yamlText } from "../../engine/yaml-text.ts";

/** What a task may have of its own; in settings "tier arc" is the tier of the task arc. */
const RULES = ["margin", "no-worse-than", "tier", "items", "coverage", "required"] as const;
const SHARED = ["margin", "no-worse-than", "tier", "items", "coverage"] as const;
/** Where nothing is set: a share of the baseline's score fits every scale. */
export const USUAL_MARGIN = "5%";

export const tasksOf = (settings: Settings): readonly string[] => (settings["tasks"] as readonly string[]) ?? [];
const baselinesOf = (settings: Settings): readonly string[] => (settings["baselines"] as readonly string[]) ?? [];

const given = (values: Readonly<Record<string, Setting | undefined>>): Record<string, Setting> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]])),
  );

/** The document that the settings state; `named`: with the metric and its direction, which flags can say too. */
export function policyDocument(settings: Settings, named = true): Record<string, unknown> {
  const tasks = tasksOf(settings).map((task) => [
    task,
    given(Object.fromEntries(RULES.map((rule) => [rule, settings[`${rule} ${task}`]]))),
  ]);
  const baselines = baselinesOf(settings).map((name) => [name, settings[`baseline ${name}`]]);
  const { direction } = settings;
  const shared = given(Object.fromEntries(SHARED.map((rule) => [rule, settings[rule]])));
  const stated = shared["margin"] !== undefined || shared["no-worse-than"] !== undefined;
  return {
    ...given({
      alpha: settings["alpha"],
      correction: settings["correction"],
      power: settings["power"],
      metric: named ? settings["metric"] : undefined,
      "higher-is-better": named && direction !== undefined ? direction === "higher" : undefined,
      by: settings["by"],
      unscored: settings["unscored"],
      changes: settings["changes"],
    }),
    ...(stated || settings["onlyListed"] === true ? {} : { margin: USUAL_MARGIN }),
    ...shared,
    ...(baselines.length === 0 ? {} : { baselines: Object.fromEntries(baselines) }),
    ...(tasks.length === 0 ? {} : { tasks: Object.fromEntries(tasks) }),
  };
}

/** Whether flags of the command say all of it. */
export function isSimple(settings: Settings): boolean {
  const names = Object.keys(policyDocument(settings, false));
  return names.every((name) => ["margin", "alpha", "by"].includes(name));
}

export const policyText = (settings: Settings, named = true): string => yamlText(policyDocument(settings, named));

/** The settings that state a policy that was read. */
export function settingsOf(policy: GatePolicy): Settings {
  const { alpha, correction, power, metric, higherIsBetter, by, unscored, changes, baselines, tasks, fallback } =
    policy;
  const names = Object.keys(tasks);
  return {
    ...given({
      alpha: alpha === 0.05 ? undefined : alpha,
      correction: correction === "holm" ? undefined : correction,
      power: power === 0.8 ? undefined : power,
      ...{ metric, by },
      direction: higherIsBetter === undefined ? undefined : higherIsBetter ? "higher" : "lower",
      unscored: unscored === "bounds" ? undefined : unscored,
      changes: changes.length === 0 ? undefined : changes,
      onlyListed: fallback === undefined ? true : undefined,
    }),
    ...(fallback === undefined ? {} : ruleSettings(fallback, "")),
    ...(names.length === 0 ? {} : { tasks: names }),
    ...Object.assign({}, ...names.map((name) => ruleSettings(tasks[name]!, ` ${name}`))),
    ...(Object.keys(baselines).length === 0 ? {} : { baselines: Object.keys(baselines) }),
    ...Object.fromEntries(Object.entries(baselines).map(([name, paths]) => [`baseline ${name}`, paths])),
  };
}

const FEWEST_ITEMS = 10;
const LEAST_COVERAGE = 0.95;

function ruleSettings({ allowance, tier, items, coverage, required }: TaskRule, of: string): Settings {
  const alone = of !== "";
  const loss =
    allowance.kind === "absolute"
      ? { margin: allowance.value }
      : allowance.kind === "relative"
        ? { margin: `${Number((100 * allowance.share).toPrecision(12))}%` }
        : { "no-worse-than": allowance.score };
  const own = {
    ...loss,
    ...(tier === "critical" && !alone ? {} : { tier }),
    ...(items === FEWEST_ITEMS && !alone ? {} : { items }),
    ...(coverage === LEAST_COVERAGE && !alone ? {} : { coverage }),
    ...(alone && !required ? { required } : {}),
  };
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [`${name}${of}`, value]));
}
