/** Translations and summaries as plain texts, one segment a line: hypotheses of systems, and what they are held against. */
import { type Imported, importFiles, StatError } from "../../src/index.ts";
import type { FileGroup } from "./grouping.ts";
import type { Offer } from "./protocol.ts";

export interface TextFile {
  readonly path: string;
  readonly lines: readonly string[];
}

const MOST_BYTES = 64 * 2 ** 20;
const PLAIN_TEXT = /\.txt(\.gz)?$/i;

/** Several plain texts are texts; a single one may still be a table. */
export const areTexts = (groups: readonly FileGroup[]): boolean =>
  groups.length > 1 && groups.every(({ path, files }) => files.length === 1 && PLAIN_TEXT.test(path));

export async function readText({ path, files }: FileGroup): Promise<TextFile> {
  const bytes = await unpacked(files[0]!.file, path);
  const text = decoded(bytes, path);
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) throw new StatError("EmptyFile", `${path} is empty.`, "Give a file with one segment a line.");
  return { path, lines };
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new StatError("BadEncoding", `${path} is not written in UTF-8.`, "Convert it to UTF-8.");
  }
}

async function unpacked(file: File, path: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new StatError(
        "BadGzip",
        `${path}: the compressed data is damaged or truncated.`,
        "Copy or compress the file again.",
      );
    });
    if (done) break;
    size += value.length;
    if (size > MOST_BYTES)
      throw new StatError("TooLarge", `${path}: unpacked it has more than 64 MB.`, "Unpack it and give a part.");
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The lines as a table, for the doors that take tables. */
export function tableOfTexts(texts: readonly TextFile[]): Promise<Imported> {
  const rows = texts.flatMap(({ path, lines }) =>
    lines.map((text, line) => JSON.stringify({ system: path, item: line + 1, text })),
  );
  return importFiles([{ name: "texts.jsonl", bytes: new TextEncoder().encode(rows.join("\n")) }]);
}

/** The file whose name says that the others are held against it. */
export const namedReference = (texts: readonly TextFile[]): string | undefined =>
  texts.find(({ path }) => /(^|[^a-z])(ref|reference|references|gold|target)([^a-z]|$)/i.test(path))?.path;

export const TEXT_METRICS = ["bleu", "chrf", "chrf++", "ter"] as const;

export function offersOfTexts(texts: readonly TextFile[]): Offer[] {
  const reference = namedReference(texts);
  const others = texts.filter(({ path }) => path !== reference).map(({ path }) => path);
  if (others.length < 2) return [];
  const named = reference !== undefined && others.length === 2 ? others.join(" and ") : `the ${others.length} texts`;
  return [
    {
      question:
        reference === undefined
          ? "Which text is closer to the reference?"
          : `Which of ${named} is closer to the reference?`,
      note: reference === undefined ? "choose the reference there" : `${reference} is the reference, by its name`,
      door: "compare",
      settings: {},
    },
  ];
}

/** Of hypotheses against references; refused where their lines do not pair. */
export function pairTexts(texts: readonly TextFile[], chosen: readonly string[]) {
  const references = texts.filter(({ path }) => chosen.includes(path));
  const files = texts.filter(({ path }) => !chosen.includes(path));
  if (references.length === 0 || files.length === 0)
    throw new StatError("NoReference", "which text is the reference?", "Choose it beside this answer.");
  const [first] = references;
  const odd = texts.find(({ lines }) => lines.length !== first!.lines.length);
  if (odd !== undefined)
    throw new StatError(
      "UnequalLength",
      `${first!.path} has ${first!.lines.length} lines and ${odd.path} has ${odd.lines.length}.`,
      "Give files of the same segments, line by line.",
    );
  const stems = files.map(({ path }) =>
    path.slice(path.lastIndexOf("/") + 1).replace(/(?<!\.(txt|gz|tsv|csv))(\.(txt|gz|tsv|csv))+$/i, ""),
  );
  const names = stems.map((stem, i) => (stems.indexOf(stem) === stems.lastIndexOf(stem) ? stem : files[i]!.path));
  return {
    paths: files.map(({ path }) => path),
    references: references.map(({ path }) => path),
    data: {
      hypotheses: Object.fromEntries(files.map(({ lines }, i) => [names[i]!, lines])),
      references: references.map(({ lines }) => lines),
    },
  };
}
