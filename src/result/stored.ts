/** Stored results come from anybody: their shape is looked at before they are shown, and what still does not fit is the file's
 *  fault, said in one line. */

import { CELL_FORMATS, type Display, type DisplayTable } from "./display.ts";
import { StatError } from "./error.ts";
import { holeIn, missingField } from "./missing-field.ts";
import type { Diagnostic, ResultJson } from "./result.ts";
import { GOSSET_VERSION } from "./version.ts";

export function notAResult(reason: string): StatError {
  return new StatError("NotAResult", `this JSON is not a stored result: ${reason}.`, "give the output of toJSON().");
}

/** The search for an absent field reads the result again for each that was asked for: of a larger one the reason is given alone. */
const MOST_SEARCHED = 1_000_000;

/** What is made of a stored result beyond its print trusts the fields of its kind; where they are others, that is said. What is made has
 *  no parts that are undefined. */
export function readStored<J extends object, T>(json: J, read: (json: J) => T): T {
  let why: string;
  try {
    const made = read(json);
    const hole = holeIn(made);
    // a system may be called so
    if (hole === undefined || JSON.stringify(json).includes("undefined")) return made;
    why = hole;
  } catch (error) {
    if (error instanceof StatError) throw error;
    why = error instanceof Error ? error.message : String(error);
  }
  const field = JSON.stringify(json).length > MOST_SEARCHED ? undefined : missingField(json, read);
  throw field === undefined
    ? notAResult(`a part is missing or has another shape (${why})`)
    : oldResult(json as Partial<ResultJson>, field);
}

/** What is laid out of fields that were read: a part of another shape that only shows there is the file's fault too. */
export function layOutStored<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof StatError) throw error;
    throw notAResult(`a part has another shape (${error instanceof Error ? error.message : String(error)})`);
  }
}

function oldResult({ kind, version }: Partial<ResultJson>, field: string): StatError {
  const maker = typeof version === "string" ? `gosset ${version}` : "a gosset that does not say its version";
  return new StatError(
    "OldResult",
    `this stored result (${kind}) has no field "${field}": it was made by ${maker}, and this is ${GOSSET_VERSION}.`,
    "run the command again that made it, and store what it gives now.",
  );
}

const isText = (value: unknown): boolean => typeof value === "string";
const isCell = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isListOf = (value: unknown, of: (one: unknown) => boolean): boolean => Array.isArray(value) && value.every(of);
const absentOr = (value: unknown, holds: (value: unknown) => boolean): boolean => value === undefined || holds(value);
const isTexts = (value: unknown): boolean => isListOf(value, isText);

/** A column without one has a hole in the list, which JSON writes as null. */
const isFormat = (value: unknown): boolean =>
  value === undefined || value === null || CELL_FORMATS.some((own) => own === value);

const isTable = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { head, rows, caption, formats, decimals } = value as Partial<Record<keyof DisplayTable, unknown>>;
  return (
    isTexts(head) &&
    isListOf(rows, (row) => isListOf(row, isCell)) &&
    absentOr(caption, isText) &&
    absentOr(formats, (own) => isListOf(own, isFormat)) &&
    absentOr(decimals, (own) => Number.isInteger(own) && (own as number) >= 0 && (own as number) <= 20)
  );
};

const isNumber = (value: unknown): boolean => typeof value === "number";
const isPoint = (value: unknown): boolean => isListOf(value, isNumber) && (value as unknown[]).length === 2;
const isSeries = (value: unknown): boolean =>
  isObject(value) && isText(value["name"]) && isListOf(value["points"], isPoint);
const isChart = (value: unknown): boolean =>
  isObject(value) &&
  isText(value["x"]) &&
  isText(value["y"]) &&
  isListOf(value["series"], isSeries) &&
  absentOr(value["yRange"], isPoint) &&
  absentOr(value["guide"], isNumber) &&
  absentOr(value["guideName"], isText);

const isItem = (value: unknown): boolean =>
  isObject(value) && isText(value["text"]) && absentOr(value["code"], isTexts);
const isSection = (value: unknown): boolean =>
  isObject(value) && isText(value["heading"]) && isListOf(value["items"], isItem);
const isFact = (value: unknown): boolean => isObject(value) && isText(value["label"]) && isText(value["text"]);
const isScreen = (value: unknown): boolean =>
  isObject(value) &&
  isText(value["title"]) &&
  isListOf(value["tables"], isTable) &&
  isTexts(value["summary"]) &&
  isListOf(value["facts"], isFact);

const PARTS: Readonly<Record<keyof Display, (value: unknown) => boolean>> = {
  title: isText,
  summary: (value) => absentOr(value, isTexts),
  tables: (value) => isListOf(value, isTable),
  charts: (value) => absentOr(value, (own) => isListOf(own, isChart)),
  notes: isTexts,
  sections: (value) => absentOr(value, (own) => isListOf(own, isSection)),
  screen: (value) => absentOr(value, isScreen),
  diagnostics: (value) => absentOr(value, (own) => isListOf(own, isDiagnostic)),
};

const isDiagnostic = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { code, severity, message, fix } = value as Partial<Record<keyof Diagnostic, unknown>>;
  return [code, message, fix].every(isText) && (severity === "note" || severity === "warning");
};

const isSignature = (value: unknown): boolean =>
  isText(value) ||
  (isObject(value) && ["method", "version", "data", "seed"].every((name) => absentOr(value[name], isText)));

/** What every written result has; results of earlier versions may lack some of it. */
const HEAD: Readonly<Record<string, (value: unknown) => boolean>> = {
  version: isText,
  command: isTexts,
  seed: isText,
  warnings: isTexts,
  notes: isTexts,
  assumed: isTexts,
  signature: isSignature,
  run: isSignature,
};

/** The first of the fields that every result has which has another shape; undefined where none has. */
export function headFault(json: object): string | undefined {
  const wrong = Object.entries(HEAD).find(([name, holds]) => !absentOr((json as Record<string, unknown>)[name], holds));
  return wrong === undefined ? undefined : `its ${wrong[0]} has another shape`;
}

/** The first part of a display that no renderer could show; undefined where all can be shown. */
export function displayFault(display: unknown): string | undefined {
  if (!isObject(display)) return "its display is missing";
  const wrong = Object.entries(PARTS).find(([name, holds]) => !holds(display[name]));
  return wrong === undefined ? undefined : `its display's ${wrong[0]} have another shape`;
}
