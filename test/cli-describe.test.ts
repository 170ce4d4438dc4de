import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { runAsPrinted, runShared } from "./support/cli.ts";
import { likedText } from "./support/comparison-data.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("describe");

function run(args: readonly string[], env: Record<string, string> = {}): { status: number | null; stdout: string } {
  return runShared(args, { cwd: folder, env });
}

const answersOf = (stdout: string): { command: string }[] => JSON.parse(stdout).answers;

describe("commands that describe offers", () => {
  writeFileSync(
    join(folder, "odd.txt"),
    "model:item:score\na:1:1\na:2:2\na:3:-9\nb:1:3\nb:2:2\nb:3:5\nb:4:1\nbad row\n",
  );
  const flags = ["--delimiter", ":", "--missing", "-9", "--bad-rows", "skip"];

  it("start as the program was started", () => {
    const npx = run(["describe", "odd.txt", ...flags, "--json"], {
      npm_lifecycle_event: "npx",
      npm_lifecycle_script: "gosset",
    });
    for (const { command } of answersOf(npx.stdout)) expect(command).toMatch(/^npx --no-install gosset /);
    const plain = run(["describe", "odd.txt", ...flags, "--json"], {
      npm_lifecycle_event: "",
      npm_lifecycle_script: "",
    });
    for (const { command } of answersOf(plain.stdout)) expect(command).toMatch(/^gosset /);
  });

  it("read the file with the same flags, so that they run as printed", () => {
    const { stdout, status } = run(["describe", "odd.txt", ...flags, "--json"], { npm_lifecycle_event: "" });
    expect(status).toBe(0);
    const ready = answersOf(stdout);
    expect(ready.length).toBeGreaterThan(0);
    for (const { command } of ready) {
      expect(runAsPrinted(command, folder), command).toBe(0);
    }
  });

  it("are not offered for a file with faulty rows unless these are skipped", () => {
    expect(run(["describe", "odd.txt", "--delimiter", ":"]).status).toBe(2);
  });
});

describe("models that describe offers for raters' scores", () => {
  // raters who like the systems differently: ratings by item, rater and a preference of the rater
  writeFileSync(join(folder, "rated.csv"), likedText());
  const json = (...args: readonly string[]) => JSON.parse(run([...args, "--json"], { npm_lifecycle_event: "" }).stdout);
  const offers: { command: string }[] = json("describe", "rated.csv").answers;

  it("say what compare says, not what a model blind to the raters' likings would", () => {
    const { command } = offers.find((offer) => offer.command.startsWith("gosset fit lmm"))!;
    const formula = /"([^"]+)"/.exec(command)![1]!;
    const { difference, p: claimed, testDetails } = json("compare", "rated.csv", "--metric", "rating");
    const { p } = testDetails;
    const term = (of: string) =>
      json("fit", "lmm", of, "rated.csv").fixed.find((row: { term: string }) => row.term === "systemB");
    expect(term(formula).estimate).toBeCloseTo(difference, 8);
    // degrees of freedom differ a little: compare fits the differences, the formula all scores
    expect(Math.abs(term(formula).p - p)).toBeLessThan(0.005);
    // of few raters the claim also needs the t test over them
    expect(claimed).toBeGreaterThanOrEqual(p - 1e-12);
    expect(p).toBeGreaterThan(0.3);
    expect(term("rating ~ system + (1 | item) + (1 | rater)").p).toBeLessThan(0.01);
  });

  it("all run", () => {
    for (const { command } of offers) {
      expect(runAsPrinted(command, folder), command).toBe(0);
    }
  });
});
