/** Every sentence that src and web may print, for docs/messages.txt, so that they can be read as text. A placeholder stands in braces. Comments,
 *  identifiers and single words are left out. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./cli.ts";

const FOLDERS = ["src", "web"];

interface Message {
  readonly line: number;
  readonly text: string;
}

/** Three words or more that make a phrase: not a list of names, a path or a pattern. */
const isProse = (text: string): boolean =>
  /\p{L}{2,}[,;:]? +\S+ +\S/u.test(text) && /[a-z]{4,}/.test(text) && (!LIST.test(text) || LINK.test(text));
const LIST = /^[\w.\-/]+( [\w.\-/]+)*$/;
const LINK = /\b(is|are|was|were|has|have|of|the|a|in|to|for|and|no|not|with|by|on|as)\b/i;

function sourceFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$|node_modules|wasm-bytes/.test(name)),
  ).sort();
}

const placeholder = (text: string): string => (/^[\w.]{1,24}$/.test(text) ? `{${text}}` : "{…}");

/** The texts of one file, in its order: `{ line, text }`. */
export function messagesIn(path: string, source: string, isShown: (text: string) => boolean = isProse): Message[] {
  const file = ts.createSourceFile(
    path,
    source,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: Message[] = [];
  const add = (node: ts.Node, raw: string): void => {
    const text = raw.replace(/\s+/g, " ").trim();
    if (isShown(text)) found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node))
      add(node, node.text);
    if (ts.isTemplateExpression(node))
      add(
        node,
        node.head.text +
          node.templateSpans.map((span) => placeholder(span.expression.getText()) + span.literal.text).join(""),
      );
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Of all files, by path. */
export const allMessages = (
  isShown: (text: string) => boolean = isProse,
): { readonly path: string; readonly messages: readonly Message[] }[] =>
  sourceFiles().map((path) => ({ path, messages: messagesIn(path, readFileSync(join(root, path), "utf8"), isShown) }));

export function writtenMessages(): string {
  const parts = allMessages().filter(({ messages }) => messages.length > 0);
  const head =
    "Every sentence that the product may print, by the file that makes it (UPDATE_VOICE=1 npx vitest run test/voice.test.ts). Placeholders stand in braces.\n";
  return `${[head, ...parts.map(({ path, messages }) => `## ${path}\n${messages.map(({ text }) => text).join("\n")}\n`)].join("\n")}`;
}
