/** The decompressors of Parquet pages, which stop where a page brings more than its header says: a page of a megabyte that
 *  announces 24 bytes may hold a gigabyte. Those of the package fill what is announced and go on to the end. */
import type { Compressors } from "hyparquet";
import { StatError } from "../../result/error.ts";
import { gunzipTo, isGzip } from "../packed/gzip.ts";
import { unzstd } from "../packed/zstd.ts";

export function boundedCompressors(compressors: Compressors, mostPageBytes: number): Compressors {
  return {
    ...compressors,
    GZIP: (packed, size) => (isGzip(packed) ? unpack(() => gunzipPage(packed, size)) : compressors.GZIP!(packed, size)),
    // frames need not say their size: then only their blocks bound it, by more than they hold
    ZSTD: (packed) => unpack(() => unzstd(packed, mostPageBytes)),
    LZ4_RAW: (packed, size) => {
      if (measureLz4(packed, size) !== size) throw longer();
      return compressors.LZ4_RAW!(packed, size);
    },
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
    if (length + chunk.length > size) throw longer();
    page.set(chunk, length);
    length += chunk.length;
  });
  return page.subarray(0, length);
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

const longer = (): Error => new Error("a page does not unpack to the size that it says");
