/** What a mixed model's difference is also held against: few levels of a facet, looked at by themselves (docs/methods/scope.md). */
import { asFactor, column, type Table } from "../../data/table.ts";
import { spreadOverFacet } from "../facets.ts";
import { type Adjustment, adjustTests } from "../multiplicity.ts";
import type { ComparisonData } from "./comparison.ts";
import type { PlainPair } from "./conclude.ts";
import type { ComparisonColumns, Matched } from "./matching/matching.ts";
import type { ModelComparison } from "./model.ts";
import { checkPart, FACETS, type Facet, type FacetCheck, isExact, isFew } from "./pair/facets.ts";
import type { PairComparison } from "./pair/pair.ts";

interface Checked {
  readonly table: Table;
  readonly columns: ComparisonColumns;
  readonly matched: Matched;
  /** Matched rows that the model took. */
  readonly kept: Int32Array;
  readonly input: ComparisonData;
  readonly scope: readonly Facet[];
}

/** Few levels of a facet are also looked at by themselves: a variance of theirs is too often estimated as 0. */
export function checkModel(
  { difference }: PairComparison,
  [a, b]: readonly [number, number],
  { table, columns, matched, kept, input, scope }: Checked,
): FacetCheck[] {
  const { rows, cellOfRow, items, score } = matched;
  const n = items.length;
  const own = Array.from(kept).filter((k) => [a, b].includes(Math.floor(cellOfRow[k]! / n)));
  const system = own.map((k) => (Math.floor(cellOfRow[k]! / n) === b ? 1 : 0));
  const over = (facet: Facet, codes: readonly number[]): FacetCheck[] => {
    const spread = spreadOverFacet({
      score: Float64Array.from(own, (k) => score[rows[k]!]!),
      system,
      item: own.map((k) => cellOfRow[k]! % n),
      facet: codes,
    });
    const { levels, se, df, kind } = spread;
    if (!isFew(kind === "nested" ? levels / 2 : levels) || Number.isNaN(se)) return [];
    return [checkPart(difference, { facet, levels, se, df })];
  };
  const codesOf = (name: string): number[] => {
    const { codes } = asFactor(column(table, name));
    return own.map((k) => codes[rows[k]!]!);
  };
  const { rater, cluster, repeat } = columns;
  const runs = input.data.kind === "scores" && input.data.runs !== undefined && scope.includes("runs");
  return [
    ...(scope.includes("raters") ? over("raters", codesOf(rater!)) : []),
    ...(scope.includes("clusters") ? over("clusters", codesOf(cluster!)) : []),
    // each run is one system's
    ...(runs
      ? over(
          "runs",
          codesOf(repeat!).map((code, k) => 2 * code + system[k]!),
        )
      : []),
  ];
}

/** p of the model and of its checks, each adjusted for the number of pairs: the largest. */
export function claimedPairs(
  { means }: ModelComparison,
  plain: readonly PlainPair[],
  { method, means: count }: { readonly method: Adjustment; readonly means: number },
): number[] {
  const p = means.contrasts.map((contrast) => contrast.p);
  for (const facet of FACETS) {
    const checks = plain.map(({ result }) => result.facets?.find(({ parts }) => parts[0]!.facet === facet));
    if (!checks.some((check) => check !== undefined)) continue;
    const statistics = checks.map((check, k) => {
      const { difference } = plain[k]!.result;
      return check === undefined || difference === 0 ? 0 : difference / check.se;
    });
    const df = checks.map((check) => check?.df ?? Number.POSITIVE_INFINITY);
    adjustTests(statistics, df, { method, means: count }).forEach((own, k) => {
      const check = checks[k];
      // levels that agree to the last digit leave t no spread
      if (check !== undefined) p[k] = Math.max(p[k]!, own, isExact(check) ? check.p : 0);
    });
  }
  return p;
}
