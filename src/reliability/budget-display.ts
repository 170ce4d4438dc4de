/** How a search budget reads. */
import type { FieldsOf } from "../models/fit.ts";
import type { Display } from "../result/display.ts";
import { formatNumber } from "../result/number-format.ts";
import type { BudgetResult } from "./budget.ts";

export function displayBudget({
  score,
  curves,
  crossings,
  system: column,
  confidence,
  replicates,
  minimise,
}: FieldsOf<BudgetResult>): Display {
  const level = `${formatNumber(100 * confidence)}%`;
  const full = (system: string): string => (column === undefined ? "" : `${column} ${system}`);
  return {
    title: `Expected best ${score} by search budget${minimise ? " (lower is better)" : ""}`,
    summary: [
      ...curves.map(
        ({ system, configurations, best }) =>
          `Of ${configurations} ${configurations === 1 ? "configuration" : "configurations"}${system === "" ? "" : ` of ${full(system)}`} the best has ${score} ${formatNumber(best)}.`,
      ),
      ...crossings.map(
        ({ from, to, betterBefore, betterAfter }) =>
          `Between budgets ${from} and ${to} ${full(betterAfter)} overtakes ${full(betterBefore)}.`,
      ),
      ...(curves.length > 1 && crossings.length === 0 ? ["No system overtakes another at any of these budgets."] : []),
    ],
    tables: curves.map(({ system, points }) => ({
      ...(system === "" ? {} : { caption: full(system) }),
      head: ["budget", "expected best", "SD", `${level} from`, "to", "a search lands from", "to"],
      formats: ["integer", "number", "number", "number", "number", "number", "number"],
      rows: points.map((p) => [p.budget, p.expected, p.sd, p.meanLower, p.meanUpper, p.landsFrom, p.landsTo]),
    })),
    notes: [
      `Exact for draws with replacement; interval of the expectation by ${replicates} bootstrap replicates over configurations.`,
    ],
  };
}
