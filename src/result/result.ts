/** What every answer shares: a kind, plain fields, and three methods that show it, print it and write it. */
import type { Display } from "./display.ts";
import { StatError } from "./error.ts";
import type { Json } from "./json.ts";
import { decodeJson, encodeJson } from "./json.ts";
import { renderText } from "./render/text.ts";

/** Something the reader of a result must know; printed with it, never thrown. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: "note" | "warning";
  readonly message: string;
  readonly fix: string;
}

/** Enough to repeat the run. */
export interface Signature {
  readonly method: string;
  readonly version: string;
  readonly options: object;
  /** Fingerprint of the rows and columns used. */
  readonly data: string;
  readonly seed?: string;
}

/** One estimated quantity; an undefined part is NaN and has a diagnostic that says why. */
export interface Estimate {
  readonly name: string;
  readonly value: number;
  readonly se: number;
  readonly df: number;
  readonly statistic: number;
  readonly p: number;
  readonly lower: number;
  readonly upper: number;
}

export interface Result<K extends string> {
  readonly kind: K;
  readonly signature: Signature;
  readonly diagnostics: readonly Diagnostic[];
  /** Tables and notes as data at full precision. */
  display(): Display;
  /** The display as text of 80 columns. */
  toString(): string;
  /** Fields and display as plain JSON values, for `reviveResult`. */
  toJSON(): object;
}

/** What the maker of a result gives: its own fields beside the two that every result has. */
export interface ResultFields {
  readonly signature: Signature;
  readonly diagnostics: readonly Diagnostic[];
}

/** Keys that `toJSON` writes itself. */
const RESERVED = ["kind", "version", "seed", "warnings", "display", "toString", "toJSON"] as const;

/** Fields become properties as they are; the methods are not enumerable, so that a structured clone, a spread and a
 *  comparison see the data alone. `display` is called when first needed and must not depend on anything that changes. */
export function makeResult<K extends string, F extends ResultFields>(
  kind: K,
  fields: F,
  display: (fields: F) => Display,
): Result<K> & F {
  for (const key of RESERVED) {
    if (Object.hasOwn(fields, key)) {
      throw new StatError("ReservedField", `a result cannot have a field "${key}" of its own.`, "name it otherwise.");
    }
  }
  let shown: Display | undefined;
  const show = (): Display => {
    shown ??= { ...display(fields), diagnostics: fields.diagnostics };
    return shown;
  };
  const result = { kind, ...fields };
  const method = (value: unknown): PropertyDescriptor => ({ value, enumerable: false, configurable: true });
  Object.defineProperties(result, {
    display: method(show),
    toString: method(() => renderText(show())),
    toJSON: method(() => writeResult(kind, fields, show())),
  });
  return result as unknown as Result<K> & F;
}

function writeResult(kind: string, fields: ResultFields, display: Display): object {
  const { signature, diagnostics, ...own } = fields;
  const warnings = diagnostics.filter((d) => d.severity === "warning").map((d) => d.message);
  const { diagnostics: _printed, ...shown } = display;
  return {
    kind,
    version: signature.version,
    ...(signature.seed === undefined ? {} : { seed: signature.seed }),
    warnings,
    ...(encodeJson(own) as { [key: string]: Json }),
    signature: encodeJson(signature),
    diagnostics: encodeJson(diagnostics),
    display: encodeJson(shown),
  };
}

/** The result that `toJSON` wrote, from any version, given as its object or as JSON text: same fields, same print. */
export function reviveResult<R extends Result<string> = Result<string>>(json: unknown): R {
  const value = typeof json === "string" ? parse(json) : json;
  if (!isWrittenResult(value)) throw notAResult("its kind, signature, diagnostics or display is missing");
  const fields: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (!(RESERVED as readonly string[]).includes(key)) {
      const decoded = decodeJson({ [key]: item }, reviveResult) as object;
      Object.defineProperties(fields, Object.getOwnPropertyDescriptors(decoded));
    }
  }
  const display = decodeJson(value.display, reviveResult) as Display;
  return makeResult(value.kind, fields as unknown as ResultFields, () => display) as unknown as R;
}

interface WrittenResult {
  readonly kind: string;
  readonly display: object;
}

function isWrittenResult(value: unknown): value is WrittenResult {
  if (typeof value !== "object" || value === null) return false;
  const { kind, signature, diagnostics, display } = value as Record<string, unknown>;
  return (
    typeof kind === "string" &&
    typeof signature === "object" &&
    signature !== null &&
    Array.isArray(diagnostics) &&
    typeof display === "object" &&
    display !== null &&
    Array.isArray((display as Record<string, unknown>)["tables"])
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notAResult(error instanceof Error ? error.message : String(error));
  }
}

function notAResult(reason: string): StatError {
  return new StatError("NotAResult", `this JSON is not a stored result: ${reason}.`, "give the output of toJSON().");
}
