/** Tails that end in a power of x: far out, at x = FAR or 1/FAR, the next term of the expansion is smaller by some FAR² (or FAR)
 *  and so lost; from there log P = log P(FAR) + power · log(x / FAR) is exact, and nothing under- or overflows on the way. */

/** Squares and products with moderate parameters still fit; the correction, below 1e-50 for those, does not show. */
const FAR = 1e100;
const LOG_FAR = Math.log(FAR);
/** Parameters of this size, and one over it, do not change that. */
const MODERATE = 1e25;

export function areModerate(...parameters: readonly number[]): boolean {
  return parameters.every((v) => v > 1 / MODERATE && v < MODERATE);
}

export function isFarOut(x: number): boolean {
  return x > FAR;
}

export function isFarIn(x: number): boolean {
  return x < 1 / FAR;
}

/** log P at x > FAR, which falls as x^{-power}. */
export function extendOutwards(logTail: (x: number) => number, x: number, power: number): number {
  return logTail(FAR) - power * (Math.log(x) - LOG_FAR);
}

/** log P at x < 1/FAR, which falls as x^power. */
export function extendInwards(logTail: (x: number) => number, x: number, power: number): number {
  return logTail(1 / FAR) + power * (Math.log(x) + LOG_FAR);
}
