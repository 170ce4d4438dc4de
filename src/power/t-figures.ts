/** Exact power of the t test. The estimate is normal, ê = e + σ X', its standard error σ S, S² ~ χ²(ν)/ν, independent; T = ê/(σS).
 *    power   P(T > c),  noncentral t with δ = e/σ
 *    Type-M  E[X; X > cS] = δ P(T > c) + E[φ(cS - δ)],  X ~ N(δ, 1),  and the last term is a noncentral t density with ν - 1:
 *            E[φ(cS - δ)] = √((ν-1)/2) Γ((ν-1)/2)/Γ(ν/2) f_{ν-1}(c/r; δ),   r = √(ν/(ν-1))
 *            (ν = 1:  2 φ(δ/h) Φ(cδ/h)/h,  h = √(1 + c²))
 *  Reference: Johnson, Kotz & Balakrishnan (1995), Continuous Univariate Distributions 2, ch. 31; Gelman & Carlin (2014).
 *  Oracle:    power.t.test (R), oracle/reference/power.json — 1e-10; Type-M by quadrature. */
import { noncentralTCdf, noncentralTPdf, noncentralTSf } from "../numeric/dist/noncentral-t.ts";
import { normalCdf, normalPdf } from "../numeric/dist/normal.ts";
import { tQuantileUpper } from "../numeric/dist/t.ts";
import { logGammaDelta } from "../numeric/special/gamma.ts";
import type { PowerFigures } from "./scenario.ts";

export interface TLaw {
  /** Effect in standard errors: e/σ. */
  readonly ncp: number;
  readonly df: number;
  readonly alpha: number;
  readonly twoSided: boolean;
}

export function tFigures({ ncp: signed, df, alpha, twoSided }: TLaw): PowerFigures {
  const ncp = Math.abs(signed);
  const c = tQuantileUpper(twoSided ? alpha / 2 : alpha, df);
  const power = noncentralTSf(c, df, ncp);
  const wrong = twoSided ? noncentralTCdf(-c, df, ncp) : 0;
  const rejection = power + wrong;
  const upper = ncp * power + meanDensity(c, df, ncp);
  // by symmetry P(T < -c; δ) = P(T > c; -δ)
  const lower = twoSided ? -ncp * wrong + meanDensity(c, df, -ncp) : 0;
  return { power, rejection, typeM: (upper + lower) / ncp / rejection, typeS: wrong / rejection };
}

/** E[φ(cS - δ)] */
function meanDensity(c: number, df: number, ncp: number): number {
  if (df <= 1) {
    const h = Math.sqrt(1 + c * c);
    return (2 * normalPdf(ncp / h) * normalCdf((c * ncp) / h)) / h;
  }
  const r = Math.sqrt(df / (df - 1));
  const scale = Math.sqrt((df - 1) / 2) * Math.exp(-logGammaDelta((df - 1) / 2, 0.5));
  return scale * noncentralTPdf(c / r, df - 1, ncp);
}
