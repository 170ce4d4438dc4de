/** One tail of a distribution kept as e^{logScale} · factor, so that its value, its logarithm and its complement can all be
 *  read off without underflow or cancellation. A kernel writes [logScale, factor] and says which tail it computed;
 *  it picks the tail that is not close to 1, or sets factor = 1 and knows the logarithm itself to relative accuracy. */

import { log1mexp } from "./log.ts";

/** Below this e^x loses digits (subnormal), so the exponential is applied in two halves. */
const NORMAL_EXP = -700;

export function tailValue(tail: Float64Array): number {
  const scale = tail[0]!;
  if (scale >= NORMAL_EXP) return Math.exp(scale) * tail[1]!;
  const half = Math.exp(0.5 * scale);
  return half * tail[1]! * half;
}

export function tailLog(tail: Float64Array): number {
  return tail[0]! + Math.log(tail[1]!);
}

export function tailComplement(tail: Float64Array): number {
  return tail[1] === 1 ? -Math.expm1(tail[0]!) : 1 - tailValue(tail);
}

export function tailLogComplement(tail: Float64Array): number {
  return tail[1] === 1 ? log1mexp(tail[0]!) : Math.log1p(-tailValue(tail));
}
