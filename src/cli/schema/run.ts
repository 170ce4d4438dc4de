/** `gosset schema [kind|command]`: the schemas that the build made from the types of the results. */
import { GOSSET_VERSION, makeResult, type Published, type Result, type ResultJson, StatError } from "../../index.ts";
import { suggest } from "../../text.ts";
import type { Context } from "../context.ts";
import type { GlobalOptions } from "../options.ts";
import { writeText } from "../output.ts";
import { listShipped } from "../shipped.ts";
import { readSchema, type Schema } from "./check.ts";
import { KINDS_OF_COMMAND } from "./kinds.ts";

export interface SchemasJson extends ResultJson<"schemas"> {
  readonly kinds: readonly string[];
  readonly commands: readonly { readonly command: string; readonly kinds: readonly string[] }[];
}

export async function run(context: Context<GlobalOptions>, name: string | undefined): Promise<void> {
  const kinds = listShipped("schema")
    .map((file) => file.replace(/\.json$/, ""))
    .sort();
  if (name === undefined) return context.print(listSchemas(kinds));
  const document = await documentSchema(name);
  if (document !== undefined) return writeText(`${JSON.stringify(document, null, 2)}\n`, context.options);
  const wanted = kinds.includes(name) ? [name] : KINDS_OF_COMMAND[name];
  if (wanted === undefined) throw unknownName(name, kinds);
  if (wanted.length === 0) {
    throw new StatError("UnknownKind", `gosset ${name} prints no JSON.`, "Run gosset schema for the commands that do.");
  }
  const { format } = context.options;
  if (format !== "json" && format !== "text") {
    throw new StatError("BadOption", `${format} for a JSON Schema, which is JSON.`, "Leave --format out.");
  }
  writeText(
    `${JSON.stringify(
      joined(
        name,
        wanted.map((kind) => readSchema(kind)!),
      ),
      null,
      2,
    )}\n`,
    context.options,
  );
}

/** Files that people write. */
async function documentSchema(name: string): Promise<object | undefined> {
  if (name !== "gate-policy" && name !== "plan-file") return undefined;
  const { planSchema, policySchema } = await import("../../plan.ts");
  return name === "plan-file" ? planSchema() : policySchema();
}

/** A command of several kinds prints one of them; their definitions have the same names. */
function joined(name: string, schemas: readonly Schema[]): object {
  if (schemas.length === 1) return schemas[0]!;
  const $defs = Object.assign({}, ...schemas.map((schema) => schema.$defs));
  const anyOf = schemas.map(({ $defs: _, ...own }) => own);
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: `gosset ${name}`, anyOf, $defs };
}

function unknownName(name: string, kinds: readonly string[]): StatError {
  const names = [...new Set([...kinds, ...Object.keys(KINDS_OF_COMMAND)])];
  return new StatError(
    "UnknownKind",
    `there is no kind of result and no command "${name}".`,
    suggest(name, names, "Run gosset schema for the list."),
  );
}

function listSchemas(kinds: readonly string[]): Result<"schemas"> {
  const commands = Object.entries(KINDS_OF_COMMAND)
    .filter(([, own]) => own.length > 0)
    .map(([command, own]) => ({ command, kinds: own }));
  const others = kinds.filter((kind) => !commands.some((own) => own.kinds.includes(kind)));
  const fields = {
    signature: { method: "schema", version: GOSSET_VERSION, options: {}, data: "" },
    diagnostics: [],
    kinds,
    commands,
  };
  return makeResult("schemas", fields, {
    display: () => ({
      title: "What --json prints",
      tables: [
        { head: ["command", "kinds"], rows: commands.map((own) => [own.command, own.kinds.join(", ")]) },
        { head: ["results of the library alone"], rows: others.map((kind) => [kind]) },
      ],
      notes: ["gosset schema <kind or command> prints the JSON Schema."],
    }),
    json: (): Published<SchemasJson> => ({ kinds, commands }),
  });
}
