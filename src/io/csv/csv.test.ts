import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import type { Column, Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { type CsvOptions, createCsvReader, readCsv } from "./csv.ts";

function cells(column: Column): (number | string | null)[] {
  if (column.kind === "numeric") return Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
  return Array.from(column.codes, (code) => (code < 0 ? null : column.levels[code]!));
}

function show(table: Table): Record<string, unknown> {
  return Object.fromEntries([...table.columns].map(([name, column]) => [name, cells(column)]));
}

function fault(input: string | Uint8Array, options?: CsvOptions): StatError {
  try {
    readCsv(input, options);
  } catch (error) {
    if (error instanceof StatError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

/** Everything as text and nothing missing: what a general CSV parser sees. */
function readTexts(text: string, delimiter: string, chunk: number): string[][] {
  const header = text === "" ? 0 : Papa.parse<string[]>(text, { delimiter, newline: "\n" }).data[0]!.length;
  const names = Array.from({ length: header }, (_, k) => `column${k + 1}`);
  const reader = createCsvReader({ delimiter, header: false, missing: [], factors: names });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
  const { table } = reader.finish();
  const columns = [...table.columns.values()].map(cells);
  return Array.from({ length: table.rows }, (_, row) => columns.map((column) => column[row] as string));
}

describe("readCsv against papaparse", () => {
  const piece = fc.constantFrom(
    '"',
    ",",
    "\n",
    "\r\n",
    ";",
    " ",
    "a",
    "é",
    "𝒳",
    "1",
    "0",
    ".",
    "\t",
    "NA",
    "__proto__",
  );
  const field = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
  const grid = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
    );

  it("reads the same fields from random valid files, however they are cut into chunks", () => {
    const options = fc.record({
      delimiter: fc.constantFrom(",", "\t", ";", "|"),
      newline: fc.constantFrom("\n", "\r\n"),
      quotes: fc.boolean(),
    });
    fc.assert(
      fc.property(grid, options, fc.integer({ min: 1, max: 40 }), (rows, { delimiter, newline, quotes }, chunk) => {
        // A line without anything is not a row; a lone empty field must be quoted to be one.
        const text = Papa.unparse(rows, { delimiter, newline, quotes: quotes || rows[0]!.length === 1 });
        const expected = Papa.parse<string[]>(text, { delimiter, newline }).data;
        expect(readTexts(text, delimiter, chunk)).toEqual(expected);
        expect(expected).toEqual(rows);
      }),
      { numRuns: 1000 },
    );
  });

  it("finds the delimiter that papaparse was given", () => {
    const rows = [
      ["item", "system", "score"],
      ["1", "a; b | c, d", "0,5"],
      ["2", "x\ty", "1,5"],
    ];
    for (const delimiter of [",", "\t", ";", "|"]) {
      const reading = readCsv(Papa.unparse(rows, { delimiter }));
      expect(reading.delimiter).toBe(delimiter);
      expect([...reading.table.columns.keys()]).toEqual(["item", "system", "score"]);
    }
  });
});

describe("types", () => {
  it("reads numbers in every spelling, and missing values", () => {
    const { table, diagnostics } = readCsv("x,y\n1e5,a\n-.5,NA\n+3,\n, b \nNaN,N/A\n 7 ,null\nInf,a\n");
    expect(show(table)).toEqual({
      x: [1e5, -0.5, 3, null, null, 7, Infinity],
      y: ["a", null, null, " b ", null, null, "a"],
    });
    expect(diagnostics).toEqual([]);
  });

  it("keeps the spelling of numbers when a later cell makes the column text", () => {
    const spellings = [
      "1.50",
      "2",
      "-0",
      "1e5",
      "0.1234567890123456",
      "0.10000000000000000",
      "+3",
      ".5",
      " 4",
      "12345.678901",
    ];
    const texts = [...spellings, "word", "1.50"];
    const { table } = readCsv(`x,y\n${texts.map((text) => `${text},1`).join("\n")}`);
    expect(cells(table.columns.get("x")!)).toEqual(texts);
  });

  it("keeps the spelling of any number when the last cell is text", () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.tuple(fc.integer(), fc.integer({ min: 0, max: 20 })).map(([n, k]) => (n / 1000).toFixed(k)),
      fc
        .tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: 0, max: 20 }))
        .map(([x, k]) => x.toExponential(k)),
    );
    fc.assert(
      fc.property(fc.array(number), (texts) => {
        const { table } = readCsv(`x,y\n${[...texts, "word"].map((text) => `${text},1\n`).join("")}`);
        expect(cells(table.columns.get("x")!)).toEqual([...texts, "word"]);
      }),
    );
  });

  it("leaves ids with leading zeros alone and says so", () => {
    const { table, diagnostics } = readCsv("id,x\n7,1\n007,2\n");
    expect(show(table)).toEqual({ id: ["7", "007"], x: [1, 2] });
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["KeptAsText", "note"]]);
    expect(diagnostics[0]!.message).toContain('1 of 2 cells have leading zeros, first at line 3: "007"');
  });

  it("leaves integers beyond 2^53 alone and says so", () => {
    const { table, diagnostics } = readCsv("id\n1\n9007199254740993\n");
    expect(show(table)).toEqual({ id: ["1", "9007199254740993"] });
    expect(diagnostics[0]!.message).toContain(
      '1 of 2 cells are integers beyond 2^53, first at line 3: "9007199254740993"',
    );
  });

  it("tells which cells spoil a numeric column, and where the first is", () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `${i},${[15, 400, 999].includes(i) ? "n/a%" : i / 8}`);
    const { table, diagnostics } = readCsv(`item,score\n${rows.join("\n")}`);
    expect(table.columns.get("score")!.kind).toBe("factor");
    expect(diagnostics[0]).toMatchObject({ code: "NotNumeric", severity: "warning" });
    expect(diagnostics[0]!.message).toContain(
      'column score: 3 of 1000 cells are not numbers, first at line 17: "n/a%"',
    );
  });

  it("does not call a text column spoilt", () => {
    expect(readCsv("x\na\nb\n1\nc\n").diagnostics).toEqual([]);
  });

  it("takes a quoted NA for a label in a factor and for missing among numbers", () => {
    const { table } = readCsv('a,b\n"NA","NA"\nNA,"2"\nx,3\n"",""\n');
    expect(show(table)).toEqual({ a: ["NA", null, "x", ""], b: [null, 2, 3, null] });
    expect(show(readCsv('a\n"NA"\n""\n').table)).toEqual({ a: ["NA", ""] });
  });

  it("follows the caller's missing values, also numbers", () => {
    const { table } = readCsv("a,b\n-999,.\n5,x\nNA,\n", { missing: ["-999", "."] });
    expect(show(table)).toEqual({ a: [null, "5", "NA"], b: [null, "x", ""] });
    expect(show(readCsv("a\n-999\n5\n-1\n", { missing: ["-999"] }).table)).toEqual({ a: [null, 5, -1] });
  });

  it("keeps numbers as factors where asked, sorted as numbers", () => {
    const { table } = readCsv("item,x\n10,1\n9,2\n", { factors: ["item"] });
    expect(table.columns.get("item")).toMatchObject({
      kind: "factor",
      levels: ["9", "10"],
      codes: Int32Array.of(1, 0),
    });
  });

  it("warns of levels that differ in blanks only", () => {
    const { diagnostics } = readCsv("x,y\nyes,1\n yes,2\nno,3\n");
    expect(diagnostics[0]).toMatchObject({ code: "PaddedLevels", severity: "warning" });
  });
});

describe("decimal commas and thousands separators", () => {
  it("reads decimal commas between semicolons where the whole column agrees", () => {
    const { table, diagnostics } = readCsv("a;b;c\n1,5;x;1.234,5\n2;y;0,25\n-,5;z;12\n");
    expect(show(table)).toEqual({ a: [1.5, 2, -0.5], b: ["x", "y", "z"], c: [1234.5, 0.25, 12] });
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["DecimalComma", "note"],
      ["DecimalComma", "note"],
    ]);
  });

  it("takes a decimal comma for a comma also where a dash or a spreadsheet's error stands in a few cells", () => {
    for (const mark of ["#NV", "#N/A", "#DIV/0!", "#WERT!", "k.A.", "n/a", "-", "—", ""]) {
      for (const [sign, options] of [
        [";", {}],
        ["\t", {}],
        [";", { decimal: "," }],
      ] as const) {
        const { table } = readCsv(`a;b\n60,4;x\n${mark};y\n71,25;z\n`.replaceAll(";", sign), options);
        expect(show(table).a, mark).toEqual([60.4, null, 71.25]);
      }
    }
    const { diagnostics } = readCsv("a;b\n60,4;x\n#NV;y\n71,2;z\n");
    expect(diagnostics[0]!.message).toContain(
      '"60,4" was read as 60.4, and so on in the whole column. 1 cell holds no number ("#NV").',
    );
  });

  it("asks about 4,5 where the digits on both sides of the comma are those of one small scale", () => {
    const pairs = ["1,2", "2,3", "3,1", "2,2", "1,3", "3,3", "1,1", "2,1", "3,2", "1,2"];
    const { table, diagnostics } = readCsv(`a;b\n${pairs.map((pair) => `${pair};x`).join("\n")}\n`);
    expect(table.columns.get("a")!.kind).toBe("factor");
    expect(diagnostics[0]!.code).toBe("AmbiguousDecimal");
    expect(readCsv(`a;b\n${pairs.join(";x\n")};x\n2,7;x\n`).table.columns.get("a")!.kind).toBe("numeric");
    expect(readCsv(`a;b\n${pairs.join(";0,25\n")};0,5\n`).table.columns.get("a")!.kind).toBe("numeric");
  });

  it("leaves a column text when one cell does not fit, and names that cell", () => {
    const rows = Array.from({ length: 20 }, (_, i) => `${i},5`);
    const { table, diagnostics } = readCsv(`a;b\n${[...rows, "1.5"].map((text) => `${text};1`).join("\n")}`);
    expect(cells(table.columns.get("a")!).slice(-2)).toEqual(["19,5", "1.5"]);
    expect(diagnostics[0]).toMatchObject({ code: "MixedDecimals", severity: "warning" });
    expect(diagnostics[0]!.message).toContain(
      '20 of 21 cells may hold decimal commas, but "1.5" (row 21) does not fit',
    );
  });

  it("reads thousands separators", () => {
    const { table, diagnostics } = readCsv('n,x\n"1,234.5",1\n12,2\n"1,234,567",3\n');
    expect(show(table)).toEqual({ n: [1234.5, 12, 1234567], x: [1, 2, 3] });
    expect(diagnostics[0]!.code).toBe("ThousandsSeparator");
  });

  it("does not guess whether 1,234 between semicolons is one or a thousand", () => {
    const { table, diagnostics } = readCsv("n;x\n1,234;a\n2,345;b\n");
    expect(show(table)).toEqual({ n: ["1,234", "2,345"], x: ["a", "b"] });
    expect(diagnostics[0]).toMatchObject({ code: "AmbiguousDecimal", severity: "warning" });
  });

  it("decides such a column by the others, or by the caller", () => {
    expect(show(readCsv("n;x\n1,234;0,5\n").table)).toEqual({ n: [1.234], x: [0.5] });
    expect(show(readCsv("n;x\n1,234;a\n", { decimal: "," }).table)).toEqual({ n: [1.234], x: ["a"] });
    expect(show(readCsv("n;x\n1,234;a\n", { decimal: "." }).table)).toEqual({ n: [1234], x: ["a"] });
    expect(show(readCsv("n;m\n1.234;7\n", { decimal: "," }).table)).toEqual({ n: [1234], m: [7] });
  });

  it("does not take a list of labels for a number", () => {
    const { table, diagnostics } = readCsv('labels,x\n"1,2",1\n1,2\n2,3\n');
    expect(show(table)).toEqual({ labels: ["1,2", "1", "2"], x: [1, 2, 3] });
    expect(diagnostics[0]!.code).toBe("AmbiguousDecimal");
  });
});

describe("headers", () => {
  it("renames repeated and empty names, and says so", () => {
    const { table, diagnostics } = readCsv("a,,a,a_2\n1,2,3,4\n");
    expect([...table.columns.keys()]).toEqual(["a", "column2", "a_3", "a_2"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["UnnamedColumn", "DuplicateColumn"]);
  });

  it("reads a file without a header when told so, and warns when the header holds numbers only", () => {
    expect(show(readCsv("1,2\n3,4\n", { header: false }).table)).toEqual({ column1: [1, 3], column2: [2, 4] });
    expect(readCsv("1,2\n3,4\n").diagnostics[0]!.code).toBe("HeaderIsNumeric");
  });

  it("takes inherited names as plain ones, as names and as levels", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const { table } = readCsv(`${names.join(",")}\n${names.join(",")}\n1,2,3,4\n`);
    expect([...table.columns.keys()]).toEqual(names);
    names.forEach((name, k) => {
      expect(cells(table.columns.get(name)!)).toEqual([name, String(k + 1)]);
    });
  });

  it("reads chosen columns only, and offers the nearest name for an unknown one", () => {
    expect([...readCsv("a,b,c\n1,2,3\n", { columns: ["c", "a"] }).table.columns.keys()]).toEqual(["a", "c"]);
    const error = fault("item,system\n1,2\n", { columns: ["sytem"], name: "r.csv" });
    expect(error.code).toBe("UnknownColumn");
    expect(error.fix).toBe('did you mean "system"?');
  });
});

describe("faults", () => {
  it("names file, line and finding for too few and too many fields", () => {
    const few = fault('a,b\n"x\ny",1\n3\n', { name: "r.csv" });
    expect(few.code).toBe("BadRow");
    expect(few.message).toBe('r.csv, line 4: 1 field where 2 are expected (1 too few): "3".');
    expect(few.fix).toContain("badRows: skip");
    expect(fault("a,b\r\n1,2\r\n1,2,3,4\r\n").message).toBe(
      'line 3: 4 fields where 2 are expected (2 too many): "1,2,3,4".',
    );
  });

  it("skips and counts such rows when told so", () => {
    const { table, diagnostics } = readCsv('a,b\n1,2\n3\n"x"y,5\n5,6,7\n8,9\n', { badRows: "skip" });
    expect(show(table)).toEqual({ a: [1, 8], b: [2, 9] });
    expect(diagnostics[0]).toMatchObject({ code: "RowsSkipped", severity: "warning" });
    expect(diagnostics[0]!.message).toContain("3 faulty rows were left out (lines 3, 4, 5)");
  });

  it("names the line on which an unterminated quote starts", () => {
    expect(fault('a,b\n1,2\n3,"x\ny\n4,5\n', { name: "r.csv" }).message).toBe(
      "r.csv, line 3: a quote is opened and never closed.",
    );
  });

  it("refuses text after a closing quote, but allows blanks", () => {
    expect(fault('a,b\n"x"y,1\n').message).toContain("line 2: text after the closing quote of field 1");
    expect(show(readCsv('a,b\n"x" ,"y"\n').table)).toEqual({ a: ["x"], b: ["y"] });
  });

  it("takes quotes as characters when told so", () => {
    expect(show(readCsv('a\tb\n"x\t5" tall\n', { quote: false }).table)).toEqual({ a: ['"x'], b: ['5" tall'] });
  });

  it("refuses binary content and bytes that are not UTF-8, with the line", () => {
    expect(fault("a,b\n1,\0\n", { name: "x.bin" }).message).toContain("x.bin, line 2: a zero byte");
    const latin1 = Uint8Array.from("a,b\n1,x\n2,M\xfcnchen\n", (c) => c.charCodeAt(0));
    expect(fault(latin1, { name: "r.csv" })).toMatchObject({ code: "InvalidEncoding" });
    expect(fault(latin1, { name: "r.csv" }).message).toContain("r.csv, line 3");
    expect(show(readCsv(latin1, { encoding: "windows-1252" }).table)).toEqual({ a: [1, 2], b: ["x", "München"] });
  });

  it("refuses an empty file, a wrong delimiter and an unknown encoding", () => {
    expect(fault("").code).toBe("EmptyFile");
    expect(fault("\n\n").code).toBe("EmptyFile");
    expect(fault("a", { delimiter: ";;" }).code).toBe("BadDelimiter");
    expect(fault(new Uint8Array(1), { encoding: "klingon" }).code).toBe("UnknownEncoding");
  });
});

describe("bytes", () => {
  const text = 'name,note\nÄ,"x\ny"\n𝒳,NA\n';
  const expected = { name: ["Ä", "𝒳"], note: ["x\ny", null] };

  function utf16(littleEndian: boolean): Uint8Array {
    const bytes = new Uint8Array(2 * text.length + 2);
    const view = new DataView(bytes.buffer);
    [...`\uFEFF${text}`]
      .join("")
      .split("")
      .forEach((c, i) => {
        view.setUint16(2 * i, c.charCodeAt(0), littleEndian);
      });
    return bytes;
  }

  it("reads UTF-8 with a byte order mark and UTF-16 of both kinds, in chunks of any size", () => {
    const inputs = [new TextEncoder().encode(`\uFEFF${text}`), utf16(true), utf16(false)];
    for (const bytes of inputs) {
      for (const size of [1, 2, 3, 7, 1000]) {
        const reader = createCsvReader();
        for (let at = 0; at < bytes.length; at += size) reader.push(bytes.slice(at, at + size));
        expect(show(reader.finish().table)).toEqual(expected);
      }
    }
  });

  it("reads LF, CRLF, CR and a mixture alike, with or without a last line end", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      expect(show(readCsv(`a,b${end}1,x${end}${end}2,y${end}`).table)).toEqual({ a: [1, 2], b: ["x", "y"] });
      expect(show(readCsv(`a,b${end}1,x${end}2,`).table)).toEqual({ a: [1, 2], b: ["x", null] });
    }
    expect(fault("a,b\r1,2\r\n3\n").message).toContain("line 3");
  });

  it("counts lines inside quotes once for CRLF, so that later errors name the right line", () => {
    expect(fault('a,b\r\n"1\r\n2\r3\n4",x\r\n5\r\n').message).toContain("line 6");
  });

  it("reads one field far larger than a chunk in reasonable steps", () => {
    const long = "x".repeat(300_000);
    const bytes = new TextEncoder().encode(`a,b\n"${long}",1\n`);
    const reader = createCsvReader();
    for (let at = 0; at < bytes.length; at += 100) reader.push(bytes.subarray(at, at + 100));
    expect(show(reader.finish().table)).toEqual({ a: [long], b: [1] });
  });

  it("does not keep the chunks it is given", () => {
    const reader = createCsvReader();
    const buffer = new Uint8Array(4);
    const bytes = new TextEncoder().encode("item,note\n1,abc\n2,def\n");
    for (let at = 0; at < bytes.length; at += 4) {
      const part = bytes.subarray(at, at + 4);
      buffer.set(part);
      reader.push(buffer.subarray(0, part.length));
      buffer.fill(88);
    }
    expect(show(reader.finish().table)).toEqual({ item: [1, 2], note: ["abc", "def"] });
  });

  it("gives the same table from a large file whole and in chunks across the sample", () => {
    const rows = Array.from({ length: 6000 }, (_, i) => `item ${i % 97},"a ""${i % 13}""\n",${(i / 7).toFixed(3)}`);
    const bytes = new TextEncoder().encode(`item,text,score\n${rows.join("\n")}\n`);
    const whole = readCsv(bytes);
    const reader = createCsvReader();
    for (let at = 0; at < bytes.length; at += 4099) reader.push(bytes.slice(at, at + 4099));
    expect(whole.table.rows).toBe(6000);
    expect(reader.finish()).toEqual(whole);
    expect(cells(whole.table.columns.get("score")!)[5999]).toBe(Number((5999 / 7).toFixed(3)));
  });
});

describe("hostile input", () => {
  function attempt(bytes: Uint8Array, options: CsvOptions): void {
    try {
      const { table } = readCsv(bytes, options);
      for (const column of table.columns.values()) expect(cells(column).length).toBe(table.rows);
    } catch (error) {
      expect(error).toBeInstanceOf(StatError);
    }
  }
  const options = fc.record({
    badRows: fc.constantFrom("error" as const, "skip" as const),
    header: fc.boolean(),
    quote: fc.boolean(),
  });

  it("gives a table or a StatError for random bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), options, attempt), { numRuns: 500 });
  });

  it("gives a table or a StatError for random mixtures of quotes, delimiters and line ends, cut anywhere", () => {
    const piece = fc.constantFrom(
      '"',
      '""',
      ",",
      ";",
      "\n",
      "\r",
      "\r\n",
      " ",
      "a",
      "1",
      "1,5",
      "\uFEFF",
      "é",
      "\0",
      "__proto__",
    );
    const text = fc.array(piece, { maxLength: 60 }).map((parts) => new TextEncoder().encode(parts.join("")));
    const cut = fc.tuple(text, fc.nat()).map(([bytes, n]) => bytes.subarray(0, n % (bytes.length + 1)));
    fc.assert(fc.property(cut, options, attempt), { numRuns: 2000 });
  });

  it("gives the same answer in one piece and byte by byte", () => {
    const piece = fc.constantFrom('"', '""', ",", "\n", "\r", "\r\n", " ", "a", "1", "é");
    const answer = (read: () => ReturnType<typeof readCsv>) => {
      try {
        return read();
      } catch (error) {
        return String(error);
      }
    };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), options, (parts, chosen) => {
        const bytes = new TextEncoder().encode(parts.join(""));
        const single = answer(() => {
          const reader = createCsvReader(chosen);
          for (let at = 0; at < bytes.length; at += 1) reader.push(bytes.slice(at, at + 1));
          return reader.finish();
        });
        expect(single).toEqual(answer(() => readCsv(bytes, chosen)));
      }),
      { numRuns: 1000 },
    );
  });
});
