/** What a result says, in the sentence that a paper would print. By the kind of the result; a kind without one has none. */

import type { PlanJson } from "../plan/check.ts";
import { count, formatP, interval, level, percentOf, say, styleFor, write } from "../plot/figures/words.ts";
import type { AgreementJson } from "../reliability/agreement/coefficients-json.ts";
import type { ResultJson, Signature } from "../result/result.ts";
import { isRefused, isVerdictWord } from "../result/verdict.ts";
import type { ComparisonJson } from "../significance/compare/json.ts";
import type { LrtJson } from "../significance/nested/nested.ts";
import type { TestJson } from "../significance/test-result.ts";
import { methodOf } from "./method.ts";

type Fields = ResultJson & Readonly<Record<string, unknown>>;

export const sentenceOf = (json: ResultJson): string | undefined => SENTENCES[json.kind]?.(json as Fields);

const summary = ({ display: { summary: lines = [], title } }: Fields): string =>
  lines.length === 0 ? `${title.replace(/\.$/, "")}.` : lines.join(" ");

const SENTENCES: Readonly<Record<string, (json: Fields) => string>> = {
  comparison: (json) => comparisonSentence(json as unknown as ComparisonJson),
  // the partial conjunction is a test without an effect
  test: (json) => (json["ci"] === undefined ? summary(json) : testSentence(json as unknown as TestJson)),
  lrt: (json) => lrtSentence(json as unknown as LrtJson),
  agreement: (json) => agreementSentence(json as unknown as AgreementJson),
  ...Object.fromEntries(["lm", "glm", "lmm", "glmm", "clm", "clmm", "gam"].map((kind) => [kind, fitSentence])),
  ...Object.fromEntries(["power", "mde", "size", "curve"].map((kind) => [kind, powerSentence])),
  emmeans: emmeansSentence,
  plan: planSentence,
  ranking: (json) => `${json.display.title} ${summary(json)}`,
  ...Object.fromEntries(
    "reliability dawid-skene importance budget score totals design dev history no-prior from-outputs circularity bias invariance metric-validity judge-correction judge-check judge-sample judge-plan judge-next judge-audit"
      .split(" ")
      .map((kind) => [kind, summary]),
  ),
};

/** The verdict rests on the test that says least, which of several pairs need not be the same. */
export function decidingTest({ testDetails, facets = [], pairs }: ComparisonJson): string {
  const tests = [testDetails, ...facets];
  if (pairs.length > 1 && facets.length > 0) return `the largest of ${tests.map(({ label }) => label).join(" and ")}`;
  return tests.reduce((most, own) => (own.p > most.p ? own : most)).label;
}

/** Its own paragraph, without what a program could be told, and the verdict in the words of its screen; where there is none, the paragraph
 *  has said so. */
function comparisonSentence(json: ComparisonJson): string {
  const { statement: said, verdict, alpha, headline, reason, pairs, units } = json;
  // the shares of a pair are of its own battles, those of the table of all battles of a system
  const statement =
    units === "battles" && pairs.length > 1
      ? said.replace(/ on the same ([\d\s]+) battles/, " in the $1 battles between them")
      : said;
  const whole = pairs.length > 1 ? "Of the systems compared the two best are set against each other. " : "";
  const told = isRefused(verdict) || reason !== undefined;
  return `${whole}${statement}${told ? "" : ` At α = ${alpha}, ${inProse(headline, pairs)}`}`;
}

/** Verdicts in small letters, as prose writes them; names stay as they are. */
function inProse(headline: string, pairs: ComparisonJson["pairs"]): string {
  const names = new Set(pairs.flatMap(({ a, b }) => [a, b]));
  return headline.replace(/\b[A-Z]{5,}\b/g, (word) =>
    isVerdictWord(word) && !names.has(word) ? word.toLowerCase() : word,
  );
}

/** What a preregistration says, and the hash that shows it unchanged. */
function planSentence(json: Fields): string {
  const { preregistration, hash, power, study } = json as unknown as PlanJson;
  const seen = Number.isFinite(power)
    ? ` The power for that difference is ${percentOf(power, 1)}${study === undefined ? "" : ", by simulation of the whole study"}.`
    : "";
  return `${preregistration.join(" ")}${seen} The plan has the SHA-256 ${hash.slice(0, 16)}….`;
}

function testSentence({
  method,
  statisticName,
  statistic,
  df,
  p,
  effect,
  ci,
  n,
  alternative,
  samples,
}: TestJson): string {
  const degrees = df === undefined ? "" : `(${[df].flat().map(say).join(", ")})`;
  const style = styleFor([(ci.upper - ci.lower) / 4, effect.se].filter(Number.isFinite));
  const bounds = Number.isNaN(ci.lower)
    ? ""
    : ` (${level(ci.level)} interval ${interval(ci.lower, ci.upper, style)}, ${ci.method})`;
  const of = samples === undefined ? "" : ` of ${samples.join(" and ")}`;
  const side = alternative === "two-sided" ? "two-sided" : `one-sided, ${alternative}`;
  const seen = Number.isNaN(effect.estimate) ? "" : ` The ${effect.name} is ${write(effect.estimate, style)}${bounds}.`;
  const found = Number.isNaN(statistic)
    ? ""
    : `${statisticName}${degrees} = ${say(Number(statistic.toPrecision(4)))}, `;
  return `${method}${of}, n = ${n}: ${found}${formatP(p)} (${side}).${seen}`;
}

function lrtSentence({ models, chisq, df, p, fTest, nobs }: LrtJson): string {
  const [less, more] = [models[0]!.formula, models.at(-1)!.formula];
  const found =
    fTest === undefined
      ? `χ²(${say(df)}) = ${say(chisq)}, ${formatP(p)}`
      : `F(${say(fTest.df1)}, ${say(fTest.df2)}) = ${say(fTest.statistic)}, ${formatP(fTest.p)}`;
  return `Of ${nobs} rows, the model ${more} was compared with ${less}: ${found}.`;
}

function agreementSentence({ alpha, ratings, items, raters, unnamed, ci }: AgreementJson): string {
  const who = unnamed ? "" : ` by ${count(raters.length, "raters")}`;
  const bounds = Number.isNaN(alpha.lower)
    ? ""
    : ` (${level(ci.level)} interval ${interval(alpha.lower, alpha.upper, TWO)}, ${ci.method})`;
  const value = Number.isNaN(alpha.value) ? "undefined" : write(alpha.value, TWO);
  return `Krippendorff's α (${alpha.scale}) of ${count(ratings, "labels")} of ${count(items, "items")}${who} is ${value}${bounds}.`;
}

const TWO = { percent: false, decimals: 2 };

interface Effect {
  readonly term: string;
  readonly estimate: number;
  readonly se: number;
  readonly p: number;
  readonly lower: number;
  readonly upper: number;
}

/** Effects named in a sentence. */
const MOST_EFFECTS = 3;

function fitSentence(json: Fields): string {
  const {
    fixed,
    nobs,
    smooths = [],
    signature,
  } = json as unknown as {
    readonly fixed: readonly Effect[];
    readonly nobs: number;
    readonly smooths?: readonly { readonly term: string; readonly edf: number; readonly p: number }[];
    readonly signature: Signature<{ readonly confidence?: number }>;
  };
  const effects = fixed.filter(({ term }) => term !== "(Intercept)").slice(0, MOST_EFFECTS);
  const style = styleFor(effects.map(({ se }) => se));
  const { confidence } = signature.options;
  const at = confidence === undefined ? "" : `${level(confidence)} `;
  const told = [
    ...effects.map(
      ({ term, estimate, lower, upper, p }) =>
        `${term} ${write(estimate, style)} (${at}interval ${interval(lower, upper, style)}, ${formatP(p)})`,
    ),
    ...smooths
      .slice(0, MOST_EFFECTS)
      .map(({ term, edf, p }) => `${term} with ${edf.toFixed(1)} effective df, ${formatP(p)}`),
  ];
  const method = methodOf(json)?.paragraphs[0] ?? `${json.display.title}.`;
  return `${method} ${count(nobs, "rows")}.${told.length === 0 ? "" : ` ${told.join("; ")}.`}`;
}

function emmeansSentence(json: Fields): string {
  const { contrasts, confidence } = json as unknown as {
    readonly contrasts: readonly (Omit<Effect, "term"> & { readonly contrast: string })[];
    readonly confidence: number;
  };
  const shown = contrasts.slice(0, MOST_EFFECTS);
  const style = styleFor(shown.map(({ se }) => se));
  const told = shown.map(
    ({ contrast, estimate, lower, upper, p }) =>
      `${contrast} ${write(estimate, style)} (${level(confidence)} interval ${interval(lower, upper, style)}, ${formatP(p)})`,
  );
  const method = methodOf(json)?.paragraphs[0] ?? `${json.display.title}.`;
  return told.length === 0 ? method : `${method} ${told.join("; ")}.`;
}

/** The answer, and everything that it assumes. */
function powerSentence(json: Fields): string {
  const { parameters, title, points } = json as unknown as {
    readonly parameters: readonly {
      readonly name: string;
      readonly value: string | number;
      readonly meaning: string;
    }[];
    readonly title: string;
    readonly points?: readonly { readonly at: Readonly<Record<string, number>>; readonly power: number }[];
  };
  const assumed = parameters.map(
    ({ meaning, value }) => `${meaning.split(/[:;]/)[0]} (${typeof value === "number" ? say(value) : value})`,
  );
  return `${points === undefined ? summary(json) : curveSentence(points)} Planned for ${title}, with ${assumed.join(", ")}.`;
}

function curveSentence(
  points: readonly { readonly at: Readonly<Record<string, number>>; readonly power: number }[],
): string {
  const tell = ({ at, power }: (typeof points)[number]): string =>
    `${say(Number(power.toFixed(3)))} at ${Object.entries(at)
      .map(([name, value]) => `${name} = ${say(value)}`)
      .join(", ")}`;
  return points.length === 1
    ? `Power is ${tell(points[0]!)}.`
    : `Power goes from ${tell(points[0]!)} to ${tell(points.at(-1)!)}.`;
}
