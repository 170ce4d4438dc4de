/** Paths to bytes and back. Output is written beside its target and renamed, so that a reader never sees half a file. */
import { createReadStream, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type InputFile, StatError } from "../index.ts";

/** More would not fit into memory beside the tables made of it. */
const MOST_FOLDER_BYTES = 1 << 30;
const STDIN = "-";

function missing(path: string, error: unknown): StatError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") {
    const near = neighbours(path);
    return new StatError("NoSuchFile", `no file "${path}".`, near === "" ? "Check the path." : `There is ${near}.`);
  }
  if (code === "EACCES") return new StatError("NotReadable", `"${path}" may not be read.`, "Change its permissions.");
  return new StatError("NotReadable", `"${path}" cannot be read (${code ?? String(error)}).`, "Check the path.");
}

/** Some files that do exist in the folder, for a mistyped name. */
function neighbours(path: string): string {
  try {
    return readdirSync(dirname(resolve(path)))
      .filter((name) => !name.startsWith("."))
      .slice(0, 5)
      .join(", ");
  } catch {
    return "";
  }
}

export function isFolder(path: string): boolean {
  if (path === STDIN) return false;
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw missing(path, error);
  }
}

/** Every file behind the paths: files as they are, folders with all that they hold (hidden files left out). */
export function readInputs(paths: readonly string[]): InputFile[] {
  return paths.flatMap((path) => (isFolder(path) ? readFolder(path) : [readFileBytes(path)]));
}

/** A file with those beside it that belong to the same run: the logs of some tools are spread over several files. */
export function readWithCompanions(path: string): InputFile[] {
  if (path === STDIN || isFolder(path)) return readInputs([path]);
  const own = basename(path);
  const folder = dirname(path);
  const siblings = readdirSync(folder)
    .filter((name) => name !== own && belongsTogether(own, name))
    .sort();
  return [path, ...siblings.map((name) => join(folder, name))].map(readFileBytes);
}

const HELM_FILES = ["run_spec.json", "scenario.json", "stats.json", "per_instance_stats.json"];

function belongsTogether(own: string, other: string): boolean {
  if (HELM_FILES.includes(own)) return HELM_FILES.includes(other);
  const stem = (name: string): string =>
    name.replace(/^(samples_.*_|results_)(?=\d{4}-)/, "").replace(/(_samples)?\.jsonl?$/, "");
  const isLog = (name: string): boolean =>
    /^(samples_|results_).*\.jsonl?$/.test(name) || /^[0-9a-f-]{36}(_samples\.jsonl|\.json)$/.test(name);
  // one results file serves many samples files, but the samples of another task are another table
  const bothSamples = own.startsWith("samples_") && other.startsWith("samples_");
  return isLog(own) && isLog(other) && !bothSamples && stem(own) === stem(other);
}

export function readFileBytes(path: string): InputFile {
  if (path === STDIN) return { name: "standard input", bytes: readFileSync(0) };
  try {
    return { name: basename(path), bytes: readFileSync(path) };
  } catch (error) {
    throw missing(path, error);
  }
}

function readFolder(folder: string): InputFile[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.split(sep).some((part) => part.startsWith(".")))
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
  if (names.length === 0)
    throw new StatError("EmptyFolder", `the folder "${folder}" holds no files.`, "Give a file or another folder.");
  const total = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  if (total > MOST_FOLDER_BYTES) {
    throw new StatError(
      "FolderTooLarge",
      `the folder "${folder}" holds ${(total / 2 ** 30).toFixed(1)} GB.`,
      "Name the files to read.",
    );
  }
  // names keep the folder's own, which in some logs says what was run
  const base = dirname(resolve(folder));
  return names.map((name) => ({
    name: relative(base, resolve(folder, name)).split(sep).join("/"),
    bytes: readFileSync(join(folder, name)),
  }));
}

/** Chunks of a file as they come from the disk, with what was read so far. */
export async function* readChunks(path: string): AsyncGenerator<{ bytes: Uint8Array; done: number; size: number }> {
  const size = path === STDIN ? 0 : statSync(path).size;
  let done = 0;
  const stream = path === STDIN ? process.stdin : createReadStream(path, { highWaterMark: 1 << 20 });
  for await (const bytes of stream) {
    done += (bytes as Uint8Array).length;
    yield { bytes: bytes as Uint8Array, done, size };
  }
}

/** The first bytes of a file, to see what it is. */
export async function readHead(path: string, length: number): Promise<{ head: Uint8Array; size: number }> {
  try {
    const size = statSync(path).size;
    for await (const chunk of createReadStream(path, { start: 0, end: length - 1 })) {
      return { head: chunk as Uint8Array, size };
    }
    return { head: new Uint8Array(0), size };
  } catch (error) {
    throw missing(path, error);
  }
}

/** All or nothing. */
export function writeOutput(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StatError("NotWritable", `"${path}" cannot be written (${code}).`, "Choose another --out.");
  }
}
