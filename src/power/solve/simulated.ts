/** The effect or the size that has the wanted power, for scenarios that can only be simulated.
 *  Near the answer the probit of power is close to a straight line in the effect e, or in √n:   Φ⁻¹(power) = a + b t.
 *  Experiments are drawn where the present estimate of the answer lies and a little to both sides; the line is fitted by maximum
 *  likelihood to all points of comparable power; its crossing t* = (Φ⁻¹(target) - a)/b and the delta method's SE end the search.
 *  Reference: Finney (1971), Probit Analysis, ch. 3-4 (effective dose and its variance).
 *  Oracle:    the exact scenarios, solved by simulation.
 *  Limits:    power must rise with the effect and with the size. The k-th place draws from rng.stream(k). */

import { normalCdf, normalPdf, normalQuantile } from "../../numeric/dist/normal.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { ScenarioFamily, ScenarioParameters } from "../scenario.ts";
import type { PowerSeries } from "../series.ts";
import { type SimulateOptions, simulatePower } from "../simulate.ts";
import { boundsOf } from "./solve.ts";

export interface SolveSimulation extends Omit<SimulateOptions, "precision"> {
  readonly vary: "effect" | "size";
  /** The parameter that is the size; default the family's. */
  readonly size?: string;
  readonly target: number;
  /** Wanted standard error of the answer, relative to it; a given number of replicates counts instead, over all places. */
  readonly precision: number | undefined;
}

export interface SimulatedAnswer {
  /** NaN where no possible effect has the power. */
  readonly x: number;
  readonly se: number;
  readonly power: number;
  readonly replicates: number;
  readonly tried: NonNullable<PowerSeries["tried"]>;
  /** The least possible already has more: nothing was solved for. */
  readonly least?: boolean;
}

/** A search takes some experiments at every place that it tries, whatever was asked for. */
export function tellDrawn(asked: number | undefined, drawn: number): Diagnostic[] {
  if (asked === undefined || drawn <= asked) return [];
  return [
    note(
      "MoreDrawn",
      `${drawn} experiments were drawn where ${asked} were asked for: a search takes ${LEAST_BATCH} or more at every place that it tries.`,
      "Ask for some thousands (`replicates`), or leave them out: the search then ends when the answer is sure enough.",
    ),
  ];
}

interface Place {
  readonly t: number;
  readonly right: number;
  readonly total: number;
}

const DEFAULT_PRECISION = 0.02;
const FIRST_BATCH = 200;
const BATCH = 400;
/** Fewer say next to nothing about a place. */
const LEAST_BATCH = 20;
/** Experiments in all; the answer then carries the standard error that was reached. */
const MOST_REPLICATES = 100_000;
/** Places whose probit is further than this from the target's tell about the curve elsewhere. */
const COMPARABLE = 1.25;
/** New places lie at the estimate and this share of it to both sides: far enough to see the slope. */
const SPREAD = [0, -0.12, 0.12];
const LARGEST_SIZE = 1e7;
/** Where the search for a size begins. */
const FIRST_SIZE = 100;
const MOST_DOUBLINGS = 60;

export async function solveBySimulation(
  family: ScenarioFamily,
  params: ScenarioParameters,
  options: SolveSimulation,
): Promise<SimulatedAnswer> {
  const { target, vary } = options;
  const precision = options.precision ?? DEFAULT_PRECISION;
  const name = vary === "effect" ? family.effect : (options.size ?? family.size);
  const scale = makeScale(family, params, { vary, name });
  const places: Place[] = [];
  const measure = async (wanted: number, replicates: number): Promise<Place> => {
    const x = scale.toX(wanted);
    const { rng, precision: _, ...rest } = options;
    const { power } = await simulatePower(
      family,
      { ...params, [name]: x },
      {
        ...rest,
        rng: rng.stream(places.length),
        replicates,
      },
    );
    const place = { t: scale.toT(x), right: Math.round(power * replicates), total: replicates };
    places.push(place);
    return place;
  };
  const budget = options.replicates;
  const bracketed = await bracket(scale, target, (t) => measure(t, firstBatch(budget)));
  const drawn = (): number => places.reduce((sum, { total }) => sum + total, 0);
  const tried = (): SimulatedAnswer["tried"] =>
    places.map((place) => ({ at: scale.toX(place.t), power: share(place), replicates: place.total }));
  if (bracketed === "above")
    return { x: Number.NaN, se: Number.NaN, power: share(places.at(-1)!), replicates: drawn(), tried: tried() };
  if (bracketed === "below") {
    const { t } = places.at(-1)!;
    return {
      x: scale.answer(t),
      se: 0,
      least: true,
      power: share(places.at(-1)!),
      replicates: drawn(),
      tried: tried(),
    };
  }
  for (let k = 0; ; k++) {
    const line = fitLine(places, target);
    const settled =
      budget === undefined
        ? line.se * scale.relative(line.t) <= Math.max(precision, scale.grain(line.t))
        : drawn() >= budget;
    if ((settled && k >= SPREAD.length) || drawn() >= MOST_REPLICATES) {
      const x = scale.answer(line.t);
      return { x, se: line.se * scale.relative(line.t) * x, power: target, replicates: drawn(), tried: tried() };
    }
    await measure(scale.clamp(line.t * (1 + SPREAD[k % SPREAD.length]!)), nextBatch(budget, drawn()));
  }
}

/** A given number of experiments is shared out: a twentieth to each place while the answer is being enclosed, then what is left in
 *  about six parts. */
const firstBatch = (budget: number | undefined): number =>
  budget === undefined ? FIRST_BATCH : Math.max(LEAST_BATCH, Math.min(FIRST_BATCH, Math.floor(budget / 20)));

const nextBatch = (budget: number | undefined, drawn: number): number =>
  budget === undefined ? BATCH : Math.max(LEAST_BATCH, Math.min(budget - drawn, Math.ceil(budget / 6)));

const share = ({ right, total }: Place): number => right / total;

interface Scale {
  readonly start: number;
  readonly most: number;
  toX(t: number): number;
  toT(x: number): number;
  clamp(t: number): number;
  /** The answer as it is given: a whole size rounded up. */
  answer(t: number): number;
  /** d log x / dt */
  relative(t: number): number;
  /** Relative error that moves no whole size: a quarter of a step. */
  grain(t: number): number;
}

function makeScale(
  family: ScenarioFamily,
  params: ScenarioParameters,
  { vary, name }: { readonly vary: "effect" | "size"; readonly name: string },
): Scale {
  if (vary === "effect") {
    const { from, to } = family.effectRange(params);
    const clamp = (t: number): number => Math.min(to - from, Math.max((to - from) * 1e-6, t));
    // a quarter of a short range, or one unit of a long one
    return {
      start: Math.min((to - from) / 4, 1),
      most: to - from,
      clamp,
      toX: (t) => from + t,
      toT: (x) => x - from,
      answer: (t) => from + t,
      relative: (t) => 1 / (from + t),
      grain: () => 0,
    };
  }
  const { least, most: bound, step } = boundsOf(family, params, name);
  const most = Math.floor(Math.min(bound, LARGEST_SIZE) / step) * step;
  const up = (t: number): number => Math.min(most, Math.max(least, Math.ceil((t * t) / step - 1e-9) * step));
  return {
    start: Math.sqrt(Math.min(most, Math.max(least, FIRST_SIZE))),
    most: Math.sqrt(most),
    clamp: (t) => Math.min(Math.sqrt(most), Math.max(Math.sqrt(least), t)),
    toX: up,
    toT: Math.sqrt,
    answer: up,
    relative: (t) => 2 / t,
    grain: (t) => step / 4 / up(t),
  };
}

/** Lowers or raises t until both sides of the target are seen; or the largest still misses it ("above"), the least already has it ("below"). */
async function bracket(
  scale: Scale,
  target: number,
  measure: (t: number) => Promise<Place>,
): Promise<"both" | "above" | "below"> {
  let t = scale.clamp(scale.start);
  const rises = share(await measure(t)) < target;
  for (let k = 0; k < MOST_DOUBLINGS; k++) {
    const next = scale.clamp(rises ? 1.5 * t : t / 1.5);
    if (next === t) return rises ? "above" : "below";
    t = next;
    if (share(await measure(t)) < target !== rises) return "both";
  }
  throw new StatError("NotConverged", "the power does not seem to rise with the parameter.", "check the scenario.");
}

/** Maximum likelihood of a and b by Fisher scoring, then the crossing and its standard error. */
function fitLine(places: readonly Place[], target: number): { t: number; se: number } {
  const wanted = normalQuantile(target);
  const probit = (p: Place): number => normalQuantile((p.right + 0.5) / (p.total + 1));
  const near = places.filter((place) => Math.abs(probit(place) - wanted) <= COMPARABLE);
  const used = new Set(near.map(({ t }) => t)).size >= 2 ? near : places;
  const centre = used.reduce((sum, { t }) => sum + t, 0) / used.length;
  let a = wanted;
  let b = startSlope(used, probit);
  let information = { aa: 0, ab: 0, bb: 0 };
  for (let k = 0; k < 30; k++) {
    let ga = 0;
    let gb = 0;
    information = { aa: 0, ab: 0, bb: 0 };
    for (const { t, right, total } of used) {
      const eta = Math.max(-6, Math.min(6, a + b * (t - centre)));
      const mu = normalCdf(eta);
      const density = normalPdf(eta);
      const score = (density * (right - total * mu)) / (mu * (1 - mu));
      const weight = (total * density * density) / (mu * (1 - mu));
      ga += score;
      gb += score * (t - centre);
      information.aa += weight;
      information.ab += weight * (t - centre);
      information.bb += weight * (t - centre) ** 2;
    }
    const det = information.aa * information.bb - information.ab ** 2;
    if (!(det > 0)) break;
    const da = (information.bb * ga - information.ab * gb) / det;
    const db = (information.aa * gb - information.ab * ga) / det;
    a += da;
    b += db;
    if (Math.abs(da) < 1e-10 && Math.abs(db) < 1e-10 * Math.abs(b)) break;
  }
  return crossing({ a, b, centre, wanted, information, used });
}

interface Line {
  readonly a: number;
  readonly b: number;
  readonly centre: number;
  readonly wanted: number;
  readonly information: { readonly aa: number; readonly ab: number; readonly bb: number };
  readonly used: readonly Place[];
}

function crossing({ a, b, centre, wanted, information: { aa, ab, bb }, used }: Line): { t: number; se: number } {
  const lo = leastOf(used.map(({ t }) => t));
  const hi = mostOf(used.map(({ t }) => t));
  // a line that does not rise yet, or points outside all that was seen: look between, and go on
  if (!(b > 0)) return { t: (lo + hi) / 2, se: Number.POSITIVE_INFINITY };
  const offset = (wanted - a) / b;
  const det = aa * bb - ab * ab;
  const variance = (bb + 2 * offset * -ab + offset * offset * aa) / det / (b * b);
  return { t: Math.min(1.5 * hi, Math.max(lo / 1.5, centre + offset)), se: Math.sqrt(variance) };
}

function startSlope(used: readonly Place[], probit: (p: Place) => number): number {
  const sorted = [...used].sort((p, q) => p.t - q.t);
  const first = sorted[0]!;
  const last = sorted.at(-1)!;
  const slope = (probit(last) - probit(first)) / (last.t - first.t);
  return slope > 0 && Number.isFinite(slope) ? slope : 1 / Math.max(first.t, 1e-12);
}
