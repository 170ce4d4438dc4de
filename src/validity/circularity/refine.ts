/** The chosen set with more knots: what a rule with sharp steps leaves unexplained at the resolution of the search. */
import { type SearchContext, type SearchedModel, scoreSpecs } from "./powerset.ts";
import { isSmooth, type ModelSpec, modelFormula } from "./powerset-model.ts";

const FINE_K = 100;
const FINE_SURFACE_K = 15;
/** Rows for each spline function. */
const ROWS_PER_FUNCTION = 20;

export interface RefinedModel {
  readonly spec: ModelSpec;
  readonly d2: number;
  readonly adjusted: number;
  readonly edf: number;
  /** Whether it differs from the model of the search. */
  readonly finer: boolean;
}

interface RefineRequest {
  readonly chosen: SearchedModel;
  /** Functions that the user asked for. */
  readonly given: Readonly<Record<string, number>>;
  readonly enough: number;
}

export async function refineModel(
  context: SearchContext,
  { chosen, given, enough }: RefineRequest,
): Promise<RefinedModel> {
  const { frame } = context;
  const { set, surfaces } = chosen;
  const main = set.filter((j) => !surfaces.some((pair) => pair.includes(j)));
  const plain: ModelSpec = { main, surfaces };
  const asFound = { spec: plain, d2: chosen.d2, adjusted: chosen.adjusted, edf: chosen.edf, finer: false };
  if (chosen.d2 >= Math.max(enough, 0.995)) return asFound;
  const smooth = set.filter((j) => isSmooth(frame.features[j]!));
  const affordable = Math.floor(frame.y.length / (ROWS_PER_FUNCTION * Math.max(1, smooth.length)));
  const k = new Map(
    smooth.map((j) => {
      const { k: own, distinct, name } = frame.features[j]!;
      return [j, given[name] ?? Math.max(own, Math.min(FINE_K, distinct, affordable))] as const;
    }),
  );
  const specs: ModelSpec[] = [
    { main, surfaces, k, surfaceK: FINE_SURFACE_K },
    ...(surfaces.length > 0 ? [{ main: set, k }] : []),
  ].filter((spec) => modelFormula(frame, spec) !== modelFormula(frame, plain));
  const scores = await scoreSpecs(context, specs);
  return scores.reduce(
    (best, { d2, adjusted, edf }, i) =>
      adjusted > best.adjusted ? { spec: specs[i]!, d2, adjusted, edf, finer: true } : best,
    asFound,
  );
}
