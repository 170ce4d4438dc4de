import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Folders in the order of the tree; an arrow may only point to what stands above. */
const METHODS = [
  "data",
  "formula",
  "models",
  "metrics",
  "resample",
  "significance",
  "reliability",
  "validity",
  "power",
];
const above = (folder: string) => ["numeric", "result", "run", ...METHODS.slice(0, METHODS.indexOf(folder))];
const MAY_IMPORT: Record<string, readonly string[]> = {
  numeric: [],
  result: [],
  run: ["numeric", "result"],
  ...Object.fromEntries(METHODS.map((folder) => [folder, above(folder)])),
  plan: ["numeric", "result", "run", ...METHODS],
  plot: ["result", "data"],
  report: ["result", "data", "plot"],
  io: ["data", "result"],
  cli: ["index.ts", "run"],
  "index.ts": ["numeric", "result", "run", ...METHODS, "plan", "plot", "report", "io"],
};
/** Folders that may import other folders' types. */
const TYPES_FROM_ANYWHERE = new Set(["plot", "report"]);
const RUN_ADAPTERS = new Set(["threads.ts", "web-workers.ts", "bullmq.ts", "worker.ts"]);

/** Which package may be imported where. */
const PACKAGES: Record<string, readonly string[]> = {
  commander: ["cli"],
  "@clack/prompts": ["cli"],
  fflate: ["io"],
  fzstd: ["io"],
  hyparquet: ["io"],
  "hyparquet-compressors": ["io"],
  "@observablehq/plot": ["plot"],
  linkedom: ["plot"],
  "@resvg/resvg-js": ["report", "cli"],
  katex: ["report"],
  preact: ["report"],
  yaml: ["plan", "cli"],
  zod: ["plan", "cli"],
  hono: ["cli"],
  bullmq: ["run"],
  ioredis: ["run"],
};

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

function sourceFiles(): string[] {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => name.split(sep).join("/"))
    .sort();
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(join(root, "src", file), "utf8"), ts.ScriptTarget.Latest, true);
}

function importsOf(file: string): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const typeOnly = ts.isImportDeclaration(node)
        ? node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
        : node.isTypeOnly;
      found.push({ file, target: (node.moduleSpecifier as ts.StringLiteral).text, typeOnly });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const target = node.arguments[0];
      found.push({ file, target: target && ts.isStringLiteral(target) ? target.text : "(computed)", typeOnly: false });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      found.push({ file, target: (node.argument.literal as ts.StringLiteral).text, typeOnly: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

const folderOf = (file: string): string => file.split("/")[0]!;

/** undefined if the arrow is allowed, otherwise the sentence that says why not. */
function fault({ file, target, typeOnly }: Import): string | undefined {
  const from = folderOf(file);
  const adapter = from === "run" && RUN_ADAPTERS.has(file.split("/")[1]!);
  // a user's own module has a path that only the user knows
  if (target === "(computed)") return adapter ? undefined : `${file} imports a computed path`;
  if (!target.startsWith(".")) {
    if (target.startsWith("node:")) {
      return from === "cli" || adapter ? undefined : `${file} imports ${target}: Node built-ins belong to cli/`;
    }
    const name = target.startsWith("@") ? target.split("/").slice(0, 2).join("/") : target.split("/")[0]!;
    return PACKAGES[name]?.includes(from) ? undefined : `${file} imports the package ${name}`;
  }
  const resolved = relative("src", join("src", dirname(file), target))
    .split(sep)
    .join("/");
  const to = folderOf(resolved);
  if (to === from) return undefined;
  const allowed = MAY_IMPORT[from];
  if (!allowed) return `${file}: the folder ${from} is not in the tree`;
  if (from === "cli" && to === "run" && !RUN_ADAPTERS.has(resolved.split("/")[1]!))
    return `${file} imports ${resolved}`;
  if (from === "run" && file === "run/worker.ts" && to === "index.ts") return undefined;
  if (allowed.includes(to) || (typeOnly && TYPES_FROM_ANYWHERE.has(from))) return undefined;
  return `${file} imports ${resolved}: ${from} may import ${allowed.join(", ") || "nothing"}`;
}

describe("architecture", () => {
  const files = sourceFiles();

  it("finds the sources", () => {
    expect(files.length).toBeGreaterThan(20);
    expect(importsOf("index.ts").length).toBeGreaterThan(5);
  });

  it("has only arrows that point up the tree", () => {
    expect(files.flatMap(importsOf).map(fault).filter(Boolean)).toEqual([]);
  });

  it("would see a forbidden arrow", () => {
    expect(fault({ file: "numeric/rng.ts", target: "../data/table.ts", typeOnly: true })).toMatch(/may import nothing/);
    expect(fault({ file: "models/lm.ts", target: "../power/curve.ts", typeOnly: false })).toMatch(/power/);
    expect(fault({ file: "io/csv.ts", target: "node:fs", typeOnly: false })).toMatch(/built-ins/);
    expect(fault({ file: "numeric/fft.ts", target: "fft.js", typeOnly: false })).toMatch(/package/);
    expect(fault({ file: "cli/main.ts", target: "../models/lm.ts", typeOnly: false })).toMatch(/may import index/);
    expect(fault({ file: "models/lm.ts", target: "../numeric/dist/t.ts", typeOnly: false })).toBeUndefined();
  });

  it("re-exports only in index.ts", () => {
    const reexports = files.filter((file) => file !== "index.ts" && parse(file).statements.some(isReexport));
    expect(reexports).toEqual([]);
  });

  it("has console, Date and process only in cli, Math.random and eval nowhere", () => {
    const faults: string[] = [];
    for (const file of files) {
      const inCli = folderOf(file) === "cli";
      const visit = (node: ts.Node): void => {
        if (ts.isPropertyAccessExpression(node) && node.getText() === "Math.random")
          faults.push(`${file}: Math.random`);
        if (ts.isIdentifier(node) && isFreeName(node)) {
          if (["eval", "Function"].includes(node.text) && isCallee(node)) faults.push(`${file}: ${node.text}`);
          if (!inCli && ["console", "Date", "process", "document", "window"].includes(node.text)) {
            faults.push(`${file}: ${node.text}`);
          }
        }
        ts.forEachChild(node, visit);
      };
      visit(parse(file));
    }
    expect(faults).toEqual([]);
  });

  it("keeps every file under 500 lines and calls none utils or common", () => {
    expect(files.filter((file) => /(^|\/)(utils?|common|helpers?)(\.ts|\/)/.test(file))).toEqual([]);
    // index.ts holds no code, only the names of the public API
    const code = files.filter((file) => file !== "index.ts");
    expect(code.filter((file) => readFileSync(join(root, "src", file), "utf8").split("\n").length > 500)).toEqual([]);
  });
});

function isReexport(statement: ts.Statement): boolean {
  return ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;
}

/** A name in an expression that is neither a property, a key nor a declaration. */
function isFreeName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return ts.isCallExpression(parent) || ts.isNewExpression(parent) || ts.isBinaryExpression(parent);
}

function isCallee(node: ts.Identifier): boolean {
  const { parent } = node;
  return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node;
}
