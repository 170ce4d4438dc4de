/** Agreement, reliability, importance and budgets as the documented JSON objects of `--json`; see docs/json.md. */
import type {
  AgreementOptions,
  AgreementResult,
  BudgetResult,
  Diagnostic,
  ImportanceResult,
  ReliabilityResult,
} from "../index.ts";
import { contractHead } from "./contract.ts";

export function agreementContract(
  result: AgreementResult,
  { item, rater, label }: AgreementOptions,
  diagnostics: readonly Diagnostic[],
): object {
  const { coefficients: all, alphas, cohen, confidence, replicates, scale, signature } = result;
  const two = result.raters.length === 2;
  const ends = ({ value, se, lower, upper }: { value: number; se: number; lower: number; upper: number }) => ({
    value,
    se,
    lower,
    upper,
  });
  return {
    ...contractHead("agreement", diagnostics),
    seed: signature.seed,
    columns: { item, rater, label },
    items: result.items,
    sharedItems: result.sharedItems,
    ratings: result.ratings,
    pairable: result.pairable,
    raters: result.raters,
    labels: result.labels,
    percent: ends(all.percent),
    alpha: { scale, ...ends(all.alpha), ...alphas },
    kappa:
      cohen === undefined
        ? ends(all.conger)
        : { ...cohen, ...ends({ ...all.cohen, se: cohen.se }), bootstrapSe: all.cohen.se },
    ...(two ? { scott: ends(all.fleiss) } : { conger: ends(all.conger) }),
    fleiss: { ...ends(all.fleiss), ...result.fleissTest },
    ac1: ends(all.ac1),
    randolph: ends(all.randolph),
    ac2: ends(all.ac2),
    weighting: result.weighting,
    ci: {
      level: confidence,
      method: "Bayesian bootstrap over items",
      replicates,
      lower: all.alpha.lower,
      upper: all.alpha.upper,
    },
    categories: result.categories,
    perRater: result.perRater,
    pairs: result.pairs,
    confusion: result.confusion,
    ...(result.intraclass === undefined ? {} : { icc: result.intraclass }),
    ...(result.concordance === undefined ? {} : { ccc: result.concordance }),
    signature,
  };
}

export function reliabilityContract(result: ReliabilityResult, diagnostics: readonly Diagnostic[]): object {
  const { phi, relative, observed, confidence, replicates, signature } = result;
  return {
    ...contractHead("reliability", diagnostics),
    seed: signature.seed,
    score: result.score,
    ...(result.object === undefined ? {} : { object: result.object }),
    facets: result.facets,
    model: result.model,
    nobs: result.nobs,
    balanced: result.balanced,
    components: result.components.map(({ levels, ...own }) => (Number.isNaN(levels) ? own : { ...own, levels })),
    phi: phi.value,
    phiCi: { lower: phi.lower, upper: phi.upper, level: confidence, method: result.intervals, replicates },
    relative: relative.value,
    relativeCi: {
      lower: relative.lower,
      upper: relative.upper,
      level: confidence,
      method: result.intervals,
      replicates,
    },
    observed: { n: observed.n, phi: observed.value, lower: observed.lower, upper: observed.upper },
    verdict: result.verdict,
    raterForms: result.raters,
    substantialVariance: result.check,
    whatIf: result.whatIf,
    ...(result.cheapest === undefined ? {} : { cheapest: result.cheapest }),
    conditional: result.conditional,
    logLik: result.logLik,
    singular: result.singular,
    converged: result.converged,
    signature,
  };
}

export function importanceContract(result: ImportanceResult, diagnostics: readonly Diagnostic[]): object {
  const { confidence, replicates, signature } = result;
  return {
    ...contractHead("importance", diagnostics),
    seed: signature.seed,
    score: result.score,
    ...(result.object === undefined ? {} : { object: result.object }),
    parameters: result.parameters,
    nobs: result.nobs,
    balanced: result.balanced,
    components: result.components.map(({ levels, ...own }) => (Number.isNaN(levels) ? own : { ...own, levels })),
    interactions: result.interactions,
    ci: { level: confidence, method: result.intervals, replicates },
    signature,
  };
}

export function budgetContract(result: BudgetResult, diagnostics: readonly Diagnostic[]): object {
  const { confidence, replicates, signature } = result;
  return {
    ...contractHead("budget", diagnostics),
    seed: signature.seed,
    score: result.score,
    ...(result.system === undefined ? {} : { system: result.system }),
    minimise: result.minimise,
    curves: result.curves,
    crossings: result.crossings,
    ci: { level: confidence, replicates },
    signature,
  };
}
