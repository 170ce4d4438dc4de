/** Gzip: one or several members, each checked against its CRC-32 and length, which fflate leaves to the caller.
 *  Reference: RFC 1952. */
import { Gunzip } from "fflate";
import { StatError } from "../../result/error.ts";
import { ImportBudget } from "../budget.ts";
import { grownBytes } from "../csv/dictionary.ts";
import { place } from "../encoding.ts";

/** Compressed bytes handed over at a time: bounds what is unpacked at once to about a thousand times this. */
const STEP = 1 << 16;
const TRAILER_BYTES = 8;
/** Deflate cannot do better. */
const MAX_RATIO = 1032;

export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= 3 && bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/** The whole content, charged to the budget as it comes. The length in the trailer is taken as a first guess only: it
 *  is of the last member, and may be a lie. */
export function gunzip(bytes: Uint8Array, name = "", budget = new ImportBudget()): Uint8Array {
  const claimed = bytes.length >= TRAILER_BYTES ? readUint32(bytes, bytes.length - 4) : 0;
  const possible = MAX_RATIO * bytes.length;
  if (claimed <= possible && claimed > budget.bytesLeft) budget.takeBytes(claimed, name);
  let all = new Uint8Array(Math.min(claimed, possible, budget.bytesLeft));
  let length = 0;
  gunzipTo(bytes, name, (chunk) => {
    budget.takeBytes(chunk.length, name);
    if (length + chunk.length > all.length) all = grownBytes(all, length + chunk.length);
    all.set(chunk, length);
    length += chunk.length;
  });
  return all.subarray(0, length);
}

/** Below this the engine's streams take longer to set up than the data to unpack. */
const NATIVE_FROM_BYTES = 1 << 15;

/** The same by the engine's own inflater, many times as fast. Undefined where there is none, where it would not pay, and for all
 *  that is not one sound member of the length it claims: that is left to `gunzip`, which says what is wrong. */
export async function gunzipNatively(
  bytes: Uint8Array,
  name: string,
  budget: ImportBudget,
): Promise<Uint8Array | undefined> {
  if (typeof DecompressionStream === "undefined" || bytes.length < NATIVE_FROM_BYTES) return undefined;
  const claimed = readUint32(bytes, bytes.length - 4);
  if (claimed > MAX_RATIO * bytes.length || claimed > budget.bytesLeft) return undefined;
  const all = new Uint8Array(claimed);
  const length = await inflateInto(all, bytes);
  if (length !== claimed) return undefined;
  budget.takeBytes(length, name);
  return all;
}

/** The number of bytes unpacked; NaN where they are damaged or more than fit. */
async function inflateInto(all: Uint8Array, bytes: Uint8Array): Promise<number> {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  // a fault is met by the reader too
  const ignore = (): void => {};
  writer.write(bytes as BufferSource).catch(ignore);
  writer.close().catch(ignore);
  const reader = readable.getReader();
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return length;
      if (length + value.length > all.length) {
        reader.cancel().catch(ignore);
        return Number.NaN;
      }
      all.set(value, length);
      length += value.length;
    }
  } catch {
    return Number.NaN;
  }
}

/** Hands the content over in chunks, for instance to a CSV reader's `push`. What was handed over before a fault is
 *  found must not be used. */
export function gunzipTo(bytes: Uint8Array, name: string, push: (chunk: Uint8Array) => void): void {
  let crc = 0;
  let size = 0;
  let fault: unknown;
  const endMember = (end: number) => {
    const trailer = end - TRAILER_BYTES;
    const ok = trailer >= 0 && readUint32(bytes, trailer) === crc && readUint32(bytes, trailer + 4) === size;
    if (!ok) throw broken(name);
    crc = 0;
    size = 0;
  };
  const stream = new Gunzip((chunk) => {
    if (chunk.length === 0) return;
    crc = updateCrc(crc, chunk);
    size = (size + chunk.length) >>> 0;
    try {
      push(chunk);
    } catch (error) {
      fault = error;
      throw error;
    }
  });
  stream.onmember = endMember;
  try {
    for (let at = 0; at < bytes.length; at += STEP) {
      stream.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
    }
  } catch (error) {
    if (error === fault || error instanceof StatError) throw error;
    throw broken(name);
  }
  endMember(bytes.length);
}

function broken(name: string): StatError {
  return new StatError(
    "BrokenGzip",
    `${place(name)}the gzip data is damaged or cut off.`,
    "copy or download the file again.",
  );
}

function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

/** CRC-32 of RFC 1952, section 8, one byte at a time. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function updateCrc(previous: number, bytes: Uint8Array): number {
  let crc = ~previous;
  for (let i = 0; i < bytes.length; i += 1) crc = CRC_TABLE[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
