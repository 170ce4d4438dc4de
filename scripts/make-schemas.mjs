/** Writes a JSON Schema for every kind of result into dist/schema, from the TypeScript types: each exported type whose name ends in
 *  `Json` and whose `kind` is one word is an object that `--json` prints. Several types of one kind are alternatives.
 *
 *    number         a number, or one of the strings that stand for what JSON lacks: NaN, Infinity, -Infinity
 *    properties     no others than the type has, unless it has an index signature */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { root } from "./project.mjs";

const NUMBER = {
  description: "A number; what JSON lacks is written as a string.",
  anyOf: [{ type: "number" }, { enum: ["NaN", "Infinity", "-Infinity"] }],
};
const TYPED_ARRAY = /^(Float|Int|Uint)\d+(Clamped)?Array$/;

/** Every kind with its schema. */
export function makeSchemas() {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${root}tsconfig.json`,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  );
  const files = [...config.fileNames, `${root}replications/result.ts`];
  const program = ts.createProgram(files, { ...config.options, noEmit: true, rootDir: root });
  const checker = program.getTypeChecker();
  const writer = schemaWriter(checker);
  const kinds = new Map();
  for (const [kind, type] of writtenTypes(program, checker)) kinds.set(kind, [...(kinds.get(kind) ?? []), type]);
  return new Map(
    [...kinds].sort().map(([kind, types]) => [kind, wholeSchema(kind, types.map(writer.write), writer.definitions)]),
  );
}

/** Exported types that a written result has, with their kinds. */
function* writtenTypes(program, checker) {
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile || file.fileName.includes("node_modules")) continue;
    for (const statement of file.statements) {
      if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) continue;
      if (!statement.name.text.endsWith("Json") || statement.typeParameters !== undefined) continue;
      if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
      const type = checker.getDeclaredTypeOfSymbol(checker.getSymbolAtLocation(statement.name));
      const kind = type.getProperty("kind");
      const version = type.getProperty("version");
      const literal = kind && checker.getTypeOfSymbol(kind);
      if (version !== undefined && literal?.isStringLiteral()) yield [literal.value, type];
    }
  }
}

function wholeSchema(kind, alternatives, definitions) {
  const used = new Map();
  const visit = (schema) => {
    if (Array.isArray(schema)) return schema.forEach(visit);
    if (typeof schema !== "object" || schema === null) return;
    const name = typeof schema.$ref === "string" ? schema.$ref.replace("#/$defs/", "") : undefined;
    if (name !== undefined && !used.has(name)) {
      used.set(name, definitions.get(name));
      visit(definitions.get(name));
    }
    Object.values(schema).forEach(visit);
  };
  visit(alternatives);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `gosset ${kind}`,
    ...(alternatives.length === 1 ? alternatives[0] : { anyOf: alternatives }),
    $defs: Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function schemaWriter(checker) {
  const definitions = new Map([["number", NUMBER]]);
  /** A named type has one definition. */
  const names = new Map();

  function write(type) {
    if (type.flags & ts.TypeFlags.Number) return { $ref: "#/$defs/number" };
    if (type.flags & ts.TypeFlags.String || type.flags & ts.TypeFlags.TemplateLiteral) return { type: "string" };
    if (type.flags & ts.TypeFlags.Boolean) return { type: "boolean" };
    if (type.flags & ts.TypeFlags.Null) return { type: "null" };
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (type.flags & ts.TypeFlags.NonPrimitive) return { type: "object" };
    if (type.isLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === "true" };
    if (type.isUnion()) return writeUnion(type);
    if (checker.isTupleType(type)) return writeTuple(type);
    if (checker.isArrayType(type)) return { type: "array", items: write(checker.getTypeArguments(type)[0]) };
    const name = type.symbol?.name ?? "";
    if (TYPED_ARRAY.test(name)) return { type: "array", items: { $ref: "#/$defs/number" } };
    if (name === "Map" || name === "ReadonlyMap")
      return { type: "object", additionalProperties: write(checker.getTypeArguments(type)[1]) };
    if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return writeNamed(type);
    throw new Error(`no schema for ${checker.typeToString(type)}`);
  }

  function writeUnion(type) {
    const parts = type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined));
    const literals = parts.filter((part) => part.isLiteral()).map((part) => part.value);
    const booleans = parts.filter((part) => part.flags & ts.TypeFlags.BooleanLiteral);
    const others = parts.filter((part) => !part.isLiteral() && !(part.flags & ts.TypeFlags.BooleanLiteral)).map(write);
    const all = [
      ...(literals.length === 0 ? [] : [literals.length === 1 ? { const: literals[0] } : { enum: literals }]),
      ...(booleans.length === 2 ? [{ type: "boolean" }] : booleans.map(write)),
      ...others,
    ];
    return all.length === 1 ? all[0] : { anyOf: all };
  }

  function writeTuple(type) {
    const items = checker.getTypeArguments(type).map(write);
    const { minLength, hasRestElement } = type.target;
    if (hasRestElement) return { type: "array", items: { anyOf: items }, minItems: minLength };
    return { type: "array", prefixItems: items, items: false, minItems: minLength };
  }

  function writeNamed(type) {
    const known = names.get(type);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const wanted = type.aliasSymbol?.name ?? type.symbol?.name ?? "";
    const plain = /^\w+$/.test(wanted) && !wanted.startsWith("__") && !(type.aliasTypeArguments?.length > 0);
    // a type without a name of its own stands where it is used
    if (!plain || ["Omit", "Pick", "Partial", "Written"].includes(wanted)) return writeObject(type);
    let name = wanted;
    for (let k = 2; definitions.has(name); k++) name = `${wanted}${k}`;
    names.set(type, name);
    definitions.set(name, {});
    Object.assign(definitions.get(name), writeObject(type));
    return { $ref: `#/$defs/${name}` };
  }

  function writeObject(type) {
    const properties = {};
    const required = [];
    for (const property of checker.getPropertiesOfType(type)) {
      const own = checker.getTypeOfSymbol(property);
      if (own.getCallSignatures().length > 0)
        throw new Error(`${property.name} of ${checker.typeToString(type)} is a function`);
      if (own.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)) continue;
      const description = ts.displayPartsToString(property.getDocumentationComment(checker)).replace(/\s+/g, " ");
      properties[property.name] = { ...write(own), ...(description === "" ? {} : { description }) };
      const absent = own.isUnion() && own.types.some((part) => part.flags & ts.TypeFlags.Undefined);
      if (!(property.flags & ts.SymbolFlags.Optional) && !absent) required.push(property.name);
    }
    const index = checker.getIndexInfosOfType(type).find(({ keyType }) => keyType.flags & ts.TypeFlags.String);
    return {
      type: "object",
      properties,
      ...(required.length === 0 ? {} : { required: required.sort() }),
      additionalProperties: index === undefined ? false : write(index.type),
    };
  }

  return { write, definitions };
}

export function writeSchemas() {
  const folder = `${root}dist/schema`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [kind, schema] of makeSchemas()) writeFileSync(`${folder}/${kind}.json`, `${JSON.stringify(schema)}\n`);
}
