import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, selectRows, type Table } from "../../data/table.ts";
import { importFiles } from "../../io/import.ts";
import { makeRng } from "../../numeric/rng.ts";
import { withTold } from "../../study/understand.ts";
import { compare } from "./compare.ts";
import { contrastsOf } from "./differences.ts";

interface Rated {
  readonly system: readonly string[];
  readonly rater: readonly string[];
  readonly item: readonly string[];
  readonly score: readonly number[];
}
interface Row {
  readonly estimate: number;
  readonly se: number;
  readonly df: number;
  readonly p: number;
}
/** lmerTest, and two-way ANOVA of the differences. */
const oracle = JSON.parse(readFileSync("oracle/r/compare-raters.json", "utf8")) as {
  readonly two: { readonly data: Rated; readonly differences: Row; readonly closed: Omit<Row, "df" | "p"> };
  readonly incomplete: { readonly data: Rated; readonly slopes: Row };
  readonly three: { readonly data: Rated; readonly estimates: readonly number[]; readonly se: number };
};
const tableOf = ({ system, rater, item, score }: Rated): Table =>
  makeTable([
    ["system", factorColumn(system)],
    ["rater", factorColumn(rater)],
    ["item", factorColumn(item)],
    ["score", numericColumn(score)],
  ]);
const options = { higherIsBetter: true, details: false };

/** Of the mean difference of two systems that every rater scored on every item, by the mean squares of a two-way analysis of variance. */
function varianceOfMean({ system, rater, item, score }: Rated, a: string, b: string): number {
  const [raters, items] = [[...new Set(rater)], [...new Set(item)]];
  const of = (name: string, r: string, i: string): number =>
    score[system.findIndex((own, k) => own === name && rater[k] === r && item[k] === i)]!;
  const d = raters.map((r) => items.map((i) => of(b, r, i) - of(a, r, i)));
  const mean = (x: readonly number[]): number => x.reduce((sum, v) => sum + v, 0) / x.length;
  const spread = (x: readonly number[]): number =>
    x.reduce((sum, v) => sum + (v - mean(x)) ** 2, 0) / (x.length - 1) / x.length;
  const [ofRaters, ofItems, ofAll] = [d.map(mean), items.map((_, i) => mean(d.map((row) => row[i]!))), d.flat()].map(
    spread,
  );
  return Math.max(ofRaters!, ofItems!, ofRaters! + ofItems! - ofAll!);
}

describe("ratings by twelve raters whose scores of two systems correlate negatively", () => {
  it("have the standard error of the two-way analysis of variance of their differences, and lmerTest's df", () => {
    const { model, main } = compare(tableOf(oracle.two.data), options);
    expect(model!.tested!.formula).toBe("difference ~ 1 + (1 | item) + (1 | rater)");
    expect(main.difference).toBeCloseTo(oracle.two.closed.estimate, 10);
    expect(main.se).toBeCloseTo(oracle.two.closed.se, 7);
    expect(main.df).toBeCloseTo(oracle.two.differences.df, 3);
    expect(main.p).toBeCloseTo(oracle.two.differences.p, 5);
  });

  it("have lmerTest's slopes of the difference where a quarter of them is missing", () => {
    const { model, main } = compare(tableOf(oracle.incomplete.data), options);
    expect(model!.formula).toBe("score ~ system + (1 + d || item) + (1 + d || rater)");
    expect(model!.tested).toBeUndefined();
    const { estimate, se, df, p } = oracle.incomplete.slopes;
    expect([main.difference, main.se]).toEqual([expect.closeTo(estimate, 6), expect.closeTo(se, 6)]);
    expect([main.df, main.p]).toEqual([expect.closeTo(df, 2), expect.closeTo(p, 5)]);
  });

  it("share one standard error over the pairs of three systems: that of the analysis of variance, larger where a pair varies more", () => {
    const { model, pairs } = compare(tableOf(oracle.three.data), options);
    expect(model!.tested!.formula).toBe("contrast ~ 0 + k + (1 | item:k) + (1 | rater:k)");
    const own = pairs.map(({ a, b }) => varianceOfMean(oracle.three.data, a, b));
    const mean = own.reduce((sum, v) => sum + v, 0) / own.length;
    pairs.forEach(({ difference, se }, k) => {
      expect(difference).toBeCloseTo(oracle.three.estimates[k]!, 10);
      expect(se).toBeCloseTo(oracle.three.se * Math.sqrt(Math.max(1, own[k]! / mean)), 6);
    });
    expect(own.some((v) => v > mean) && own.some((v) => v < mean)).toBe(true);
  });

  it("are tested pair by pair where three systems have gaps, as if the third were not there", () => {
    const all = tableOf(oracle.three.data);
    const gaps = selectRows(all, (row) => row % 5 !== 3);
    const { model, pairs } = compare(gaps, options);
    expect(model!.tested!.of).toBe("pairs");
    const { codes, levels } = factorColumn(oracle.three.data.system);
    const two = compare(
      selectRows(all, (row) => row % 5 !== 3 && levels[codes[row]!] !== "C"),
      options,
    );
    const [own] = pairs;
    expect([own!.difference, own!.se]).toEqual([
      expect.closeTo(two.main.difference, 8),
      expect.closeTo(two.main.se, 8),
    ]);
  });

  it("say the same whichever system comes first", () => {
    const [one, two] = [
      ["A", "B", "C"],
      ["C", "A", "B"],
    ].map((systems) => compare(tableOf(oracle.three.data), { ...options, systems }));
    const [own] = one!.pairs;
    const other = two!.pairs.find(({ a, b }) => a === "A" && b === "B")!;
    expect([other.difference, other.se, other.p]).toEqual([
      expect.closeTo(own!.difference, 8),
      expect.closeTo(own!.se, 8),
      expect.closeTo(own!.p, 6),
    ]);
  });
});

describe("contrasts of K systems", () => {
  it("are orthogonal, of length √2, and sum to 0; two systems have their difference", () => {
    expect([...contrastsOf(2).data]).toEqual([-1, 1]);
    const { data, rows, cols } = contrastsOf(5);
    const column = (k: number): Float64Array => data.subarray(k * rows, (k + 1) * rows);
    for (let j = 0; j < cols; j++) {
      expect(column(j).reduce((sum, v) => sum + v, 0)).toBeCloseTo(0, 12);
      for (let k = 0; k < cols; k++)
        expect(column(j).reduce((sum, v, i) => sum + v * column(k)[i]!, 0)).toBeCloseTo(j === k ? 2 : 0, 12);
    }
  });
});

describe("crowd work", () => {
  const rng = makeRng("crowd");
  const judged = (workers: (item: number) => readonly string[]): Table => {
    const rows = Array.from({ length: 40 }, (_, i) =>
      workers(i).flatMap((rater) =>
        ["A", "B"].map((system) => ({ system, rater, item: `q${i}`, score: 3 + rng.normal() })),
      ),
    ).flat();
    return tableOf({
      system: rows.map(({ system }) => system),
      rater: rows.map(({ rater }) => rater),
      item: rows.map(({ item }) => item),
      score: rows.map(({ score }) => score),
    });
  };

  it("by a fresh worker for each item is a paired comparison of the items", () => {
    const table = judged((i) => [`w${i}`]);
    const found = compare(table, options);
    const plain = compare(makeTable([...table.columns].filter(([name]) => name !== "rater")), options);
    expect(found.model).toBeUndefined();
    expect([found.main.difference, found.main.p]).toEqual([plain.main.difference, plain.main.p]);
    expect(found.diagnostics.map(({ code }) => code)).toContain("RaterPerItem");
  });

  it("by three workers an item of a large pool, few of whom come twice, has a model of the differences", () => {
    const { model, main } = compare(
      judged(() => [0, 1, 2].map((k) => `w${3 * rng.int(70) + k}`)),
      options,
    );
    expect(model!.tested!.formula).toBe("difference ~ 1 + (1 | item) + (1 | rater)");
    expect(main.se).toBeGreaterThan(0);
  });
});

describe("points that a rater shares out among what is shown", () => {
  it("are compared within judgments, whichever systems else were shown", async () => {
    const draw = makeRng("shared");
    const lines = Array.from({ length: 240 }, (_, i) => {
      const left = draw.int(4);
      const names = ["A", "B", "C", "D"].filter((_, k) => k !== left);
      const at = draw.int(3);
      const [best, worst] = [names[at]!, names[(at + 1 + draw.int(2)) % 3]!];
      return `p${i % 40},r${Math.floor(i / 40)},${names.join(",")},${best},${worst}`;
    });
    const bytes = new TextEncoder().encode(`prompt,rater,option1,option2,option3,best,worst\n${lines.join("\n")}\n`);
    const told = withTold(await importFiles([{ name: "d.csv", bytes }]), { best: "best", worst: "worst" });
    const { model } = compare(told, { details: false });
    expect(model!.tested!.formula).toMatch(/^(difference|contrast) ~/);
  });
});
