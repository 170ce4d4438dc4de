/** p or log p from both tails: near p = 1 the other tail carries the digits that this one has lost. */

/** Above this log p is a difference from 1 of at most 10 %. */
const NEAR_CERTAIN = -0.1;

export function refineLog(log: number, logOther: () => number): number {
  return log > NEAR_CERTAIN ? Math.log1p(-Math.exp(logOther())) : log;
}

export function refineTail(log: number, logOther: () => number): number {
  return log > NEAR_CERTAIN ? -Math.expm1(logOther()) : Math.exp(log);
}
