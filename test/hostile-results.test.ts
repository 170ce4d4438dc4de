/** Stored results and bundles of strangers: what is made of them takes little, is refused in one line where it is no result, and holds nothing
 *  that was not computed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { root, runShared } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("hostile-results");
const at = (name: string): string => join(folder, name);

/** Within the limits of SECURITY.md: ten seconds (of the processor, since others may be at work), and a heap that is small enough for 1 GB
 *  in all; a run that needs more of it ends the thread, which fails its test. */
function run(...args: readonly string[]) {
  const { seconds, ...own } = runShared(args, { cwd: folder, memory: 512 });
  expect(seconds, args.join(" ")).toBeLessThan(10);
  return own;
}

// biome-ignore lint/suspicious/noExplicitAny: a result of any kind
type Json = any;

const rows = Array.from({ length: 40 }, (_, i) => `A,q${i},${(i * 7) % 5}\nB,q${i},${(i * 3) % 5}`);
writeFileSync(at("d.csv"), `system,item,score\n${rows.join("\n")}\n`);
const stored: Json = JSON.parse(run("compare", "d.csv", "--json").stdout);

function edited(name: string, change: (json: Json) => void, from: Json = stored): string {
  const json = structuredClone(from);
  change(json);
  writeFileSync(at(name), JSON.stringify(json));
  return name;
}

const COMMANDS = [
  ["report", "--out", at("r.html")],
  ["plot", "--out", at("p.svg"), "--figure", "differences"],
  ["plot", "--out", at("p.pdf"), "--figure", "all"],
  ["show"],
  ["cite"],
  ["verify"],
] as const;

/** Every command, on one file: each ends well, finds that the numbers differ, or refuses it in one line. */
function judge(path: string): (readonly [string, number | null])[] {
  return COMMANDS.map(([name, ...flags]) => {
    const { status, stderr } = run(name, path, ...flags, "--quiet");
    expect([name, stderr]).toEqual([name, status === 2 ? expect.stringMatching(/^gosset: [^\n]+\n$/) : ""]);
    expect(stderr).not.toMatch(/internal error/);
    return [name, status] as const;
  });
}

describe("numbers of stored results", () => {
  it.each([1e9, 1e15, -1e9, 0.5, 1e308])("draws no %d dots because a count says so", (count) => {
    const path = edited("count.json", ({ series }) => {
      for (const bin of series.differences) bin.count = count;
    });
    for (const [name, status] of judge(path)) expect([name, status]).toEqual([name, name === "verify" ? 1 : 0]);
  });

  it("refuses a field of another type before anything is drawn, and says which", () => {
    const count = edited("text.json", ({ series }) => (series.differences[0].count = "many"));
    for (const [name, status] of judge(count)) expect([name, status]).toEqual([name, 2]);
    expect(run("plot", count).stderr).toBe(
      'gosset: "text.json": not a stored result: series.differences[0].count is another text, which a comparison has not. Give a file that --json of this version wrote.\n',
    );
    for (const [name, change] of Object.entries<(json: Json) => unknown>({
      "a verdict": (json) => (json.verdict = "SPLENDID"),
      "a list": (json) => (json.pairs = { length: 1e9 }),
      "a name": (json) => (json.systems[0].name = ["A"]),
      "a version": (json) => (json.version = { toString: 1 }),
      "a command": (json) => (json.command = [1]),
      "a fingerprint": (json) => (json.signature.data = []),
      "a format": (json) => (json.display.tables[0].formats = ["constructor"]),
      "a kind that is a path": (json) => (json.kind = "../schema/lm"),
    }))
      for (const [command, status] of judge(edited("other.json", change)))
        expect([name, command, status]).toEqual([name, command, name.endsWith("path") ? expect.anything() : 2]);
  });

  it("takes no gigabyte for a large result, and refuses a larger one by its size", () => {
    const [first] = stored.display.tables[0].rows;
    const grow = (rows: number) => (json: Json) => (json.display.tables[0].rows = new Array(rows).fill(first));
    const { length } = JSON.stringify(first);
    const path = edited("large.json", grow(Math.floor(1.5e7 / length)));
    expect(run("cite", path)).toMatchObject({ status: 0, stderr: "" });
    const larger = edited("larger.json", grow(Math.floor(2e7 / length)));
    for (const [name, status] of judge(larger)) expect([name, status]).toEqual([name, 2]);
    const systems = edited("systems.json", (json) => {
      json.systems = Array.from({ length: 90_000 }, (_, i) => ({ ...json.systems[0], name: `s${i}` }));
    });
    // of a picture that nobody could read the reason is given, and no search for a field takes minutes
    expect([0, 2]).toContain(run("plot", systems, "--out", at("p.svg"), "--quiet").status);
  });

  it("still shows results with fields that this version does not know or that it lacks", () => {
    const path = edited("later.json", (json) => (json.later = { of: ["another version"] }));
    expect(run("report", path, "--out", "later.html")).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("a print that was not computed", () => {
  const FORGED: Readonly<Record<string, (json: Json) => unknown>> = {
    "display.title": (json) => (json.display.title = "A IS TEN TIMES BETTER"),
    "display.summary": (json) => (json.display.summary = ["p < 0.001"]),
    "display.tables": (json) => (json.display.tables[0].rows[0][1] = 99),
    "display.notes": (json) => json.display.notes.push("All raters agree."),
    "display.screen": (json) => (json.display.screen.title = "BETTER  A beats B."),
    warnings: (json) => json.warnings.push("Ignore what follows."),
    headline: (json) => (json.headline = "A beats B by a mile."),
  };

  it.each(Object.entries(FORGED))("is found by verify: %s", (field, forge) => {
    expect(
      run(
        "verify",
        edited("whole.json", () => {}),
      ).status,
    ).toBe(0);
    const { status, stdout } = run("verify", edited("forged.json", forge), "--json");
    const { identical, differences } = JSON.parse(stdout);
    expect([status, identical]).toEqual([1, false]);
    expect(differences.every((own: Json) => own.field.startsWith(field))).toBe(true);
  });

  it("is found in a bundle, as is a command that its manifest names and its result has not", () => {
    edited("honest.json", () => {});
    expect(run("bundle", "honest.json", "d.csv", "--out", "honest.zip").status).toBe(0);
    expect(run("verify", "honest.zip").status).toBe(0);
    const files = unzipSync(readFileSync(at("honest.zip")));
    const rewrite = (name: string, change: (json: Json) => void): string => {
      const json = JSON.parse(new TextDecoder().decode(files[name]));
      change(json);
      writeFileSync(at("forged.zip"), zipSync({ ...files, [name]: new TextEncoder().encode(JSON.stringify(json)) }));
      return "forged.zip";
    };
    const forged = run("verify", rewrite("result.json", FORGED["display.tables"]!));
    expect([forged.status, forged.stdout]).toEqual([1, expect.stringMatching(/^DIFFERENT/)]);
    const other = run(
      "verify",
      rewrite("gosset-bundle.json", (json) => (json.command = ["gosset", "compare", "data/d.csv", "--margin", "1"])),
    );
    expect([other.status, other.stderr]).toEqual([2, expect.stringMatching(/names another command/)]);
    const odd = run(
      "verify",
      rewrite("result.json", (json) => (json.series.differences[0].count = {})),
    );
    expect([odd.status, odd.stderr]).toEqual([
      2,
      expect.stringMatching(/^gosset: forged\.zip: result\.json: not a stored result/),
    ]);
  });
});

describe("R code in a report of a stranger's result", () => {
  const summaries = join(root, "examples/data/summaries.csv");
  const fit: Json = JSON.parse(run("fit", "lmm", "rating ~ system + (1 | article)", summaries, "--json").stdout);
  const codeOf = (change: (json: Json) => void): string => {
    const path = edited("model.json", change, fit);
    const { status, stderr } = run("report", path, "--out", "model.html");
    expect([status, stderr]).toEqual([0, ""]);
    return /<pre><code>(library|d &lt;-)[\s\S]*?<\/code>/.exec(readFileSync(at("model.html"), "utf8"))?.[0] ?? "";
  };
  const flag =
    (...more: string[]) =>
    (json: Json) =>
      json.command.push(...more);

  it("is there for the model itself", () => {
    expect(codeOf(() => {})).toContain("lmer(rating ~ system + (1 | article)");
    expect(codeOf(flag("--where", "words > 300"))).toContain("subset(d, words &gt; 300)");
  });

  it.each([
    ["a formula", (json: Json) => (json.formula = 'rating ~ system + I(system("touch x"))')],
    ["a called text", (json: Json) => (json.formula = 'rating ~ "system"("touch x")')],
    ["a called name", (json: Json) => (json.formula = 'rating ~ `system`("touch x")')],
    ["a called bracket", (json: Json) => (json.formula = 'rating ~ (system)("touch x")')],
    ["a name of a package", (json: Json) => (json.formula = 'rating ~ base::system("touch x")')],
    ["a second statement", (json: Json) => (json.formula = "rating ~ 1)\nsystem('touch x'")],
    ["a block", (json: Json) => (json.formula = "rating ~ 1 + { system('touch x') }")],
    ["an argument", (json: Json) => (json.formula = "rating ~ 1, subset = read.csv('http://example.org')")],
    ["a condition", flag("--where", '(system)("touch x")')],
    ["a condition of two lines", flag("--where", "words > 1)\nsystem('touch x'")],
    ["replicates", flag("--intervals", "bootstrap", "--replicates", 'system("touch x")')],
  ])("holds no call of a stranger's: %s", (_, change) => {
    expect(codeOf(change)).not.toMatch(/system\s*[\])`"']*\(|system\)|read\.csv\('|touch/);
  });
});
