/** How a result was found, in sentences that stay true when quoted, with the equation and the literature. By the kind of the result and what
 *  it says of itself; a kind without a text has none. */
import { adjustmentName } from "../result/adjustment.ts";
import { formatNumber } from "../result/number-format.ts";
import type { ResultJson } from "../result/result.ts";
import type { ComparisonJson } from "../significance/compare/json.ts";
import type { TestJson } from "../significance/test-result.ts";

export interface Method {
  readonly paragraphs: readonly string[];
  /** In the language of mathml.ts. */
  readonly equations: readonly string[];
  /** Keys of references.ts. */
  readonly references: readonly string[];
}

const MIXED_MODEL = "y = X β + Z u + e , u ~ N ( 0 ; Σ ) , e ~ N ( 0 ; σ^2 )";

type Fields = ResultJson & Readonly<Record<string, unknown>>;

export function methodOf(json: ResultJson): Method | undefined {
  const make = METHODS[json.kind];
  return make?.(json as Fields);
}

const METHODS: Readonly<Record<string, (json: Fields) => Method>> = {
  comparison: (json) => comparisonMethod(json as unknown as ComparisonJson),
  lm: ({ formula, method }) => ({
    paragraphs: [
      `A linear model, ${formula}, fitted by ${method === "WLS" ? "weighted " : ""}least squares; t tests of the coefficients.`,
    ],
    equations: ["y = X β + e , e ~ N ( 0 ; σ^2 )"],
    references: [],
  }),
  glm: ({ formula, family, link }) => ({
    paragraphs: [
      `A generalised linear model, ${formula}, ${family} family with ${link} link, fitted by maximum likelihood.`,
    ],
    equations: ["g ( E ( y ) ) = X β"],
    references: ["mccullagh1989"],
  }),
  lmm: ({ formula, method, ddf }) => ({
    paragraphs: [
      `A linear mixed model, ${formula}, fitted by ${method}${ddf === "none" ? "" : `; degrees of freedom by ${ddf === "kenward-roger" ? "Kenward and Roger’s" : "Satterthwaite’s"} method`}.`,
    ],
    equations: [MIXED_MODEL],
    references: [
      "bates2015",
      ...(ddf === "satterthwaite" ? ["kuznetsova2017"] : ddf === "kenward-roger" ? ["kenward1997"] : []),
    ],
  }),
  glmm: ({ formula, family, link, method }) => ({
    paragraphs: [
      `A generalised linear mixed model, ${formula}, ${family} family with ${link} link; likelihood by ${method === "Laplace" ? "the Laplace approximation" : method}.`,
    ],
    equations: ["g ( E ( y ) ) = X β + Z u , u ~ N ( 0 ; Σ )"],
    references: ["bates2015", "mccullagh1989"],
  }),
  clm: clmMethod,
  clmm: ({ formula, link, method }) => ({
    paragraphs: [
      `A cumulative link mixed model of ordered categories, ${formula}, ${link} link; likelihood by ${method === "Laplace" ? "the Laplace approximation" : method}.`,
    ],
    equations: ["g ( P ( y ≤ k ) ) = θ_k − x β − z u , u ~ N ( 0 ; Σ )"],
    references: ["mccullagh1980", "howcroft2021"],
  }),
  gam: ({ formula, family, link, method }) => ({
    paragraphs: [
      `An additive model, ${formula}, ${family} family with ${link} link; smoothing parameters by ${method}.`,
    ],
    equations: ["g ( E ( y ) ) = X β + sum_j f_j ( x_j )"],
    references: ["wood2011", "wood2017"],
  }),
  emmeans: ({ formula, adjust }) => ({
    paragraphs: [
      `Marginal means of the model ${formula} over a grid of its factors, and their contrasts${adjust === "none" ? "" : `; p-values adjusted by ${adjustmentName(String(adjust))}`}.`,
    ],
    equations: ["m = L β , Var ( m ) = L V L^⊤"],
    references: ["searle1980"],
  }),
  power: ({ method }) => powerMethod(String(method)),
  curve: () => powerMethod(""),
  mde: () => powerMethod(""),
  size: () => powerMethod(""),
  design: () => powerMethod("simulation"),
  agreement: () => ({
    paragraphs: [
      "Observed disagreement is set against the disagreement that chance would give; intervals by a Bayesian bootstrap over items.",
    ],
    equations: ["α = 1 − frac(D_o,D_e)"],
    references: ["krippendorff2019", "cohen1960", "fleiss1971", "gwet2008"],
  }),
  "dawid-skene": () => ({
    paragraphs: [
      "Each item has one true class and each rater confuses classes in a way of their own; maximum likelihood by EM from the label proportions, intervals by draws of the model with Jeffreys' prior.",
    ],
    equations: [],
    references: ["dawid1979"],
  }),
  reliability: () => ({
    paragraphs: [
      "Variance components of a mixed model of the scores; φ is the proportion of the variance of a mean score that is due to the object of measurement.",
    ],
    equations: ["φ = frac(σ_o^2,σ_o^2|+|sum_f|σ_f^2|/|n_f)"],
    references: ["brennan2001", "koo2016", "riezler2021"],
  }),
  ranking: () => ({
    paragraphs: [
      "Rank confidence sets: systems are separated by one-sided tests of all ordered pairs, with a joint critical value and step-down; all sets together hold the true ranks with the stated confidence.",
    ],
    equations: [],
    references: ["mogstad2024", "romano2005"],
  }),
  importance: () => ({
    paragraphs: [
      "Settings of the training as random facets of a mixed model of the scores: the proportion of variance of each says how much it matters.",
    ],
    equations: [MIXED_MODEL],
    references: ["riezler2021"],
  }),
  budget: () => ({
    paragraphs: [
      "Expected best score of a random search with B runs, from the empirical distribution of the scores; intervals by the bootstrap.",
    ],
    equations: ["E = sum_i s_i ( F_i^B − F_i|−|1^B )"],
    references: ["dodge2019"],
  }),
  test: (json) => {
    const { method, ci, test } = json as unknown as TestJson;
    const interval = ci === undefined || Number.isNaN(ci.lower) ? "" : ` Interval: ${ci.method}.`;
    return { paragraphs: [`${method}.${interval}`], equations: [], references: TEST_REFERENCES[test] ?? [] };
  },
  score: ({ metric }) => ({
    paragraphs: [
      `${metric} of the whole set${metric === "bleu" || metric === "chrf" ? ", as sacreBLEU computes it" : ""}.`,
    ],
    equations: [],
    references: metric === "bleu" ? ["papineni2002", "post2018"] : metric === "chrf" ? ["popovic2015", "post2018"] : [],
  }),
  survey: () => ({
    paragraphs: [
      "Each claim is judged by its power for the gain that the other claims predict. Gains are pooled with fixed and with random effects; small studies are set against large ones by Egger’s regression and by Begg and Mazumdar’s rank correlation, and what seems to be missing is filled in by trim and fill.",
    ],
    equations: [],
    references: ["card2020", "egger1997", "begg1994", "duval2000"],
  }),
  looks: ({ spending }) => ({
    paragraphs: [
      "A group-sequential test: the error allowed is spent over the looks, so that all of them together keep to it.",
    ],
    equations: [],
    references: String(spending).startsWith("lan-demets") ? ["lan1983"] : [],
  }),
  circularity: () => ({
    paragraphs: [
      "Additive models of the label over sets of features: is there a set that reproduces the label, and are the effects of the others nothing once it is in the model?",
    ],
    equations: [],
    references: ["riezler2021", "wood2017"],
  }),
  bias: () => ({
    paragraphs: ["The association of each feature with the label within the domain, set against that outside it."],
    equations: [],
    references: ["riezler2021"],
  }),
  "metric-validity": () => ({
    paragraphs: [
      "Correlations of each metric with the human score, within items, of the means of systems and over all outputs; outputs of one item are drawn, swapped or counted together.",
    ],
    equations: [],
    references: [],
  }),
  "judge-check": () => ({
    paragraphs: [
      "A judge's scores against people's labels of the same outputs: agreement with Wilson and bootstrap intervals, the judge's error by system and by level of further columns (Holm), and the alternative annotator test where several people labeled.",
    ],
    equations: [],
    references: ["krippendorff2004"],
  }),
  "judge-correction": () => ({
    paragraphs: [
      "A judge's scores of all outputs, corrected by people's labels of some: pass rates are weighted by the judge's verdicts, with square-and-add limits; other scores and paired differences are corrected by cross-fitted regression on the judge.",
    ],
    equations: ["θ = ( 1 − p ) μ_0 + p μ_1"],
    references: ["angelopoulos2023", "zou2008"],
  }),
  invariance: () => ({
    paragraphs: [
      "The learner is trained and tested again after transformations that the scale of a feature permits; a measurement must not change by them.",
    ],
    equations: [],
    references: ["riezler2021"],
  }),
};

/** Models of steps and effects on the spread have another equation, which their page gives. */
function clmMethod({ formula, link, structure = "cumulative", nominal, scaleFormula }: Fields): Method {
  const cumulative = structure === "cumulative";
  const more = [
    ...(nominal === undefined ? [] : [`effects of ${nominal} on each ${cumulative ? "threshold" : "step"}`]),
    ...(scaleFormula === undefined ? [] : [`effects of ${scaleFormula} on the spread`]),
  ];
  const what = cumulative ? "A cumulative link model" : `A model of ${structure} ratios`;
  return {
    paragraphs: [
      `${what} of ordered categories, ${formula}, ${link} link${more.length === 0 ? "" : `, with ${more.join(" and ")}`}, fitted by maximum likelihood.`,
    ],
    equations: cumulative && more.length === 0 ? ["g ( P ( y ≤ k ) ) = θ_k − x β"] : [],
    references: ["mccullagh1980"],
  };
}

const TEST_REFERENCES: Readonly<Record<string, readonly string[]>> = {
  mcnemar: ["mcnemar1947", "fay2021"],
  friedman: ["demsar2006"],
  equivalence: ["schuirmann1987"],
  "non-inferiority": ["schuirmann1987"],
  cv: ["nadeau2003"],
  "5x2cv": ["dietterich1998", "alpaydin1999"],
  aso: ["dror2019"],
  clark: ["clark2011"],
};

function powerMethod(method: string): Method {
  return {
    paragraphs: [
      "Power is the probability of a significant result of the right sign if the assumptions hold; Type-M is the mean size of a significant difference over the true one, Type-S the proportion of significant results with the wrong sign.",
      ...(method === "simulation"
        ? ["By simulation: experiments are drawn under the assumptions and the planned test is run on each."]
        : []),
    ],
    equations: [],
    references: ["card2020", "gelman2014"],
  };
}

function comparisonMethod({
  model,
  df,
  facets,
  testChoice,
  testDetails,
  adjust,
  pairs,
  equivalence,
  clusters,
  ci,
}: ComparisonJson): Method {
  const adjusted =
    pairs.length > 1 && adjust !== "none"
      ? `p-values of the ${pairs.length} pairs are adjusted by ${adjust === "tukey" ? "Tukey’s method" : adjustmentName(adjust)}.`
      : "";
  const margin = equivalence === undefined ? "" : "Equivalence by two one-sided tests against the margin.";
  const both = [adjusted, margin].filter((text) => text !== "").join(" ");
  const more = [
    ...(adjust === "holm" && pairs.length > 1 ? ["holm1979"] : []),
    ...(equivalence === undefined ? [] : ["schuirmann1987"]),
  ];
  if (model !== undefined) {
    const tested =
      facets === undefined
        ? `tested on ${formatNumber(df, "df")} degrees of freedom`
        : `which must also hold in the ${facets.map(({ label }) => label).join(" and in the ")}: p is the largest, the interval what theirs cover together`;
    return {
      paragraphs: [
        `A linear mixed model of the scores, ${model.formula}; differences of its marginal means between systems, ${tested}.`,
        ...(both === "" ? [] : [both]),
      ],
      equations: [MIXED_MODEL],
      references: ["bates2015", "searle1980", ...more],
    };
  }
  const exact = ci.method.startsWith("exact") || ci.method.startsWith("mid-p");
  return {
    paragraphs: [
      `Test: ${testDetails.label}. Why: ${testChoice} Interval: ${ci.method}.`,
      ...(both === "" ? [] : [both]),
    ],
    equations: [],
    references: [
      "dror2018",
      "miller2024",
      ...(exact ? ["mcnemar1947", "fay2021"] : ci.method === "Tango" ? ["tango1998"] : []),
      ...(clusters === undefined ? [] : ["bell2002"]),
      ...(ci.method.includes("BCa") ? ["efron1987"] : []),
      ...more,
    ],
  };
}
