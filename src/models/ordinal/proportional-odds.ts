/** Do effects differ between thresholds? For each term, a likelihood-ratio test of the clm against the model in which the term
 *  has effects of its own on every threshold (partial proportional odds).
 *
 *      P(y <= j) = F(τ_j - xβ - wγ_j),   w the columns of the term
 *  Reference: Peterson & Harrell (1990), J. R. Stat. Soc. C 39(2); Christensen (2018), section 2.4 (nominal effects).
 *  Oracle:    ordinal (R): anova of clm and clm(nominal = ~ …), oracle/r/ordinal.json.
 *  Limits:    flexible thresholds; where the larger model would need thresholds out of order the test is NaN. For a clmm the
 *             check leaves the random effects out: ratings that hang together then make p too small. */
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { minimizeNewton } from "../../numeric/optim/newton.ts";
import { StatError } from "../../result/error.ts";
import type { ClmFit } from "./clm.ts";
import { clmStart, solveClm } from "./clm-solve.ts";
import type { ClmmFit } from "./clmm.ts";
import { CUMULATIVE_LINKS, type CumulativeLink, makeCumulativeTerms } from "./cumulative-link.ts";
import { codedLevels, type OrdinalFrame, ordinalFrame, usedCategories } from "./ordinal.ts";
import { makeClmRows } from "./rows.ts";
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

/** Parameters: τ (m), γ by columns (m each), β of the other columns. */
function nominalLogLik(plain: PlainModel, frame: OrdinalFrame, own: readonly number[]): number {
  const { X, offset, weights } = frame;
  const { y } = plain;
  const n = y.length;
  const m = plain.cuts.length;
  const others = Array.from(plain.beta.keys()).filter((k) => !own.includes(k));
  const p = m * (1 + own.length) + others.length;
  const kernel = CUMULATIVE_LINKS[plain.link];
  const out = makeCumulativeTerms();
  const [ga, gb] = [new Float64Array(p), new Float64Array(p)];
  /** Derivatives of τ_j - … by the parameters; false for j outside 0 … m - 1. */
  const fill = (g: Float64Array, i: number, j: number): boolean => {
    g.fill(0);
    if (j < 0 || j >= m) return false;
    g[j] = 1;
    own.forEach((k, o) => {
      g[m * (1 + o) + j] = -X.data[i + k * n]!;
    });
    others.forEach((k, o) => {
      g[m * (1 + own.length) + o] = -X.data[i + k * n]!;
    });
    return true;
  };
  const dot = (g: Float64Array, x: Float64Array): number => g.reduce((sum, v, k) => sum + v * x[k]!, 0);
  const visit = (x: Float64Array, use: (w: number) => void): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const shift = offset ? offset[i]! : 0;
      const a = fill(ga, i, y[i]!) ? dot(ga, x) - shift : Number.POSITIVE_INFINITY;
      const b = fill(gb, i, y[i]! - 1) ? dot(gb, x) - shift : Number.NEGATIVE_INFINITY;
      kernel(out, a, b);
      const w = weights ? weights[i]! : 1;
      sum -= w * out[0]!;
      use(w);
    }
    return sum;
  };
  const evaluate = (x: Float64Array, gradient: Float64Array): number => {
    gradient.fill(0);
    return visit(x, (w) => {
      for (let k = 0; k < p; k++) gradient[k]! -= w * (out[1]! * ga[k]! - out[2]! * gb[k]!);
    });
  };
  const hessianInto = (H: Float64Array, x: Float64Array): void => {
    H.fill(0);
    visit(x, (w) => {
      const [, A0, B0, A1, B1] = out as unknown as [number, number, number, number, number];
      const [aa, ab, bb] = [w * (A1 - A0 * A0), w * A0 * B0, w * (-B1 - B0 * B0)];
      for (let k = 0; k < p; k++) {
        const va = aa * ga[k]! + ab * gb[k]!;
        const vb = ab * ga[k]! + bb * gb[k]!;
        if (va !== 0 || vb !== 0) for (let l = 0; l < p; l++) H[k * p + l]! -= va * ga[l]! + vb * gb[l]!;
      }
    });
  };
  const start = new Float64Array(p);
  start.set(plain.cuts);
  own.forEach((k, o) => {
    start.fill(plain.beta[k]!, m * (1 + o), m * (2 + o));
  });
  others.forEach((k, o) => {
    start[m * (1 + own.length) + o] = plain.beta[k]!;
  });
  const found = minimizeNewton({ evaluate, hessianInto }, start);
  return found.converged ? -found.value : Number.NaN;
}
