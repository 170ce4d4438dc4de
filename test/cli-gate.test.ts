/** `gosset gate` as CI runs it: exit codes, one JSON object, faults with their place. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { gosset, program, root } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("gate");
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
/** Wrong on every item whose number leaves a remainder below `wrong` of 20. */
const answers = (name: string, wrong: number): string =>
  file(
    name,
    `id,correct\n${Array.from({ length: 400 }, (_, i) => `q${i},${(i * 7) % 20 < wrong ? 0 : 1}`).join("\n")}\n`,
  );
const base = answers("base.csv", 6);
const same = answers("same.csv", 6);
const worse = answers("worse.csv", 9);
const policy = file("gate.yaml", "margin: 0.03\nbaselines:\n  main: [base.csv]\n");

const json = (...args: string[]): { status: number | null; value: Record<string, unknown> } => {
  const { status, stdout } = gosset("gate", ...args, "--json");
  return { status, value: JSON.parse(stdout) };
};

describe("gosset gate", () => {
  it("0 pass, 1 fail, 3 inconclusive", () => {
    expect(json(same, "--baseline", base, "--margin", "0.03")).toMatchObject({
      status: 0,
      value: { kind: "gate", outcome: "pass", reason: null },
    });
    expect(json(worse, "--baseline", "main", "--policy", policy)).toMatchObject({
      status: 1,
      value: { outcome: "fail" },
    });
    expect(json(same, "--baseline", base, "--margin", "0.0001")).toMatchObject({
      status: 3,
      value: { outcome: "inconclusive", reason: "underpowered" },
    });
    expect(gosset("gate", same, "--baseline", base, "--margin", "0.0001", "--inconclusive", "warn").status).toBe(0);
  });

  it("takes files of runs by their names, and pools those of the baseline", () => {
    const [one, two, own] = [answers("base_run1.csv", 6), answers("base_run2.csv", 7), answers("cand_run1.csv", 6)];
    const { status, value } = json(own, "--baseline", one, "--baseline", two, "--margin", "0.1");
    expect(status).toBe(0);
    expect(value["runs"]).toEqual({ baseline: ["base_run1", "base_run2"], candidate: ["cand_run1"] });
  });

  it("holds a candidate against a floor, without a baseline, and prints percent and the rates", () => {
    expect(json(worse, "--floor", "0.7")).toMatchObject({ status: 1, value: { outcome: "fail" } });
    const { status, stdout } = gosset("gate", same, "--floor", "0.6");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^PASS: the score is shown to reach the floor: 70\.0 %/m);
    expect(stdout).toMatch(/lower bound/);
  });

  it("prints one line that says it", () => {
    expect(gosset("gate", worse, "--baseline", base, "--margin", "3%").stdout).toMatch(
      /^FAIL: a loss is shown: -15\.0 points \(-18\.2 to -12\.1, margin 2\.1\)\./m,
    );
  });

  it.each([
    [[same, "--baseline", base], /nothing says how much may be lost/],
    [[same, "--margin", "0.1"], /compares with a baseline/],
    [[same, "--baseline", base, "--margin", "x"], /--margin x/],
    [[same, "--floor", "0.7", "--margin", "0.1"], /--margin 0\.1 and --floor 0\.7 are two rules/],
    [[same, "--baseline", base, "--policy", join(folder, "none.yaml")], /no file "/],
    [
      [same, "--baseline", base, "--policy", policy, "--margin", "0.1"],
      /--margin has no effect next to --policy, which says it/,
    ],
    [
      [same, "--baseline", base, "--policy", file("bad.yaml", "margin: 0.1\ntier: x\n")],
      /bad\.yaml:2:7: tier should be/,
    ],
    [
      [same, "--baseline", join(folder, "bse.csv"), "--margin", "0.1"],
      /no file ".*bse\.csv".*Did you mean ".*base\.csv"/,
    ],
    [
      [same, "--baseline", "mian", "--policy", policy],
      /no file "mian", no baseline of that name.*Did you mean "main"\?/,
    ],
    [["check", same, "--baseline", base, "--margin", "0.1", "--inconclusive", "pass"], /--inconclusive has no effect/],
    [["aa", same, base, "--margin", "0.1"], /--margin has no effect/],
  ])("refuses %j with exit code 2", (args, message) => {
    const { status, stderr } = gosset("gate", ...args);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});

describe("a wide table", () => {
  it("is asked about in pairs, so that no command pools two models", () => {
    const rows = Array.from({ length: 40 }, (_, i) => `Question ${i}?,${i % 2},${i % 3 ? 1 : 0},${i % 5 ? 1 : 0}`).join(
      "\n",
    );
    const wide = file("wide.csv", `question,gpt-4o,claude-3.5,llama-70b\n${rows}\n`);
    const { status, stderr } = gosset("gate", wide, "--baseline", "gpt-4o", "--margin", "0.05");
    expect(status).toBe(2);
    expect(stderr).toMatch(/--systems gpt-4o,claude-3\.5\n.*--systems gpt-4o,llama-70b\n$/);
  });
});

describe("the action", () => {
  const action = (place: string, candidate: string, inconclusive = "warn") =>
    spawnSync("bash", [join(root, "action/gate.sh")], {
      cwd: place,
      encoding: "utf8",
      env: {
        PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
        CANDIDATE: candidate,
        BASELINE: "main",
        POLICY: policy,
        INCONCLUSIVE: inconclusive,
        GOSSET: program,
        GITHUB_STEP_SUMMARY: join(place, "summary.md"),
        GITHUB_OUTPUT: join(place, "output"),
      },
    });

  it("runs as plain shell: comment, JUnit, JSON, summary, outcome, exit code", () => {
    const place = mkdtempSync(join(folder, "action-"));
    expect(action(place, worse)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/gosset gate: fail \(exit code 1\)/),
    });
    expect(readFileSync(join(place, "summary.md"), "utf8")).toMatch(/## The gate fails/);
    expect(readFileSync(join(place, "gosset-gate", "junit.xml"), "utf8")).toMatch(/failures="1"/);
    expect(readFileSync(join(place, "output"), "utf8")).toBe("outcome=fail\n");
    expect(action(place, same)).toMatchObject({ status: 0 });
  });

  it("takes no answer from a folder that was there before, nor writes through a link", () => {
    for (const way of ["folder", "link"]) {
      const place = mkdtempSync(join(folder, "action-"));
      const planted = join(place, way === "link" ? "elsewhere" : "gosset-gate");
      mkdirSync(planted);
      writeFileSync(join(planted, "gate.json"), '{"outcome": "pass"}');
      writeFileSync(join(planted, "comment.md"), "All is well.");
      if (way === "link") symlinkSync(planted, join(place, "gosset-gate"));
      const { status, stdout } = action(place, "none.csv");
      expect([status, stdout]).toEqual([2, "gosset gate: bad input (exit code 2)\n"]);
      expect(readFileSync(join(place, "output"), "utf8")).toBe("outcome=\n");
      expect(existsSync(join(place, "summary.md"))).toBe(false);
      expect(readdirSync(join(place, "gosset-gate"))).toEqual([]);
      if (way === "link") expect(readdirSync(planted)).toEqual(["comment.md", "gate.json"]);
    }
  });

  const read = (path: string) => parse(readFileSync(join(root, path), "utf8"));
  const WORKFLOWS = ["examples/workflows/gate.yml", "examples/workflows/gate-comment.yml"];

  it("and the example workflows are YAML with steps that say what they run, and right of writing only where a comment is posted", () => {
    const { runs, inputs } = read("action/action.yml");
    expect(runs.using).toBe("composite");
    expect(
      runs.steps.every((step: { shell?: string; run?: string }) => step.shell === "bash" && step.run !== undefined),
    ).toBe(true);
    const used = [...readFileSync(join(root, "action/action.yml"), "utf8").matchAll(/inputs\.([a-z]+)/g)].map(
      ([, name]) => name!,
    );
    expect(used.sort()).toEqual(Object.keys(inputs).sort());
    expect(read("examples/workflows/gate.yml").permissions).toEqual({ contents: "read" });
    const comment = read("examples/workflows/gate-comment.yml");
    expect(comment.on.workflow_run.workflows).toEqual([read("examples/workflows/gate.yml").name]);
  });

  it("names other people's actions by commit, and runs nothing of a name that a registry hands out", () => {
    for (const path of [...WORKFLOWS, ".github/workflows/release.yml", "action/action.yml", "action/gate.sh"]) {
      const text = readFileSync(join(root, path), "utf8");
      const used = [...text.matchAll(/^ *(?:- )?uses: (\S+)/gm)].map(([, name]) => name!);
      expect([path, used.filter((name) => !/^\.\/action$|^actions\/[\w-]+@[0-9a-f]{40}$/.test(name))]).toEqual([
        path,
        [],
      ]);
      expect([path, text.match(/npx|npm (?:install|exec|i) .*/g)]).toEqual([path, null]);
    }
  });

  it("publishes a version with its provenance only", () => {
    expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).publishConfig.provenance).toBe(true);
    const { jobs, permissions } = read(".github/workflows/release.yml");
    expect([permissions, jobs.publish.permissions["id-token"]]).toEqual([{ contents: "read" }, "write"]);
    expect(jobs.publish.steps.at(-1).run).toMatch(/^npm publish --provenance/);
  });

  it("takes the candidate's scores from a pull request, and neither its text nor its number", () => {
    const { jobs } = read("examples/workflows/gate-comment.yml");
    const { steps } = jobs.comment as { readonly steps: readonly Record<string, unknown>[] };
    const text = JSON.stringify(steps);
    const fetched = steps.find(({ uses }) => String(uses).startsWith("actions/download-artifact"))!;
    expect(fetched["with"]).toMatchObject({ name: "candidate", path: expect.stringMatching(/runner\.temp/) });
    expect(text).not.toMatch(/candidate\/(number|comment)|ref:|head_ref/);
    // what the event says goes through the environment, never into the text of a script
    for (const { run = "" } of steps) expect(String(run)).not.toMatch(/\$\{\{/);
  });
});

describe("gosset gate aa", () => {
  it("measures flips and the floor", () => {
    const { status, value } = json("aa", base, worse);
    expect(status).toBe(0);
    expect(value).toMatchObject({ kind: "gate-aa", flips: 0.15 });
  });
});
