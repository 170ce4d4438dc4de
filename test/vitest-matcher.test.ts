/** gosset/vitest: a gate as a matcher. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import "../src/vitest.ts";
import { makeRng } from "../src/numeric/rng.ts";

const rng = makeRng("matcher");
const baseline = Array.from({ length: 400 }, () => (rng.uniform() < 0.7 ? 1 : 0));
const slightly = baseline.map((score, i) => (i % 100 === 0 ? 1 - score : score));
const worse = baseline.map((score) => (rng.uniform() < 0.2 ? 0 : score));
const few = { old: baseline.slice(0, 12), own: worse.slice(0, 12) };
const rows = (scores: readonly number[]) => scores.map((score, i) => ({ id: `q${i}`, correct: score === 1 }));
const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

describe("toBeNoWorseThan", () => {
  it("holds for a loss within the margin, and not for one beyond it", () => {
    expect(slightly).toBeNoWorseThan(baseline, { margin: 0.05 });
    expect(messageOf(() => expect(worse).toBeNoWorseThan(baseline, { margin: 0.02 }))).toMatch(
      /^FAIL: a loss is shown: -17\.5 points \(-20\.8 to -14\.6, margin 2\.0\)\.\n {2}all: 400 items, baseline 0\.\d+, candidate 0\.\d+, difference -0\.\d+ \(-0\.\d+ to -0\.\d+\), margin 0\.02: fail/,
    );
    expect(worse).not.toBeNoWorseThan(baseline, { margin: 0.02 });
    expect(messageOf(() => expect(slightly).not.toBeNoWorseThan(baseline, { margin: 0.05 }))).toMatch(/^PASS/);
  });
  it("what is open holds neither way, and says why", () => {
    expect(messageOf(() => expect(few.own).toBeNoWorseThan(few.old, { margin: 0.02 }))).toMatch(/underpowered/);
    expect(messageOf(() => expect(few.own).not.toBeNoWorseThan(few.old, { margin: 0.02 }))).toMatch(/underpowered/);
  });
  it("takes rows, by whatever their columns are called", () => {
    expect(rows(slightly).reverse()).toBeNoWorseThan(rows(baseline), { margin: 0.05 });
    expect(rows(worse)).not.toBeNoWorseThan(rows(baseline), { margin: "2%" });
  });
  it("reads logs by their paths", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gosset-matcher-"));
    try {
      const [old, own] = ["old.jsonl", "new.jsonl"].map((name) => join(folder, name)) as [string, string];
      const write = (path: string, scores: readonly number[]): void =>
        writeFileSync(
          path,
          rows(scores)
            .map((row) => JSON.stringify(row))
            .join("\n"),
        );
      write(old, baseline);
      write(own, worse);
      await expect(expect(own).toBeNoWorseThan(old, { margin: 0.02 })).rejects.toThrow(/a loss is shown/);
      await expect(own).not.toBeNoWorseThan(old, { margin: 0.02 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  it("refuses lists of different lengths, which no position can pair", () => {
    expect(messageOf(() => expect(slightly.slice(1)).toBeNoWorseThan(baseline, { margin: 0.05 }))).toBe(
      "the candidate has 399 scores and the baseline 400, so a list of numbers cannot be paired by position.",
    );
    expect(rows(slightly).slice(1)).toBeNoWorseThan(rows(baseline), { margin: 0.05 });
  });
  it("refuses calls without a margin, and mixed rows, in one line", () => {
    expect(messageOf(() => expect(worse).toBeNoWorseThan(baseline))).toBe(
      "toBeNoWorseThan takes a margin or a policy.",
    );
    expect(messageOf(() => expect([]).toBeNoWorseThan(baseline, { margin: 0.1 }))).toMatch(
      /the candidate has no scores/,
    );
  });
});
