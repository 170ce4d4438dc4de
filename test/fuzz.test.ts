/** All that fuzzing found before is replayed, and every target is fuzzed for a short while; `npm run fuzz` does it for longer. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/fuzz.mjs", ...args], {
    cwd: root,
    encoding: "utf8",
  });
  return { status, stderr, lines: stdout.trim().split("\n") };
};

describe("fuzzing", () => {
  it("finds nothing in what was found before, nor in 20 s more", { timeout: 300_000 }, () => {
    const { status, lines, stderr } = run("all", "20", "--seed", String(process.pid));
    expect([lines.at(-1), stderr], lines.join("\n")).toEqual(["0 faults", ""]);
    expect(status).toBe(0);
    const targets = lines
      .slice(0, -1)
      .map((line) => /^(\w+): (\d+) inputs, (\d+) edges, \d+ s of processor time$/.exec(line));
    expect(targets.length).toBe(13);
    for (const [, target, inputs, edges] of targets.map((found) => found!)) {
      const stored = readdirSync(`${root}test/fuzz`, { recursive: true, encoding: "utf8" });
      const own = stored.filter((path) => new RegExp(`^(corpus|regressions)/${target}/`).test(path));
      expect(Number(inputs), target).toBeGreaterThan(own.length);
      // whose code is not in dist
      if (target !== "patterns") expect(Number(edges), target).toBeGreaterThan(50);
    }
  });

  it("refuses a target that there is not", () => {
    expect(run("nothing", "1")).toMatchObject({ status: 2, stderr: expect.stringContaining('no target "nothing"') });
  });
});
