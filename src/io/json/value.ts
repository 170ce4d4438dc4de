/** Parsed JSON of unknown shape, read without trust: a missing or wrong part is undefined, never an exception. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The own property at a path of keys; inherited names such as "constructor" are not data. */
export function getPath(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

export function hasKeys(value: unknown, ...keys: readonly string[]): value is JsonObject {
  return isObject(value) && keys.every((key) => Object.hasOwn(value, key));
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text, or a number or boolean as text; an empty text is no name and gives undefined. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** A number or boolean (true is 1); anything else is NaN. */
export function asNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "boolean" ? Number(value) : Number.NaN;
}

/** One text for equal content: keys sorted at every depth. */
export function canonicalText(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return "…";
  if (Array.isArray(value)) return `[${value.map((part) => canonicalText(part, depth + 1)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key], depth + 1)}`).join(",")}}`;
}

/** Deeper nesting than any log has; bounds the recursion on hostile files. */
const MAX_DEPTH = 100;
