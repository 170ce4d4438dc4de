/** Paths to bytes and back. Output is written beside its target and renamed, so that a reader never sees half a file. */
import { createHash, randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  type Dirent,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type InputFile, reviveResult, StatError } from "../index.ts";
import { companionsIn } from "../io.ts";
import { nearest } from "../text.ts";
import { schemaFault } from "./schema/check.ts";
import { superviseParquet } from "./supervise.ts";

/** What an import may take unless the user says otherwise. Of that the files themselves, as they are on the disk, may take half: what is
 *  made of them stands beside them. The same holds for what has no size, and may never end: a pipe or a device. */
const DEFAULT_MEMORY = 2 ** 30;
const mostBytes = (maxMemory: number | undefined): number => Math.floor((maxMemory ?? DEFAULT_MEMORY) / 2);
/** Of what people wrote: a plan, a policy. */
const MOST_TEXT_BYTES = 2 ** 26;
/** Of a stored result, of which a report of fifty times its size in memory is made; thousands of pairs of systems have less. */
const MOST_RESULT_BYTES = 2 ** 24;
const STDIN = "-";
const NAMES_SHOWN = 5;

function missing(path: string, error: unknown): StatError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") {
    return new StatError("NoSuchFile", `no file "${path}".`, nearbyNames(path));
  }
  if (code === "EACCES")
    return new StatError("NotReadable", `"${path}" is not readable (permission denied).`, "Change its permissions.");
  if (code === "ELOOP") return new StatError("NotReadable", `"${path}" is a link to itself.`, "Fix the link.");
  if (code === "EISDIR") return new StatError("NotReadable", `"${path}" is a folder, not a file.`, "Give a file.");
  return new StatError("NotReadable", `"${path}" cannot be read (${code ?? String(error)}).`, "Check the path.");
}

/** The name that was probably meant, else some of those that exist. */
export function nearbyNames(path: string): string {
  const folder = dirname(path);
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return `There is no folder "${folder}" either.`;
  }
  const near = nearest(basename(path), names);
  if (near !== undefined) return `Did you mean "${folder === "." ? near : join(folder, near)}"?`;
  if (names.length === 0) return "Its folder is empty.";
  return `There is ${names.slice(0, NAMES_SHOWN).join(", ")}${names.length > NAMES_SHOWN ? ", …" : "."}`;
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
export function readInputs(paths: readonly string[], maxMemory?: number): InputFile[] {
  const files = paths.flatMap((path) =>
    isFolder(path) ? readFolder(path, maxMemory) : [readFileBytes(path, mostBytes(maxMemory))],
  );
  superviseParquet(files);
  return files;
}

/** Each file with those beside it that belong to the same run: the logs of some tools are spread over several files. All of them
 *  together are held against the limit on bytes. */
export function readWithCompanions(paths: readonly string[], maxMemory?: number): InputFile[][] {
  return paths.map(readerWithCompanions(maxMemory));
}

/** All of them as one list; files of one name in several folders go by their paths, which tell them apart. */
export function readTogether(paths: readonly string[], maxMemory?: number): InputFile[] {
  const runs = readWithCompanions(paths, maxMemory);
  const names = runs.flatMap((own) => own.map(({ name }) => name));
  if (new Set(names).size === names.length) return runs.flat();
  return runs.flatMap((own, k) => own.map((file) => withFolder(file, paths[k]!)));
}

const withFolder = (file: InputFile, path: string): InputFile =>
  path === STDIN || isFolder(path) ? file : { ...file, name: join(dirname(path), file.name) };

/** The same, one after the other; `paths` are those that will be asked for. */
export function readerWithCompanions(maxMemory?: number, paths: readonly string[] = []): (path: string) => InputFile[] {
  const folders = new Map<string, (own: string) => string[]>();
  const most = mostBytes(maxMemory);
  let total = 0;
  const apart = new Set(paths.map((path) => basename(path))).size === paths.length;
  return (path) => {
    const read = path === STDIN || isFolder(path) ? readInputs([path], maxMemory) : readRun(path, folders, maxMemory);
    const files = apart ? read : read.map((file) => withFolder(file, path));
    total += files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (total > most) throw tooLarge(`the files together have more than ${sayBytes(most)}`);
    return files;
  };
}

function readRun(
  path: string,
  folders: Map<string, (own: string) => string[]>,
  maxMemory: number | undefined,
): InputFile[] {
  const folder = dirname(path);
  const companions = folders.get(folder) ?? companionsIn(() => listFolder(folder));
  folders.set(folder, companions);
  const siblings = companions(basename(path)).map((name): InputFile => {
    const own = join(folder, name);
    const unread = isLink(own) ? whyUnread(own, realpathSync(folder)) : undefined;
    return unread === undefined ? readFileBytes(own, mostBytes(maxMemory)) : { name, bytes: new Uint8Array(0), unread };
  });
  const files = [readFileBytes(path, mostBytes(maxMemory)), ...siblings];
  superviseParquet(files);
  return files;
}

/** A folder whose names may not be listed has no companions to offer. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function readFileBytes(path: string, most = mostBytes(undefined)): InputFile {
  const name = path === STDIN ? "standard input" : basename(path);
  try {
    const stats = path === STDIN ? undefined : statSync(path);
    if (stats?.isFile() !== true) return { name, bytes: readStream(path, most) };
    if (stats.size > most) throw tooLarge(`"${path}" has ${sayBytes(stats.size)}, where ${sayBytes(most)} are allowed`);
    return { name, bytes: readFileSync(path) };
  } catch (error) {
    if (error instanceof StatError) throw error;
    throw missing(path === STDIN ? name : path, error);
  }
}

/** A text that people or this program wrote. */
export function readTextFile(path: string, most = MOST_TEXT_BYTES): string {
  return new TextDecoder().decode(readFileBytes(path, most).bytes);
}

/** A result as --json stored it; what is none is said of the file. */
export const readResultFile = (path: string): string => checkResult(readTextFile(path, MOST_RESULT_BYTES), `"${path}"`);

/** The text of a stored result, which may be a stranger's: of the types that this version writes, or refused before anything is made of it. */
export function checkResult(text: string, name: string): string {
  if (text.length > MOST_RESULT_BYTES)
    throw tooLarge(`${name} has ${sayBytes(text.length)}, where ${sayBytes(MOST_RESULT_BYTES)} are allowed`);
  const fault = resultFault(text);
  if (fault === undefined) return text;
  throw new StatError("NotAResult", `${name}: ${fault}`, "Give a file that --json of this version wrote.");
}

function resultFault(text: string): string | undefined {
  try {
    const { kind, toJSON } = reviveResult(text);
    const other = schemaFault(toJSON() as { readonly kind: string });
    return other === undefined ? undefined : `not a stored result: ${other}, which a ${kind} has not.`;
  } catch (error) {
    if (!(error instanceof StatError) || error.code !== "NotAResult") throw error;
    return error.message.replace("this JSON is not", "not");
  }
}

function sayBytes(bytes: number): string {
  if (bytes >= 2 ** 30) return `${(bytes / 2 ** 30).toFixed(1)} GB`;
  return bytes >= 2 ** 20 ? `${Math.round(bytes / 2 ** 20)} MB` : `${bytes} bytes`;
}

/** In the words of the importers' own limits. */
function tooLarge(what: string): StatError {
  return new StatError(
    "OverBudget",
    `${what} (the limit on the size of files on disk).`,
    "If you trust the data, raise `maxMemory`, or give only the part that you need.",
  );
}

/** All that comes out of a pipe or device. Pages of the buffer that are never written take no memory. */
function readStream(path: string, most: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(most + 1);
  const from = path === STDIN ? 0 : openSync(path, "r");
  let length = 0;
  try {
    for (;;) {
      const read = readSync(from, bytes, length, bytes.length - length, null);
      length += read;
      if (read === 0) return bytes.subarray(0, length);
      if (length > most)
        throw tooLarge(`${path === STDIN ? "standard input" : `"${path}"`} has more than ${sayBytes(most)}`);
    }
  } finally {
    if (from !== 0) closeSync(from);
  }
}

function readFolder(folder: string, maxMemory: number | undefined): InputFile[] {
  const found = walkFolder(folder, realpathSync(folder)).sort((a, b) => (a.path < b.path ? -1 : 1));
  if (found.every(({ unread }) => unread !== undefined)) {
    const [link] = found;
    const links = link === undefined ? "" : ` but links, such as "${link.path}", ${link.unread}`;
    // a snapshot of the Hugging Face cache is made of links into its folder "blobs"
    const fix =
      link === undefined ? "Give a file or another folder." : "Name the links that you trust as single files.";
    throw new StatError("EmptyFolder", `the folder "${folder}" holds no files${links}.`, fix);
  }
  const total = found.reduce((sum, { size }) => sum + size, 0);
  const most = mostBytes(maxMemory);
  if (total > most)
    throw tooLarge(`the folder "${folder}" holds ${sayBytes(total)}, where ${sayBytes(most)} are allowed`);
  // names keep the folder's own, which in some logs says what was run
  const base = dirname(resolve(folder));
  return found.map(({ path, unread }) => {
    const name = relative(base, resolve(path)).split(sep).join("/");
    return unread === undefined ? { ...readFileBytes(path, most), name } : { name, bytes: new Uint8Array(0), unread };
  });
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** The same of a file that stands beside the data and that nobody named. */
export const whyNotTaken = (path: string): string | undefined =>
  isLink(path) ? whyUnread(path, realpathSync(dirname(path))) : undefined;

/** Why a link in a folder is not followed: whoever made the folder may have pointed it at a file that is none of theirs, which a bundle
 *  would publish. Undefined where it stays within `root`, which is without links. */
function whyUnread(path: string, root: string): string | undefined {
  if (followLink(path) === undefined) return "a broken link";
  const within = relative(root, realpathSync(path));
  return within.split(sep)[0] === ".." || isAbsolute(within) ? "a link to a place outside its folder" : undefined;
}

/** What a path leads to; undefined for a link to nothing or to itself. */
function followLink(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") return undefined;
    throw missing(path, error);
  }
}

interface Found {
  readonly path: string;
  readonly size: number;
  readonly unread?: string | undefined;
}

/** Files below a folder with their sizes. Pipes and devices are no data, and links to folders are not followed, since they may lead back. */
function walkFolder(folder: string, root: string): Found[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw missing(folder, error);
  }
  return entries
    .filter((entry) => !entry.name.startsWith("."))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walkFolder(path, root);
      const stats = followLink(path);
      const isFile = stats?.isFile() ?? true;
      if (!isFile) return [];
      const unread = entry.isSymbolicLink() ? whyUnread(path, root) : undefined;
      return [{ path, size: unread === undefined ? (stats?.size ?? 0) : 0, unread }];
    });
}

/** Chunks of a file as they come from the disk, with what was read so far. */
export async function* readChunks(path: string): AsyncGenerator<{ bytes: Uint8Array; done: number; size: number }> {
  const size = path === STDIN ? 0 : statSync(path).size;
  let done = 0;
  const stream = path === STDIN ? process.stdin : createReadStream(path, { highWaterMark: 1 << 20 });
  try {
    for await (const bytes of stream) {
      done += (bytes as Uint8Array).length;
      yield { bytes: bytes as Uint8Array, done, size };
    }
  } catch (error) {
    throw error instanceof StatError ? error : missing(path, error);
  }
}

/** Whether the file has a size and can be read twice: a pipe such as <(zcat x.gz) gives its bytes once. */
export function isRegularFile(path: string): boolean {
  try {
    return path !== STDIN && statSync(path).isFile();
  } catch (error) {
    throw missing(path, error);
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

/** Set where the command comes from a stranger. */
export const READ_ONLY = "GOSSET_READ_ONLY";

/** All or nothing for files; a link keeps pointing where it does, and a device or pipe is written to, not replaced. */
export function writeOutput(path: string, text: string | Uint8Array): void {
  if (process.env[READ_ONLY] !== undefined)
    throw new StatError("MayNotWrite", `a stored command may not write "${path}".`, "Run the command yourself.");
  try {
    const link = isLink(path);
    const there = statSync(path, { throwIfNoEntry: false });
    // a link to a file that is not there yet: writing through it makes the file
    if (there === undefined ? link : !there.isFile()) writeFileSync(path, text);
    else replaceFile(link ? realpathSync(path) : path, text, there);
  } catch (error) {
    throw notWritable(`"${path}"`, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}

/** What the system says, in words. */
const WHY_NOT: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "the disk is full",
  EISDIR: "it is a folder",
  ENOENT: "there is no such folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "its parent is not a folder",
  EPERM: "permission denied",
  EROFS: "its disk may only be read",
};

const notWritable = (what: string, code: string): StatError =>
  new StatError("NotWritable", `${what} cannot be written: ${WHY_NOT[code] ?? code}.`, "Choose another place.");

/** Refuses before anything is computed a place that could not be written to after. */
export function checkOutput(path: string, flag: string): void {
  if (path.trim() === "") throw new StatError("BadOption", `${flag} "": no file name.`, "Name the file.");
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory())
    throw new StatError("NotWritable", `${flag} ${path} is a folder, not a file.`, "Name a file in it.");
  if (there !== undefined && !there.isFile()) return;
  try {
    accessSync(dirname(path), constants.W_OK);
    if (!statSync(dirname(path)).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw notWritable(`${flag} ${path}`, code);
    throw new StatError(
      "NotWritable",
      `${flag} ${path}: there is no folder "${dirname(path)}".`,
      "Create it first, or choose another folder.",
    );
  }
}

function replaceFile(path: string, text: string | Uint8Array, old: Stats | undefined): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  // nobody can have put a file or link of that name there, and if so it is not written to ("x")
  writeFileSync(temporary, "", { flag: "wx", ...(old === undefined ? {} : { mode: old.mode }) });
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Relative imports of a module. */
const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?["'](\.{1,2}\/[^"']+)["']/g;
const DIGITS = 16;

/** What a user's module consists of: its own text and that of the files that it imports by a relative path, so that a changed scenario
 *  is another simulation. Packages, and data that it reads, are not looked at. */
export function hashModule(path: string): string {
  const hash = createHash("sha256");
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    hash.update(`${text.length}\n${text}\n`);
    for (const [, target] of text.matchAll(IMPORT)) visit(resolve(dirname(file), target!));
  };
  visit(resolve(path));
  return hash.digest("hex").slice(0, DIGITS);
}

export const hashText = (text: string | Uint8Array): string =>
  createHash("sha256").update(text).digest("hex").slice(0, DIGITS);

export const hashFile = (path: string | URL): string => hashText(readFileSync(path));
