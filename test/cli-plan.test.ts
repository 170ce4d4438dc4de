/** Plans on disk: written, checked, locked, scheduled, followed by compare. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runNew } from "../src/cli/plan/run.ts";
import { readPlan } from "../src/plan/plan.ts";
import type { Result } from "../src/result/result.ts";
import { gosset, program, root } from "./support/cli.ts";

const folder = makeFolder("plan");
const at = (name: string): string => join(folder, name);
writeFileSync(at("ids.txt"), Array.from({ length: 60 }, (_, i) => `q${i}`).join("\n"));
const rows = Array.from({ length: 60 }, (_, i) => [
  `base,q${i},${i % 3 === 0 ? 0 : 1}`,
  `new,q${i},${i % 12 === 0 ? 0 : 1}`,
]).flat();
writeFileSync(at("results.csv"), `system,id,accuracy\n${rows.join("\n")}\n`);
const json = (...args: string[]) => JSON.parse(gosset(...args, "--json").stdout);

describe("gosset plan", () => {
  it("new, check, lock, schedule, compare --plan", () => {
    const path = at("plan.yaml");
    const made = json(
      "plan",
      "new",
      path,
      "--systems",
      "base,new",
      "--metric",
      "accuracy",
      "--items",
      "60",
      "--smallest-effect",
      "0.2",
      "--agreement",
      "0.7",
    );
    expect(made).toMatchObject({ kind: "plan", locked: false });
    expect(json("plan", "check", path).power).toBe(made.power);
    expect(json("plan", "lock", path, "--items", at("ids.txt"))).toMatchObject({ locked: true, hash: made.hash });
    expect(gosset("plan", "schedule", path, "--to", at("runs.csv")).status).toBe(0);
    expect(readFileSync(at("runs.csv"), "utf8").split("\n")).toHaveLength(122);
    expect(json("compare", at("results.csv"), "--plan", path).plan).toEqual({
      hash: made.hash,
      locked: true,
      deviations: [],
    });
    expect(json("compare", at("results.csv"), "--plan", path, "--alpha", "0.1").plan.deviations).toHaveLength(1);
    writeFileSync(path, readFileSync(path, "utf8").replace("0.2", "0.15"));
    expect(json("compare", at("results.csv"), "--plan", path).plan.deviations).toEqual([
      "the plan was changed after it was locked",
    ]);
    expect(gosset("plan", "lock", path)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/locks another plan/),
    });
  });

  it("asks for what is missing, and writes what was answered", async () => {
    const path = at("asked.yaml");
    const asked: string[] = [];
    const printed: Result<string>[] = [];
    const context = { options: { metric: "accuracy" }, print: (result: Result<string>) => void printed.push(result) };
    await runNew(context as never, path, async (questions) => {
      asked.push(...questions);
      return [" base,new ", "80", "0.1"];
    });
    expect(asked).toEqual([
      "Systems, the baseline first (a,b)",
      "How many items",
      "The smallest difference of interest",
    ]);
    expect(readPlan(readFileSync(path, "utf8"))).toMatchObject({
      ...{ systems: ["base", "new"], metric: "accuracy", items: 80, smallestEffect: 0.1 },
    });
    expect(printed[0]!.kind).toBe("plan");
    await expect(runNew(context as never, at("never.yaml"), async () => ["base", "many", "0.1"])).rejects.toThrow(
      /--items should be a whole number/,
    );
  });

  it("show, and next at a look", () => {
    const path = at("looks.yaml");
    writeFileSync(
      path,
      "systems: [base, new]\nmetric: accuracy\nitems: 120\nsmallest-effect: 0.1\nlooks: { at: [0.5, 1] }\n",
    );
    expect(gosset("plan", "show", path).stdout).toMatch(/looked at 2 times, at 60, 120 items/);
    expect(json("next", at("results.csv"), "--plan", path)).toMatchObject({
      kind: "next",
      decision: "stop",
      n: 60,
      plan: { look: 1 },
    });
    expect(json("next", at("results.csv"))).toMatchObject({
      decision: "stop",
      reason: "difference",
      method: "e-process",
    });
  });

  it("next is told the direction", () => {
    const path = at("unknown.csv");
    writeFileSync(path, readFileSync(at("results.csv"), "utf8").replace("accuracy", "zeal"));
    const untold = /does not know whether a higher zeal is better/;
    const text = (...args: string[]): string =>
      gosset("next", path, "--metric", "zeal", ...args).stdout.replace(/\s+/g, " ");
    expect(text()).toMatch(untold);
    expect(text()).toMatch(/^STOP new is higher than base by zeal \(60 items\)/);
    for (const [way, word] of [
      ["higher", "better"],
      ["lower", "worse"],
    ] as const) {
      expect(text("--direction", way)).not.toMatch(untold);
      expect(text("--direction", way)).toMatch(new RegExp(`^STOP new is ${word} than base by zeal \\(60 items\\)`));
    }
  });

  it.each([
    [["next", at("results.csv"), "--look", "1"], /--look has no effect without --plan/],
    [["plan", "new", at("ids.txt"), "--metric", "x"], /exists already/],
    [["plan", "new", at("p.yaml"), "--metric", "x"], /--systems, --items, --smallest-effect: missing/],
    [
      ["plan", "new", at("p.yaml"), "--systems", "a,b", "--metric", "x", "--items", "ten", "--smallest-effect", "1"],
      /items should be a whole number/,
    ],
    [["plan", "check", at("none.yaml")], /no file "/],
    [["compare", at("results.csv"), "--look", "1"], /--look has no effect without --plan/],
  ])("refuses %j", (args, message) => {
    const { status, stderr } = gosset(...args);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});

/** Inspect calls the hook before and after each sample; here a script does. */
const HARNESS = `
import asyncio, sys, types
sys.path.insert(0, "examples")
from inspect_early_stopping import StopWhenDecided
score = lambda value: {"match": types.SimpleNamespace(score=types.SimpleNamespace(value=value))}
hook = StopWhenDecided({f"q{i}": 0.0 for i in range(60)}, every=20, command=sys.argv[1:], make_stop=lambda **own: own)
async def run():
    for i in range(60):
        stop = await hook.schedule_sample(f"q{i}", 1)
        if stop is not None:
            return i, stop["reason"]
        await hook.complete_sample(f"q{i}", 1, score("C" if i % 2 == 0 else "I"))
print(*asyncio.run(run()), (asyncio.run(hook.complete_task()))["n"])
`;

import { makeFolder } from "./support/folder.ts";

describe.skipIf(spawnSync("python3", ["--version"]).status !== 0)("the example for Inspect", () => {
  it("starts no further sample once the comparison is decided", () => {
    const { stdout, stderr } = spawnSync("python3", ["-B", "-c", HARNESS, process.execPath, program], {
      cwd: root,
      encoding: "utf8",
    });
    expect([stdout.trim(), stderr]).toEqual(["20 gosset next: difference 20", ""]);
  });
});

describe("a plan that is not written", () => {
  const bare = ["--systems", "base,new", "--metric", "accuracy", "--items", "60", "--smallest-effect", "0.2"];
  it.each([
    [["--repeats", "3", "--agreement", "0.8"], /Give --sd instead of agreement/],
    [["--looks", "1,0.5"], /^gosset: --looks should rise to 1/],
    [["--alpha", "3"], /^gosset: --alpha should be/],
    [["--looks", "0.5,1", "--spending", "bold"], /no spending "bold"/],
  ])("names flags, not places in a file that is not there: %j", (flags, told) => {
    const { status, stderr } = gosset("plan", "new", at("never.yaml"), ...bare, ...flags);
    expect(status).toBe(2);
    expect(stderr).toMatch(told);
    expect(stderr).not.toMatch(/never\.yaml|expected\./);
  });

  it("is not scheduled from a table in place of a list of ids, and a schedule says what it holds", () => {
    const path = at("listed.yaml");
    gosset("plan", "new", path, ...bare, "--agreement", "0.7");
    const refused = gosset("plan", "schedule", path, "--items", at("results.csv"), "--to", at("never.csv"));
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringMatching(/60 items, the list has 121/) });
    const made = gosset("plan", "schedule", path, "--items", at("ids.txt"), "--to", at("listed.csv"));
    expect(made.stdout).toMatch(/listed\.csv\s+has\s+120\s+runs,\s+from\s+item\s+"q\d+"\s+under\s+(base|new)\s+on/);
  });
});

describe("a human evaluation", () => {
  it("goes from flags to lists, filled lists and a verdict without deviation", () => {
    const path = at("study.yaml");
    const flags =
      "--systems base,new --metric rating --items 60 --smallest-effect 0.5 --raters 4 --points 7 --setting card-low";
    expect(json("plan", "new", path, ...flags.split(" ")).study).toMatchObject({
      scenario: "likert",
      total: 480,
      perRater: 120,
    });
    const checked = json("plan", "check", path, "--replicates", "10");
    expect(checked.study.settings).toMatchObject([{ name: "middle", studies: 10 }]);
    json("plan", "lock", path, "--items", at("ids.txt"));
    const written = gosset("plan", "schedule", path, "--to", at("lists.csv"), "--blind", at("tasks.csv"));
    expect(written.status).toBe(0);
    const lists = readFileSync(at("lists.csv"), "utf8").trim().split("\n");
    expect(lists[0]).toBe("id,rater,position,item,system,check,rating");
    expect(readFileSync(at("tasks.csv"), "utf8")).not.toMatch(/base|new/);
    // raters agree but for a pattern, and the new system is a point better
    const filled = lists.slice(1).map((line, k) => {
      const cells = line.split(",");
      return [cells[0], 3 + Number(cells[4] === "new") + ((k * 7) % 3)].join(",");
    });
    writeFileSync(at("filled.csv"), `id,rating\n${filled.join("\n")}\n`);
    const result = json("compare", at("filled.csv"), "--plan", path, "--key", at("lists.csv"));
    expect(result.plan.deviations).toEqual([]);
    expect(result.verdict).toMatch(/BETTER|HIGHER/);
    expect(gosset("plan", "show", path, "--paper").stdout).toMatch(/4 raters \(rater\) give 4 ratings of each item/);
  });

  it.each([
    [["check", "plan.yaml", "--replicates", "10"], /--replicates: the power of this plan has a formula/],
    [["schedule", "plan.yaml", "--to", "x.csv", "--blind", "y.csv"], /--blind is for a plan with ratings/],
  ])("%s is refused in one line", (args, message) => {
    const [command, file, ...rest] = args;
    const { status, stderr } = gosset("plan", command!, at(file!), ...rest);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it.each([
    ["--ratings 3", /--ratings has no effect without --raters/],
    ["--raters 4 --pilot-model ordinal", /--pilot-model (ordinal )?has no effect without --pilot/],
    ["--raters 4 --setting card-low --pilot a.csv", /--setting (card-low )?has no effect next to --pilot/],
    ["--raters 4 --pilot nowhere.csv", /nowhere\.csv/],
    ["--raters 1", /--raters should be a whole number from 2/],
  ])("plan new %s is refused in one line", (flags, message) => {
    const own = "--systems base,new --metric rating --items 60 --smallest-effect 0.5".split(" ");
    const { status, stderr } = gosset("plan", "new", at("never.yaml"), ...own, ...flags.split(" "));
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it("compare --key is for a plan with ratings", () => {
    const { status, stderr } = gosset(
      "compare",
      at("results.csv"),
      "--plan",
      at("plan.yaml"),
      "--key",
      at("results.csv"),
    );
    expect([status, stderr]).toEqual([2, expect.stringMatching(/--key is for a plan with ratings/)]);
  });
});
