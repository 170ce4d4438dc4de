/** Options that would be ignored, or that contradict each other: every one is used or refused. */
import { StatError } from "../../../result/error.ts";

/** The options that exclude each other. */
interface Choices {
  readonly by?: string | undefined;
  readonly cut?: readonly number[] | undefined;
  readonly test?: string | undefined;
  readonly adjust?: string | undefined;
  readonly slice?: readonly string[] | undefined;
  readonly unpaired?: boolean | undefined;
  readonly positive?: string | undefined;
  readonly gold?: string | undefined;
  readonly pred?: unknown;
  readonly tokenise?: string | undefined;
}

export function checkOptions(
  { by, cut, test, slice = [], unpaired, positive, gold, pred, tokenise }: Choices,
  isText: boolean,
): void {
  const wrong = (message: string, fix: string): never => {
    throw new StatError("BadOption", message, fix);
  };
  const model = by !== undefined || test === "model";
  if (tokenise !== undefined && !isText)
    wrong("option `tokenise` without references: there are no texts.", "Add option `references`, or leave it out.");
  if (positive !== undefined && gold === undefined && pred === undefined)
    wrong("option `positive` without labels: nothing to count.", "Name the columns with options `gold` and `pred`.");
  if (cut !== undefined && by === undefined)
    wrong("option `cut` without option `by`: nothing to cut.", "Name a numeric column with option `by`.");
  if (by !== undefined && test !== undefined && test !== "model")
    wrong(
      `option \`by\` compares with a mixed model, not with option \`test: ${test}\`.`,
      "Leave option `test` out, or use option `slice`.",
    );
  if (unpaired && model) wrong("option `unpaired` and a mixed model exclude each other.", "Leave one of them out.");
  if (slice.length > 0 && (model || unpaired))
    wrong(
      `option \`slice\` does not go with ${unpaired ? "option `unpaired`" : "a mixed model"}.`,
      "Use option `by`, or option `where` for one part at a time.",
    );
}

/** Tukey's adjustment rests on the joint distribution of a model's means, max-T on scores of the same items. */
export function checkAdjust({ adjust }: Choices, how: "model" | "items" | "other"): void {
  if (adjust === "tukey" && how !== "model") {
    const fix = "Use option `adjust: holm`, or option `test: model`.";
    throw new StatError("BadOption", "option `adjust: tukey` is for mixed models.", fix);
  }
  if (adjust === "max-t" && how !== "items") {
    const fix = `Use option \`adjust: ${how === "model" ? "tukey" : "holm"}\`.`;
    throw new StatError("BadOption", "option `adjust: max-t` is for scores of systems on the same items.", fix);
  }
}

/** An option that would change nothing is refused: who gives it expects something of it. */
export function refuseOptions<K extends string>(
  options: Readonly<Partial<Record<K, unknown>>>,
  names: readonly K[],
  why: string,
): void {
  const given = names.find((name) => {
    const value = options[name];
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  });
  if (given === undefined) return;
  const told = options[given] === false ? `option \`${given}: false\`` : `option \`${given}\``;
  throw new StatError("BadOption", `${told} does nothing ${why}.`, `Leave ${told} out.`);
}

export const OF_MISSING = ["errors", "unscored"] as const;

const OF_COLUMNS = [
  "byRow",
  "system",
  "item",
  "rater",
  "repeat",
  "cluster",
  "task",
  "time",
  "where",
  "mutate",
] as const;

export const OF_MODELS = ["by", "cut", "ddf"] as const;

/** Options of scores that texts, labels and votes have no use for. */
export function refuseForTexts<T extends Choices>(options: T): void {
  const why = "with references, where sentences are compared";
  const labels = ["gold", "pred", "positive"] as const;
  refuseOptions(
    options,
    [...OF_COLUMNS, ...OF_MODELS, ...OF_MISSING, ...labels, "slice", "unpaired", "higherIsBetter"],
    why,
  );
  refuseModel(options, why);
}

export function refuseModel({ test }: Choices, why: string): void {
  if (test !== "model") return;
  throw new StatError("BadOption", `option \`test: model\` is not for use ${why}.`, "Name another test, or none.");
}
