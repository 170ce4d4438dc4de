/** Files that were dropped, by the runs that they belong to: what the command line finds beside a file is looked for among them. */
import { companionsIn } from "../../src/io.ts";
import type { GivenFile } from "./protocol.ts";

export interface FileGroup {
  /** As the command line would be told: a file, or the folder of a run that is spread over several. */
  readonly path: string;
  readonly files: readonly GivenFile[];
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
/** Samples come before the results that they share. */
const order = (path: string): number => (/^results_|^[0-9a-f-]{36}\.json$/.test(baseOf(path)) ? 1 : 0);
const isWholeFolder = (path: string): boolean =>
  /^(run_spec|scenario|stats|per_instance_stats)\.json$/.test(baseOf(path));

export function groupFiles(given: readonly GivenFile[]): FileGroup[] {
  const folders = foldersOf(given);
  const place = new Map(given.map((file, i) => [file, i]));
  const used = new Set<GivenFile>();
  const groups: FileGroup[] = [];
  const sorted = [...given].sort((a, b) => order(a.path) - order(b.path));
  for (const own of sorted) {
    if (used.has(own)) continue;
    const folder = folderOf(own.path);
    const { files, companions } = folders.get(folder)!;
    const beside = companions(baseOf(own.path))
      .flatMap((name) => files.get(name)!)
      .sort((a, b) => place.get(a)! - place.get(b)!);
    for (const one of [own, ...beside]) used.add(one);
    const path = beside.length > 0 && folder !== "" && isWholeFolder(own.path) ? folder : own.path;
    groups.push({ path, files: [own, ...beside] });
  }
  return groups.sort((a, b) => place.get(a.files[0]!)! - place.get(b.files[0]!)!);
}

interface Folder {
  /** By the last part of their paths; two of one path are two files. */
  readonly files: ReadonlyMap<string, readonly GivenFile[]>;
  readonly companions: (own: string) => string[];
}

function foldersOf(given: readonly GivenFile[]): Map<string, Folder> {
  const folders = new Map<string, Folder>();
  for (const file of given) {
    const path = folderOf(file.path);
    let folder = folders.get(path);
    if (folder === undefined) {
      const files = new Map<string, GivenFile[]>();
      folder = { files, companions: companionsIn(() => [...files.keys()]) };
      folders.set(path, folder);
    }
    const files = folder.files as Map<string, GivenFile[]>;
    const own = files.get(baseOf(file.path));
    if (own === undefined) files.set(baseOf(file.path), [file]);
    else own.push(file);
  }
  return folders;
}
