/** Whether the parts of a Parquet file agree with each other, before anything is decoded: a damaged count could otherwise
 *  ask for more memory than there is. Faults are plain errors; the caller knows the file's name. */
import type { ColumnMetaData, FileMetaData, PageHeader, SchemaTree } from "hyparquet";
import { checkPage, countLevels, type Levels, type PageTools } from "./runs.ts";

const MAGIC_BYTES = 4;
const FOOTER_BYTES = 8;

export interface ParquetTools extends PageTools {
  readonly readHeader: ReadHeader;
  /** Before a page is unpacked. */
  takePage(codec: ColumnMetaData["codec"], size: number): void;
  /** Before values that stay objects in memory are decoded. */
  takeValues(count: number): void;
}

type ReadHeader = (reader: { view: DataView; offset: number }) => PageHeader;

/** Rows, or values of the longest column where some repeat, and columns with a value of their own: what decoding takes. */
export function measureParquet(metadata: FileMetaData, schema: SchemaTree): { rows: number; columns: number } {
  const columns = listLeaves(schema, []).length;
  const values = new Float64Array(columns);
  let rows = 0;
  for (const group of metadata.row_groups) {
    rows += Number(group.num_rows);
    group.columns.forEach((chunk, k) => {
      if (k < columns) values[k]! += Number(chunk.meta_data?.num_values ?? 0);
    });
  }
  return {
    rows: values.reduce((most, count) => Math.max(most, count), Math.max(rows, Number(metadata.num_rows))),
    columns,
  };
}

/** Every row group has one chunk per leaf of the schema, in order; every chunk lies in the file on bytes of its own and
 *  holds no more values than it says. */
export function checkParquet(metadata: FileMetaData, schema: SchemaTree, file: ArrayBuffer, tools: ParquetTools): void {
  const leaves = listLeaves(schema, []);
  refuseShared(metadata);
  for (const group of metadata.row_groups) {
    if (group.columns.length !== leaves.length) throw new Error("a row group lacks columns");
    group.columns.forEach((chunk, k) => {
      const meta = chunk.meta_data;
      const leaf = leaves[k]!;
      const name = leaf.path.at(-1)!.path.join(".");
      if (meta === undefined || meta.path_in_schema.join(".") !== name)
        throw new Error(`column ${name} is not where the schema says`);
      const levels = countLevels(leaf.path);
      if (levels.repetition === 0 && meta.num_values !== group.num_rows)
        throw new Error(`column ${name} has another length than its row group`);
      checkPages(meta, { name, file, levels, dates: isDate(leaf.path.at(-1)!) }, tools);
    });
  }
}

const startOf = (meta: ColumnMetaData): number => Number(meta.dictionary_page_offset || meta.data_page_offset);

/** Chunks that lie on the same bytes let a small file hold any number of rows. */
function refuseShared(metadata: FileMetaData): void {
  const chunks = metadata.row_groups
    .flatMap(({ columns }) => columns.map(({ meta_data: meta }) => meta))
    .filter((meta) => meta !== undefined)
    .map((meta) => ({ meta, start: startOf(meta), end: startOf(meta) + Number(meta.total_compressed_size) }))
    .sort((a, b) => a.start - b.start);
  chunks.forEach((chunk, i) => {
    const next = chunks[i + 1];
    if (next !== undefined && chunk.end > next.start)
      throw new Error(`column ${next.meta.path_in_schema.join(".")} has a chunk on the bytes of another`);
  });
}

/** The way from the root to a column with values. */
interface Leaf {
  readonly path: readonly SchemaTree[];
}

function listLeaves(tree: SchemaTree, above: readonly SchemaTree[]): Leaf[] {
  const path = [...above, tree];
  return tree.children.length === 0 ? [{ path }] : tree.children.flatMap((child) => listLeaves(child, path));
}

/** Times become text, one by one. */
const isDate = ({ element }: SchemaTree): boolean =>
  /DATE|TIME/.test(element.converted_type ?? element.logical_type?.type ?? "");

/** Numbers are kept as such; texts, bytes, times and what repeats are objects, one for each value unless a dictionary holds them. */
function countObjects(meta: ColumnMetaData, header: PageHeader, { levels, dates }: Where): number {
  const { num_values: count, encoding } = header.data_page_header ??
    header.data_page_header_v2 ?? {
      num_values: header.dictionary_page_header?.num_values ?? 0,
      encoding: "PLAIN",
    };
  const shared = encoding.endsWith("_DICTIONARY") && header.dictionary_page_header === undefined;
  const made = dates || (!shared && /BYTE_ARRAY|INT96/.test(meta.type));
  return levels.repetition > 0 || made ? count : 0;
}

interface Where {
  readonly name: string;
  readonly file: ArrayBuffer;
  readonly levels: Levels;
  readonly dates: boolean;
}

function checkPages(meta: ColumnMetaData, where: Where, tools: ParquetTools): void {
  const { name, file, levels } = where;
  const start = startOf(meta);
  const length = Number(meta.total_compressed_size);
  if (start < MAGIC_BYTES || length < 0 || start + length > file.byteLength - FOOTER_BYTES) {
    throw new Error(`column ${name} lies outside of the file`);
  }
  const reader = { view: new DataView(file, start, length), offset: 0 };
  const limit = Number(meta.num_values);
  let values = 0;
  let entries = 0;
  // The last byte may be padding.
  while (reader.offset < length - 1 && values < limit) {
    const header = tools.readHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size: unpacked } = header;
    const fits = meta.codec === "UNCOMPRESSED" ? unpacked === size : unpacked >= 0;
    if (!(size >= 0 && reader.offset + size <= length && fits)) {
      throw new Error(`a page of column ${name} has an impossible size`);
    }
    tools.takePage(meta.codec, unpacked);
    const page = new Uint8Array(file, start + reader.offset, size);
    reader.offset += size;
    const dictionary = header.dictionary_page_header?.num_values ?? 0;
    const data = header.data_page_header?.num_values ?? header.data_page_header_v2?.num_values ?? 0;
    values += data;
    // A dictionary entry takes at least a bit, and a page of values is no longer than the column.
    if (dictionary < 0 || dictionary > 8 * unpacked || data < 0 || values > limit) {
      throw new Error(`a page of column ${name} has an impossible number of values`);
    }
    entries += dictionary;
    tools.takeValues(countObjects(meta, header, where));
    checkPage(page, header, { ...meta, dictionary: entries }, levels, tools);
  }
}
