import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { reviveResult } from "../result/result.ts";
import { familyWiseError, familyWiseSentence } from "../significance/multiplicity.ts";
import { measureImportance } from "./importance.ts";
import { describeSettings } from "./search.ts";

const GRID = [0, 1, 2].flatMap((rate) =>
  [0, 1].flatMap((size) => [1, 5].flatMap((epochs) => [{ rate, size, epochs }])),
);
/** The rate matters with one epoch only. */
const scoreOf = ({ rate, size, epochs }: (typeof GRID)[number]): number =>
  70 + (epochs === 1 ? 4 * rate : 6 + ((rate * 7 + size * 3) % 5) / 10) + size;
const table = (name = "accuracy") =>
  makeTable([
    ["rate", factorColumn(GRID.map(({ rate }) => `r${rate}`))],
    ["size", factorColumn(GRID.map(({ size }) => `s${size}`))],
    ["epochs", numericColumn(GRID.map(({ epochs }) => epochs))],
    [name, numericColumn(GRID.map(scoreOf))],
  ]);
const OPTIONS = { score: "accuracy", parameters: ["rate", "size"], intervals: "none" } as const;

describe("scores by value of a setting", () => {
  it("are means and standard deviations of the configurations, by hand", () => {
    const { levels, search } = describeSettings(table(), { score: "accuracy", parameters: ["rate", "size", "epochs"] });
    const own = GRID.filter(({ rate }) => rate === 2).map(scoreOf);
    const mean = own.reduce((sum, v) => sum + v, 0) / own.length;
    const found = levels.find(({ level }) => level === "r2")!;
    expect(found).toMatchObject({ parameter: "rate", n: 4, best: Math.max(...own) });
    expect(found.mean).toBeCloseTo(mean, 12);
    expect(found.sd).toBeCloseTo(Math.sqrt(own.reduce((sum, v) => sum + (v - mean) ** 2, 0) / 3), 12);
    const all = GRID.map(scoreOf);
    expect(search).toMatchObject({ configurations: 12, best: Math.max(...all), minimise: false });
    // the expected best of one trial is the mean
    expect(search.expected[0]!.mean).toBeCloseTo(all.reduce((sum, v) => sum + v, 0) / 12, 12);
    expect(search.configuration).toEqual({ rate: "r2", size: "s1", epochs: "1" });
  });

  it("count settings drawn from a range by their own values, not by the classes that effects are estimated in", () => {
    const rates = Array.from({ length: 60 }, (_, i) => (i + 1) / 1000);
    const scores = rates.map((rate, i) => 70 - 1000 * (rate - 0.031) ** 2 + ((i * 7) % 5) / 10);
    const sweep = makeTable([
      ["lr", numericColumn(rates)],
      ["optimizer", factorColumn(rates.map((_, i) => (i % 2 === 0 ? "adam" : "sgd")))],
      ["accuracy", numericColumn(scores)],
    ]);
    const found = measureImportance(sweep, { ...OPTIONS, parameters: ["lr", "optimizer"] });
    expect(found.search).toMatchObject({ configurations: 60, best: Math.max(...scores) });
    expect(found.search!.configuration["lr"]).toBe(String(rates[scores.indexOf(Math.max(...scores))]));
    expect(found.levels.filter(({ parameter }) => parameter === "lr").map(({ n }) => n)).toEqual([12, 12, 12, 12, 12]);
    expect(String(found)).toContain("of 60 configurations");
  });

  it("average the rows of a configuration first, and go down where lower is better", () => {
    const { levels, search } = describeSettings(table("loss"), { score: "loss", parameters: ["rate", "size"] });
    expect(search).toMatchObject({ configurations: 6, minimise: true });
    expect(levels.find(({ level }) => level === "s0")!.n).toBe(3);
    expect(search.expected.find(({ budget }) => budget === 5)!.mean).toBeLessThan(search.expected[0]!.mean);
  });
});

describe("importance", () => {
  it("has levels, the best, and the shares by budget: the rate matters only while little is spent", () => {
    const own = measureImportance(table(), { ...OPTIONS, budget: "epochs" });
    const share = (at: number): number => own.budgets[at]!.components.find(({ term }) => term === "rate")!.percent;
    expect(own.budgets.map(({ budget, nobs }) => [budget, nobs])).toEqual([
      ["1", 6],
      ["5", 6],
    ]);
    expect(share(0)).toBeGreaterThan(90);
    expect(share(1)).toBeLessThan(20);
    expect(own.phi).toBeUndefined();
    const text = own.toString();
    expect(text).toMatch(/Best \(highest\) of 6 configurations/);
    expect(text).toMatch(/Proportions of the variance by budget/);
    expect(reviveResult(JSON.parse(JSON.stringify(own))).toString()).toBe(text);
  });

  it("has φ beside the best where items were scored one by one", () => {
    const items = [1, 2, 3, 4].flatMap((item) => GRID.map((own) => ({ ...own, item })));
    const scored = makeTable([
      ["item", factorColumn(items.map(({ item }) => `i${item}`))],
      ["rate", factorColumn(items.map(({ rate }) => `r${rate}`))],
      ["size", factorColumn(items.map(({ size }) => `s${size}`))],
      ["accuracy", numericColumn(items.map((own) => scoreOf(own) + 5 * own.item))],
    ]);
    const own = measureImportance(scored, { ...OPTIONS, object: "item" });
    expect(own.phi!.value).toBeGreaterThan(0.5);
    expect(own.toString()).toMatch(/φ of one score over these settings/);
  });

  it("refuses budgets that are none", () => {
    expect(() => measureImportance(table(), { ...OPTIONS, budget: "accuracy" })).toThrow(/score or the object/);
    expect(() => measureImportance(table(), { ...OPTIONS, budget: "nope" })).toThrow(/nope/);
    expect(() => measureImportance(table(), { ...OPTIONS, parameters: ["rate"], budget: "rate" })).toThrow(
      /only setting/,
    );
  });
});

describe("the error of a family of unadjusted tests", () => {
  it("is 1 - (1 - α)^m where they are independent, mα at most", () => {
    expect(familyWiseError(3, 0.05).independent).toBeCloseTo(1 - 0.95 ** 3, 14);
    expect(familyWiseError(3, 0.05).bound).toBeCloseTo(0.15, 14);
    expect(familyWiseError(40, 0.05).bound).toBe(1);
    expect(familyWiseSentence(3, 0.05)).toMatch(/3 tests at 0\.05 give 0\.15 false positives.*up to 15 %/);
    // from 20 tests on mα bounds nothing
    expect(familyWiseSentence(105, 0.05)).toMatch(/give 5\.25 false positives on average$/);
  });
});
