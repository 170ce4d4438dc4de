import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { StatError } from "../../result/error.ts";
import { crc32, isZip, listZip, readZipEntry, type ZipEntry } from "./zip.ts";
import { unzstd } from "./zstd.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

interface Packed {
  readonly name: string;
  readonly method: number;
  readonly data: Uint8Array;
  readonly size: number;
  readonly crc: number;
}

/** An archive written field by field from the APPNOTE, with or without zip64 records. */
function buildZip(entries: readonly Packed[], zip64 = false): Uint8Array {
  const out: number[] = [];
  const u16 = (value: number) => out.push(value & 255, (value >>> 8) & 255);
  const u32 = (value: number) => out.push(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24);
  const u64 = (value: number) => {
    u32(value >>> 0);
    u32(Math.floor(value / 2 ** 32));
  };
  const offsets = entries.map((entry) => {
    const offset = out.length;
    u32(0x04034b50);
    for (const field of [45, 0, entry.method, 0, 0]) u16(field);
    u32(entry.crc);
    u32(entry.data.length);
    u32(entry.size);
    u16(entry.name.length);
    u16(4); // an extra field that the directory does not have
    out.push(...encode(entry.name), 0x99, 0x99, 0, 0, ...entry.data);
    return offset;
  });
  const directory = out.length;
  entries.forEach((entry, i) => {
    u32(0x02014b50);
    for (const field of [45, 45, 0, entry.method, 0, 0]) u16(field);
    u32(entry.crc);
    u32(zip64 ? 0xffffffff : entry.data.length);
    u32(zip64 ? 0xffffffff : entry.size);
    u16(entry.name.length);
    u16(zip64 ? 28 : 0);
    for (const field of [0, 0, 0]) u16(field);
    u32(0);
    u32(zip64 ? 0xffffffff : offsets[i]!);
    out.push(...encode(entry.name));
    if (zip64) {
      u16(1);
      u16(24);
      for (const value of [entry.size, entry.data.length, offsets[i]!]) u64(value);
    }
  });
  const end = out.length;
  if (zip64) {
    u32(0x06064b50);
    u64(44);
    u16(45);
    u16(45);
    u32(0);
    u32(0);
    for (const value of [entries.length, entries.length, end - directory, directory]) u64(value);
    u32(0x07064b50);
    u32(0);
    u64(end);
    u32(1);
  }
  u32(0x06054b50);
  for (const field of [0, 0, zip64 ? 0xffff : entries.length, zip64 ? 0xffff : entries.length]) u16(field);
  u32(zip64 ? 0xffffffff : end - directory);
  u32(zip64 ? 0xffffffff : directory);
  u16(0);
  return Uint8Array.from(out);
}

/** A zstd frame of raw and run-length blocks (RFC 8878, 3.1.1), with the content size in four bytes. */
function zstdFrame(blocks: readonly (Uint8Array | { byte: number; count: number })[], claimed?: number): Uint8Array {
  const size = blocks.reduce((sum, block) => sum + ("count" in block ? block.count : block.length), 0);
  const told = claimed ?? size;
  const out = [0x28, 0xb5, 0x2f, 0xfd, 0xa0, told & 255, (told >>> 8) & 255, (told >>> 16) & 255, told >>> 24];
  blocks.forEach((block, i) => {
    const last = i === blocks.length - 1 ? 1 : 0;
    const header = "count" in block ? (block.count << 3) | 2 | last : (block.length << 3) | last;
    out.push(header & 255, (header >>> 8) & 255, (header >>> 16) & 255);
    if ("count" in block) out.push(block.byte);
    else out.push(...block);
  });
  return Uint8Array.from(out);
}

function packZstd(name: string, text: string, frames: readonly Uint8Array[]): Packed {
  const data = Uint8Array.from(frames.flatMap((frame) => [...frame]));
  return { name, method: 93, data, size: encode(text).length, crc: crc32(encode(text)) };
}

const readAll = (bytes: Uint8Array): Record<string, string> =>
  Object.fromEntries(listZip(bytes, "x.zip").map((entry) => [entry.name, decode(readZipEntry(bytes, entry, "x.zip"))]));

const caught = (run: () => unknown): StatError => {
  try {
    run();
  } catch (error) {
    if (error instanceof StatError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};

const SAMPLES =
  '[{"id":"a","epoch":1,"scores":{"match":{"value":"C"}}},{"id":"a","epoch":2,"scores":{"match":{"value":"I"}}},{"id":"b","epoch":1,"scores":{"match":{"value":"C"}}},{"id":"b","epoch":2,"scores":{"match":{"value":"C"}}}]';
/** SAMPLES packed by the zstd tool 1.5 in one frame, and in two (the second without checksum). */
const ONE_FRAME =
  "KLUv/STZTQIAwoMNE5DPAQItnjoIjiBpYhQJNMauKAElnBH43nvxvqLN1Nv+QtO4275U8SF5Bv2FHlTnm/cTuyUBBgDAEajBG6ADHAO3uOwpKAYCJaI=";
const TWO_FRAMES =
  "KLUv/SRsLQIAlANbeyJpZCI6ImEiLCJlcG9jaCI6MSwic2NvcmVzIjp7Im1hdHsidmFsdWUiOiJDIn19fSwySSJ9fX0DAOAWsvK1s+YTzKPisCi1L/0gbQUCAEQDLHsiaWQiOiJiIiwiZXBvY2giOjEsInNjb3JlcyI6eyJtYXR7InZhbHVlIjoiQyJ9fX0yXQMAwBGyyroLJhk=";
/** SAMPLES, and "0123456789" 40,000 times, packed by the same tool from a pipe: such frames do not say their size. */
const STREAMED =
  "KLUv/QBYjQIA5ANbeyJpZCI6ImEiLCJlcG9jaCI6MSwic2NvcmVzIjp7Im1hdGNoIjp7InZhbHVlIjoiQyJ9fX0sMkliMUMyXQcAwBFQH7gMwAK4Aze77Kk9";
const STREAMED_BLOCKS = "KLUv/QRolAAAUDAxMjM0NTY3ODkBAPP/zQsSRAAAAAEA/f/NCxBEAAAAAQD9/zkAAj0AAAABAH3aAyCcPSHJ";
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

describe("zip", () => {
  it("reads what fflate packs, stored and deflated", () => {
    const files = { "a.json": "{}", "folder/b.txt": "äöü ".repeat(5000), empty: "" };
    const packed = zipSync({
      "a.json": [encode(files["a.json"]), { level: 0 }],
      "folder/b.txt": [encode(files["folder/b.txt"]), { level: 9 }],
      empty: encode(""),
    });
    expect(readAll(packed)).toEqual(files);
    expect(isZip(packed)).toBe(true);
  });

  it("has the checksum of the standard (CRC-32 of 123456789)", () => {
    expect(crc32(encode("123456789"))).toBe(0xcbf43926);
  });

  it("reads zstd entries of one and of several frames", () => {
    const raw = packZstd("raw", "hello zzzz!", [
      zstdFrame([encode("hello "), { byte: 122, count: 4 }]),
      zstdFrame([encode("!")]),
    ]);
    const tool = packZstd("tool", SAMPLES, [fromBase64(TWO_FRAMES)]);
    expect(readAll(buildZip([raw, tool]))).toEqual({ raw: "hello zzzz!", tool: SAMPLES });
    expect(decode(unzstd(fromBase64(ONE_FRAME), 1000))).toBe(SAMPLES);
  });

  it("reads zstd entries of frames that do not say their size, up to the size of the entry", () => {
    const digits = "0123456789".repeat(40_000);
    const one = packZstd("one", SAMPLES, [fromBase64(STREAMED)]);
    const many = packZstd("many", digits + SAMPLES, [fromBase64(STREAMED_BLOCKS), fromBase64(STREAMED)]);
    expect(readAll(buildZip([one, many]))).toEqual({ one: SAMPLES, many: digits + SAMPLES });
    for (const told of [2, digits.length - 1]) {
      const liar = { ...packZstd("liar", digits, [fromBase64(STREAMED_BLOCKS)]), size: told };
      expect(caught(() => readAll(buildZip([liar]))).message).toMatch(`more than the ${told} bytes`);
    }
    const short = { ...packZstd("short", digits, [fromBase64(STREAMED_BLOCKS)]), size: digits.length + 1 };
    expect(caught(() => readAll(buildZip([short]))).message).toMatch(/checksum/);
  });

  it("refuses frames without a size whose windows cost more than what they hold", () => {
    // 5,000 compressed blocks of one literal each, and a window of 128 MB
    const block = [0x1c, 0, 0, 0x08, 0x61, 0];
    const blocks = Array.from({ length: 5_000 }, () => block).flat();
    const frame = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3, ...blocks, 1, 0, 0]);
    expect(caught(() => unzstd(frame, 100_000_000)).code).toBe("ZstdTooLarge");
    // held against what may come of it, the window is small
    expect(decode(unzstd(frame, 200_000)).length).toBe(5_000);
  });

  it("skips skippable zstd frames", () => {
    const skippable = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9);
    expect(decode(unzstd(Uint8Array.from([...skippable, ...zstdFrame([encode("ok")])]), 10))).toBe("ok");
  });

  it("reads zip64 directories", () => {
    const stored = { name: "a", method: 0, data: encode("abc"), size: 3, crc: crc32(encode("abc")) };
    expect(readAll(buildZip([stored], true))).toEqual({ a: "abc" });
  });

  it("finds the directory before a comment", () => {
    const packed = zipSync({ a: encode("1") });
    const commented = Uint8Array.from([...packed, ...encode("a comment")]);
    commented[packed.length - 2] = 9;
    expect(readAll(commented)).toEqual({ a: "1" });
  });

  it("refuses entries that claim more than they can hold", () => {
    const bomb: Packed = { name: "bomb", method: 8, data: encode("xx"), size: 400_000_000, crc: 0 };
    expect(caught(() => readAll(buildZip([bomb]))).code).toBe("ZipTooLarge");
    const huge: Packed = { name: "huge", method: 0, data: encode("x"), size: 4_000_000_000, crc: 0 };
    expect(caught(() => readAll(buildZip([huge]))).code).toBe("ZipTooLarge");
    const liar = packZstd("liar", "ab", [zstdFrame([{ byte: 97, count: 100_000 }])]);
    expect(caught(() => readAll(buildZip([liar]))).message).toMatch(/more than the 2 bytes/);
    const header = packZstd("header", "ab", [zstdFrame([encode("ab")], 3_000_000_000)]);
    expect(caught(() => readAll(buildZip([header]))).code).toBe("BrokenZip");
  });

  it("names the file and the entry of a checksum that does not match", () => {
    const stored = { name: "a.json", method: 0, data: encode("abc"), size: 3, crc: 1 };
    expect(caught(() => readAll(buildZip([stored]))).message).toMatch(/x\.zip.*a\.json.*checksum/);
  });

  it("refuses encryption and unknown methods by name", () => {
    const lzma = { name: "a", method: 14, data: encode("abc"), size: 3, crc: 0 };
    expect(caught(() => readAll(buildZip([lzma]))).message).toMatch(/method 14/);
    const entry = { ...(listZip(buildZip([{ ...lzma, method: 0 }]), "x")[0] as ZipEntry), encrypted: true };
    expect(caught(() => readZipEntry(buildZip([lzma]), entry, "x.zip")).code).toBe("EncryptedZip");
  });

  it("gives a StatError for every truncation and never another exception for a changed byte", () => {
    const packed = buildZip([
      { name: "s", method: 0, data: encode("stored"), size: 6, crc: crc32(encode("stored")) },
      packZstd("z", SAMPLES, [fromBase64(TWO_FRAMES)]),
      packZstd("streamed", SAMPLES, [fromBase64(STREAMED)]),
    ]);
    for (let length = 0; length < packed.length; length += 1) {
      expect(caught(() => readAll(packed.subarray(0, length)))).toBeInstanceOf(StatError);
    }
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const spoilt = packed.slice();
        spoilt[at] = spoilt[at]! ^ change;
        try {
          readAll(spoilt);
        } catch (error) {
          expect(error).toBeInstanceOf(StatError);
        }
      }),
      { numRuns: 400, seed: 1 },
    );
  });
});
