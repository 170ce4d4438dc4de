import { describe, expect, it } from "vitest";
import type { Imported } from "../../data/imported.ts";
import type { NumericColumn } from "../../data/table.ts";
import { importFiles } from "../import.ts";

const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];
const read = (value: unknown, name = "results.json"): Promise<Imported> =>
  importFiles([{ name, bytes: new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)) }]);

const result = (provider: string, promptIdx: number, city: string, change: object = {}): object => ({
  promptIdx,
  testIdx: 0,
  provider: { id: provider, label: "" },
  prompt: { raw: `Capital? ${city}`, label: `prompt about {{city}} v${promptIdx % 2}` },
  vars: { city },
  testCase: { vars: { city }, assert: [{ type: "equals" }] },
  success: true,
  score: 1,
  namedScores: { tone: 0.5 },
  gradingResult: { pass: true, score: 1, reason: "ok", componentResults: [{ pass: true }] },
  failureReason: 0,
  ...change,
});
const v3 = (results: readonly object[]): object => ({
  evalId: "e",
  results: { version: 3, prompts: [], results, stats: {} },
  config: {},
});

describe("promptfoo", () => {
  it("names a file that holds totals only, and does not list it as read", async () => {
    const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const totals = {
      evalId: "t",
      results: { version: 3, prompts: [{ raw: "p" }], results: [], stats: {} },
      config: {},
    };
    const log = await importFiles([
      { name: "f/full.json", bytes: encode(v3([result("openai:a", 0, "Rome"), result("openai:b", 0, "Rome")])) },
      { name: "f/totals.json", bytes: encode(totals) },
    ]);
    expect(log.files).toEqual(["f/full.json"]);
    expect(log.diagnostics.find(({ code }) => code === "TotalsLeftOut")?.message).toBe(
      "1 file holds totals only and was left out (f/totals.json).",
    );
  });

  it("takes provider and prompt as the system, and the test as the item", async () => {
    const log = await read(
      v3([
        result("openai:a", 0, "Rome"),
        result("openai:b", 0, "Rome", { success: false, score: 0.25, failureReason: 1 }),
        result("openai:a", 0, "Oslo"),
        result("openai:b", 0, "Oslo"),
      ]),
    );
    expect(log.format).toBe("promptfoo");
    expect(log.systems).toEqual(["openai:a", "openai:b"]);
    expect([log.items, log.repeats]).toEqual([2, 1]);
    expect(numbers(log, "pass")).toEqual([1, 0, 1, 1]);
    expect(numbers(log, "score")).toEqual([1, 0.25, 1, 1]);
    expect(numbers(log, "tone")).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(log.roles.score).toBe("pass");
    const both = await read(v3([result("a", 0, "Rome"), result("b", 1, "Rome")]));
    expect(both.systems).toEqual(["a | prompt about {{city}} v0", "b | prompt about {{city}} v1"]);
  });

  it("recovers repeats by counting equal tests, whatever testIdx says", async () => {
    const log = await read(
      v3([
        result("a", 0, "Rome", { testIdx: 0 }),
        result("a", 0, "Rome", { testIdx: 1 }),
        result("a", 0, "Oslo", { testIdx: 2 }),
      ]),
    );
    expect([log.items, log.repeats]).toEqual([2, 2]);
    expect(numbers(log, "repeat")).toEqual([1, 2, 1]);
  });

  it("tells tests with the same variables and other assertions apart", async () => {
    const log = await read(
      v3([result("a", 0, "Rome"), result("a", 0, "Rome", { testCase: { assert: [{ type: "contains" }] } })]),
    );
    expect([log.items, log.repeats]).toEqual([2, 1]);
  });

  it("leaves the score of an error missing, and warns of passes without assertions", async () => {
    const log = await read(
      v3([
        result("a", 0, "Rome", { failureReason: 2, success: false, score: 0, gradingResult: null }),
        result("a", 0, "Oslo", { gradingResult: { pass: true, score: 1, reason: "No assertions" } }),
      ]),
    );
    expect(numbers(log, "pass")).toEqual([Number.NaN, 1]);
    expect(log.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["ErroredResults", "NoAssertions"]);
  });

  it("reads versions 1 and 2 and JSON lines alike", async () => {
    const old = [
      { prompt: { raw: "a", display: "say {{x}}" }, vars: { x: "1" }, success: true, response: { output: "y" } },
      { prompt: { raw: "b", display: "tell {{x}}" }, vars: { x: "1" }, success: false, response: { output: "n" } },
    ];
    const first = await read({
      version: 1,
      results: old,
      stats: {},
      table: { body: [{ outputs: ["[PASS] y", "[FAIL] n"] }] },
    });
    expect(first.systems).toEqual(["say {{x}}", "tell {{x}}"]);
    expect(numbers(first, "pass")).toEqual([1, 0]);
    expect(first.diagnostics).toEqual([]);
    const second = await read({
      results: { version: 2, results: old, table: { body: [{ outputs: [{ text: "[PASS] y" }] }] } },
    });
    expect(second.table).toEqual(first.table);
    const third = await read(old.map((one) => JSON.stringify(one)).join("\n"), "out.jsonl");
    expect(third.table).toEqual(first.table);
  });

  it("reads passes and failures of a file without results", async () => {
    const prompts = ["x", "y"].map((raw, i) => ({
      raw,
      label: raw,
      provider: "p",
      metrics: { testPassCount: i + 1, testFailCount: 3, testErrorCount: 0 },
    }));
    const log = await read({ id: "eval-1", config: {}, results: [], prompts, persisted: true });
    expect(log.systems).toEqual(["x", "y"]);
    expect(numbers(log, "passed")).toEqual([1, 2]);
    expect(log.diagnostics[0]?.code).toBe("TotalsOnly");
  });
});
