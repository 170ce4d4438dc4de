/** The counts inside the pages of a Parquet file, held against what can be left. The decoder (hyparquet 1.31) writes a
 *  run of equal values as long as its header says, also past the end of the page, and a run of 2^30 ends the process;
 *  so every run header is walked first, and nothing is decoded from a page that announces more than it may hold.
 *  Reference: apache/parquet-format, page on encodings (RLE / bit-packing hybrid; delta encoding). */
import type { ColumnMetaData, Compressors, PageHeader, SchemaTree } from "hyparquet";

/** The last bit-packed run is padded, and some writers end with a short run too many: harmless up to here. */
const SLACK = 4096;
/** Values in a block of the delta encoding: writers use 128. */
const MAX_DELTA_BLOCK = 1 << 20;

type Decompress = (packed: Uint8Array, size: number, codec: ColumnMetaData["codec"], how: Compressors) => Uint8Array;

export interface PageTools {
  readonly decompress: Decompress;
  readonly compressors: Compressors;
}

/** Most levels of repetition and definition on the way to a leaf. */
export interface Levels {
  readonly repetition: number;
  readonly definition: number;
}

export function countLevels(path: readonly SchemaTree[]): Levels {
  const types = path.slice(1).map(({ element }) => element.repetition_type);
  const repetition = types.filter((type) => type === "REPEATED").length;
  return { repetition, definition: repetition + types.filter((type) => type === "OPTIONAL").length };
}

/** Throws if a count in the page is impossible; `dictionary` is the number of values that indices may point to. */
export function checkPage(
  packed: Uint8Array,
  header: PageHeader,
  { codec, type, dictionary }: Pick<ColumnMetaData, "codec" | "type"> & { readonly dictionary: number },
  levels: Levels,
  { decompress, compressors }: PageTools,
): void {
  const { data_page_header: first, data_page_header_v2: second, uncompressed_page_size: size } = header;
  if (first !== undefined) {
    const page = new Cursor(decompress(packed, size, codec, compressors));
    for (const most of [levels.repetition, levels.definition]) {
      if (most > 0) page.checkRuns(bitWidth(most), first.num_values, page.uint32());
    }
    checkValues(page, first.encoding, type, { count: first.num_values, dictionary });
  } else if (second !== undefined) {
    const { repetition_levels_byte_length: repeated, definition_levels_byte_length: defined } = second;
    const page = new Cursor(packed);
    if (levels.repetition > 0) page.checkRuns(bitWidth(levels.repetition), second.num_values, repeated);
    page.at = repeated;
    if (levels.definition > 0) page.checkRuns(bitWidth(levels.definition), second.num_values, defined);
    const rest = packed.subarray(repeated + defined);
    const values =
      second.is_compressed === false ? rest : decompress(rest, size - repeated - defined, codec, compressors);
    checkValues(new Cursor(values), second.encoding, type, { count: second.num_values, dictionary });
  }
}

function checkValues(
  page: Cursor,
  encoding: string,
  type: string,
  { count, dictionary }: { readonly count: number; readonly dictionary: number },
): void {
  if (encoding.endsWith("_DICTIONARY")) {
    // a page of nothing but missing values may have no indices
    const width = page.left === 0 ? 0 : page.byte();
    if (width > 0) page.checkRuns(width, count, page.left, dictionary);
  } else if (encoding === "RLE") {
    // booleans have a length before the runs, other types a width
    const width = type === "BOOLEAN" ? 1 : page.byte();
    page.checkRuns(width, count, type === "BOOLEAN" ? page.uint32() : page.left);
  } else if (encoding.startsWith("DELTA_")) {
    const block = page.varint();
    const parts = page.varint();
    if (block > MAX_DELTA_BLOCK || parts < 1 || parts > block) throw new Error("a delta block has an impossible size");
  }
}

const bitWidth = (most: number): number => 32 - Math.clz32(most);

class Cursor {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  byte(): number {
    if (this.at >= this.#bytes.length) throw new Error("a page ends too early");
    return this.#bytes[this.at++]!;
  }

  uint32(): number {
    return this.byte() + 256 * (this.byte() + 256 * (this.byte() + 256 * this.byte()));
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 5; shift += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * shift);
      if (byte < 0x80) return value;
    }
    throw new Error("a count in a page is too large");
  }

  /** The runs within the next `length` bytes, which stand for at most `count` values, each less than `below`; leaves the cursor
   *  behind them. */
  checkRuns(width: number, count: number, length: number, below = Number.POSITIVE_INFINITY): void {
    const end = this.at + length;
    if (end > this.#bytes.length || width > 32) throw new Error("the runs of a page are longer than the page");
    let seen = 0;
    while (seen < count && this.at < end) {
      const header = this.varint();
      const packed = header % 2 === 1;
      const run = packed ? 8 * Math.floor(header / 2) : header / 2;
      if (run > count - seen + SLACK) throw new Error(`a run of ${run} values where ${count - seen} can be left`);
      if (below < 2 ** width) this.#checkIndices(width, packed ? Math.min(run, count - seen) : 1, below);
      this.at += packed ? (run * width) / 8 : Math.ceil(width / 8);
      seen += run;
    }
    this.at = end;
  }

  /** The decoder takes what a dictionary does not hold for a missing value. */
  #checkIndices(width: number, count: number, below: number): void {
    for (let k = 0; k < count; k += 1) {
      const shift = (k * width) % 8;
      const first = this.at + Math.floor((k * width) / 8);
      let bits = 0;
      for (let b = 0; 8 * b < width + shift; b += 1) bits += (this.#bytes[first + b] ?? 0) * 256 ** b;
      const index = Math.floor(bits / 2 ** shift) % 2 ** width;
      if (index >= below) throw new Error(`entry ${index} of a dictionary of ${below} is referenced`);
    }
  }
}
