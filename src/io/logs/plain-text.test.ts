import { gzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { Imported, InputFile } from "../../data/imported.ts";
import type { NumericColumn } from "../../data/table.ts";
import { importFiles } from "../import.ts";

const file = (name: string, text: string): InputFile => ({ name, bytes: new TextEncoder().encode(text) });
const read = (files: Readonly<Record<string, string>>): Promise<Imported> =>
  importFiles(Object.entries(files).map(([name, text]) => file(name, text)));
const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];

describe("plain text", () => {
  it("takes files as systems, reference, source and documents by their names", async () => {
    const packed = file("mt/online-B.txt.gz", "");
    const log = await importFiles([
      { ...packed, bytes: gzipSync(new TextEncoder().encode("Ein Satz.\r\nNoch ein Satz hier.\r\n")) },
      file("mt/KIT.txt", "Ein Satz.\nUnd noch einer.\n"),
      file("mt/reference.en-de.txt", "Ein guter Satz.\nUnd noch ein Satz.\n"),
      file("mt/src.txt", "One sentence.\nAnd one more.\n"),
      file("mt/docids.txt", "news-1\nnews-1\n"),
    ]);
    expect(log.format).toBe("text");
    expect(log.systems).toEqual(["KIT", "online-B"]);
    expect(log.items).toBe(2);
    expect(numbers(log, "words")).toEqual([2, 4, 2, 3]);
    expect(numbers(log, "reference_words")).toEqual([3, 4, 3, 4]);
    expect(numbers(log, "source_words")).toEqual([2, 3, 2, 3]);
    expect(log.roles).toMatchObject({ text: "text", reference: "reference", cluster: "doc" });
  });

  it("keeps empty lines, since lines are matched by number", async () => {
    const log = await importFiles([file("a.txt", "one\n\nthree\n")]);
    expect(log.items).toBe(3);
    expect(numbers(log, "words")).toEqual([1, 0, 1]);
  });

  it("names files of another length and leaves them out", async () => {
    const log = await importFiles([
      file("a.txt", "x y\nz z\n"),
      file("b.txt", "one line only here\n"),
      file("ref.txt", "x\nz\n"),
    ]);
    expect(log.systems).toEqual(["a"]);
    expect(log.diagnostics[0]?.message).toBe("1 of 3 files do not have 2 lines: b.txt has 1.");
  });

  it("reads one number a line as scores", async () => {
    const log = await importFiles([file("a.txt", "0.5\n-1\nnan\n"), file("b.txt", "1\n2\n3\n")]);
    expect(log.roles.score).toBe("score");
    expect(numbers(log, "score")).toEqual([0.5, -1, Number.NaN, 1, 2, 3]);
  });

  it("refuses one of few words a line: labels or votes are no sentences", async () => {
    const votes = Array.from({ length: 40 }, (_, i) => ["ADA", "BOB", "TIE"][(i * 7) % 3]).join("\n");
    await expect(read({ "human.txt": votes })).rejects.toThrow(
      "human.txt: 40 lines of 3 words (ADA, BOB, TIE): labels or votes, one a line, not sentences.",
    );
    const sentences = Array.from({ length: 40 }, (_, i) => ["yes that is so", "no it is not so at all"][i % 2]).join(
      "\n",
    );
    expect((await read({ "a.txt": sentences })).format).toBe("text");
  });

  it("says of a text by itself that nothing is there to hold it against, and refuses two of other lengths", async () => {
    const lone = await read({ "a.txt": "one two\nthree four" });
    expect(lone.diagnostics.map(({ code }) => code)).toEqual(["LoneText"]);
    expect(lone.summary).toBe("a.txt seems to be a text of 2 lines.");
    const pair = await read({ "a.txt": "one two\nthree four", "reference.txt": "one two\nthree four" });
    expect(pair.diagnostics).toEqual([]);
    await expect(read({ "a.txt": "one two\nthree four", "b.txt": "one\ntwo\nthree" })).rejects.toThrow(
      "a.txt (2 lines), b.txt (3 lines) seem to be texts, and no two of them have one length.",
    );
  });
});
