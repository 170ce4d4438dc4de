/** What a search tells beside the shares of variance: the scores of every value of a setting, the best configuration, and the best that a search
 *  of so many trials would be expected to find.
 *      mean and SD of the configurations' scores, value by value (Fig. 3.4 of the reference); an object's scores are averaged first
 *      expected best of B trials: budget.ts
 *  Reference: Riezler & Hagmann (2021), Figure 3.4, Algorithm 3.1.
 *  Oracle:    closed forms; oracle/papers/riezler2021.json (Table 3.4's grid).
 *  Limits:    means of an unbalanced search mix the other settings; the shares of variance do not. */

import { groupKeys } from "../data/keys.ts";
import { asFactor, column, isMissing, type NumericColumn, type Table } from "../data/table.ts";
import { mostOf } from "../result/extremes.ts";
import { metricDirection } from "../study/lexicon/metrics.ts";
import { expectedBest } from "./budget.ts";

export interface SettingLevel {
  readonly parameter: string;
  readonly level: string;
  /** Configurations with this value. */
  readonly n: number;
  readonly mean: number;
  /** NaN of a single configuration. */
  readonly sd: number;
  readonly best: number;
}

export interface SearchBest {
  readonly configurations: number;
  readonly best: number;
  /** The values of the settings that gave it. */
  readonly configuration: Readonly<Record<string, string>>;
  /** Of so many trials of this search. */
  readonly expected: readonly { readonly budget: number; readonly mean: number; readonly sd: number }[];
  /** Lower scores are better. */
  readonly minimise: boolean;
}

interface Columns {
  readonly score: string;
  readonly parameters: readonly string[];
}

interface Configuration {
  readonly codes: readonly number[];
  /** One of its rows. */
  readonly row: number;
  readonly score: number;
}

/** `uncut` has the same rows with the values that were set, where the table has them in classes: two values of one class are two
 *  configurations. */
export function describeSettings(
  table: Table,
  columns: Columns,
  uncut: Table = table,
): { levels: SettingLevel[]; search: SearchBest } {
  const factors = columns.parameters.map((name) => asFactor(column(table, name)));
  const all = configurationsOf(uncut, columns, factors);
  const minimise = metricDirection(columns.score) === false;
  const sign = minimise ? -1 : 1;
  const best = (scores: readonly number[]): number => sign * mostOf(scores.map((v) => sign * v));
  const levels = columns.parameters.flatMap((parameter, p) =>
    factors[p]!.levels.flatMap((level, code) => {
      const own = all.filter(({ codes }) => codes[p] === code).map(({ score }) => score);
      if (own.length === 0) return [];
      const mean = own.reduce((sum, v) => sum + v, 0) / own.length;
      const squares = own.reduce((sum, v) => sum + (v - mean) ** 2, 0);
      const sd = own.length > 1 ? Math.sqrt(squares / (own.length - 1)) : Number.NaN;
      return [{ parameter, level, n: own.length, mean, sd, best: best(own) }];
    }),
  );
  const scores = all.map(({ score }) => score);
  const top = all[scores.indexOf(best(scores))]!;
  const sorted = Float64Array.from(scores, (v) => sign * v).sort();
  const expected = [1, 5, 10, 20, 50, 100]
    .filter((budget) => budget <= scores.length)
    .map((budget) => {
      const { mean, sd } = expectedBest(sorted, budget);
      return { budget, mean: sign * mean, sd };
    });
  const named = columns.parameters.map((name) => {
    const { levels, codes } = asFactor(column(uncut, name));
    return [name, levels[codes[top.row]!]!] as const;
  });
  return {
    levels,
    search: {
      configurations: all.length,
      best: top.score,
      configuration: Object.fromEntries(named),
      expected,
      minimise,
    },
  };
}

/** One mean score for every combination of settings that was tried. */
function configurationsOf(
  table: Table,
  { score, parameters }: Columns,
  factors: readonly { readonly codes: Int32Array }[],
): Configuration[] {
  const cells = column(table, score) as NumericColumn;
  const { group } = groupKeys(
    parameters.map((name) => column(table, name)),
    table.rows,
  );
  const found = new Map<number, { codes: number[]; row: number; sum: number; n: number }>();
  for (let row = 0; row < table.rows; row++) {
    const codes = factors.map((factor) => factor.codes[row]!);
    if (isMissing(cells, row) || codes.some((code) => code < 0)) continue;
    const own = found.get(group[row]!) ?? { codes, row, sum: 0, n: 0 };
    own.sum += cells.values[row]!;
    own.n += 1;
    found.set(group[row]!, own);
  }
  return [...found.values()].map(({ codes, row, sum, n }) => ({ codes, row, score: sum / n }));
}
