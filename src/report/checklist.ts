/** What a result answers of the checklists that papers are submitted with: the items on statistics of NeurIPS and of ACL Rolling Review.
 *  By the kind of the result and what it says of itself; what only the authors know is named, never guessed.
 *  Limits: an answer is of this one result. A kind that reports no uncertainty of its own (plans, descriptions) has no answers. */

import { count, join, level } from "../plot/figures/words.ts";
import type { AgreementJson } from "../reliability/agreement/coefficients-json.ts";
import { adjustmentName } from "../result/adjustment.ts";
import { type ResultJson, reviveResult } from "../result/result.ts";
import type { ComparisonJson } from "../significance/compare/json.ts";
import type { TestJson } from "../significance/test-result.ts";
import { typedCommand } from "./command.ts";
import { methodOf } from "./method.ts";
import { decidingTest } from "./sentences.ts";

export interface ChecklistAnswer {
  /** "NeurIPS paper checklist, item 7". */
  readonly item: string;
  readonly question: string;
  /** Sentences that this result supports. */
  readonly answer: readonly string[];
  /** What the result cannot answer. */
  readonly open: readonly string[];
}

const NEURIPS_7 = {
  item: "NeurIPS paper checklist, item 7",
  question:
    "Does the paper report error bars suitably and correctly defined or other appropriate information about the statistical significance of the experiments?",
};
const ARR_C2 = {
  item: "ARR responsible NLP checklist, C2",
  question:
    "Did you discuss the experimental setup, including hyperparameter search and best-found hyperparameter values?",
};
const ARR_C3 = {
  item: "ARR responsible NLP checklist, C3",
  question:
    "Did you report descriptive statistics about your results (e.g., error bars around results, summary statistics from sets of experiments), and is it transparent whether you are reporting the max, mean, etc. or just a single run?",
};
const ARR_C4 = {
  item: "ARR responsible NLP checklist, C4",
  question:
    "If you used existing packages (e.g., for preprocessing, for normalization, or for evaluation), did you report the implementation, model, and parameter settings used?",
};

type Fields = ResultJson & Readonly<Record<string, unknown>>;

/** What is said of a result; a part that it cannot say is absent. */
interface Facts {
  /** Which error bars and tests there are, and how they were computed. */
  readonly bars: readonly string[];
  /** What varies in them, and what is assumed of it. */
  readonly factors: readonly string[];
  /** What the numbers reported are: means, of how many. */
  readonly reported: readonly string[];
  readonly open: readonly string[];
}

/** Of a stored result: the object or text that `toJSON()` or `--json` gave. Empty where the result supports no item. */
export function checklistOf(result: unknown): ChecklistAnswer[] {
  const { display, ...own } = reviveResult(result);
  return checklistAnswers({ ...own, display: display() } as unknown as ResultJson);
}

export function checklistAnswers(json: ResultJson): ChecklistAnswer[] {
  if (json.kind === "budget") return [budgetAnswer(json as Fields), packagesAnswer(json)];
  const facts = FACTS[json.kind]?.(json as Fields);
  if (facts === undefined) return [];
  const { bars, factors, reported, open } = facts;
  return [
    { ...NEURIPS_7, answer: [...bars, ...factors], open: [...open, OTHER_EXPERIMENTS] },
    ...(reported.length === 0 ? [] : [{ ...ARR_C3, answer: [...reported, ...bars.slice(0, 1)], open: [CHOSEN] }]),
    packagesAnswer(json),
  ];
}

const OTHER_EXPERIMENTS = "This is one result: other experiments behind the paper's main claims need their own answer.";
const CHOSEN = "Whether what was measured had been picked as the best of several runs, settings or checkpoints.";
const NO_RUNS =
  "How much another training run or checkpoint would change the scores: no variation between runs is in these intervals.";

/** Rows that no column names may be items or runs. */
const ROWS_OF_RUNS =
  "What the rows are: variation between runs is in these intervals only if each row is a training run, seed or decoding of its own.";

function packagesAnswer({ version, seed, command, ...own }: ResultJson): ChecklistAnswer {
  const typed = typedCommand(command);
  const signature = typeof own.signature === "string" ? [`Signature of the metric: ${own.signature}.`] : [];
  return {
    ...ARR_C4,
    answer: [
      `The statistics were computed with Gosset ${version}${seed === undefined ? "" : `, seed ${seed}`}${typed === "" ? "" : `: ${typed}`}.`,
      ...signature,
    ],
    open: ["Every other package: what produced the outputs and scores."],
  };
}

const FACTS: Readonly<Record<string, (json: Fields) => Facts | undefined>> = {
  comparison: (json) => comparisonFacts(json as unknown as ComparisonJson),
  // the partial conjunction is a test without an effect
  test: (json) => (json["ci"] === undefined ? undefined : testFacts(json as unknown as TestJson)),
  ...Object.fromEntries(["lm", "glm", "lmm", "glmm", "clm", "clmm", "gam"].map((kind) => [kind, fitFacts])),
  emmeans: emmeansFacts,
  lrt: (json) => ({
    bars: ["A p-value is reported for nested models, no interval."],
    factors: [`The p-value takes the ${count(Number(json["nobs"]), "rows")} as the larger model describes them.`],
    reported: [],
    open: ["What the rows are: items, raters, runs or seeds."],
  }),
  agreement: (json) => agreementFacts(json as unknown as AgreementJson),
  reliability: reliabilityFacts,
  totals: totalsFacts,
  score: scoreFacts,
};

const CONFIDENCE = "The error bars are confidence intervals, not standard deviations or standard errors.";

function comparisonFacts(json: ComparisonJson): Facts {
  const { pairs, ci, adjust, systems, model, scope, repeated, n, units, metric, flips, paired, facets, testDetails } =
    json;
  const adjusted =
    pairs.length > 1 && adjust !== "none" ? `, adjusted over ${pairs.length} pairs (${adjustmentName(adjust)})` : "";
  const own = systems.some(({ lower }) => lower !== undefined) ? "; each score has an interval of its own" : "";
  const methods = [...new Set(pairs.map((pair) => pair.ci.method))];
  const varies = repeated.filter(({ facet }) => scope.includes(facet));
  const drawn = varies.map(({ facet, levels }) =>
    facet === "runs"
      ? `up to ${count(levels, "runs")} of each system`
      : count(levels, facet === "items" ? units : facet),
  );
  // what lies in clusters is independent only from cluster to cluster
  const alone = varies
    .filter(({ facet }) => facet !== "items" || !scope.includes("clusters"))
    .map(({ facet }) => (facet === "items" ? units : facet));
  // samples of their own that nothing repeats: the rows of each system
  if (drawn.length === 0) drawn.push(count(n, units));
  if (alone.length === 0) alone.push(units);
  const tests = facets === undefined ? "" : ", each in a test of its own: the interval is the widest and p the largest";
  const whole = model === undefined ? (flips === undefined ? `the ${metric} of all` : "means over the") : "";
  const runs = varies.find(({ facet }) => facet === "runs");
  return {
    bars: [
      `${pairs.length === 1 ? "The difference has" : "Each difference has"} a ${level(ci.level)} confidence interval (${methods.join("; ")}) and a p-value (${decidingTest(json)}${adjusted})${own}.`,
      CONFIDENCE,
    ],
    factors: [
      `They cover the drawing of ${join(drawn)}${tests}. The systems ${paired ? `share the ${units}` : "are analyzed as independent samples"}.`,
      model === undefined
        ? `Assumed: the ${join(alone)} are independent of each other and like those that the claim is about${testDetails.name === "permutation" ? "; without a difference, the systems' scores could be swapped" : ""}.`
        : `Assumed: Normal random effects and residuals of the model ${model.formula}.`,
    ],
    reported: [
      model === undefined
        ? `The scores are ${whole} ${count(n, units)}${runs === undefined ? "" : `, over up to ${count(runs.levels, "runs")} of each system`}; none is a maximum over the rows given.`
        : `The scores are means of the model ${model.formula} on ${count(n, units)}; none is a maximum over the rows given.`,
    ],
    open:
      runs === undefined
        ? [paired || units !== "rows" ? NO_RUNS : ROWS_OF_RUNS]
        : ["Whether the runs differ in what the claim is about (seeds, splits, prompts)."],
  };
}

/** Tests whose values are known to be correlated, or whose unit is no single value. */
const DEPENDENT = new Set([
  "cv",
  "5x2cv",
  "clark",
  "multi-bootstrap",
  "aso",
  "partial-conjunction",
  "williams",
  "cochran",
]);

function testFacts({ method, ci, effect, n, test, alternative }: TestJson): Facts {
  const has = Number.isFinite(ci.lower) || Number.isFinite(ci.upper);
  const side = alternative === "two-sided" ? "two-sided" : "one-sided";
  return {
    bars: [
      has
        ? `The ${effect.name} has a ${level(ci.level)} confidence interval (${ci.method}) and a ${side} p-value (${method}).`
        : `A ${side} p-value is reported (${method}), no interval.`,
      ...(has ? [CONFIDENCE] : []),
    ],
    factors: [
      `They cover the drawing of the ${count(n, "values")} given (in a paired test: pairs).`,
      ...(DEPENDENT.has(test)
        ? []
        : ["Assumed: the values, or the pairs of a paired test, are independent of each other."]),
    ],
    reported: [],
    open: ["What the values are: items, raters, runs, seeds or splits."],
  };
}

const NORMAL = new Set(["lm", "lmm"]);

function fitFacts(json: Fields): Facts {
  const { kind, nobs, family, robust } = json;
  const groups = (json["random"] ?? []) as readonly { readonly group: string; readonly levels: number }[];
  const { cluster, confidence = 0.95 } = optionsOf(json) as { readonly cluster?: string; readonly confidence?: number };
  const drawn = [...new Map(groups.map(({ group, levels }) => [group, levels])).entries()];
  const rows = count(Number(nobs), "rows");
  const assumed = [
    ...(robust === undefined && (NORMAL.has(kind) || family === "gaussian") ? ["Normal errors"] : []),
    ...(drawn.length > 0 ? ["Normal random effects"] : []),
    cluster === undefined
      ? `rows that are independent of each other${drawn.length > 0 ? " given the random effects" : ""}`
      : `clusters (${cluster}) that are independent of each other`,
  ];
  return {
    bars: [
      `Each coefficient has a ${level(confidence)} confidence interval, a standard error and a p-value.`,
      methodOf(json)?.paragraphs[0] ?? `${json.display.title}.`,
    ],
    factors: [
      `They cover the drawing of ${join([rows, ...drawn.map(([group, levels]) => `${levels} levels of ${group}`)])}.`,
      `Assumed: ${join(assumed)}.`,
    ],
    reported: [],
    open: ["What the rows are: items, raters, runs or seeds."],
  };
}

const optionsOf = ({ signature }: ResultJson): object => (signature as { readonly options?: object }).options ?? {};

function emmeansFacts(json: Fields): Facts {
  const { adjust, confidence, nobs, formula } = json;
  return {
    bars: [
      `Each mean and each contrast has a ${level(Number(confidence))} confidence interval, each contrast a p-value${adjust === "none" ? "" : ` adjusted by ${adjustmentName(String(adjust))}`}.`,
      CONFIDENCE,
    ],
    factors: [`They are those of the model ${formula} of ${count(Number(nobs), "rows")}, and assume what it assumes.`],
    reported: [`The means are marginal means of the model ${formula}; none is a maximum over the rows given.`],
    open: ["What the rows are: items, raters, runs or seeds."],
  };
}

function agreementFacts({ alpha, ci, items, raters, unnamed, cluster }: AgreementJson): Facts | undefined {
  if (Number.isNaN(alpha.lower)) return undefined;
  return {
    bars: [`Each coefficient of agreement has a ${level(ci.level)} interval (${ci.method}).`],
    factors: [
      `They cover the drawing of ${count(items, "items")}; the ${unnamed ? "raters" : count(raters.length, "raters")} are considered fixed.`,
      cluster === undefined
        ? "Assumed: the items are independent of each other."
        : `Assumed: clusters (${cluster}) that are independent of each other.`,
    ],
    reported: [],
    open: ["How far other raters would agree."],
  };
}

function reliabilityFacts(json: Fields): Facts | undefined {
  const { phiCi, object, facets } = json as unknown as {
    readonly phiCi?: { readonly lower: number; readonly level: number; readonly method: string };
    readonly object: string;
    readonly facets: readonly string[];
  };
  if (phiCi === undefined || Number.isNaN(phiCi.lower)) return undefined;
  return {
    bars: [`φ has a ${level(phiCi.level)} interval (${phiCi.method}).`],
    factors: [
      `It covers the drawing of ${join([object, ...facets].map((name) => `levels of ${name}`))} as the mixed model describes it, with Normal effects.`,
    ],
    reported: [],
    open: [],
  };
}

function totalsFacts(json: Fields): Facts {
  const { confidence, adjust, simultaneous, pairs } = json as unknown as {
    readonly confidence: number;
    readonly adjust: string;
    readonly simultaneous: boolean;
    readonly pairs: readonly unknown[];
  };
  return {
    bars: [
      `Each score and each difference has a ${level(confidence)} confidence interval from the spread that the file gives${simultaneous ? ", simultaneous for the differences" : ""}; p-values${adjust === "none" || pairs.length < 2 ? "" : ` adjusted over ${pairs.length} pairs (${adjustmentName(adjust)})`}.`,
      CONFIDENCE,
    ],
    factors: ["Assumed: the totals are near Normal, and the systems independent samples."],
    reported: [],
    open: ["What the file's standard errors, deviations or counts cover: items, runs or seeds."],
  };
}

function scoreFacts(json: Fields): Facts | undefined {
  const { systems, metric } = json as unknown as {
    readonly metric: string;
    readonly systems: readonly { readonly n: number; readonly ci?: { lower: number; level: number; method: string } }[];
  };
  const cis = systems.flatMap(({ ci }) => (ci === undefined || Number.isNaN(ci.lower) ? [] : [ci]));
  if (cis.length === 0) return undefined;
  const sizes = [...new Set(systems.map(({ n }) => n))];
  return {
    bars: [
      `Each score has a ${level(cis[0]!.level)} confidence interval (${[...new Set(cis.map((ci) => ci.method))].join("; ")}).`,
      CONFIDENCE,
    ],
    factors: [
      `They cover the drawing of the items (${sizes.join(", ")} of a system), which are assumed to be independent of each other.`,
      "Intervals of two systems say little about their difference; that is a comparison.",
    ],
    reported: [`The scores are the ${metric} of all items of a system; none is a maximum over the rows given.`],
    open: [NO_RUNS],
  };
}

function budgetAnswer(json: Fields): ChecklistAnswer {
  const { confidence = 0.95 } = optionsOf(json) as { readonly confidence?: number };
  return {
    ...ARR_C2,
    answer: [
      `The expected best score by the number of runs of a random search is reported with ${level(confidence)} bootstrap intervals over the configurations tried.`,
    ],
    open: ["Bounds and sampling of each hyperparameter, and the best values found."],
  };
}

/** As lines of plain text. */
export function checklistText(answers: readonly ChecklistAnswer[]): string {
  return answers
    .map(({ item, question, answer, open }) =>
      [
        `${item}. ${question}`,
        ...answer.map((text) => `  ${text}`),
        ...(open.length === 0 ? [] : ["  Not answered by this result:", ...open.map((text) => `  - ${text}`)]),
      ].join("\n"),
    )
    .join("\n\n");
}
