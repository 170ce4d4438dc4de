/** A stored result against the schema of its kind: what is there has the type that this version writes. Fields that are absent, and those
 *  that the schema does not know, are of other versions and are not judged here. */
import { readShipped } from "../shipped.ts";

/** What `scripts/make-schemas.mjs` writes. */
export interface Schema {
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly items?: Schema | false;
  readonly minItems?: number;
}

/** Undefined of kinds that have none. */
export function readSchema(kind: string): Schema | undefined {
  const text = readShipped(`schema/${kind}.json`)?.toString();
  return text === undefined ? undefined : (JSON.parse(text) as Schema);
}

/** As `series.differences[0].count is text`; undefined where nothing has another type, and of kinds that have no schema. */
export function schemaFault(json: { readonly kind: string }): string | undefined {
  const { kind } = json;
  const whole = /^[a-z-]+$/.test(kind) ? readSchema(kind) : undefined;
  if (whole === undefined) return undefined;
  const { $defs = {} } = whole;

  /** Where the value does not fit, and the value there. */
  function find(value: unknown, schema: Schema, path: string): Misfit | undefined {
    if (schema.$ref !== undefined) return find(value, $defs[schema.$ref.replace("#/$defs/", "")]!, path);
    const { type, const: only, enum: some, anyOf, properties, prefixItems, items, minItems = 0 } = schema;
    const { additionalProperties: others } = schema;
    const here = { path, value };
    if (only !== undefined && value !== only) return here;
    if (some !== undefined && !some.includes(value)) return here;
    if (type !== undefined && typeOf(value) !== type) return here;
    if (anyOf !== undefined) {
      const found = anyOf.map((one) => find(value, one, path));
      if (!found.includes(undefined)) return deepest(found as Misfit[]);
    }
    if (Array.isArray(value)) {
      const open = items === undefined || items === false ? undefined : items;
      if (value.length < minItems || (items === false && value.length > (prefixItems ?? []).length)) return here;
      return first(value, (part, k) => {
        const wanted = prefixItems?.[k] ?? open;
        return wanted === undefined ? undefined : find(part, wanted, `${path}[${k}]`);
      });
    }
    if (typeof value !== "object" || value === null) return undefined;
    return first(Object.entries(value), ([name, part]) => {
      const known = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : others;
      return known === undefined || known === false
        ? undefined
        : find(part, known, path === "" ? name : `${path}.${name}`);
    });
  }

  const misfit = find(json, whole, "");
  return misfit === undefined ? undefined : `${misfit.path} is ${WORDS[typeOf(misfit.value)]}`;
}

interface Misfit {
  readonly path: string;
  readonly value: unknown;
}

const WORDS: Readonly<Record<string, string>> = {
  array: "a list of another kind",
  boolean: "true or false",
  null: "null",
  number: "a number",
  object: "an object of another kind",
  string: "another text",
};

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

function first<T>(parts: readonly T[], find: (part: T, k: number) => Misfit | undefined): Misfit | undefined {
  for (const [k, part] of parts.entries()) {
    const found = find(part, k);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of several alternatives that the value is none of, the one that went farthest says most. */
const deepest = (found: readonly Misfit[]): Misfit =>
  found.reduce((best, own) => (own.path.length > best.path.length ? own : best));
