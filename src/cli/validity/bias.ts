/** `gosset validity bias <data> --label gold --domain source` */
import { type BiasInterval, type BiasOptions, makeRng, StatError, testBias } from "../../index.ts";
import { parseCount, parseNumber, parseProbability, splitNames } from "../../questions.ts";
import type { PAdjustment } from "../../tests.ts";
import type { Context } from "../context.ts";
import type { GlobalOptions, ReadOptions } from "../options.ts";

interface BiasCommandOptions extends GlobalOptions, ReadOptions {
  readonly label: string;
  readonly domain: string;
  readonly pred?: string;
  readonly in?: string;
  readonly outDomains: readonly string[];
  readonly features: readonly string[];
  readonly premise?: string;
  readonly hypothesis?: string;
  readonly text?: string;
  readonly ngrams?: string;
  readonly minCount?: string;
  readonly smoothing?: string;
  readonly positive?: string;
  readonly measure: "auto" | "nmi";
  readonly interval: BiasInterval;
  readonly constant: "undefined" | "zero";
  readonly cluster?: string;
  readonly threshold: string;
  readonly replicates: string;
  readonly alpha: string;
  readonly confidence: string;
  readonly adjust: PAdjustment;
  readonly where: readonly string[];
  readonly mutate: readonly string[];
}

export async function run(context: Context<BiasCommandOptions>, data: string): Promise<void> {
  const { options, progress } = context;
  const given = libraryOptions(options);
  const table = await context.load(data);
  const result = testBias(table, {
    ...given,
    rng: makeRng(options.seed),
    onProgress: (done, of) => progress.update("Resampling", done, of),
  });
  context.print(result);
}

/** Checked before the file is read. */
function libraryOptions(options: BiasCommandOptions): BiasOptions {
  const { label, domain, measure, interval, constant, adjust, pred, premise, hypothesis, text, ngrams } = options;
  if ((premise === undefined) !== (hypothesis === undefined)) {
    const [given, lacks] = premise === undefined ? ["--hypothesis", "--premise"] : ["--premise", "--hypothesis"];
    throw new StatError("BadOption", `${given} without ${lacks}.`, "Features of a pair need both texts.");
  }
  const counting = { "--ngrams": ngrams, "--min-count": options.minCount, "--smoothing": options.smoothing };
  const [counted] = Object.entries(counting).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (counted !== undefined && text === undefined && hypothesis === undefined) {
    throw new StatError("BadOption", `${counted}: n-grams of which text?`, "Name it with --text.");
  }
  const features = splitNames(options.features, "--features");
  const outDomains = splitNames(options.outDomains, "--out-domains");
  const optional = { premise, hypothesis, text, predicted: pred, inDomain: options.in, positive: options.positive };
  const present = Object.entries({ ...optional, cluster: options.cluster }).filter(([, value]) => value !== undefined);
  return {
    label,
    domain,
    measure,
    interval,
    constant,
    adjust,
    threshold: parseThreshold(options.threshold),
    alpha: parseProbability(options.alpha, "--alpha"),
    confidence: parseProbability(options.confidence, "--confidence"),
    replicates: parseCount(options.replicates, "--replicates"),
    ...(features.length === 0 ? {} : { features }),
    ...(outDomains.length === 0 ? {} : { outDomains }),
    ...(counted !== undefined || text !== undefined ? { ngrams: ngramOptions(options) } : {}),
    ...Object.fromEntries(present),
  };
}

function parseThreshold(text: string): number {
  const value = parseNumber(text, "--threshold");
  if (value >= 0 && value <= 2) return value;
  throw new StatError(
    "BadOption",
    `--threshold ${text}: correlations differ by 0 to 2.`,
    "Write for example --threshold 0.1.",
  );
}

function ngramOptions({ ngrams, minCount, smoothing }: BiasCommandOptions): NonNullable<BiasOptions["ngrams"]> {
  const added = smoothing === undefined ? undefined : parseNumber(smoothing, "--smoothing");
  if (added !== undefined && added < 0) {
    throw new StatError("BadOption", `--smoothing ${smoothing}: below 0.`, "Write for example --smoothing 1.");
  }
  return {
    ...(ngrams === undefined ? {} : { longest: parseCount(ngrams, "--ngrams") }),
    ...(minCount === undefined ? {} : { fewest: parseCount(minCount, "--min-count") }),
    ...(added === undefined ? {} : { smoothing: added }),
  };
}
