/** What every test of the command line starts from: its samples, its common options, and how its flags are read. */
import { makeRng, StatError } from "../../index.ts";
import { refuseAlone, refuseUnused, TEST } from "../../questions.ts";
import type { PartialConjunction, TestResult } from "../../tests.ts";
import type { Context } from "../context.ts";
import { DATA_FLAGS, nameOf } from "../flags.ts";
import type { DataOptions } from "../options.ts";
import type { Progress } from "../progress.ts";
import { parseNumbers, type Samples, type TestOptions } from "./data.ts";

export type Answer = TestResult | PartialConjunction;

export const bad = (message: string, fix: string): StatError => new StatError("BadOption", message, fix);

export interface Request {
  readonly name: string;
  readonly options: TestOptions;
  readonly seed: string;
  readonly samples: Samples;
  /** Alternative and confidence. */
  readonly common: { readonly alternative: "two-sided" | "greater" | "less"; readonly confidence: number };
  readonly progress: Progress;
  pair(): readonly [Float64Array, Float64Array];
  cluster(): Int32Array | undefined;
}

export function makeRequest(
  name: string,
  options: TestOptions,
  samples: Samples,
  { progress, options: { seed } }: Pick<Context<DataOptions>, "progress" | "options">,
): Request {
  const { alternative = "two-sided", confidence = 0.95 } = options;
  return {
    ...{ name, options, samples, seed },
    common: { alternative, confidence },
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

/** A text that is one number. */
export const oneNumber = (text: string, flag: string): number => parseNumbers(text, flag)[0]!;

export function need<T>(value: T | undefined, flag: string, example: string): T {
  if (value !== undefined) return value;
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

export function resampling({ options, seed, common, progress, cluster }: Request) {
  const clusters = cluster();
  return {
    ...common,
    replicates: options.replicates ?? 10_000,
    rng: makeRng(seed),
    onProgress: (done: number, of: number) => progress.update("Resampling", done, of),
    clusters,
  };
}

export const isPaired = ({ options, samples }: Request): boolean =>
  options.paired === true || (samples.paired && options.item !== undefined) || samples.clusters !== undefined;

const PAIRED_BY_ITEM: ReadonlySet<string> = new Set("t z permutation bootstrap wilcoxon sign".split(" "));

/** Flags that an exact test has no use for, which only the data decide. */
export function refuseInExact({ refuse }: Context<DataOptions>, method: string): void {
  if (/exact/i.test(method)) refuse(["--replicates", "--no-correct"], `in an exact test (${method})`);
}

/** Flags that this test has no use for, or that another one makes idle; those of a long file say where the samples are. */
export function refuseIdle({ refuse }: Context<DataOptions>, name: string, options: TestOptions, data?: string): void {
  refuseUnused(TEST, options, name);
  if (data === undefined) refuse([...DATA_FLAGS.map(nameOf), "--item", "--systems"], "without a file");
  if (data === undefined && name === "proportions") refuse(["--y"], "in proportions, whose counts are in --x and --n");
  refuseAlone(TEST.options, options);
  const { item, score, x, paired, cluster } = options;
  if (name === "t" && (paired || item !== undefined || cluster !== undefined))
    refuse(["--equal"], "in a paired t test");
  if (PAIRED_BY_ITEM.has(name) && item !== undefined && score !== undefined)
    refuse(["--paired"], "with --item, which defines the pairs");
  if (data !== undefined && score === undefined && x !== undefined)
    refuse(["--item", "--systems"], "with --x and --y, whose rows are the pairs");
}
