/** Options that have no use for the data at hand are refused. */

import { StatError } from "../../../result/error.ts";

/** An option that would change nothing is refused: who gives it expects something of it. */
export function refuseOptions<O extends object>(options: O, names: readonly (keyof O & string)[], why: string): void {
  const given = names.find((name) => {
    const value = options[name];
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  });
  if (given === undefined) return;
  const told = options[given] === false ? `option \`${given}: false\`` : `option \`${given}\``;
  throw new StatError("BadOption", `${told} does nothing ${why}.`, `Leave ${told} out.`);
}

export const OF_MISSING = ["errors", "unscored"] as const;
export const OF_COLUMNS = [
  "byRow",
  "system",
  "item",
  "score",
  "rater",
  "raters",
  "run",
  "runKind",
  "cluster",
  "task",
  "time",
  "where",
  "mutate",
  "files",
  "metricColumn",
] as const;
export const OF_MODELS = ["by", "cut", "ddf"] as const;
/** What only scores of items have a use for. */
export const OF_SCORES = [
  ...OF_MODELS,
  ...OF_MISSING,
  ...(["run", "runKind", "task", "slice", "unpaired", "byRow", "higherIsBetter"] as const),
] as const;

export function refuseModel({ test }: { readonly test?: string | undefined }, why: string): void {
  if (test !== "model") return;
  throw new StatError("BadOption", `option \`test: model\` is not for use ${why}.`, "Name another test, or none.");
}

/** Tukey's adjustment rests on the joint distribution of a model's means, max-T on scores of the same items. */
export function checkAdjust(
  { adjust }: { readonly adjust?: string | undefined },
  how: "model" | "items" | "other",
): void {
  if (adjust === "tukey" && how !== "model") {
    const fix = "Use option `adjust: holm`, or option `test: model`.";
    throw new StatError("BadOption", "option `adjust: tukey` is for mixed models.", fix);
  }
  if (adjust === "max-t" && how !== "items") {
    const fix = `Use option \`adjust: ${how === "model" ? "tukey" : "holm"}\`.`;
    throw new StatError("BadOption", "option `adjust: max-t` is for scores of systems on the same items.", fix);
  }
}
