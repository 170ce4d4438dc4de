/** The published object of a linear mixed model. */
import type { Published } from "../../result/result.ts";
import type { FieldsOf } from "../fit.ts";
import { fitJson, type MixedFitJson, type ProfileJson } from "../json.ts";
import { randomJson } from "../random/parts.ts";
import type { BootstrapInterval } from "./bootstrap.ts";
import type { LmmFit } from "./lmm.ts";

export interface LmmJson extends MixedFitJson<"lmm"> {
  readonly method: LmmFit["criterion"];
  readonly ddf: LmmFit["ddf"];
  readonly sigma: number;
  readonly residualSd: number;
  readonly rSquared: LmmFit["rSquared"];
  readonly optimum: LmmFit["optimum"];
  /** Type III F tests. */
  readonly terms?: readonly TermTestJson[];
  readonly profile?: readonly ProfileJson[];
  readonly bootstrap?: BootstrapJson;
  readonly modes?: readonly ModeJson[];
}

/** The F test of one term. */
interface TermTestJson {
  readonly term: string;
  readonly statistic: number;
  readonly df1: number;
  readonly df2: number;
  readonly p: number;
}

interface BootstrapJson {
  readonly replicates: number;
  readonly singular: number;
  readonly notConverged: number;
  readonly intervals: readonly BootstrapInterval[];
}

/** A conditional mode (BLUP) with its conditional SD. */
interface ModeJson {
  readonly group: string;
  readonly level: string;
  readonly term: string;
  readonly mode: number;
  readonly sd: number;
}

export function lmmJson(fit: FieldsOf<LmmFit>): Published<LmmJson> {
  return {
    ...fitJson(fit),
    method: fit.criterion,
    ddf: fit.ddf,
    deviance: fit.deviance,
    sigma: fit.residualSd,
    theta: Array.from(fit.theta),
    thetaNames: fit.thetaNames,
    random: randomJson(fit.variances),
    residualSd: fit.residualSd,
    rSquared: fit.rSquared,
    optimum: fit.optimum,
    singular: fit.singular,
  };
}
