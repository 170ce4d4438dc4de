/** Zstandard data of one or several frames, with a bound on the output before anything is unpacked.
 *  fzstd decodes a frame but trusts its header; a header that claims gigabytes would be allocated. So the frames are walked
 *  first (RFC 8878, section 3.1.1: header, then blocks of a 3-byte header and a size), then unpacked one by one.
 *  Limits: no dictionaries; content checksums are skipped (a zip entry has its own). */
import { Decompress, decompress } from "fzstd";
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

/** A frame without a content size keeps its window beside the output and moves it on by each block. Writers of streams have windows
 *  of 2 to 8 MB; this is 2 GB of their blocks, and no small file keeps a machine busy for minutes. */
const MAX_MOVED_BYTES = 2 ** 37;

/** How many bytes the frames unpack to at most; nothing is unpacked. */
export function boundZstd(bytes: Uint8Array): number {
  let bound = 0;
  for (let at = 0; at < bytes.length; ) {
    if (readUint(bytes, at, 4) >>> 4 === SKIPPABLE >>> 4) {
      at += 8 + readUint(bytes, at + 4, 4);
      continue;
    }
    const frame = measureFrame(bytes, at);
    bound += frame.declared ?? frame.most;
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
    if ((frame.declared ?? frame.least) > limit - total || frame.window > MAX_WINDOW_BYTES) throw tooLarge(limit);
    const data = bytes.subarray(at, frame.end);
    const part = frame.declared === undefined ? unpackBlocks(data, frame, limit, limit - total) : decompress(data);
    total += part.length;
    if (total > limit) throw tooLarge(limit);
    parts.push(part);
    at = frame.end;
  }
  return join(parts, total);
}

/** A frame that does not say its size, as streams are written: block by block, until more came than is allowed. */
function unpackBlocks(data: Uint8Array, frame: Frame, limit: number, left: number): Uint8Array {
  const span = Math.min(frame.window, Math.max(left, frame.least));
  if (span * frame.blocks > MAX_MOVED_BYTES) throw tooLarge(limit);
  const parts: Uint8Array[] = [];
  let total = 0;
  const stream = new Decompress((part) => {
    total += part.length;
    if (total > left) throw tooLarge(limit);
    parts.push(part);
  });
  stream.push(withWindow(data, span), true);
  return join(parts, total);
}

/** The frame with a window no larger than all that may come of it: a window's memory is taken before anything is unpacked. */
function withWindow(data: Uint8Array, span: number): Uint8Array {
  let exponent = 0;
  // a block may be as long as the window, so that it stays above the longest block
  while (2 ** (10 + exponent) < Math.max(span, MAX_BLOCK_BYTES)) exponent += 1;
  if (exponent << 3 >= data[5]!) return data;
  const shrunk = data.slice();
  shrunk[5] = exponent << 3;
  return shrunk;
}

function join(parts: readonly Uint8Array[], total: number): Uint8Array {
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
  /** Size by the header, where it says one. */
  readonly declared: number | undefined;
  /** What the blocks hold at least and at most: a compressed block does not say its size. */
  readonly least: number;
  readonly most: number;
  readonly blocks: number;
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
  const declared = sizeBytes === 0 ? undefined : readUint(bytes, at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  at += sizeBytes;
  let least = 0;
  let most = 0;
  let blocks = 0;
  for (let last = false; !last; ) {
    const header = readUint(bytes, at, 3);
    last = (header & 1) === 1;
    const kind = (header >> 1) & 3;
    const size = header >> 3;
    if (kind === 3 || size > MAX_BLOCK_BYTES) throw malformed(at);
    least += kind === 2 ? 0 : size;
    most += kind === 2 ? MAX_BLOCK_BYTES : size;
    blocks += 1;
    at += 3 + (kind === 1 ? 1 : size);
  }
  if ((flags >> 2) & 1) at += 4;
  if (at > bytes.length) throw malformed(at);
  if (declared !== undefined && declared > most) throw malformed(start);
  const span = single ? declared! : base + (base / 8) * (windowByte & 7);
  return { end: at, declared, least, most, blocks, window: span };
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
