/** What to buy next: φ for other numbers of raters, repetitions, seeds, prompts, and the cheapest numbers that reach a target.
 *
 *      cost = Σ_f c_f n_f + c_score · objects · Π n_f
 *
 *  φ rises with every number, so that for given numbers of the other facets the least number of the last one has a closed form.
 *  Reference: Riezler & Hagmann (2021), Figure 3.3; Brennan (2001), ch. 4 (decision studies).
 *  Oracle:    Figure 3.3 of the reference runs; full enumeration. */
import { StatError } from "../../result/error.ts";
import { errorWeights, type FacetNumbers, phiOf, relativeOf } from "./coefficient.ts";
import type { FacetDesign } from "./facet-terms.ts";
import type { ComponentDraws } from "./intervals.ts";

export interface WhatIf {
  readonly n: FacetNumbers;
  readonly phi: number;
  readonly lower: number;
  readonly upper: number;
  readonly relative: number;
}

/** Numbers tried where none are given: of one facet, and of two; of more facets one is varied at a time. */
const OF_ONE: readonly number[] = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20];
const OF_TWO: readonly number[] = [1, 2, 3, 5, 10];
/** Larger surfaces are no longer read. */
const MOST_POINTS = 2000;

type Design = Pick<FacetDesign, "terms" | "within">;

const facetsOf = ({ terms, within }: Design): string[] => [
  ...terms.filter((term) => !term.object && term.order === 1).map(({ name }) => name),
  ...(within === undefined ? [] : [within]),
];

export function whatIfSurface(
  design: Design,
  variances: Float64Array,
  {
    draws,
    given = {},
  }: { readonly draws: ComponentDraws; readonly given?: Readonly<Record<string, readonly number[]>> },
): WhatIf[] {
  const { terms, within } = design;
  return designsToTry(facetsOf(design), given).map((n) => {
    const weights = errorWeights(terms, n, within);
    const ends = draws.share((own) => phiOf(own, weights));
    return { n, phi: phiOf(variances, weights), relative: relativeOf(variances, weights), ...ends };
  });
}

function designsToTry(facets: readonly string[], given: Readonly<Record<string, readonly number[]>>): FacetNumbers[] {
  const varied = facets.filter((name) => given[name] === undefined);
  const own = varied.length === 1 ? OF_ONE : varied.length === 2 ? OF_TWO : [1];
  const lists = facets.map((name) => given[name] ?? own);
  const points = lists.reduce((product, list) => product * list.length, 1);
  if (points > MOST_POINTS) {
    const message = `${points} combinations of numbers are more than ${MOST_POINTS}.`;
    throw new StatError("TooManyDesigns", message, "Give fewer numbers of each facet.");
  }
  let combinations: number[][] = [[]];
  for (const list of lists) combinations = combinations.flatMap((before) => list.map((n) => [...before, n]));
  const named = combinations.map((n) => Object.fromEntries(facets.map((name, f) => [name, n[f]!])));
  if (varied.length < 3) return named;
  const alone = varied.flatMap((name) => OF_TWO.slice(1).map((n) => ({ ...named[0]!, [name]: n })));
  return [...named, ...alone];
}

export interface DesignCosts {
  /** Price of one more level of a facet (a rater hired), by facet. */
  readonly facets: Readonly<Record<string, number>>;
  /** Price of one score. */
  readonly score: number;
  readonly objects: number;
}

export interface CheapestDesign {
  readonly target: number;
  readonly reached: boolean;
  readonly n: FacetNumbers;
  readonly cost: number;
  readonly phi: number;
  /** Interval of φ: NaN where none is asked for. */
  readonly lower: number;
  readonly upper: number;
}

/** Most levels of a facet that are thought of. */
const MOST_LEVELS = 200;
/** Combinations tried at most. */
const MOST_TRIED = 1e5;

export function cheapestDesign(
  design: Design,
  variances: Float64Array,
  { target, costs, draws }: { readonly target: number; readonly costs: DesignCosts; readonly draws: ComponentDraws },
): CheapestDesign {
  if (!(target > 0 && target < 1)) {
    throw new StatError("BadOption", `a target of ${target} is not between 0 and 1.`, "Use for example 0.8.");
  }
  const { terms, within } = design;
  const facets = facetsOf(design);
  const top = Math.max(2, Math.min(MOST_LEVELS, Math.floor(MOST_TRIED ** (1 / Math.max(1, facets.length - 1)))));
  const price = (n: readonly number[]): number =>
    n.reduce((sum, own, f) => sum + own * (costs.facets[facets[f]!] ?? 0), 0) +
    costs.score * costs.objects * n.reduce((product, own) => product * own, 1);
  const named = (n: readonly number[]): FacetNumbers => Object.fromEntries(facets.map((name, f) => [name, n[f]!]));
  const phiAt = (n: readonly number[]): number => phiOf(variances, errorWeights(terms, named(n), within));
  const found = (n: readonly number[]): Omit<CheapestDesign, "target" | "reached"> => {
    const weights = errorWeights(terms, named(n), within);
    const { lower, upper } = draws.share((own) => phiOf(own, weights));
    return { n: named(n), cost: price(n), phi: phiAt(n), lower, upper };
  };
  let best: { n: number[]; cost: number } | undefined;
  const search = (n: number[]): void => {
    if (n.length === facets.length - 1) {
      const last = leastLast(n, { phiAt, target, most: MOST_LEVELS });
      if (last === undefined) return;
      const whole = [...n, last];
      const cost = price(whole);
      if (best === undefined || cost < best.cost || (cost === best.cost && size(whole) < size(best.n)))
        best = { n: whole, cost };
      return;
    }
    for (let own = 1; own <= top; own++) {
      const soFar = [...n, own];
      if (best !== undefined && price([...soFar, ...facets.slice(soFar.length).map(() => 1)]) > best.cost) break;
      search(soFar);
    }
  };
  search([]);
  if (best === undefined) {
    const most = facets.map((_, f) => (f === facets.length - 1 ? MOST_LEVELS : top));
    return { target, reached: false, ...found(most) };
  }
  return { target, reached: true, ...found(best.n) };
}

const size = (n: readonly number[]): number => n.reduce((product, own) => product * own, 1);

interface LastSearch {
  phiAt(n: readonly number[]): number;
  readonly target: number;
  readonly most: number;
}

/** The error variance is A + B/n in the last number, so that φ(1) and φ(∞) give A and B; then a step to be safe of rounding. */
function leastLast(others: readonly number[], { phiAt, target, most }: LastSearch): number | undefined {
  const ratio = (phi: number): number => 1 / phi - 1; // error over object variance
  const [one, limit] = [ratio(phiAt([...others, 1])), ratio(phiAt([...others, Number.POSITIVE_INFINITY]))];
  const wanted = ratio(target);
  if (one <= wanted) return 1;
  if (!(limit < wanted)) return undefined;
  let n = Math.max(1, Math.ceil((one - limit) / (wanted - limit)) - 1);
  while (n <= most && phiAt([...others, n]) < target) n++;
  return n <= most ? n : undefined;
}
