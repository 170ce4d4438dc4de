/** Power figures of an estimate that is normal:  ê ~ N(e, s²),  significant beyond ± t (one-sided: above t).
 *    P(ê > t) = Φ((e - t)/s),   E[ê; ê > t] = e P(ê > t) + s φ((t - e)/s)
 *  Reference: Gelman & Carlin (2014), Perspect. Psychol. Sci. 9; Lu, Qiu & Deng (2019), Br. J. Math. Stat. Psychol. 72 (closed forms). */
import { normalCdf, normalPdf, normalQuantileUpper, normalSf } from "../numeric/dist/normal.ts";
import type { DiscordantLaw } from "../significance/tests/mcnemar-power.ts";
import type { PowerFigures } from "./scenario.ts";

export interface NormalEstimate {
  readonly effect: number;
  readonly sd: number;
  /** Estimates beyond it are significant. */
  readonly threshold: number;
  readonly twoSided: boolean;
}

export function normalFigures({ effect: signed, sd, threshold, twoSided }: NormalEstimate): PowerFigures {
  const effect = Math.abs(signed);
  const above = (threshold - effect) / sd;
  const below = (-threshold - effect) / sd;
  const power = normalSf(above);
  const wrong = twoSided ? normalCdf(below) : 0;
  const rejection = power + wrong;
  const upper = effect * power + sd * normalPdf(above);
  const lower = twoSided ? sd * normalPdf(below) - effect * wrong : 0;
  return { power, rejection, typeM: (upper + lower) / effect / rejection, typeS: wrong / rejection };
}

/** Duffy's normal approximation of the asymptotic test:  Φ((√n Δ - z√d)/√(d - Δ²)),  Δ = w - l, d = w + l. */
export function approximateDiscordant(
  { n, win, lose }: DiscordantLaw,
  { alpha, twoSided }: { readonly alpha: number; readonly twoSided: boolean },
): PowerFigures {
  const effect = win - lose;
  const rate = win + lose;
  const z = normalQuantileUpper(twoSided ? alpha / 2 : alpha);
  const sd = Math.sqrt(Math.max(0, rate - effect * effect) / n);
  return normalFigures({ effect, sd, threshold: z * Math.sqrt(rate / n), twoSided });
}
