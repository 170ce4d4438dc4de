/** From the scale on which a model is linear back to the scale of the response, for marginal means and ratios.
 *  A mean η with standard error s becomes g⁻¹(η) with s·dg⁻¹/dη; interval ends are mapped; tests stay on the linear scale.
 *  A contrast on a log or logit scale becomes a ratio or an odds ratio; on other scales it has no such form and stays where it is.
 *  Reference: Lenth (2016), J. Stat. Softw. 69(1), section 5 on transformations.
 *  Oracle:    emmeans (R) with type = "response", oracle/r/emmeans.json. */
import type { Schema } from "../../formula/schema.ts";
import { LINKS, type LinkName } from "../../models/link.ts";

export interface ResponseScale {
  /** A link's name, or the function of the response: "log", "log2", "sqrt". */
  readonly name: string;
  /** Mean of the response; defined at ±Infinity too. */
  mu(eta: number): number;
  slope(eta: number): number;
  /** What a contrast becomes, and how. */
  readonly ratio?: { readonly name: "odds ratio" | "ratio"; of(difference: number): number; slope(x: number): number };
}

const exponential = (base: number): Pick<ResponseScale, "mu" | "slope"> => ({
  mu: (eta) => base ** eta,
  slope: (eta) => Math.log(base) * base ** eta,
});

function logScale(name: string, { mu, slope }: Pick<ResponseScale, "mu" | "slope">): ResponseScale {
  return { name, mu, slope, ratio: { name: "ratio", of: mu, slope } };
}

const natural = { mu: Math.exp, slope: Math.exp };

/** The scale of a glm's linear predictor. */
export function linkScale(link: LinkName): ResponseScale {
  if (link === "log") return logScale("log", natural);
  const { mu, slope } = LINKS[link];
  const limits = { mu: (eta: number) => limitOf(link, eta) ?? mu(eta), slope };
  if (link !== "logit") return { name: link, ...limits };
  return { name: link, ...limits, ratio: { name: "odds ratio", of: Math.exp, slope: Math.exp } };
}

function limitOf(link: LinkName, eta: number): number | undefined {
  if (Number.isFinite(eta) || Number.isNaN(eta)) return undefined;
  return link === "identity" ? eta : eta < 0 ? 0 : 1;
}

export const IDENTITY_SCALE: ResponseScale = linkScale("identity");

/** The scale of a response that the formula transforms: log(y), log2(y), log10(y), log1p(y), sqrt(y). */
export function transformationScale({ formula }: Schema): ResponseScale {
  const { response } = formula;
  // of log(y + 1) only y + 1 would come back, under the name of y
  if (response?.kind !== "call" || response.args[0]?.kind !== "variable") return IDENTITY_SCALE;
  if (response.args.length + response.named.size !== 1) return IDENTITY_SCALE;
  switch (response.fn) {
    case "log":
      return logScale("log", natural);
    case "log2":
      return logScale("log2", exponential(2));
    case "log10":
      return logScale("log10", exponential(10));
    case "log1p":
      return { name: "log1p", mu: Math.expm1, slope: Math.exp };
    case "sqrt":
      return { name: "sqrt", mu: (eta) => eta * eta, slope: (eta) => 2 * eta };
    default:
      return IDENTITY_SCALE;
  }
}
