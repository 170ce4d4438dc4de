import { describe, expect, it } from "vitest";
import { factorColumn, makeTable } from "../../data/table.ts";
import { findWordScales } from "./word-scales.ts";

const read = (...words: string[]) => {
  const found = findWordScales(makeTable([["q", factorColumn(words)]], words.length));
  const cells = found?.table.columns.get("q");
  return { found, values: cells?.kind === "numeric" ? Array.from(cells.values) : undefined };
};

describe("words as ratings stand in their order, never in the alphabet's", () => {
  it.each([
    ["very bad,bad,ok,good,very good", [1, 2, 3, 4, 5]],
    ["Strongly disagree,Disagree,Neutral,Agree,Strongly agree", [1, 2, 3, 4, 5]],
    ["strongly_disagree,disagree,agree,strongly_agree", [1, 2, 3, 4]],
    ["disagree,neutral,agree", [1, 2, 3]],
    ["Strongly disagree,Disagree,Somewhat disagree,Neutral,Somewhat agree,Agree,Strongly agree", [1, 2, 3, 4, 5, 6, 7]],
    ["bad,poor,fair,good,excellent", [1, 2, 3, 4, 5]],
    ["poor,fair,good,very good,excellent", [1, 2, 3, 4, 5]],
    ["sehr schlecht,schlecht,mittel,gut,sehr gut", [1, 2, 3, 4, 5]],
    ["trifft gar nicht zu,trifft eher nicht zu,teils-teils,trifft eher zu,trifft voll zu", [1, 2, 3, 4, 5]],
    ["pas du tout d’accord,pas d’accord,neutre,d’accord,tout à fait d’accord", [1, 2, 3, 4, 5]],
    ["muy malo,malo,regular,bueno,muy bueno", [1, 2, 3, 4, 5]],
    ["1 - very bad,2 - bad,3 - ok,4 - good,5 - very good", [1, 2, 3, 4, 5]],
    ["0: poor,2: fair,4: good", [0, 2, 4]],
  ])("%s", (words, steps) => {
    expect(read(...words.split(",")).values).toEqual(steps);
    expect(read(...words.split(",").reverse()).values).toEqual(steps.toReversed());
  });

  it("words scored 2-5 say which word nobody chose", () => {
    const { found, values } = read("bad", "ok", "good", "very good");
    expect(values).toEqual([2, 3, 4, 5]);
    expect(found!.reading).toEqual([
      "The words of q are read in their order: 2 = bad, 3 = ok, 4 = good, 5 = very good; nobody chose 1 = very bad.",
    ]);
  });

  it("has the direction of praise, and of numbers that fall with it", () => {
    expect(read("bad", "ok", "good").found!.higherIsBetter!.get("q")).toBe(true);
    expect(read("1 - sehr gut", "2 - gut", "3 - befriedigend", "4 - ausreichend").found!.higherIsBetter!.get("q")).toBe(
      false,
    );
    expect(read("disagree", "neutral", "agree").found!.higherIsBetter!.has("q")).toBe(false);
  });

  it("leaves categories alone", () => {
    expect(read("news", "sports", "politics").found).toBeUndefined();
    expect(read("1. News", "2. Sports", "3. Politics").found).toBeUndefined();
    // two words of one step
    expect(read("ok", "okay", "good").found).toBeUndefined();
    expect(read("1 - good", "3 - ok", "2 - bad").found).toBeUndefined();
  });
});
