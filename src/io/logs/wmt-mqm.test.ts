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
    expect(mqmWeight("Critical", "Other")).toBe(25);
    expect(mqmWeight("Minor", "Linguistic Conventions - Punctuation")).toBe(0.1);
    expect(mqmWeight("Severe", "Other")).toBeNaN();
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
      row("A", 1, "r", "Other", "Severe"),
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

  it("reads other names of columns; a row without severity and category is free of errors", async () => {
    const header = "SEG_ID\tDoc\tSource\tTarget\tMT\tError Category\tSeverity\tAnnotator_ID";
    const line = (system: string, doc: string, segment: number, category: string, severity: string): string =>
      [segment, doc, "Hallo Welt", "Hello world", system, category, severity, "501"].join("\t");
    const file = (system: string, errors: readonly string[]) => ({
      name: `${system}.tsv`,
      bytes: new TextEncoder().encode([header, ...errors].join("\n")),
    });
    const found = await importFiles([
      file("a", [
        line("a", "d1", 1, "", ""),
        line("a", "d1", 2, "Accuracy - Omission", "Major"),
        line("a", "d1", 2, "Linguistic Conventions - Spelling", "Minor"),
        line("a", "d2", 1, "Terminology - Wrong term", "Critical"),
      ]),
      file("b", [line("b", "d1", 1, "", ""), line("b", "d1", 2, "", ""), line("b", "d2", 1, "", "")]),
    ]);
    expect([found.format, found.systems, found.items, found.roles.cluster]).toEqual(["wmt-mqm", ["a", "b"], 3, "doc"]);
    expect(numbers(found, "mqm")).toEqual([0, -6, -25, 0, 0, 0]);
    expect(found.summary).toMatch(/3 marked errors in 6 rated segments/);
    expect(found.assumptions.join(" ")).toMatch(/1 error of severity Critical/);
    // where clean segments are marked as such, an empty row says nothing
    const unsure = await read(row("A", 1, "r1", "No-error", "No-error"), row("A", 2, "r1", "", ""));
    expect(numbers(unsure, "mqm")).toEqual([0, Number.NaN]);
  });
});
