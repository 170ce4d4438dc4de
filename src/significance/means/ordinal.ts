/** Marginal means of a cumulative link model on the scales people read: probabilities of categories, of reaching a category, and
 *  the mean class, each by its first-order expansion at the estimates on every row of the reference grid, then averaged.
 *    P(y ≤ j) = F(τ_j - η),  P(y > j) = 1 - F(τ_j - η),  P(y = j) = F(τ_j - η) - F(τ_{j-1} - η),  mean class Σ j P(y = j)
 *    gradient by (α, β), τ = Aα:   A'∂/∂τ,  -x ∂/∂τ summed over thresholds;   SE² = g'Vg
 *  The category (or threshold) is one more variable of the means, within whose levels contrasts are made.
 *  Reference: Lenth (2016), J. Stat. Softw. 69(1); Agresti (2010), Analysis of Ordinal Categorical Data, 3.
 *  Oracle:    emmeans (R) with mode = "linear.predictor", "cum.prob", "exc.prob", "prob", "mean.class",
 *             oracle/r/categorical-inference.json.
 *  Limits:    in a mixed model the probabilities are those of an average level of every grouping factor (random effects 0).
 *             Intervals are estimate ± z·SE, as in emmeans, and may leave [0, 1]. */
import type { ClmFit } from "../../models/ordinal/clm.ts";
import type { ClmmFit } from "../../models/ordinal/clmm.ts";
import { CUMULATIVE_LINKS, makeCumulativeTerms } from "../../models/ordinal/cumulative-link.ts";
import { makeThresholds } from "../../models/ordinal/thresholds.ts";
import { selectRows, zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import { averageFunctions } from "./grid-average.ts";
import { combineFunctions, type LinearFunctions } from "./linear-functions.ts";
import {
  type Levels,
  type MarginalFunctions,
  type MarginalOptions,
  makeMarginalFunctions,
} from "./marginal-functions.ts";
import { type MarginalModel, marginalModelOf } from "./marginal-model.ts";

export type OrdinalFit = ClmFit | ClmmFit;

/** latent: x'β minus the mean threshold; linear-predictor: τ_j - x'β; the others are probabilities or the mean class. */
export type OrdinalScale = "latent" | "linear-predictor" | "cum-prob" | "exc-prob" | "prob" | "mean-class";

/** Models and functions on a scale other than the latent one. */
export function ordinalMeans(
  fit: OrdinalFit,
  scale: Exclude<OrdinalScale, "latent">,
  options: MarginalOptions,
): { model: MarginalModel; functions: MarginalFunctions } {
  if (options.slopes !== undefined || options.regrid) {
    const message = `${options.regrid ? "regrid" : "slopes"} cannot be combined with the scale ${scale}.`;
    throw new StatError(
      "BadOption",
      message,
      "Ask for slopes on the latent scale; probabilities are averaged as they are.",
    );
  }
  const latent = marginalModelOf(fit);
  const base = makeMarginalFunctions(latent, options);
  const { variable, labels } = outcomes(fit, scale);
  const names = [...base.by, ...base.within];
  const weights = options.weights ?? "equal";
  const each = labels.map((_, c) =>
    averageFunctions(latent, base.grid, { names, weights, functions: expand(fit, scale, { base, c }) }),
  );
  const model = parameterModel(fit, latent);
  const tag = (levels: Levels, c: number): Levels =>
    variable === undefined ? levels : { ...levels, [variable]: labels[c]! };
  const perClass = base.levels.length;
  return {
    model,
    functions: {
      ...base,
      within: variable === undefined ? base.within : [...base.within, variable],
      levels: labels.flatMap((_, c) => base.levels.map((levels) => tag(levels, c))),
      names: labels.flatMap((label) => base.names.map((name) => (variable === undefined ? name : `${name} ${label}`))),
      means: stack(each),
      groups: labels.flatMap((_, c) =>
        base.groups.map((group) => ({
          within: tag(group.within, c),
          means: group.means.map((m) => c * perClass + m),
          contrasts: group.contrasts,
          functions: combineFunctions(group.contrasts.weights, takeRows(each[c]!, group.means)),
        })),
      ),
      isEstimable: (L, i) => {
        for (let j = 0; j < L.cols; j++) if (Number.isNaN(L.data[i + j * L.rows]!)) return false;
        return true;
      },
    },
  };
}

/** The variable that tells the functions of a scale apart, and its values. */
function outcomes(
  { design, levels }: OrdinalFit,
  scale: OrdinalScale,
): { variable?: string; labels: readonly string[] } {
  if (scale === "mean-class") return { labels: [""] };
  if (scale === "prob") return { variable: design.schema.formula.responseLabel, labels: levels };
  return { variable: "cut", labels: makeThresholds("flexible", levels).cuts };
}

/** φ = (α, β) with its covariance; functions come as gradients by φ. */
function parameterModel(fit: OrdinalFit, latent: MarginalModel): MarginalModel {
  const { infinite: _, ...rest } = latent;
  const beta = Float64Array.from([...fit.thresholds, ...fit.coefficients], ({ value }) => value);
  return { ...rest, kept: Int32Array.from(beta.keys()), beta, vcov: fit.parameterVcov };
}

/** Outcome number c on every row of the grid. */
function expand(
  fit: OrdinalFit,
  scale: OrdinalScale,
  { base, c }: { readonly base: MarginalFunctions; readonly c: number },
): LinearFunctions {
  const { L, offset } = base.grid.functions;
  const { A } = makeThresholds(fit.threshold, fit.levels);
  const phi = [...fit.thresholds, ...fit.coefficients].map(({ value }) => value);
  const out: LinearFunctions = {
    L: zeros(L.rows, phi.length),
    constant: new Float64Array(L.rows),
    offset: new Float64Array(L.rows),
  };
  const byTau = new Float64Array(A.rows);
  for (let r = 0; r < L.rows; r++) {
    let eta = offset[r]!;
    fit.coefficients.forEach(({ value }, k) => {
      eta += value * L.data[r + fit.kept[k]! * L.rows]!;
    });
    const value = base.isEstimable(L, r) ? outcomeInto(byTau, fit, { scale, c, eta }) : Number.NaN;
    let byEta = 0;
    for (const g of byTau) byEta -= g;
    const put = (k: number, gradient: number): void => {
      out.L.data[r + k * L.rows] = Number.isNaN(value) ? value : gradient;
    };
    for (let k = 0; k < A.cols; k++) {
      let sum = 0;
      for (let j = 0; j < A.rows; j++) sum += A.data[j + k * A.rows]! * byTau[j]!;
      put(k, sum);
    }
    fit.kept.forEach((column, k) => {
      put(A.cols + k, byEta * L.data[r + column * L.rows]!);
    });
    let linear = 0;
    phi.forEach((parameter, k) => {
      linear += parameter * out.L.data[r + k * L.rows]!;
    });
    out.offset[r] = value - linear;
  }
  return out;
}

interface Outcome {
  readonly scale: OrdinalScale;
  /** Category or threshold, from 0. */
  readonly c: number;
  readonly eta: number;
}

/** The outcome at η and its derivatives by the thresholds; that by η is minus their sum. */
function outcomeInto(byTau: Float64Array, { link, cuts }: OrdinalFit, { scale, c, eta }: Outcome): number {
  const terms = makeCumulativeTerms();
  const kernel = CUMULATIVE_LINKS[link];
  byTau.fill(0);
  /** P of the interval between two thresholds, with `weight` times its derivatives. */
  const add = (above: number, below: number, weight: number): number => {
    kernel(
      terms,
      above < cuts.length ? cuts[above]! - eta : Number.POSITIVE_INFINITY,
      below >= 0 ? cuts[below]! - eta : Number.NEGATIVE_INFINITY,
    );
    const P = Math.exp(terms[0]!);
    if (above < cuts.length) byTau[above]! += weight * terms[1]! * P;
    if (below >= 0) byTau[below]! -= weight * terms[2]! * P;
    return weight * P;
  };
  switch (scale) {
    case "cum-prob":
      return add(c, -1, 1);
    case "exc-prob":
      return add(cuts.length, c, 1);
    case "prob":
      return add(c, c - 1, 1);
    case "mean-class": {
      let mean = 0;
      for (let j = 0; j <= cuts.length; j++) mean += add(j, j - 1, j + 1);
      return mean;
    }
    default:
      byTau[c] = 1;
      return cuts[c]! - eta;
  }
}

function takeRows({ L, constant, offset }: LinearFunctions, rows: readonly number[]): LinearFunctions {
  const take = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
  return { L: selectRows(L, rows), constant: take(constant), offset: take(offset) };
}

/** Functions under each other. */
function stack(parts: readonly LinearFunctions[]): LinearFunctions {
  const each = parts[0]!.L.rows;
  const L = zeros(each * parts.length, parts[0]!.L.cols);
  parts.forEach((part, c) => {
    for (let j = 0; j < L.cols; j++) {
      L.data.set(part.L.data.subarray(j * each, (j + 1) * each), j * L.rows + c * each);
    }
  });
  const join = (key: "constant" | "offset") => Float64Array.from(parts.flatMap((part) => Array.from(part[key])));
  return { L, constant: join("constant"), offset: join("offset") };
}
