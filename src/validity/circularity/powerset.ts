/** Step 1 of the circularity test: additive models over the sets of candidate features, and the choice among them.
 *
 *  Up to MOST_FOR_POWERSET candidates every non-empty set is fitted. Up to MOST_FOR_CORE the model of all of them comes first, then
 *  that without each. Features that it cannot do without are the core, which every sufficient set holds; a core that is sufficient is
 *  therefore the only minimal set. Where it is not, its unions with all sets of the others follow, or, with many others, the best of
 *  them by size. Beyond, a best-first search: all single features, then the WIDTH best sets of each size with one feature more, until
 *  the best set of a size leaves nearly as much deviance as the one before.
 *
 *  Choice: a set is sufficient if its D² lies within
 *      tolerance = max(D2_TOLERANCE, GAIN · (1 - D²max))
 *  of the highest one, i.e. all the other features together take away less than the share GAIN of what it leaves unexplained; it is
 *  minimal if none of its subsets is sufficient. Among minimal sets the one with the fewest effective degrees of freedom is taken;
 *  differences in edf are never compared between a set and a larger one, where D² = 1 leaves them to rounding.
 *  Reference: Riezler & Hagmann (2021), Validity, Reliability, and Significance, Definition 2.5, step 1.
 *  Limits:    the best-first search can miss sets whose features explain nothing one by one. */

import type { Rng } from "../../numeric/rng.ts";
import { leastOf } from "../../result/extremes.ts";
import type { Runner } from "../../run/task.ts";
import { strongestPairs } from "./interaction.ts";
import {
  circularityModelTask,
  type ModelFrame,
  type ModelScore,
  type ModelSpec,
  modelInput,
} from "./powerset-model.ts";

/** Logistic models cost several linear ones. */
export const MOST_FOR_POWERSET: Readonly<Record<ModelFrame["family"], number>> = { gaussian: 6, binomial: 5 };
export const MOST_FOR_CORE = 12;
/** Sets of each size that are followed further. */
const WIDTH = 3;
const LARGEST_SET = 8;
/** D² values closer than this are the same: what a spline misses of a step is more. */
const D2_TOLERANCE = 0.005;
/** Share of the unexplained deviance that further features must take away to count. */
const GAIN = 0.2;
/** Differences in effective degrees of freedom below one are noise. */
const EDF_TOLERANCE = 1;

export interface SearchedModel extends ModelScore {
  /** Features by their place in the frame, ascending. */
  readonly set: readonly number[];
  /** Pairs that enter as a surface. */
  readonly surfaces: readonly (readonly [number, number])[];
}

export interface SearchContext {
  readonly frame: ModelFrame;
  readonly runner: Runner;
  readonly rng: Rng;
  readonly onModels?: (done: number, total: number) => void;
}

export async function scoreSpecs(context: SearchContext, specs: readonly ModelSpec[]): Promise<ModelScore[]> {
  const { frame, runner, rng, onModels } = context;
  const inputs = specs.map((spec) => modelInput(frame, spec));
  return runner.map(circularityModelTask, inputs, rng, onModels === undefined ? {} : { onProgress: onModels });
}

async function scoreSets(context: SearchContext, sets: readonly (readonly number[])[]): Promise<SearchedModel[]> {
  const scores = await scoreSpecs(
    context,
    sets.map((main) => ({ main })),
  );
  return sets.map((set, i) => ({ set, surfaces: [], ...scores[i]! }));
}

export interface Search {
  readonly kind: "powerset" | "core" | "best-first";
  readonly models: readonly SearchedModel[];
}

export async function searchSets(context: SearchContext): Promise<Search> {
  const { features, family } = context.frame;
  const count = features.length;
  if (count <= MOST_FOR_POWERSET[family]) {
    // large sets first: the slowest models then do not wait for each other at the end
    const sets = allSets(count).sort((a, b) => b.length - a.length);
    return { kind: "powerset", models: await scoreSets(context, sets) };
  }
  if (count <= MOST_FOR_CORE) return { kind: "core", models: await searchCore(context, count) };
  return { kind: "best-first", models: await bestFirst(context, count) };
}

async function searchCore(context: SearchContext, count: number): Promise<SearchedModel[]> {
  const every = Array.from({ length: count }, (_, j) => j);
  const dropped = every.map((j) => every.filter((other) => other !== j));
  const models = await scoreSets(context, [every, ...dropped]);
  const fitted = models.filter(({ adjusted }) => !Number.isNaN(adjusted));
  if (fitted.length < models.length) return [...models, ...(await bestFirst(context, count))];
  const highest = fitted.reduce((most, { adjusted }) => Math.max(most, adjusted), Number.NEGATIVE_INFINITY);
  const bound = highest - toleranceFor(highest);
  const core = every.filter((j) => models[j + 1]!.adjusted < bound);
  const others = every.filter((j) => !core.includes(j));
  const singles = every.map((j) => [j]);
  const first = await scoreSets(context, core.length > 1 && core.length < count - 1 ? [core, ...singles] : singles);
  models.push(...first);
  const found = first.find(({ set }) => set.length === core.length && core.every((j) => set.includes(j)));
  if (core.length >= count - 1 || (found !== undefined && found.adjusted >= bound)) return models;
  if (others.length <= MOST_FOR_POWERSET[context.frame.family]) {
    const rest = allSets(others.length)
      .map((own) => [...core, ...own.map((k) => others[k]!)].sort((a, b) => a - b))
      .filter((set) => set.length > 1 && set.length < count - 1);
    return [...models, ...(await scoreSets(context, rest))];
  }
  return [...models, ...(await bestFirst(context, count, { core, enough: bound }))];
}

export function allSets(count: number): number[][] {
  return Array.from({ length: 2 ** count - 1 }, (_, code) =>
    Array.from({ length: count }, (_, j) => j).filter((j) => ((code + 1) >> j) & 1),
  );
}

/** From the core on, where there is one, until a set is good enough. */
async function bestFirst(
  context: SearchContext,
  count: number,
  {
    core = [],
    enough = Number.POSITIVE_INFINITY,
  }: { readonly core?: readonly number[]; readonly enough?: number } = {},
): Promise<SearchedModel[]> {
  const every = Array.from({ length: count }, (_, j) => j);
  let stage = await scoreSets(
    context,
    every.filter((j) => !core.includes(j)).map((j) => [...core, j].sort((a, b) => a - b)),
  );
  const models = [...stage];
  let left = leastOf(stage.map(unexplained));
  for (let size = core.length + 2; size <= Math.min(core.length + LARGEST_SET, count); size++) {
    if (1 - left >= enough) break;
    const parents = [...stage].sort((a, b) => unexplained(a) - unexplained(b)).slice(0, WIDTH);
    const children = new Map<string, number[]>();
    for (const { set } of parents) {
      for (const j of every) {
        if (set.includes(j)) continue;
        const grown = [...set, j].sort((a, b) => a - b);
        children.set(grown.join(), grown);
      }
    }
    stage = await scoreSets(context, [...children.values()]);
    models.push(...stage);
    const best = leastOf(stage.map(unexplained));
    const flat = best > left - Math.max(D2_TOLERANCE / 2, (GAIN / 4) * left);
    if (enough === Number.POSITIVE_INFINITY && flat) break;
    left = best;
  }
  return models;
}

const unexplained = ({ adjusted }: ModelScore): number => (Number.isNaN(adjusted) ? 1 : 1 - adjusted);

export interface Choice {
  readonly chosen: SearchedModel;
  /** Other minimal sets that do as well. */
  readonly equivalents: readonly SearchedModel[];
  readonly tolerance: number;
  readonly highest: number;
}

const toleranceFor = (highest: number): number => Math.max(D2_TOLERANCE, GAIN * (1 - highest));

/** undefined where no model could be fitted. */
export function chooseModel(models: readonly SearchedModel[]): Choice | undefined {
  const fitted = models.filter(({ adjusted }) => !Number.isNaN(adjusted));
  if (fitted.length === 0) return undefined;
  const highest = fitted.reduce((most, { adjusted }) => Math.max(most, adjusted), Number.NEGATIVE_INFINITY);
  const tolerance = toleranceFor(highest);
  const sufficient = fitted.filter(({ adjusted }) => adjusted >= highest - tolerance);
  const minimal = sufficient.filter((model) => !sufficient.some((other) => other !== model && isSimpler(other, model)));
  const [chosen, ...equivalents] = minimal.sort(simplerFirst);
  return { chosen: chosen!, equivalents, tolerance, highest };
}

/** A proper subset, or the same set without surfaces. */
function isSimpler(a: SearchedModel, b: SearchedModel): boolean {
  const inside = a.set.every((j) => b.set.includes(j));
  if (!inside) return false;
  return a.set.length < b.set.length || a.surfaces.length < b.surfaces.length;
}

function simplerFirst(a: SearchedModel, b: SearchedModel): number {
  if (Math.abs(a.edf - b.edf) > EDF_TOLERANCE) return a.edf - b.edf;
  if (Math.abs(a.adjusted - b.adjusted) > D2_TOLERANCE) return b.adjusted - a.adjusted;
  // features stand by falling correlation with the label
  return a.set.length - b.set.length || compareLists(a.set, b.set);
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - (b[i] ?? 0);
  return 0;
}

/** Pairs beyond the chosen set that are fitted. */
const MOST_PAIRS = 10;
/** Largest set all of whose pairs are tried. */
const LARGEST_WITH_PAIRS = 4;

interface PairRequest {
  readonly choice: Choice;
  /** D² that needs no help from interactions. */
  readonly enough: number;
  /** Below this also pairs beyond the chosen set are tried. */
  readonly close: number;
}

export interface PairSearch {
  readonly models: readonly SearchedModel[];
  /** Pairs of candidates, and how many of them were fitted. */
  readonly pairs: number;
  readonly fitted: number;
}

/** Models with tensor products: pairs within the chosen set and, far from a full explanation, the pairs of candidates that look most
 *  like more than a sum (interaction.ts). */
export async function searchPairs(context: SearchContext, request: PairRequest): Promise<PairSearch> {
  const { frame } = context;
  const { chosen } = request.choice;
  const numeric = Array.from(frame.features.keys()).filter(
    (j) => frame.features[j]!.column.kind === "numeric" && frame.features[j]!.distinct > 3,
  );
  const every = pairsOf(numeric);
  if (chosen.d2 >= request.enough) return { models: [], pairs: every.length, fitted: 0 };
  const inside = chosen.set.filter((j) => numeric.includes(j));
  const within = chosen.set.length <= LARGEST_WITH_PAIRS ? pairsOf(inside) : [];
  const beyond = chosen.d2 < request.close ? strongestPairs(frame, every, MOST_PAIRS) : [];
  const made = new Map<string, { set: number[]; surfaces: [number, number][] }>();
  for (const pair of within) {
    const set = [...chosen.set];
    made.set(`${set}|${pair}`, { set, surfaces: [pair] });
  }
  for (const pair of beyond) made.set(`${pair}|${pair}`, { set: [...pair], surfaces: [pair] });
  const specs = [...made.values()];
  const scores = await scoreSpecs(
    context,
    specs.map(({ set, surfaces }) => ({ main: set.filter((j) => !surfaces[0]!.includes(j)), surfaces })),
  );
  const fitted = new Set(specs.map(({ surfaces }) => String(surfaces[0]))).size;
  return { models: specs.map((spec, i) => ({ ...spec, ...scores[i]! })), pairs: every.length, fitted };
}

const pairsOf = (set: readonly number[]): [number, number][] =>
  set.flatMap((a, i) => set.slice(i + 1).map((b): [number, number] => [a, b]));
