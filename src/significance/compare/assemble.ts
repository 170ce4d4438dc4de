/** A comparison put together from what was found of its pairs, whatever found it: verdicts, sentences and the figures of the systems. */

import type { ScoreRange } from "../../metrics/range.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { present } from "../../result/present.ts";
import { makeResult } from "../../result/result.ts";
import { NO_VERDICT } from "../../result/verdict.ts";
import type { PairAdjustment } from "../multiplicity.ts";
import type { ComparedPair, Comparison, ComparisonData } from "./comparison.ts";
import { type Conclusion, concludePairs, mainPair, type PlainPair, styleOf } from "./conclude.ts";
import { displayComparison } from "./details.ts";
import { comparisonJson } from "./json.ts";
import type { Facet, RepeatedFacet } from "./pair/facets.ts";
import { statementOf } from "./pair-sentences.ts";
import type { Fault } from "./reading/checks.ts";
import { cutScore } from "./scale.ts";
import type { SystemScore } from "./system-scores.ts";
import type { ScoreStyle } from "./written-numbers.ts";

type Fields = FieldsOf<Comparison>;

/** What a way of comparing has found. */
export interface Findings extends Pick<Conclusion, "reason" | "fixed"> {
  readonly signature: Comparison["signature"];
  readonly input: Conclusion["input"] &
    Partial<Pick<ComparisonData, "metricSignature" | "clusters" | "unmatched" | "itemsLost" | "texts">>;
  readonly options: Conclusion["options"];
  readonly plain: readonly PlainPair[];
  /** Of the pairs, adjusted for their number. */
  readonly p: ArrayLike<number>;
  readonly adjust: PairAdjustment;
  readonly simultaneous?: boolean;
  readonly pairAlpha?: number | undefined;
  readonly scores: readonly SystemScore[];
  readonly n: number;
  readonly scope: readonly Facet[];
  readonly repeated: readonly RepeatedFacet[];
  readonly paired?: boolean;
  /** A share of items, and the ends of the scale. */
  readonly share: boolean;
  readonly scale: ScoreRange | undefined;
}

/** What follows from the verdicts. */
export interface Concluded {
  readonly pairs: readonly ComparedPair[];
  readonly main: ComparedPair;
  readonly scores: readonly SystemScore[];
  readonly style: ScoreStyle;
}

/** `rest`: what a way of comparing adds of its own, when the verdicts are known. */
export function assembleComparison(
  found: Findings,
  rest: (concluded: Concluded) => Pick<Fields, "diagnostics" | "testChoice"> & Partial<Fields>,
): Comparison {
  const { signature, input, options, plain, adjust, simultaneous = false, paired = true } = found;
  const { systems: _, metric, higherIsBetter, units = "items", clusters, unmatched = [], itemsLost = 0 } = input;
  const style = styleOf(found.share, plain, found.scale);
  const { reason, fixed } = found;
  const pairs = concludePairs(plain, found.p, { input, options, style, adjust, count: plain.length, reason, fixed });
  const scores = found.scores.map((own) => cutScore(own, found.scale));
  const main = mainPair(pairs, scores, higherIsBetter);
  return makeComparison({
    signature,
    metric,
    higherIsBetter,
    ...present({ metricSignature: input.metricSignature }),
    n: found.n,
    units,
    scope: found.scope,
    repeated: found.repeated,
    ...(clusters === undefined ? {} : { clusters: clusters.names.length }),
    systems: scores,
    paired,
    main,
    pairs,
    adjust,
    simultaneous,
    ...present({ pairAlpha: found.pairAlpha }),
    alpha: options.alpha,
    slices: [],
    unmatched,
    itemsLost,
    style,
    ...present({ texts: input.texts }),
    ...rest({ pairs, main, scores, style }),
  });
}

/** The same comparison with other fields. */
export function changeComparison(result: Comparison, changes: Partial<Fields>): Comparison {
  const { kind: _, ...fields } = result as Comparison & { readonly kind: string };
  return makeComparison({ ...fields, ...changes });
}

const makeComparison = (fields: Fields): Comparison =>
  makeResult("comparison", fields, { display: displayComparison, json: comparisonJson });

/** The data cannot answer the question, of all pairs or of some: the verdict is NONE, and no figure is shown that would be taken for an answer. */
export function refuseVerdict(
  result: Comparison,
  { reason, fix, meansStand }: Fault,
  concerns: (a: string, b: string) => boolean = () => true,
): Comparison {
  const { omnibus: _omnibus, model: _model, items, ...kept } = result;
  const refuse = (pair: ComparedPair): ComparedPair => {
    const { equivalence: _e, exaggeration: _x, nextStep: _n, flips: _f, runs: _r, variance: _v, ...own } = pair;
    const told = [{ id: "reason" as const, text: reason, a: pair.a, b: pair.b, refused: true }];
    const scores = meansStand ? {} : { scoreA: Number.NaN, scoreB: Number.NaN, difference: Number.NaN };
    return {
      ...own,
      ...scores,
      se: Number.NaN,
      df: Number.NaN,
      p: Number.NaN,
      ci: { ...pair.ci, lower: Number.NaN, upper: Number.NaN },
      test: { ...pair.test, statistic: Number.NaN, p: Number.NaN },
      mde80: Number.NaN,
      verdict: NO_VERDICT,
      reason,
      told,
      statement: statementOf(told, result.style),
      advice: fix,
    };
  };
  const concerned = result.pairs.filter(({ a, b }) => concerns(a, b)).length;
  const pairs = result.pairs.map((pair) => (concerns(pair.a, pair.b) ? refuse(pair) : pair));
  if (concerned < pairs.length)
    return concerned === 0
      ? result
      : changeComparison(result, { main: pairs[result.pairs.indexOf(result.main)]!, pairs });
  return changeComparison(kept as Comparison, {
    main: pairs[result.pairs.indexOf(result.main)] ?? refuse(result.main),
    pairs,
    slices: [],
    systems: meansStand
      ? result.systems.map(({ name, score }) => ({ name, score }))
      : result.systems.map(({ name }) => ({ name, score: Number.NaN })),
    diagnostics: result.diagnostics.filter(({ code }) => KEPT.has(code)),
    testChoice: "none was made.",
    ...(meansStand && items !== undefined ? { items } : {}),
  });
}

/** What is said about the rows stays; what is said about the figures goes with them. */
const KEPT = new Set(["Unmatched", "Unscored", "DuplicateRows", "FewItems", "NoClusters", "NoSlices", "OtherPrompts"]);
