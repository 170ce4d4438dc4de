/** What was dropped: files, and folders with all that they hold. */
import type { GivenFile } from "../engine/protocol.ts";

/** Of a folder only what may be results; hidden files and pictures are not looked at. */
const READABLE = /\.(csv|tsv|txt|jsonl?|ndjson|parquet|eval|ya?ml|xml|zip|gz|zst|bz2)$/i;
const MOST_FILES = 500;

export const givenFiles = (files: Iterable<File>): GivenFile[] =>
  [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** What a browser tells of a thing that was dropped; the older way does not look into folders for a page from the disk. */
type Dropped = { readonly handle: FileSystemHandle } | { readonly entry: FileSystemEntry };

interface HandleItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

/** Things must be asked for before the event ends; folders are then walked. */
export async function droppedFiles(transfer: DataTransfer | null): Promise<GivenFile[]> {
  const files = [...(transfer?.files ?? [])];
  const items = [...(transfer?.items ?? [])].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return givenFiles(files);
  const handles = items.map((item) => (item as HandleItem).getAsFileSystemHandle?.().catch(() => null));
  const found: GivenFile[] = [];
  for (const [k, entry] of entries.entries()) {
    const handle = await handles[k];
    if (handle) await walk({ handle }, handle.name, found);
    else if (entry !== null) await walk({ entry }, entry.name, found);
  }
  return found;
}

async function walk(own: Dropped, path: string, found: GivenFile[]): Promise<void> {
  const { kind, name } = "handle" in own ? own.handle : { ...kindOf(own.entry), name: own.entry.name };
  const inFolder = path.includes("/");
  if (found.length >= MOST_FILES || (inFolder && name.startsWith("."))) return;
  if (kind === "file") {
    if (!inFolder || READABLE.test(name)) found.push({ path, file: await fileOf(own) });
    return;
  }
  const inside = (await listOf(own)).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name: next, own: one } of inside) await walk(one, `${path}/${next}`, found);
}

const kindOf = ({ isFile }: FileSystemEntry) => ({ kind: isFile ? ("file" as const) : ("directory" as const) });

function fileOf(own: Dropped): Promise<File> {
  if ("handle" in own) return (own.handle as FileSystemFileHandle).getFile();
  return new Promise((resolve, reject) => (own.entry as FileSystemFileEntry).file(resolve, reject));
}

interface Listed {
  readonly name: string;
  readonly own: Dropped;
}

async function listOf(own: Dropped): Promise<Listed[]> {
  const found: Listed[] = [];
  if ("handle" in own) {
    const values = (own.handle as unknown as { values(): AsyncIterable<FileSystemHandle> }).values();
    for await (const handle of values) found.push({ name: handle.name, own: { handle } });
    return found;
  }
  const reader = (own.entry as FileSystemDirectoryEntry).createReader();
  // a folder gives its entries by hundreds, and an empty list at the end
  for (;;) {
    const next = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (next.length === 0) return found;
    found.push(...next.map((entry) => ({ name: entry.name, own: { entry } })));
  }
}
