import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const entry = fileURLToPath(new URL("../src/index.ts", import.meta.url));
const stored = fileURLToPath(new URL("./api-surface.txt", import.meta.url));

/** One line for every export: its name and type. */
function apiSurface(): string {
  const config = ts.getParsedCommandLineOfConfigFile(
    fileURLToPath(new URL("../tsconfig.json", import.meta.url)),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => {},
    },
  )!;
  const program = ts.createProgram([entry], { ...config.options, noEmit: true, composite: false });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!;
  const lines = checker.getExportsOfModule(module).map((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
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
  return `${lines.sort().join("\n")}\n`;
}

/** A change of the public API is a decision: run `UPDATE_API=1 npx vitest run test/api.test.ts` and note it in CHANGELOG.md. */
it("exports what api-surface.txt says, no more and no less", () => {
  const surface = apiSurface();
  if (process.env["UPDATE_API"]) writeFileSync(stored, surface);
  expect(surface).toBe(readFileSync(stored, "utf8"));
});
