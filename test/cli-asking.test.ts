/** What the rows leave open: ready commands where nobody sits at a terminal, a question where somebody does, and readings that carry answers
 *  between commands. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { openTerminal } from "../src/cli/ask.ts";
import { answerComparison, importFiles, measureAgreement } from "../src/index.ts";
import { gosset, gossetJson, gossetRefuses, program } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("asking");
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

function file(name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

const noise = (i: number, s: number): string => (((i * 37 + s * 11) % 101) / 100 + s * 0.2).toFixed(2);
/** No plain name for systems or items, and two rows of each pair that a column without one tells apart. */
const rows = [
  "which,fingerprint,quality,batch",
  ...["a", "b"].flatMap((s, k) => times(40, (i) => times(2, (b) => `${s},h${i},${noise(i + 7 * b, k)},${b}`)).flat()),
];
const data = file("data.csv", rows);

describe("without a terminal", () => {
  it("one line says what is ambiguous, and the lines below are commands to copy", () => {
    const lines = gossetRefuses("compare", data, "--system", "which").trimEnd().split("\n");
    expect(lines).toEqual([
      "gosset: which column names the items? No column has a plain name for them.",
      `  gosset compare ${data} --system which --item fingerprint`,
    ]);
  });

  it("an answer replaces the flag that it corrects", () => {
    const lines = gossetRefuses("compare", data, "--system", "which", "--item", "fingerprint").trimEnd().split("\n");
    expect(lines[0]).toMatch(
      /80 rows repeat others in which, fingerprint \(the first: .+\): what distinguishes them\?$/,
    );
    expect(lines.slice(1)).toEqual([
      `  gosset compare ${data} --system which --item fingerprint --run batch`,
      `  gosset compare ${data} --system which --item fingerprint,batch`,
      `  gosset compare ${data} --system which --item fingerprint --run rows`,
    ]);
    const last = lines.at(-1)!.trim().split(" ").slice(1);
    expect(gosset(...last).stdout).toMatch(/^(BETTER|INCONCLUSIVE)/);
  });

  it("agreement asks for the raters, and offers columns with the same labels", () => {
    const wide = file("labels.csv", ["text,anna,ben", "x,yes,yes", "y,no,no", "z,yes,no", "w,no,no"]);
    const lines = gossetRefuses("agreement", wide).trimEnd().split("\n");
    expect(lines[0]).toMatch(/which column names the raters\?/);
    expect(lines).toContain(`  gosset agreement ${wide} --raters anna,ben`);
    expect(gossetJson("agreement", wide, "--raters", "anna,ben").raters).toEqual(["anna", "ben"]);
  });

  it("budget, reliability and importance ask for the score", () => {
    const sweep = file("sweep.csv", ["lr,goodness", ...times(12, (i) => `${0.1 * (1 + (i % 3))},${noise(i, 0)}`)]);
    for (const command of ["budget", "importance"])
      expect(gossetRefuses(command, sweep)).toMatch(/which column is the score\?.*\n {2}gosset .* --score goodness\n/);
  });
});

/** A session in a pseudo-terminal: each answer is typed when a question waits for it. */
function session(words: readonly string[], answers: readonly string[], cwd = folder): { text: string; status: number } {
  const script = `
import json, os, pty, select, sys
words, answers, cwd = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.chdir(cwd)
    os.environ.pop("CI", None)
    os.environ["NO_COLOR"] = "1"
    os.execvp(words[0], words)
out = b""
while select.select([fd], [], [], 30)[0]:
    try:
        part = os.read(fd, 4096)
    except OSError:
        break
    if not part:
        break
    out += part
    if answers and out.endswith((b"q to quit): ", b"[y/N] ")):
        os.write(fd, answers.pop(0).encode() + b"\\n")
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(json.dumps({"text": out.decode().replace("\\r", ""), "status": status}))
`;
  const given = JSON.stringify([[process.execPath, program, ...words], answers, cwd]);
  const { stdout, stderr } = spawnSync("python3", ["-c", script, given], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

const hasPython = spawnSync("python3", ["-c", "import pty"]).status === 0;

describe.runIf(hasPython)("in a terminal", () => {
  it("asks one question at a time, goes on with the answers, says the command and keeps them", () => {
    const kept = join(folder, "gosset.yaml");
    // Enter, a name that is not there, a name, a number, and yes
    const { text, status } = session(["compare", "data.csv"], ["", "nowhere", "fingerprint", "2", "y"]);
    expect(status).toBe(0);
    expect(text).toContain("(--system which)");
    expect(text).toContain("--item nowhere: no such column.");
    expect(text).toContain("(--item fingerprint,batch)");
    expect(text).toContain("\nBETTER  b is better than a on quality.");
    expect(text).toContain("Without questions: gosset compare data.csv --system which --item fingerprint,batch\n");
    expect(readFileSync(kept, "utf8")).toBe("system: which\nitem: fingerprint,batch\n");
    const { status: again, stdout, stderr } = gosset("compare", data);
    rmSync(kept);
    expect([again, stdout.split("\n")[0]]).toEqual([0, "BETTER  b is better than a on quality."]);
    expect(stderr).toBe(`gosset: read as ${kept} says: system which, item fingerprint,batch.\n`);
  });

  it("ends with q and exit code 2, and keeps nothing unless told to", () => {
    expect(session(["compare", "data.csv"], ["q"]).status).toBe(2);
    expect(session(["compare", "data.csv", "--system", "which", "--item", "fingerprint"], ["", ""]).status).toBe(0);
    expect(existsSync(join(folder, "gosset.yaml"))).toBe(false);
  });

  it("asks nothing where JSON is wanted", () => {
    const { text, status } = session(["compare", "data.csv", "--json"], []);
    expect(status).toBe(2);
    expect(text).toMatch(/which column names the systems\?.*\n {2}gosset compare data.csv --json --system which\n/);
  });
});

it("the end of the input is no answer", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const terminal = openTerminal(input, output);
  input.end("first\n");
  expect(await terminal.line("? ")).toBe("first");
  expect(await terminal.line("? ")).toBeUndefined();
  terminal.close();
});

/** The command of the answer is longer than the one that was typed: it says what the reading says. */
const readJson = (...words: string[]) => JSON.parse(gosset(...words, "--json", "--quiet").stdout);

describe("readings", () => {
  const reading = join(folder, "reading.yaml");
  const flags = ["--system", "which", "--item", "fingerprint", "--run", "batch", "--score", "quality"];

  it("carry what the columns are from describe to every command that reads rows", () => {
    expect(gosset("describe", data, ...flags, "--direction", "lower", "--save", reading).status).toBe(0);
    expect(readFileSync(reading, "utf8")).toBe(
      "system: which\nitem: fingerprint\nscore: quality\nrun: batch\ndirection: lower\n",
    );
    const plain = gossetJson("compare", data, ...flags, "--direction", "lower");
    const { command, ...answer } = readJson("compare", data, "--reading", reading);
    expect(answer).toEqual(plain);
    // the words that run it again need no reading
    expect(command).toContain("fingerprint");
    for (const words of [["score"], ["reliability", "--intervals", "none"]])
      expect(gosset(words[0]!, data, ...words.slice(1), "--reading", reading).status).toBe(0);
  });

  it("give way to flags", () => {
    writeFileSync(reading, "system: which\nitem: nowhere\nrun: batch\nscore: quality\n");
    const { metric, n } = readJson("compare", data, "--reading", reading, "--item", "fingerprint");
    expect([metric, n]).toEqual(["quality", 40]);
  });

  it.each([
    ["item: nowhere", /reading\.yaml does not match the file: --item nowhere: no such column\./],
    ["itme: hash", /reading\.yaml: there is no role "itme"\. Did you mean "item"\?/],
    ["- item", /reading\.yaml: no list of columns by role\./],
    ["item: {", /reading\.yaml: not YAML/],
  ])("%s is one clear line", (text, message) => {
    writeFileSync(reading, `system: which\n${text}\n`.replace(/^.*\n(- )/, "$1"));
    const line = gossetRefuses("compare", data, "--reading", reading);
    expect(line).toMatch(message);
    expect(line.trimEnd().split("\n")).toHaveLength(1);
  });

  it("name the column of the metrics, for which there is no flag", () => {
    const long = file("long/rows.csv", [
      "system,item,dim,score",
      ...["a", "b"].flatMap((s, k) =>
        times(30, (i) => ["x", "y"].map((dim) => `${s},i${i},${dim},${noise(i, k)}`)).flat(),
      ),
    ]);
    expect(gossetRefuses("compare", long)).toMatch(/60 rows repeat others/);
    writeFileSync(join(folder, "long/gosset.yaml"), "metric-column: dim\n");
    expect(readJson("compare", long, "--metric", "y").metric).toBe("y");
  });

  it("describe --why lists what decided each role", () => {
    const { stdout } = gosset("describe", data, "--item", "fingerprint", "--why");
    expect(stdout).toContain("fingerprint: item (as you say).");
    expect(stdout).toContain("quality: score (by its name).");
  });
});

describe("every door gives one answer", () => {
  const read = async (path: string) => ({
    path,
    imported: await importFiles([{ name: path, bytes: readFileSync(path) }]),
  });

  it("totals: the command and the library", async () => {
    const board = file("board.csv", ["model,accuracy,accuracy_stderr", "a,0.61,0.02", "b,0.72,0.02"]);
    const { kind, pairs } = answerComparison([await read(board)]);
    expect(kind).toBe("totals");
    expect(gossetJson("compare", board).pairs).toEqual(JSON.parse(JSON.stringify(pairs)));
    const parts = ["a", "b"].map((name, k) =>
      file(`${name}.json`, [`{"accuracy": 0.${6 + k}, "accuracy_stderr": 0.02}`]),
    );
    const both = answerComparison(await Promise.all(parts.map(read)));
    expect(gossetJson("compare", ...parts).pairs).toEqual(JSON.parse(JSON.stringify(both.pairs)));
  });

  it("agreement of votes: the command, by roles or by names, and the library", async () => {
    const votes = file("votes.csv", [
      "item,rater,system_a,system_b,winner",
      ...times(60, (i) => {
        const swapped = i % 2 === 1;
        return `p${i % 20},j${i % 3},${swapped ? "Y,X" : "X,Y"},${["a", "b", "tie"][(i * 7 + (i % 4)) % 3]}`;
      }),
    ]);
    const { imported } = await read(votes);
    const alpha = measureAgreement(imported, { replicates: 0 }).coefficients.alpha.value;
    expect(gossetJson("agreement", votes, "--replicates", "0").alpha.value).toBe(alpha);
    const named = ["--item", "item", "--rater", "rater", "--label", "winner"];
    expect(gossetJson("agreement", votes, ...named, "--replicates", "0").alpha.value).toBe(alpha);
  });
});
