/** The regular expressions that the sources hold, for the test of their cost and for its fuzzing. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { PatternCode } from "./pattern-steps.ts";

export interface Pattern extends PatternCode {
  readonly at: string;
}

export const writtenPatterns = (): Pattern[] => ["src", "web"].flatMap(sourcesOf).flatMap(patternsOf);

/** Each once, of those that repeat something. */
export function repeatingPatterns(patterns: readonly Pattern[]): Pattern[] {
  const all = new Map(patterns.map((own) => [`${own.source}/${own.flags}`, own]));
  return [...all.values()].filter(({ source }) => /[*+{]/.test(source));
}

function patternsOf(path: string): Pattern[] {
  const out: Pattern[] = [];
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      out.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), at: `${path}:${line}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return out;
}

const sourcesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name));
