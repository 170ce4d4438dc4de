/** Do effects differ between thresholds? For each term, a likelihood-ratio test of the clm against the model in which the term
 *  has effects of its own on every threshold (partial proportional odds).
 *
 *      P(y <= j) = F(τ_j - xβ - wγ_j),   w the columns of the term
 *  Reference: Peterson & Harrell (1990), J. R. Stat. Soc. C 39(2); Christensen (2018), section 2.4 (nominal effects).
 *  Oracle:    ordinal (R): anova of clm and clm(nominal = ~ …), oracle/r/ordinal.json.
 *  Limits:    flexible thresholds; where the larger model would need thresholds out of order the test is NaN. For a clmm the
 *             check leaves the random effects out: ratings that are correlated then make p too small. */
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { identity, selectColumns, zeros } from "../../numeric/linalg/matrix.ts";
import { minimizeNewton } from "../../numeric/optim/newton.ts";
import { StatError } from "../../result/error.ts";
import type { ClmFit } from "./clm.ts";
import { clmStart, solveClm } from "./clm-solve.ts";
import type { ClmmFit } from "./clmm.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import { codedLevels, type OrdinalFrame, ordinalFrame, usedCategories } from "./ordinal.ts";
import { makeClmRows } from "./rows.ts";
import { makeScaledLikelihood } from "./scaled.ts";
import { makeThresholds } from "./thresholds.ts";

export interface ProportionalOdds {
  /** Of a clmm: the check was made without its random effects. */
  readonly ignoresRandomEffects: boolean;
  readonly terms: readonly {
    readonly term: string;
    readonly statistic: number;
    readonly df: number;
    readonly p: number;
    /** Of the larger model. */
    readonly logLik: number;
  }[];
}

export function checkProportionalOdds(fit: ClmFit | ClmmFit): ProportionalOdds {
  if (fit.threshold !== "flexible") {
    const message = `the model has ${fit.threshold} thresholds.`;
    throw new StatError("UnsupportedModel", message, "Refit it with flexible thresholds to check proportional odds.");
  }
  const frame = ordinalFrame(fit.design, codedLevels(fit));
  const plain = plainModel(fit, frame);
  const terms = fit.design.terms.flatMap((term, t) => {
    const own = Array.from(fit.kept.keys()).filter((k) => fit.design.assign[fit.kept[k]!] === t + 1);
    if (own.length === 0) return [];
    const logLik = nominalLogLik(plain, frame, own);
    const statistic = 2 * (logLik - plain.logLik);
    const df = own.length * (fit.cuts.length - 1);
    return [{ term, statistic, df, p: df === 0 ? Number.NaN : chiSquareSf(Math.max(0, statistic), df), logLik }];
  });
  return { ignoresRandomEffects: fit.kind === "clmm", terms };
}

/** The model with the same effects on every threshold. */
interface PlainModel {
  readonly link: CumulativeLink;
  readonly y: Int32Array;
  readonly cuts: Float64Array;
  readonly beta: Float64Array;
  readonly logLik: number;
}

function plainModel(fit: ClmFit | ClmmFit, frame: OrdinalFrame): PlainModel {
  const { y, levels } = usedCategories(frame, fit.design.y);
  const { link } = fit;
  if (fit.kind === "clm") {
    return { link, y, cuts: fit.cuts, beta: Float64Array.from(fit.coefficients, (c) => c.value), logLik: fit.logLik };
  }
  const thresholds = makeThresholds("flexible", levels);
  const { X, offset, weights } = frame;
  const rows = makeClmRows({ y, X, thresholds, link, offset, weights });
  const { phi, logLik } = solveClm(rows, clmStart(y, thresholds, link, rows.fixedCount));
  const m = thresholds.cuts.length;
  return { link, y, cuts: phi.slice(0, m), beta: phi.slice(m), logLik };
}

/** From the model with the same effects on every threshold. */
function nominalLogLik(plain: PlainModel, frame: OrdinalFrame, own: readonly number[]): number {
  const { X, offset, weights } = frame;
  const { y, link, cuts, beta } = plain;
  const m = cuts.length;
  const others = Array.from(beta.keys()).filter((k) => !own.includes(k));
  const likelihood = makeScaledLikelihood({
    link,
    y,
    A: identity(m),
    X: selectColumns(X, Int32Array.from(others)),
    W: selectColumns(X, Int32Array.from(own)),
    Z: zeros(X.rows, 0),
    offset,
    weights,
  });
  const start = new Float64Array(likelihood.size);
  start.set(cuts);
  // a threshold goes down where ratings go up
  own.forEach((k, o) => {
    start.fill(-beta[k]!, m * (1 + o), m * (2 + o));
  });
  others.forEach((k, o) => {
    start[m * (1 + own.length) + o] = beta[k]!;
  });
  const found = minimizeNewton(
    {
      evaluate: (phi, gradient) => likelihood.evaluate(phi, gradient),
      hessianInto: (H, phi) => likelihood.informationInto(H, phi, false),
    },
    start,
  );
  return found.converged ? -found.value : Number.NaN;
}
