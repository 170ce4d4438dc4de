/** Values as JSON that anything can read, and back.
 *
 *    NaN, Infinity, -Infinity        the strings "NaN", "Infinity", "-Infinity", which `Number()` reads
 *    a string that looks like one    the same with "~" before it: "~NaN" (and "~~NaN" for "~NaN")
 *    typed arrays, Set               lists
 *    Map                             an object
 *    a result within another         its published fields, without what prints it
 *
 *  -0 is written as 0. A property that is undefined is left out. Functions, symbols and cycles are refused. This is a
 *  file format: it may be added to, never changed, or old results become unreadable. */
import { StatError } from "./error.ts";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const SPECIAL_NUMBER = /^(NaN|-?Infinity)$/;
const LOOKS_SPECIAL = /^~*(NaN|-?Infinity)$/;

export function encodeJson(value: unknown): Json {
  return encode(value, { open: new Set(), path: [] });
}

export function decodeJson(json: unknown): unknown {
  if (typeof json === "string") {
    if (SPECIAL_NUMBER.test(json)) return Number(json);
    return LOOKS_SPECIAL.test(json) ? json.slice(1) : json;
  }
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(decodeJson);
  const record: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(json)) define(record, key, decodeJson(item));
  return record;
}

interface Walk {
  /** Objects above the present one: meeting one of them again is a cycle. */
  readonly open: Set<object>;
  readonly path: string[];
}

function encode(value: unknown, walk: Walk): Json {
  switch (typeof value) {
    case "number":
      return encodeNumber(value);
    case "string":
      return LOOKS_SPECIAL.test(value) ? `~${value}` : value;
    case "boolean":
      return value;
    case "undefined":
      return null;
    case "object":
      return value === null ? null : encodeObject(value, walk);
    default:
      throw unserialisable(`a ${typeof value}`, walk);
  }
}

function encodeNumber(value: number): Json {
  if (!Number.isFinite(value)) return String(value);
  return value === 0 ? 0 : value;
}

function encodeObject(value: object, walk: Walk): Json {
  if (walk.open.has(value)) throw unserialisable("an object that contains itself", walk);
  walk.open.add(value);
  try {
    return encodeOpenObject(value, walk);
  } finally {
    walk.open.delete(value);
  }
}

function encodeOpenObject(value: object, walk: Walk): Json {
  if (Array.isArray(value) || value instanceof Set) {
    return Array.from(value as Iterable<unknown>, (item, i) => encodeAt(item, String(i), walk));
  }
  if (ArrayBuffer.isView(value) && "length" in value) return Array.from(value as Float64Array, encodeNumber);
  if (value instanceof Map) return encodeEntries(value, walk);
  if (isResult(value)) return encodeNested(value);
  if (!isPlain(value)) throw unserialisable(`a ${Object.prototype.toString.call(value).slice(8, -1)}`, walk);
  return encodeEntries(Object.entries(value), walk);
}

/** Known by its methods, as result.ts cannot be imported from here. */
function isResult(value: object): value is { toJSON(): object } {
  const { display, toJSON } = value as { display?: unknown; toJSON?: unknown };
  return typeof display === "function" && typeof toJSON === "function";
}

/** What only the outermost result has: the whole print says it once. */
const OUTERMOST: ReadonlySet<string> = new Set(["command", "assumed", "diagnostics", "display"]);

function encodeNested(result: { toJSON(): object }): Json {
  const entries = Object.entries(result.toJSON() as { [key: string]: Json });
  return Object.fromEntries(entries.filter(([key]) => !OUTERMOST.has(key)));
}

/** A record of any realm: its prototype, if any, is the end of the chain. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function encodeEntries(entries: Iterable<readonly [unknown, unknown]>, walk: Walk): Json {
  const record: { [key: string]: Json } = {};
  for (const [key, item] of entries) {
    if (item === undefined) continue;
    if (typeof key === "object") throw unserialisable("a map with objects as keys", walk);
    define(record, String(key), encodeAt(item, String(key), walk));
  }
  return record;
}

function encodeAt(value: unknown, key: string, walk: Walk): Json {
  walk.path.push(key);
  const json = encode(value, walk);
  walk.path.pop();
  return json;
}

/** Plain assignment to "__proto__" would change the prototype instead of adding a key. */
function define(record: object, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}

function unserialisable(what: string, walk: Walk): StatError {
  const place = walk.path.length === 0 ? "at the top" : `at ${walk.path.join(".")}`;
  return new StatError(
    "NotSerialisable",
    `a result cannot hold ${what} (${place}).`,
    "keep results to numbers, strings, arrays, typed arrays, maps and plain objects.",
  );
}
