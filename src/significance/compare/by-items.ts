/** Is the difference real? Two or more systems on the same items: differences with intervals, the test that fits the data, what the
 *  data could have shown, and one verdict.
 *  Reference: Dror et al. (2018), ACL; Card et al. (2020), EMNLP; Riezler & Hagmann (2021), chapter 4; Miller (2024).
 *  Oracle:    the tests' own (see resample/permutation.ts, tests/mcnemar.ts, …); this file only chooses and tells.
 *  Limits:    systems are compared on the items that all of them have. */

import type { FieldsOf } from "../../models/fit.ts";
import { makeRng } from "../../numeric/rng.ts";
import { makeResult } from "../../result/result.ts";
import { adjustP } from "../multiplicity.ts";
import { friedmanTest } from "../tests/friedman.ts";
import type { Comparison, ComparisonData, PairwiseOptions } from "./comparison.ts";
import {
  checkInput,
  checkMargin,
  concludePairs,
  isShare,
  listPairs,
  mainPair,
  pairOf,
  plainPair,
  spreadsOf,
} from "./conclude.ts";
import { diagnose, spreadNotes } from "./diagnose.ts";
import { displayComparison } from "./display.ts";
import { comparisonJson } from "./json.ts";
import { styleFor } from "./narrate.ts";
import { claimedP, type Facet, holdAgainstRuns } from "./pair/facets.ts";
import { withoutRuns } from "./pair/items.ts";

import { comparePair } from "./pair/pair.ts";
import { drawScores } from "./pair/score-draws.ts";
import { chooseTest, explainTest } from "./pair/tests.ts";
import { cutDifference, cutScore, scaleOf } from "./scale.ts";
import { chooseScope, repeatedIn } from "./scope.ts";
import { itemSeries } from "./series.ts";
import { compareSlices } from "./slices.ts";
import { scoreSystems } from "./system-scores.ts";

/** Streams of the bootstrap and of the slices; pairs have those from 0 on. */
const DRAWS = 1 << 20;
const SLICES = DRAWS + 1;

export function compareItems(input: ComparisonData, options: PairwiseOptions = {}): Comparison {
  checkInput(input);
  const { systems, data, clusters } = input;
  const { alpha = 0.05, confidence = 0.95, adjust = "holm", rng = makeRng("1"), margin } = options;
  const share = isShare(input);
  checkMargin(margin, share);
  const scale = scaleOf(input, share);
  const scope = scopeOfItems(input, options);
  const drawn =
    data.kind === "statistics"
      ? drawScores(data.statistics, { rng: rng.stream(DRAWS), ...(clusters ? { clusters: clusters.codes } : {}) })
      : undefined;
  const plain = listPairs(systems.length, options.pairs ?? "all").map(([a, b], k) => {
    const items = pairOf(data, a, b);
    const test = options.test ?? chooseTest(items, clusters?.codes);
    // bootstrap draws are the same for all pairs: a p does not depend on which others are compared
    const own = {
      ...options,
      test,
      rng: test === "bootstrap" ? rng : rng.stream(k),
      ...(clusters ? { clusters: clusters.codes } : {}),
    };
    const draws = drawn && { draws: [drawn[a]!, drawn[b]!] as const };
    // runs that the verdict is held against need no draws beside it
    const given = test === "multi-bootstrap" || !scope.includes("runs") ? items : withoutRuns(items);
    const result = holdAgainstRuns(comparePair(given, { ...own, ...draws }), items, { scope, alpha, confidence });
    return plainPair([a, b], { ...result, ci: cutDifference(result.ci, scale) }, { input, margin });
  });
  const adjusted = adjustP(
    plain.map(({ result }) => claimedP(result)),
    adjust,
  );
  const style = styleFor(share, spreadsOf(plain), scale);
  const about = { input, options: { ...options, alpha, scope }, style, adjust, count: plain.length };
  const pairs = concludePairs(plain, adjusted, about);
  const scores = scoreSystems(input, { confidence, share }).map((own) => cutScore(own, scale));
  const main = mainPair(pairs, scores, input.higherIsBetter);
  const mainItems = pairOf(data, systems.indexOf(main.a), systems.indexOf(main.b));
  const fields: FieldsOf<Comparison> = {
    signature: input.signature,
    diagnostics: [
      ...(input.diagnostics ?? []),
      ...diagnose(input, pairs, { style, scope }),
      ...spreadNotes(pairs, scores, style),
    ],
    metric: input.metric,
    higherIsBetter: input.higherIsBetter,
    ...(input.metricSignature === undefined ? {} : { metricSignature: input.metricSignature }),
    n: data.items.length,
    units: input.units ?? "items",
    scope,
    repeated: repeatedIn(input),
    ...(clusters === undefined ? {} : { clusters: clusters.names.length }),
    systems: scores,
    paired: true,
    main,
    pairs,
    adjust,
    simultaneous: false,
    alpha,
    testChoice: explainTest(main.test.name, mainItems, clusters?.codes),
    ...omnibusOf(input),
    slices: compareSlices(input, main, { ...options, scope, alpha, adjust, rng: rng.stream(SLICES) }),
    unmatched: input.unmatched ?? [],
    itemsLost: input.itemsLost ?? 0,
    style,
    series: itemSeries(data, systems, main),
  };
  return makeResult("comparison", fields, { display: displayComparison, json: comparisonJson });
}

/** A test that was asked for by name speaks for itself: of items, or clusters, and these runs. */
function scopeOfItems(input: ComparisonData, { test, scope }: PairwiseOptions): Facet[] {
  const runs = test === undefined || test === "multi-bootstrap";
  const possible = repeatedIn(input).map(({ facet }) => facet);
  return chooseScope(
    possible.filter((facet) => facet !== "raters" && (facet !== "runs" || runs)),
    scope,
  );
}

/** Friedman's test takes items for independent blocks; of clustered items it says nothing. */
function omnibusOf({ systems, data, clusters }: ComparisonData): Pick<Comparison, "omnibus"> {
  if (systems.length < 3 || data.kind === "statistics" || clusters !== undefined) return {};
  const n = data.items.length;
  const scores = Array.from({ length: n }, (_, i) => systems.map((_s, s) => data.means[i + s * n]!));
  const { method, statistic, df, p } = friedmanTest(scores, { names: systems });
  return { omnibus: { method, statistic, df: typeof df === "number" ? df : Number.NaN, p } };
}
