import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The floors in the order of the tree, each with its rooms: an arrow may only point to what stands above. */
const FLOORS: Record<string, readonly string[]> = {
  numeric: ["rng", "special", "linalg", "optim", "dist"],
  result: ["render"],
  data: [],
  study: ["lexicon", "reshape", "checks"],
  question: [],
  formula: ["parse", "evaluate", "basis"],
  run: [],
  resample: [],
  models: ["lm", "glm", "random", "lmm", "profile", "laplace", "ordinal", "glmm", "gam/rows", "gam"],
  metrics: ["ter", "tries"],
  significance: [
    "intervals",
    "tests",
    "runs",
    "totals",
    "meta",
    "sequential",
    "means",
    "nested",
    "compare/matching",
    "compare/reading",
    "compare/pair",
    "compare",
    "ranks",
  ],
  reliability: ["agreement", "annotation", "generalizability"],
  validity: ["bias", "learner", "invariance", "circularity", "metrics", "judge"],
  power: ["designs", "scenarios/classical", "scenarios", "solve", "from", "survey"],
  io: ["csv", "json", "packed", "parquet", "logs"],
  describe: ["offers"],
  plan: ["gate"],
  plot: ["draw", "charts", "figures"],
  report: [],
  cli: [],
};
const METHODS = [
  "data",
  "study",
  "question",
  "formula",
  "resample",
  "models",
  "metrics",
  "significance",
  "reliability",
  "validity",
  "power",
];
const above = (folder: string) => ["numeric", "result", "run", ...METHODS.slice(0, METHODS.indexOf(folder))];
const EVERYTHING = ["numeric", "result", "run", ...METHODS];
const MAY_IMPORT: Record<string, readonly string[]> = {
  numeric: [],
  result: [],
  run: ["numeric", "result"],
  ...Object.fromEntries(METHODS.map((folder) => [folder, above(folder)])),
  io: ["data", "study", "result"],
  describe: [...EVERYTHING, "io"],
  plan: [...EVERYTHING, "io", "describe"],
  plot: ["result", "data"],
  report: ["result", "data", "plot"],
  cli: ["index.ts", "run"],
  "index.ts": [...EVERYTHING, "io", "describe", "plan", "plot", "report"],
};
/** Folders that may import other folders' types. */
const TYPES_FROM_ANYWHERE = new Set(["plot", "report"]);
const RUN_ADAPTERS = new Set(["threads.ts", "folder.ts", "web-workers.ts", "slurm.ts", "bullmq.ts", "worker.ts"]);
/** They find a task of the library by its name. */
const WORKERS = new Set(["run/worker.ts", "run/web-workers.ts"]);

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
  yaml: ["io", "plan", "cli"],
  zod: ["plan", "cli"],
  hono: ["cli"],
  "kubernetes-types": ["cli"],
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

/** `import { type A, type B }` */
function onlyTypes(clause: ts.ImportClause | undefined): boolean {
  const names = clause?.namedBindings;
  return names !== undefined && ts.isNamedImports(names) && !clause!.name && names.elements.every((e) => e.isTypeOnly);
}

function importsOf(file: string): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const typeOnly = ts.isImportDeclaration(node)
        ? node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword || onlyTypes(node.importClause)
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

/** The public entry points: files of src itself. */
const isEntry = (file: string): boolean => !file.includes("/");
const floorOf = (file: string): string => (isEntry(file) ? "index.ts" : file.split("/")[0]!);
/** `lmm` of models/lmm/solve.ts, "" of a floor's root files. */
const roomOf = (file: string): string => dirname(file).split("/").slice(1).join("/");
const resolveImport = (file: string, target: string): string =>
  relative("src", join("src", dirname(file), target))
    .split(sep)
    .join("/");

/** undefined if the arrow is allowed, otherwise the sentence that says why not. */
function fault({ file, target, typeOnly }: Import): string | undefined {
  const from = floorOf(file);
  const adapter = from === "run" && RUN_ADAPTERS.has(file.split("/")[1]!);
  // the matcher is for tests of others, which run in Node
  if (file === "vitest.ts" && (target === "vitest" || target.startsWith("node:"))) return undefined;
  // a user's own module has a path that only the user knows; the papers' tables lie outside the package
  if (target === "(computed)")
    return adapter || file === "cli/replicate/flags.ts" ? undefined : `${file} imports a computed path`;
  if (!target.startsWith(".")) {
    if (target.startsWith("node:")) {
      return from === "cli" || adapter ? undefined : `${file} imports ${target}: Node built-ins belong to cli/`;
    }
    const name = target.startsWith("@") ? target.split("/").slice(0, 2).join("/") : target.split("/")[0]!;
    return PACKAGES[name]?.includes(from) ? undefined : `${file} imports the package ${name}`;
  }
  const resolved = resolveImport(file, target);
  const to = floorOf(resolved);
  if (to === from) return roomFault(file, resolved);
  const allowed = MAY_IMPORT[from];
  if (!allowed) return `${file}: the folder ${from} is not in the tree`;
  if (from === "cli" && to === "run" && !RUN_ADAPTERS.has(resolved.split("/")[1]!))
    return `${file} imports ${resolved}`;
  if (from === "run" && WORKERS.has(file) && to === "index.ts") return undefined;
  if (allowed.includes(to) || (typeOnly && TYPES_FROM_ANYWHERE.has(from))) return undefined;
  return `${file} imports ${resolved}: ${from} may import ${allowed.join(", ") || "nothing"}`;
}

/** Rooms of one floor: only upwards in the floor's own list. Root files and rooms may meet either way, without a cycle. */
function roomFault(file: string, resolved: string): string | undefined {
  const [from, to] = [roomOf(file), roomOf(resolved)];
  if (from === to || from === "" || to === "") return undefined;
  // a command is its own room; what commands share lies in cli itself
  if (floorOf(file) === "cli") return `${file} imports ${resolved}: another command's room`;
  const rooms = FLOORS[floorOf(file)] ?? [];
  if (!rooms.includes(from) || !rooms.includes(to)) return `${file}: the room ${from} or ${to} is not in the tree`;
  return rooms.indexOf(to) < rooms.indexOf(from)
    ? undefined
    : `${file} imports ${resolved}: ${to} stands below ${from}`;
}

/** Sets of files that import one another's values in a circle (Tarjan). */
function valueCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) cycles.push(circle);
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

function valueGraph(files: readonly string[]): Map<string, string[]> {
  const arrows = (file: string): string[] =>
    importsOf(file)
      .filter(({ target, typeOnly }) => !typeOnly && target.startsWith("."))
      .map(({ target }) => resolveImport(file, target));
  return new Map(files.map((file) => [file, arrows(file)]));
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
    expect(fault({ file: "models/lm/lm.ts", target: "../../power/power.ts", typeOnly: false })).toMatch(/power/);
    expect(fault({ file: "models/lm/lm.ts", target: "../gam/gam.ts", typeOnly: true })).toMatch(/stands below/);
    expect(fault({ file: "io/csv/csv.ts", target: "node:fs", typeOnly: false })).toMatch(/built-ins/);
    expect(fault({ file: "numeric/fft.ts", target: "fft.js", typeOnly: false })).toMatch(/package/);
    expect(fault({ file: "cli/main.ts", target: "../models/fit.ts", typeOnly: false })).toMatch(/may import index/);
    expect(fault({ file: "cli/anova/run.ts", target: "../fit/run.ts", typeOnly: true })).toMatch(/another command/);
    expect(fault({ file: "cli/anova/run.ts", target: "../load.ts", typeOnly: false })).toBeUndefined();
    expect(fault({ file: "models/gam/gam.ts", target: "../lm/lm.ts", typeOnly: false })).toBeUndefined();
    expect(fault({ file: "models/fit.ts", target: "../numeric/dist/t.ts", typeOnly: false })).toBeUndefined();
  });

  it("has no cycle of values", () => {
    expect(valueCycles(valueGraph(files))).toEqual([]);
  });

  it("would see a cycle", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["a", "d"]],
      ["d", []],
    ]);
    expect(valueCycles(graph).map((circle) => circle.sort())).toEqual([["a", "b", "c"]]);
  });

  it("has only the rooms of the tree, and no file that repeats its folder's name", () => {
    const folders = new Map<string, string[]>();
    for (const file of files) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
    const unknown = [...folders.keys()].filter((folder) => {
      const [floor, ...room] = folder.split("/");
      if (folder === "." || floor === "cli") return false;
      return !(floor! in FLOORS) || (room.length > 0 && !FLOORS[floor!]!.includes(room.join("/")));
    });
    expect(unknown).toEqual([]);
    const name = (file: string): string => file.split("/").at(-1)!;
    const repeats = files.filter((file) => name(file).startsWith(`${name(dirname(file))}-`));
    expect(repeats).toEqual([]);
  });

  it("is drawn in CONTRIBUTING.md as it is", () => {
    const drawn = /```\nsrc\/\n([\s\S]*?)```/.exec(readFileSync(join(root, "CONTRIBUTING.md"), "utf8"))![1]!;
    const lines = [...drawn.matchAll(/^ {2}([a-z]+)\/(.*)$/gm)].map(([, floor, rest]) => [
      floor,
      [...rest!.matchAll(/([a-z]+)\//g)].map((room) => room[1]),
    ]);
    const present = (floor: string): boolean => files.some((file) => file.startsWith(`${floor}/`));
    const tree = Object.entries(FLOORS)
      .filter(([floor]) => present(floor))
      .map(([floor, rooms]) => [floor, rooms.filter((room) => !room.includes("/"))]);
    expect(lines).toEqual(tree);
  });

  it("re-exports only in the entry points", () => {
    const reexports = files.filter((file) => !isEntry(file) && parse(file).statements.some(isReexport));
    expect(reexports).toEqual([]);
  });

  it("has console, Date and process only in cli, Math.random and eval nowhere", () => {
    const faults: string[] = [];
    for (const file of files) {
      const inCli = floorOf(file) === "cli";
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

  it("gives the page the public entry points and the adapter of its workers, nothing else", () => {
    const pages = readdirSync(join(root, "web"), { recursive: true, encoding: "utf8" }).filter((name) =>
      /^(?!node_modules).*\.tsx?$/.test(name),
    );
    expect(pages.length).toBeGreaterThan(20);
    const reached = pages.flatMap((name) =>
      [...readFileSync(join(root, "web", name), "utf8").matchAll(/from "[./]*\/src\/([^"]+)"/g)].map(
        ([, path]) => path!,
      ),
    );
    expect(reached.filter((path) => path.includes("/") && path !== "run/web-workers.ts")).toEqual([]);
    expect(reached).toContain("run/web-workers.ts");
  });

  it("calls no file utils or common", () => {
    expect(files.filter((file) => /(^|[/-])(utils?|common|helpers?|misc)(\.ts|\/)/.test(file))).toEqual([]);
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
