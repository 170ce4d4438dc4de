/** Plain text as lines, whatever it looks like: a translation may well resemble a table. */
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Diagnostic, StatError } from "../index.ts";
import { readFileBytes } from "./files.ts";

export interface Lines {
  readonly path: string;
  readonly lines: readonly string[];
  /** Whether the file starts with a byte-order mark, which is no part of the first line. */
  readonly marked: boolean;
}

export function readLines(path: string, encoding = "utf-8"): Lines {
  const { bytes, name } = readFileBytes(path);
  const unpacked = unpack(bytes, name);
  const text = decode(unpacked, name, encoding);
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) {
    throw new StatError("EmptyFile", `${path === "-" ? name : path} is empty.`, "Give a file with one segment a line.");
  }
  return { path: path === "-" ? name : path, lines, marked: MARK.every((byte, k) => unpacked[k] === byte) };
}

const MARK = [0xef, 0xbb, 0xbf];

/** sacreBLEU keeps the mark as a character of the first word. */
export function noteMarks(files: readonly Lines[]): Diagnostic[] {
  const marked = files.filter((file) => file.marked).map(({ path }) => path);
  if (marked.length === 0) return [];
  const message = `${marked.join(", ")} ${marked.length === 1 ? "starts" : "start"} with a byte-order mark, which was left out.`;
  const fix = "sacreBLEU counts it as part of the first word. Remove the mark from the file and both agree.";
  return [{ code: "ByteOrderMark", severity: "note", message, fix }];
}

/** Far more than a test set has; a text stands in memory twice while it is decoded. */
const MOST_BYTES = 2 ** 28;

function unpack(bytes: Uint8Array, name: string): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw new StatError("FileTooLarge", `${name}: unpacked it has more than 256 MB.`, "Unpack it and give a part.");
    }
    throw new StatError(
      "BadGzip",
      `${name}: the compressed data is damaged or truncated.`,
      "Copy or compress the file again.",
    );
  }
}

function decode(bytes: Uint8Array, name: string, encoding: string): string {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new StatError("UnknownEncoding", `--encoding ${encoding}: no such encoding.`, "Write utf-8 or windows-1252.");
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new StatError("InvalidEncoding", `${name}: the bytes are not ${encoding} text.`, "Name its --encoding.");
  }
}

const tellLines = ({ lines }: Lines): string => `${lines.length} ${lines.length === 1 ? "line" : "lines"}`;

export function requireSameLength(files: readonly Lines[]): void {
  const [first] = files;
  const odd = files.find(({ lines }) => lines.length !== first!.lines.length);
  if (odd === undefined) return;
  throw new StatError(
    "UnequalLength",
    `"${first!.path}" has ${tellLines(first!)} and "${odd.path}" has ${tellLines(odd)}.`,
    "Give files of the same segments, line by line.",
  );
}

/** File names without extensions; the whole path where two would be the same. */
export function nameSystems(paths: readonly string[]): string[] {
  const stems = paths.map((path) =>
    path === "-" ? "system" : basename(path).replace(/(?<!\.(txt|gz|tsv|csv))(\.(txt|gz|tsv|csv))+$/i, ""),
  );
  return stems.map((stem, i) => (stems.indexOf(stem) === i && stems.lastIndexOf(stem) === i ? stem : paths[i]!));
}
