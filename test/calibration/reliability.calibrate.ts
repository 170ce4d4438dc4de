import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../src/data/table.ts";
import { binomialCdf, binomialSf } from "../../src/numeric/dist/binomial.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import {
  measureReliability,
  type ReliabilityOptions,
} from "../../src/reliability/generalizability/generalizability.ts";

interface Layout {
  readonly name: string;
  readonly items: number;
  readonly raters: number;
  readonly occasions: number;
  /** Raters per item, dealt out in turn; all where absent. */
  readonly each?: number;
  /** Standard deviations: item, rater, item:rater, residual. */
  readonly sd: readonly [number, number, number, number];
  readonly runs: number;
  readonly options: ReliabilityOptions;
}

const base = { score: "y", object: "item" } as const;
const LAYOUTS: readonly Layout[] = [
  {
    name: "20 items × 5 raters, balanced",
    items: 20,
    raters: 5,
    occasions: 1,
    sd: [1, 0.5, 0, 0.8],
    runs: 1000,
    options: { ...base, facets: ["rater"], replicates: 1000 },
  },
  {
    name: "10 items × 6 raters × 3 occasions, all interactions, balanced",
    items: 10,
    raters: 6,
    occasions: 3,
    sd: [1, 0.6, 0.5, 0.7],
    runs: 1000,
    options: { ...base, facets: ["rater", "occasion"], interactions: "all", replicates: 1000 },
  },
  {
    name: "40 items, each by 3 of 8 raters",
    items: 40,
    raters: 8,
    occasions: 1,
    each: 3,
    sd: [1, 0.4, 0, 0.8],
    runs: 500,
    options: { ...base, facets: ["rater"], replicates: 300 },
  },
];

function simulate({ items, raters, occasions, each = raters, sd }: Layout, rng: Rng): Table {
  const [s, r, sr, e] = sd;
  const severity = Array.from({ length: raters }, () => r * rng.normal());
  const [y, item, rater, occasion] = [[] as number[], [] as string[], [] as string[], [] as string[]];
  for (let i = 0; i < items; i++) {
    const level = s * rng.normal();
    for (let k = 0; k < each; k++) {
      // neighbours differ from item to item, so that all raters are linked
      const who = each === raters ? k : (i + k * (1 + (i % 3))) % raters;
      const taste = sr * rng.normal();
      for (let o = 0; o < occasions; o++) {
        y.push(level + severity[who]! + taste + e * rng.normal());
        item.push(`i${i}`);
        rater.push(`r${who}`);
        occasion.push(`o${o}`);
      }
    }
  }
  return makeTable([
    ["y", numericColumn(y)],
    ["item", factorColumn(item)],
    ["rater", factorColumn(rater)],
    ["occasion", factorColumn(occasion)],
  ]);
}

/** Two-sided binomial test of a coverage of 95 % at 0.1 %. */
const isNominal = (hits: number, runs: number): boolean =>
  binomialCdf(hits, runs, 0.95) > 0.0005 && binomialSf(hits - 1, runs, 0.95) > 0.0005;

describe("intervals of φ", () => {
  it.each(LAYOUTS)("$name: cover the truth in 95 of 100 data sets", (layout) => {
    const [s, r, sr, e] = layout.sd.map((sd) => sd * sd) as [number, number, number, number];
    const truth = s / (s + r + sr + e);
    let [covered, below, above, width] = [0, 0, 0, 0];
    for (let i = 0; i < layout.runs; i++) {
      const rng = makeRng(`phi/${layout.name}`, i);
      const { phi } = measureReliability(simulate(layout, rng), { ...layout.options, rng: rng.stream(1) });
      covered += Number(phi.lower <= truth && truth <= phi.upper);
      below += Number(phi.upper < truth);
      above += Number(phi.lower > truth);
      width += (phi.upper - phi.lower) / layout.runs;
    }
    process.stdout.write(
      `${layout.name}: φ = ${truth.toFixed(3)}, covered ${((100 * covered) / layout.runs).toFixed(1)} % (too low ${below}, too high ${above}), mean width ${width.toFixed(3)}\n`,
    );
    expect(isNominal(covered, layout.runs), `${covered} of ${layout.runs}`).toBe(true);
  });
});
