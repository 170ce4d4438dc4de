/** `gosset test` as the documented JSON object; see docs/json.md. */
import type { Diagnostic, PartialConjunction, TestResult } from "../index.ts";
import { contractHead } from "./contract.ts";

/** `samples`: the columns or systems behind x, y …, in their order. */
export function testContract(
  result: TestResult,
  diagnostics: readonly Diagnostic[],
  samples: readonly string[] | undefined,
): object {
  const { effect, signature } = result;
  return {
    ...contractHead("test", diagnostics),
    ...(signature.seed === undefined ? {} : { seed: signature.seed }),
    test: result.test,
    method: result.method,
    hypothesis: result.hypothesis,
    alternative: result.alternative,
    n: result.n,
    ...(samples === undefined ? {} : { samples }),
    statisticName: result.statisticName,
    statistic: result.statistic,
    ...(result.df === undefined ? {} : { df: result.df }),
    p: result.p,
    effect: { name: effect.name, estimate: effect.value, se: effect.se },
    ci: result.ci,
    figures: result.figures,
    ...ownFields(result),
    signature,
  };
}

/** What some tests add: mean ranks, pairwise comparisons, how p was drawn. */
const OWN = [
  "meanRanks",
  "criticalDifference",
  "pairwise",
  "differences",
  "sumsOfSquares",
  "exact",
  "replicates",
  "monteCarloSe",
];

function ownFields(result: TestResult): object {
  return Object.fromEntries(Object.entries(result).filter(([key]) => OWN.includes(key)));
}

export function conjunctionContract(result: PartialConjunction, diagnostics: readonly Diagnostic[]): object {
  const { method, alpha, p, k, datasets, signature } = result;
  return {
    ...contractHead("test", diagnostics),
    test: "partial-conjunction",
    method,
    alpha,
    n: datasets.length,
    k,
    p,
    datasets,
    signature,
  };
}
