/** What was averaged or not adjusted without a word, each test named after the fault. */
import { describe, expect, it } from "vitest";
import { compare, makeRng } from "../src/index.ts";
import { lines, readText, times } from "./support/read-text.ts";

async function rated() {
  const rng = makeRng("rated");
  const rows = times(30, (i) =>
    ["base", "new"].flatMap((system) =>
      ["Ada", "Bea", "Cem"].map((rater) => `d${i},${system},${rater},${(50 + 9 * rng.normal()).toFixed(2)}`),
    ),
  );
  return readText("rated.csv", lines(["doc,system,rater,rating", ...rows.flat()]));
}

const screen = (result: { display(): { screen?: unknown } }): string => JSON.stringify(result.display().screen);

describe("raters that were averaged", () => {
  it("independent samples averaged three raters and no line mentioned them", async () => {
    const result = compare(await rated(), { unpaired: true });
    expect(result.repeated).toEqual([{ facet: "raters", levels: 3 }]);
    expect(screen(result)).toContain("for these three raters");
  });

  it("rater: none named the average, but not whom the verdict is for", async () => {
    const result = compare(await rated(), { rater: "none" });
    expect(JSON.stringify(result.display())).toContain(
      "rater (Ada, Bea, Cem) and are averaged: the verdict is for these alone.",
    );
  });
});

describe("an adjustment of one pair", () => {
  it("was ignored without a word", async () => {
    const data = await rated();
    const codes = (adjust: "BH" | "none") =>
      compare(data, { rater: "none", adjust }).diagnostics.map(({ code }) => code);
    expect(codes("BH")).toContain("OnePair");
    expect(screen(compare(data, { rater: "none", adjust: "BH" }))).toContain(
      "There is one pair, so BH adjusts nothing.",
    );
    expect(codes("none")).not.toContain("OnePair");
  });
});
