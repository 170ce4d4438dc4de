/** A comparison as plain tables, in the units of the score and at full precision, as a spreadsheet wants them. */
import type { DisplayTable } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { nearest } from "../../result/suggest.ts";
import type { Comparison } from "./comparison.ts";

/** The table that was asked for: pairs, systems, or the slices or classes of a column. */
export function comparisonTable(result: Comparison, name = "pairs"): DisplayTable {
  const tables = new Map<string, DisplayTable>([
    ["pairs", pairsTable(result)],
    ["systems", systemsTable(result)],
    ...result.slices.map(({ column }, k) => [column, slicesTable(result, k)] as const),
    ...classesTable(result),
  ]);
  const found = tables.get(name);
  if (found !== undefined) return found;
  const names = [...tables.keys()];
  const near = nearest(name, names);
  throw new StatError(
    "BadOption",
    `option \`table\` ${name}: no such table.`,
    near === undefined ? `There is ${names.join(", ")}.` : `Did you mean ${near}?`,
  );
}

/** One row a pair: all that the verdict rests on. */
function pairsTable({ pairs, metric, n, adjust }: Comparison): DisplayTable {
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
    ],
    rows: pairs.map(({ a, b, scoreA, scoreB, difference, ci, test, p, mde80, verdict }) => [
      b,
      a,
      metric,
      n,
      scoreB,
      scoreA,
      difference,
      ci.lower,
      ci.upper,
      ci.level,
      ci.method,
      test.name,
      test.p,
      p,
      pairs.length > 1 ? adjust : "none",
      mde80,
      verdict,
    ]),
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
