/** `gosset test <name> …` */

import { column, makeRng, nearest, StatError } from "../../index.ts";
import { BOOTSTRAP_INTERVALS } from "../../resample.ts";
import {
  BINOMIAL_INTERVALS,
  type BinomialIntervalMethod,
  binomialTest,
  bootstrapTest,
  brunnerMunzelTest,
  COMBINATIONS,
  clusteredMcnemarTest,
  clusteredProportionsTest,
  cochranTest,
  correlationTest,
  DIFFERENCE_INTERVALS,
  fisherTest,
  friedmanTest,
  kolmogorovSmirnovTest,
  MCNEMAR_METHODS,
  mcnemarTest,
  oneSampleTTest,
  oneWayTest,
  PAIRED_INTERVALS,
  type PairedTable,
  type PartialConjunction,
  pairedEquivalenceTest,
  pairedProportionEquivalenceTest,
  pairedTable,
  pairedTTest,
  partialConjunction,
  permutationTest,
  proportionEquivalenceTest,
  proportionsTest,
  rankSumTest,
  shapiroTest,
  signTest,
  type TestResult,
  twoSampleEquivalenceTest,
  twoSamplePermutationTest,
  twoSampleTTest,
  wilcoxonTest,
  williamsOfColumns,
  williamsTest,
  zTest,
} from "../../tests.ts";
import type { Context } from "../context.ts";
import { parseCount, parseProbability } from "../options.ts";
import type { Printing } from "../output.ts";
import type { Progress } from "../progress.ts";
import { codesOf, parseNumbers, readSamples, type Samples, type TestCommandOptions } from "./data.ts";

export async function run(context: Context<TestCommandOptions>, name: string, data: string | undefined): Promise<void> {
  const { options, progress } = context;
  if (!Object.hasOwn(RUNNERS, name)) {
    const near = nearest(name, Object.keys(RUNNERS));
    throw bad(
      `no test "${name}".`,
      near === undefined
        ? `There is ${Object.keys(RUNNERS).join(", ")}.`
        : `Did you mean ${near}? See gosset test --help.`,
    );
  }
  const request = makeRequest(name, options, await readSamples(context, data), progress);
  const result = RUNNERS[name]!(request);
  context.print(result, { reading: request.samples.diagnostics, ...nameSamples(name, request.samples) });
}

/** Tests that set a first sample against a second, and are told in words of x and y. */
const OF_TWO: ReadonlySet<string> = new Set(
  "mcnemar permutation bootstrap t z wilcoxon sign rank-sum brunner-munzel ks proportions equivalence non-inferiority pearson spearman kendall somers".split(
    " ",
  ),
);
/** Of these, those whose result has no sign to explain. */
const SYMMETRIC: ReadonlySet<string> = new Set(["ks", "pearson", "spearman", "kendall"]);

/** Which column or system is x, so that a difference can be read. */
function nameSamples(test: string, { names, table }: Samples): Printing {
  if (table === undefined || test === "partial-conjunction") return {};
  const [x, y] = names;
  const rest = SYMMETRIC.has(test) ? "" : "; differences are the first minus the second";
  const told = OF_TWO.has(test) && names.length === 2;
  return { published: { samples: names }, ...(told ? { summary: [`First (x): ${x}; second (y): ${y}${rest}.`] } : {}) };
}

const bad = (message: string, fix: string): StatError => new StatError("BadOption", message, fix);

interface Request {
  readonly name: string;
  readonly options: TestCommandOptions;
  readonly samples: Samples;
  /** Alternative and confidence. */
  readonly common: { readonly alternative: "two-sided" | "greater" | "less"; readonly confidence: number };
  readonly progress: Progress;
  pair(): readonly [Float64Array, Float64Array];
  cluster(): Int32Array | undefined;
}

function makeRequest(name: string, options: TestCommandOptions, samples: Samples, progress: Progress): Request {
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
function choose<const T extends string>(value: string | undefined, choices: readonly T[], flag: string): T | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw bad(`${flag} ${value}: not for this test.`, `Choose one of ${choices.join(", ")}.`);
}

/** A choice as an option of the library, absent if not given. */
function given<const K extends string, const T extends string>(
  key: K,
  value: T | undefined,
): { readonly [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T };
}

function parseNumber(text: string | undefined, flag: string): number | undefined {
  return text === undefined ? undefined : parseNumbers(text, flag)[0];
}

function need(text: string | undefined, flag: string, example: string): string {
  if (text !== undefined) return text;
  throw bad(`this test needs ${flag}.`, `Write for example ${flag} ${example}.`);
}

function fourCounts(text: string): PairedTable {
  const counts = parseNumbers(text.replaceAll("/", ","), "--table");
  if (counts.length === 4) return counts as unknown as PairedTable;
  throw bad(`--table ${text}: ${counts.length} counts.`, "Write --table bothRight,onlyX,onlyY,neither.");
}

function two(text: string, flag: string): [number, number] {
  const values = parseNumbers(text, flag);
  if (values.length === 2) return values as [number, number];
  throw bad(`${flag} ${text}: ${values.length} numbers.`, `Write two, as ${flag} 45,56.`);
}

type Answer = TestResult | PartialConjunction;

function runMcnemar({ options, common, samples, pair, cluster }: Request): Answer {
  const clusters = cluster();
  if (clusters) {
    const method = choose(options.method, ["obuchowski", "durkalski"], "--method");
    return clusteredMcnemarTest(...pair(), { ...common, clusters, ...given("method", method) });
  }
  const table = options.table === undefined ? pairedTable(...pair()) : fourCounts(options.table);
  if (options.table === undefined && !samples.paired && samples.table) throw needsItem();
  const method = choose(options.method, MCNEMAR_METHODS, "--method");
  return mcnemarTest(table, {
    ...common,
    ...given("method", method),
    ...given("interval", choose(options.interval, PAIRED_INTERVALS, "--interval")),
  });
}

const needsItem = (): StatError => bad("pairs need to know which scores belong to one item.", "Add --item <column>.");

function pairedOnly(request: Request): readonly [Float64Array, Float64Array] {
  if (request.samples.table && !request.samples.paired) throw needsItem();
  return request.pair();
}

function resampling({ options, common, progress, cluster }: Request) {
  const clusters = cluster();
  return {
    ...common,
    replicates: parseCount(options.replicates, "--replicates"),
    rng: makeRng(options.seed),
    onProgress: (done: number, of: number) => progress.update("Resampling", done, of),
    ...(clusters ? { clusters } : {}),
  };
}

function runPermutation(request: Request): Answer {
  const { options, samples } = request;
  const method = choose(options.method, ["auto", "exact", "monte-carlo"], "--method");
  const unpaired = options.unpaired === true || (samples.table !== undefined && !samples.paired);
  if (!unpaired) return permutationTest(...request.pair(), { ...resampling(request), ...given("method", method) });
  const { clusters, ...rest } = resampling(request);
  if (clusters)
    throw bad(
      "the unpaired permutation test takes no clusters.",
      "Use proportions or a mixed model for clustered groups.",
    );
  return twoSamplePermutationTest(...request.pair(), { ...rest, ...given("method", method) });
}

const isPaired = ({ options, samples }: Request): boolean =>
  options.paired === true || (samples.paired && options.item !== undefined) || samples.clusters !== undefined;

function runT(request: Request): Answer {
  const { options, samples, common, pair, cluster } = request;
  const mu = parseNumber(options.mu, "--mu") ?? 0;
  if (samples.values.length === 1) return oneSampleTTest(samples.values[0]!, { ...common, mu });
  const clusters = cluster();
  if (isPaired(request))
    return pairedTTest(...pairedOnly(request), { ...common, mu, ...(clusters ? { clusters } : {}) });
  return twoSampleTTest(...pair(), { ...common, mu, variances: options.equal ? "equal" : "unequal" });
}

function runZ(request: Request): Answer {
  const { options, samples, common } = request;
  const sd = parseNumber(options.sd, "--sd");
  const [x, y] = samples.values.length === 1 ? [samples.values[0]!] : request.pair();
  return zTest(x!, y, {
    ...common,
    mu: parseNumber(options.mu, "--mu") ?? 0,
    paired: isPaired(request),
    ...(sd === undefined ? {} : { sd }),
  });
}

function runProportions({ options, common, samples, pair }: Request): Answer {
  const settings = {
    ...common,
    ...given("variance", choose(options.method, ["pooled", "unpooled"], "--method")),
    ...given("interval", choose(options.interval, DIFFERENCE_INTERVALS, "--interval")),
  };
  if (samples.clusters)
    return clusteredProportionsTest(...pair(), { ...settings, clusters: [samples.clusters[0]!, samples.clusters[1]!] });
  if (samples.table === undefined)
    return proportionsTest(
      two(need(options.x, "--x", "45,56"), "--x"),
      two(need(options.n, "--n", "100,100"), "--n"),
      settings,
    );
  const [x, y] = pair();
  const [a, b] = [countHits(x), countHits(y)];
  return proportionsTest([a.hits, b.hits], [a.n, b.n], settings);
}

function countHits(values: Float64Array): { hits: number; n: number } {
  const known = values.filter((v) => !Number.isNaN(v));
  const wrong = known.find((v) => v !== 0 && v !== 1);
  if (wrong !== undefined)
    throw new StatError(
      "NotBinary",
      `${wrong} is neither 0 nor 1.`,
      "Name a column of right (1) and wrong (0) answers.",
    );
  return { hits: known.reduce((sum, v) => sum + v, 0), n: known.length };
}

function runBinomial({ options, common, samples }: Request): Answer {
  const proportion = parseNumber(options.mu, "--mu") ?? 0.5;
  const interval = choose(options.interval, BINOMIAL_INTERVALS, "--interval") as BinomialIntervalMethod | undefined;
  const settings = { ...common, proportion, ...given("interval", interval) };
  if (options.n !== undefined)
    return binomialTest(parseNumber(need(options.x, "--x", "45"), "--x")!, parseNumber(options.n, "--n")!, settings);
  const [first] = samples.values;
  if (first === undefined)
    throw bad("binomial needs counts or a column.", "Write --x 45 --n 100, or a file and --x column.");
  const { hits, n } = countHits(first);
  return binomialTest(hits, n, settings);
}

function runFisher({ options, common, samples }: Request): Answer {
  if (options.table !== undefined)
    return fisherTest(
      options.table.split("/").map((row) => parseNumbers(row, "--table")),
      common,
    );
  const [x, y] = samples.names;
  if (samples.table === undefined || x === undefined || y === undefined)
    throw bad("fisher needs a table.", "Write --table 8,1/2,5, or a file with --x and --y.");
  const [rows, cols] = [codesOf(column(samples.table, x)), codesOf(column(samples.table, y))];
  const largest = (codes: Int32Array): number => codes.reduce((most, code) => Math.max(most, code), 0);
  const counts = Array.from({ length: largest(rows) + 1 }, () => new Array<number>(largest(cols) + 1).fill(0));
  rows.forEach((row, i) => {
    if (row >= 0 && cols[i]! >= 0) counts[row]![cols[i]!]!++;
  });
  return fisherTest(counts, common);
}

function runEquivalence(request: Request): Answer {
  const { name, options, common, samples, pair, cluster } = request;
  const margin = parseNumber(need(options.margin, "--margin", "0.02"), "--margin")!;
  // the interval of a test at level α has confidence 1 - 2α
  const settings = { margin, goal: name as "equivalence" | "non-inferiority", alpha: 1 - common.confidence };
  if (options.table !== undefined) return pairedProportionEquivalenceTest(fourCounts(options.table), settings);
  if (options.n !== undefined)
    return proportionEquivalenceTest(two(need(options.x, "--x", "45,56"), "--x"), two(options.n, "--n"), settings);
  const clusters = cluster();
  if (isPaired(request) || (samples.table && samples.paired))
    return pairedEquivalenceTest(...pairedOnly(request), { ...settings, ...(clusters ? { clusters } : {}) });
  return twoSampleEquivalenceTest(...pair(), settings);
}

function blocks({ name, samples }: Request): number[][] {
  if (samples.values.length < 2)
    throw bad(`${name} needs several systems.`, "Give --columns a,b,c, or --score, --by and --item.");
  if (samples.table && !samples.paired) throw needsItem();
  return Array.from(samples.values[0]!, (_, i) => samples.values.map((values) => values[i]!)).filter((row) =>
    row.every((v) => !Number.isNaN(v)),
  );
}

function runCorrelation({ name, options, common, pair }: Request): Answer {
  const method = choose(options.method, ["auto", "exact", "asymptotic"], "--method");
  return correlationTest(...pair(), { ...common, kind: name as "pearson", ...given("method", method) });
}

function runWilliams({ options, common, samples }: Request): Answer {
  if (options.r !== undefined) {
    const r = parseNumbers(options.r, "--r");
    if (r.length !== 3)
      throw bad(`--r ${options.r}: ${r.length} correlations.`, "Write --r r12,r13,r23; 1 is the shared variable.");
    return williamsTest(
      { n: parseNumber(need(options.n, "--n", "50"), "--n")!, r12: r[0]!, r13: r[1]!, r23: r[2]! },
      common,
    );
  }
  const [a, b, c] = samples.values;
  if (!a || !b || !c)
    throw bad("williams needs three columns or --r and --n.", "Write --columns human,metric1,metric2.");
  return williamsOfColumns([a, b, c], common);
}

const RUNNERS: Readonly<Record<string, (request: Request) => Answer>> = {
  mcnemar: runMcnemar,
  permutation: runPermutation,
  bootstrap: (request) =>
    bootstrapTest(...pairedOnly(request), {
      ...resampling(request),
      ...given("interval", choose(request.options.interval, BOOTSTRAP_INTERVALS, "--interval")),
    }),
  t: runT,
  z: runZ,
  wilcoxon: (request) =>
    wilcoxonTest(...pairedOnly(request), {
      ...request.common,
      correct: request.options.correct,
      ...given("method", choose(request.options.method, ["auto", "exact", "normal"], "--method")),
      ...given("zeros", choose(request.options.zeros, ["wilcoxon", "pratt", "split"], "--zeros")),
    }),
  sign: (request) => signTest(...pairedOnly(request), request.common),
  "rank-sum": ({ options, common, pair }) =>
    rankSumTest(...pair(), {
      ...common,
      correct: options.correct,
      ...given("method", choose(options.method, ["auto", "exact", "normal"], "--method")),
    }),
  "brunner-munzel": ({ common, pair }) => brunnerMunzelTest(...pair(), common),
  ks: ({ pair }) => kolmogorovSmirnovTest(...pair()),
  proportions: runProportions,
  binomial: runBinomial,
  fisher: runFisher,
  equivalence: runEquivalence,
  "non-inferiority": runEquivalence,
  friedman: (request) =>
    friedmanTest(blocks(request), {
      confidence: request.common.confidence,
      names: request.samples.names,
      ...given("method", choose(request.options.method, ["chi-square", "f"], "--method")),
    }),
  cochran: (request) => cochranTest(blocks(request), { names: request.samples.names }),
  anova: ({ options, common, samples }) =>
    oneWayTest(samples.values, {
      confidence: common.confidence,
      names: samples.names,
      ...given("method", choose(options.method, ["fisher", "welch", "kruskal"], "--method")),
    }),
  pearson: runCorrelation,
  spearman: runCorrelation,
  kendall: runCorrelation,
  somers: runCorrelation,
  williams: runWilliams,
  shapiro: ({ samples }) => {
    if (samples.values.length !== 1) throw bad("shapiro takes one sample.", "Give --x.");
    return shapiroTest(samples.values[0]!);
  },
  "partial-conjunction": ({ options, common }) =>
    partialConjunction(parseNumbers(need(options.p, "--p", "0.01,0.03,0.2"), "--p"), {
      alpha: 1 - common.confidence,
      ...given("method", choose(options.method, COMBINATIONS, "--method")),
    }),
};
