/** Bytes to text. UTF-8 is the rule; a byte order mark may announce UTF-16; other encodings only when the caller names them. */
import { StatError } from "../result/error.ts";

/** "utf-8" honours a byte order mark of UTF-16; any other label of the WHATWG Encoding Standard is taken literally. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | (string & {});

export interface Mark {
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be";
  /** Length of the mark. */
  readonly bytes: number;
}

export function readMark(bytes: Uint8Array): Mark {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: "utf-8", bytes: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "utf-16le", bytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: "utf-16be", bytes: 2 };
  return { encoding: "utf-8", bytes: 0 };
}

/** V8's longest string; other engines allow more. */
const MAX_TEXT = 2 ** 29 - 24;

/** The whole text without its byte order mark; bytes that are no text in the encoding are an error. */
export function decodeText(input: Uint8Array | string, name = "", encoding: Encoding = "utf-8"): string {
  if (typeof input === "string") return input.startsWith("\uFEFF") ? input.slice(1) : input;
  if (input.length > MAX_TEXT) {
    throw new StatError(
      "FileTooLarge",
      `${place(name)}${input.length} bytes are more than one text can hold.`,
      "split the file, or convert it to CSV, JSON lines or Parquet, which are read piece by piece.",
    );
  }
  const mark = readMark(input);
  const actual = encoding === "utf-8" ? mark.encoding : encoding;
  try {
    return makeDecoder(actual).decode(actual === mark.encoding ? input.subarray(mark.bytes) : input);
  } catch (error) {
    if (error instanceof StatError) throw error;
    throw notText(place(name), actual);
  }
}

/** A strict decoder that leaves byte order marks alone. */
export function makeDecoder(encoding: Encoding): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  } catch {
    throw new StatError("UnknownEncoding", `no encoding "${encoding}".`, 'use "utf-8", "utf-16le" or "windows-1252".');
  }
}

export function notText(where: string, encoding: Encoding): StatError {
  return new StatError(
    "InvalidEncoding",
    `${where}the bytes are not ${encoding.toUpperCase()} text.`,
    'save the file as UTF-8, or name its encoding (`encoding`; often "windows-1252" for older spreadsheets).',
  );
}

/** "results.csv, line 17: " with the parts that are known. */
export function place(name: string, line = 0): string {
  const parts = [name, line > 0 ? `line ${line}` : ""].filter((part) => part !== "");
  return parts.length === 0 ? "" : `${parts.join(", ")}: `;
}

/** Turns chunks of any encoding into chunks of UTF-8; characters may straddle chunks. */
export function createTranscoder(
  encoding: Encoding,
  name: string,
): { push(bytes: Uint8Array): Uint8Array; finish(): Uint8Array } {
  const decoder = makeDecoder(encoding);
  const encoder = new TextEncoder();
  const decode = (bytes: Uint8Array, stream: boolean) => {
    try {
      return encoder.encode(decoder.decode(bytes, { stream }));
    } catch {
      throw notText(place(name), encoding);
    }
  };
  return { push: (bytes) => decode(bytes, true), finish: () => decode(new Uint8Array(0), false) };
}
