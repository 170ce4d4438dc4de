/** One report over all tests: columns found by name, what is lacking said, and each part equal to the test run alone. */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table, withColumn } from "../data/table.ts";
import { makeRng } from "../numeric/rng.ts";
import { reviveResult } from "../result/result.ts";
import { auditValidity } from "./audit.ts";
import { testCircularity } from "./circularity/circularity.ts";

const N = 300;

function ratings(): Table {
  const rng = makeRng(21);
  const dose = Float64Array.from({ length: N }, () => rng.normal());
  const age = Float64Array.from({ length: N }, () => 40 + 10 * rng.normal());
  return makeTable([
    ["dose", numericColumn(dose)],
    ["age", numericColumn(age)],
    ["gold", numericColumn(dose.map((d) => Number(d > -0.5) + Number(d > 1)))],
  ]);
}

describe("audit", () => {
  it("runs the circularity test as it runs alone and says what the others lack", async () => {
    const table = ratings();
    const result = await auditValidity(table);
    const alone = await testCircularity(table, { label: "gold" });
    expect(result.columns).toEqual({ label: "gold", predictions: [], scales: {} });
    expect(result.circularity!.findings).toEqual(alone.findings);
    expect(result.verdict).toEqual(["Circularity: gold is circular in dose."]);
    expect(result.skipped).toEqual([
      { test: "bias", why: "no column names two or more domains." },
      { test: "invariance", why: "no scale is declared, and no number is named as an identifier." },
    ]);
    expect(String(reviveResult(JSON.parse(JSON.stringify(result))))).toBe(String(result));
  });

  it("adds bias and invariance where there are domains and identifiers", async () => {
    const sited = withColumn(ratings(), "site", factorColumn(Array.from({ length: N }, (_, i) => (i % 3 ? "a" : "b"))));
    const table = withColumn(
      sited,
      "visit_id",
      numericColumn(Float64Array.from({ length: N }, (_, i) => (i * 7) % 11)),
    );
    const result = await auditValidity(table, { exclude: ["visit_id"] });
    expect(result.columns).toMatchObject({ domain: "site", scales: { visit_id: "nominal" } });
    expect([result.bias?.kind, result.invariance?.kind, result.skipped]).toEqual(["bias", "invariance", []]);
    expect(result.verdict.length).toBe(3);
  });

  it("refuses a name that is not there, and a table that allows no test, saying what each needs", async () => {
    await expect(auditValidity(ratings(), { label: "golt" })).rejects.toThrow(/golt/);
    const bare = makeTable([["u", numericColumn(Float64Array.from({ length: N }, (_, i) => i))]]);
    const nameless = /no column is named as a label or as predictions \(columns: u\)/;
    await expect(auditValidity(bare)).rejects.toThrow(nameless);
    await expect(auditValidity(bare)).rejects.toMatchObject({ fix: expect.stringMatching(/`label: <col>`/) });
    // a label alone: there is nothing to explain it with
    await expect(auditValidity(bare, { label: "u" })).rejects.toThrow(
      /Circularity: .*; bias: no column names two or more domains; invariance: no scale is declared/,
    );
  });
});
