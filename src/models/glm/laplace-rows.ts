/** Rows of a binomial or Poisson model with linear predictor η = Xβ + offset + random part; φ = β.
 *
 *  ℓ = w(y log μ + (1 - y) log(1 - μ)) + log C(w, wy), or w(yη - e^η) - log y!. Information in the determinant: the expected
 *  one, μ'²/V, as lme4 has it; with the canonical links it is the observed one.
 *    logit:   s = w(y - μ),        D = wμ(1 - μ),         D' = D(1 - 2μ)
 *    probit:  with m₁ = φ(η)/Φ(η), m₂ = φ(η)/Φ(-η): s = w(y m₁ - (1 - y)m₂), W = w(y m₁(η + m₁) + (1 - y)m₂(m₂ - η)),
 *             D = w m₁m₂, D' = D(m₂ - m₁ - 2η)
 *    cloglog: with e = e^η, r = e/(e^e - 1): s = w(y r - (1 - y)e), W = w(y r(r + e - 1) + (1 - y)e), D = w e r, D' = D(2 - e - r)
 *    log:     s = w(y - μ), D = D' = wμ
 *  Reference: McCullagh & Nelder (1989), Generalized Linear Models, ch. 2 and 4.
 *  Oracle:    lme4 (R), oracle/r/glmm.json; extrapolated differences (laplace/laplace.test.ts). */
import { normalLogPdf, normalLogSf } from "../../numeric/dist/normal.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { logGamma } from "../../numeric/special/gamma.ts";
import { log1mexp } from "../../numeric/special/log.ts";
import type { RowModel } from "../row-model.ts";

export type GlmmFamily = "binomial" | "poisson";
export type GlmmLink = "logit" | "probit" | "cloglog" | "log";

export interface GlmRowsInput {
  readonly link: GlmmLink;
  /** Shares of successes, or counts. */
  readonly y: Float64Array;
  readonly X: Matrix;
  readonly offset: Float64Array | undefined;
  /** Numbers of trials, or frequencies. */
  readonly weights: Float64Array | undefined;
}

interface Buffers {
  readonly y: Float64Array;
  readonly weights: Float64Array;
  readonly value: Float64Array;
  readonly score: Float64Array;
  readonly weight: Float64Array;
  readonly information: Float64Array;
  readonly slope: Float64Array;
}

/** Σℓ without its constant, with score and weight; and the information with its slope. */
interface GlmKernel {
  readonly canonical: boolean;
  likelihood(b: Buffers, eta: Float64Array): number;
  differentiate(b: Buffers, eta: Float64Array): void;
}

export function makeGlmRows({ link, y, X, offset, weights }: GlmRowsInput): RowModel {
  const n = y.length;
  const p = X.cols;
  const kernel = KERNELS[link];
  const make = (): Float64Array => new Float64Array(n);
  const weight = make();
  const buffers: Buffers = {
    y,
    weights: weights ?? make().fill(1),
    value: make(),
    score: make(),
    weight,
    information: kernel.canonical ? weight : make(),
    slope: make(),
  };
  const constant = logConstant(link, buffers);
  const eta0 = make();
  const e = make();
  const addColumns = (g: Float64Array, at: number): void => {
    for (let k = 0; k < p; k++) {
      let s = 0;
      for (let i = 0, t = k * n; i < n; i++, t++) s += X.data[t]! * e[i]!;
      g[at + k]! += s;
    }
  };
  return {
    rows: n,
    fixedCount: p,
    eta0,
    value: buffers.value,
    constant,
    score: buffers.score,
    weight,
    information: buffers.information,
    informationSlope: buffers.slope,
    setFixed(phi) {
      if (offset) eta0.set(offset);
      else eta0.fill(0);
      for (let k = 0; k < p; k++) {
        const b = phi[k]!;
        for (let i = 0, t = k * n; i < n; i++, t++) eta0[i]! += b * X.data[t]!;
      }
      return true;
    },
    likelihood: (eta) => kernel.likelihood(buffers, eta) + constant,
    differentiate: (eta) => kernel.differentiate(buffers, eta),
    addScoreTo(g, at, l) {
      for (let i = 0; i < n; i++) e[i] = l[i]! * buffers.score[i]!;
      addColumns(g, at);
    },
    addCurvatureTo(g, at, h, r) {
      for (let i = 0; i < n; i++) e[i] = 0.5 * (r[i]! * weight[i]! - h[i]! * buffers.slope[i]!);
      addColumns(g, at);
    },
  };
}

function logConstant(link: GlmmLink, { y, weights }: Buffers): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++) {
    const w = weights[i]!;
    if (link === "log") sum -= w * logGamma(y[i]! + 1);
    else sum += logGamma(w + 1) - logGamma(w * y[i]! + 1) - logGamma(w * (1 - y[i]!) + 1);
  }
  return sum;
}

const logit: GlmKernel = {
  canonical: true,
  likelihood({ y, weights, value, score, weight }, eta) {
    let sum = 0;
    for (let i = 0; i < y.length; i++) {
      const t = Math.exp(-Math.abs(eta[i]!));
      const small = t / (1 + t);
      const mu = eta[i]! > 0 ? 1 - small : small;
      const w = weights[i]!;
      // log μ = η - log(1 + e^η)
      value[i] = w * (y[i]! * eta[i]! - Math.max(eta[i]!, 0) - Math.log(1 + t));
      sum += value[i]!;
      score[i] = w * (y[i]! - mu);
      weight[i] = (w * small) / (1 + t);
    }
    return sum;
  },
  differentiate({ y, weight, slope }, eta) {
    for (let i = 0; i < y.length; i++) slope[i] = -weight[i]! * Math.tanh(0.5 * eta[i]!);
  },
};

/** φ(x)/Φ(x). */
const mills = (x: number): number => Math.exp(normalLogPdf(x) - normalLogSf(-x));

const probit: GlmKernel = {
  canonical: false,
  likelihood({ y, weights, value, score, weight }, eta) {
    let sum = 0;
    for (let i = 0; i < y.length; i++) {
      const x = eta[i]!;
      const w = weights[i]!;
      const hit = w * y[i]!;
      const miss = w - hit;
      let l = 0;
      let s = 0;
      let d = 0;
      if (hit > 0) {
        const m = mills(x);
        l += hit * normalLogSf(-x);
        s += hit * m;
        d += hit * m * (x + m);
      }
      if (miss > 0) {
        const m = mills(-x);
        l += miss * normalLogSf(x);
        s -= miss * m;
        d += miss * m * (m - x);
      }
      value[i] = l;
      sum += l;
      score[i] = s;
      weight[i] = Math.max(0, d);
    }
    return sum;
  },
  differentiate({ y, weights, information, slope }, eta) {
    for (let i = 0; i < y.length; i++) {
      const x = eta[i]!;
      const [m1, m2] = [mills(x), mills(-x)];
      information[i] = weights[i]! * m1 * m2;
      slope[i] = information[i]! * (m2 - m1 - 2 * x);
    }
  },
};

/** e/(e^e - 1), e = e^η. */
const ratio = (e: number): number => (e === 0 ? 1 : e / Math.expm1(e));

const cloglog: GlmKernel = {
  canonical: false,
  likelihood({ y, weights, value, score, weight }, eta) {
    let sum = 0;
    for (let i = 0; i < y.length; i++) {
      const e = Math.exp(eta[i]!);
      const hit = weights[i]! * y[i]!;
      const miss = weights[i]! - hit;
      const r = ratio(e);
      value[i] = (hit > 0 ? hit * log1mexp(-e) : 0) - miss * e;
      sum += value[i]!;
      score[i] = hit * r - miss * e;
      weight[i] = Math.max(0, hit * r * (r + e - 1) + miss * e);
    }
    return sum;
  },
  differentiate({ y, weights, information, slope }, eta) {
    for (let i = 0; i < y.length; i++) {
      const e = Math.exp(eta[i]!);
      const r = ratio(e);
      information[i] = weights[i]! * e * r;
      slope[i] = information[i]! * (2 - e - r);
    }
  },
};

const log: GlmKernel = {
  canonical: true,
  likelihood({ y, weights, value, score, weight }, eta) {
    let sum = 0;
    for (let i = 0; i < y.length; i++) {
      const mu = Math.exp(eta[i]!);
      value[i] = weights[i]! * (y[i]! * eta[i]! - mu);
      sum += value[i]!;
      score[i] = weights[i]! * (y[i]! - mu);
      weight[i] = weights[i]! * mu;
    }
    return sum;
  },
  differentiate({ weight, slope }) {
    slope.set(weight);
  },
};

const KERNELS: Readonly<Record<GlmmLink, GlmKernel>> = { logit, probit, cloglog, log };
