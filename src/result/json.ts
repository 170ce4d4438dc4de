/** Values to JSON and back without loss: what JSON lacks is written so that it cannot be mistaken for anything else.
 *
 *    NaN, Infinity, -Infinity, -0    the strings "NaN", "Infinity", "-Infinity", "-0"
 *    a string that looks like one    the same with "~" before it: "~NaN" (and "~~NaN" for "~NaN")
 *    typed arrays, Map, Set          { "$type": "Float64Array", "values": [...] }, { "$type": "Map", "entries": [[k, v]] }
 *    a nested result                 { "$type": "Result", "value": {...} }
 *    undefined in a list, bigint     { "$type": "undefined" }, { "$type": "bigint", "value": "12" }
 *    an object with a key "$type"    that key with one "$" more: "$$type"
 *
 *  A property that is undefined is left out. Functions, symbols and cycles are refused. These tags are a file format:
 *  they may be added to, never changed, or old results become unreadable. */
import { StatError } from "./error.ts";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const SPECIAL_NUMBER = /^(NaN|-?Infinity|-0)$/;
const LOOKS_SPECIAL = /^~*(NaN|-?Infinity|-0)$/;
const LOOKS_LIKE_TAG = /^\$+type$/;

const TYPED_ARRAYS = {
  Float64Array,
  Float32Array,
  Int32Array,
  Uint32Array,
  Int16Array,
  Uint16Array,
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
} as const;
type TypedArray = InstanceType<(typeof TYPED_ARRAYS)[keyof typeof TYPED_ARRAYS]>;

export interface EncodeOptions {
  /** For readers that only read: typed arrays and sets become lists, maps become objects, nothing is escaped. */
  readonly plain?: boolean;
}

export function encodeJson(value: unknown, options: EncodeOptions = {}): Json {
  return encode(value, { plain: options.plain ?? false, open: new Set(), path: [] });
}

export function decodeJson(json: unknown, reviveNested: (value: unknown) => unknown = (value) => value): unknown {
  return decode(json, reviveNested);
}

interface Walk {
  readonly plain: boolean;
  /** Objects above the present one: meeting one of them again is a cycle. */
  readonly open: Set<object>;
  readonly path: string[];
}

function encode(value: unknown, walk: Walk): Json {
  switch (typeof value) {
    case "number":
      return encodeNumber(value);
    case "string":
      return !walk.plain && LOOKS_SPECIAL.test(value) ? `~${value}` : value;
    case "boolean":
      return value;
    case "bigint":
      return walk.plain ? value.toString() : { $type: "bigint", value: value.toString() };
    case "undefined":
      return walk.plain ? null : { $type: "undefined" };
    case "object":
      return value === null ? null : encodeObject(value, walk);
    default:
      throw unserialisable(`a ${typeof value}`, walk);
  }
}

function encodeNumber(value: number): Json {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return Object.is(value, -0) ? "-0" : String(value);
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
  if (Array.isArray(value)) return Array.from(value, (item, i) => encodeAt(item, String(i), walk));
  const typed = typedArrayName(value);
  if (typed !== undefined) {
    const values = Array.from(value as TypedArray, encodeNumber);
    return walk.plain ? values : { $type: typed, values };
  }
  if (value instanceof Map) return encodeMap(value, walk);
  if (value instanceof Set) {
    const values = Array.from(value, (item, i) => encodeAt(item, String(i), walk));
    return walk.plain ? values : { $type: "Set", values };
  }
  if (!walk.plain && isResult(value)) return { $type: "Result", value: value.toJSON() as Json };
  if (!isPlain(value)) throw unserialisable(`a ${Object.prototype.toString.call(value).slice(8, -1)}`, walk);
  return encodeRecord(value, walk);
}

/** Known by its methods, as result.ts cannot be imported from here. */
function isResult(value: object): value is { toJSON(): object } {
  const { display, toJSON } = value as { display?: unknown; toJSON?: unknown };
  return typeof display === "function" && typeof toJSON === "function";
}

/** A record of any realm: its prototype, if any, is the end of the chain. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function encodeMap(map: ReadonlyMap<unknown, unknown>, walk: Walk): Json {
  if (walk.plain) {
    const record: { [key: string]: Json } = {};
    for (const [key, item] of map) {
      if (typeof key === "object") throw unserialisable("a map with objects as keys", walk);
      define(record, String(key), encodeAt(item, String(key), walk));
    }
    return record;
  }
  const nameOf = (key: unknown): string => (typeof key === "object" ? "(object)" : String(key));
  const entries = Array.from(map, ([key, item]): Json => [encode(key, walk), encodeAt(item, nameOf(key), walk)]);
  return { $type: "Map", entries };
}

function encodeRecord(value: object, walk: Walk): Json {
  const record: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const name = !walk.plain && LOOKS_LIKE_TAG.test(key) ? `$${key}` : key;
    define(record, name, encodeAt(item, key, walk));
  }
  return record;
}

function encodeAt(value: unknown, key: string, walk: Walk): Json {
  walk.path.push(key);
  const json = encode(value, walk);
  walk.path.pop();
  return json;
}

function decode(json: unknown, reviveNested: (value: unknown) => unknown): unknown {
  if (typeof json === "string") {
    if (SPECIAL_NUMBER.test(json)) return Number(json);
    return LOOKS_SPECIAL.test(json) ? json.slice(1) : json;
  }
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map((item) => decode(item, reviveNested));
  if (Object.hasOwn(json, "$type")) return decodeTagged(json as Tagged, reviveNested);
  const record: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(json)) {
    define(record, LOOKS_LIKE_TAG.test(key) ? key.slice(1) : key, decode(item, reviveNested));
  }
  return record;
}

interface Tagged {
  readonly $type: unknown;
  readonly value?: unknown;
  readonly values?: unknown;
  readonly entries?: unknown;
}

function decodeTagged(json: Tagged, reviveNested: (value: unknown) => unknown): unknown {
  const { $type, value, values, entries } = json;
  if ($type === "undefined") return undefined;
  if ($type === "Result") return reviveNested(value);
  if ($type === "bigint" && typeof value === "string" && /^-?\d+$/.test(value)) return BigInt(value);
  if ($type === "Map" && Array.isArray(entries) && entries.every((entry) => Array.isArray(entry))) {
    return new Map(entries.map((entry) => [decode(entry[0], reviveNested), decode(entry[1], reviveNested)]));
  }
  if (Array.isArray(values)) {
    const items = values.map((item) => decode(item, reviveNested));
    if ($type === "Set") return new Set(items);
    if (typeof $type === "string" && Object.hasOwn(TYPED_ARRAYS, $type)) {
      return TYPED_ARRAYS[$type as keyof typeof TYPED_ARRAYS].from(items as number[]);
    }
  }
  throw new StatError(
    "UnknownTag",
    `this JSON holds a value of type ${JSON.stringify($type)}, which cannot be read.`,
    "it may come from a newer version: update, or compute the result again.",
  );
}

function typedArrayName(value: object): keyof typeof TYPED_ARRAYS | undefined {
  const name = Object.prototype.toString.call(value).slice(8, -1);
  return ArrayBuffer.isView(value) && Object.hasOwn(TYPED_ARRAYS, name)
    ? (name as keyof typeof TYPED_ARRAYS)
    : undefined;
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
