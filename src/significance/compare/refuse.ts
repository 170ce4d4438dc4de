/** A comparison whose data cannot answer the question: its verdict is NONE, and no figure is shown that would be taken for an answer. */
import type { FieldsOf } from "../../models/fit.ts";
import { makeResult } from "../../result/result.ts";
import type { ComparedPair, Comparison } from "./comparison.ts";
import { displayComparison } from "./display.ts";
import { comparisonJson } from "./json.ts";
import type { Fault } from "./reading/checks.ts";

const NOTHING = Number.NaN;

export function refuseVerdict(result: Comparison, { reason, fix, meansStand }: Fault): Comparison {
  const { kind: _, omnibus: _omnibus, model: _model, ...fields } = result as Comparison & { readonly kind: string };
  const refuse = (pair: ComparedPair): ComparedPair => {
    const { equivalence: _e, exaggeration: _x, nextStep: _n, flips: _f, runs: _r, variance: _v, ...own } = pair;
    const scores = meansStand ? {} : { scoreA: NOTHING, scoreB: NOTHING, difference: NOTHING };
    return {
      ...own,
      ...scores,
      se: NOTHING,
      df: NOTHING,
      p: NOTHING,
      ci: { ...pair.ci, lower: NOTHING, upper: NOTHING },
      test: { ...pair.test, statistic: NOTHING, p: NOTHING },
      mde80: NOTHING,
      verdict: "NONE",
      reason,
      statement: `No verdict on ${pair.b} against ${pair.a}: ${reason}`,
      advice: fix,
    };
  };
  const pairs = result.pairs.map(refuse);
  const own: FieldsOf<Comparison> = {
    ...fields,
    main: pairs[result.pairs.indexOf(result.main)] ?? refuse(result.main),
    pairs,
    slices: [],
    systems: meansStand
      ? result.systems.map(({ name, score }) => ({ name, score }))
      : result.systems.map(({ name }) => ({ name, score: NOTHING })),
    diagnostics: result.diagnostics.filter(({ code }) => KEPT.has(code)),
    testChoice: "none was made.",
  };
  return makeResult("comparison", own, { display: displayComparison, json: comparisonJson });
}

/** What is said about the rows stays; what is said about the figures goes with them. */
const KEPT = new Set(["Unmatched", "Unscored", "DuplicateRows", "FewItems", "NoClusters", "NoSlices", "OtherPrompts"]);
