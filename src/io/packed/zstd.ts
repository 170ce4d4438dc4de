/** Zstandard data of one or several frames, with a bound on the output before anything is unpacked.
 *  fzstd decodes a frame but trusts its header; a header that claims gigabytes would be allocated. So the frames are walked
 *  first (RFC 8878, section 3.1.1: header, then blocks of a 3-byte header and a size), then unpacked one by one.
 *  Limits: no dictionaries; content checksums are skipped (a zip entry has its own). */
import { decompress } from "fzstd";
import { StatError } from "../../result/error.ts";

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
/** A block never regenerates more than this (RFC 8878, 3.1.1.2.4). */
const MAX_BLOCK_BYTES = 128 * 1024;
/** zstd's own default limit for decoding ("--long=27"). */
const MAX_WINDOW_BYTES = 128 * 1024 * 1024;

export function isZstd(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && readUint(bytes, 0, 4) === MAGIC;
}

/** How many bytes the frames unpack to at most; nothing is unpacked. */
export function boundZstd(bytes: Uint8Array): number {
  let bound = 0;
  for (let at = 0; at < bytes.length; ) {
    if (readUint(bytes, at, 4) >>> 4 === SKIPPABLE >>> 4) {
      at += 8 + readUint(bytes, at + 4, 4);
      continue;
    }
    const frame = measureFrame(bytes, at);
    bound += frame.claimed;
    at = frame.end;
  }
  return bound;
}

/** Unpacks at most `limit` bytes; more, or anything malformed, throws. */
export function unzstd(bytes: Uint8Array, limit: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let total = 0;
  for (let at = 0; at < bytes.length; ) {
    const magic = readUint(bytes, at, 4);
    if (magic >>> 4 === SKIPPABLE >>> 4) {
      at += 8 + readUint(bytes, at + 4, 4);
      continue;
    }
    const frame = measureFrame(bytes, at);
    if (frame.claimed > limit - total || frame.window > MAX_WINDOW_BYTES) throw tooLarge(limit);
    const part = decompress(bytes.subarray(at, frame.end));
    total += part.length;
    if (total > limit) throw tooLarge(limit);
    parts.push(part);
    at = frame.end;
  }
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

interface Frame {
  readonly end: number;
  /** Size by the header, or the most that the blocks can hold. */
  readonly claimed: number;
  readonly window: number;
}

function measureFrame(bytes: Uint8Array, start: number): Frame {
  if (readUint(bytes, start, 4) !== MAGIC) throw malformed(start);
  const flags = bytes[start + 4]!;
  const single = (flags >> 5) & 1;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3]!;
  const sizeBytes = [single, 2, 4, 8][flags >> 6]!;
  const windowByte = bytes[start + 5]!;
  const base = 2 ** (10 + (windowByte >> 3));
  let at = start + 6 - single + dictionaryBytes;
  const declared = sizeBytes === 0 ? -1 : readUint(bytes, at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  at += sizeBytes;
  let bound = 0;
  for (let last = false; !last; ) {
    const header = readUint(bytes, at, 3);
    last = (header & 1) === 1;
    const kind = (header >> 1) & 3;
    const size = header >> 3;
    if (kind === 3 || size > MAX_BLOCK_BYTES) throw malformed(at);
    bound += kind === 2 ? MAX_BLOCK_BYTES : size;
    at += 3 + (kind === 1 ? 1 : size);
  }
  if ((flags >> 2) & 1) at += 4;
  if (at > bytes.length) throw malformed(at);
  if (declared > bound) throw malformed(start);
  // What gets allocated is the header's figure when there is one, else what the blocks bring.
  const claimed = declared < 0 ? bound : declared;
  return { end: at, claimed, window: single ? declared : base + (base / 8) * (windowByte & 7) };
}

function readUint(bytes: Uint8Array, at: number, count: number): number {
  if (at + count > bytes.length) throw malformed(at);
  let value = 0;
  for (let i = count - 1; i >= 0; i -= 1) value = value * 256 + bytes[at + i]!;
  return value;
}

function malformed(at: number): StatError {
  return new StatError(
    "BrokenZstd",
    `the zstd data is damaged or cut off near byte ${at}.`,
    "Copy or download the file again.",
  );
}

function tooLarge(limit: number): StatError {
  return new StatError(
    "ZstdTooLarge",
    `the zstd data unpacks to more than the ${limit} bytes that were announced or allowed.`,
    "Such data is refused. If it is honest, unpack it and give the file or a part of it.",
  );
}
