/** How good the predictions are in the domain that the model was made for, and out of it: what an evaluation in-domain promises, and what comes of it.
 *      accuracy (classes) with Wilson's interval, of the drop Newcombe's; with clusters √Σ_c (Σ_{i in c} (x_i - p))² · m/(m - 1) / n as standard error
 *      root mean square error (numbers), without an interval
 *  Reference: Riezler & Hagmann (2021), section 2.1.2 and Table 2.2.
 *  Oracle:    closed forms; the intervals are those of significance/intervals/binomial.ts and significance/tests/proportions.ts.
 *  Limits:    a drop says that the domains differ to the model, not that a feature is to blame. */
import { column, type Table } from "../../data/table.ts";
import { cellTexts } from "../../metrics/score-table.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { binomialInterval } from "../../significance/intervals/binomial.ts";
import { differenceInterval } from "../../significance/tests/proportions.ts";
import type { Units } from "./contrast.ts";
import type { Domains } from "./data.ts";

export interface DomainPerformance {
  readonly domain: string;
  readonly n: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

export interface BiasPerformance {
  readonly metric: "accuracy" | "rmse";
  /** What an evaluation in-domain promises. */
  readonly inDomain: DomainPerformance;
  /** What comes of it, with the difference in-domain minus out of domain. */
  readonly outOfDomain: readonly (DomainPerformance & {
    readonly difference: number;
    readonly differenceLower: number;
    readonly differenceUpper: number;
  })[];
}

interface Measured extends DomainPerformance {
  readonly hits: number;
  readonly se: number;
}

export function measurePerformance(
  table: Table,
  { label, predicted }: { readonly label: string; readonly predicted: string },
  { domains, units, confidence }: { readonly domains: Domains; readonly units: Units; readonly confidence: number },
): BiasPerformance {
  const [gold, said] = [label, predicted].map((name) => cellTexts(column(table, name)).map((text) => text ?? "")) as [
    string[],
    string[],
  ];
  const metric = areClasses(gold, said) ? "accuracy" : "rmse";
  const [inside, ...outside] = [domains.inside, ...domains.outside].map(({ name, rows }): Measured => {
    const known = Array.from(rows).filter((row) => gold[row]! !== "" && said[row]! !== "");
    if (metric === "rmse") return rootMeanSquare(name, known, gold, said);
    return accuracyOf(name, known, { right: (row) => Number(gold[row] === said[row]), units, confidence });
  });
  return {
    metric,
    inDomain: plain(inside!),
    outOfDomain: outside.map((own) => ({ ...plain(own), ...dropOf(inside!, own, { metric, units, confidence }) })),
  };
}

/** More different values are measurements, not classes. */
const MOST_CLASSES = 20;

function areClasses(gold: readonly string[], said: readonly string[]): boolean {
  const classes = new Set(gold.filter((text) => text !== ""));
  return (
    classes.size <= MOST_CLASSES && said.every((text) => text === "" || classes.has(text) || Number.isNaN(Number(text)))
  );
}

const plain = ({ domain, n, value, lower, upper }: Measured): DomainPerformance => ({ domain, n, value, lower, upper });

function rootMeanSquare(
  domain: string,
  rows: readonly number[],
  gold: readonly string[],
  said: readonly string[],
): Measured {
  const squares = rows.reduce((sum, row) => sum + (Number(gold[row]) - Number(said[row])) ** 2, 0);
  const none = { lower: Number.NaN, upper: Number.NaN, hits: Number.NaN, se: Number.NaN };
  return { domain, n: rows.length, value: Math.sqrt(squares / rows.length), ...none };
}

interface AccuracyContext {
  readonly right: (row: number) => number;
  readonly units: Units;
  readonly confidence: number;
}

function accuracyOf(domain: string, rows: readonly number[], { right, units, confidence }: AccuracyContext): Measured {
  const n = rows.length;
  const hits = rows.reduce((sum, row) => sum + right(row), 0);
  const value = hits / n;
  const sums = new Map<number, number>();
  for (const row of rows) sums.set(units.unit[row]!, (sums.get(units.unit[row]!) ?? 0) + right(row) - value);
  const m = sums.size;
  const se = Math.sqrt(([...sums.values()].reduce((total, own) => total + own * own, 0) * m) / (m - 1)) / n;
  const half = normalQuantileUpper((1 - confidence) / 2) * se;
  const ends = units.clustered
    ? { lower: Math.max(0, value - half), upper: Math.min(1, value + half) }
    : binomialInterval(hits, n, { method: "wilson", confidence });
  return { domain, n, value, lower: ends.lower, upper: ends.upper, hits, se };
}

function dropOf(
  inside: Measured,
  outside: Measured,
  {
    metric,
    units,
    confidence,
  }: { readonly metric: BiasPerformance["metric"]; readonly units: Units; readonly confidence: number },
) {
  const difference = inside.value - outside.value;
  if (metric === "rmse") return { difference, differenceLower: Number.NaN, differenceUpper: Number.NaN };
  if (units.clustered) {
    const half = normalQuantileUpper((1 - confidence) / 2) * Math.hypot(inside.se, outside.se);
    return { difference, differenceLower: difference - half, differenceUpper: difference + half };
  }
  const { lower, upper } = differenceInterval([inside.hits, outside.hits], [inside.n, outside.n], { confidence });
  return { difference, differenceLower: lower, differenceUpper: upper };
}
