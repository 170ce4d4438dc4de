import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const sources = path("src/");
/** The entry points that the package names. */
const ENTRIES = [
  "index",
  "distributions",
  "io",
  "metrics",
  "models",
  "plan",
  "power",
  "resample",
  "runners",
  "scenarios",
  "text",
  "tests",
];
const MOST_AT_ROOT = 110;

const config = ts.getParsedCommandLineOfConfigFile(
  path("tsconfig.json"),
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
)!;
const program = ts.createProgram(
  ENTRIES.map((name) => path(`src/${name}.ts`)),
  { ...config.options, noEmit: true, composite: false },
);
const checker = program.getTypeChecker();
const resolve = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
const exportsOf = (entry: string): ts.Symbol[] =>
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path(`src/${entry}.ts`))!)!);
const isValue = (symbol: ts.Symbol): boolean => (resolve(symbol).flags & ts.SymbolFlags.Value) !== 0;

/** One line for every export: its name and type. */
function surfaceOf(entry: string): string {
  const lines = exportsOf(entry).map((symbol) => {
    const target = resolve(symbol);
    const declaration = target.declarations![0]!;
    if (target.flags & ts.SymbolFlags.Value) {
      const type = checker.typeToString(
        checker.getTypeOfSymbolAtLocation(target, declaration),
        undefined,
        ts.TypeFormatFlags.NoTruncation,
      );
      return `${symbol.name}: ${type}`;
    }
    return `type ${symbol.name} ${declaration
      .getText()
      .replace(/\/\*\*[\s\S]*?\*\//g, "")
      .replace(/\s+/g, " ")}`;
  });
  return `== ${entry}\n${lines.sort().join("\n")}\n`;
}

/** Types of ours that the signatures of an entry mention and that it does not export. Keys of Pick and Omit that a file keeps to itself
 *  are no types that anyone would write. */
function missingTypes(entry: string): string[] {
  const own = new Set(exportsOf(entry).map(resolve));
  const missing = new Set<string>();
  const seen = new Set<ts.Node>();
  const meet = (found: ts.Symbol | undefined): void => {
    if (found === undefined) return;
    const symbol = resolve(found);
    const declaration = symbol.declarations?.[0];
    const named = symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class);
    if (!named || declaration === undefined || !declaration.getSourceFile().fileName.startsWith(sources)) return;
    const isPrivateAlias = ts.isTypeAliasDeclaration(declaration) && !isExported(declaration);
    if (!own.has(symbol) && !isPrivateAlias) missing.add(symbol.name);
    for (const one of symbol.declarations!) visit(one);
  };
  const walk = (node: ts.Node): void => {
    if (ts.isBlock(node)) return;
    if (ts.isTypeReferenceNode(node)) meet(checker.getSymbolAtLocation(node.typeName));
    if (ts.isExpressionWithTypeArguments(node)) meet(checker.getSymbolAtLocation(node.expression));
    ts.forEachChild(node, walk);
  };
  const signature = (node: ts.SignatureDeclaration): void => {
    for (const { type } of node.parameters) if (type) walk(type);
    if (node.type) walk(node.type);
  };
  const visit = (node: ts.Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (ts.isFunctionDeclaration(node)) signature(node);
    else if (ts.isVariableDeclaration(node)) {
      if (node.type) walk(node.type);
      else if (node.initializer && ts.isArrowFunction(node.initializer)) signature(node.initializer);
    } else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) ts.forEachChild(node, walk);
  };
  for (const symbol of own) for (const declaration of symbol.declarations ?? []) visit(declaration);
  return [...missing].sort();
}

const isExported = (node: ts.TypeAliasDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

describe("public API", () => {
  /** A change of it is a decision: run `UPDATE_API=1 npx vitest run test/api.test.ts`. */
  it("exports what api-surface.txt says, no more and no less", () => {
    const surface = ENTRIES.map(surfaceOf).join("\n");
    const stored = path("test/api-surface.txt");
    if (process.env["UPDATE_API"]) writeFileSync(stored, surface);
    expect(surface).toBe(readFileSync(stored, "utf8"));
  });

  it(`has at most ${MOST_AT_ROOT} values at the root, each named in the library guide`, () => {
    const names = exportsOf("index")
      .filter(isValue)
      .map(({ name }) => name);
    expect(names.length).toBeLessThanOrEqual(MOST_AT_ROOT);
    const guide = readFileSync(path("docs/library.md"), "utf8");
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(guide))).toEqual([]);
  });

  it.each(ENTRIES)("%s: every type that a signature mentions can be imported", (entry) => {
    expect(missingTypes(entry)).toEqual([]);
  });

  it("compares systems, and nothing else, under the name compare", () => {
    const named = ENTRIES.flatMap((entry) => exportsOf(entry).filter(isValue)).filter(({ name }) =>
      /^compare/.test(name),
    );
    expect([...new Set(named.map(({ name }) => name))]).toEqual(["compare"]);
  });
});
