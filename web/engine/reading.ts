/** Files to data, and what the first screen says about them. */
import {
  asFactor,
  describeImported,
  type Imported,
  type InputFile,
  importFiles,
  mergeImported,
  type NamedImport,
  type Roles,
  StatError,
} from "../../src/index.ts";
import { DOORS } from "../doors/engine.ts";
import type { Data } from "./door.ts";
import { type FileGroup, groupFiles } from "./grouping.ts";
import { minus, presentTable } from "./present.ts";
import type { GivenFile, Offer, OpenData, Question, RoleView } from "./protocol.ts";
import { areTexts, guessReference, offersOfTexts, readText, TEXT_METRICS, tableOfTexts } from "./texts.ts";

/** A tab has less to spare than a terminal: packed files may unpack to a quarter of this (the limits of io/budget.ts follow from it). */
export const MAX_MEMORY = 512 * 2 ** 20;
/** A larger file would stand in the tab's memory twice while it is read. */
const LARGEST_FILE = 200 * 2 ** 20;
/** Roles that the chips show, in their order. */
const SHOWN_ROLES = ["system", "item", "rater", "repeat", "score", "cluster", "task", "label"] as const;

export async function readFiles(given: readonly GivenFile[]): Promise<Data> {
  const groups = groupFiles(given);
  for (const { file, path } of given) refuseLarge(file, path);
  if (areTexts(groups)) return readTexts(groups);
  const inputs = new Map<string, InputFile[]>();
  const parts: NamedImport[] = [];
  for (const { path, files } of groups) {
    const read: InputFile[] = [];
    for (const { file } of files) read.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
    inputs.set(path, read);
    parts.push({ path, imported: await importFiles(read, { maxMemory: MAX_MEMORY }) });
  }
  const whole = parts.length === 1 ? parts[0]!.imported : mergeImported(parts);
  const raw = async (path?: string) => {
    const own = parts.length === 1 ? parts[0]!.path : path;
    if (own === undefined) return whole.table;
    return (await importFiles(inputs.get(own) ?? [], { maxMemory: MAX_MEMORY, guessRoles: false })).table;
  };
  return { parts, whole, raw };
}

function refuseLarge({ size }: File, path: string): void {
  if (size <= LARGEST_FILE) return;
  throw new StatError(
    "TooLarge",
    `${path} has ${Math.round(size / 2 ** 20)} MB, and this page reads files of up to ${LARGEST_FILE / 2 ** 20} MB.`,
    "The command line reads larger ones: gosset compare, gosset describe.",
  );
}

async function readTexts(groups: readonly FileGroup[]): Promise<Data> {
  const texts = await Promise.all(groups.map(readText));
  const whole = await tableOfTexts(texts);
  return { parts: texts.map(({ path }) => ({ path, imported: whole })), whole, texts, raw: async () => whole.table };
}

/** The roles of the file with those that the user gave instead; "none" takes a role away. */
export function withRoles(imported: Imported, own: Question["roles"]): Imported {
  const given = Object.entries(own).filter(([, column]) => column !== undefined);
  if (given.length === 0) return imported;
  const roles: Record<string, unknown> = { ...imported.roles };
  for (const [role, column] of given) {
    if (column === "none") delete roles[role];
    else roles[role] = column;
  }
  return { ...imported, roles: roles as unknown as Roles };
}

/** Commands that a door of this page answers; questions behind others are not offered. */
const AVAILABLE = new Set([
  ...["compare", "agreement", "reliability", "validity bias", "validity circularity", "validity audit"],
  ...["lm", "glm", "lmm", "clm", "clmm", "glmm", "gam"].map((model) => `fit ${model}`),
  ...["accuracy", "likert", "means", "preference"].map((scenario) => `mde ${scenario}`),
]);

export function presentData(data: Pick<Data, "parts" | "whole" | "texts">, own: Question["roles"]): OpenData {
  const view = presentTables(data, own);
  const { texts } = data;
  if (texts === undefined) return view;
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
    reference: guessReference(texts),
  };
}

function presentTables({ parts, whole }: Pick<Data, "parts" | "whole">, own: Question["roles"]): OpenData {
  const imported = withRoles(whole, own);
  const target = parts.map(({ path }) => path).join(" ");
  const description = describeImported(imported, { target, available: AVAILABLE });
  const { columns } = description;
  const sizes = new Map(columns.map(({ name, distinct }) => [name, distinct]));
  return {
    files: parts.map(({ path }) => path),
    summary: (description.display().summary ?? []).join(" "),
    rows: imported.table.rows,
    columns: [...imported.table.columns].map(([name, column]) => {
      const described = columns.find((one) => one.name === name);
      return {
        name,
        kind: column.kind,
        levels:
          described?.distinct ?? (column.kind === "factor" ? column.levels.length : asFactor(column).levels.length),
        ...(described?.role == null ? {} : { role: described.role }),
        values: "",
      };
    }),
    roles: SHOWN_ROLES.flatMap((role) => presentRole(role, { imported, whole, own, sizes })),
    systems: imported.systems,
    metrics: imported.metrics.map(({ name }) => name),
    assumed: description.assumptions.map(minus),
    warnings: description.diagnostics.filter(({ severity }) => severity === "warning"),
    offers: description.answers.flatMap(({ question, command, available, note }) =>
      available ? offerOf(question, command, note) : [],
    ),
    tables: description.display().tables.slice(0, 1).map(presentTable),
  };
}

interface RoleFacts {
  readonly imported: Imported;
  readonly whole: Imported;
  readonly own: Question["roles"];
  readonly sizes: ReadonlyMap<string, number>;
}

function presentRole(role: (typeof SHOWN_ROLES)[number], { imported, whole, own, sizes }: RoleFacts): RoleView[] {
  const column = imported.roles[role];
  const guess = whole.guesses?.find((one) => one.role === role && one.column === column);
  if (column === undefined && own[role] === undefined && whole.roles[role] === undefined) return [];
  const origin = own[role] !== undefined ? "yours" : guess !== undefined && guess.confidence < 0.9 ? "assumed" : "file";
  const count = column === undefined || role === "score" ? undefined : sizes.get(column);
  return [{ role, column, count, origin, reason: guess?.reason }];
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
