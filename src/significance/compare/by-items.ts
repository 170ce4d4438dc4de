/** Is the difference real? Two or more systems on the same items: differences with intervals, the test that fits the data, what the
 *  data could have shown, and one verdict.
 *  Reference: Dror et al. (2018), ACL; Card et al. (2020), EMNLP; Riezler & Hagmann (2021), chapter 4; Miller (2024).
 *  Oracle:    the tests' own (see resample/permutation.ts, tests/mcnemar.ts, …); this file only chooses and tells.
 *  Limits:    systems are compared on the items that all of them have. */

import { checkMargin } from "../../metrics/range.ts";
import { makeRng } from "../../numeric/rng.ts";
import { type JointTests, jointTests } from "../joint-tests.ts";
import { adjustP, apart, DEFAULT_ADJUSTMENT } from "../multiplicity.ts";
import { friedmanTest } from "../tests/friedman.ts";
import { assembleComparison } from "./assemble.ts";
import type { Comparison, ComparisonData, PairwiseOptions } from "./comparison.ts";
import { checkInput, isShare, listPairs, pairOf, plainPair } from "./conclude.ts";
import { diagnose, spreadNotes } from "./diagnose.ts";
import { claimedP, type Facet, holdAgainstRuns, tellChecks } from "./pair/facets.ts";
import { withoutRuns } from "./pair/items.ts";
import { comparePair } from "./pair/pair.ts";
import { drawScores } from "./pair/score-draws.ts";
import { chooseTest, explainTest } from "./pair/tests.ts";
import { cutDifference, marginBounds, scaleOf } from "./scale.ts";
import { chooseScope, repeatedIn } from "./scope.ts";
import { itemSeries, itemsOf } from "./series.ts";
import { compareSlices } from "./slices.ts";
import { scoreSystems } from "./system-scores.ts";
import { covarianceOfDraws, covarianceOfSystems } from "./together.ts";

/** Streams of the bootstrap and of the slices; pairs have those from 0 on. */
const DRAWS = 1 << 20;
const SLICES = DRAWS + 1;

export function compareItems(input: ComparisonData, options: PairwiseOptions = {}): Comparison {
  checkInput(input);
  const { systems, data, clusters } = input;
  // seeds of a data set make a mean with an error of its own: signed ranks are of one number each
  const dataSets = input.dataSets === true && data.kind === "scores" && data.counts.every((k) => k === 1);
  const { alpha = 0.05, confidence = 0.95, adjust = DEFAULT_ADJUSTMENT, rng = makeRng("1"), margin } = options;
  const share = isShare(input);
  checkMargin(margin, marginBounds(input, share));
  const scale = scaleOf(input, share);
  const scope = scopeOfItems(input, options);
  const drawn =
    data.kind === "statistics"
      ? drawScores(data.statistics, { rng: rng.stream(DRAWS), ...(clusters ? { clusters: clusters.codes } : {}) })
      : undefined;
  const which = listPairs(systems.length, options.pairs ?? "all");
  const runs = scope.includes("runs") && data.runs !== undefined;
  const joint: JointTests | undefined =
    adjust !== "max-t" || which.length === 1
      ? undefined
      : jointTests(
          drawn === undefined || runs
            ? covarianceOfSystems(input, runs)
            : covarianceOfDraws(drawn.map(({ values }) => values)),
          which,
        );
  const level = joint === undefined ? confidence : 1 - joint.levelFor(1 - confidence);
  const alone = which.map(([a, b], k) => {
    if (which.length > 1) options.onProgress?.(k, which.length);
    const items = pairOf(data, a, b);
    const test = options.test ?? chooseTest(items, clusters?.codes, { dataSets, several: joint !== undefined });
    // bootstrap draws are the same for all pairs: a p does not depend on which others are compared
    const own = {
      ...options,
      test,
      confidence: level,
      rng: test === "bootstrap" ? rng : rng.stream(k),
      ...(clusters ? { clusters: clusters.codes } : {}),
    };
    const draws = drawn && { draws: [drawn[a]!, drawn[b]!] as const };
    // runs that the verdict is held against need no draws beside it
    const given = test === "multi-bootstrap" || !scope.includes("runs") ? items : withoutRuns(items);
    const claim = { scope, alpha, confidence: level, units: input.units };
    return holdAgainstRuns(comparePair(given, { ...own, ...draws }), items, claim);
  });
  const plain = alone.map((result, k) => {
    const ci = { ...cutDifference(result.ci, scale), level: confidence };
    return plainPair(which[k]!, { ...result, ci }, { input, margin });
  });
  const claims = alone.map(claimedP);
  const adjusted = joint === undefined ? adjustP(claims, apart(adjust)) : claims.map(joint.adjust);
  const found = {
    ...{ signature: input.signature, input, plain, p: adjusted, scope, repeated: repeatedIn(input), share, scale },
    options: { alpha, margin },
    adjust,
    simultaneous: joint !== undefined,
    pairAlpha: joint?.levelFor(alpha),
    scores: scoreSystems(input, { confidence, share }),
    n: data.items.length,
  };
  return assembleComparison(found, ({ pairs, main, scores, style }) => {
    const mainItems = pairOf(data, systems.indexOf(main.a), systems.indexOf(main.b));
    return {
      diagnostics: [
        ...(input.diagnostics ?? []),
        ...diagnose(input, pairs, { style, scope }),
        ...spreadNotes(pairs, scores, { style, clustered: clusters !== undefined }),
      ],
      testChoice:
        explainTest(main.test.name, mainItems, { clusters: clusters?.codes, dataSets, several: joint !== undefined }) +
        tellChecks(main),
      ...omnibusOf(input, alpha),
      slices: compareSlices(input, main, { ...options, scope, alpha, adjust, rng: rng.stream(SLICES) }),
      series: itemSeries(data, {
        ...{ systems, main, pairs, scores, higherIsBetter: input.higherIsBetter },
        groups: input.slices ?? new Map(),
      }),
      items: which.map((pair) => itemsOf(input, pair)),
    };
  });
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
function omnibusOf(
  { systems, data, clusters, dataSets, higherIsBetter }: ComparisonData,
  alpha: number,
): Pick<Comparison, "omnibus"> {
  if (systems.length < 3 || data.kind === "statistics" || clusters !== undefined) return {};
  const n = data.items.length;
  const scores = Array.from({ length: n }, (_, i) => systems.map((_s, s) => data.means[i + s * n]!));
  const found = friedmanTest(scores, { names: systems, confidence: 1 - alpha });
  const { method, statistic, df, p, meanRanks, criticalDifference } = found;
  const told = { method, statistic, df: typeof df === "number" ? df : Number.NaN, p };
  if (dataSets !== true) return { omnibus: told };
  // rank 1 is the smallest score
  const ranks = higherIsBetter === false ? meanRanks : meanRanks.map((rank) => systems.length + 1 - rank);
  return { omnibus: { ...told, ranks, criticalDifference } };
}
