/** What every test of the command line starts from: its samples, its common options, and how its flags are read. */
import { makeRng, StatError } from "../../index.ts";
import { parseCount, parseProbability } from "../../questions.ts";
import type { PartialConjunction, TestResult } from "../../tests.ts";
import type { Context } from "../context.ts";
import { DATA_FLAGS, nameOf } from "../flags.ts";
import type { Progress } from "../progress.ts";
import { parseNumbers, type Samples, type TestCommandOptions } from "./data.ts";

export type Answer = TestResult | PartialConjunction;

export const bad = (message: string, fix: string): StatError => new StatError("BadOption", message, fix);

export interface Request {
  readonly name: string;
  readonly options: TestCommandOptions;
  readonly samples: Samples;
  /** Alternative and confidence. */
  readonly common: { readonly alternative: "two-sided" | "greater" | "less"; readonly confidence: number };
  readonly progress: Progress;
  pair(): readonly [Float64Array, Float64Array];
  cluster(): Int32Array | undefined;
}

export function makeRequest(name: string, options: TestCommandOptions, samples: Samples, progress: Progress): Request {
  return {
    name,
    options,
    samples,
    common: { alternative: options.alternative, confidence: parseProbability(options.confidence, "--confidence") },
    progress,
    pair() {
      const [x, y] = samples.values;
      if (x === undefined || y === undefined)
        throw bad(`${name} needs two samples.`, "Give --x and --y, or --score with --by.");
      if (samples.values.length > 2)
        throw bad(`${name} compares two systems, not ${samples.names.join(", ")}.`, "Name two with --systems a,b.");
      samples.values.forEach((values, i) => {
        if (values.length === 0) throw bad(`${samples.names[i]} has no numbers.`, "Name a column of numbers.");
      });
      return [x, y];
    },
    cluster: () => samples.clusters?.[0],
  };
}

/** One of a test's own choices of a flag. */
export function choose<const T extends string>(
  value: string | undefined,
  choices: readonly T[],
  flag: string,
): T | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw bad(`${flag} ${value}: not for this test.`, `Choose one of ${choices.join(", ")}.`);
}

/** A choice as an option of the library, absent if not given. */
export function given<const K extends string, const T extends string>(
  key: K,
  value: T | undefined,
): { readonly [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T };
}

export function parseNumber(text: string | undefined, flag: string): number | undefined {
  return text === undefined ? undefined : parseNumbers(text, flag)[0];
}

export function need(text: string | undefined, flag: string, example: string): string {
  if (text !== undefined) return text;
  throw bad(`this test needs ${flag}.`, `Write for example ${flag} ${example}.`);
}

export function two(text: string, flag: string): [number, number] {
  const values = parseNumbers(text, flag);
  if (values.length === 2) return values as [number, number];
  throw bad(`${flag} ${text}: ${values.length} numbers.`, `Write two, as ${flag} 45,56.`);
}

export const needsItem = (): StatError => bad("paired tests need the item of each score.", "Add --item <column>.");

export function pairedOnly(request: Request): readonly [Float64Array, Float64Array] {
  if (request.samples.table && !request.samples.paired) throw needsItem();
  return request.pair();
}

export function resampling({ options, common, progress, cluster }: Request) {
  const clusters = cluster();
  return {
    ...common,
    replicates: parseCount(options.replicates, "--replicates"),
    rng: makeRng(options.seed),
    onProgress: (done: number, of: number) => progress.update("Resampling", done, of),
    ...(clusters ? { clusters } : {}),
  };
}

export const isPaired = ({ options, samples }: Request): boolean =>
  options.paired === true || (samples.paired && options.item !== undefined) || samples.clusters !== undefined;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const PAIRS =
  "mcnemar permutation bootstrap t z wilcoxon sign equivalence non-inferiority cv clark multi-bootstrap pearson spearman kendall somers";

/** Flags that only some tests read; with any other test they are refused, since they would change nothing. */
const READ_BY: Readonly<Partial<Record<keyof TestCommandOptions, ReadonlySet<string>>>> = {
  table: words("mcnemar fisher equivalence non-inferiority"),
  n: words("binomial proportions equivalence non-inferiority williams z"),
  nTrain: words("cv"),
  nTest: words("cv"),
  run: words("clark multi-bootstrap nested"),
  fold: words("nested"),
  left: words("nested"),
  threshold: words("aso"),
  r: words("williams"),
  p: words("partial-conjunction"),
  paired: words(PAIRS),
  unpaired: words("permutation"),
  equal: words("t"),
  zeros: words("wilcoxon"),
  sd: words("z"),
  mu: words("t z binomial nested"),
  margin: words("equivalence non-inferiority"),
  interval: words("mcnemar proportions binomial bootstrap multi-bootstrap"),
  cluster: words("mcnemar permutation bootstrap t proportions equivalence non-inferiority clark multi-bootstrap"),
};

const RESAMPLED = words("permutation bootstrap multi-bootstrap clark aso");
const CORRECTED = words("wilcoxon rank-sum");
const WITH_METHODS = words(
  "mcnemar permutation proportions pearson spearman kendall somers wilcoxon rank-sum friedman anova partial-conjunction 5x2cv",
);

const WITHOUT_SIDES = words("ks friedman cochran anova shapiro");

const PAIRED_BY_ITEM: ReadonlySet<string> = new Set("t z permutation bootstrap wilcoxon sign".split(" "));
const PAIRS_ONLY: ReadonlySet<string> = new Set(["mcnemar", "cv", "5x2cv"]);

/** Flags that an exact test has no use for, which only the data decide. */
export function refuseInExact({ refuse }: Context<TestCommandOptions>, method: string): void {
  if (/exact/i.test(method)) refuse(["--replicates", "--no-correct"], `in an exact test (${method})`);
}

/** Flags with a default, and those that another one makes idle. */
export function refuseIdle(
  { options, refuse }: Context<TestCommandOptions>,
  name: string,
  data: string | undefined,
): void {
  if (!RESAMPLED.has(name)) refuse(["--replicates"], `in ${name}, which uses no random replicates`);
  if (!CORRECTED.has(name)) refuse(["--no-correct"], `in ${name}`);
  const table = DATA_FLAGS.map(nameOf);
  if (data === undefined) refuse([...table, "--item", "--systems"], "without a file");
  else if (options.score !== undefined || options.by !== undefined)
    refuse(["--x", "--y", "--columns"], "with --score and --by, which define the samples");
  else if (options.columns !== undefined) refuse(["--x", "--y"], "beside --columns");
  if (!WITH_METHODS.has(name)) refuse(["--method"], `in ${name}`);
  if (WITHOUT_SIDES.has(name)) refuse(["--alternative"], `in ${name}, which has no one-sided version`);
  if (name === "t" && (options.paired || options.item !== undefined || options.cluster !== undefined))
    refuse(["--equal"], "in a paired t test");
  if (options.table !== undefined) refuse(["--x", "--y", "--paired"], "beside --table");
  if (PAIRED_BY_ITEM.has(name) && options.item !== undefined && options.score !== undefined)
    refuse(["--paired"], "with --item, which defines the pairs");
  if (PAIRS_ONLY.has(name)) refuse(["--paired"], `in ${name}, which is a paired test`);
  if (data !== undefined && options.score === undefined && options.x !== undefined)
    refuse(["--item", "--systems"], "with --x and --y, whose rows are the pairs");
  if (name === "proportions" && data === undefined) refuse(["--y"], "in proportions, whose counts are in --x and --n");
}

export function checkFlags(name: string, options: TestCommandOptions): void {
  for (const [key, tests] of Object.entries(READ_BY)) {
    if (options[key as keyof TestCommandOptions] === undefined || tests.has(name)) continue;
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw bad(`${flag} has no effect in ${name}.`, `Leave it out; it is for ${[...tests].join(", ")}.`);
  }
}
