/** Plans on disk: written, checked, locked, scheduled, followed by compare. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset } from "./support/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "gosset-plan-"));
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

  it.each([
    [["plan", "new", at("ids.txt"), "--metric", "x"], /is there already/],
    [["plan", "new", at("p.yaml"), "--metric", "x"], /--systems, --items, --smallest-effect: missing/],
    [
      ["plan", "new", at("p.yaml"), "--systems", "a,b", "--metric", "x", "--items", "ten", "--smallest-effect", "1"],
      /items should be a whole number/,
    ],
    [["plan", "check", at("none.yaml")], /no such file/],
    [["compare", at("results.csv"), "--look", "1"], /--look without --plan/],
  ])("refuses %j", (args, message) => {
    const { status, stderr } = gosset(...args);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});
