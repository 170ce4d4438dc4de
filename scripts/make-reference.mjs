/** The reference as pages in Markdown, made of what the build has: commands and flags of their specs, functions of the declarations, JSON of the
 *  schemas. */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { root } from "./project.mjs";

const cell = (text) => text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim();
const escapeHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const inTable = (text) => escapeHtml(cell(text));
const code = (text) => `\`${cell(text)}\``;
const table = (head, rows) =>
  [`| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...rows.map((row) => `| ${row.join(" | ")} |`)].join(
    "\n",
  );

/** Pages by their name below reference/. */
export async function makeReference() {
  const commands = await commandPages();
  return new Map([...commands, ["library", libraryPage()], ["schemas", schemaPage()]]);
}

async function commandPages() {
  const { makeProgram } = await import("../dist/cli/program.js");
  const program = makeProgram();
  const pages = program.commands.map((command) => [`commands/${command.name()}`, commandPage(command, [], "#")]);
  const groups = Map.groupBy
    ? Map.groupBy(program.commands, (command) => command.helpGroup())
    : program.commands.reduce(
        (map, one) => map.set(one.helpGroup(), [...(map.get(one.helpGroup()) ?? []), one]),
        new Map(),
      );
  const index = [
    "# Commands",
    "",
    "Made from the specifications that `gosset --help` prints.",
    ...[...groups].flatMap(([question, own]) => [
      "",
      `## ${question}`,
      "",
      table(
        ["command", "what it does"],
        own.map((one) => [`[gosset ${one.name()}](${one.name()}.md)`, inTable(one.summary())]),
      ),
    ]),
    "",
    "## Options of every command",
    "",
    optionTable(program),
    "",
  ].join("\n");
  return new Map([["commands/index", index], ...pages]);
}

function optionTable(command) {
  const shown = command.options.filter((option) => !option.hidden);
  const more = ({ defaultValue, argChoices, mandatory }) =>
    [
      ...(mandatory ? ["required"] : []),
      ...(argChoices === undefined ? [] : [`one of ${argChoices.map(code).join(", ")}`]),
      ...(defaultValue === undefined || Array.isArray(defaultValue) ? [] : [`default ${code(String(defaultValue))}`]),
    ].join("; ");
  return table(
    ["option", "what it does"],
    shown.map((option) => [code(option.flags), [inTable(option.description), more(option)].filter(Boolean).join("; ")]),
  );
}

function commandPage(command, path, level) {
  const words = command.registeredArguments.map((word) => (word.required ? `<${word.name()}>` : `[${word.name()}]`));
  const name = ["gosset", ...path, command.name()].join(" ");
  let after = "";
  command.emit("afterHelp", { command, error: false, write: (text) => (after += text) });
  return [
    `${level} ${name}`,
    "",
    escapeHtml(command.description().replace(/\s+/g, " ")),
    "",
    "```text",
    [name, ...words, ...(command.options.length > 0 ? ["[options]"] : [])].join(" "),
    "```",
    ...(command.registeredArguments.length === 0
      ? []
      : [
          "",
          table(
            ["argument", "what it is"],
            command.registeredArguments.map((word) => [code(word.name()), inTable(word.description)]),
          ),
        ]),
    ...(command.options.length === 0 ? [] : ["", optionTable(command)]),
    ...(after.trim() === "" ? [] : ["", "```text", after.trim(), "```"]),
    ...command.commands.flatMap((inner) => ["", commandPage(inner, [...path, command.name()], "##")]),
    "",
  ].join("\n");
}

/** Every exported function with its signature and the first sentence of its comment. */
function libraryPage() {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const entries = Object.entries(exports).filter(([, own]) => own.types !== undefined);
  const program = ts.createProgram(
    entries.map(([, own]) => `${root}${own.types.slice(2)}`),
    { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, skipLibCheck: true },
  );
  const checker = program.getTypeChecker();
  const seen = new Map();
  const parts = entries.map(([name, own]) => {
    const entry = name.replace(/^\./, "gosset");
    const source = program.getSourceFile(`${root}${own.types.slice(2)}`);
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
    const lines = symbols
      .map((symbol) => [symbol, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol])
      .filter(([, target]) => target.flags & ts.SymbolFlags.Value)
      .sort(
        ([a, one], [b, other]) =>
          isConstant(one) - isConstant(other) || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1),
      )
      .flatMap(([symbol, target]) => {
        const first = seen.get(target);
        if (first !== undefined)
          return [
            "",
            `### ${symbol.name}`,
            "",
            `The same as in [${first}](#${symbol.name.toLowerCase().replaceAll("_", "-")}).`,
          ];
        seen.set(target, entry);
        return [
          "",
          `### ${symbol.name}`,
          "",
          "```ts",
          ...signatures(checker, target, symbol.name),
          "```",
          ...comment(checker, target),
        ];
      });
    return [`## ${entry}`, ...lines].join("\n");
  });
  return [
    "# Library",
    "",
    "Every exported value, from the declarations of the package. [The guide](../library.md) groups them by question.",
    "",
    ...parts,
    "",
  ].join("\n");
}

/** Functions come first. */
const isConstant = ({ flags }) => Number((flags & ts.SymbolFlags.Function) === 0);

function signatures(checker, symbol, name) {
  const declaration = symbol.declarations[0];
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
  const calls = type.getCallSignatures();
  if (ts.isClassDeclaration(declaration)) return [`class ${name}`];
  if (calls.length === 0) {
    const text = checker.typeToString(type, declaration, flags);
    return [`const ${name}: ${text.length > 400 ? `${text.slice(0, 397)}…` : text}`];
  }
  return calls.map((call) => `function ${name}${wrap(checker.signatureToString(call, declaration, flags))}`);
}

/** A parameter a line where the whole is long. */
function wrap(signature) {
  if (signature.length < 90) return signature;
  let depth = 0;
  let text = "";
  for (const letter of signature) {
    if ("([{<".includes(letter)) depth += 1;
    if (")]}".includes(letter) || (letter === ">" && !text.endsWith("="))) depth -= 1;
    text += depth === 1 && letter === "," ? ",\n " : letter;
  }
  return text;
}

function comment(checker, symbol) {
  const text = ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .split(/\n\s*(?:Reference|Oracle|Limits):/)[0]
    .trim();
  return text === "" ? [] : ["", escapeHtml(text.replace(/\s*\n\s*/g, " ")).replaceAll("{{", "{ {")];
}

function schemaPage() {
  const folder = `${root}dist/schema`;
  const kinds = readdirSync(folder)
    .filter((name) => name !== "schemas.json")
    .sort();
  const parts = kinds.map((file) => {
    const kind = file.replace(/\.json$/, "");
    const whole = JSON.parse(readFileSync(`${folder}/${file}`, "utf8"));
    const alternatives = (whole.anyOf ?? whole.oneOf ?? [whole]).map((one) => resolve(one, whole));
    return [
      `## ${kind}`,
      ...alternatives.flatMap((one) => {
        const required = new Set(one.required ?? []);
        const rows = Object.entries(one.properties ?? {}).map(([name, schema]) => [
          code(required.has(name) ? name : `${name}?`),
          typeOf(schema, whole),
          inTable(schema.description ?? ""),
        ]);
        return rows.length === 0 ? [] : ["", table(["field", "type", "note"], rows)];
      }),
    ].join("\n");
  });
  return [
    "# JSON Schemas",
    "",
    "The fields of each object that `--json` prints; `?` marks those that may be absent. `gosset schema <kind>` prints the whole schema (draft 2020-12). [The guide](../json.md) explains them.",
    "",
    ...parts.flatMap((part) => [part, ""]),
  ].join("\n");
}

const resolve = (schema, whole) =>
  schema.$ref === undefined
    ? schema
    : (schema.$ref
        .split("/")
        .slice(1)
        .reduce((at, key) => at?.[key], whole) ?? {});

function typeOf(schema, whole, depth = 0) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1);
    return name.toLowerCase() === "number" ? "number" : code(name);
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined)
    return schema.enum.length > 8 ? "text" : schema.enum.map((one) => code(JSON.stringify(one))).join(" ");
  const many = schema.anyOf ?? schema.oneOf;
  if (many !== undefined)
    return depth > 1 ? "one of several" : [...new Set(many.map((one) => typeOf(one, whole, depth + 1)))].join(" or ");
  if (schema.type === "array") return schema.items ? `list of ${typeOf(schema.items, whole, depth + 1)}` : "list";
  if (schema.type === "string") return "text";
  return String(schema.type ?? "any");
}
