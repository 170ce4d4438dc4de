/** Variance components and reliability as JSON; see docs/json.md. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Published, Result, ResultJson } from "../../result/result.ts";
import type { ReliabilityCoefficient, ReliabilityResult, VarianceShare } from "./generalizability.ts";

/** The residual has no levels. */
export type ComponentJson = Omit<VarianceShare, "levels"> & { readonly levels?: number };

export interface CoefficientInterval {
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  readonly method: ReliabilityResult["intervals"];
  readonly replicates: number;
}

type Renamed =
  | "components"
  | "phi"
  | "relative"
  | "observed"
  | "raters"
  | "check"
  | "intervals"
  | "confidence"
  | "replicates";

export interface ReliabilityJson
  extends ResultJson<"reliability">,
    Omit<ReliabilityResult, keyof Result<"reliability"> | Renamed> {
  readonly components: readonly ComponentJson[];
  readonly phi: number;
  readonly phiCi: CoefficientInterval;
  readonly relative: number;
  readonly relativeCi: CoefficientInterval;
  /** Averaged over as many levels of each facet as the data have. */
  readonly observed: {
    readonly n: ReliabilityResult["observed"]["n"];
    readonly phi: number;
    readonly lower: number;
    readonly upper: number;
  };
  readonly raterForms: ReliabilityResult["raters"];
  readonly substantialVariance: ReliabilityResult["check"];
}

export function reliabilityJson(result: FieldsOf<ReliabilityResult>): Published<ReliabilityJson> {
  const { signature: _, diagnostics: __, components, phi, relative, observed, raters, check, ...rest } = result;
  const { intervals, confidence, replicates, ...own } = rest;
  const interval = ({ lower, upper }: ReliabilityCoefficient): CoefficientInterval => ({
    lower,
    upper,
    level: confidence,
    method: intervals,
    replicates,
  });
  return {
    ...own,
    components: components.map(componentJson),
    phi: phi.value,
    phiCi: interval(phi),
    relative: relative.value,
    relativeCi: interval(relative),
    observed: { n: observed.n, phi: observed.value, lower: observed.lower, upper: observed.upper },
    raterForms: raters,
    substantialVariance: check,
  };
}

export function componentJson({ levels, ...own }: VarianceShare): ComponentJson {
  return Number.isNaN(levels) ? own : { ...own, levels };
}
