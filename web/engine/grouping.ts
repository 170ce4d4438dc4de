/** Files that were dropped, by the runs that they belong to: what the command line finds beside a file is looked for among them. */
import { belongsTogether } from "../../src/io.ts";
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
  const used = new Set<GivenFile>();
  const groups: FileGroup[] = [];
  const sorted = [...given].sort((a, b) => order(a.path) - order(b.path));
  for (const own of sorted) {
    if (used.has(own)) continue;
    const beside = given.filter(
      (other) =>
        other !== own &&
        folderOf(other.path) === folderOf(own.path) &&
        belongsTogether(baseOf(own.path), baseOf(other.path)),
    );
    for (const one of [own, ...beside]) used.add(one);
    const folder = folderOf(own.path);
    const path = beside.length > 0 && folder !== "" && isWholeFolder(own.path) ? folder : own.path;
    groups.push({ path, files: [own, ...beside] });
  }
  return groups.sort((a, b) => given.indexOf(a.files[0]!) - given.indexOf(b.files[0]!));
}
