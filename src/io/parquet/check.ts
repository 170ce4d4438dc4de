/** Whether the parts of a Parquet file agree with each other, before anything is decoded: a damaged count could otherwise
 *  ask for more memory than there is. Faults are plain errors; the caller knows the file's name. */
import type { ColumnMetaData, FileMetaData, PageHeader, SchemaTree } from "hyparquet";

/** Pages are about a megabyte by custom; none comes near this. */
const MAX_PAGE_BYTES = 2 ** 30;
const MAGIC_BYTES = 4;
const FOOTER_BYTES = 8;

type ReadHeader = (reader: { view: DataView; offset: number }) => PageHeader;

/** Every row group has one chunk per leaf of the schema, in order; every chunk lies in the file and holds no more values
 *  than it says. */
export function checkParquet(
  metadata: FileMetaData,
  schema: SchemaTree,
  file: ArrayBuffer,
  readHeader: ReadHeader,
): void {
  const leaves = listLeaves(schema);
  for (const group of metadata.row_groups) {
    if (group.columns.length !== leaves.length) throw new Error("a row group lacks columns");
    group.columns.forEach((chunk, k) => {
      const meta = chunk.meta_data;
      const leaf = leaves[k]!;
      const name = leaf.tree.path.join(".");
      if (meta === undefined || meta.path_in_schema.join(".") !== name)
        throw new Error(`column ${name} is not where the schema says`);
      if (leaf.flat && meta.num_values !== group.num_rows)
        throw new Error(`column ${name} has another length than its row group`);
      checkPages(meta, name, file, readHeader);
    });
  }
}

interface Leaf {
  readonly tree: SchemaTree;
  /** One value per row: nothing on the way to the leaf repeats. */
  readonly flat: boolean;
}

function listLeaves(tree: SchemaTree, flat = true): Leaf[] {
  if (tree.children.length === 0) return [{ tree, flat }];
  return tree.children.flatMap((child) => listLeaves(child, flat && child.element.repetition_type !== "REPEATED"));
}

function checkPages(meta: ColumnMetaData, name: string, file: ArrayBuffer, readHeader: ReadHeader): void {
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const length = Number(meta.total_compressed_size);
  if (start < MAGIC_BYTES || length < 0 || start + length > file.byteLength - FOOTER_BYTES) {
    throw new Error(`column ${name} lies outside of the file`);
  }
  const reader = { view: new DataView(file, start, length), offset: 0 };
  const limit = Number(meta.num_values);
  let values = 0;
  // The last byte may be padding.
  while (reader.offset < length - 1 && values < limit) {
    const header = readHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size: unpacked } = header;
    if (!(size >= 0 && reader.offset + size <= length && unpacked >= 0 && unpacked <= MAX_PAGE_BYTES)) {
      throw new Error(`a page of column ${name} has an impossible size`);
    }
    reader.offset += size;
    const dictionary = header.dictionary_page_header?.num_values ?? 0;
    const data = header.data_page_header?.num_values ?? header.data_page_header_v2?.num_values ?? 0;
    values += data;
    // A dictionary entry takes at least a bit, and a page of values is no longer than the column.
    if (dictionary < 0 || dictionary > 8 * unpacked || data < 0 || values > limit) {
      throw new Error(`a page of column ${name} has an impossible number of values`);
    }
  }
}
