/** Circularity as JSON: the first finding at the top, those of predictions under `predictions`; see docs/json.md. */

import type { FieldsOf } from "../../models/fit.ts";
import { present } from "../../result/present.ts";
import type { Published, ResultJson, Written } from "../../result/result.ts";
import type { CircularityResult } from "./circularity.ts";
import type { CircularityFinding } from "./finding.ts";
import { circularSet } from "./verdict.ts";

type Nullification = NonNullable<CircularityFinding["nullification"]>;
type OtherFeature = Nullification["features"][number];

type Same =
  | "label"
  | "role"
  | "family"
  | "verdict"
  | "reason"
  | "explained"
  | "explainedBy"
  | "nobs"
  | "searchedRows"
  | "leftOut"
  | "search"
  | "models"
  | "tolerance"
  | "chosen"
  | "chosenBy"
  | "equivalents"
  | "rule"
  | "reproduction"
  | "full"
  | "tried"
  | "notTried";

export interface FindingJson extends Pick<Written<CircularityFinding>, Same> {
  /** Empty where nothing is circular. */
  readonly circular: readonly string[];
  readonly features: readonly FeatureJson[];
  /** The chosen set with more knots. */
  readonly refined: Pick<Written<CircularityFinding["refined"]>, "d2" | "adjusted" | "edf" | "finer">;
  readonly nullification?: NullificationJson;
}

/** With the amplitudes of its shape before and after, where it is not in the set. */
export interface FeatureJson
  extends Partial<Pick<Written<OtherFeature>, "before" | "after" | "ratio" | "share" | "state">> {
  readonly feature: string;
  readonly correlation: number;
  readonly association: number;
  readonly candidate: boolean;
  readonly inSet: boolean;
  readonly copyOfLabel: boolean;
}

export interface NullificationJson extends Pick<Written<Nullification>, "setAmplitude" | "withoutSet" | "withSet"> {
  readonly nullified: boolean;
  readonly curves: readonly (Written<OtherFeature["curves"]> & { readonly feature: string })[];
}

export interface CircularityJson extends ResultJson<"circularity">, FindingJson {
  readonly predictions: readonly FindingJson[];
  readonly ablation: CircularityResult["ablation"];
}

export function circularityJson(result: FieldsOf<CircularityResult>): Published<CircularityJson> {
  const { findings, verdict, circular } = result;
  return {
    ...findingJson(findings[0]!),
    verdict,
    circular,
    predictions: findings.filter(({ role }) => role === "predictions").map(findingJson),
    ablation: result.ablation,
  };
}

function findingJson(finding: CircularityFinding): FindingJson {
  const { ranking, nullification, rule, refined, chosen } = finding;
  const others = new Map(nullification?.features.map((feature) => [feature.feature, feature]));
  return {
    label: finding.label,
    role: finding.role,
    family: finding.family,
    verdict: finding.verdict,
    reason: finding.reason,
    circular: circularSet(finding),
    ...present({ reproduction: finding.reproduction }),
    full: finding.full,
    tried: finding.tried,
    notTried: finding.notTried,
    explained: finding.explained,
    explainedBy: finding.explainedBy,
    nobs: finding.nobs,
    searchedRows: finding.searchedRows,
    features: ranking.map((ranked) => featureJson(ranked, finding, others.get(ranked.feature))),
    leftOut: finding.leftOut,
    search: finding.search,
    models: finding.models,
    tolerance: finding.tolerance,
    chosen,
    chosenBy: finding.chosenBy,
    equivalents: finding.equivalents,
    refined: { d2: refined.d2, adjusted: refined.adjusted, edf: refined.edf, finer: refined.finer },
    ...present({ rule }),
    ...(nullification === undefined ? {} : { nullification: nullificationJson(nullification) }),
  };
}

function featureJson(
  { feature, correlation, association }: CircularityFinding["ranking"][number],
  { candidates, chosen, copies }: CircularityFinding,
  other: OtherFeature | undefined,
): FeatureJson {
  return {
    feature,
    correlation,
    association,
    candidate: candidates.includes(feature),
    inSet: chosen.features.includes(feature),
    copyOfLabel: copies.includes(feature),
    ...(other === undefined
      ? {}
      : { before: other.before, after: other.after, ratio: other.ratio, share: other.share, state: other.state }),
  };
}

function nullificationJson({ setAmplitude, withoutSet, withSet, features }: Nullification): NullificationJson {
  return {
    setAmplitude,
    withoutSet,
    withSet,
    nullified: features.every(({ state }) => state === "nullified"),
    curves: features.map(({ feature, curves }) => ({ feature, ...curves })),
  };
}
