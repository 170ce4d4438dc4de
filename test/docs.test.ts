/** Every code block of README and docs that imports gosset or calls it is run; what a page prints below a command is what it prints; a
 *  marked number is that of its run. `UPDATE_DOCS=1 npx vitest run test/docs.test.ts` writes both anew. Tutorials are run as written, in a
 *  shell, from the first line to the last. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { transformSync } from "esbuild";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";
import { gosset, program, root, shellWords } from "./support/cli.ts";
import {
  type Block,
  blocksOf,
  docPages,
  MARK,
  markedText,
  RUN,
  readPage,
  refreshed,
  strangeLines,
} from "./support/doc-pages.ts";
import { makeFolder } from "./support/folder.ts";

const UPDATE = process.env["UPDATE_DOCS"] !== undefined;
const blocks = docPages.flatMap(blocksOf);
const isTutorial = (page: string): boolean => page.startsWith("docs/tutorials/");

/** Texts to write into each page, with their places in it. */
const edits = new Map<string, { readonly at: number; readonly old: string; readonly text: string }[]>();

function replace(page: string, at: number, old: string, text: string): void {
  if (old !== text) edits.set(page, [...(edits.get(page) ?? []), { at, old, text }]);
}

afterAll(() => {
  for (const [page, all] of edits) {
    let text = readPage(page);
    for (const edit of [...all].sort((a, b) => b.at - a.at)) {
      text = text.slice(0, edit.at) + edit.text + text.slice(edit.at + edit.old.length);
    }
    writeFileSync(join(root, page), text);
  }
});

function expectShown({ page, output }: Block, printed: string): void {
  if (output === undefined) return;
  if (UPDATE) replace(page, output.at, output.text, refreshed(output.text, printed));
  else expect(strangeLines(output.text, printed)).toEqual([]);
}

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
  const shell = blocks.filter(
    ({ page, language, text }) =>
      !isTutorial(page) && (language === "sh" || (language === "" && /^gosset /.test(text))),
  );

  it.each(shell.map((block) => [`${block.page}: ${block.text.split("\n")[0]}`, block] as const))(
    "%s",
    (_, block) => {
      let printed = "";
      for (const { line, args, comment } of commandsOf(block.text)) {
        if (args.includes("--all")) {
          // takes minutes and the papers' data: only that the command has these flags
          const help = gosset(args[0]!, "--help").stdout + gosset("--help").stdout;
          for (const flag of args.filter((word) => word.startsWith("--"))) expect(help, line).toContain(flag);
          continue;
        }
        const isShown = block.output !== undefined || comment !== "";
        const { status, stdout, stderr } = runOnce(isShown ? args : shortened(args));
        expect([line, status, stderr]).toEqual([line, 0, expect.any(String)]);
        expect([line, comment, tells(stdout, comment)]).toEqual([line, comment, true]);
        printed += stdout;
      }
      expectShown(block, printed);
    },
    TIMEOUT,
  );

  it("are all found", () => {
    const calls = blocks.filter(
      ({ page, language, text }) => !isTutorial(page) && language !== "yaml" && /^gosset /m.test(text),
    );
    expect(calls.length).toBeGreaterThan(20);
    expect(calls.filter((block) => !shell.includes(block)).map(({ page, text }) => `${page}: ${text}`)).toEqual([]);
  });
});

describe("a tutorial runs from its first line to its last", () => {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "gosset"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, "gosset"), 0o755);

  it.each(docPages.filter(isTutorial))(
    "%s",
    (page) => {
      // a clean clone, as far as the page uses it
      const clone = join(folder, page.replaceAll("/", "-"));
      mkdirSync(clone);
      for (const name of ["examples", "dist", "package.json", "node_modules"])
        symlinkSync(join(root, name), join(clone, name));
      const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` };
      for (const block of blocks.filter((own) => own.page === page)) {
        if (block.language === "ts") {
          const path = join(clone, `block-${block.at}.mjs`);
          writeFileSync(path, transformSync(block.text, { loader: "ts", format: "esm" }).code);
          const { status, stdout, stderr } = spawnSync(process.execPath, ["--preserve-symlinks", path], {
            cwd: clone,
            encoding: "utf8",
          });
          expect([status, stderr]).toEqual([0, ""]);
          expectShown(block, stdout);
        }
        if (block.language !== "sh") continue;
        const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", block.text], {
          cwd: clone,
          env,
          encoding: "utf8",
        });
        expect([block.text, status, stderr]).toEqual([block.text, 0, expect.any(String)]);
        expectShown(block, stdout);
      }
    },
    TIMEOUT,
  );
});

describe("a marked number is that of its run", () => {
  const marked = docPages.filter((page) => readPage(page).search(MARK) >= 0);

  it.each(marked)(
    "%s",
    (page) => {
      const text = readPage(page);
      const calls = new Map([...text.matchAll(RUN)].map(([, name, line]) => [name!, line!]));
      const answerOf = (name: string): unknown => {
        const line = calls.get(name);
        if (line === undefined) throw new Error(`${page} has no <!--run ${name}: …-->`);
        return JSON.parse(runOnce([...shellWords(line), "--json"]).stdout);
      };
      for (const match of text.matchAll(MARK)) {
        const now = markedText(match[1]!, answerOf);
        const at = match.index + match[0].indexOf("-->") + 3;
        if (UPDATE) replace(page, at, match[2]!, now);
        else expect([match[1], match[2]]).toEqual([match[1], now]);
      }
    },
    TIMEOUT,
  );

  it("in README, a tutorial and a guide at the least", () => {
    expect(marked).toEqual(
      expect.arrayContaining(["README.md", expect.stringMatching(/tutorials/), expect.stringMatching(/how-to/)]),
    );
  });
});

it("no page tells a reader to fetch a package by a name that is not ours on the registry", () => {
  const fetching = /npx (?!--no-install )(?:-\S+ )*gosset|npm (?:i|install|exec|create|add)(?: -\S+)* gosset\b/g;
  expect(docPages.flatMap((page) => readPage(page).match(fetching) ?? [])).toEqual([]);
});

describe("library code of the pages", () => {
  const code = blocks.filter(({ text, language }) => language === "ts" && /from "gosset[/"]/.test(text));
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
