import fc from "fast-check";
import { gzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { Imported, InputFile } from "../data/imported.ts";
import type { NumericColumn } from "../data/table.ts";
import { describeImported } from "../describe/describe.ts";
import { StatError } from "../result/error.ts";
import { importFiles } from "./import.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (name: string, text: string): InputFile => ({ name, bytes: encode(text) });
const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];

describe("a format that the caller names", () => {
  const csv = file("d.csv", "a,b\n1,2\n3,4\n");
  it.each([
    ["parquet", /d\.csv: the content is text separated by ",", not Parquet/],
    ["json", /not JSON\./],
    ["jsonl", /not JSON lines/],
    ["tsv", /not TSV/],
  ] as const)("is refused by content that is not %s", async (format, message) => {
    await expect(importFiles([csv], { format })).rejects.toThrow(message);
  });

  it("chooses the parser and what is read of a mixed folder", async () => {
    const line = file("one.json", '{"a": 1, "b": 2}\n');
    expect((await importFiles([line], { format: "jsonl" })).table.rows).toBe(1);
    await expect(importFiles([line], { format: "csv" })).rejects.toThrow(/is JSON, not CSV/);
    const mixed = [csv, file("x.jsonl", '{"a": 5}\n{"a": 6}\n')];
    await expect(importFiles(mixed)).rejects.toThrow(/2 formats: csv \(d\.csv\); jsonl \(x\.jsonl\)/);
    expect(numbers(await importFiles(mixed, { format: "jsonl" }), "a")).toEqual([5, 6]);
  });
});

describe("how delimited text is read", () => {
  it("takes delimiter, missing texts, decimals and encoding from the caller", async () => {
    const colons = file("d.txt", "item:score\n1:0.5\n2:-9\n3:\n");
    const read = await importFiles([colons], { delimiter: ":", missing: ["-9"] });
    expect(numbers(read, "score")).toEqual([0.5, Number.NaN, Number.NaN]);
    const commas = await importFiles([file("d.csv", 'item,score\n1,"1,234"\n2,"2,345"\n')], { decimal: "," });
    expect(numbers(commas, "score")).toEqual([1.234, 2.345]);
    const latin = { name: "d.csv", bytes: Uint8Array.from("caf\u00e9,score\n1,2\n", (c) => c.charCodeAt(0)) };
    await expect(importFiles([latin])).rejects.toThrow(/not UTF-8/);
    expect([...(await importFiles([latin], { encoding: "windows-1252" })).table.columns.keys()]).toEqual([
      "caf\u00e9",
      "score",
    ]);
  });

  it("refuses such options where they would have no effect", async () => {
    await expect(importFiles([file("d.json", '[{"a": 1}]')], { decimal: "," })).rejects.toThrow(/d\.json is JSON/);
  });

  it("says what is said of several files once", async () => {
    const text = (first: string) => `item,score,zip\n1,0.5,${first}\n2,1,00${first}\n`;
    const { diagnostics } = await importFiles([file("a.csv", text("07")), file("b.csv", text("08"))]);
    const kept = diagnostics.filter((diagnostic) => diagnostic.code === "KeptAsText");
    expect(kept.map(({ message }) => message)).toEqual([expect.stringMatching(/"07".*likewise in 1 other file\.$/)]);
  });
});

describe("files without content", () => {
  it.each(["", " \n", "[]", "{}"])("are called empty: %j", async (text) => {
    await expect(importFiles([file("e.json", text)])).rejects.toThrow(/^e\.json is empty\.$/);
  });

  it("are named when they could not be read", async () => {
    const dead = { name: "r/dead.csv", bytes: new Uint8Array(0), unread: "a broken link" };
    const log = await importFiles([dead, file("r/a.csv", "item,score\n1,0.5\n2,1\n")]);
    expect(log.files).toEqual(["r/a.csv"]);
    expect(log.diagnostics.map(({ message }) => message)).toEqual([
      "1 file could not be read (r/dead.csv: a broken link).",
    ]);
  });

  it("do not include a table of one column", async () => {
    expect((await importFiles([file("d.csv", "answer\nyes, it is\nno\n".replace(",", ""))])).table.rows).toBe(2);
    expect((await importFiles([file("d.txt", "Two words.\nA sentence.\n")])).format).toBe("text");
  });
});

describe("files and folders", () => {
  it("puts tables of the same shape under one another, one system per file", async () => {
    const both = await importFiles([
      file("run/a.csv", "item,score\n1,0.5\n2,0.25\n"),
      file("run/b.csv", "item,score\n1,1\n2,0\n"),
    ]);
    expect(both.systems).toEqual(["a", "b"]);
    expect(both.roles).toMatchObject({ system: "file", item: "item", score: "score" });
    expect(numbers(both, "score")).toEqual([0.5, 0.25, 1, 0]);
  });

  it("refuses tables of different shapes by name", async () => {
    await expect(importFiles([file("a.csv", "x,y\n1,2\n"), file("b.csv", "u,v\n1,2\n")])).rejects.toThrow(
      /a\.csv has x, y; b\.csv has u, v/,
    );
  });

  it("reads packed files and archives as what they hold", async () => {
    const text = "system,item,score\nA,1,0.5\nB,1,0.25\n";
    const plain = await importFiles([file("x.csv", text)]);
    const packed = gzipSync(encode(text));
    expect((await importFiles([{ name: "x.csv.gz", bytes: packed }])).table).toEqual(plain.table);
    expect((await importFiles([{ name: "x.gz.gz", bytes: gzipSync(packed) }])).table).toEqual(plain.table);
    expect((await importFiles([{ name: "x.zip", bytes: zipSync({ "in/x.csv": encode(text) }) }])).table).toEqual(
      plain.table,
    );
    await expect(importFiles([{ name: "x", bytes: gzipSync(gzipSync(packed)) }])).rejects.toThrow(
      /packed more than 2 times/,
    );
  });

  it("reads a stray quotation mark in tab-separated text as a character", async () => {
    const table = await importFiles([file("x.tsv", 'system\tscore\tsaid\nA\t0.5\t"hello\nB\t0.25\tbye\n')]);
    expect(table.table.rows).toBe(2);
  });

  it("names the files it did not read", async () => {
    const log = await importFiles([
      file("r/README.md", "About.\nThis run.\n"),
      file("r/a.csv", "item,score\n1,0.5\n2,1\n"),
    ]);
    expect(log.diagnostics.find((diagnostic) => diagnostic.code === "FilesSkipped")?.message).toMatch(/r\/README\.md/);
  });

  it("takes the caller's word for the format", async () => {
    const forced = await importFiles([file("x", "a,b\n1,2\n")], { format: "text" });
    expect([forced.format, forced.items]).toEqual(["text", 2]);
    await expect(importFiles([file("x", "a,b\n1,2\n")], { format: "inspect" })).rejects.toThrow(StatError);
  });

  it("says when nothing usable is there", async () => {
    await expect(importFiles([])).rejects.toThrow(/no file/);
    await expect(
      importFiles([file("x.json", '{"status":"success","eval":{"task":"t"},"samples":[]}')]),
    ).rejects.toThrow(/no usable row/);
  });
});

const FIXTURES: readonly InputFile[] = [
  file(
    "inspect.json",
    JSON.stringify({
      status: "success",
      eval: { task: "t", model: "m" },
      samples: [
        { id: 1, epoch: 1, scores: { a: { value: "C" } } },
        { id: 2, epoch: 1, scores: { a: { value: { x: 1 } } } },
      ],
    }),
  ),
  {
    name: "inspect.eval",
    bytes: zipSync({
      "header.json": encode('{"eval":{"task":"t","model":"m"}}'),
      "summaries.json": encode('[{"id":1,"epoch":1,"scores":{"a":{"value":1}}}]'),
    }),
  },
  file(
    "samples_t.jsonl",
    '{"doc_id":0,"doc":{"a":"b"},"resps":[],"filter":"none","metrics":["acc"],"acc":1}\n{"doc_id":1,"doc":{},"resps":[],"filter":"none","metrics":["acc"],"acc":0}\n',
  ),
  file(
    "promptfoo.json",
    '{"evalId":"e","results":{"version":3,"results":[{"promptIdx":0,"provider":{"id":"p"},"prompt":{"raw":"r"},"vars":{"a":1},"success":true,"score":1}]}}',
  ),
  file(
    "per_instance_stats.json",
    '[{"instance_id":"1","train_trial_index":0,"stats":[{"name":{"name":"exact_match","split":"test"},"count":1,"sum":1,"mean":1}]}]',
  ),
  file(
    "eee_samples.jsonl",
    '{"schema_version":"0.3.0","model_id":"m","evaluation_name":"e","sample_id":"1","evaluation":{"score":1}}\n{"schema_version":"0.3.0","sample_id":"2","evaluation":{"score":0}}\n',
  ),
  file(
    "evals.jsonl",
    '{"spec":{"eval_name":"e","completion_fns":["m"]}}\n{"run_id":"r","event_id":0,"sample_id":"s","type":"match","data":{"correct":true}}\n{"final_report":{"accuracy":1}}\n',
  ),
  file(
    "mqm.tsv",
    "system\tdoc\tseg_id\trater\tsource\tcategory\tseverity\nA\td\t1\tr\ts t\tOther\tMinor\nB\td\t1\tr\ts t\tNo-error\tNo-error\n",
  ),
  file("da.csv", "UserID,SystemID,SegmentID,Type,SrcLang,TgtLang,Score\nu,A,1,TGT,en,de,50\nu,B,1,TGT,en,de,60\n"),
  file(
    "label-studio.json",
    '[{"id":1,"data":{"text":"t"},"annotations":[{"completed_by":1,"result":[{"from_name":"q","type":"rating","value":{"rating":3}}]}]}]',
  ),
  file(
    "prodigy.jsonl",
    '{"_input_hash":1,"_task_hash":2,"answer":"accept"}\n{"_input_hash":2,"_task_hash":3,"answer":"reject"}\n',
  ),
  file(
    "arena.json",
    '[{"question_id":"q","model_a":"x","model_b":"y","winner":"tie","conv_metadata":{"bold_count_a":{"**":1}}}]',
  ),
  file("bleu.json", '{"name":"BLEU","score":25.5,"signature":"nrefs:1"}'),
  file("table.csv", 'system,item,score\nA,1,0.5\nB,1,"0.25"\n'),
  { name: "text.txt.gz", bytes: gzipSync(encode("Ein Satz.\nNoch ein Satz.\n")) },
];

/** Reads and describes; a StatError is an answer, anything else is a fault. */
async function outcome(one: InputFile): Promise<string> {
  try {
    const imported = await importFiles([one]);
    const description = describeImported(imported, { target: one.name });
    JSON.stringify(description);
    return description.toString() === "" ? "empty" : "read";
  } catch (error) {
    if (error instanceof StatError && error.message !== "" && error.fix !== "") return "StatError";
    throw error;
  }
}

describe("damaged files", () => {
  it.each(FIXTURES.map((one) => [one.name, one] as const))(
    "%s is read whole, and cut off anywhere gives a StatError or a count",
    async (_, one) => {
      expect(await outcome(one)).toBe("read");
      const step = Math.max(1, Math.floor(one.bytes.length / 60));
      for (let length = 0; length < one.bytes.length; length += step) {
        expect(["read", "StatError"]).toContain(await outcome({ name: one.name, bytes: one.bytes.slice(0, length) }));
      }
    },
  );

  it("never give another exception for changed bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FIXTURES),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (one, changes) => {
          const bytes = one.bytes.slice();
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          expect(["read", "StatError"]).toContain(await outcome({ name: one.name, bytes }));
        },
      ),
      { numRuns: 600, seed: 7 },
    );
  });

  it("never give another exception for JSON of the right names and wrong types", async () => {
    const wrong = fc.constantFrom<unknown>(
      null,
      0,
      "x",
      true,
      [],
      {},
      [null],
      [[1]],
      { value: {} },
      Number.MAX_VALUE,
      "__proto__",
    );
    const texts = FIXTURES.filter((one) => /json/.test(one.name) && one.name !== "inspect.eval").map((one) =>
      new TextDecoder().decode(one.bytes),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), fc.nat(40), wrong, async (text, skip, value) => {
        let seen = 0;
        const swap = (_: string, part: unknown): unknown => (seen++ === skip ? value : part);
        const changed = text
          .split("\n")
          .map((line) => (line === "" ? "" : JSON.stringify(JSON.parse(line), swap)))
          .join("\n");
        expect(["read", "StatError"]).toContain(await outcome(file("x", changed)));
      }),
      { numRuns: 600, seed: 11 },
    );
  });
});
