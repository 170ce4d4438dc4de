/** The package as it is published, in an empty project: `npm pack`, unpacked beside its dependencies. Its types compile with the oldest
 *  TypeScript that README names, strictly and with their own declarations checked; README's example runs and bundles for a browser. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import current from "typescript";
import oldest from "typescript-floor";
import { describe, expect, it } from "vitest";
import { root } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const readme = readFileSync(join(root, "README.md"), "utf8");
const project = makeFolder("package");

const installed = join(project, "node_modules", "gosset");
mkdirSync(installed, { recursive: true });
execFileSync("npm", ["pack", "--silent", "--pack-destination", project], { cwd: root });
execFileSync("tar", ["-xzf", join(project, `gosset-${manifest.version}.tgz`), "--strip-components=1", "-C", installed]);
mkdirSync(join(project, "node_modules", "@types"));
for (const name of [...Object.keys(manifest.dependencies), "@types/node"]) {
  symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
}
writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
symlinkSync(join(root, "examples"), join(project, "examples"));

const write = (name: string, text: string): string => {
  writeFileSync(join(project, name), text);
  return join(project, name);
};

const example = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)]
  .map(([, code]) => code!)
  .find((code) => code.includes('"gosset"'))!;
/** A value from every entry point, used with its type. */
const entries = `
import { design, type LmmFit, makeRng, power, type Table } from "gosset";
import { normalCdf } from "gosset/distributions";
import { readCsv } from "gosset/io";
import { findMetric } from "gosset/metrics";
import { parseFormula } from "gosset/models";
import { simplePolicy } from "gosset/plan";
import { accuracyFamily, computePower } from "gosset/power";
import { jackknife } from "gosset/resample";
import { journalRunner, openFolder } from "gosset/runners";
import { SCENARIO_SPECS } from "gosset/scenarios";
import { binomialTest } from "gosset/tests";
import { threadRunner } from "gosset/threads";

export const theta = (fit: LmmFit): Float64Array => fit.theta;
export const rows = (table: Table): number => table.rows;
export const tail: number = normalCdf(1.96);
export const read: Table = readCsv(new TextEncoder().encode("a,b\\n1,2")).table;
export const answers = [findMetric("bleu"), parseFormula("y ~ x").text, SCENARIO_SPECS.length, binomialTest(7, 20).p];
export const exact: number = computePower(accuracyFamily, { n: 100, delta: 0.1, agreement: 0.8 }).power;
export const spread: number = jackknife(5, Float64Array.of(4, 6)).se;
export const alpha: number = simplePolicy({ margin: 0.02 }).alpha;
export const runner = journalRunner(openFolder("runs/a"), threadRunner({ workers: 2 }));
export const planned = design.likert({ effect: 0.2, setting: "card-low" }, { budget: 300, prices: { rating: 1 }, rng: makeRng(1) });
export const chance = power.likert({ items: 100, raters: 5, effect: 0.2, setting: "card-high" }, { method: "approx" });
`;
const MISSPELT = `
import { design, makeRng, power } from "gosset";
power.likert({ itmes: 100, raters: 5, effect: 0.2 });
design.likert({ effcet: 0.2 }, { budget: 300, prices: {}, rng: makeRng(1) });
`;

interface Compiler {
  readonly version: string;
  readonly createProgram: typeof current.createProgram;
  readonly getPreEmitDiagnostics: typeof current.getPreEmitDiagnostics;
  readonly flattenDiagnosticMessageText: typeof current.flattenDiagnosticMessageText;
}

/** What a compiler says of our declarations and of the files; other packages' declarations are their own affair. */
function faults(ts: Compiler, files: readonly string[]): string[] {
  const program = ts.createProgram([...files], {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: current.ScriptTarget.ES2022,
    module: current.ModuleKind.NodeNext,
    moduleResolution: current.ModuleResolutionKind.NodeNext,
    types: ["node"],
  });
  return ts.getPreEmitDiagnostics(program).flatMap(({ file, messageText }) => {
    const place = file?.fileName.slice(project.length + 1) ?? "";
    if (place.startsWith("node_modules/") && !place.startsWith("node_modules/gosset/")) return [];
    return [`${place}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`];
  });
}

describe("the packed package", () => {
  const files = [write("example.ts", example), write("entries.ts", entries)];
  const misspelt = write("misspelt.ts", MISSPELT);
  const newer = write("newer.d.ts", "export declare const x: Float64Array<ArrayBufferLike>;");

  it("is told in README to need the compiler that is tried here", () => {
    const stated = /TypeScript (\d+\.\d+) or later/.exec(readme)?.[1];
    expect(oldest.version).toMatch(new RegExp(`^${stated}\\.`));
  });

  it.each<[string, Compiler]>([
    ["the oldest compiler", oldest as unknown as Compiler],
    ["this one", current],
  ])("has types that compile strictly with %s", (_, ts) => {
    // one program of all, since reading the declarations takes most of the time
    expect(faults(ts, [...files, misspelt, newer])).toEqual([
      expect.stringMatching(/^misspelt\.ts: .*itmes/),
      expect.stringMatching(/^misspelt\.ts: .*effcet/),
      // a declaration that only newer compilers read
      ...(ts.version === oldest.version ? [expect.stringMatching(/^newer\.d\.ts: .*not generic/)] : []),
    ]);
  });

  it("runs README's example as it is written", () => {
    const path = write("example.mjs", example);
    const { status, stdout, stderr } = spawnSync(process.execPath, [path], { cwd: project, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/retrieval/);
  });

  it("bundles for a browser without anything of Node's", async () => {
    const code = example.replace(/^import .* from "node:fs";$/m, "").replace(/readFileSync\(.*?\)/, '"a,b"');
    // an import of Node's would be an error here
    const { outputFiles, warnings, metafile } = await build({
      stdin: { contents: code, resolveDir: project },
      bundle: true,
      write: false,
      metafile: true,
      minify: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
    });
    expect(warnings).toEqual([]);
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    // README states the size
    const stated = Number(/(\d+) kB minified/.exec(readme)?.[1]);
    expect(Math.abs(outputFiles[0]!.contents.length / 1000 - stated)).toBeLessThan(0.1 * stated);
  });
});
