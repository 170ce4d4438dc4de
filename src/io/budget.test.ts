import { gzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { InputFile } from "../data/imported.ts";
import { StatError } from "../result/error.ts";
import { ImportBudget, limitsFor } from "./budget.ts";
import { importFiles } from "./import.ts";
import { isZip, listZip } from "./packed/zip.ts";
import { boundZstd, unzstd } from "./packed/zstd.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const MEGABYTE = 2 ** 20;

async function refusal(files: readonly InputFile[], options: Parameters<typeof importFiles>[1] = {}) {
  const error = await importFiles(files, options).then(
    () => new Error("it was read"),
    (reason: unknown) => reason,
  );
  if (error instanceof StatError) return error;
  throw error;
}

const csv = (rows: number): Uint8Array =>
  encode(`system,item,score\n${Array.from({ length: rows }, (_, i) => `s${i % 2},${i >> 1},${i % 3}\n`).join("")}`);

/** A frame of run-length blocks that does not say its size (RFC 8878, 3.1.1). */
function runs(blocks: number, size: number): Uint8Array {
  const out = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x40];
  for (let i = 0; i < blocks; i += 1) {
    const header = (size << 3) | 2 | (i === blocks - 1 ? 1 : 0);
    out.push(header & 255, (header >> 8) & 255, (header >> 16) & 255, 97);
  }
  return Uint8Array.from(out);
}

describe("bytes unpacked", () => {
  it("refuses gzip data beyond the limit, by its own length before anything is unpacked", async () => {
    const bytes = gzipSync(new Uint8Array(3 * MEGABYTE));
    const error = await refusal([{ name: "a.csv.gz", bytes }], { maxMemory: 4 * MEGABYTE });
    expect([error.code, error.message]).toEqual([
      "OverBudget",
      "a.csv.gz: unpacked it has more than 1 MB (the limit on unpacked data).",
    ]);
    expect(error.fix).toMatch(/raise `maxMemory`/);
    expect((await importFiles([{ name: "a.csv.gz", bytes: gzipSync(csv(20)) }])).table.rows).toBe(20);
  });

  it("does not believe a trailer that claims less", async () => {
    const bytes = gzipSync(new Uint8Array(3 * MEGABYTE));
    bytes.fill(0, bytes.length - 4);
    expect((await refusal([{ name: "a.gz", bytes }], { maxMemory: 4 * MEGABYTE })).code).toBe("OverBudget");
  });

  it("adds up over members, entries and layers", async () => {
    const one = gzipSync(new Uint8Array(MEGABYTE / 2));
    const members = Uint8Array.from([...one, ...one, ...one]);
    expect((await refusal([{ name: "m.gz", bytes: members }], { maxMemory: 4 * MEGABYTE })).code).toBe("OverBudget");
    const zip = zipSync({ "a.csv.gz": one, "b.csv.gz": one, "c.csv.gz": one }, { level: 0 });
    const error = await refusal([{ name: "x.zip", bytes: zip }], { maxMemory: 4 * MEGABYTE });
    expect(error.message).toMatch(/more than 1 MB together with what was unpacked before/);
  });

  it("bounds zstd frames that do not say their size", async () => {
    expect(boundZstd(runs(8, 1000))).toBe(8000);
    expect(unzstd(runs(8, 1000), 8000).length).toBe(8000);
    expect(() => unzstd(runs(8, 1000), 7999)).toThrow(/more than the 7999 bytes/);
    const error = await refusal([{ name: "a.zst", bytes: runs(8192, 131_072) }]);
    expect(error.message).toBe("a.zst: unpacked it has more than 256 MB (the limit on unpacked data).");
    // a block of more than 128 kB is against the format
    expect((await refusal([{ name: "a.zst", bytes: runs(2, 2 ** 20) }])).code).toBe("BrokenZstd");
  });

  it("counts layers of packing", async () => {
    const twice = gzipSync(gzipSync(csv(4)));
    expect((await importFiles([{ name: "a.gz", bytes: twice }])).table.rows).toBe(4);
    expect((await refusal([{ name: "a.gz", bytes: gzipSync(twice) }])).code).toBe("NestedPacking");
    const zip = zipSync({ "a.csv.gz": twice });
    expect((await refusal([{ name: "a.zip", bytes: zip }])).code).toBe("NestedPacking");
    const limits = { nesting: 3 };
    expect((await importFiles([{ name: "a.gz", bytes: gzipSync(twice) }], { limits })).table.rows).toBe(4);
  });
});

describe("archives", () => {
  it("refuses entries that share bytes", () => {
    const zip = zipSync({ "a.csv": csv(10), "b.csv": csv(10) });
    expect(isZip(zip) && listZip(zip, "x.zip").length).toBe(2);
    const view = new DataView(zip.buffer);
    // the second entry of the directory now points at the first one's bytes
    const end = zip.length - 22;
    const directory = view.getUint32(end + 16, true);
    const second = directory + 46 + 5;
    expect(view.getUint32(second, true)).toBe(0x02014b50);
    view.setUint32(second + 42, 0, true);
    expect(() => listZip(zip, "x.zip")).toThrow(/entries a\.csv and b\.csv lie on the same bytes/);
  });

  it("limits files and entries together", async () => {
    const zip = zipSync(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}.csv`, csv(2)])));
    const limits = { files: 12 };
    expect((await refusal([{ name: "x.zip", bytes: zip }], { limits })).message).toBe(
      "x.zip: 13 files, where 12 are allowed (the limit on files).",
    );
    expect((await importFiles([{ name: "x.zip", bytes: zip }])).table.rows).toBe(24);
  });
});

describe("tables", () => {
  it("refuses more columns than the limit, from the header alone", async () => {
    const names = Array.from({ length: 5000 }, (_, i) => `c${i}`).join(",");
    const bytes = encode(`${names}\n${"1,".repeat(4999)}1\n`);
    expect((await refusal([{ name: "w.csv", bytes }])).message).toBe(
      "w.csv: the table has 5000 columns or more, where 4096 are allowed (the limit on columns).",
    );
    const options = { limits: { columns: 5000 }, guessRoles: false };
    expect((await importFiles([{ name: "w.csv", bytes }], options)).table.columns.size).toBe(5000);
  });

  it("refuses records that each bring a name of their own", async () => {
    const bytes = encode(Array.from({ length: 300 }, (_, i) => `{"c${i}":1}\n`).join(""));
    const limits = { cells: 40_000 };
    const error = await refusal([{ name: "s.jsonl", bytes }], { limits });
    expect(error.message).toMatch(/^s\.jsonl: the table has 201 rows of 201 columns or more/);
    // skipping faulty lines is no way around it
    expect((await refusal([{ name: "s.jsonl", bytes }], { limits, badRows: "skip" })).code).toBe("OverBudget");
    const json = encode(JSON.stringify(Array.from({ length: 300 }, (_, i) => ({ [`c${i}`]: 1 }))));
    expect((await refusal([{ name: "s.json", bytes: json }], { limits })).code).toBe("OverBudget");
  });

  it("holds a plain file to the limit on cells as well, which took 2 GB and 20 s for 300 MB", async () => {
    const limits = { cells: 100 };
    for (const [name, bytes] of [
      ["a.csv", csv(50)],
      ["a.csv.gz", gzipSync(csv(900))],
    ] as const)
      expect((await refusal([{ name, bytes }], { limits })).message).toBe(
        `${name}: the table has 34 rows of 3 columns or more, where 100 cells are allowed (the limit on cells).`,
      );
    expect((await importFiles([{ name: "a.csv", bytes: csv(33) }], { limits })).table.rows).toBe(33);
  });

  it("holds a plain table to the limit on bytes before it is read", async () => {
    const long = encode(`a,b\n${`${"x".repeat(1000)},1\n`.repeat(1200)}`);
    expect((await refusal([{ name: "a.csv", bytes: long }], { maxMemory: 4 * MEGABYTE })).message).toBe(
      "a.csv: it has 1.1 MB of delimited text, where 1 MB are allowed (the limit on delimited text).",
    );
  });

  it("believes no total that a file claims: cases that are not listed are not made by the billion", async () => {
    const lines = ['{"total_count":1000000000,"correct_count":999999998}', '{"id":"a","valid":false}'];
    const bytes = encode(`${[...lines, '{"id":"b","valid":false}'].join("\n")}\n`);
    expect((await refusal([{ name: "f.jsonl", bytes }])).message).toMatch(
      /^f\.jsonl: the table has 1000000000 rows of 2 columns or more/,
    );
  });
});

describe("texts", () => {
  const ids = (rows: number, prefix: string) =>
    Array.from({ length: rows }, (_, i) => `${prefix}${i},${i}`)
      .concat("")
      .join("\n");

  it("refuses a packed column of more different texts than the limit, however it becomes text", async () => {
    const limits = { texts: 1000 };
    const refused = async (text: string, name: string) =>
      (await refusal([{ name, bytes: gzipSync(encode(text)) }], { limits })).message;
    const line = "the columns hold more than 1000 different texts (the limit on different texts).";
    expect(await refused(`id,y\n${ids(1001, "k")}`, "a.csv.gz")).toBe(`a.csv.gz: ${line}`);
    // a thousand numbers and then a word
    expect(await refused(`id,y\n${ids(1001, "")}x,1\n`, "b.csv.gz")).toBe(`b.csv.gz: ${line}`);
    const records = Array.from({ length: 1001 }, (_, i) => ({ id: `k${i}`, y: i }));
    expect(await refused(JSON.stringify(records), "c.json.gz")).toBe(`c.json.gz: ${line}`);
    const columns = { id: records.map(({ id }) => id), y: records.map(({ y }) => y) };
    expect(await refused(JSON.stringify(columns), "d.json.gz")).toBe(`d.json.gz: ${line}`);
    const fitting = gzipSync(encode(`id,y\n${ids(1000, "k")}`));
    expect((await importFiles([{ name: "a.csv.gz", bytes: fitting }], { limits })).table.rows).toBe(1000);
  });

  it("counts the columns together, of a plain file too", async () => {
    const two = Array.from({ length: 600 }, (_, i) => `a${i},b${i}`).join("\n");
    const limits = { texts: 1000 };
    expect((await refusal([{ name: "a.csv.gz", bytes: gzipSync(encode(`x,z\n${two}\n`)) }], { limits })).code).toBe(
      "OverBudget",
    );
    expect((await refusal([{ name: "a.csv", bytes: encode(`x,z\n${two}\n`) }], { limits })).code).toBe("OverBudget");
  });
});

describe("YAML", () => {
  const bomb = ["a", "b", "c", "d", "e", "f"].map((name, k, all) => {
    const part = k === 0 ? '"x"' : `*${all[k - 1]}`;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => part).join(",")}]`;
  });

  it("whose aliases unfold without end is said to be that, not a table of as many commas", async () => {
    const error = await refusal([{ name: "bomb.yaml", bytes: encode(bomb.join("\n")) }]);
    expect(error.message).toBe(
      "bomb.yaml: YAML whose aliases (*name) stand for far more than the file holds; such a file is refused.",
    );
  });

  it("of lists in brackets is a table of columns", async () => {
    const bytes = encode("system: [a, b, a, b]\nscore: [1, 0, 1, 1]\nitem: [p, p, q, q]\n");
    const { format, table } = await importFiles([{ name: "x.yaml", bytes }]);
    expect([format, table.rows, [...table.columns.keys()]]).toEqual(["yaml", 4, ["system", "score", "item"]]);
  });
});

describe("documents", () => {
  const SMALL = { maxMemory: 4 * MEGABYTE };
  const refused = async (name: string, bytes: Uint8Array, options: Parameters<typeof importFiles>[1] = SMALL) =>
    (await refusal([{ name, bytes }], options)).message;

  it("counts the values of JSON before they are made: brackets, empty objects, names", async () => {
    expect(await refused("a.json", encode("[".repeat(20_000)))).toBe(
      "a.json: 20001 values, where 16384 are allowed (the limit on values).",
    );
    expect(await refused("b.json", encode(`[${"{},".repeat(20_000)}{}]`))).toMatch(/^b\.json: 40003 values/);
    const names = Array.from({ length: 20_000 }, (_, i) => `"k${i}":${i}`);
    expect(await refused("c.json", encode(`{${names.join(",")}}`))).toMatch(/^c\.json: 20001 values/);
  });

  it("does not count commas and brackets within strings", async () => {
    const noise = `[{"a":"${',[{\\"'.repeat(20_000)}","b":1},{"a":"x","b":2}]`;
    expect((await importFiles([{ name: "a.json", bytes: encode(noise) }], SMALL)).table.rows).toBe(2);
  });

  it("refuses an object of very many names before it is made: a million of them took 18 s", async () => {
    const object = (names: number, from = "") =>
      `{${from}${Array.from({ length: names }, (_, i) => `"k${i}":${i}`).join(",")}}`;
    const options = { limits: { texts: 4000 } };
    const message = "names, where 1000 are allowed (the limit on names).";
    expect(await refused("a.json", encode(object(1001)), options)).toBe(`a.json: an object of 1001 ${message}`);
    expect(await refused("b.json", encode(`[1,{"x":${object(1002)}}]`), options)).toBe(
      `b.json: an object of 1002 ${message}`,
    );
    expect((await importFiles([{ name: "a.json", bytes: encode(object(1000)) }], options)).table.rows).toBe(1000);
    // a list is no object, however long
    const list = encode(`[${Array.from({ length: 1500 }, (_, i) => `{"a":${i}}`).join(",")}]`);
    expect((await importFiles([{ name: "l.json", bytes: list }], options)).table.rows).toBe(1500);
  });

  it("looks at documents of very many parts once, not each part for each other", async () => {
    const many = (count: number, part: (i: number) => string): string =>
      Array.from({ length: count }, (_, i) => part(i)).join(",");
    const names = many(6000, (i) => `"n${i}":1`);
    const kinds = `{"x":{${names}},"y":{${names}},${many(40_000, (i) => `"k${i}":{"a":1}`)}}`;
    const lists = `{"passed_ids":[${many(40_000, (i) => `"x${i}"`)}],"failed_ids":["x1"],${many(4000, (i) => `"k${i}":[]`)}}`;
    const scores = `[{${many(2000, (i) => `"a${i}":[{"name":"x","score":1}]`)}}]`;
    expect(await refused("a.json", encode(lists), {})).toMatch(/^the table has 40000 rows of 4003 columns or more/);
    expect(await refused("a.json", encode(kinds), {})).toMatch(/^a\.json: the table has 4097 columns or more/);
    expect((await importFiles([{ name: "a.json", bytes: encode(scores) }], { unroll: false })).table.columns.size).toBe(
      2000,
    );
  });

  it("adds up the records that a log keeps, line by line", async () => {
    const line = `${JSON.stringify({ doc_id: 1, acc: 1, resps: [[["a"]]], target: "x", arguments: [["q"]] })}\n`;
    expect(await refused("samples_t.jsonl", encode(line.repeat(3000)))).toBe(
      "samples_t.jsonl: more than 16384 values with what was read before (the limit on values).",
    );
    const nested = `{"a":1}\n{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}\n`;
    expect(await refused("b.jsonl", encode(nested))).toMatch(/^b\.jsonl, line 2: 20002 values/);
  });

  it("counts lines of plain text, and refuses one line that is a file by itself", async () => {
    expect(await refused("a.txt", encode("hello there\n".repeat(3000)))).toBe(
      "a.txt: 3001 lines, where 2048 are allowed (the limit on lines).",
    );
    expect(
      await refused("b.txt", encode(`A line of text\n${"x".repeat(17 * MEGABYTE)}\n`), { maxMemory: 2 ** 30 }),
    ).toBe("b.txt: a cell of 17 MB.");
  });

  it("refuses a name that no screen can hold, in CSV and JSON", async () => {
    const name = "x".repeat(100_000);
    const message = /the name of a column has 100000 characters, such as "x{40}…"/;
    expect(await refused("a.csv", encode(`a,${name}\n1,2\n3,4\n`))).toMatch(message);
    expect(await refused("a.json", encode(`[{"a":1,"${name}":2}]`))).toMatch(message);
  });

  it("holds YAML to its limit where it was not packed too", async () => {
    const bytes = encode("- {a: 1, b: 2}\n".repeat(2000));
    expect(await refused("a.yaml", bytes)).toMatch(/^a\.yaml: it has 0 MB of YAML, where 0 MB are allowed/);
  });

  it("refuses faulty YAML with its place, of which the sound part was read as if it were all", async () => {
    expect(await refused("a.yaml", encode("a: [1, 2]\nb: [3, 4]\na: [5, 6]\n"))).toBe(
      "a.yaml: Map keys must be unique at line 3, column 1.",
    );
    expect(await refused("b.yaml", encode("a: [1, 2]\n---\na: [3, 4]\n"))).toMatch(
      /^b\.yaml: a second document \(---\) begins at line 2/,
    );
  });

  it("reads a list of objects in braces as YAML, which was taken for CSV", async () => {
    const text = "- {item: q1, system: A, score: 1}\n- &b {item: q1, system: B, score: 0}\n- *b\n";
    const { table, format } = await importFiles([{ name: "a.yaml", bytes: encode(text) }]);
    expect([format, table.rows, ...table.columns.keys()]).toEqual(["yaml", 3, "item", "system", "score"]);
  });
});

describe("ImportBudget", () => {
  it("derives limits from memory and takes single ones", () => {
    expect(limitsFor(2 ** 30)).toEqual({
      unpackedBytes: 2 ** 28,
      cells: 5_592_405,
      texts: 2 ** 20,
      values: 2 ** 22,
      columns: 4096,
      files: 100_000,
      nesting: 2,
    });
    expect(new ImportBudget({ maxMemory: 2 ** 31, limits: { columns: 7 } }).limits).toMatchObject({
      unpackedBytes: 2 ** 29,
      columns: 7,
    });
    expect(() => new ImportBudget({ maxMemory: Number.NaN })).toThrow(StatError);
    expect(() => new ImportBudget({ maxMemory: 10 })).toThrow(/10 bytes/);
  });
});

describe("files that are read each for itself", () => {
  it("share one limit on cells: a table named a hundred times took a hundred times its memory", () => {
    const budget = new ImportBudget({ maxMemory: 2 ** 20 });
    budget.takeCells(5000, "a.csv");
    expect(() => budget.takeCells(5000, "b.csv")).toThrow(
      "b.csv: with the tables before it there are 10000 cells, where 5461 are allowed (the limit on cells).",
    );
  });

  it("are counted before the first is read", () => {
    const budget = new ImportBudget();
    expect(() => budget.checkParts(5000)).not.toThrow();
    expect(() => budget.checkParts(5001)).toThrow("5001 files named one by one, where 5000 are allowed");
  });
});
