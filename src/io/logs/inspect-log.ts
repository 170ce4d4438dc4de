/** Inspect logs (UK AI Security Institute) as parts: header, samples, reductions; from .json or from the .eval archive.
 *  In an archive the summaries are read, not the samples with their transcripts, unless summaries lack what is needed. */

import { StatError } from "../../result/error.ts";
import { parseJson } from "../json/parse.ts";
import { asArray, asObject, getPath, type JsonObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { readZipEntry, type ZipEntry } from "../packed/zip.ts";

export interface InspectLog {
  readonly name: string;
  readonly header: JsonObject;
  readonly samples: readonly unknown[];
  readonly reductions: readonly unknown[];
  /** Whether the log was closed by Inspect. */
  readonly closed: boolean;
}

/** Below this, samples are opened as well for the metadata that old summaries leave out. */
const METADATA_BYTES = 32 * 1024 * 1024;

export function readInspectLog(opened: Opened): InspectLog {
  if (opened.kind === "zip") return readArchive(opened);
  if (opened.kind !== "json") throw notInspect(opened.file.name);
  const { value } = opened;
  return {
    name: opened.file.name,
    header: asObject(value),
    samples: asArray(getPath(value, "samples")),
    reductions: asArray(getPath(value, "reductions")),
    closed: getPath(value, "status") !== "started",
  };
}

function readArchive({ file, entries, budget }: Opened & { kind: "zip" }): InspectLog {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const read = (entry: ZipEntry): unknown => {
    const bytes = readZipEntry(file.bytes, entry, file.name, budget);
    return parseJson(new TextDecoder().decode(bytes), { name: `${file.name}, ${entry.name}`, budget });
  };
  const header = byName.get("header.json") ?? byName.get("_journal/start.json");
  if (header === undefined) throw notInspect(file.name);
  const reductions = byName.get("reductions.json");
  return {
    name: file.name,
    header: asObject(read(header)),
    samples: readSamples(entries, byName, read),
    reductions: reductions === undefined ? [] : asArray(read(reductions)),
    closed: byName.has("header.json"),
  };
}

const SAMPLE = /^samples\/.*_epoch_\d+(\.json|\/sample\.json)$/;

function readSamples(
  entries: readonly ZipEntry[],
  byName: ReadonlyMap<string, ZipEntry>,
  read: (entry: ZipEntry) => unknown,
): readonly unknown[] {
  const samples = entries.filter((entry) => SAMPLE.test(entry.name));
  const complete = byName.get("summaries.json");
  const journal = entries.filter((entry) => /^_journal\/summaries\/\d+\.json$/.test(entry.name));
  const summaries = (complete === undefined ? journal : [complete]).flatMap((entry) => asArray(read(entry)));
  if (summaries.length < samples.length) return samples.map(read);
  const bytes = samples.reduce((sum, entry) => sum + entry.size, 0);
  const bare = summaries.every((summary) => getPath(summary, "metadata") === undefined);
  return bare && samples.length === summaries.length && samples.length > 0 && bytes <= METADATA_BYTES
    ? samples.map(read)
    : summaries;
}

function notInspect(name: string): StatError {
  return new StatError(
    "NotInspect",
    `${name}: an Inspect archive has header.json or _journal/start.json; this one has neither.`,
    "Give the .eval or .json file as Inspect wrote it.",
  );
}
