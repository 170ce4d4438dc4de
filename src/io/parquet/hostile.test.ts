/** Parquet files whose counts lie, written field by field in Thrift's compact protocol. */
import { brotliCompressSync, constants } from "node:zlib";
import { deflateSync, gzipSync } from "fflate";
import { compressors } from "hyparquet-compressors";
import { describe, expect, it } from "vitest";
import { StatError } from "../../result/error.ts";
import { readParquet } from "./parquet.ts";
import { boundedCompressors, pageCost } from "./unpack.ts";

type Field = readonly [id: number, type: number, bytes: readonly number[]];
const [INT32, INT64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];

function varint(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)];
}
const zigzag = (value: number): number[] => varint(BigInt(value) * 2n);
const text = (word: string): number[] => [word.length, ...new TextEncoder().encode(word)];
const list = (type: number, items: readonly (readonly number[])[]): number[] => [
  0xf0 | type,
  ...varint(BigInt(items.length)),
  ...items.flat(),
];

function struct(...fields: readonly Field[]): number[] {
  let last = 0;
  const out = fields.flatMap(([id, type, bytes]) => {
    const head = ((id - last) << 4) | type;
    last = id;
    return [head, ...bytes];
  });
  return [...out, 0];
}

const int = (id: number, value: number): Field => [id, INT32, zigzag(value)];
const long = (id: number, value: number): Field => [id, INT64, zigzag(value)];

/** A page of codes into a dictionary. */
function dataPage(content: readonly number[], values: number, { codec, size }: Packing): number[] {
  const own = struct(int(1, values), int(2, 8), int(3, 3), int(4, 3));
  const packed = codec === 0 ? content : [...brotliCompressSync(Uint8Array.from(content))];
  return [...struct(int(1, 0), int(2, size ?? content.length), int(3, packed.length), [5, STRUCT, own]), ...packed];
}

interface Packing {
  /** 4 is Brotli. */
  readonly codec: 0 | 4;
  /** What the header of the data page says of its content, where that is a lie. */
  readonly size?: number;
}

/** One column x of doubles, 1.5 throughout, in `groups` row groups that lie on the same bytes. */
function parquet(
  content: readonly number[],
  values: number,
  rows = values,
  groups = 1,
  packing: Packing = { codec: 0 },
): Uint8Array {
  const plain = new Uint8Array(new Float64Array([1.5]).buffer);
  const double = [...(packing.codec === 0 ? plain : brotliCompressSync(plain))];
  const sizes = [int(2, 8), int(3, double.length)];
  const dictionary = [...struct(int(1, 2), ...sizes, [7, STRUCT, struct(int(1, 1), int(2, 0))]), ...double];
  const body = [...new TextEncoder().encode("PAR1"), ...dictionary, ...dataPage(content, values, packing)];
  const size = body.length - 4;
  const meta = struct(
    int(1, 5),
    [2, LIST, list(INT32, [0, 3, 8].map(zigzag))],
    [3, LIST, list(BINARY, [text("x")])],
    int(4, packing.codec),
    ...[long(5, rows), long(6, size), long(7, size), long(9, 4 + dictionary.length), long(11, 4)],
  );
  const chunk = struct(long(2, 0), [3, STRUCT, meta]);
  const group = struct([1, LIST, list(STRUCT, [chunk])], long(2, 1000), long(3, rows));
  const root = struct([4, BINARY, text("root")], int(5, 1));
  const column = struct(int(1, 5), int(3, 0), [4, BINARY, text("x")]);
  const footer = struct(int(1, 1), [2, LIST, list(STRUCT, [root, column])], long(3, rows * groups), [
    4,
    LIST,
    list(STRUCT, Array(groups).fill(group) as number[][]),
  ]);
  const length = [...new Uint8Array(new Uint32Array([footer.length]).buffer)];
  return Uint8Array.from([...body, ...footer, ...length, ...new TextEncoder().encode("PAR1")]);
}

/** Bits of a code, then runs as (header, value). */
const runs = (...lengths: readonly number[]): number[] => [
  1,
  ...lengths.flatMap((n) => [...varint(BigInt(n) * 2n), 0]),
];

async function refusal(bytes: Uint8Array): Promise<StatError> {
  const error = await readParquet(bytes, { name: "x.parquet" }).then(
    () => new Error("it was read"),
    (reason: unknown) => reason,
  );
  if (error instanceof StatError) return error;
  throw error;
}

describe("counts that lie", () => {
  it("reads the file as it should be", async () => {
    const { table } = await readParquet(parquet(runs(3), 3));
    expect(table.columns.get("x")).toEqual({ kind: "numeric", values: Float64Array.of(1.5, 1.5, 1.5) });
    expect((await readParquet(parquet(runs(1, 0, 2), 3))).table.rows).toBe(3);
  });

  it("refuses a run longer than what can be left", async () => {
    expect((await refusal(parquet(runs(2 ** 30), 4))).message).toMatch(
      /a run of 1073741824 values where 4 can be left\.$/,
    );
    expect((await refusal(parquet(runs(2, 2 ** 30), 4))).message).toMatch(/1073741824 values where 2 can be left/);
    // a bit-packed run of 2^27 groups
    expect((await refusal(parquet([1, ...varint(2n ** 28n + 1n), 0], 4))).message).toMatch(/1073741824 values/);
    expect((await refusal(parquet([1, 255, 255, 255, 255, 255, 255, 1, 0], 4))).message).toMatch(/count in a page/);
  });

  it("refuses absurd numbers of rows before anything is decoded", async () => {
    for (const rows of [1e8, 1e9, 4e18]) {
      const error = await refusal(parquet([0], 3, rows));
      expect([error.code, error.message]).toEqual([
        "OverBudget",
        `x.parquet: the table has ${rows} rows of 1 columns or more, where 5592405 cells are allowed (the limit on cells).`,
      ]);
    }
  });

  it("refuses row groups that share a chunk", async () => {
    expect((await refusal(parquet(runs(3), 3, 3, 2))).message).toMatch(/column x has a chunk on the bytes of another/);
  });

  it("refuses an index that its dictionary does not hold, which was read as missing", async () => {
    // width 4: a run of three times entry 15, then eight bit-packed entries with a 1 among them
    expect((await refusal(parquet([4, 6, 15], 3))).message).toMatch(/entry 15 of a dictionary of 1 is referenced\.$/);
    expect((await refusal(parquet([1, 3, 0b100], 8))).message).toMatch(/entry 1 of a dictionary of 1/);
    expect((await readParquet(parquet([1, 3, 0b1000], 3))).table.rows).toBe(3);
  });

  it("speaks of the file where the decoder meets nothing", async () => {
    const bytes = new TextEncoder().encode("PAR1\0\0\0\0\0\0\0\0PAR1");
    expect((await refusal(bytes)).message).toBe(
      "x.parquet: the Parquet file cannot be read: its counts and places do not fit its bytes.",
    );
  });
});

describe("pages that do not unpack to the size that they say", () => {
  const unpackers = boundedCompressors(compressors) as Required<ReturnType<typeof boundedCompressors>>;
  const { GZIP, ZSTD, LZ4, LZ4_RAW, BROTLI, SNAPPY } = unpackers;
  const refused = "a page does not unpack to the size that it says";

  it("stops gzip at the size", () => {
    expect(GZIP(gzipSync(new Uint8Array(24).fill(7)), 24)).toEqual(new Uint8Array(24).fill(7));
    expect(() => GZIP(gzipSync(new Uint8Array(2 ** 22)), 24)).toThrow(refused);
    expect(() => GZIP(gzipSync(new Uint8Array(24)).subarray(0, 20), 24)).toThrow("damaged or cut off");
    expect(() => GZIP(deflateSync(new Uint8Array(24)), 24)).toThrow("damaged or cut off");
  });

  it("knows what zstd's blocks hold at least before they are unpacked", () => {
    const frame = (blocks: number) => [
      ...[0x28, 0xb5, 0x2f, 0xfd, 0, 0x40],
      // run-length blocks of 128 kB: size << 3, kind 1, last
      ...Array.from({ length: blocks }, (_, i) => [i === blocks - 1 ? 3 : 2, 0, 0x10, 97]).flat(),
    ];
    expect(ZSTD(Uint8Array.from(frame(2)), 2 ** 18).length).toBe(2 ** 18);
    expect(() => ZSTD(Uint8Array.from(frame(9)), 24)).toThrow("more than the 24 bytes");
  });

  // a literal "a", then a match of 4 + 15 + 255 + 1 bytes, then a last literal
  const block = [0x1f, 97, 1, 0, 255, 1, 0x10, 98];

  it("adds up the sequences of LZ4", () => {
    expect(LZ4_RAW(Uint8Array.from(block), 277).length).toBe(277);
    for (const size of [276, 278, 24]) expect(() => LZ4_RAW(Uint8Array.from(block), size)).toThrow(refused);
  });

  it("adds up the frames of Hadoop's LZ4, and takes a block without one", () => {
    const frame = [0, 0, 1, 21, 0, 0, 0, block.length, ...block];
    for (const [bytes, size] of [
      [block, 277],
      [frame, 277],
      [[...frame, ...frame], 554],
    ] as const) {
      const page = LZ4(Uint8Array.from(bytes), size);
      expect([page.length, page[0], page.at(-1)]).toEqual([size, 97, 98]);
      for (const wrong of [size - 1, size + 1, 24]) expect(() => LZ4(Uint8Array.from(bytes), wrong)).toThrow(refused);
    }
  });

  it("stops Brotli at the size, and refuses less", () => {
    const brotli = (bytes: Uint8Array) =>
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    const words = new TextEncoder().encode("the time of the other system, ".repeat(4000));
    expect(BROTLI(brotli(words), words.length)).toEqual(words);
    expect(BROTLI(brotli(new Uint8Array(0)), 0)).toEqual(new Uint8Array(0));
    const bomb = brotli(new Uint8Array(2 ** 27));
    expect(bomb.length).toBeLessThan(300);
    for (const size of [0, 24, 2 ** 20]) expect(() => BROTLI(bomb, size)).toThrow(refused);
    expect(() => BROTLI(brotli(words), words.length + 1)).toThrow(refused);
    expect(BROTLI(brotli(words), words.length)).toEqual(words);
  });

  it("refuses a file whose Brotli page brings more than its header says", async () => {
    const content = [...runs(3), ...new Array<number>(2 ** 16).fill(0)];
    const file = (size: number) => parquet(content, 3, 3, 1, { codec: 4, size });
    expect((await readParquet(file(content.length))).table.rows).toBe(3);
    expect((await refusal(file(24))).message).toBe(`x.parquet: the Parquet file cannot be read: ${refused}.`);
    expect((await refusal(file(2 ** 29))).message).toMatch(/unpacked it has more than 256 MB/);
  });

  it("does not build code after code for a byte each", () => {
    expect(() => BROTLI(Uint8Array.from(manyCodes(40)), 40)).toThrow("more codes than values");
  });

  it("stops Snappy at the size", () => {
    // a length of 277, a literal "a", copies of 64, 64, 64, 64 and 20 bytes from one before
    const packed = Uint8Array.of(0x95, 2, 0, 97, ...[0, 1, 2, 3].flatMap(() => [0xfe, 1, 0]), 0x4e, 1, 0);
    expect(SNAPPY(packed, 277)).toEqual(new Uint8Array(277).fill(97));
    for (const size of [24, 278]) expect(() => SNAPPY(packed, size)).toThrow();
  });

  it("charges every page to the budget before it is unpacked", () => {
    const cost = (codec: Parameters<typeof pageCost>[0]) => pageCost(codec, 2 ** 20);
    expect([cost("UNCOMPRESSED"), cost("GZIP"), cost("BROTLI")]).toEqual([0, 2 ** 20, 2 ** 20 + 2 ** 14]);
  });
});

/** Meta-blocks of one byte with 256 codes of literals of one symbol each (RFC 7932, 9.2), and the empty one that ends the stream. */
function manyCodes(blocks: number): number[] {
  const bits: number[] = [];
  const put = (value: number, width: number) => {
    for (let i = 0; i < width; i++) bits.push((value >> i) & 1);
  };
  put(0, 1); // a window of 64 kB
  for (let block = 0; block < blocks; block++) {
    put(0, 1); // not the last
    put(0, 2); // four nibbles of length
    put(0, 16);
    put(0, 1); // compressed
    put(0, 3); // one type of block of each kind
    put(0, 6); // distances: no postfix, no direct codes
    put(0, 2); // context mode
    put(1 | (7 << 1) | (127 << 4), 11); // 256 codes of literals
    put(0, 1); // no runs in the context map
    put(1, 2); // whose code is simple,
    put(0, 2); // of one symbol
    put(0, 8);
    put(0, 1); // not moved to the front
    put(0, 1); // one code of distances
    for (let code = 0; code < 256; code++) put(1, 12); // simple, one symbol, of eight bits
    put(1, 4); // the code of commands
    put(8, 10); // one literal, then a copy
    put(1, 4); // the code of distances
    put(0, 6);
  }
  put(3, 2);
  return Array.from({ length: Math.ceil(bits.length / 8) }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((sum, bit, k) => sum + bit * 2 ** k, 0),
  );
}
