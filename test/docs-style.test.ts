/** How long the sentences and table cells of README and docs are: a reader follows 20 words, and a cell holds a value or a phrase. */
import { describe, expect, it } from "vitest";
import { docPages, readPage } from "./support/doc-pages.ts";
import { median, readingEase, readProse, wordsIn } from "./support/prose.ts";

const LONGEST_SENTENCE = 40;
const MEDIAN_SENTENCE = 18;
const LONGEST_CELL = 200;

const prose = new Map(docPages.map((page) => [page, readProse(readPage(page))]));
const texts = [...prose].filter(([, { sentences }]) => sentences.length >= 5);

describe("sentences and cells", () => {
  it.each(docPages)("of %s stay within their lengths", (page) => {
    const { sentences, cells } = prose.get(page)!;
    expect(sentences.filter((one) => wordsIn(one) > LONGEST_SENTENCE)).toEqual([]);
    expect(cells.filter((one) => one.length > LONGEST_CELL)).toEqual([]);
  });

  it("have a median of at most 18 words, and read no harder than plain English", () => {
    const all = texts.flatMap(([, { sentences }]) => sentences);
    expect(all.length).toBeGreaterThan(1000);
    expect(median(all.map(wordsIn))).toBeLessThanOrEqual(MEDIAN_SENTENCE);
    // 60 to 70 is plain English by Flesch's table
    expect(readingEase(all)).toBeGreaterThan(60);
  });
});

describe("the measure", () => {
  it("counts sentences of text and cells of tables, and neither code nor headings nor references", () => {
    const page = [
      "# A heading",
      "One sentence with `a piece of code`. Bates et al. (2015) is in the second; p = 0.05 too!",
      "",
      "    a formula = 1",
      "```sh\ngosset compare a b\n```",
      "| head | |\n| --- | --- |\n| a | `b c` and [d](e.md) |",
      "- a point\n- another\n",
      "References: Somebody (1999), *A Book*; Somebody Else (2001), *J. Stat.* 1.",
    ].join("\n");
    const { sentences, cells } = readProse(page);
    expect(sentences).toEqual([
      "One sentence with code.",
      "Bates et al. (2015) is in the second; p = 0.05 too!",
      "a point",
      "another",
    ]);
    expect(cells).toEqual(["head", "", "a", "b c and d"]);
    expect(sentences.map(wordsIn)).toEqual([4, 11, 2, 1]);
  });

  it("finds short words in short sentences easy", () => {
    const [easy, hard] = [
      ["The cat sat on the mat."],
      ["Heteroscedasticity necessitates multidimensional reconsideration."],
    ];
    expect(readingEase(easy)).toBeGreaterThan(100);
    expect(readingEase(hard)).toBeLessThan(0);
    expect(median([3, 1, 2, 10])).toBe(2.5);
  });
});
