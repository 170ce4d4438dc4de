/** Errors that point into a formula or expression: the fault, the text, and a caret under the place. */
import { StatError } from "../../result/error.ts";

/** Characters of a long text shown on each side of the caret. */
const CONTEXT = 36;

export interface Place {
  readonly source: string;
  /** Offset in `source`, from 0. */
  readonly at: number;
}

export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

/** A StatError whose message ends with the text and a caret; without a place, the message alone. */
export function faultAt(place: Place | undefined, { code, message, fix }: Fault): StatError {
  if (place === undefined || place.source === "") return new StatError(code, message, fix);
  const at = Math.max(0, Math.min(place.at, place.source.length));
  const from = Math.max(0, at - CONTEXT);
  const to = Math.min(place.source.length, at + CONTEXT);
  const head = (from > 0 ? "…" : "") + onOneLine(place.source.slice(from, at));
  const line = head + onOneLine(place.source.slice(at, to)) + (to < place.source.length ? "…" : "");
  return new StatError(
    code,
    `${message.replace(/\.$/, "")} (position ${at + 1}).\n    ${line}\n    ${" ".repeat(head.length)}^`,
    fix,
  );
}

/** Tabs, line breaks and other control characters would move the caret away from its place. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}
