/** What a mixed model's difference is also held against: few levels of a facet, looked at by themselves (docs/methods/scope.md). */
import { asFactor, column, type Table } from "../../data/table.ts";
import { FACETS } from "../../question/choices.ts";
import type { Spread } from "../../resample/mean-spread.ts";
import { type FacetSpread, spreadOverFacet } from "../facets.ts";
import { adjustTests, type Family } from "../multiplicity.ts";
import type { ComparisonData } from "./comparison.ts";
import { listPairs, type PlainPair } from "./conclude.ts";
import type { ComparisonColumns, Matched } from "./matching/matching.ts";
import type { ModelComparison } from "./model.ts";
import { checkPart, type Facet, type FacetCheck, isExact, isFew, partOf, type RepeatedFacet } from "./pair/facets.ts";

interface Checked {
  readonly table: Table;
  readonly columns: ComparisonColumns;
  readonly matched: Matched;
  /** Matched rows that the model took. */
  readonly kept: Int32Array;
  readonly input: ComparisonData;
  readonly scope: readonly Facet[];
  /** The model has no degrees of freedom: facets of many levels are looked at too. */
  readonly always?: boolean;
}

/** Few levels of a facet are also looked at by themselves: a variance of theirs is too often estimated as 0. Of K > 2 systems whose levels all met
 *  all of them, the pairs share one variance, that of a level's preferences, on K - 1 times as many df; a pair that varies more has its own variance:
 *      se² = max(mean over all pairs of se²_pair, se²_pair)     (mean: two-way ANOVA of levels × systems: 2 MS / L on (L - 1)(K - 1) df, where levels have equal rows)
 *  The rows are sorted by system once, for all pairs. */
export function makeModelChecks(checked: Checked): (pair: readonly [number, number]) => FacetCheck[] {
  const { scope, always = false, matched } = checked;
  const facets = codesOfFacets(checked).filter(({ facet }) => scope.includes(facet));
  if (facets.length === 0) return () => [];
  const spreadsOf = onceEach(makeSpreads(checked, facets));
  const all = listPairs(matched.systems.length, "all");
  const pooled = all.length > 1 ? poolSpreads(all.map(spreadsOf), matched.systems.length) : [];
  return (pair) =>
    spreadsOf(pair).flatMap((own, f) => {
      const shared = pooled[f];
      const spread = shared === undefined ? own : { ...own, df: shared.df, se: Math.max(shared.se, own.se) };
      const part = partOf(facets[f]!.facet, spread);
      const few = isFew(spread.kind === "nested" ? spread.levels / 2 : spread.levels);
      if (!(few || always) || Number.isNaN(spread.se)) return [];
      return [checkPart(spread.difference, part, shared === undefined ? undefined : pooledName(part))];
    });
}

const pooledName = ({ levels, facet }: RepeatedFacet): string => `${levels} ${facet} (variance pooled over pairs)`;

function onceEach<T>(of: (pair: readonly [number, number]) => T): (pair: readonly [number, number]) => T {
  const known = new Map<string, T>();
  return (pair) => {
    const own = known.get(pair.join()) ?? of(pair);
    known.set(pair.join(), own);
    return own;
  };
}

/** Of each facet, where all of its levels met all systems. */
function poolSpreads(pairs: readonly (readonly FacetSpread[])[], systems: number): (Spread | undefined)[] {
  return pairs[0]!.map((_, f) => {
    const own = pairs.map((spreads) => spreads[f]!);
    const shared = own.every(({ kind, levels, se }) => kind === "crossed" && levels === own[0]!.levels && se >= 0);
    if (!shared) return undefined;
    const mean = (pick: (spread: FacetSpread) => number): number =>
      own.reduce((sum, spread) => sum + pick(spread), 0) / own.length;
    return { se: Math.sqrt(mean(({ se }) => se ** 2)), df: (systems - 1) * mean(({ df }) => df) };
  });
}

function makeSpreads(
  { matched, kept }: Checked,
  facets: readonly { readonly facet: Facet; readonly codes: Int32Array }[],
): (pair: readonly [number, number]) => FacetSpread[] {
  const { rows, cellOfRow, items, score, systems } = matched;
  const n = items.length;
  const ofSystem = systems.map(() => [] as number[]);
  const systemOf = Int32Array.from(cellOfRow, (cell) => Math.floor(cell / n));
  for (const k of kept) ofSystem[systemOf[k]!]!.push(k);
  return ([a, b]) => {
    const own = inOrder(ofSystem[a]!, ofSystem[b]!);
    const shared = {
      score: new Float64Array(own.length),
      system: new Float64Array(own.length),
      item: new Int32Array(own.length),
    };
    // loops, since this runs for every pair
    for (let i = 0; i < own.length; i++) {
      const k = own[i]!;
      shared.score[i] = score[rows[k]!]!;
      shared.system[i] = systemOf[k] === b ? 1 : 0;
      shared.item[i] = cellOfRow[k]! - n * systemOf[k]!;
    }
    return facets.map(({ facet, codes }) => {
      const levels = new Int32Array(own.length);
      for (let i = 0; i < own.length; i++)
        levels[i] = codes[rows[own[i]!]!]! * 2 + (facet === "runs" ? shared.system[i]! : 0);
      return spreadOverFacet({ ...shared, facet: levels });
    });
  };
}

/** Codes of the table's rows in each facet that can be looked at; runs of two systems are distinguished later: each is one system's. */
function codesOfFacets({ table, columns, input }: Checked): { facet: Facet; codes: Int32Array }[] {
  const { rater, cluster, repeat } = columns;
  const runs = input.data.kind === "scores" && input.data.runs !== undefined;
  const named = [
    ["raters", rater],
    ["clusters", cluster],
    ["runs", runs ? repeat : undefined],
  ] as const;
  return named.flatMap(([facet, name]) =>
    name === undefined ? [] : [{ facet, codes: asFactor(column(table, name)).codes }],
  );
}

/** The error of a facet's level means by the model: that of the difference without what all levels share, the part σ²/G of every other facet
 *  whose G levels have differences of their own; of the items' part what raters or runs have in common. The variances of the model are pooled over
 *  all scores, where three levels by themselves agree by chance. */
export function expectedOver(
  { preferences }: ModelComparison,
  { item, rater, cluster, repeat }: ComparisonColumns,
  { matched, rows, whole }: { readonly matched: Matched; readonly rows: number; readonly whole: number },
): (check: FacetCheck) => number {
  const partsOf = (name: string | undefined): { variance: number; levels: number } => {
    const own = name === undefined ? undefined : preferences.get(name);
    return own === undefined ? { variance: 0, levels: 0 } : { variance: own.variance / own.levels, levels: own.levels };
  };
  const names = { raters: rater, clusters: cluster, runs: repeat } as const;
  const each = rows / (matched.systems.length * matched.items.length);
  return ({ parts }) => {
    const { facet } = parts[0]!;
    const others = (["raters", "clusters", "runs"] as const).filter((own) => own !== facet);
    const crossed = others.reduce((sum, own) => sum + partsOf(names[own]).variance, 0);
    const { levels } = partsOf(facet === "items" || facet === "prompts" ? undefined : names[facet]);
    const common = facet === "clusters" ? 0 : levels > 1 ? Math.min(1, Math.max(0, (each - 1) / (levels - 1))) : 1;
    return Math.sqrt(Math.max(0, whole ** 2 - crossed - common * partsOf(item).variance));
  };
}

/** Two ascending lists as one. */
function inOrder(a: readonly number[], b: readonly number[]): number[] {
  const out: number[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) out.push(j === b.length || a[i]! < b[j]! ? a[i++]! : b[j++]!);
  return out;
}

/** p of the model and of its checks, each adjusted for the number of pairs: the largest. */
export function claimedPairs({ means }: ModelComparison, plain: readonly PlainPair[], family: Family): number[] {
  const p = means.contrasts.map((contrast) => contrast.p);
  for (const facet of FACETS) {
    const checks = plain.map(({ result }) => result.facets?.find(({ parts }) => parts[0]!.facet === facet));
    if (!checks.some((check) => check !== undefined)) continue;
    const statistics = checks.map((check) =>
      check === undefined || check.difference === 0 ? 0 : check.difference / check.se,
    );
    const df = checks.map((check) => check?.df ?? Number.POSITIVE_INFINITY);
    adjustTests(statistics, df, family).forEach((own, k) => {
      const check = checks[k];
      // levels that agree to the last digit leave t no spread
      if (check !== undefined) p[k] = Math.max(p[k]!, own, isExact(check) ? check.p : 0);
    });
  }
  return p;
}
