/** Exponential distribution with the given rate:  P(X > x) = e^{-rate x}, x >= 0.
 *  Reference: closed form. */

import { log1mexp } from "../special/log.ts";

export function exponentialPdf(x: number, rate: number): number {
  return Math.exp(exponentialLogPdf(x, rate));
}

export function exponentialLogPdf(x: number, rate: number): number {
  if (!(rate > 0)) return Number.NaN;
  return x < 0 ? Number.NEGATIVE_INFINITY : Math.log(rate) - rate * x;
}

export function exponentialCdf(x: number, rate: number): number {
  if (!(rate > 0)) return Number.NaN;
  return x <= 0 ? 0 : -Math.expm1(-rate * x);
}

export function exponentialSf(x: number, rate: number): number {
  if (!(rate > 0)) return Number.NaN;
  return x <= 0 ? 1 : Math.exp(-rate * x);
}

export function exponentialLogCdf(x: number, rate: number): number {
  if (!(rate > 0)) return Number.NaN;
  return x <= 0 ? Number.NEGATIVE_INFINITY : log1mexp(-rate * x);
}

export function exponentialLogSf(x: number, rate: number): number {
  if (!(rate > 0)) return Number.NaN;
  return x <= 0 ? 0 : -rate * x;
}

export function exponentialQuantile(p: number, rate: number): number {
  return rate > 0 && p >= 0 && p <= 1 ? (0 - Math.log1p(-p)) / rate : Number.NaN;
}

export function exponentialQuantileUpper(q: number, rate: number): number {
  return rate > 0 && q >= 0 && q <= 1 ? (0 - Math.log(q)) / rate : Number.NaN;
}

export function exponentialQuantileLog(logP: number, rate: number): number {
  return rate > 0 && logP <= 0 ? (0 - log1mexp(logP)) / rate : Number.NaN;
}
