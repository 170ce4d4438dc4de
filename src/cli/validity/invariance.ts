/** `gosset validity invariance <train> --test <file> --label y --scales "id=nominal"` */
import {
  type InvarianceOptions,
  type InvarianceResult,
  LEARNERS,
  type LearnerName,
  type Loss,
  makeRng,
  parseScales,
  testInvariance,
} from "../../index.ts";
import { parseCount, parseProbability, splitNames } from "../../questions.ts";
import type { PAdjustment } from "../../tests.ts";
import type { Context } from "../context.ts";
import type { GlobalOptions, ReadOptions } from "../options.ts";
import { commandWords, parseSeconds, withLearnerCommand } from "./learner-process.ts";

interface InvarianceCommandOptions extends GlobalOptions, ReadOptions {
  readonly test: string;
  readonly label: string;
  readonly scales: string;
  readonly features: readonly string[];
  readonly learner: string;
  readonly timeout: string;
  readonly transforms?: string;
  readonly loss?: Loss;
  readonly cluster?: string;
  readonly alpha: string;
  readonly confidence: string;
  readonly adjust: PAdjustment;
  readonly where: readonly string[];
  readonly mutate: readonly string[];
}

export async function run(context: Context<InvarianceCommandOptions>, data: string): Promise<void> {
  const { options, progress } = context;
  const given = libraryOptions(options);
  const builtIn = (LEARNERS as readonly string[]).includes(options.learner);
  if (builtIn) context.refuse(["--timeout"], `with the learner ${options.learner}, which is no command`);
  const words = builtIn ? [] : commandWords(options.learner);
  const timeout = 1000 * parseSeconds(options.timeout);
  const train = await context.load(data);
  const test = await context.load(options.test);
  const library: InvarianceOptions = {
    ...given,
    rng: makeRng(options.seed),
    onProgress: (done, of) => progress.update("Fitting", done, of),
  };
  const withLearner = (learner: NonNullable<InvarianceOptions["learner"]>): Promise<InvarianceResult> =>
    testInvariance(train, test, { ...library, learner, learnerName: options.learner });
  const result = builtIn
    ? await withLearner(options.learner as LearnerName)
    : await withLearnerCommand({ words, timeout, label: options.label }, withLearner);
  context.print(result);
}

/** Checked before any file is read. */
function libraryOptions(options: InvarianceCommandOptions): Omit<InvarianceOptions, "rng" | "onProgress" | "learner"> {
  const { label, transforms, loss, cluster, adjust } = options;
  const features = splitNames(options.features, "--features");
  return {
    label,
    scales: parseScales(options.scales),
    adjust,
    alpha: parseProbability(options.alpha, "--alpha"),
    confidence: parseProbability(options.confidence, "--confidence"),
    ...(features.length === 0 ? {} : { features }),
    ...(transforms === undefined ? {} : { transforms: parseCount(transforms, "--transforms") }),
    ...(loss === undefined ? {} : { loss }),
    ...(cluster === undefined ? {} : { cluster }),
  };
}
