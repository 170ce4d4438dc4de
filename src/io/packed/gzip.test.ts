import { gzipSync as nodeGzip } from "node:zlib";
import fc from "fast-check";
import { gzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { StatError } from "../../result/error.ts";
import { ImportBudget } from "../budget.ts";
import { createCsvReader, readCsv } from "../csv/csv.ts";
import { gunzip, gunzipNatively, gunzipTo, isGzip } from "./gzip.ts";

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

describe("gunzip", () => {
  it("gives back what fflate and zlib packed, in one or several members, with and without a name", () => {
    const part = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.boolean(), (parts, zlib) => {
        const packed = join(
          parts.map((bytes) => (zlib ? new Uint8Array(nodeGzip(bytes)) : gzipSync(bytes, { filename: "x.csv" }))),
        );
        expect(isGzip(packed)).toBe(true);
        expect(gunzip(packed)).toEqual(join(parts));
      }),
      { numRuns: 200 },
    );
  });

  it("crosses its own steps, and members that end at any place in them", () => {
    const noise = (length: number, seed: number) => {
      const bytes = new Uint8Array(length);
      for (let i = 0, x = seed; i < length; i += 1) bytes[i] = (x = (Math.imul(x, 1664525) + 1013904223) >>> 0) >>> 24;
      return bytes;
    };
    for (const first of [65_400, 65_500, 65_510, 65_520, 65_530, 65_536, 200_000]) {
      const parts = [noise(first, 1), noise(70_000, 2), new Uint8Array(0), noise(10, 3)];
      const content = Buffer.concat(parts);
      const packed = new Uint8Array(Buffer.concat(parts.map((part) => nodeGzip(part))));
      expect(Buffer.compare(gunzip(packed), content)).toBe(0);
    }
  });

  it("refuses every truncation and every flipped bit that changes the content", () => {
    const text = "item,score\n1,0.5\n2,0.25\n".repeat(5);
    const packed = gzipSync(new TextEncoder().encode(text), { mtime: 0 });
    // The last byte before the trailer may be filled up with bits that mean nothing.
    const last = packed.length - 9;
    for (let length = 1; length < packed.length; length += 1) {
      expect(() => gunzip(packed.subarray(0, length), "r.csv.gz")).toThrow(StatError);
    }
    // The header's time, flags and system do not matter; everything behind it does.
    for (let at = 10; at < packed.length; at += 1) {
      for (const bit of [1, 16, 128]) {
        const damaged = packed.slice();
        damaged[at]! ^= bit;
        let answer = "";
        try {
          answer = new TextDecoder().decode(gunzip(damaged, "r.csv.gz"));
        } catch (error) {
          answer = (error as Error).message;
        }
        expect(["r.csv.gz: the gzip data is damaged or cut off.", ...(at === last ? [text] : [])]).toContain(answer);
      }
    }
  });

  it("gives bytes or a StatError for random input behind the magic number", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          gunzip(Uint8Array.of(0x1f, 0x8b, 8, ...bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(StatError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("feeds a CSV reader chunk by chunk, and lets its errors through", () => {
    const text = `item,score\n${Array.from({ length: 50_000 }, (_, i) => `${i},${i / 4}`).join("\n")}\n`;
    const packed = new Uint8Array(nodeGzip(text));
    const reader = createCsvReader();
    let chunks = 0;
    gunzipTo(packed, "r.csv.gz", (chunk) => {
      chunks += 1;
      reader.push(chunk);
    });
    expect(chunks).toBeGreaterThan(1);
    expect(reader.finish()).toEqual(readCsv(text));
    const strict = createCsvReader({ name: "r.csv.gz" });
    const bad = new Uint8Array(nodeGzip(`a,b\n${"1,2\n".repeat(50_000)}3\n${"1,2\n".repeat(50_000)}`));
    expect(() => gunzipTo(bad, "r.csv.gz", (chunk) => strict.push(chunk))).toThrow("r.csv.gz, line 50002");
  });
});

describe("gunzipNatively", () => {
  // hardly compressible, so that the packed data are long enough for it
  const content = new Uint8Array(100_000);
  for (let i = 0, x = 1; i < content.length; i += 1)
    content[i] = (x = (Math.imul(x, 1664525) + 1013904223) >>> 0) >>> 24;
  const packed = new Uint8Array(nodeGzip(content));
  const unpack = (bytes: Uint8Array, limits = {}): Promise<Uint8Array | undefined> =>
    gunzipNatively(bytes, "r.csv.gz", new ImportBudget({ limits }));

  it("gives the bytes of gunzip, and charges them", async () => {
    const budget = new ImportBudget();
    const before = budget.bytesLeft;
    expect(Buffer.compare((await gunzipNatively(packed, "r.csv.gz", budget))!, content)).toBe(0);
    expect(before - budget.bytesLeft).toBe(content.length);
  });

  it("leaves what is damaged, cut off, longer than it claims, over the budget or followed by something to gunzip", async () => {
    const flipped = packed.slice();
    flipped[5000]! ^= 16;
    const short = packed.slice();
    short.set([1, 0, 0, 0], short.length - 4);
    const members = new Uint8Array(Buffer.concat([packed, nodeGzip(new Uint8Array(10))]));
    const rest = new Uint8Array(Buffer.concat([packed, new Uint8Array(10)]));
    for (const bytes of [flipped, packed.subarray(0, 60_000), short, members, rest]) {
      expect(await unpack(bytes)).toBeUndefined();
    }
    expect(await unpack(packed, { unpackedBytes: 50_000 })).toBeUndefined();
    expect(gunzip(members).length).toBe(content.length + 10);
  });
});
