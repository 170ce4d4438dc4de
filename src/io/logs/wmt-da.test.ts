import { describe, expect, it } from "vitest";
import type { Imported } from "../../data/imported.ts";
import type { NumericColumn } from "../../data/table.ts";
import { importFiles } from "../import.ts";

const HEADER = "UserID,SystemID,SegmentID,Type,SrcLang,TgtLang,Score,DocID,Unk,start,end";
const ROWS = [
  "u1,online-A,1,TGT,eng,deu,80,doc1,False,1.0,2.0",
  "u2,online-A,1,TGT,eng,deu,60,doc1,False,1.0,2.0",
  "u1,online-B,1,TGT,eng,deu,70,doc1,False,1.0,2.0",
  "u1,online-B,2,BAD,eng,deu,10,doc1,False,1.0,2.0",
  "u1,online-B,2,TGT,eng,deu,,doc1,False,1.0,2.0",
];
const read = (lines: readonly string[]): Promise<Imported> =>
  importFiles([{ name: "da.csv", bytes: new TextEncoder().encode(lines.join("\n")) }]);

describe("WMT direct assessment", () => {
  it("reads scores by system, segment and rater, and leaves quality control out", async () => {
    const log = await read([HEADER, ...ROWS]);
    expect(log.format).toBe("wmt-da");
    expect(log.systems).toEqual(["online-A", "online-B"]);
    expect([...(log.table.columns.get("score") as NumericColumn).values]).toEqual([80, 60, 70, Number.NaN]);
    expect(log.roles).toMatchObject({ rater: "rater", cluster: "doc", score: "score" });
    expect(log.diagnostics.map((diagnostic) => diagnostic.code)).toEqual([
      "QualityControl",
      "UnscoredRatings",
      "UnmatchedItems",
    ]);
  });

  it("reads Appraise's export without a header just the same", async () => {
    expect((await read(ROWS)).table).toEqual((await read([HEADER, ...ROWS])).table);
  });

  it("a copy with the same times is no second rating; a document marked as seen again is the same document", async () => {
    const rows = [
      ...ROWS.slice(0, 3),
      ROWS[0]!,
      "u1,online-A,1,TGT,eng,deu,75,doc1#dup,False,5.0,6.0",
      "u3,online-B,1,TGT,eng,deu,90,doc1#incomplete,False,7.0,8.0",
    ];
    const log = await read(rows);
    expect([...(log.table.columns.get("score") as NumericColumn).values]).toEqual([80, 60, 70, 75, 90]);
    expect(log.items).toBe(1);
    expect(log.diagnostics.find(({ code }) => code === "Copies")!.message).toContain("1 ");
    const spans = rows.map((row) => row.replace(",False,", ",False,[],"));
    expect((await read(spans)).table).toEqual(log.table);
  });

  it("single segments without a document: the times of an export are no documents, and the segment is the item", async () => {
    const plain = ROWS.map((row, i) => row.replace(/doc1,False,.*$/, `166551349${i}.7,166551356${i}.4`));
    const log = await read(plain);
    expect([log.items, log.roles.cluster]).toEqual([2, undefined]);
    expect(log.systems).toEqual(["online-A", "online-B"]);
  });
});
