import { describe, expect, it } from "vitest";
import type { Imported } from "../../data/imported.ts";
import type { NumericColumn } from "../../data/table.ts";
import { importFiles } from "../import.ts";
import { mqmWeight } from "./wmt-mqm.ts";

const HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment";
const read = (...rows: readonly string[]): Promise<Imported> =>
  importFiles([{ name: "mqm.tsv", bytes: new TextEncoder().encode([HEADER, ...rows].join("\n")) }]);
const row = (system: string, segment: number, rater: string, category: string, severity: string, doc = "d1"): string =>
  [system, doc, "1", segment, rater, 'say "hello', "sag <v>hallo</v>", category, severity, ""].join("\t");
const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];

describe("WMT MQM", () => {
  it("weighs errors, the most specific rule first", () => {
    expect(mqmWeight("Major", "Accuracy/Mistranslation")).toBe(5);
    expect(mqmWeight("Minor", "Style/Awkward")).toBe(1);
    expect(mqmWeight("Neutral", "Other")).toBe(0);
    expect(mqmWeight("No-error", "No-error")).toBe(0);
    expect(mqmWeight("Major", "Non-translation!")).toBe(25);
    expect(mqmWeight("Minor", "Fluency/Punctuation")).toBe(0.1);
    expect(mqmWeight("Major", "Fluency/Punctuation")).toBe(5);
    expect(mqmWeight("Critical", "Other")).toBeNaN();
  });

  it("sums the errors of a rater in a segment and reads quotation marks as they are", async () => {
    const log = await read(
      row("A", 1, "r1", "Accuracy/Omission", "Major"),
      row("A", 1, "r1", "Fluency/Punctuation", "Minor"),
      row("A", 1, "r2", "No-error", "No-error"),
      row("ref", 1, "r1", "Style/Awkward", "Minor"),
    );
    expect(log.format).toBe("wmt-mqm");
    expect(numbers(log, "mqm")).toEqual([-5.1, 0, -1]);
    expect(Object.is(numbers(log, "mqm")[1], 0)).toBe(true);
    expect(numbers(log, "major")).toEqual([1, 0, 0]);
    expect(numbers(log, "source_words")).toEqual([2, 2, 2]);
    expect(log.roles).toMatchObject({ system: "system", item: "item", rater: "rater", cluster: "doc", score: "mqm" });
    expect(log.assumptions.join(" ")).toMatch(/ref reads like a human reference/);
  });

  it("segments without a row were taken as never rated, in a file that has no row without an error", async () => {
    const told = /No row says No-error, and 1 of 4 ratings of a segment by a rater are not in the file/;
    const marked = [
      row("A", 1, "r", "Other", "Minor"),
      row("B", 1, "r", "Other", "Major"),
      row("A", 2, "r", "Other", "Minor"),
    ];
    expect((await read(...marked)).assumptions.join(" ")).toMatch(told);
    const clean = await read(...marked, row("B", 3, "r", "No-error", "No-error"));
    expect(clean.assumptions.join(" ")).not.toMatch(/No row says/);
    const whole = await read(...marked, row("B", 2, "r", "Other", "Minor"));
    expect(whole.assumptions.join(" ")).not.toMatch(/No row says/);
  });

  it("names segments by document where their numbers start again", async () => {
    const log = await read(row("A", 1, "r", "No-error", "No-error", "d1"), row("A", 1, "r", "Other", "Minor", "d2"));
    expect(log.items).toBe(2);
  });

  it("counts unknown severities, attention checks and ragged rows", async () => {
    const log = await read(
      row("A", 1, "r", "Other", "Critical"),
      row("A", 2, "r", "x", "HOTW-test"),
      row("A", 3, "r", "Other", "Minor"),
      "A\tonly",
    );
    expect(numbers(log, "mqm")).toEqual([Number.NaN, -1]);
    expect(log.diagnostics.map((diagnostic) => diagnostic.code)).toEqual([
      "RaggedRows",
      "UnknownSeverity",
      "AttentionChecks",
    ]);
    expect(log.diagnostics[0]?.message).toMatch(/mqm.tsv, row 5/);
  });
});
