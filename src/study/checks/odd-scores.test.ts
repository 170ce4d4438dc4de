import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { readRoles } from "../roles.ts";
import { farValues, kindsOfRows, unevenMissing } from "./odd-scores.ts";

const ids = Array.from({ length: 200 }, (_, i) => i);

describe("scores that deserve a look", () => {
  it("one slip among ratings of 0 to 100 is named; large measurements and few rows are not", () => {
    const ratings = Float64Array.from(ids, (i) => (37 * i) % 101);
    expect(farValues("quality", ratings)).toEqual([]);
    const [slip] = farValues("quality", Float64Array.of(...ratings, 88_888));
    expect(slip!.message).toContain("1 value of quality (88888) lies far beyond the others");
    expect(
      farValues(
        "tokens",
        Float64Array.from([...ids, 0], (i) => (i === 0 ? 1e7 : 5000 + i)),
      ),
    ).toEqual([]);
    expect(farValues("few", Float64Array.of(1, 2, 3, 1000))).toEqual([]);
  });

  it("a single 0 among ratings of 1 to 5 is named; 0 on a scale to 4 or 10 is a step", () => {
    const rated = (top: number) => Float64Array.from([0, ...ids], (i, k) => (k === 0 ? 0 : 1 + (i % top)));
    for (const top of [5, 7])
      expect(farValues("rating", rated(top))[0]).toMatchObject({
        code: "ZeroRatings",
        message: expect.stringMatching(/^1 of 201 values of rating is 0 /),
        fix: "Option `missing: 0` leaves them out.",
      });
    for (const top of [4, 10]) expect(farValues("rating", rated(top))).toEqual([]);
  });

  it("rows of two kinds share no score", () => {
    const of = (kind: number, seed: number): number[] =>
      ids.map((i) => ((i % 4 === 0 ? 0 : 1) === kind ? (i * seed) % 3 : Number.NaN));
    const table = makeTable([
      ["fluent", numericColumn(of(1, 7))],
      ["relevant", numericColumn(of(1, 5))],
      ["coherent", numericColumn(of(0, 3))],
      ["diverse", numericColumn(of(0, 11))],
      ["overall", numericColumn(ids.map((i) => i % 5))],
    ]);
    const names = [...table.columns.keys()];
    expect(kindsOfRows(table, names)[0]!.message).toContain(
      "150 rows have fluent and 1 more, 50 other rows coherent and 1 more",
    );
    expect(kindsOfRows(table, names.slice(0, 2))).toEqual([]);
  });

  it("a score that one system lacks more often is said to rest on a selection", () => {
    const entry = (system: string, missing: number) => ({
      system,
      metric: "accuracy",
      n: 100 - missing,
      missing,
      mean: 0.5,
    });
    expect(unevenMissing([entry("a", 5), entry("b", 50)])[0]!.message).toContain(
      "50 of 100 rows of b and in 5 of 100 rows of a",
    );
    expect(unevenMissing([entry("a", 5), entry("b", 8)])).toEqual([]);
  });
});

describe("what a column is not", () => {
  it("a group of raters is no system, a session is no rater, an id or row number explains nothing", () => {
    const rows = ids.slice(0, 30).flatMap((item) => ["r1", "r2", "r3", "r4"].map((rater) => [item, rater] as const));
    const { roles } = readRoles(
      makeTable([
        ["item_id", factorColumn(rows.map(([item]) => `q${item}`))],
        ["annotator", factorColumn(rows.map(([, rater]) => rater))],
        ["group", factorColumn(rows.map(([, rater]) => (rater < "r3" ? "target" : "control")))],
        ["session_id", factorColumn(rows.map((_, i) => `s${i % 7}`))],
        ["unit_id", numericColumn(rows.map((_, i) => 5000 + 3 * i))],
        ["rating", numericColumn(rows.map((_, i) => 1 + (i % 5)))],
      ]),
    );
    expect(roles.system).toBeUndefined();
    expect(roles.rater).toBe("annotator");
    expect(roles.covariates).toContain("group");
    expect(roles.covariates).not.toContain("unit_id");
  });
});
