/** Reliability coefficients from variance components, for any number of raters, repetitions, seeds …
 *
 *      φ        = σ_s² / (σ_s² + σ_Δ²),   σ_Δ² = Σ_t σ_t² / n_t + σ_res² / Π n_f            (Definition 3.2)
 *      relative = σ_s² / (σ_s² + σ_δ²),   σ_δ² only with the terms that contain the object, and the residual
 *      intra_f  = (σ_s² + σ_sf²) / (σ_s² + σ_sf² + Σ_g σ_fg² + σ_res²)                       (3.18)
 *      inter_f  = (σ_s² + Σ_g σ_sg²) / (σ_s² + Σ_g σ_sg² + σ_sf² + σ_res²)                   (3.19)
 *
 *  n_t is the product of the numbers n_f of the facets in t; s the object, f the facet in question, g the others.
 *  Reference: Riezler & Hagmann (2021), eq. 3.11, 3.12, 3.18, 3.19; Brennan (2001), ch. 4; Koo & Li (2016), J. Chiropr. Med. 15.
 *  Oracle:    oracle/papers/riezler2021.json, Tables 3.1 and 3.2 and Figure 3.3, to 1e-8.
 *  Limits:    crossed decision designs: every object under every combination. */
import type { FacetTerm } from "./facet-terms.ts";

/** How many levels of each facet a score is averaged over; 1 where a facet is not named. */
export type FacetNumbers = Readonly<Record<string, number>>;

type Terms = readonly Pick<FacetTerm, "facets" | "object" | "order">[];

/** Weights of the components in the error variances, in the order of the terms, then the residual; 0 for the object's own. */
export interface ErrorWeights {
  /** Place of the object's component; -1 without one. */
  readonly object: number;
  readonly absolute: Float64Array;
  readonly relative: Float64Array;
}

/** `within`: what the scores of an object come from in the one-way layout. */
export function errorWeights(terms: Terms, numbers: FacetNumbers = {}, within?: string): ErrorWeights {
  const k = terms.length;
  const [absolute, relative] = [new Float64Array(k + 1), new Float64Array(k + 1)];
  const main = terms.filter((term) => !term.object && term.order === 1);
  const product = (some: typeof main): number => some.reduce((n, term) => n * numberOf(term.facets, numbers), 1);
  terms.forEach((term, t) => {
    if (term.object && term.order === 1) return;
    absolute[t] = 1 / product(main.filter((own) => own.facets.some((f) => term.facets.includes(f))));
    if (term.object) relative[t] = absolute[t]!;
  });
  absolute[k] = relative[k] = 1 / (product(main) * (within === undefined ? 1 : (numbers[within] ?? 1)));
  return { object: terms.findIndex((term) => term.object && term.order === 1), absolute, relative };
}

/** Merged facets are varied together: a number given for any of their names, or for all, stands for all. */
const numberOf = (aliases: readonly string[], numbers: FacetNumbers): number => {
  for (const name of aliases) if (numbers[name] !== undefined) return numbers[name];
  return numbers[aliases.join(" = ")] ?? 1;
};

export function phiOf(variances: ArrayLike<number>, { object, absolute }: ErrorWeights): number {
  return shareOf(variances, object, absolute);
}

export function relativeOf(variances: ArrayLike<number>, { object, relative }: ErrorWeights): number {
  return shareOf(variances, object, relative);
}

function shareOf(variances: ArrayLike<number>, object: number, weights: Float64Array): number {
  if (object < 0) return Number.NaN;
  let error = 0;
  for (let t = 0; t < weights.length; t++) error += weights[t]! * variances[t]!;
  return variances[object]! / (variances[object]! + error);
}

export interface RaterForms {
  readonly facet: string;
  readonly intra: number;
  readonly inter: number;
}

/** The forms of every facet, as the book gives them for raters. */
export function raterForms(terms: readonly FacetTerm[], variances: ArrayLike<number>): RaterForms[] {
  const residual = variances[terms.length]!;
  const sum = (test: (term: FacetTerm) => boolean): number =>
    terms.reduce((total, term, t) => (test(term) ? total + variances[t]! : total), 0);
  return terms
    .filter((term) => !term.object && term.order === 1)
    .map((facet) => {
      const has = (term: FacetTerm): boolean => term.facets.some((f) => facet.facets.includes(f));
      const object = sum((term) => term.object && term.order === 1);
      const withObject = sum((term) => term.object && term.order === 2 && has(term));
      const othersWithObject = sum((term) => term.object && term.order === 2 && !has(term));
      const withOthers = sum((term) => !term.object && term.order === 2 && has(term));
      const [fixed, general] = [object + withObject, object + othersWithObject];
      return {
        facet: facet.name,
        intra: fixed / (fixed + withOthers + residual),
        inter: general / (general + withObject + residual),
      };
    });
}

const BANDS: readonly (readonly [from: number, name: string])[] = [
  [0.9, "excellent"],
  [0.75, "good"],
  [0.5, "moderate"],
  [Number.NEGATIVE_INFINITY, "poor"],
];

export function kooLiBand(phi: number): string {
  return Number.isNaN(phi) ? "undefined" : BANDS.find(([from]) => phi >= from)![1];
}

/** The band of the estimate, and the bands that the interval reaches, as Koo & Li ask for. */
export function kooLiVerdict(phi: number, lower: number, upper: number): string {
  const own = kooLiBand(phi);
  if (Number.isNaN(lower) || Number.isNaN(phi)) return own;
  const [low, high] = [kooLiBand(lower), kooLiBand(upper)];
  return low === high ? own : `${own} (between ${low} and ${high})`;
}
