/** Files that people write (plans, policies): YAML or JSON read against a description of their fields. A fault is told with its line and
 *  column; the same description is the published JSON Schema. */

import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { StatError } from "../result/error.ts";
import { suggest } from "../result/suggest.ts";

export type Field =
  | {
      readonly kind: "number";
      readonly above?: number;
      readonly from?: number;
      readonly to?: number;
      readonly whole?: true;
    }
  | { readonly kind: "text"; readonly choices?: readonly string[]; readonly pattern?: string; readonly like?: string }
  | { readonly kind: "flag" }
  | { readonly kind: "list"; readonly of: Field }
  | { readonly kind: "map"; readonly of: Field }
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, NamedField>> }
  | { readonly kind: "either"; readonly of: readonly Field[] };

export interface NamedField {
  readonly field: Field;
  readonly help: string;
  readonly required?: true;
}

export type ObjectField = Extract<Field, { readonly kind: "object" }>;

/** Larger files are no plans; the parser compares every name of an object with every other. */
const MOST_CHARACTERS = 100_000;

/** The data of a document that is as described; keys keep their spelling. `name` stands in messages. */
export function readDocument(
  text: string,
  { name, shape }: { readonly name: string; readonly shape: ObjectField },
): unknown {
  if (text.length > MOST_CHARACTERS)
    throw new StatError(
      "BadDocument",
      `${name}: ${text.length} characters are not a plan.`,
      "Give the file that you wrote.",
    );
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = parsed.errors;
  const at = (offset: number | undefined): string => {
    const { line, col } = lines.linePos(offset ?? 0);
    return `${name}:${line}:${col}`;
  };
  if (broken !== undefined)
    throw new StatError("BadDocument", `${at(broken.pos[0])}: ${broken.message}.`, "Correct the YAML there.");
  const fault = (node: Node | null | undefined, message: string, fix: string): never => {
    throw new StatError("BadDocument", `${at(node?.range?.[0])}: ${message}`, fix);
  };
  return readNode(parsed.contents, shape, { path: "", fault });
}

interface Place {
  /** "tasks.gsm8k.margin", empty for the whole. */
  readonly path: string;
  readonly fault: (node: Node | null | undefined, message: string, fix: string) => never;
}

function readNode(node: Node | null | undefined, field: Field, place: Place): unknown {
  const { path, fault } = place;
  const wrong = (): never =>
    fault(node, `${path || "the file"} should be ${tellField(field)}, not ${tellNode(node)}.`, "Write it so.");
  switch (field.kind) {
    case "number": {
      if (!isScalar(node) || typeof node.value !== "number" || !Number.isFinite(node.value)) return wrong();
      const { above, from, to, whole } = field;
      const { value } = node;
      const bad = (above !== undefined && !(value > above)) || (from !== undefined && value < from);
      if (bad || (to !== undefined && value > to) || (whole && !Number.isInteger(value))) return wrong();
      return value;
    }
    case "text": {
      if (!isScalar(node) || typeof node.value === "object" || node.value === undefined) return wrong();
      const value = typeof node.value === "string" ? node.value : String(node.source ?? node.value);
      if (field.pattern !== undefined && !new RegExp(field.pattern, "u").test(value)) return wrong();
      if (field.choices !== undefined && !field.choices.includes(value)) return wrong();
      return value;
    }
    case "flag":
      return isScalar(node) && typeof node.value === "boolean" ? node.value : wrong();
    case "list":
      if (!isSeq(node)) return wrong();
      return node.items.map((own, k) => readNode(own as Node, field.of, { ...place, path: `${path}[${k + 1}]` }));
    case "map":
    case "object":
      return readMap(node, field, place);
    case "either":
      return readEither(node, field, place);
  }
}

/** The kind that the node has decides what is said about it. */
function readEither(node: Node | null | undefined, field: Extract<Field, { kind: "either" }>, place: Place): unknown {
  const faults: unknown[] = [];
  for (const own of field.of) {
    try {
      return readNode(node, own, place);
    } catch (error) {
      if (!(error instanceof StatError)) throw error;
      faults.push(error);
      if (isMap(node) && own.kind === "object") throw error;
    }
  }
  return place.fault(node, `${place.path} should be ${tellField(field)}, not ${tellNode(node)}.`, "Write it so.");
}

function readMap(
  node: Node | null | undefined,
  field: Extract<Field, { kind: "map" | "object" }>,
  place: Place,
): Record<string, unknown> {
  const { path, fault } = place;
  if (!isMap(node))
    return fault(
      node,
      `${path || "the file"} should be names with values, not ${tellNode(node)}.`,
      'Write "name: value", a line each.',
    );
  const found: Record<string, unknown> = Object.create(null);
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : "";
    // constructor and __proto__ are no fields
    const own = field.kind === "map" || Object.hasOwn(field.fields, name);
    const known = field.kind === "map" ? { field: field.of } : own ? field.fields[name] : undefined;
    const inner = path === "" ? name : `${path}.${name}`;
    if (known === undefined) {
      const names = Object.keys((field as ObjectField).fields);
      return fault(key as Node, `${inner} is unknown.`, suggest(name, names, `Known are ${names.join(", ")}.`));
    }
    // a name with nothing behind it is as good as none, but in a list of names
    if (isScalar(value) && value.value === null && field.kind === "object") continue;
    found[name] = readNode(value as Node, known.field, { ...place, path: inner });
  }
  if (field.kind === "object") {
    const missing = Object.entries(field.fields).filter(([name, own]) => own.required && found[name] === undefined);
    if (missing.length > 0) {
      const told = missing.map(([name, { help }]) => `${name} (${help})`).join(", ");
      const verb = missing.length === 1 ? "is" : "are";
      return fault(node, `${path === "" ? "" : `${path}: `}missing ${verb} ${told}.`, "Add what is missing.");
    }
  }
  return { ...found };
}

function tellNode(node: Node | null | undefined): string {
  if (isMap(node)) return "names with values";
  if (isSeq(node)) return "a list";
  if (!isScalar(node) || node.value === null) return "nothing";
  return typeof node.value === "string" ? `"${node.value.slice(0, 60)}"` : String(node.value);
}

function tellField(field: Field): string {
  switch (field.kind) {
    case "number": {
      const { above, from, to, whole } = field;
      const least = above !== undefined ? ` above ${above}` : from !== undefined ? ` from ${from}` : "";
      return `a ${whole ? "whole " : ""}number${least}${to === undefined ? "" : above === undefined ? ` to ${to}` : `, up to ${to}`}`;
    }
    case "text":
      return field.choices !== undefined ? field.choices.join(" or ") : (field.like ?? "text");
    case "flag":
      return "true or false";
    case "list":
      return "a list";
    case "map":
    case "object":
      return "names with values";
    case "either":
      return field.of.map(tellField).join(", or ");
  }
}

/** The JSON Schema of such a file. */
export function schemaOf(title: string, shape: ObjectField): object {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title, ...fieldSchema(shape) };
}

function fieldSchema(field: Field): object {
  switch (field.kind) {
    case "number": {
      const { above, from, to, whole } = field;
      return {
        type: whole ? "integer" : "number",
        exclusiveMinimum: above,
        minimum: from,
        maximum: to,
      };
    }
    case "text":
      return {
        type: "string",
        ...(field.choices === undefined ? {} : { enum: [...field.choices] }),
        pattern: field.pattern,
      };
    case "flag":
      return { type: "boolean" };
    case "list":
      return { type: "array", items: fieldSchema(field.of) };
    case "map":
      return { type: "object", additionalProperties: fieldSchema(field.of) };
    case "either":
      return { anyOf: field.of.map(fieldSchema) };
    case "object": {
      const entries = Object.entries(field.fields);
      const required = entries.filter(([, own]) => own.required).map(([name]) => name);
      return {
        type: "object",
        properties: Object.fromEntries(
          entries.map(([name, own]) => [name, { description: own.help, ...fieldSchema(own.field) }]),
        ),
        ...(required.length === 0 ? {} : { required }),
        additionalProperties: false,
      };
    }
  }
}
