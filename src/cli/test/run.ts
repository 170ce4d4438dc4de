/** `gosset test <name> …` */

import { column, StatError } from "../../index.ts";
import { parseOptions, TEST } from "../../questions.ts";
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
  type MeanSummary,
  mcnemarTest,
  oneSampleTTest,
  oneWayTest,
  PAIRED_INTERVALS,
  type PairedTable,
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
  twoSampleEquivalenceTest,
  twoSamplePermutationTest,
  twoSampleTTest,
  wilcoxonTest,
  williamsOfColumns,
  williamsTest,
  zTest,
  zTestOfSummaries,
} from "../../tests.ts";
import { suggest } from "../../text.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";
import type { Printing } from "../output.ts";
import { codesOf, parseNumbers, readSamples, type Samples } from "./data.ts";
import {
  type Answer,
  bad,
  choose,
  isPaired,
  makeRequest,
  need,
  needsItem,
  oneNumber,
  pairedOnly,
  type Request,
  refuseIdle,
  refuseInExact,
  resampling,
  two,
} from "./request.ts";
import { runAso, runClark, runCv, runFiveByTwo, runMultiBootstrap, runNested } from "./splits.ts";

export async function run(context: Context<DataOptions>, name: string, data: string | undefined): Promise<void> {
  if (!Object.hasOwn(RUNNERS, name)) {
    const names = Object.keys(RUNNERS);
    throw bad(`no test "${name}".`, suggest(name, names, `There is ${names.join(", ")}; see gosset test --help.`));
  }
  const options = parseOptions(TEST.options, context.options);
  refuseIdle(context, name, options, data);
  const request = makeRequest(name, options, await readSamples(context.load, data, options), context);
  const result = RUNNERS[name]!(request);
  refuseInExact(context, result.method);
  context.print(result, { reading: request.samples.diagnostics, ...nameSamples(name, request.samples) });
}

/** Tests that set a first sample against a second, and are told in words of x and y. */
const OF_TWO: ReadonlySet<string> = new Set(
  "mcnemar permutation bootstrap t z wilcoxon sign rank-sum brunner-munzel ks proportions equivalence non-inferiority cv 5x2cv nested aso clark multi-bootstrap pearson spearman kendall somers".split(
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

function fourCounts(text: string): PairedTable {
  const counts = parseNumbers(text.replaceAll("/", ","), "--table");
  if (counts.length === 4) return counts as unknown as PairedTable;
  throw bad(`--table ${text}: ${counts.length} counts.`, "Write --table bothRight,onlyX,onlyY,neither.");
}

function runMcnemar({ options, common, samples, pair, cluster }: Request): Answer {
  const clusters = cluster();
  if (clusters) {
    const method = choose(options.method, ["obuchowski", "durkalski"], "--method");
    return clusteredMcnemarTest(...pair(), { ...common, clusters, method });
  }
  const table = options.table === undefined ? pairedTable(...pair()) : fourCounts(options.table);
  if (options.table === undefined && !samples.paired && samples.table) throw needsItem();
  const method = choose(options.method, MCNEMAR_METHODS, "--method");
  return mcnemarTest(table, {
    ...common,
    method,
    interval: choose(options.interval, PAIRED_INTERVALS, "--interval"),
  });
}

function runPermutation(request: Request): Answer {
  const { options, samples } = request;
  const method = choose(options.method, ["auto", "exact", "monte-carlo"], "--method");
  const unpaired = options.unpaired === true || (samples.table !== undefined && !samples.paired);
  if (!unpaired) return permutationTest(...request.pair(), { ...resampling(request), method });
  const { clusters, ...rest } = resampling(request);
  if (clusters)
    throw bad(
      "the unpaired permutation test does not support clusters.",
      "Use proportions or a mixed model for clustered groups.",
    );
  return twoSamplePermutationTest(...request.pair(), { ...rest, method });
}

function runT(request: Request): Answer {
  const { options, samples, common, pair, cluster } = request;
  const mu = options.mu ?? 0;
  if (samples.values.length === 1) return oneSampleTTest(samples.values[0]!, { ...common, mu });
  const clusters = cluster();
  if (isPaired(request)) return pairedTTest(...pairedOnly(request), { ...common, mu, clusters });
  return twoSampleTTest(...pair(), { ...common, mu, variances: options.equal ? "equal" : "unequal" });
}

/** Means, numbers of items and standard deviations, as a report gives them. */
function zOfSummaries({ options, common, samples }: Request): Answer {
  if (samples.table !== undefined)
    throw bad("--n counts the items behind means given by --x.", "Leave it or the file out.");
  if (options.y !== undefined || options.paired)
    throw bad("a z test from summary numbers takes both means in --x.", "Write --x 15,18 --n 100,120 --sd 50,48.");
  const means = parseNumbers(need(options.x, "--x", "15"), "--x");
  const n = parseNumbers(options.n!, "--n");
  const sd = need(options.sd, "--sd", "50");
  if (means.length > 2) throw bad(`--x ${options.x}: ${means.length} means.`, "Give one or two.");
  if (n.length !== means.length)
    throw bad(`${means.length} means and ${n.length} numbers of items.`, "Give one --n a mean.");
  if (sd.length !== 1 && sd.length !== means.length)
    throw bad(`${means.length} means and ${sd.length} standard deviations.`, "Give one --sd, or one a mean.");
  const summaries = means.map((mean, i) => ({ mean, n: n[i]!, sd: sd[i] ?? sd[0]! }));
  const mu = options.mu ?? 0;
  return zTestOfSummaries(summaries as [MeanSummary] | [MeanSummary, MeanSummary], { ...common, mu });
}

function runZ(request: Request): Answer {
  const { options, samples, common } = request;
  if (options.n !== undefined) return zOfSummaries(request);
  const [sd] = options.sd ?? [];
  const [x, y] = samples.values.length === 1 ? [samples.values[0]!] : request.pair();
  return zTest(x!, y, {
    ...common,
    mu: options.mu ?? 0,
    paired: isPaired(request),
    sd,
  });
}

function runProportions({ options, common, samples, pair }: Request): Answer {
  const settings = {
    ...common,
    variance: choose(options.method, ["pooled", "unpooled"], "--method"),
    interval: choose(options.interval, DIFFERENCE_INTERVALS, "--interval"),
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
  const proportion = options.mu ?? 0.5;
  const interval = choose(options.interval, BINOMIAL_INTERVALS, "--interval") as BinomialIntervalMethod | undefined;
  const settings = { ...common, proportion, interval };
  if (options.n !== undefined)
    return binomialTest(oneNumber(need(options.x, "--x", "45"), "--x"), oneNumber(options.n, "--n"), settings);
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
  const margin = need(options.margin, "--margin", "0.02");
  // the interval of a test at level α has confidence 1 - 2α
  const settings = { margin, goal: name as "equivalence" | "non-inferiority", alpha: 1 - common.confidence };
  if (options.table !== undefined) return pairedProportionEquivalenceTest(fourCounts(options.table), settings);
  if (options.n !== undefined)
    return proportionEquivalenceTest(two(need(options.x, "--x", "45,56"), "--x"), two(options.n, "--n"), settings);
  const clusters = cluster();
  if (isPaired(request) || (samples.table && samples.paired))
    return pairedEquivalenceTest(...pairedOnly(request), { ...settings, clusters });
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
  return correlationTest(...pair(), { ...common, kind: name as "pearson", method });
}

function runWilliams({ options, common, samples }: Request): Answer {
  if (options.r !== undefined) {
    const r = parseNumbers(options.r, "--r");
    if (r.length !== 3)
      throw bad(`--r ${options.r}: ${r.length} correlations.`, "Write --r r12,r13,r23; 1 is the shared variable.");
    return williamsTest(
      { n: oneNumber(need(options.n, "--n", "50"), "--n"), r12: r[0]!, r13: r[1]!, r23: r[2]! },
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
      interval: choose(request.options.interval, BOOTSTRAP_INTERVALS, "--interval"),
    }),
  t: runT,
  z: runZ,
  wilcoxon: (request) =>
    wilcoxonTest(...pairedOnly(request), {
      ...request.common,
      correct: request.options.correct,
      method: choose(request.options.method, ["auto", "exact", "normal"], "--method"),
      zeros: request.options.zeros,
    }),
  sign: (request) => signTest(...pairedOnly(request), request.common),
  "rank-sum": ({ options, common, pair }) =>
    rankSumTest(...pair(), {
      ...common,
      correct: options.correct,
      method: choose(options.method, ["auto", "exact", "normal"], "--method"),
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
      method: choose(request.options.method, ["chi-square", "f"], "--method"),
    }),
  cochran: (request) => cochranTest(blocks(request), { names: request.samples.names }),
  anova: ({ options, common, samples }) =>
    oneWayTest(samples.values, {
      confidence: common.confidence,
      names: samples.names,
      method: choose(options.method, ["fisher", "welch", "kruskal"], "--method"),
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
  cv: runCv,
  "5x2cv": runFiveByTwo,
  aso: runAso,
  clark: runClark,
  nested: runNested,
  "multi-bootstrap": runMultiBootstrap,
  "partial-conjunction": ({ options, common }) =>
    partialConjunction(parseNumbers(need(options.p, "--p", "0.01,0.03,0.2"), "--p"), {
      alpha: 1 - common.confidence,
      method: choose(options.method, COMBINATIONS, "--method"),
    }),
};
