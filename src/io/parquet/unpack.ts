/** The decompressors of Parquet pages, each held to the size in the page header: a page of 200 bytes that announces 24 may hold a gigabyte.
 *  Those of the package fill what the header announces and go on to the end; Brotli's makes room for more. */
import type { ColumnMetaData, Compressors } from "hyparquet";
import { HuffmanTreeGroup } from "hyparquet-compressors/src/brotli.huffman.js";
import { BrotliOutput } from "hyparquet-compressors/src/brotli.streams.js";
import { StatError } from "../../result/error.ts";
import { gunzipTo } from "../packed/gzip.ts";
import { unzstd } from "../packed/zstd.ts";

/** A window of 16 MB, made for every page of Brotli, takes as long as unpacking so many bytes. */
const BROTLI_WINDOW_BYTES = 2 ** 14;

/** What unpacking a page takes, in bytes of the budget. */
export const pageCost = (codec: ColumnMetaData["codec"], size: number): number =>
  codec === "UNCOMPRESSED" ? 0 : size + (codec === "BROTLI" ? BROTLI_WINDOW_BYTES : 0);

export function boundedCompressors(compressors: Compressors): Compressors {
  return {
    ...compressors,
    GZIP: (packed, size) => unpack(() => gunzipPage(packed, size)),
    ZSTD: (packed, size) => unpack(() => unzstd(packed, size)),
    SNAPPY: (packed, size) => {
      if (claimSnappy(packed) !== size) throw unlike();
      return compressors.SNAPPY!(packed, size);
    },
    LZ4_RAW: (packed, size) => {
      if (measureLz4(packed, size) !== size) throw unlike();
      return compressors.LZ4_RAW!(packed, size);
    },
    LZ4: (packed, size) => {
      if (measureHadoop(packed, size) !== size && measureLz4(packed, size) !== size) throw unlike();
      return compressors.LZ4!(packed, size);
    },
    BROTLI: (packed, size) => unbrotli(() => compressors.BROTLI!(packed, size), size),
  };
}

/** The file's name is for the caller to say. */
function unpack(read: () => Uint8Array): Uint8Array {
  try {
    return read();
  } catch (error) {
    throw error instanceof StatError ? new Error(error.message.replace(/\.$/, "")) : error;
  }
}

function gunzipPage(packed: Uint8Array, size: number): Uint8Array {
  const page = new Uint8Array(size);
  let length = 0;
  gunzipTo(packed, "", (chunk) => {
    if (length + chunk.length > size) throw unlike();
    page.set(chunk, length);
    length += chunk.length;
  });
  return page.subarray(0, length);
}

/** The size that opens a page of Snappy, seven bits a byte; its decoder writes no more than that. */
function claimSnappy(packed: Uint8Array): number {
  let size = 0;
  for (let at = 0; at < 5; at++) {
    const byte = packed[at] ?? Number.NaN;
    size += (byte & 127) * 2 ** (7 * at);
    if (byte < 128) return size;
  }
  return Number.NaN;
}

/** Bytes of an LZ4 block once unpacked, or some number above `most`: each sequence is a token, literals, an offset of two bytes and a
 *  match of at least 4; a length of 15 goes on in bytes of 255. */
function measureLz4(packed: Uint8Array, most: number): number {
  let at = 0;
  let size = 0;
  const extend = (length: number): number => {
    let sum = length;
    for (let byte = length === 15 ? 255 : 0; byte === 255; sum += byte) byte = packed[at++] ?? 0;
    return sum;
  };
  while (at < packed.length && size <= most) {
    const token = packed[at++]!;
    const literals = extend(token >> 4);
    at += literals;
    size += literals;
    if (at >= packed.length) break;
    at += 2;
    size += extend(token & 15) + 4;
  }
  return size;
}

/** The same of the frames that Hadoop writes: the size unpacked, the size packed, each in four bytes, and a block. NaN for anything else. */
function measureHadoop(packed: Uint8Array, most: number): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let size = 0;
  for (let at = 0; at < packed.length; ) {
    if (at + 8 > packed.length) return Number.NaN;
    const [claimed, length] = [view.getUint32(at), view.getUint32(at + 4)];
    at += 8;
    if (length > packed.length - at || claimed > most - size) return Number.NaN;
    if (measureLz4(packed.subarray(at, at + length), claimed) !== claimed) return Number.NaN;
    size += claimed;
    at += length;
  }
  return size;
}

/** Writers of Brotli share one code among thousands of bytes; each takes as long as thousands of bytes. */
const BYTES_OF_A_CODE = 128;
const FEW_CODES = 1024;

/** The page that is being unpacked: where it goes, its size, and how many codes it may still bring. */
let page = { output: undefined as Output | undefined, size: 0, codes: 0 };

type Output = BrotliOutput & { room: Uint8Array };

/** The decoder gives its output a longer buffer when the stream says that more is to come; there the page ends. */
Object.defineProperty(BrotliOutput.prototype, "buffer", {
  get(this: Output) {
    return this.room;
  },
  set(this: Output, room: Uint8Array) {
    if (room.length > page.size) throw unlike();
    this.room = room;
    page.output = this;
  },
});

const decodeCodes = HuffmanTreeGroup.prototype.decode;
HuffmanTreeGroup.prototype.decode = function (reader) {
  page.codes -= this.num_htrees;
  if (page.codes < 0) throw new Error("a page of Brotli has more codes than values");
  decodeCodes.call(this, reader);
};

function unbrotli(read: () => Uint8Array, size: number): Uint8Array {
  page = { output: undefined, size, codes: FEW_CODES + size / BYTES_OF_A_CODE };
  const unpacked = read();
  if (page.output?.pos !== size) throw unlike();
  return unpacked;
}

const unlike = (): Error => new Error("a page does not unpack to the size that it says");
