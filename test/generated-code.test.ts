/** What Gosset writes to be run by others (job scripts, manifests, R code, commands to paste) and to be read by others (spreadsheets, logs of
 *  build servers), with names that would be code there: each is run or read, and nothing of a name is obeyed. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { rCode } from "../src/report/r-code.ts";
import { runShared } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { installed } from "./support/installed.ts";

const folder = makeFolder("generated");
const at = (name: string): string => join(folder, name);

/** Names that a file system takes and a shell, YAML, R or a comment of theirs would act on. */
const NAMES = [
  "a\ntouch pwned\n#",
  "a\r\ntouch pwned",
  "$(touch pwned)",
  "`touch pwned`",
  '";touch pwned;"',
  "';touch pwned;'",
  "x\nEOF\ntouch pwned",
  '")\nsystem("touch pwned")\n("',
  "\\",
  "- !!js/function x",
  "\u202e\u2066a\u2028b",
  "::stop-commands::x",
  "##[error]x",
];

/** The program as a script finds it: it writes the words that it was given. */
mkdirSync(at("bin"));
writeFileSync(at("bin/gosset"), `#!/bin/sh\nprintf '%s\\0' "$@" > "$WORDS"\n`, { mode: 0o755 });
function bash(script: string): string[] {
  writeFileSync(at("script.sh"), script);
  const env = { PATH: `${at("bin")}:${process.env["PATH"]}`, WORDS: at("words") };
  writeFileSync(at("words"), "");
  const { stderr } = spawnSync("bash", [at("script.sh")], { cwd: folder, encoding: "utf8", env });
  expect(stderr).toBe("");
  expect(existsSync(at("pwned"))).toBe(false);
  return readFileSync(at("words"), "utf8").split("\0").slice(0, -1);
}

const gosset = (...args: string[]) => runShared(args, { cwd: folder });

/** No line but those that the program wrote, and nothing that moves a cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e\u2066]/;

const files = NAMES.map((name, i) => {
  const path = `${i} ${name.replaceAll("/", "")}.csv`;
  const rows = Array.from(
    { length: 30 },
    (_, k) => `A,q${k},r${k % 3},${(k * 7) % 5}\nB,q${k},r${k % 3},${(k * 3) % 5}`,
  );
  writeFileSync(at(path), `system,item,rater,score\n${rows.join("\n")}\n`);
  return path;
});

describe("jobs of a file whose name is code", () => {
  it.each(files)("the Slurm script runs the command and nothing else: %j", (path) => {
    const words = ["power", "accuracy", "--n", "50", "--delta", "0.1", "--agreement", "0.8", "--replicates", "2000"];
    const { status, stdout, stderr } = gosset(
      ...[...words, "--method", "simulation", "--seed", path, "--journal", "runs", "--print-job", "slurm"],
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).not.toMatch(CONTROLS);
    for (const line of stdout.trimEnd().split("\n"))
      expect(line).toMatch(/^(#!\/bin\/bash$|# \w+: |#SBATCH |exec gosset )/);
    expect(bash(stdout)).toEqual(expect.arrayContaining(["--seed", path, "--shard"]));
    const answer = /^# Answer: {2}(.*)$/m.exec(stdout)![1]!;
    expect(bash(answer)).toEqual(expect.arrayContaining(["--seed", path]));
  });

  it.each(files)("the Kubernetes manifest holds it as one argument: %j", (path) => {
    const words = ["power", "accuracy", "--n", "50", "--delta", "0.1", "--agreement", "0.8", "--replicates", "2000"];
    const { status, stdout } = gosset(
      ...[...words, "--method", "simulation", "--seed", path, "--journal", "/journal", "--print-job", "k8s"],
    );
    expect(status).toBe(0);
    const documents = parseAllDocuments(stdout);
    expect(documents).toHaveLength(1);
    const { kind, spec } = (documents as { toJS(): Json }[])[0]!.toJS();
    expect([kind, spec.template.spec.containers[0].args]).toEqual(["Job", expect.arrayContaining([path])]);
    expect(bash(/^# Answer: {2}(.*?) {6}\(/m.exec(stdout)![1]!)).toEqual(expect.arrayContaining([path]));
  });

  it("refuses a folder whose name cannot stand in a line of the script", () => {
    const { status, stderr } = gosset(
      ..."power accuracy --n 50 --delta 0.1 --agreement 0.8 --replicates 2000 --method simulation".split(" "),
      ...["--journal", "runs\ntouch pwned", "--print-job", "slurm"],
    );
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^gosset: --output=runs touch pwned[^\n]+\n$/)]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a result of any kind
type Json = any;

describe("commands to paste", () => {
  it.each(files)("that describe offers read the file: %j", (path) => {
    const { status, stdout } = gosset("describe", path, "--json");
    expect(status).toBe(0);
    const { answers } = JSON.parse(stdout) as { readonly answers: readonly { readonly command: string }[] };
    const offered = answers.filter(({ command }) => command.startsWith("gosset ") && /compare|agreement/.test(command));
    expect(offered.length).toBeGreaterThan(0);
    for (const { command } of offered) {
      expect(command).not.toMatch(CONTROLS);
      expect(bash(command)).toContain(path);
    }
  });

  it("of a report read it too", () => {
    for (const path of files) {
      writeFileSync(at("stored.json"), gosset("compare", at(path), "--json").stdout);
      expect(gosset("report", at("stored.json"), "--out", at("report.html")).status).toBe(0);
      const [, typed] = /<pre><code>(gosset [\s\S]*?)<\/code>/.exec(readFileSync(at("report.html"), "utf8"))!;
      const command = typed!
        .replaceAll(/<\/?span[^>]*>/g, "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'")
        .replaceAll("&amp;", "&");
      expect(command).not.toMatch(CONTROLS);
      // a report shows a space within what a build server would obey
      if (!path.includes("##[")) expect(bash(command)).toContain(at(path));
    }
  });
});

describe("R code of names that are code", () => {
  const code = (system: string, path: string): string | undefined =>
    rCode({
      kind: "comparison",
      command: ["gosset", "compare", path],
      systems: [{ name: system }, { name: "B" }],
      model: { formula: "score ~ system + (1 | item)" },
      itemsLost: 0,
      adjust: "tukey",
      diagnostics: [],
    } as never);

  it("writes them as texts in one line each", () => {
    for (const [i, name] of NAMES.entries()) {
      const text = code(name, files[i]!)!;
      expect(text.split("\n")).toHaveLength(7);
      expect(text).not.toMatch(CONTROLS);
    }
  });

  it.skipIf(!installed("r"))("which R reads back, and runs nothing of", () => {
    const printed = NAMES.map((name, i) => {
      const lines = code(name, files[i]!)!.split("\n");
      const [, read] = /^d <- read\.csv\((.*)\)$/.exec(lines.find((line) => line.startsWith("d <- "))!)!;
      const [, levels] = /levels = c\((.*), "B"\)\)$/.exec(lines.find((line) => line.startsWith("d$"))!)!;
      return `writeBin(charToRaw(enc2utf8(paste0(${read}, "|", ${levels}))), con); writeBin(as.raw(0), con)`;
    });
    const script = `con <- file("read.bin", "wb")\n${printed.join("\n")}\nclose(con)\n`;
    const { status, stderr } = spawnSync("Rscript", ["-"], { cwd: folder, encoding: "utf8", input: script });
    expect([status, stderr]).toEqual([0, ""]);
    const read = readFileSync(at("read.bin"), "utf8").split("\0").slice(0, -1);
    expect(read).toEqual(NAMES.map((name, i) => `${files[i]}|${name}`));
    expect(readdirSync(folder)).not.toContain("pwned");
  });
});

it("names that look the same are told apart by a warning, in describe and compare", () => {
  const rows = Array.from({ length: 20 }, (_, k) => `model-a,q${k},${k % 2}\nmodel-\u0430,q${k},${k % 3 > 0 ? 1 : 0}`);
  writeFileSync(at("alike.csv"), `system,item,score\n${rows.join("\n")}\n`);
  for (const command of ["describe", "compare"]) {
    const { status, stdout } = gosset(command, "alike.csv", "--json", "--quiet");
    expect(status).toBe(0);
    expect(JSON.parse(stdout).warnings).toContainEqual(expect.stringMatching(/look the same.*U\+0061 and U\+0430/));
  }
});

describe("systems whose names are formulas or commands to a build server", () => {
  const SYSTEMS = [
    "=1+1",
    "+cmd|'/C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "::stop-commands::x",
    "##vso[task.x]y",
    "x\n::error::z",
  ];
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const rows = SYSTEMS.flatMap((system, s) =>
    Array.from({ length: 12 }, (_, k) => `${quoted(system)},q${k},r${k % 3},${(k * (s + 3)) % 5}`),
  );
  writeFileSync(at("systems.csv"), `system,item,rater,score\n${rows.join("\n")}\n`);
  const CALLS = [
    ["describe", "systems.csv"],
    ["compare", "systems.csv"],
    ["compare", "systems.csv", "--details"],
    ["compare", "systems.csv", "--table", "flips", "--format", "csv"],
    ["agreement", "systems.csv", "--by", "system"],
    ["fit", "lm", "score ~ system", "systems.csv"],
    ["emmeans", "score ~ system", "systems.csv", "--by", "system"],
    ["compare", "systems.csv", "--paper"],
  ];

  it.each(CALLS)("start no line of a log with a command: %s %s %s", (...words) => {
    for (const format of ["text", "markdown", "csv", "tex", "json"]) {
      if (words.includes("--paper") && format !== "tex") continue;
      const { stdout, stderr } = gosset(...words, ...(words.includes("csv") ? [] : ["--format", format]));
      expect([format, `${stdout}${stderr}`.match(/^\s*::.*|##\w*\[.*/gm)]).toEqual([format, null]);
    }
  });

  it.each(CALLS.slice(0, -1))("are text to a spreadsheet: %s %s %s", (...words) => {
    for (const path of ["out.csv", "plot.csv"]) {
      const flags = path === "out.csv" ? ["--out", path] : ["--plot", path, "--figure", "all"];
      const { status } = gosset(...words, ...(words.includes("csv") && path !== "out.csv" ? [] : flags));
      if (status !== 0) continue;
      const cells = readdirSync(folder)
        .filter((name) => /^(out|plot).*\.csv$/.test(name))
        .flatMap((name) => readFileSync(at(name), "utf8").match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^",\n]*)/gm) ?? []);
      const computed = cells.filter(
        (cell) => /^"?[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) && cell !== "-Inf",
      );
      expect(computed).toEqual([]);
    }
  });
});
