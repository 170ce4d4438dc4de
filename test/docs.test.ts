/** Every code block of README and docs that imports gosset or calls it is run; what a page prints below a command is what it prints. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";
import { gosset, root, shellWords } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** The block that follows with nothing but white space between. */
  readonly output: string | undefined;
}

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

function blocksOf(page: string): Block[] {
  const found = [...readFileSync(join(root, page), "utf8").matchAll(/^```(\w*)\n([\s\S]*?)^```\n?/gm)];
  return found.map((match, i) => {
    const next = found[i + 1];
    const between = next?.input.slice(match.index + match[0].length, next.index);
    const follows = between !== undefined && between.trim() === "" && next![1] === "";
    return { page, language: match[1]!, text: match[2]!, output: follows ? next![2] : undefined };
  });
}

const blocks = pages.flatMap(blocksOf);
/** Simulations of the pages take seconds, and several times that on a busy machine. */
const TIMEOUT = 300_000;

const folder = makeFolder("docs");
/** Flags that name a file to write. */
const WRITES: ReadonlySet<string> = new Set(["--out", "--plot", "--html", "--flips"]);

/** A line of a shell block: its words without the program, and what its comment says. */
interface Command {
  readonly line: string;
  readonly args: readonly string[];
  readonly comment: string;
}

function commandsOf(text: string): Command[] {
  const lines = text.replace(/\\\n\s*/g, "").split("\n");
  return lines.flatMap((line) => {
    const [, call, comment = ""] = /^gosset\b((?:[^"'#]|"[^"]*"|'[^']*')*)(?:# ?(.*))?$/.exec(line) ?? [];
    return call === undefined ? [] : [{ line, args: shellWords(call), comment }];
  });
}

/** Files that a command writes go into a folder of their own. */
const inFolder = (args: readonly string[]): string[] =>
  args.map((word, i) => (WRITES.has(args[i - 1] ?? "") ? join(folder, word) : word));

/** A simulation whose output the page does not show only has to work: it is run short. */
const shortened = (args: readonly string[]): string[] =>
  args.map((word, i) => (args[i - 1] === "--replicates" && Number(word) > 20 ? "20" : word));

const runs = new Map<string, ReturnType<typeof gosset>>();

/** The same command on several pages is run once. */
function runOnce(args: readonly string[]): ReturnType<typeof gosset> {
  const key = JSON.stringify(args);
  const run = runs.get(key) ?? gosset(...inFolder(args));
  runs.set(key, run);
  return run;
}

const numbersIn = (text: string): string[] => text.match(/\d[\d,]*(?:\.\d+)?/g) ?? [];

/** Whether some number of the output, rounded as the comment rounds, is the comment's last one. */
function tells(output: string, comment: string): boolean {
  const wanted = numbersIn(comment).at(-1);
  if (wanted === undefined || /["…]/.test(comment)) return true;
  const digits = wanted.split(".")[1]?.length ?? 0;
  return numbersIn(output).some((own) => Number(own.replaceAll(",", "")).toFixed(digits) === wanted);
}

describe("commands of the pages", () => {
  const shell = blocks.filter(({ language, text }) => language === "sh" || (language === "" && /^gosset /.test(text)));

  it.each(shell.map((block) => [`${block.page}: ${block.text.split("\n")[0]}`, block] as const))(
    "%s",
    (_, block) => {
      let printed = "";
      for (const { line, args, comment } of commandsOf(block.text)) {
        if (args.includes("--all")) {
          // takes minutes and the papers' data: only that the command has these flags
          const help = gosset(args[0]!, "--help").stdout;
          for (const flag of args.filter((word) => word.startsWith("--"))) expect(help, line).toContain(flag);
          continue;
        }
        const isShown = block.output !== undefined || comment !== "";
        const { status, stdout, stderr } = runOnce(isShown ? args : shortened(args));
        expect([line, status, stderr]).toEqual([line, 0, expect.any(String)]);
        expect([line, comment, tells(stdout, comment)]).toEqual([line, comment, true]);
        printed += stdout;
      }
      if (block.output === undefined) return;
      const lines = new Set(printed.split("\n").map((line) => line.trimEnd()));
      const strange = block.output.split("\n").filter((line) => !line.includes("…") && !lines.has(line.trimEnd()));
      expect(strange).toEqual([]);
    },
    TIMEOUT,
  );

  it("are all found", () => {
    const calls = blocks.filter(({ text }) => /^gosset /m.test(text));
    expect(calls.length).toBeGreaterThan(20);
    expect(calls.filter((block) => !shell.includes(block)).map(({ page, text }) => `${page}: ${text}`)).toEqual([]);
  });
});

it("no page tells a reader to fetch a package by a name that is not ours on the registry", () => {
  const fetching = /npx (?!--no-install )(?:-\S+ )*gosset|npm (?:i|install|exec|create|add)(?: -\S+)* gosset\b/g;
  expect(pages.flatMap((page) => readFileSync(join(root, page), "utf8").match(fetching) ?? [])).toEqual([]);
});

describe("library code of the pages", () => {
  const code = blocks.filter(({ text }) => /from "gosset[/"]/.test(text));
  // inside the package, so that it finds itself by its name
  const place = join(root, "dist/pages");
  mkdirSync(place, { recursive: true });
  const files = code.map(({ text }, k) => {
    const path = join(place, `block-${k}.ts`);
    writeFileSync(path, text);
    return path;
  });
  afterAll(() => rmSync(place, { recursive: true }));

  it(
    "has the types that it says",
    () => {
      const program = ts.createProgram(files, {
        strict: true,
        noEmit: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        skipLibCheck: true,
        types: ["node"],
      });
      const told = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
        const page = code[files.indexOf(file?.fileName ?? "")]?.page ?? file?.fileName;
        return `${page}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
      });
      expect(told).toEqual([]);
    },
    TIMEOUT,
  );

  it.each(code.map(({ page }, k) => [page, k] as const))(
    "%s runs (%i)",
    (_, k) => {
      const path = files[k]!.replace(/\.ts$/, ".mjs");
      writeFileSync(path, transformSync(code[k]!.text, { loader: "ts", format: "esm" }).code);
      const { status, stderr } = spawnSync(process.execPath, [path], { cwd: root, encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    },
    TIMEOUT,
  );
});
