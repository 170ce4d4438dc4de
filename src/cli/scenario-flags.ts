/** Flags of the power scenarios, made of what each scenario says about its parameters: nothing is written twice, and no engine is loaded. */
import { type ParameterSpec, SCENARIO_SPECS, type ScenarioSpec } from "../scenarios.ts";
import { type Flag, flag, READ_FLAGS } from "./flags.ts";
import { flagOf, nameFlags } from "./option-names.ts";

/** What help calls a value that has no unit. */
const VALUE: Readonly<Record<ParameterSpec["kind"], string>> = {
  count: "n",
  share: "share",
  number: "x",
  positive: "x",
  choice: "name",
  text: "text",
  switch: "",
};

export function scenarioFlag(spec: ParameterSpec): Flag {
  const value = spec.unit ?? VALUE[spec.kind];
  return flag(value === "" ? flagOf(spec.name) : `${flagOf(spec.name)} <${value}>`, helpOf(spec));
}

/** "the test that will be run: t (default), wilcoxon, z; …" */
function helpOf({ kind, meaning, hint, choices = [], default: usual }: ParameterSpec): string {
  const named = choices.map((choice) => (choice === usual ? `${choice} (default)` : choice)).join(", ");
  const told = `${meaning}${named === "" ? "" : `: ${named}`}${hint === undefined ? "" : `; ${hint}`}`;
  const standing = usual === undefined || kind === "choice" || kind === "switch" ? "" : ` (default: ${usual})`;
  return nameFlags(told + standing);
}

/** What `size` can find instead of items: raters, seeds. */
export const otherSizeOf = ({ otherSizes = [] }: ScenarioSpec): string | undefined => otherSizes[0];

/** Ratings that are already there give the standard deviations of these. */
export const hasPilot = ({ name }: ScenarioSpec): boolean =>
  ["likert", "ordinal", "head-to-head", "seeds"].includes(name);

export const PILOT_FLAGS: readonly Flag[] = [
  flag("--pilot <file>", "take the SDs (ordinal: also the thresholds) from a fit to these ratings, votes or runs", {
    many: true,
  }),
  flag("--columns <role=col,…>", "columns of the pilot, if not recognized: score=,system=,rater= (seeds: seed=),item="),
  flag("--systems <a,b>", "of the pilot: the baseline, then the new system"),
  ...READ_FLAGS,
];

export function specOf(name: string): ScenarioSpec {
  return SCENARIO_SPECS.find((spec) => spec.name === name)!;
}
