/** Files to data, and what the first screen says about them. */
import {
  describeImported,
  type Imported,
  type InputFile,
  importFiles,
  mergeImported,
  type NamedImport,
  StatError,
} from "../../src/index.ts";
import { type Told, tellDecision, withTold } from "../../src/io.ts";
import { DOORS } from "../doors/engine.ts";
import type { Data } from "./door.ts";
import { groupFiles } from "./grouping.ts";
import { minus, presentTable } from "./present.ts";
import type { GivenFile, Offer, OpenData } from "./protocol.ts";
import { writeReading } from "./reading-file.ts";
import {
  areTexts,
  namedReference,
  offersOfTexts,
  readText,
  TEXT_METRICS,
  type TextFile,
  tableOfTexts,
} from "./texts.ts";
import { presentAsk, presentRoles, presentTold } from "./told.ts";

/** A tab has less to spare than a terminal: packed files may unpack to a quarter of this (the limits of io/budget.ts follow from it). */
export const MAX_MEMORY = 512 * 2 ** 20;
/** A larger file would stand in the tab's memory twice while it is read. */
const LARGEST_FILE = 200 * 2 ** 20;

export async function readFiles(given: readonly GivenFile[]): Promise<Data> {
  const groups = groupFiles(given);
  for (const { file, path } of given) refuseLarge(file, path);
  if (areTexts(groups)) {
    const texts = await Promise.all(groups.map(readText));
    if (!texts.every(isOfNumbers)) return readTexts(texts);
  }
  const inputs = new Map<string, InputFile[]>();
  const parts: NamedImport[] = [];
  const apart = new Set(given.map(({ file }) => file.name)).size === given.length;
  for (const { path, files } of groups) {
    const read: InputFile[] = [];
    for (const { file, path: own } of files)
      read.push({ name: apart ? file.name : own, bytes: new Uint8Array(await file.arrayBuffer()) });
    inputs.set(path, read);
    parts.push({ path, imported: await importFiles(read, { maxMemory: MAX_MEMORY }) });
  }
  const whole = parts.length === 1 ? parts[0]!.imported : await readTogether([...inputs.values()].flat(), parts);
  const raw = async (path?: string) => {
    const own = parts.length === 1 ? parts[0]!.path : path;
    if (own === undefined) return whole.table;
    return (await importFiles(inputs.get(own) ?? [], { maxMemory: MAX_MEMORY, guessRoles: false })).table;
  };
  return { parts, whole, raw };
}

/** What the files are together, as the library reads several; files of several formats have that only side by side. */
async function readTogether(files: readonly InputFile[], parts: readonly NamedImport[]): Promise<Imported> {
  try {
    return await importFiles(files, { maxMemory: MAX_MEMORY });
  } catch (error) {
    if (error instanceof StatError && error.code === "MixedFormats") return mergeImported(parts);
    throw error;
  }
}

function refuseLarge({ size }: File, path: string): void {
  if (size <= LARGEST_FILE) return;
  throw new StatError(
    "TooLarge",
    `${path} has ${Math.round(size / 2 ** 20)} MB, and this page reads files of up to ${LARGEST_FILE / 2 ** 20} MB.`,
    "The command line reads larger ones: gosset compare, gosset describe.",
  );
}

/** A score on every line. */
const isOfNumbers = ({ lines }: TextFile): boolean =>
  lines.every((line) => line.trim() !== "" && Number.isFinite(Number(line)));

async function readTexts(texts: readonly TextFile[]): Promise<Data> {
  const whole = await tableOfTexts(texts);
  return { parts: texts.map(({ path }) => ({ path, imported: whole })), whole, texts, raw: async () => whole.table };
}

/** Commands that a door of this page answers; questions behind others are not offered. */
const ANSWERED = [
  ...["compare", "agreement", "reliability", "validity bias", "validity circularity", "validity audit"],
  ...["lm", "glm", "lmm", "clm", "clmm", "glmm", "gam"].map((model) => `fit ${model}`),
  ...["accuracy", "likert", "means", "preference"].map((scenario) => `mde ${scenario}`),
];

export function presentData(data: Pick<Data, "parts" | "whole" | "texts">, told: Told): OpenData {
  const view = presentTables(data, told);
  const { texts } = data;
  if (texts === undefined) return view;
  const reference = namedReference(texts);
  return {
    ...view,
    summary: `${texts.length} texts: ${texts.map(({ path, lines }) => `${path} with ${lines.length.toLocaleString("en")} lines`).join(", ")}.`,
    ...{
      columns: [],
      systems: [],
      roles: [],
      assumed: [],
      warnings: [],
      tables: [],
      metrics: TEXT_METRICS,
      offers: offersOfTexts(texts),
    },
    texts: true,
    ...(reference === undefined ? {} : { reference }),
  };
}

function presentTables({ parts, whole }: Pick<Data, "parts" | "whole">, told: Told): OpenData {
  const imported = withTold(whole, told);
  const target = parts.map(({ path }) => path).join(" ");
  const description = describeImported(whole, { target, roles: told });
  const { columns } = description;
  const [ask] = imported.asks ?? [];
  return {
    files: parts.map(({ path }) => path),
    summary: (description.display().summary ?? []).join(" "),
    rows: imported.table.rows,
    columns: columns.map(({ name, type, distinct, role }) => ({
      ...{ name, kind: type, levels: distinct },
      ...(role === null ? {} : { role }),
    })),
    roles: presentRoles(imported, told, new Map(columns.map(({ name, distinct }) => [name, distinct]))),
    ...(ask === undefined ? {} : { ask: presentAsk(ask, imported) }),
    told: presentTold(told),
    decided: (imported.decisions ?? []).map(tellDecision),
    reading: writeReading(imported, told),
    texts: false,
    systems: imported.systems,
    metrics: imported.metrics.map(({ name }) => name),
    assumed: description.assumptions.map(minus),
    warnings: description.diagnostics.filter(({ severity }) => severity === "warning"),
    offers: description.answers.flatMap(({ question, command, note }) =>
      ANSWERED.some((name) => command.startsWith(`gosset ${name} `)) ? offerOf(question, command, note) : [],
    ),
    tables: description.display().tables.slice(0, 1).map(presentTable),
  };
}

function offerOf(question: string, command: string, note: string | undefined): Offer[] {
  const words = shellWords(command);
  for (const door of DOORS) {
    const settings = door.offer?.(words);
    if (settings !== undefined)
      return [{ question, door: door.name, settings, ...(note === undefined ? {} : { note }) }];
  }
  return [];
}

/** The words of a command as `describe` writes it: quotes around what a shell would split. */
export function shellWords(command: string): string[] {
  const words = command.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_, double, single, plain) =>
      double !== undefined ? double.replace(/\\(["\\$`])/g, "$1") : (single ?? plain),
    ),
  );
}

/** The value after a flag. */
export function flagValue(words: readonly string[], flag: string): string | undefined {
  const at = words.indexOf(flag);
  return at < 0 ? undefined : words[at + 1];
}
