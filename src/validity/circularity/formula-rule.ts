/** Labels that are computed from numbers: a weighted sum of features, of their products, a product of powers, the largest or the
 *  smallest of some. Every feature enters at once, so that no candidate is left out; those that are not needed then go.
 *    sum       y = a + Σ b_j x_j                       (classes by their levels)
 *    products  y = a + Σ b_j x_j + Σ c_jk x_j x_k      (squares among them)
 *    powers    y = a Π x_j^b_j                         (through logarithms; products and ratios of any number)
 *    largest, smallest of features                     (through the features that the label is equal to)
 *  Coefficients are those that give most rows (robust-fit.ts): a rule for part of the rows is not bent by the rest.
 *  Oracle:    rules planted in simulated labels, rules.test.ts.
 *  Limits:    functions of sums (logarithms, roots, shares of a total) are not sought. Products of more than two features only as
 *             powers, and pairs only among as many features as the rows carry. */
import { formatNumber } from "../../result/number-format.ts";
import {
  d2Of,
  type FoundRule,
  holdOut,
  numericScatter,
  pick,
  type RuleFeature,
  type RuleKind,
  spreadRows,
} from "./found-rule.ts";
import { givenRows, halfUnit, type LabelScale, ROUNDING, shareOf } from "./label-scale.ts";
import { fitRobustly } from "./robust-fit.ts";

/** Rows for each coefficient. */
const ROWS_PER_TERM = 4;
/** Features whose pairs are multiplied. */
export const MOST_PRODUCT_FEATURES = 12;
/** Terms that contribute less than this share of the label's spread are tried without. */
const SMALL_TERM = 0.02;
/** A formula that gives fewer rows is not looked at further. */
const LEAST_SHARE = 0.3;
/** What the rule may lose for being shorter. */
const SHORTER = 0.002;
/** Most that the decimals of the features may blur a sum, as a share of the label's spread. */
const MOST_BLUR = 0.01;

interface Term {
  readonly name: string;
  readonly values: Float64Array;
  /** Places of the features in it. */
  readonly of: readonly number[];
}

export interface SoughtRules {
  readonly rules: readonly FoundRule[];
  /** The kinds that were looked for, found or not. */
  readonly sought: readonly RuleKind[];
}

export function findFormulaRules(label: string, y: Float64Array, { features, scale }: RuleRequest): SoughtRules {
  const mains = features.flatMap((feature, f) => mainTerms(feature, f));
  const rules: FoundRule[] = [];
  const sought: RuleKind[] = [];
  const tryOne = (kinds: readonly RuleKind[], find: () => FoundRule | undefined): void => {
    if (rules.some(({ share }) => share === 1)) return;
    sought.push(...kinds);
    const rule = find();
    if (rule !== undefined) rules.push(rule);
  };
  tryOne(["copy", "largest of features", "smallest of features"], () => extremeRule(label, y, { features, scale }));
  // half a unit of two classes is a cut, for which there are rules of their own
  if (scale.grades.length === 2) return { rules, sought };
  if (enough(y, mains)) tryOne(["sum"], () => linearRule("sum", label, y, { terms: mains, features, scale }));
  const logs = powerTerms(y, features);
  if (logs.length > 0) tryOne(["powers"], () => powerRule(label, y, { features, scale, terms: logs }));
  const products = productTerms(features, y.length, mains.length);
  if (products.length > 0) {
    tryOne(["products"], () => linearRule("products", label, y, { terms: [...mains, ...products], features, scale }));
  }
  return { rules, sought };
}

interface RuleRequest {
  readonly features: readonly RuleFeature[];
  readonly scale: LabelScale;
}

const enough = (y: Float64Array, terms: readonly Term[]): boolean => y.length >= ROWS_PER_TERM * (terms.length + 1);

function mainTerms({ name, column }: RuleFeature, f: number): Term[] {
  if (column.kind === "numeric") return [{ name, values: column.values, of: [f] }];
  return column.levels.slice(1).map((level, l) => ({
    name: `[${name} = ${level}]`,
    values: Float64Array.from(column.codes, (code) => (code === l + 1 ? 1 : 0)),
    of: [f],
  }));
}

/** Of the first features, as many as the rows carry. */
export function productFeatures(features: readonly RuleFeature[], rows: number, mains: number): number[] {
  const numeric = Array.from(features.keys()).filter((f) => features[f]!.column.kind === "numeric");
  let count = Math.min(MOST_PRODUCT_FEATURES, numeric.length);
  while (count > 0 && ROWS_PER_TERM * (mains + (count * (count + 1)) / 2 + 1) > rows) count -= 1;
  return numeric.slice(0, count);
}

function productTerms(features: readonly RuleFeature[], rows: number, mains: number): Term[] {
  const some = productFeatures(features, rows, mains);
  const valuesOf = (f: number): Float64Array => {
    const { column } = features[f]!;
    return column.kind === "numeric" ? column.values : new Float64Array();
  };
  return some.flatMap((a, i) =>
    some.slice(i).map((b): Term => {
      const [u, v] = [valuesOf(a), valuesOf(b)];
      const name = a === b ? `${features[a]!.name}²` : `${features[a]!.name} × ${features[b]!.name}`;
      return { name, values: u.map((value, k) => value * v[k]!), of: a === b ? [a] : [a, b] };
    }),
  );
}

interface LinearRequest extends RuleRequest {
  readonly terms: readonly Term[];
}

interface Weighted {
  readonly terms: readonly Term[];
  readonly intercept: number;
  readonly slopes: Float64Array;
}

function linearRule(
  kind: RuleKind,
  label: string,
  y: Float64Array,
  { terms, features, scale }: LinearRequest,
): FoundRule | undefined {
  const all = fitTerms(y, terms, { scale, rows: spreadRows(y.length) });
  if (all === undefined) return undefined;
  const own = round(y, shorten(y, all, scale), scale);
  if (own.terms.length === 0) return undefined;
  const wide = scale.grades.length > 0 ? scale : { ...scale, tolerance: toleranceOf(own, features, scale) };
  const told = tell(own);
  const share = shareOf(givenNumbers(y, told, wide));
  if (share < LEAST_SHARE) return undefined;
  const teller = (from: Int32Array, to: Int32Array): Float64Array => {
    const some = fitTerms(y, own.terms, { scale, rows: pick32(from, spreadRows(from.length)) });
    return some === undefined ? new Float64Array(to.length).fill(Number.NaN) : pick(tell(some), to);
  };
  return {
    kind,
    features: [...new Set(own.terms.flatMap(({ of }) => of))].sort((a, b) => a - b).map((f) => features[f]!.name),
    words: [`${label} = ${wordsOf(own)}.`],
    share,
    ...holdOut(y, numbers(wide), teller),
    scatter: numericScatter(y, told, wide),
    scatterBy: "rounding",
  };
}

const pick32 = (values: Int32Array, rows: Int32Array): Int32Array => rows.map((i) => values[i]!);

/** A formula gives a number: grades are met by rounding to their unit, not by lying nearer to one than to another. */
const numbers = (scale: LabelScale): LabelScale => ({ ...scale, grades: [] });

const givenNumbers = (y: Float64Array, told: Float64Array, scale: LabelScale): Uint8Array =>
  givenRows(y, told, numbers(scale));

function fitTerms(
  y: Float64Array,
  terms: readonly Term[],
  { scale, rows }: { readonly scale: LabelScale; readonly rows: Int32Array },
): Weighted | undefined {
  const columns = terms.map(({ values }) => pick(values, rows));
  const fit = fitRobustly(columns, pick(y, rows), scale.tolerance);
  return fit === undefined ? undefined : { terms, ...fit };
}

function tell({ terms, intercept, slopes }: Weighted): Float64Array {
  const n = terms[0]?.values.length ?? 0;
  const told = new Float64Array(n).fill(intercept);
  terms.forEach(({ values }, t) => {
    for (let i = 0; i < n; i++) told[i]! += slopes[t]! * values[i]!;
  });
  return told;
}

/** Without the terms that add little, if what is left gives as many rows. */
function shorten(y: Float64Array, all: Weighted, scale: LabelScale): Weighted {
  const size = all.terms.map(({ values }, t) => Math.abs(all.slopes[t]!) * spreadOf(values));
  const shareOfFit = (own: Weighted): number => shareOf(givenNumbers(y, tell(own), scale));
  const full = shareOfFit(all);
  for (const bound of [SMALL_TERM, ROUNDING]) {
    const kept = all.terms.filter((_, t) => size[t]! > bound * scale.sd);
    if (kept.length === all.terms.length) continue;
    if (kept.length === 0) return { ...all, terms: [] };
    const shorter = fitTerms(y, kept, { scale, rows: spreadRows(y.length) });
    if (shorter !== undefined && shareOfFit(shorter) >= full - SHORTER) return shorter;
  }
  return all;
}

/** Digits that a person might have written. */
const WRITTEN = [1, 2, 3];

/** With the coefficients in few digits, if these give more rows: a rounded label leaves them a little off. */
function round(y: Float64Array, own: Weighted, scale: LabelScale): Weighted {
  const shareOfFit = (some: Weighted): number => shareOf(givenNumbers(y, tell(some), scale));
  if (own.terms.length === 0) return own;
  const before = shareOfFit(own);
  if (before === 1) return own;
  const size = own.slopes.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
  for (const digits of WRITTEN) {
    const unit = 10 ** (Math.ceil(Math.log10(size)) - digits);
    const short = (value: number): number => Number((Math.round(value / unit) * unit).toPrecision(12));
    const written = { ...own, slopes: own.slopes.map(short), intercept: short(own.intercept) };
    if (shareOfFit(written) > before) return written;
  }
  return own;
}

function spreadOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Features that were rounded after the label was made from them blur it by half a unit each. */
function toleranceOf(
  { terms, slopes }: Weighted,
  features: readonly RuleFeature[],
  { tolerance, sd }: LabelScale,
): number {
  // and coefficients found from n rounded labels are off by a share of the rounding
  const estimated = tolerance * (1 + 2 * Math.sqrt(terms.length / terms[0]!.values.length));
  const blur = terms.reduce((sum, { values, of }, t) => {
    const unit = halfUnit(values);
    const decimal = of.length === 1 && features[of[0]!]!.column.kind === "numeric" && unit < 0.5;
    return sum + (decimal ? Math.abs(slopes[t]!) * unit : 0);
  }, 0);
  return Math.max(estimated, Math.min(estimated + blur, MOST_BLUR * sd));
}

/** The shortest number that is the coefficient but for rounding. */
function tidy(value: number, size: number): number {
  for (let digits = 1; digits <= 6; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.abs(short - value) <= 1e-6 * size) return short;
  }
  return value;
}

const MOST_WORDS = 12;

function wordsOf({ terms, intercept, slopes }: Weighted): string {
  const size = slopes.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
  const parts = terms.slice(0, MOST_WORDS).map(({ name }, t) => {
    const slope = tidy(slopes[t]!, size);
    const sign = slope < 0 ? "- " : t === 0 ? "" : "+ ";
    return `${sign}${Math.abs(slope) === 1 ? "" : `${formatNumber(Math.abs(slope))} `}${name}`;
  });
  const spread = terms.reduce((sum, { values }, t) => sum + Math.abs(slopes[t]!) * spreadOf(values), 0);
  const level = Math.abs(intercept) <= 1e-6 * spread ? 0 : tidy(intercept, Math.abs(intercept));
  const more = terms.length > MOST_WORDS ? [`+ ${terms.length - MOST_WORDS} more terms`] : [];
  const end = level === 0 ? [] : [`${level < 0 ? "- " : "+ "}${formatNumber(Math.abs(level))}`];
  return [...parts, ...more, ...end].join(" ");
}

/** Logarithms of sizes; none where the label or too few rows forbid them. */
function powerTerms(y: Float64Array, features: readonly RuleFeature[]): Term[] {
  if (y.some((value) => value === 0)) return [];
  const terms = features.flatMap(({ name, column }, f): Term[] => {
    if (column.kind !== "numeric" || column.values.some((value) => value === 0)) return [];
    return [{ name, values: column.values.map((value) => Math.log(Math.abs(value))), of: [f] }];
  });
  return enough(y, terms) ? terms : [];
}

/** y = a Π x_j^b_j: linear in logarithms of sizes; the signs must follow, too. */
function powerRule(label: string, y: Float64Array, { features, scale, terms }: LinearRequest): FoundRule | undefined {
  const logs = y.map((value) => Math.log(Math.abs(value)));
  const own = { ...scale, sd: spreadOf(logs), tolerance: ROUNDING * spreadOf(logs) };
  // decimals of the label are as many shares of it as it is large
  const typical = scale.tolerance / Math.exp(logs.slice().sort()[Math.floor(y.length / 2)]!);
  const blurred = { ...own, tolerance: Math.max(own.tolerance, typical) };
  const toldBy = (some: Weighted): Float64Array => powersTold(some, features);
  const all = fitTerms(logs, terms, { scale: blurred, rows: spreadRows(y.length) });
  if (all === undefined) return undefined;
  const kept = terms.filter((_, t) => Math.abs(all.slopes[t]!) > 0.05);
  const fit = kept.length === 0 ? undefined : fitTerms(logs, kept, { scale: blurred, rows: spreadRows(y.length) });
  if (fit === undefined) return undefined;
  const told = toldBy(fit);
  if (shareOf(givenNumbers(y, told, scale)) < LEAST_SHARE) return undefined;
  const teller = (from: Int32Array, to: Int32Array): Float64Array => {
    const some = fitTerms(logs, kept, { scale: blurred, rows: pick32(from, spreadRows(from.length)) });
    return some === undefined ? new Float64Array(to.length).fill(Number.NaN) : pick(toldBy(some), to);
  };
  return {
    kind: "powers",
    features: kept.map(({ name }) => name),
    words: [`${label} = ${powerWords(fit, told, y)}.`],
    share: shareOf(givenNumbers(y, told, scale)),
    ...holdOut(y, numbers(scale), teller),
    scatter: numericScatter(y, told, scale),
    scatterBy: "rounding",
  };
}

/** Whole exponents carry signs; others need positive features. */
function powersTold({ terms, intercept, slopes }: Weighted, features: readonly RuleFeature[]): Float64Array {
  const scale = Math.exp(intercept);
  const exponents = Array.from(slopes, (slope) =>
    Math.abs(slope - Math.round(slope)) < 1e-3 ? Math.round(slope) : slope,
  );
  const n = terms[0]!.values.length;
  return Float64Array.from({ length: n }, (_, i) =>
    terms.reduce((product, { of }, t) => {
      const { column } = features[of[0]!]!;
      return product * (column.kind === "numeric" ? column.values[i]! ** exponents[t]! : 1);
    }, scale),
  );
}

function powerWords({ terms, intercept, slopes }: Weighted, told: Float64Array, y: Float64Array): string {
  const factor = tidy(Math.exp(intercept), Math.exp(intercept));
  const parts = terms.map(({ name }, t) => {
    const power = tidy(slopes[t]!, 1);
    return power === 1 ? name : `${name}^${formatNumber(power)}`;
  });
  const sign = d2Of(y, told) < 0 ? "± " : "";
  return `${sign}${factor === 1 ? "" : `${formatNumber(factor)} × `}${parts.join(" × ")}`;
}

/** Share of rows equal to a feature from which it may be one of those that the largest is taken of. */
const LEAST_EQUAL = 0.02;

function extremeRule(label: string, y: Float64Array, { features, scale }: RuleRequest): FoundRule | undefined {
  const numeric = features.filter(({ column }) => column.kind === "numeric");
  const valuesOf = ({ column }: RuleFeature): Float64Array =>
    column.kind === "numeric" ? column.values : new Float64Array();
  const near = ROUNDING * scale.sd;
  const equalIn = (feature: RuleFeature, rows: Int32Array): boolean =>
    rows.reduce((sum, i) => sum + (Math.abs(valuesOf(feature)[i]! - y[i]!) <= near ? 1 : 0), 0) >=
    LEAST_EQUAL * rows.length;
  const all = Int32Array.from(y.keys());
  const some = numeric.filter((feature) => equalIn(feature, all));
  if (some.length === 0) return undefined;
  const tried = (["largest of features", "smallest of features"] as const).map((kind) => {
    const told = extremeTold(some.map(valuesOf), kind);
    return { kind, told, share: shareOf(givenNumbers(y, told, { ...scale, tolerance: near })) };
  });
  const best = tried[1]!.share > tried[0]!.share ? tried[1]! : tried[0]!;
  const teller = (from: Int32Array, to: Int32Array): Float64Array => {
    const own = some.filter((feature) => equalIn(feature, from));
    return own.length === 0
      ? new Float64Array(to.length).fill(Number.NaN)
      : pick(extremeTold(own.map(valuesOf), best.kind), to);
  };
  if (best.share < LEAST_SHARE) return undefined;
  const names = some.map(({ name }) => name);
  const strict = { ...scale, tolerance: near };
  return {
    kind: some.length === 1 ? "copy" : best.kind,
    features: names,
    words: [
      some.length === 1
        ? `${label} is ${names[0]}.`
        : `${label} is the ${best.kind === "largest of features" ? "largest" : "smallest"} of ${names.join(", ")}.`,
    ],
    share: best.share,
    ...holdOut(y, numbers(strict), teller),
    // a miss by one unit of the last decimal is no exception but noise
    scatter: numericScatter(y, best.told, scale),
    scatterBy: "rounding",
  };
}

function extremeTold(columns: readonly Float64Array[], kind: RuleKind): Float64Array {
  const pickOne = kind === "largest of features" ? Math.max : Math.min;
  return Float64Array.from(columns[0]!, (_, i) =>
    columns.reduce((best, values) => pickOne(best, values[i]!), columns[0]![i]!),
  );
}
