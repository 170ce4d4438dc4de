import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { fitGlmm } from "../glmm/glmm.ts";
import { fitLmm } from "../lmm/lmm.ts";
import { fitClmm } from "../ordinal/clmm.ts";

/** 12 items in 3 documents, 8 ratings each; `twin` renames the items. */
const n = 96;
const item = Array.from({ length: n }, (_, i) => i % 12);
const score = item.map((g, i) => ((i * 37) % 11) / 4 + (g % 5) / 2);
const table = makeTable([
  ["item", factorColumn(item.map((g) => `i${g}`))],
  ["twin", factorColumn(item.map((g) => `t${11 - g}`))],
  ["document", factorColumn(item.map((g) => `d${g % 3}`))],
  ["row", factorColumn(item.map((_, i) => `r${i}`))],
  ["half", numericColumn(item.map((_, i) => Number(i % 8 < 4)))],
  ["rest", numericColumn(item.map((_, i) => Number(i % 8 >= 4)))],
  [
    "rating",
    factorColumn(
      score.map((s) => String(1 + Math.min(3, Math.floor(s)))),
      { levels: ["1", "2", "3", "4"] },
    ),
  ],
  ["correct", numericColumn(score.map((s, i) => Number((s + (i % 3)) % 2 > 1)))],
  ["hits", numericColumn(score.map((_, i) => (i * 5) % 4))],
  ["misses", numericColumn(score.map((_, i) => 4 - ((i * 5) % 4)))],
  ["score", numericColumn(score)],
]);
const codes = (fit: { diagnostics: readonly { code: string }[] }): string[] =>
  fit.diagnostics.map(({ code }) => code).filter((code) => code === "SamePartition" || code === "VariancesConfounded");

describe("variances that the data cannot tell apart", () => {
  it("one partition under two names, in all mixed models", () => {
    const random = "(1 | item) + (1 | twin)";
    expect(codes(fitLmm(`score ~ 1 + ${random}`, table))).toEqual(["SamePartition"]);
    expect(codes(fitClmm(`rating ~ 1 + ${random}`, table))).toEqual(["SamePartition"]);
    expect(codes(fitGlmm(`correct ~ 1 + ${random}`, table))).toEqual(["SamePartition"]);
  });

  it("a level for every row: confounded with the latent residual of a rating or of a single answer, not with that of counts", () => {
    expect(codes(fitClmm("rating ~ 1 + (1 | row)", table))).toEqual(["VariancesConfounded"]);
    expect(codes(fitGlmm("correct ~ 1 + (1 | row)", table))).toEqual(["VariancesConfounded"]);
    expect(codes(fitGlmm("cbind(hits, misses) ~ 1 + (1 | row)", table))).toEqual([]);
    expect(codes(fitGlmm("hits ~ 1 + (1 | row)", table, { family: "poisson" }))).toEqual([]);
  });

  it("nested factors and slopes are not confounded", () => {
    expect(codes(fitClmm("rating ~ 1 + (1 | document) + (1 | item)", table))).toEqual([]);
    expect(codes(fitGlmm("correct ~ half + (1 + half | item)", table))).toEqual([]);
  });

  it("a split of each item whose parts' variances are those of the items, where each item lies in one part", () => {
    // document 0 within half, the others within rest: (1 | item) is the sum of both
    const part = makeTable([
      ...table.columns,
      ["first", numericColumn(item.map((g) => Number(g % 3 === 0)))],
      ["second", numericColumn(item.map((g) => Number(g % 3 !== 0)))],
    ]);
    const fit = fitClmm("rating ~ 1 + (1 | item) + (0 + first | item) + (0 + second | item)", part);
    const [confounded] = fit.diagnostics.filter(({ code }) => code === "VariancesConfounded");
    expect(confounded!.message).toContain("((Intercept) | item), (first | item) and (second | item)");
  });
});
