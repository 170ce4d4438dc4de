import { describe, expect, it } from "vitest";
import { factorColumn, makeTable } from "../../data/table.ts";
import { tellDone } from "../tell.ts";
import { findWordScales, orderWords } from "./word-scales.ts";

const read = (columns: Record<string, readonly string[]>) => {
  const entries = Object.entries(columns).map(([name, cells]) => [name, factorColumn(cells)] as const);
  const found = findWordScales(makeTable(entries));
  const valuesOf = (name: string): number[] | undefined => {
    const own = found?.table.columns.get(name);
    return own?.kind === "numeric" ? Array.from(own.values) : undefined;
  };
  return { found, q: valuesOf("q"), r: valuesOf("r") };
};

describe("words as ratings", () => {
  it.each([
    ["very bad,bad,ok,good,very good", [1, 2, 3, 4, 5]],
    ["Strongly disagree,Disagree,Neutral,Agree,Strongly agree", [1, 2, 3, 4, 5]],
    ["strongly_disagree,disagree,agree,strongly_agree", [1, 2, 3, 4]],
    ["disagree,neutral,agree", [1, 2, 3]],
    ["Strongly disagree,Disagree,Somewhat disagree,Neutral,Somewhat agree,Agree,Strongly agree", [1, 2, 3, 4, 5, 6, 7]],
    ["bad,poor,fair,good,excellent", [1, 2, 3, 4, 5]],
    ["poor,fair,good,very good,excellent", [1, 2, 3, 4, 5]],
    ["never,rarely,sometimes,often,always", [1, 2, 3, 4, 5]],
    ["1 - very bad,2 - bad,3 - ok,4 - good,5 - very good", [1, 2, 3, 4, 5]],
    ["0: poor,2: fair,4: good", [0, 2, 4]],
    ["agree,Agree,neutral,disagree", [3, 3, 2, 1]],
  ])("%s stand in the order of their scale, never in the alphabet's", (words, numbers) => {
    expect(read({ q: words.split(",") }).q).toEqual(numbers);
    expect(read({ q: words.split(",").reverse() }).q).toEqual(numbers.toReversed());
  });

  it("keep the place of a word that nobody chose", () => {
    const { found, q } = read({ q: ["bad", "ok", "good", "very good"] });
    expect(q).toEqual([2, 3, 4, 5]);
    expect(found!.done.map(tellDone)).toEqual([
      "The words of q are read in their order: 2 = bad, 3 = ok, 4 = good, 5 = very good; nobody chose 1 = very bad.",
    ]);
  });

  it("have one scale in all columns of a questionnaire", () => {
    const r = ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"];
    expect(read({ q: ["disagree", "neutral", "agree", "agree", "agree"], r }).q).toEqual([2, 3, 4, 4, 4]);
  });

  it("have the direction of praise, and of numbers that fall with it", () => {
    const up = (...q: string[]) => read({ q }).found!.higherIsBetter!.get("q");
    expect(up("bad", "ok", "good")).toBe(true);
    expect(up("1 - excellent", "2 - good", "3 - fair", "4 - poor")).toBe(false);
    expect(up("disagree", "neutral", "agree")).toBeUndefined();
  });

  it("leave categories, two words of one category and words of other scales alone", () => {
    for (const words of [
      ["news", "sports", "politics"],
      ["1. News", "2. Sports", "3. Politics"],
      ["ok", "okay", "good"],
      ["1 - good", "3 - ok", "2 - bad"],
      ["easy", "medium", "hard"],
      ["sehr schlecht", "schlecht", "gut"],
    ])
      expect(read({ q: words }).found).toBeUndefined();
  });

  it("read low, medium and high only under the name of a criterion", () => {
    const words = ["low", "medium", "high"];
    expect(read({ q: words }).found).toBeUndefined();
    expect(read({ fluency: words }).found!.done[0]!.columns).toEqual(["fluency"]);
  });

  it("order the labels of raters without making them numbers", () => {
    const table = makeTable([["label", factorColumn(["good", "bad", "ok"])]]);
    const cells = orderWords(table, "label")!.table.columns.get("label");
    expect(cells).toMatchObject({ kind: "factor", ordered: true, levels: ["bad", "ok", "good"] });
    expect(orderWords(makeTable([["label", factorColumn(["cat", "dog", "cow"])]]), "label")).toBeUndefined();
  });
});
