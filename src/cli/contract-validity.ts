/** Bias and invariance tests as the documented JSON objects of `--json`; see docs/json.md. */
import type { BiasComparison, BiasResult, Diagnostic, InvarianceResult } from "../index.ts";
import { contractHead } from "./contract.ts";

export function biasContract(result: BiasResult, diagnostics: readonly Diagnostic[]): object {
  const { signature } = result;
  const point = (own: BiasComparison): object => ({
    feature: own.feature,
    labels: own.labels,
    domain: own.outOfDomain.domain,
    x: own.inDomain.value,
    y: own.outOfDomain.value,
    biased: own.biased,
  });
  return {
    ...contractHead("bias", diagnostics),
    seed: signature.seed,
    label: result.label,
    ...(result.predicted === undefined ? {} : { predicted: result.predicted }),
    ...(result.positive === undefined ? {} : { positive: result.positive }),
    domains: result.domains,
    features: result.features,
    predictions: result.predictions,
    inheritance: result.inheritance,
    ngrams: result.ngrams,
    plot: {
      x: `association in ${result.domains.inDomain}`,
      y: "association out of domain",
      points: [...result.features, ...result.predictions].map(point),
    },
    settings: result.settings,
    verdict: result.verdict,
    signature,
  };
}

export function invarianceContract(result: InvarianceResult, diagnostics: readonly Diagnostic[]): object {
  const { signature } = result;
  return {
    ...contractHead("invariance", diagnostics),
    seed: signature.seed,
    label: result.label,
    learner: result.learner,
    loss: { name: result.loss, baseline: result.baseline },
    trainRows: result.trainRows,
    testRows: result.testRows,
    used: result.used,
    randomLearner: result.randomLearner,
    features: result.features,
    settings: result.settings,
    verdict: result.verdict,
    signature,
  };
}
