/** Stored results come from anybody: their shape is looked at before they are shown, and what still does not fit is the file's
 *  fault, said in one line. */

import type { Display, DisplayTable } from "./display.ts";
import { StatError } from "./error.ts";
import type { Diagnostic } from "./result.ts";

export function notAResult(reason: string): StatError {
  return new StatError("NotAResult", `this JSON is not a stored result: ${reason}.`, "give the output of toJSON().");
}

/** What is made of a stored result beyond its print trusts the fields of its kind; where they are others, that is said. */
export function readStored<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof StatError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw notAResult(`a part is missing or has another shape (${why})`);
  }
}

const isText = (value: unknown): boolean => typeof value === "string";
const isCell = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isListOf = (value: unknown, of: (one: unknown) => boolean): boolean => Array.isArray(value) && value.every(of);
const absentOr = (value: unknown, holds: (value: unknown) => boolean): boolean => value === undefined || holds(value);
const isTexts = (value: unknown): boolean => isListOf(value, isText);

const isTable = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { head, rows, caption, formats, decimals } = value as Partial<Record<keyof DisplayTable, unknown>>;
  return (
    isTexts(head) &&
    isListOf(rows, (row) => isListOf(row, isCell)) &&
    absentOr(caption, isText) &&
    absentOr(formats, (own) => isListOf(own, (one) => one === undefined || one === null || isText(one))) &&
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

/** The first part of a display that no renderer could show; undefined where all can be shown. */
export function displayFault(display: unknown): string | undefined {
  if (!isObject(display)) return "its display is missing";
  const wrong = Object.entries(PARTS).find(([name, holds]) => !holds(display[name]));
  return wrong === undefined ? undefined : `its display's ${wrong[0]} have another shape`;
}
