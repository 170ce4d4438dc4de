/** Circularity and audits as the documented JSON objects of `--json`; see docs/json.md. */
import {
  type AuditResult,
  type CircularityFinding,
  type CircularityResult,
  circularSet,
  type Diagnostic,
} from "../index.ts";
import { contractHead } from "./contract.ts";
import { biasContract, invarianceContract } from "./contract-validity.ts";

export function circularityContract(result: CircularityResult, diagnostics: readonly Diagnostic[]): object {
  const { findings, verdict, circular, signature } = result;
  return {
    ...contractHead("circularity", diagnostics),
    ...findingContract(findings[0]!),
    verdict,
    circular,
    predictions: findings.filter(({ role }) => role === "predictions").map(findingContract),
    signature,
  };
}

function findingContract(finding: CircularityFinding): object {
  const { ranking, nullification, rule, refined, leftOut, chosen } = finding;
  const others = new Map(nullification?.features.map((feature) => [feature.feature, feature]));
  return {
    label: finding.label,
    role: finding.role,
    family: finding.family,
    verdict: finding.verdict,
    reason: finding.reason,
    circular: circularSet(finding),
    ...(finding.reproduction === undefined ? {} : { reproduction: finding.reproduction }),
    full: finding.full,
    tried: finding.tried,
    notTried: finding.notTried,
    explained: finding.explained,
    explainedBy: finding.explainedBy,
    nobs: finding.nobs,
    searchedRows: finding.searchedRows,
    features: ranking.map(({ feature, correlation, association }) => {
      const other = others.get(feature);
      return {
        feature,
        correlation,
        association,
        candidate: finding.candidates.includes(feature),
        inSet: chosen.features.includes(feature),
        copyOfLabel: finding.copies.includes(feature),
        ...(other === undefined
          ? {}
          : { before: other.before, after: other.after, ratio: other.ratio, share: other.share, state: other.state }),
      };
    }),
    leftOut,
    search: finding.search,
    models: finding.models,
    tolerance: finding.tolerance,
    chosen,
    chosenBy: finding.chosenBy,
    equivalents: finding.equivalents,
    refined: { d2: refined.d2, adjusted: refined.adjusted, edf: refined.edf, finer: refined.finer },
    ...(rule === undefined ? {} : { rule }),
    ...(nullification === undefined
      ? {}
      : {
          nullification: {
            setAmplitude: nullification.setAmplitude,
            withoutSet: nullification.withoutSet,
            withSet: nullification.withSet,
            nullified: nullification.features.every(({ state }) => state === "nullified"),
            curves: nullification.features.map(({ feature, curves }) => ({ feature, ...curves })),
          },
        }),
  };
}

export function auditContract(result: AuditResult, diagnostics: readonly Diagnostic[]): object {
  const { circularity, bias, invariance, columns, skipped, verdict, signature } = result;
  return {
    ...contractHead("audit", diagnostics),
    seed: signature.seed,
    columns,
    verdict,
    ...(circularity === undefined ? {} : { circularity: circularityContract(circularity, circularity.diagnostics) }),
    ...(bias === undefined ? {} : { bias: biasContract(bias, bias.diagnostics) }),
    ...(invariance === undefined ? {} : { invariance: invarianceContract(invariance, invariance.diagnostics) }),
    skipped,
    signature,
  };
}
