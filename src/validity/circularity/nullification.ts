/** Step 2 of the circularity test: does the circular set leave the other features anything to say?
 *
 *  The other features are fitted together twice, without and with the circular set. A feature is
 *    nullified  if the upper end of its amplitude with the set is below SMALL of the set's own, or that of the ratio
 *               after/before is below VANISHED;
 *    kept       if the lower end of its amplitude is above SMALL of the set's and that of the ratio above HALF;
 *    reduced    otherwise.
 *  Neither edf nor p-values enter: with many rows both stay large on curves that are flat to the eye.
 *  Reference: Riezler & Hagmann (2021), Proposition 2.1 and Definition 2.5, step 2; the criterion is this project's. Donner & Zou
 *             (2012), Stat. Methods Med. Res. 21(4), for the interval of the ratio.
 *  Limits:    the two models share their rows; their estimates are taken as independent, which widens the interval. */
import type { Rng } from "../../numeric/rng.ts";
import type { Runner } from "../../run/task.ts";
import { type ModelFrame, type ModelSpec, modelInput, termName } from "./powerset-model.ts";
import { type Amplitude, circularityShapesTask, type ShapeCurve, type ShapesOutput } from "./shapes.ts";

/** Share of the set's amplitude below which a shape does not matter. */
const SMALL = 0.1;
/** Share of its own former amplitude below which a shape has vanished. */
const VANISHED = 0.2;
const HALF = 0.5;
/** Amplitudes below this share of the set's are what rounding leaves of a perfect fit, and are given as zero. */
const ROUNDING = 1e-9;

export interface NullifiedFeature {
  readonly feature: string;
  readonly before: Amplitude;
  readonly after: Amplitude;
  /** after / before, with its interval. */
  readonly ratio: { readonly value: number; readonly lower: number; readonly upper: number };
  /** after / amplitude of the set. */
  readonly share: number;
  readonly state: "nullified" | "reduced" | "kept";
  readonly curves: { readonly before: ShapeCurve; readonly after: ShapeCurve };
}

export interface Nullification {
  readonly features: readonly NullifiedFeature[];
  /** Of the circular set's joint contribution. */
  readonly setAmplitude: number;
  readonly withoutSet: { readonly d2: number; readonly edf: number };
  readonly withSet: { readonly d2: number; readonly edf: number };
}

interface NullificationRequest {
  readonly frame: ModelFrame;
  /** The circular set as it enters the model. */
  readonly set: ModelSpec;
  readonly others: readonly number[];
  readonly confidence: number;
  readonly runner: Runner;
  readonly rng: Rng;
}

/** The fault, as text, where one of the two models has no fit. */
export async function testNullification(request: NullificationRequest): Promise<Nullification | string> {
  const { frame, set, others, confidence, runner, rng } = request;
  const wanted = others.map(termName);
  const specs: ModelSpec[] = [{ main: others }, { ...set, main: [...set.main, ...others] }];
  const inputs = specs.map((spec) => ({ ...modelInput(frame, spec), wanted, confidence }));
  const [before, after] = (await runner.map(circularityShapesTask, inputs, rng)) as [ShapesOutput, ShapesOutput];
  const fault = before.fault ?? after.fault;
  if (fault !== undefined) return fault;
  const features = others.map((j, o) =>
    judge(frame.features[j]!.name, { before, after, o, setAmplitude: after.setAmplitude }),
  );
  return {
    features,
    setAmplitude: after.setAmplitude,
    withoutSet: { d2: before.d2, edf: before.edf },
    withSet: { d2: after.d2, edf: after.edf },
  };
}

interface Judged {
  readonly before: ShapesOutput;
  readonly after: ShapesOutput;
  readonly o: number;
  readonly setAmplitude: number;
}

function judge(feature: string, { before, after, o, setAmplitude }: Judged): NullifiedFeature {
  const old = before.amplitudes[o]!;
  const measured = after.amplitudes[o]!;
  const nothing = measured.value < ROUNDING * setAmplitude;
  const now = nothing ? { value: 0, se: 0, lower: 0, upper: 0 } : measured;
  const ratio = ratioOf(now, old);
  const share = now.value / setAmplitude;
  const small = now.upper <= SMALL * setAmplitude || ratio.upper <= VANISHED;
  const kept = now.lower > SMALL * setAmplitude && ratio.lower > HALF;
  return {
    feature,
    before: old,
    after: now,
    ratio,
    share,
    state: small ? "nullified" : kept ? "kept" : "reduced",
    curves: { before: before.curves[o]!, after: after.curves[o]! },
  };
}

/** MOVER: the interval of a ratio of independent estimates from the interval of each; no upper end where the denominator may be 0. */
function ratioOf(a: Amplitude, b: Amplitude): NullifiedFeature["ratio"] {
  const value = a.value / b.value;
  const product = a.value * b.value;
  const root = (endA: number, endB: number): number =>
    Math.sqrt(Math.max(0, product ** 2 - endA * endB * (2 * a.value - endA) * (2 * b.value - endB)));
  const lower = (product - root(a.lower, b.upper)) / (b.upper * (2 * b.value - b.upper));
  const upper = (product + root(a.upper, b.lower)) / (b.lower * (2 * b.value - b.lower));
  return {
    value,
    lower: b.upper >= 2 * b.value ? 0 : Math.max(0, lower),
    upper: b.lower > 0 ? Math.max(value, upper) : Number.POSITIVE_INFINITY,
  };
}
