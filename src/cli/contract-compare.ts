/** A comparison as the documented JSON object; see docs/json.md. */
import type { ComparedPair, Comparison, Diagnostic, EmmeansResult, ModelComparison } from "../index.ts";
import { contractHead } from "./contract.ts";

export function comparisonAnswer(result: Comparison, diagnostics: readonly Diagnostic[]): object {
  const { main } = result;
  return {
    ...contractHead("comparison", diagnostics),
    seed: result.signature.seed,
    metric: result.metric,
    higherIsBetter: result.higherIsBetter,
    ...(result.metricSignature === undefined ? {} : { metricSignature: result.metricSignature }),
    n: result.n,
    units: result.units,
    ...(result.clusters === undefined ? {} : { clusters: result.clusters }),
    paired: result.paired,
    systems: result.systems,
    ...pairAnswer(main),
    alpha: result.alpha,
    adjust: result.adjust,
    simultaneous: result.simultaneous,
    testChoice: result.testChoice,
    pairs: result.pairs.map(pairAnswer),
    ...(result.model === undefined ? {} : { model: modelAnswer(result.model) }),
    ...(result.omnibus === undefined ? {} : { omnibus: result.omnibus }),
    slices: result.slices,
    unmatched: result.unmatched,
    itemsLost: result.itemsLost,
    signature: result.signature,
  };
}

function modelAnswer(model: ModelComparison): object {
  const { kind, formula, fit, systems, interaction, by, classes, within, latent, naive } = model;
  return {
    kind,
    formula,
    ...(by === undefined ? {} : { by, classes }),
    residualSd: fit.residualSd,
    random: fit.variances.map(({ group, names, sd }) => ({ group, terms: names, sd })),
    systems,
    ...(interaction === undefined ? {} : { interaction }),
    ...(within === undefined ? {} : { means: within.means.map(meanAnswer), within: within.contrasts }),
    ...(latent === undefined ? {} : { latent: latent.contrasts }),
    ...(naive === undefined ? {} : { naive: naiveAnswer(naive) }),
    singular: fit.singular,
    converged: fit.converged,
  };
}

function naiveAnswer({ formula, means, systems, interaction }: NonNullable<ModelComparison["naive"]>): object {
  return { formula, contrasts: means.contrasts, systems, ...(interaction === undefined ? {} : { interaction }) };
}

const meanAnswer = ({ levels, estimate, se, df, lower, upper }: EmmeansResult["means"][number]): object => ({
  ...levels,
  estimate,
  se,
  df,
  lower,
  upper,
});

function pairAnswer(pair: ComparedPair): object {
  const { test, ...rest } = pair;
  return { ...rest, test: test.name, testDetails: test };
}
