/** Fisher's exact test of a contingency table, and Pearson's χ² beside it.
 *  2x2: given the margins the first cell is hypergeometric; with odds ratio ω its density is proportional to h(x) ω^x. The estimate is the
 *  conditional maximum likelihood one (mean at ω = observed), the interval inverts the one-sided tests. Two-sided p: tables no more probable than the observed.
 *  r x c: all tables with the same margins are gone through, column by column.
 *  Reference: Fisher (1935), JRSS 98; Cornfield (1956), Proc. 3rd Berkeley Symp. 4.
 *  Oracle:    fisher.test, chisq.test (R), oracle/reference/classical.json — 1e-8.
 *  Limits:    r x c beyond MOST_TABLES tables: p is NaN with the reason, use χ². */
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { hypergeometricLogPmf } from "../../numeric/dist/hypergeometric.ts";
import { expandBracket, findRoot } from "../../numeric/optim/brent.ts";
import { logFactorial } from "../../numeric/special/gamma.ts";
import type { Alternative } from "../../resample/permutation.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { checkCounts } from "../samples.ts";
import { makeTest, type TestOptions, type TestResult } from "../test-result.ts";

/** Probabilities that should be equal differ by rounding. */
const EQUAL = 1e-7;
/** Some seconds. */
const MOST_TABLES = 2e7;

export function fisherTest(table: readonly (readonly number[])[], options: TestOptions = {}): TestResult {
  const { alternative = "two-sided", confidence = 0.95 } = options;
  checkTable(table);
  const { chisq, df } = pearsonChiSquare(table);
  const n = table.flat().reduce((a, b) => a + b, 0);
  const figures = { "chi-square": chisq, "df of chi-square": df, "p of chi-square": chiSquareSf(chisq, df) };
  const common = {
    test: "fisher",
    hypothesis: "rows and columns are independent",
    confidence,
    n,
    figures,
    options: {},
    data: table.map((row) => Float64Array.from(row)),
  };
  if (table.length !== 2 || table[0]!.length !== 2) {
    const p = tablesP(table);
    const many = warning(
      "TooManyTables",
      "there are too many tables with these margins for an exact p.",
      "use the p of chi-square.",
    );
    const cells = n * (Math.min(table.length, table[0]!.length) - 1);
    return makeTest({
      ...common,
      method: `Fisher's exact test of a ${table.length} x ${table[0]!.length} table`,
      sided: false,
      statistic: chisq,
      statisticName: "chi-square",
      p,
      effect: {
        name: "Cramér's V",
        value: Math.sqrt(chisq / cells),
        lower: Number.NaN,
        upper: Number.NaN,
        interval: "none",
      },
      diagnostics: Number.isNaN(p) ? [many] : [],
    });
  }
  const law = makeLaw(table);
  return makeTest({
    ...common,
    method: "Fisher's exact test",
    alternative,
    statistic: law.observed,
    statisticName: "first cell",
    p: fisherP(law, alternative),
    effect: {
      name: "odds ratio",
      value: conditionalOdds(law),
      ...oddsInterval(law, alternative, confidence),
      interval: "exact, inverted one-sided tests",
    },
    diagnostics: emptyMargin(table),
  });
}

/** A row or column without counts leaves nothing to compare. */
function emptyMargin(table: readonly (readonly number[])[]): Diagnostic[] {
  const sums = [...table.map((row) => row[0]! + row[1]!), ...[0, 1].map((j) => table[0]![j]! + table[1]![j]!)];
  const at = sums.indexOf(0);
  if (at < 0) return [];
  const which = ["first row", "second row", "first column", "second column"][at]!;
  return [note("EmptyMargin", `the ${which} is empty: p = 1, and the odds ratio is undefined.`, "check the counts.")];
}

function checkTable(table: readonly (readonly number[])[]): void {
  const cols = table[0]?.length ?? 0;
  if (table.length < 2 || cols < 2 || table.some((row) => row.length !== cols)) {
    throw new StatError(
      "BadTable",
      "the table needs at least two rows and two columns, all rows alike.",
      "write rows as 8,1/2,5.",
    );
  }
  checkCounts(
    table.flat(),
    table.flatMap((row, i) => row.map((_, j) => `row ${i + 1}, column ${j + 1}`)),
  );
  if (table.flat().every((count) => count === 0))
    throw new StatError("NoCounts", "the table is empty.", "give counts.");
}

/** Without continuity correction; empty rows and columns do not count. */
export function pearsonChiSquare(table: readonly (readonly number[])[]): { chisq: number; df: number } {
  const rows = table.map((row) => row.reduce((a, b) => a + b, 0));
  const cols = table[0]!.map((_, j) => table.reduce((sum, row) => sum + row[j]!, 0));
  const n = rows.reduce((a, b) => a + b, 0);
  let chisq = 0;
  table.forEach((row, i) => {
    row.forEach((count, j) => {
      const expected = (rows[i]! * cols[j]!) / n;
      if (expected > 0) chisq += (count - expected) ** 2 / expected;
    });
  });
  const filled = (margin: number[]): number => margin.filter((m) => m > 0).length;
  return { chisq, df: (filled(rows) - 1) * (filled(cols) - 1) };
}

/** Central hypergeometric log densities of the first cell. */
interface CellLaw {
  readonly low: number;
  readonly logs: Float64Array;
  readonly observed: number;
}

function makeLaw(table: readonly (readonly number[])[]): CellLaw {
  const [a, b, c, d] = table.flat() as [number, number, number, number];
  const [row, other, col] = [a + b, c + d, a + c];
  const low = Math.max(0, col - other);
  const high = Math.min(row, col);
  const logs = Float64Array.from({ length: high - low + 1 }, (_, i) => hypergeometricLogPmf(low + i, row, other, col));
  return { low, logs, observed: a };
}

/** Probabilities with odds ratio e^θ. */
function tilted({ low, logs }: CellLaw, theta: number): Float64Array {
  const raw = logs.map((l, i) => l + theta * (low + i));
  const top = raw.reduce((m, v) => Math.max(m, v), Number.NEGATIVE_INFINITY);
  const weights = raw.map((v) => Math.exp(v - top));
  const sum = weights.reduce((s, w) => s + w, 0);
  return weights.map((w) => w / sum);
}

function fisherP(law: CellLaw, alternative: Alternative): number {
  const p = tilted(law, 0);
  const at = law.observed - law.low;
  if (alternative === "less") return p.subarray(0, at + 1).reduce((s, v) => s + v, 0);
  if (alternative === "greater") return p.subarray(at).reduce((s, v) => s + v, 0);
  const bound = p[at]! * (1 + EQUAL);
  return p.reduce((s, v) => (v <= bound ? s + v : s), 0);
}

function conditionalOdds(law: CellLaw): number {
  const high = law.low + law.logs.length - 1;
  if (law.low === high) return Number.NaN;
  if (law.observed === law.low) return 0;
  if (law.observed === high) return Number.POSITIVE_INFINITY;
  return Math.exp(solve((theta) => tilted(law, theta).reduce((s, w, i) => s + w * (law.low + i), -law.observed)));
}

function solve(f: (theta: number) => number): number {
  const { lo, hi, found } = expandBracket(f, -1, 1);
  return found ? findRoot(f, lo, hi).root : Number.NaN;
}

function oddsInterval(law: CellLaw, alternative: Alternative, confidence: number): { lower: number; upper: number } {
  const high = law.low + law.logs.length - 1;
  if (law.low === high) return { lower: 0, upper: Number.POSITIVE_INFINITY };
  const at = law.observed - law.low;
  const alpha = alternative === "two-sided" ? (1 - confidence) / 2 : 1 - confidence;
  const upperTail = (theta: number): number =>
    tilted(law, theta)
      .subarray(at)
      .reduce((s, w) => s + w, 0) - alpha;
  const lowerTail = (theta: number): number =>
    tilted(law, theta)
      .subarray(0, at + 1)
      .reduce((s, w) => s + w, 0) - alpha;
  return {
    lower: alternative === "less" || law.observed === law.low ? 0 : Math.exp(solve(upperTail)),
    upper: alternative === "greater" || law.observed === high ? Number.POSITIVE_INFINITY : Math.exp(solve(lowerTail)),
  };
}

/** Probability of all tables with these margins that are no more probable than the observed one; NaN if they are too many. */
function tablesP(table: readonly (readonly number[])[]): number {
  const rows = table.map((row) => row.reduce((a, b) => a + b, 0));
  const cols = table[0]!.map((_, j) => table.reduce((sum, row) => sum + row[j]!, 0));
  const n = rows.reduce((a, b) => a + b, 0);
  const constant = [...rows, ...cols].reduce((sum, m) => sum + logFactorial(m), -logFactorial(n));
  const logs = Float64Array.from({ length: n + 1 }, (_, i) => logFactorial(i));
  const bound = constant - table.flat().reduce((sum, count) => sum + logs[count]!, 0) + Math.log1p(EQUAL);
  let visited = 0;
  let p = 0;
  const left = rows.slice();
  // fills column j from row i on; the last column takes what is left of the rows
  const fill = (j: number, i: number, rest: number, log: number): void => {
    if (visited > MOST_TABLES) return;
    if (j === cols.length - 1) {
      visited++;
      const full = left.reduce((sum, count) => sum - logs[count]!, log);
      if (full <= bound) p += Math.exp(full);
      return;
    }
    if (i === rows.length - 1) {
      if (rest > left[i]!) return;
      left[i]! -= rest;
      fill(j + 1, 0, cols[j + 1]!, log - logs[rest]!);
      left[i]! += rest;
      return;
    }
    for (let count = Math.min(rest, left[i]!); count >= 0; count--) {
      left[i]! -= count;
      fill(j, i + 1, rest - count, log - logs[count]!);
      left[i]! += count;
    }
  };
  fill(0, 0, cols[0]!, constant);
  return visited > MOST_TABLES ? Number.NaN : Math.min(1, p);
}
