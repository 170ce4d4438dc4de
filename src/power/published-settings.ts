/** Parameters that papers estimated from their collections of human ratings, by name.
 *  Reference: Card et al. (2020), EMNLP, Table 16: ratings on a scale from 0 to 1, systems coded -1 and +1;
 *             Howcroft & Rieser (2021), EMNLP, section 4.2 and the analysis file of its authors: latent scale, systems coded 0 and 1. */
import { StatError } from "../result/error.ts";

/** Standard deviations. */
export interface RandomSds {
  readonly raterIntercept: number;
  readonly raterSlope: number;
  readonly itemIntercept: number;
  readonly itemSlope: number;
}

export interface LikertSetting extends RandomSds {
  readonly residual: number;
}

export const LIKERT_SETTINGS: Readonly<Record<string, LikertSetting>> = {
  "card-high": { raterIntercept: 0.01, raterSlope: 0.11, itemIntercept: 0.04, itemSlope: 0.14, residual: 0.26 },
  "card-low": { raterIntercept: 0.01, raterSlope: 0.04, itemIntercept: 0.01, itemSlope: 0.13, residual: 0.16 },
};

export interface OrdinalSetting extends RandomSds {
  readonly lowest: number;
  readonly lowestSd: number;
  readonly distance: number;
  readonly distanceSd: number;
  readonly points: number;
}

/** Six points; the thresholds of an experiment are redrawn, as between data sets of the same kind. */
const HOWCROFT_SCALE = { points: 6, lowest: -1.78, lowestSd: 0.19, distance: 0.62, distanceSd: 0.18 };

export const ORDINAL_SETTINGS: Readonly<Record<string, OrdinalSetting>> = {
  "howcroft-extra-low": {
    ...HOWCROFT_SCALE,
    raterIntercept: 0.28,
    raterSlope: 0.11,
    itemIntercept: 0.29,
    itemSlope: 0.43,
  },
  "howcroft-low": { ...HOWCROFT_SCALE, raterIntercept: 0.48, raterSlope: 0.27, itemIntercept: 0.29, itemSlope: 0.63 },
  "howcroft-general": {
    ...HOWCROFT_SCALE,
    raterIntercept: 0.52,
    raterSlope: 0.43,
    itemIntercept: 0.57,
    itemSlope: 0.77,
  },
  "howcroft-high": {
    ...HOWCROFT_SCALE,
    raterIntercept: 0.56,
    raterSlope: 0.67,
    itemIntercept: 0.71,
    itemSlope: 0.89,
  },
  "howcroft-extra-high": {
    ...HOWCROFT_SCALE,
    raterIntercept: 0.56,
    raterSlope: 0.67,
    itemIntercept: 1.09,
    itemSlope: 1.26,
  },
};

/** A parameter by hand, else by the setting. */
export function settledNumber(given: number | undefined, setting: number | undefined, name: string): number {
  const value = given ?? setting;
  if (value === undefined) {
    throw new StatError("MissingParameter", `${name} is not given.`, `Give \`${name}\`, or a \`setting\` by name.`);
  }
  return value;
}

/** A standard deviation may be 0, not less. */
export function settledSd(given: number | undefined, setting: number | undefined, name: string): number {
  return requireSd(settledNumber(given, setting, name), name);
}

export function requireSd(value: number, name: string): number {
  if (value >= 0) return value;
  throw new StatError(
    "NegativeVariance",
    `${name} = ${value}: a standard deviation cannot be below 0.`,
    "give a number of 0 or more.",
  );
}
