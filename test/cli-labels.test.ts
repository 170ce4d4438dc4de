/** `compare --labels` and `gate --labels`: the corrected difference of `judge correct`, wherever it is asked for. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tCdf, tSf } from "../src/distributions.ts";
import { gosset, gossetRefuses, root } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("labels");
const judged = join(root, "examples/data/judge-labels.csv");
const rows = readFileSync(judged, "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split(",") as [item: string, system: string, judge: string, human: string]);

function file(name: string, head: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, [head, ...lines, ""].join("\n"));
  return path;
}
const scores = (name: string): string =>
  file(
    `${name}.csv`,
    "item,score",
    rows.filter(([, system]) => system === name).map(([item, , judge]) => `${item},${judge}`),
  );
const labelsOf = (name: string, systems: readonly string[]): string =>
  file(
    name,
    "item,system,human",
    rows
      .filter(([, system, , human]) => human !== "" && systems.includes(system))
      .map(([item, system, , human]) => `${item},${system},${human}`),
  );
const [base, tuned] = [scores("base"), scores("tuned")];
const labels = labelsOf("labels.csv", ["base", "tuned"]);
const half = labelsOf("half.csv", ["base"]);
const whole = file(
  "whole.csv",
  "item,system,judge,human",
  rows.map((row) => row.join(",")),
);

// biome-ignore lint/suspicious/noExplicitAny: a result of JSON
const json = (...args: string[]): any => JSON.parse(gosset(...args, "--json").stdout);

describe("gosset compare --labels", () => {
  const corrected = json("judge", "correct", judged, "--drawn", "random").differences[0];
  it("gives the corrected difference of `judge correct`, with the scores' own next to it", () => {
    const found = json("compare", base, tuned, "--labels", labels, "--drawn", "random", "--direction", "higher");
    expect(found.kind).toBe("judge-correction");
    expect(found.differences[0]).toEqual(corrected);
    expect(corrected).toMatchObject({ judge: { verdict: "BETTER" }, corrected: { verdict: "INCONCLUSIVE" } });
  });

  it("takes a column of labels, and leaves the direction open where nobody says it", () => {
    const found = json("compare", whole, "--labels", "human", "--drawn", "random");
    expect(found.differences[0].corrected.value).toBe(corrected.corrected.value);
    expect(found.differences[0].judge.verdict).toBe("HIGHER");
  });

  it("is offered where a judge's scores are compared and people labeled some", () => {
    const { stdout } = gosset("compare", whole);
    expect(stdout).toMatch(/people labeled some of these outputs\s+\(human\)/);
    expect(stdout).toMatch(/--labels\s+human/);
  });

  it("gives no verdict where a system has no labels, or where the audit fails", () => {
    const none = json("compare", base, tuned, "--labels", half).differences[0];
    expect(none).toMatchObject({ method: "none", corrected: { verdict: "NONE" } });
    const audited = json("compare", base, tuned, "--labels", labels, "--audit-margin", "0.001").differences[0];
    expect(audited).toMatchObject({ audit: "FAIL", corrected: { verdict: "NONE" } });
    expect(audited.reason).toMatch(/^the audit at 0\.001 fails/);
    const passed = json("compare", base, tuned, "--labels", labels, "--audit-margin", "0.5").differences[0];
    expect(passed).toMatchObject({ audit: "PASS", corrected: { verdict: "INCONCLUSIVE" } });
  });

  it.each([
    [["--labels", "nowhere.csv"], /neither such a file nor such a column/],
    [["--drawn", "random"], /--drawn has no effect without --labels/],
    [["--audit-margin", "0.1"], /--audit-margin has no effect without --labels/],
    [["--labels", labels, "--audit-margin", "0"], /--audit-margin/],
    [["--labels", labels, "--drawn", "by hand"], /--drawn/],
    [["--labels", labels, "--margin", "0.1"], /--margin has no effect with --labels/],
    [["--labels", labels, "--flips", "items.csv"], /--flips has no effect with --labels/],
    [["--labels", base], /the file of labels has no column "system"/],
  ])("refuses %j in one line", (args, message) => {
    expect(gossetRefuses("compare", base, tuned, ...args)).toMatch(message);
  });

  it("refuses items that several tasks call alike", () => {
    const lines = rows.map(([item, system, judge], k) => `${k % 2 === 0 ? "a" : "b"},${item},${system},${judge}`);
    const tasks = file("tasks.csv", "task,item,system,score", [
      ...lines,
      ...lines.map((line) => line.replace(/^./, "c")),
    ]);
    expect(gossetRefuses("compare", tasks, "--labels", labels, "--task", "task")).toMatch(/--task|share their names/);
  });
});

describe("gosset gate --labels", () => {
  const about = [tuned, "--baseline", base, "--direction", "higher", "--labels", labels, "--drawn", "random"];
  const { corrected, judge } = json("judge", "correct", judged, "--drawn", "random", "--confidence", "0.9")
    .differences[0];
  const task = (...more: string[]) => json("gate", ...about, ...more).tasks[0];

  it("decides by both tails of the corrected difference", () => {
    const found = task("--margin", "0.05");
    expect(found).toMatchObject({ n: 600, outcome: "inconclusive", reason: "underpowered" });
    expect(found.people).toEqual({ labels: 60, judge: { value: judge.value, lower: judge.lower, upper: judge.upper } });
    expect([found.difference, found.lower, found.upper]).toEqual([corrected.value, corrected.lower, corrected.upper]);
    expect(found.lossP).toBeCloseTo(tCdf(corrected.value / corrected.se, corrected.df), 12);
    expect(found.marginP).toBeCloseTo(tSf((corrected.value + 0.05) / corrected.se, corrected.df), 12);
    expect(json("gate", tuned, "--baseline", base, "--direction", "higher", "--margin", "0.05").outcome).toBe("pass");
  });

  it("takes a relative margin off the corrected baseline", () => {
    const found = task("--margin", "20%");
    expect(found.margin).toBeCloseTo(0.2 * found.baseline, 12);
    expect(found.outcome).toBe("pass");
  });

  it("is open without labels of both sides, and where the audit fails", () => {
    const open = json("gate", tuned, "--baseline", base, "--direction", "higher", "--labels", half, "--margin", "0.05");
    expect(open).toMatchObject({ outcome: "inconclusive", reason: "labels" });
    const audited = json("gate", ...about, "--margin", "0.05", "--audit-margin", "0.001");
    expect(audited).toMatchObject({ outcome: "inconclusive", reason: "judge-changed" });
  });

  it("judges sides with judges of their own, which it refuses without labels", () => {
    const [old, young] = ["base", "tuned"].map((name) =>
      file(
        `own-${name}.csv`,
        "item,system,judge_model,score",
        rows.filter(([, system]) => system === name).map(([item, , score]) => `${item},${name},of ${name},${score}`),
      ),
    ) as [string, string];
    const own = ["gate", young, "--baseline", old, "--direction", "higher", "--margin", "0.2"];
    expect(gossetRefuses(...own)).toMatch(/every rater saw one system only/);
    const found = json(...own, "--labels", labels, "--drawn", "random");
    expect(found).toMatchObject({ outcome: "pass" });
    expect(found.tasks[0].difference).toBeCloseTo(corrected.value, 12);
  });

  it.each([
    [["--floor", "0.7"], /a floor is compared with the scores themselves/],
    [["--margin", "0.05", "--audit-margin", "-1"], /--audit-margin/],
  ])("refuses %j in one line", (args, message) => {
    expect(gossetRefuses("gate", ...about, ...args)).toMatch(message);
  });
  it("refuses what only labels have a use for", () => {
    expect(gossetRefuses("gate", tuned, "--baseline", base, "--margin", "0.1", "--drawn", "random")).toMatch(
      /without --labels/,
    );
    expect(gossetRefuses("gate", "check", tuned, "--baseline", base, "--margin", "0.1", "--labels", labels)).toMatch(
      /--labels has no effect/,
    );
  });
});
