/** A comparison as plain tables, in the units of the score and at full precision, as a spreadsheet wants them. */

import type { DisplayTable } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { suggest } from "../../result/suggest.ts";
import type { Verdict } from "../../result/verdict.ts";
import type { Comparison } from "./comparison.ts";
import type { Groups } from "./matching/matching.ts";
import { claimedP, decidingName } from "./pair/facets.ts";
import { gainsOf } from "./pair/items.ts";
import { signed, unit, writeRange } from "./written-numbers.ts";

/** The table that was asked for: pairs, systems, flips (every item that differs), the slices or classes of a column, or with several metrics
 *  metrics, which is then the first. */
export function comparisonTable(result: Comparison, wanted?: string): DisplayTable {
  const { grid } = result.toJSON() as { readonly grid?: readonly GridCell[] };
  const name = wanted ?? (grid === undefined ? "pairs" : "metrics");
  const tables = new Map<string, DisplayTable>([
    ...(grid === undefined ? [] : [["metrics", cellsTable(grid)] as const]),
    ["pairs", pairsTable(result)],
    ["systems", systemsTable(result)],
    ...result.slices.map(({ column }, k) => [column, slicesTable(result, k)] as const),
    ...classesTable(result),
  ]);
  const found = tables.get(name) ?? (name === FLIPS ? differingItems(result) : undefined);
  if (found !== undefined) return found;
  const names = [...tables.keys(), FLIPS];
  throw new StatError(
    "BadOption",
    `option \`table\` ${name}: no such table.`,
    suggest(name, names, `There is ${names.join(", ")}.`),
  );
}

const FLIPS = "flips";

/** Every item that two systems differ on, as a list to look through: one row for each item and pair. */
function differingItems({ items, texts, higherIsBetter, paired, main }: Comparison): DisplayTable {
  if (items === undefined && main.reason !== undefined) {
    throw new StatError("NoVerdict", `no items can be listed: ${main.reason}`, main.advice);
  }
  if (items === undefined || !paired) {
    throw new StatError(
      "NoSharedItems",
      "the systems share no items, so none can differ.",
      "Compare systems on the same items, or look at the scores themselves.",
    );
  }
  const grouped = [...new Set(items.flatMap(({ groups }) => [...groups.keys()]))];
  const given = [...(texts?.given.keys() ?? [])];
  const said = [...(texts?.said.keys() ?? [])];
  const rows = items.flatMap(({ a, b, items: names, scoresA, scoresB, groups }) => {
    const gains = gainsOf(scoresA, scoresB);
    return names.flatMap((item, i): (string | number)[][] => {
      const gain = gains[i]!;
      if (gain === 0) return [];
      const better = higherIsBetter === null ? [] : [gain > 0 === higherIsBetter ? b : a];
      return [
        [
          ...[b, a, item],
          ...grouped.map((name) => groupOf(groups.get(name), i)),
          ...[scoresB[i]!, scoresA[i]!, gain],
          ...better,
          ...given.map((name) => texts!.given.get(name)!.get(item) ?? ""),
          ...said.flatMap((name) => [b, a].map((system) => texts!.said.get(name)!.get(system)?.get(item) ?? "")),
        ],
      ];
    });
  });
  const head = [
    ...["system", "baseline", "item"],
    ...grouped,
    ...["score", "baseline score", "difference"],
    ...(higherIsBetter === null ? [] : ["better"]),
    ...given,
    ...said.flatMap((name) => [`${name} of system`, `${name} of baseline`]),
  ];
  return { head, rows };
}

const groupOf = (groups: Groups | undefined, i: number): string => groups?.names[groups.codes[i]!] ?? "";

/** One row a pair: all that the verdict rests on. */
function pairsTable({ pairs, metric, n, adjust }: Comparison): DisplayTable {
  // asked for with a margin
  const told = pairs.some(({ equivalence }) => equivalence !== undefined);
  return {
    head: [
      "system",
      "baseline",
      "metric",
      "n",
      "score",
      "baseline score",
      "difference",
      "lower",
      "upper",
      "confidence",
      "interval",
      "test",
      "p",
      "adjusted p",
      "adjustment",
      "mde80",
      "verdict",
      ...(told ? ["margin", "equivalence p"] : []),
    ],
    rows: pairs.map((pair) => {
      const { a, b, scoreA, scoreB, difference, ci, p, mde80, verdict, flips, equivalence } = pair;
      return [
        b,
        a,
        metric,
        // two systems of an arena fought a part of the battles
        flips === undefined ? n : flips.gained + flips.lost + flips.tied,
        scoreB,
        scoreA,
        difference,
        ci.lower,
        ci.upper,
        ci.level,
        ci.method,
        decidingName(pair),
        claimedP(pair),
        p,
        pairs.length > 1 ? adjust : "none",
        mde80,
        verdict,
        ...(told ? [equivalence?.margin ?? "", equivalence?.p ?? ""] : []),
      ];
    }),
  };
}

function systemsTable({ systems, metric, main }: Comparison): DisplayTable {
  const raw = systems.some(({ rawMean }) => rawMean !== undefined);
  return {
    head: ["system", "metric", "score", "lower", "upper", "confidence", "interval", ...(raw ? ["raw mean"] : [])],
    rows: systems.map(({ name, score, lower, upper, interval, rawMean }) => [
      name,
      metric,
      score,
      lower ?? "",
      upper ?? "",
      main.ci.level,
      interval ?? "",
      ...(raw ? [rawMean ?? ""] : []),
    ]),
  };
}

function slicesTable({ slices }: Comparison, k: number): DisplayTable {
  const { column, a, b, slices: parts } = slices[k]!;
  return {
    head: [
      column,
      "system",
      "baseline",
      "n",
      "score",
      "baseline score",
      "difference",
      "lower",
      "upper",
      "p",
      "adjusted p",
      "verdict",
    ],
    rows: parts.map(({ name, n, scoreA, scoreB, difference, lower, upper, p, adjusted, verdict }) => [
      name,
      b,
      a,
      n,
      scoreB,
      scoreA,
      difference,
      lower,
      upper,
      p,
      adjusted,
      verdict,
    ]),
  };
}

/** Pairs within the classes of a property. */
function classesTable({ model, pairs }: Comparison): (readonly [string, DisplayTable])[] {
  if (model?.by === undefined || model.within === undefined) return [];
  const rows = model.within.contrasts.map(({ within, estimate, se, df, lower, upper, p }, k) => {
    const { a, b } = pairs[k % pairs.length]!;
    return [Object.values(within ?? {}).join(", "), b, a, estimate, se, df, lower, upper, p];
  });
  const head = [model.by, "system", "baseline", "difference", "se", "df", "lower", "upper", "p"];
  return [[model.by, { head, rows }]];
}

/** Several metrics in one run: what each says of the main pair, over all items, as the mean over tasks, and task by task. */
export interface GridCell {
  readonly metric: string;
  /** The task, "all items" (each item counts the same) or "mean over tasks" (each task does). */
  readonly task: string;
  readonly n: number;
  readonly a: string;
  readonly b: string;
  readonly scoreA: number;
  readonly scoreB: number;
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  /** Of a task: adjusted for the number of tasks. Metrics are not adjusted for one another. */
  readonly p: number;
  readonly verdict: Verdict;
}

export const POOLED = "all items";
export const MACRO = "mean over tasks";

export function gridCells({ metric, n, main, slices }: Comparison, task: string | undefined): GridCell[] {
  const { a, b, scoreA, scoreB, difference, ci, p, verdict } = main;
  const shared = { metric, a, b };
  const own = slices.find(({ column }) => column === task);
  return [
    { ...shared, task: POOLED, n, scoreA, scoreB, difference, lower: ci.lower, upper: ci.upper, p, verdict },
    ...(own?.macro === undefined ? [] : [{ ...shared, task: MACRO, n, ...withoutSpread(own.macro) }]),
    ...(own?.slices ?? []).map(({ name, adjusted, p: _, ...slice }) => ({
      ...shared,
      task: name,
      ...slice,
      p: adjusted,
    })),
  ];
}

const withoutSpread = <M extends { readonly se: number; readonly df: number }>({ se: _, df: __, ...rest }: M) => rest;

/** The cells in the units of the scores, at full precision. */
function cellsTable(cells: readonly GridCell[]): DisplayTable {
  return {
    head: [
      "metric",
      "task",
      "system",
      "baseline",
      "n",
      "score",
      "baseline score",
      "difference",
      "lower",
      "upper",
      "p",
      "verdict",
    ],
    rows: cells.map(({ metric, task, n, a, b, scoreA, scoreB, difference, lower, upper, p, verdict }) => [
      metric,
      task,
      b,
      a,
      n,
      scoreB,
      scoreA,
      difference,
      lower,
      upper,
      p,
      verdict,
    ]),
  };
}

/** A row for each cell, in the units that the metric is written in. Of several systems one pair is told, which another metric may choose
 *  otherwise: the caption names the pair, or each row does. */
export function gridTable(
  compared: readonly { readonly comparison: Comparison; readonly cells: readonly GridCell[] }[],
  level?: number | undefined,
): DisplayTable {
  const all = compared.flatMap(({ cells }) => cells);
  const names = new Set(all.map(pairName));
  const several = compared.some(({ comparison }) => comparison.pairs.length > 1);
  const [named, tasks] = [names.size > 1, all.some(({ task }) => task !== POOLED)];
  const what = tasks ? "Every metric, pooled and by task" : "Every metric";
  // a verdict of each row stands on the screen, and of many metrics one differs by chance
  const { metric } = compared[0]!.comparison;
  const how = level === undefined ? "" : `verdicts and intervals at α = ${formatNumber(level)} each; `;
  const alone = `${what} (the verdict is by ${metric}; ${how}p not adjusted for ${compared.length} metrics)`;
  return {
    caption: several && !named ? `${alone}: ${[...names].join()}` : alone,
    head: [
      "metric",
      ...(named ? ["pair"] : []),
      ...(tasks || !named ? ["task"] : []),
      "items",
      "difference",
      "interval",
      "p",
      "verdict",
    ],
    formats: [
      "text",
      ...(named ? ["text" as const] : []),
      ...(tasks || !named ? ["text" as const] : []),
      "integer",
      "text",
      "text",
      "p",
      "text",
    ],
    rows: compared.flatMap(({ comparison: { style }, cells }) =>
      cells.map((cell) => {
        const { metric, task, n, difference, lower, upper, p, verdict } = cell;
        return [
          `${metric}${unit(style)}`,
          ...(named ? [pairName(cell)] : []),
          ...(tasks || !named ? [task] : []),
          n,
          signed(difference, style),
          writeRange({ lower, upper }, style),
          p,
          verdict,
        ];
      }),
    ),
  };
}

const pairName = ({ a, b }: GridCell): string => `${b} - ${a}`;
