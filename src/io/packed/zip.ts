/** Zip archives read through their central directory: stored (0), deflate (8) and zstd (93, one or several frames).
 *  Why not fflate's own unzip: it refuses method 93, which Inspect logs use, and unpacks every entry; a log's transcripts
 *  can be a thousand times larger than the summaries that statistics need. Here an entry is unpacked only when asked for.
 *  Reference: PKWARE APPNOTE 6.3.10, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.14-4.3.16 (end, zip64).
 *  Limits:    no encryption, no split archives, no entries that share bytes, no more than the budget allows. */
import { inflateSync } from "fflate";
import { StatError } from "../../result/error.ts";
import { ImportBudget } from "../budget.ts";
import { unzstd } from "./zstd.ts";

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly crc: number;
  /** Where the local header starts. */
  readonly offset: number;
  readonly encrypted: boolean;
}

/** Deflate cannot do better than 1032:1; whoever claims more builds a bomb. The constant allows for tiny entries. */
const MAX_DEFLATE_RATIO = 1032;
const SMALL_ENTRY_BYTES = 1024;

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const END_SIGNATURE = 0x06054b50;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const LOCATOR64_BYTES = 20;
const DIRECTORY_SIGNATURE = 0x02014b50;
const DIRECTORY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const ZIP64_EXTRA = 0x0001;
const IN_EXTRA = 0xffffffff;

export function isZip(bytes: Uint8Array): boolean {
  // An archive without entries starts with its end record.
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5) && bytes[3] === bytes[2]! + 1;
}

/** The directory of an archive; nothing is unpacked. */
export function listZip(bytes: Uint8Array, name: string): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { count, offset } = findDirectory(view, name);
  const entries: ZipEntry[] = [];
  let at = offset;
  for (let i = 0; i < count; i += 1) {
    if (at + DIRECTORY_BYTES > bytes.length || view.getUint32(at, true) !== DIRECTORY_SIGNATURE) {
      throw broken(name, `its directory ends after ${i} of ${count} entries`);
    }
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const next = at + DIRECTORY_BYTES + nameBytes + extraBytes + view.getUint16(at + 32, true);
    if (next > bytes.length) throw broken(name, `its directory ends within entry ${i + 1} of ${count}`);
    entries.push(readDirectoryEntry(view, at, nameBytes, extraBytes));
    at = next;
  }
  refuseOverlap(entries, name);
  return entries;
}

/** Entries that share bytes let a small archive unpack to any size. */
function refuseOverlap(entries: readonly ZipEntry[], name: string): void {
  const placed = [...entries].sort((a, b) => a.offset - b.offset);
  placed.forEach((entry, i) => {
    const next = placed[i + 1];
    if (next === undefined || entry.offset + LOCAL_BYTES + entry.compressedSize <= next.offset) return;
    throw broken(name, `entries ${entry.name} and ${next.name} lie on the same bytes`);
  });
}

/** The content of one entry, checked against its size and checksum, and charged to the budget before it is unpacked. */
export function readZipEntry(
  bytes: Uint8Array,
  entry: ZipEntry,
  name: string,
  budget: ImportBudget = new ImportBudget(),
): Uint8Array {
  const packed = locate(bytes, entry, name);
  const content = unpack(packed, entry, name, budget);
  if (content.length !== entry.size || crc32(content) !== entry.crc) {
    throw broken(name, `entry ${entry.name} does not match its checksum`);
  }
  return content;
}

function findDirectory(view: DataView, name: string): { count: number; offset: number } {
  const last = view.byteLength - END_BYTES;
  const first = Math.max(0, last - MAX_COMMENT_BYTES);
  for (let at = last; at >= first; at -= 1) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    const locator = at - LOCATOR64_BYTES;
    if (locator >= 0 && view.getUint32(locator, true) === LOCATOR64_SIGNATURE) {
      const end64 = Number(view.getBigUint64(locator + 8, true));
      if (end64 + 56 > view.byteLength || view.getUint32(end64, true) !== END64_SIGNATURE) {
        throw broken(name, "its zip64 directory is not where the archive says");
      }
      return {
        count: Number(view.getBigUint64(end64 + 32, true)),
        offset: Number(view.getBigUint64(end64 + 48, true)),
      };
    }
    return { count: view.getUint16(at + 10, true), offset: view.getUint32(at + 16, true) };
  }
  throw broken(name, "the directory at its end is missing, as in a file that was cut off");
}

function readDirectoryEntry(view: DataView, at: number, nameBytes: number, extraBytes: number): ZipEntry {
  const nameAt = view.byteOffset + at + DIRECTORY_BYTES;
  const entry = {
    name: new TextDecoder().decode(new Uint8Array(view.buffer, nameAt, nameBytes)),
    method: view.getUint16(at + 10, true),
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
    crc: view.getUint32(at + 16, true),
    compressedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
  // Zip64 lists only the fields that did not fit, always in this order.
  const wanted = (["size", "compressedSize", "offset"] as const).filter((field) => entry[field] === IN_EXTRA);
  if (wanted.length === 0) return entry;
  const end = at + DIRECTORY_BYTES + nameBytes + extraBytes;
  for (let extra = at + DIRECTORY_BYTES + nameBytes; extra + 4 <= end; ) {
    const length = view.getUint16(extra + 2, true);
    if (view.getUint16(extra, true) === ZIP64_EXTRA) {
      wanted.forEach((field, i) => {
        const value = extra + 4 + 8 * i;
        if (value + 8 <= end) entry[field] = Number(view.getBigUint64(value, true));
      });
    }
    extra += 4 + length;
  }
  return entry;
}

function locate(bytes: Uint8Array, entry: ZipEntry, name: string): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = entry.offset;
  if (at + LOCAL_BYTES > bytes.length || view.getUint32(at, true) !== LOCAL_SIGNATURE) {
    throw broken(name, `entry ${entry.name} is not where the directory says`);
  }
  // The local header may have another extra field than the directory, so its own lengths count.
  const start = at + LOCAL_BYTES + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const end = start + entry.compressedSize;
  if (end > bytes.length) throw broken(name, `entry ${entry.name} runs past the end of the file`);
  return bytes.subarray(start, end);
}

function unpack(packed: Uint8Array, entry: ZipEntry, name: string, budget: ImportBudget): Uint8Array {
  if (entry.encrypted) {
    throw new StatError(
      "EncryptedZip",
      `${name}: entry ${entry.name} is encrypted.`,
      "Give the archive without a password.",
    );
  }
  const deflated = entry.method === 8;
  if (deflated && entry.size > MAX_DEFLATE_RATIO * packed.length + SMALL_ENTRY_BYTES) throw tooLarge(name, entry);
  if (entry.method === 0 && entry.size > packed.length) throw tooLarge(name, entry);
  if (entry.method !== 0) budget.takeBytes(entry.size, `${name}, ${entry.name}`);
  try {
    if (entry.method === 0) return packed;
    // The buffer has the declared size: more output is cut off here and then fails the checksum.
    if (deflated) return inflateSync(packed, { out: new Uint8Array(entry.size) });
    if (entry.method === 93) return unzstd(packed, entry.size);
  } catch (error) {
    const what = error instanceof StatError ? error.message : "it cannot be unpacked";
    throw broken(name, `entry ${entry.name}: ${what.replace(/\.$/, "")}`);
  }
  throw new StatError(
    "UnknownCompression",
    `${name}: entry ${entry.name} uses zip compression method ${entry.method}.`,
    "Pack the archive again with deflate or zstd.",
  );
}

function tooLarge(name: string, entry: ZipEntry): StatError {
  return new StatError(
    "ZipTooLarge",
    `${name}: entry ${entry.name} claims ${entry.size} bytes from ${entry.compressedSize} packed ones.`,
    "Such an archive is refused. If it is honest, unpack it and give the file or a part of it.",
  );
}

function broken(name: string, what: string): StatError {
  return new StatError(
    "BrokenZip",
    `${name}: the zip archive is damaged: ${what}.`,
    "Copy or download the file again; for the log of an interrupted run, let the tool that wrote it repair it.",
  );
}

const CRC_TABLE = makeCrcTable();

function makeCrcTable(): Uint32Array {
  const table = new Uint32Array(256);
  for (let n = 0; n < 256; n += 1) {
    let c = n;
    for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    table[n] = c >>> 0;
  }
  return table;
}

export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; i += 1) c = CRC_TABLE[(c ^ bytes[i]!) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
