/** Parametric bootstrap intervals of every parameter of a fitted mixed model, from the fit alone; see lmm/bootstrap.ts. */
import type { Rng } from "../../numeric/rng.ts";
import { type BootstrapOptions, bootstrapLmm, type LmmBootstrap } from "../lmm/bootstrap.ts";
import { type LmmFit, reopenLmm } from "../lmm/lmm.ts";

export function bootstrapIntervals(fit: LmmFit, rng: Rng, options: BootstrapOptions = {}): LmmBootstrap {
  const { problem, solution } = reopenLmm(fit);
  return bootstrapLmm(problem, solution, { confidence: fit.confidence, ...options, rng });
}
