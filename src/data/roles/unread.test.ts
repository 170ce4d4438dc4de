import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../table.ts";
import { understandTable } from "./understand.ts";

const WORDS = ["zork", "blip", "flam"];
const sheet = (name: string, words: readonly string[] = WORDS) =>
  understandTable(
    makeTable(
      [
        ["item", factorColumn(Array.from({ length: 24 }, (_, i) => `q${i >> 1}`))],
        ["system", factorColumn(Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? "base" : "ours")))],
        [name, factorColumn(Array.from({ length: 24 }, (_, i) => words[(i * 7) % words.length]!))],
        ["fluency", numericColumn(Array.from({ length: 24 }, (_, i) => 1 + ((i * 5) % 5)))],
      ],
      24,
    ),
  );
const codes = (found: ReturnType<typeof sheet>): string[] => found.diagnostics.map(({ code }) => code);

describe("a criterion that could not be read", () => {
  it("was left out of a rating sheet without a word", () => {
    const found = sheet("adequacy");
    expect(found.roles.metrics).toEqual(["fluency"]);
    expect(codes(found)).toContain("UnreadScore");
    expect(found.diagnostics.find(({ code }) => code === "UnreadScore")!.message).toContain("adequacy");
  });

  it("is no kind, state or remark", () => {
    for (const name of ["domain", "status", "quality_type", "note", "sentiment"])
      expect(codes(sheet(name))).not.toContain("UnreadScore");
    // verdicts are scores
    expect(codes(sheet("correctness", ["pass", "fail"]))).not.toContain("UnreadScore");
  });
});
