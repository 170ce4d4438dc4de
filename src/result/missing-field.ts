/** Which field of a stored result a reader asked for in vain: results of earlier versions lack fields that later ones have.
 *  The reading is repeated on a copy that notes what is absent. Of the absent fields the one is to blame with which the reading would end
 *  well, since others may be absent with good reason; where there is none, the one with which it would end otherwise. */

/** As `pairs[].ci`; undefined where no single field is to blame. */
export function missingField<J extends object>(json: J, read: (json: J) => unknown): string | undefined {
  const asked = new Set<string>();
  const fault = failureOf(() => read(watch(json, "", (path) => void asked.add(path))));
  if (fault === undefined) return undefined;
  const failures = [...asked].map((path) => ({
    path,
    failure: failureOf(() => read(watch(json, "", (at) => (at === path ? ANYTHING : undefined)))),
  }));
  const blamed = failures.findLast(({ failure }) => failure === undefined);
  return (blamed ?? failures.findLast(({ failure }) => failure !== fault))?.path;
}

/** How a reading went wrong: what it threw, or a text of what it gave that has a hole; undefined where it went well. */
function failureOf(read: () => unknown): string | undefined {
  try {
    return holeIn(read());
  } catch (error) {
    return String(error);
  }
}

/** The first text that says "undefined", or field that is there and undefined, as a reader leaves them that found nothing. */
export function holeIn(value: unknown): string | undefined {
  if (value === undefined) return "undefined";
  if (typeof value === "string") return /\bundefined\b/.test(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  // numbers are many, and none of them has a hole
  const parts: readonly unknown[] = Array.isArray(value) && typeof value[0] === "number" ? [] : Object.values(value);
  for (const part of parts) {
    const hole = holeIn(part);
    if (hole !== undefined) return hole;
  }
  return undefined;
}

/** Has every field and method, holds nothing and reads as an empty text. */
const ANYTHING: unknown = new Proxy(() => ANYTHING, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => "" : key === Symbol.iterator ? () => [].values() : ANYTHING),
});

/** The same object, where what is absent is whatever `absent` says. */
function watch<T extends object>(value: T, path: string, absent: (path: string) => unknown): T {
  const inList = Array.isArray(value);
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      if (typeof key === "symbol" || typeof found === "function") return found;
      const at = inList ? `${path}[]` : path === "" ? key : `${path}.${key}`;
      if (!(key in target)) return inList ? undefined : absent(at);
      return typeof found === "object" && found !== null ? watch(found, at, absent) : found;
    },
  });
}
