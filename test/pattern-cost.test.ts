/** No pattern of the source takes the square of a text's length: names, cells and lines of strangers may be megabytes long. A pattern that
 *  does takes minutes on the texts below, one that does not some milliseconds. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const LENGTH = 100_000;
/** Without an answer. */
const LIMIT_MS = 15_000;

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly at: string;
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

/** What repeats in the texts: blanks, a digit, a letter, and each sign that the pattern names. */
function repeated(source: string): string[] {
  const signs = [...source.replace(/\\./g, "")].filter((c) => c < "\u0080" && /[^\w?+*^|]/.test(c));
  return [...new Set([" ", "0", "a", "A", "-", "_", ...signs, ...signs.slice(0, 3).map((c) => `a${c}`)])];
}

const textsOf = (source: string): string[] =>
  repeated(source).flatMap((part) => {
    const many = part.repeat(LENGTH / part.length);
    return [`a ${many}\u0000`, `${many}!a`];
  });

const WORKER = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ source, flags, text }) => {
  const pattern = new RegExp(source, flags);
  if (flags.includes("g")) text.replace(pattern, "");
  else pattern.test(text);
  parentPort.postMessage("done");
});`;

function ends(worker: Worker, message: { source: string; flags: string; text: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), LIMIT_MS);
    worker.once("message", () => {
      clearTimeout(timer);
      resolve(true);
    });
    worker.postMessage(message);
  });
}

describe("patterns of the source", () => {
  it("take no longer than the length of a text", { timeout: 300_000 }, async () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => join("src", name));
    const all = new Map(files.flatMap(patternsOf).map((own) => [`${own.source}/${own.flags}`, own]));
    const repeating = [...all.values()].filter(({ source }) => /[*+{]/.test(source));
    expect(repeating.length).toBeGreaterThan(100);
    const slow: string[] = [];
    let worker = new Worker(WORKER, { eval: true });
    for (const { source, flags, at } of repeating) {
      for (const text of textsOf(source)) {
        if (await ends(worker, { source, flags, text })) continue;
        slow.push(`${at} /${source}/ on ${JSON.stringify(text.slice(0, 6))}…`);
        await worker.terminate();
        worker = new Worker(WORKER, { eval: true });
        break;
      }
    }
    await worker.terminate();
    expect(slow).toEqual([]);
  });
});
