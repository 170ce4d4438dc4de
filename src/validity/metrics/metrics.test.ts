import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, selectRows, type Table } from "../../data/table.ts";
import { importFiles } from "../../io/import.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { rankConcordance } from "../../significance/tests/correlation.ts";
import { associate, COEFFICIENTS, clusteredError } from "./association.ts";
import { findHumanScore } from "./columns.ts";
import { coefficientOf, type LevelResult } from "./levels.ts";
import { type MetricValidity, validateMetrics } from "./metrics.ts";

const oracle = JSON.parse(readFileSync(new URL("../../../oracle/r/metric-validity.json", import.meta.url), "utf8"));
const NAMES = ["good", "fair", "ter"] as const;
const table: Table = makeTable([
  ["item", factorColumn(oracle.data.item.map(String))],
  ["system", factorColumn(oracle.data.system)],
  ...["human", ...NAMES].map((name) => [name, numericColumn(oracle.data[name])] as const),
]);
const ask = (rows: Table = table, more: object = {}): MetricValidity =>
  validateMetrics(rows, { human: "human", metrics: NAMES, item: "item", system: "system", ...more });
const at = ({ levels }: MetricValidity, level: string): LevelResult => levels.find((own) => own.level === level)!;
const of = (level: LevelResult, metric: string) => level.metrics.find((own) => own.metric === metric)!;

describe("agreement of metrics with people", () => {
  const found = ask();

  it("has R's correlations at every level, a metric of which less is better turned round", () => {
    expect(found.metrics.find(({ metric }) => metric === "ter")!.direction).toBe("lower");
    for (const theirs of oracle.metrics) {
      const [item, system, output] = ["item", "system", "output"].map((level) => of(at(found, level), theirs.metric));
      for (const kind of COEFFICIENTS) {
        expect(item![kind].value).toBeCloseTo(theirs.item[kind].value, 12);
        expect(item![kind].lower).toBeCloseTo(theirs.item[kind].lower, 10);
        expect(item![kind].upper).toBeCloseTo(theirs.item[kind].upper, 10);
        expect(system![kind].value).toBeCloseTo(theirs.system[kind], 12);
        expect(output![kind].value).toBeCloseTo(theirs.output[kind].value, 12);
      }
      expect(item!.accuracy.value).toBeCloseTo(theirs.accuracy, 12);
      expect(system!.accuracy.value).toBeCloseTo(theirs.systemAccuracy, 12);
    }
    expect(at(found, "item").n).toBe(oracle.items);
  });

  it("has the errors of the jackknife over items for all outputs, within what 30 items leave", () => {
    const value = (name: string): Float64Array => Float64Array.from(oracle.data[name]);
    const unit = Int32Array.from(oracle.data.item, (i: number) => i - 1);
    for (const theirs of oracle.metrics) {
      for (const kind of COEFFICIENTS) {
        const { influence } = associate(kind, value("human"), value(theirs.metric));
        expect(influence.reduce((a, b) => a + b, 0) / influence.length).toBeCloseTo(0, 12);
        const ours = clusteredError(influence, unit, 30);
        // first-order theory against leave-one-out: they differ by terms of the order 1/30
        expect(Math.abs(ours / theirs.output[kind].jackknife - 1)).toBeLessThan(0.06);
      }
    }
  });

  it("ranks good before fair and ter, beyond chance within items where the paired t test says so", () => {
    const item = at(found, "item");
    expect(item.best).toBe("good");
    for (const name of ["fair", "ter"] as const) {
      const { p, adjusted } = of(item, name);
      expect(Math.abs(Math.log10(p) - Math.log10(Math.max(oracle.pairedT[name], 1e-4)))).toBeLessThan(0.7);
      expect(adjusted).toBeGreaterThanOrEqual(Math.min(1, 2 * p));
    }
    expect(found.toString()).toMatch(/Within items \(\d+\): good agrees best, τ-b 0\.\d+ \(0\.\d+ to 0\.\d+\)/);
  });

  it("counts the swaps of system means as an enumeration of all of them does", () => {
    const eight = selectRows(table, (row) => oracle.data.item[row] >= 20 && oracle.data.item[row] < 28);
    const result = ask(eight, { coefficient: "pearson", metrics: ["good", "fair"], replicates: 50 });
    const system = at(result, "system");
    const other = system.metrics[1]!;
    const p = enumerateSwaps(eight, "good", "fair");
    expect(Math.abs(other.p - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / 10_000) + 2e-4);
  });

  it("leaves numbers as they are when rows are turned, systems renamed and metrics rescaled", () => {
    const order = Int32Array.from({ length: table.rows }, (_, i) => table.rows - 1 - i);
    const turned = selectRows(table, order);
    const scaled = makeTable(
      [...turned.columns].map(([name, cells]) =>
        name === "fair" && cells.kind === "numeric"
          ? ([name, { ...cells, values: cells.values.map((v) => 7 * v - 3) }] as const)
          : ([name, cells] as const),
      ),
    );
    const again = ask(scaled);
    for (const level of ["item", "output", "system"]) {
      for (const name of NAMES) {
        for (const kind of COEFFICIENTS)
          expect(of(at(again, level), name)[kind].value).toBeCloseTo(of(at(found, level), name)[kind].value, 10);
      }
    }
    expect(of(at(again, "output"), "fair").p).toBeCloseTo(of(at(found, "output"), "fair").p, 8);
  });

  it("averages raters first and says so", () => {
    const twice = makeTable(
      [...table.columns].map(([name, cells]) => {
        const index = Int32Array.from({ length: 2 * table.rows }, (_, i) => i >> 1);
        if (cells.kind === "factor") return [name, { ...cells, codes: index.map((i) => cells.codes[i]!) }] as const;
        const add = name === "human" ? (i: number): number => (i % 2 === 0 ? 0.5 : -0.5) : (): number => 0;
        return [name, numericColumn(Array.from(index, (row, i) => cells.values[row]! + add(i)))] as const;
      }),
    );
    const result = ask(twice);
    expect(of(at(result, "item"), "good").kendall.value).toBeCloseTo(of(at(found, "item"), "good").kendall.value, 12);
    expect(result.diagnostics.map(({ code }) => code)).toContain("Averaged");
  });

  it("takes the systems as the sample where each has one row", () => {
    const one = selectRows(table, (row) => oracle.data.item[row] === 3);
    const result = ask(one);
    expect(result.levels.map(({ level, units }) => [level, units])).toEqual([["system", 0]]);
    expect(at(result, "system").metrics[0]!.kendall.upper).toBeLessThanOrEqual(1);
  });

  it("holds no single outputs against scores that people gave to systems", () => {
    const means = new Map<string, number>();
    for (const [k, letter] of ["A", "B", "C", "D", "E", "F"].entries()) means.set(letter, k / 2);
    const columns = [...table.columns].map(([name, cells]) =>
      name === "human"
        ? ([name, numericColumn(oracle.data.system.map((own: string) => means.get(own)!))] as const)
        : ([name, cells] as const),
    );
    expect(ask(makeTable(columns)).levels.map(({ level }) => level)).toEqual(["system"]);
  });

  it("warns of a metric that runs against people and whose direction nobody told", () => {
    const columns = [...table.columns].map(([name, cells]) => [name === "ter" ? "zeta" : name, cells] as const);
    const options = { human: "human", metrics: ["good", "zeta"], item: "item", system: "system" };
    const result = validateMetrics(makeTable(columns), options);
    expect(result.diagnostics.map(({ message }) => message).join(" ")).toMatch(
      /more of zeta is better, and it runs against/,
    );
    const told = validateMetrics(makeTable(columns), { ...options, lowerIsBetter: ["zeta"] });
    expect(of(at(told, "item"), "zeta").kendall.value).toBeCloseTo(of(at(found, "item"), "ter").kendall.value, 12);
  });

  it("comes back from its JSON as the same text", () => {
    expect(reviveResult(JSON.parse(JSON.stringify(found))).toString()).toBe(found.toString());
  });
});

describe("which column people gave", () => {
  const csv = (name: string, lines: readonly string[]) => ({ name, bytes: new TextEncoder().encode(lines.join("\n")) });
  const rows = Array.from({ length: 24 }, (_, i) => ({
    key: `s${i % 8},${"ABC"[i % 3]}`,
    x: (i * 7) % 11,
    y: (i * 5) % 13,
  }));

  it("is told by its file, by its name, or by standing beside computed measures; else it is asked for", async () => {
    const joined = await importFiles([
      csv("scores.csv", ["seg,system,alpha,beta", ...rows.map(({ key, x, y }) => `${key},${x},${y}`)]),
      csv("human.csv", [
        "seg,system,adequacy,fluency",
        ...rows.map(({ key, x, y }) => `${key},${(x + y) % 7},${y % 5}`),
      ]),
    ]);
    const found = validateMetrics(joined, { replicates: 50 });
    expect([found.human.metric, found.metrics.map(({ metric }) => metric)]).toEqual(["adequacy", ["alpha", "beta"]]);
    expect(found.toString().replace(/\s+/g, " ")).toContain("adequacy is the human score: its file is called so");
    const one = (head: string) =>
      importFiles([
        csv("d.csv", [`seg,system,${head}`, ...rows.map(({ key, x, y }) => `${key},${x},${y},${(x * y) % 9}`)]),
      ]);
    expect(findHumanScore(await one("bleu,comet,quality"))).toMatchObject({
      human: "quality",
      metrics: ["bleu", "comet"],
    });
    expect(findHumanScore(await one("bleu,human_score,f1"))).toMatchObject({ human: "human_score", metrics: ["bleu"] });
    expect(() => validateMetrics(table)).toThrow("a plain table does not show which column is the human score");
  });
});

it("counts concordant partners by a tree as the pairs themselves do, ties among them", () => {
  const rng = makeRng("tau");
  const x = Float64Array.from({ length: 60 }, () => rng.int(8));
  const y = Float64Array.from(x, (v) => v + rng.int(6));
  expect(associate("kendall", x, y).value).toBeCloseTo(rankConcordance(x, y).tau, 13);
  expect(associate("spearman", x, y).value).toBeCloseTo(coefficientOf("spearman", x, y), 13);
  expect(associate("pearson", x, y).value).toBeCloseTo(coefficientOf("pearson", x, y), 13);
});

/** p over all 2^items ways of swapping two standardised metrics within items. */
function enumerateSwaps(rows: Table, a: string, b: string): number {
  const values = (name: string): number[] => {
    const cells = rows.columns.get(name)!;
    const own = cells.kind === "numeric" ? [...cells.values] : [];
    const mean = own.reduce((s, v) => s + v, 0) / own.length;
    const sd = Math.sqrt(own.reduce((s, v) => s + (v - mean) ** 2, 0) / own.length);
    return own.map((v) => (v - mean) / sd);
  };
  const codes = (name: string): number[] => {
    const cells = rows.columns.get(name)!;
    if (cells.kind !== "factor") return [];
    const seen = [...new Set(cells.codes)];
    return Array.from(cells.codes, (code) => seen.indexOf(code));
  };
  const [h, x, y, item, system] = [values("human"), values(a), values(b), codes("item"), codes("system")];
  const means = (own: readonly number[]): Float64Array => {
    const [sums, n] = [new Float64Array(6), new Float64Array(6)];
    own.forEach((v, i) => {
      sums[system[i]!]! += v;
      n[system[i]!]! += 1;
    });
    return sums.map((s, k) => s / n[k]!);
  };
  const human = means(h);
  const statistic = (mask: number): number => {
    const swapped = (i: number): boolean => ((mask >> item[i]!) & 1) === 1;
    const first = means(x.map((v, i) => (swapped(i) ? y[i]! : v)));
    const second = means(y.map((v, i) => (swapped(i) ? x[i]! : v)));
    return coefficientOf("pearson", human, first) - coefficientOf("pearson", human, second);
  };
  const observed = Math.abs(statistic(0));
  const all = 1 << new Set(item).size;
  let extreme = 0;
  for (let mask = 0; mask < all; mask++) if (Math.abs(statistic(mask)) >= observed - 1e-9) extreme += 1;
  return extreme / all;
}
