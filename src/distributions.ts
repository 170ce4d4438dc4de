/** `gosset/distributions`: densities, tails, quantiles and the special functions behind them. */
export * from "./numeric/dist/beta.ts";
export * from "./numeric/dist/binomial.ts";
export * from "./numeric/dist/chi-square.ts";
export * from "./numeric/dist/exponential.ts";
export * from "./numeric/dist/f.ts";
export * from "./numeric/dist/gamma.ts";
export * from "./numeric/dist/hypergeometric.ts";
export * from "./numeric/dist/laplace.ts";
export * from "./numeric/dist/logistic.ts";
export * from "./numeric/dist/noncentral-chi-square.ts";
export * from "./numeric/dist/noncentral-f.ts";
export * from "./numeric/dist/noncentral-t.ts";
export * from "./numeric/dist/normal.ts";
export * from "./numeric/dist/poisson.ts";
export * from "./numeric/dist/studentized-range.ts";
export * from "./numeric/dist/t.ts";
export { digamma, logGamma } from "./numeric/special/gamma.ts";
