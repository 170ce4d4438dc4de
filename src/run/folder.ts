/** A journal in a folder: every writer has a file of its own and only appends to it, so that any number of processes on any number of
 *  machines share one without locks; a reader takes the union. A line is one write: whole, or torn at the end where a process died. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { arch, pid, version } from "node:process";
import { StatError } from "../result/error.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import {
  headerFault,
  type Line,
  makeIndex,
  readLine,
  type StoredPiece,
  type StoredSet,
  type Writer,
  writeHeader,
  writePiece,
  writeSet,
} from "./journal.ts";
import type { Journal } from "./journal-runner.ts";

const ENDING = ".jsonl";
/** Read at a time; also the longest line that is believed. */
const CHUNK = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface FolderOptions extends Pick<Writer, "build" | "module" | "shard"> {
  /** Of the file's name, before host and process: "local". */
  readonly name?: string | undefined;
}

export interface FolderJournal extends Journal {
  readonly folder: string;
  /** What whoever reads the answer should know, as sentences. */
  notes(): string[];
  /** The files with what they hold, for a list of runs. */
  files(): readonly FileContent[];
}

export interface FileContent {
  readonly name: string;
  readonly writer: Writer;
  readonly sets: ReadonlyMap<string, StoredSet>;
  /** Pieces by their set. */
  readonly pieces: ReadonlyMap<string, readonly Omit<StoredPiece, "out">[]>;
}

/** What is known of one file so far. */
interface Reading {
  readonly name: string;
  at: number;
  /** Behind the last line break. */
  rest: Buffer;
  writer?: Writer;
  /** The first line was none of a journal: nothing below is believed. */
  headless: boolean;
  damaged: number;
  readonly sets: Map<string, StoredSet>;
  readonly pieces: Map<string, Omit<StoredPiece, "out">[]>;
}

/** Nothing is created before the first answer is to be written. */
export function openFolder(folder: string, options: FolderOptions = {}): FolderJournal {
  const { name = "local", build, module, shard } = options;
  const writer: Writer = { gosset: GOSSET_VERSION, build, node: version, arch, module, shard };
  const index = makeIndex();
  const readings = new Map<string, Reading>();
  const appender = makeAppender(folder, name, writer);
  const take = (reading: Reading, line: Line): void => {
    if (line.kind === "piece") {
      index.add(line.piece, join(folder, reading.name));
      const { out: _, ...place } = line.piece;
      const own = reading.pieces.get(place.set);
      if (own === undefined) reading.pieces.set(place.set, [place]);
      else own.push(place);
    } else if (line.kind === "set") reading.sets.set(line.set.set, line.set);
    else reading.damaged += 1;
  };
  return {
    writer,
    folder,
    refresh() {
      for (const file of listFiles(folder)) {
        const reading = readings.get(file) ?? startReading(file);
        readings.set(file, reading);
        readOn(folder, reading, (line) => {
          if (reading.headless) return;
          if (reading.writer !== undefined) return take(reading, line);
          const fault = headerFault(line, writer, join(folder, file));
          if (fault !== undefined) throw fault;
          if (line.kind === "header") reading.writer = line.writer;
          else reading.headless = true;
        });
      }
    },
    find: (set, place) => index.find(set, place),
    open: appender.open,
    add: appender.add,
    close: appender.close,
    notes: () => noteFaults(folder, [...readings.values()], writer),
    files: () =>
      [...readings.values()].flatMap((own) => (own.writer === undefined ? [] : [{ ...own, writer: own.writer }])),
  };
}

const startReading = (name: string): Reading => ({
  name,
  at: 0,
  rest: Buffer.alloc(0),
  headless: false,
  damaged: 0,
  sets: new Map(),
  pieces: new Map(),
});

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  if (!statSync(folder).isDirectory()) {
    throw new StatError("NotAJournal", `"${folder}" is a file.`, "A journal is a folder: name another place.");
  }
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && entry.name.endsWith(ENDING)).map((entry) => entry.name);
  } catch (error) {
    throw new StatError("NotReadable", `the journal "${folder}" cannot be read (${codeOf(error)}).`, "See its rights.");
  }
}

/** The lines that were added since the last time. */
function readOn(folder: string, reading: Reading, take: (line: Line) => void): void {
  let file: number;
  try {
    file = openSync(join(folder, reading.name), "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return; // removed since the folder was listed
    throw new StatError(
      "NotReadable",
      `"${join(folder, reading.name)}" cannot be read (${codeOf(error)}).`,
      "See its rights, or remove it.",
    );
  }
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(CHUNK, Math.max(0, size - reading.at)));
    while (reading.at < size) {
      const length = readSync(file, buffer, 0, buffer.length, reading.at);
      if (length === 0) return;
      reading.at += length;
      const text = Buffer.concat([reading.rest, buffer.subarray(0, length)]);
      const end = text.lastIndexOf(NEWLINE) + 1;
      // a copy: the buffer is filled again; what is longer than any line of ours is none
      reading.rest = text.length - end > CHUNK ? Buffer.alloc(0) : Buffer.from(text.subarray(end));
      for (const line of text.toString("utf8", 0, end).split("\n")) if (line !== "") take(readLine(line));
    }
  } finally {
    closeSync(file);
  }
}

function makeAppender(folder: string, name: string, writer: Writer): Pick<Journal, "open" | "add" | "close"> {
  const path = join(folder, `${name}.${hostname()}.${pid}.${randomBytes(4).toString("hex")}${ENDING}`);
  const told = new Set<string>();
  let file: number | undefined;
  let start = 0;
  const guarded = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      throw new StatError(
        "NotWritable",
        `the journal "${folder}" cannot be written (${codeOf(error)}).`,
        "What is in it counts: make room or name another folder, and run the same command again.",
      );
    }
  };
  const append = (line: string): void => {
    const bytes = Buffer.from(`${line}\n`);
    const written = writeSync(file!, bytes);
    // a disk that fills up takes part of a line, which stays torn
    if (written < bytes.length) throw Object.assign(new Error("short write"), { code: "ENOSPC" });
  };
  const open = (): void => {
    if (file !== undefined) return;
    guarded(() => {
      mkdirSync(folder, { recursive: true });
      file = openSync(path, "ax");
      start = performance.now();
      append(writeHeader(writer));
    });
  };
  return {
    open,
    add(set, { from, count }, out) {
      open();
      guarded(() => {
        if (!told.has(set.set)) append(writeSet(set));
        told.add(set.set);
        append(writePiece({ set: set.set, from, count, out, ms: Math.round(performance.now() - start) }));
      });
    },
    close() {
      if (file === undefined) return;
      const own = file;
      file = undefined;
      guarded(() => {
        fsyncSync(own);
        closeSync(own);
      });
    },
  };
}

function noteFaults(folder: string, readings: readonly Reading[], own: Writer): string[] {
  const damaged = readings.reduce((sum, reading) => sum + reading.damaged, 0);
  const headless = readings.filter((reading) => reading.headless);
  const major = (text: string | undefined): string => /^v?(\d+)/.exec(text ?? "")?.[1] ?? "";
  const others = readings.filter(
    ({ writer }) =>
      writer?.node !== undefined &&
      writer.arch !== undefined &&
      (writer.arch !== own.arch || major(writer.node) !== major(own.node)),
  );
  return [
    ...(damaged === 0
      ? []
      : [
          `${damaged === 1 ? "a line" : `${damaged} lines`} of the journal "${folder}" ${damaged === 1 ? "is" : "are"} damaged and not believed: what stood there is drawn again.`,
        ]),
    ...headless.map(({ name }) => `"${join(folder, name)}" does not begin like a journal: nothing in it is believed.`),
    ...others.map(
      ({ name, writer }) =>
        `"${join(folder, name)}" was written by Node ${String(writer!.node)} on ${String(writer!.arch)}, this is ${own.node} on ${own.arch}: the last digits may differ.`,
    ),
  ];
}

const codeOf = (error: unknown): string => (error as { readonly code?: string }).code ?? String(error);
