/** Scores that numbers hardly hold, from the command line: a verdict that is right, or one line with exit code 2. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("extreme-values");
function pairs(name: string, rows: readonly (readonly [number, number])[]): string {
  const path = join(folder, `${name}.csv`);
  writeFileSync(path, `x,y\n${rows.map((row) => row.join(",")).join("\n")}\n`);
  return path;
}

const HOSTILE = {
  denormal: pairs("denormal", [
    [5e-324, 1e-323],
    [1e-323, 3e-323],
    [1.5e-323, 5e-323],
    [2e-323, 7e-323],
  ]),
  overflowing: pairs("overflowing", [
    [1e308, -1e308],
    [1.1e308, -1.2e308],
    [1.3e308, -1e308],
    [1e308, -1.4e308],
  ]),
  "squares overflow": pairs("squares", [
    [1e160, 2e160],
    [1.1e160, 2.1e160],
    [1.2e160, 2.3e160],
    [1.3e160, 2.5e160],
  ]),
};

describe.each(Object.entries(HOSTILE))("%s", (_name, path) => {
  it.each(["wilcoxon", "sign", "permutation", "t", "rank-sum", "aso", "pearson", "somers", "bootstrap"])(
    "%s",
    (test) => {
      const { status, stdout, stderr } = gosset("test", test, path, "--x", "x", "--y", "y");
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^gosset: the largest value of \w is \d\.\de-?\d+: squares .*divide by \de-?\d+\.\n$/);
    },
  );
});

describe("what numbers hold exactly", () => {
  it("Wilcoxon's p of four pairs is 1/8 in any unit", () => {
    const small = pairs("small", [
      [1e-40, 3e-40],
      [2e-40, 6e-40],
      [3e-40, 9e-40],
      [4e-40, 9.5e-40],
    ]);
    expect(gossetJson("test", "wilcoxon", small, "--x", "x", "--y", "y").p).toBeCloseTo(0.125, 12);
  });

  it.each([1e13, 1e14, 1e15])("whole numbers around %d are compared as those around 0", (offset) => {
    const compare = (by: number) => {
      const rows = Array.from({ length: 40 }, (_, i) => {
        const base = by + ((i * 7) % 20);
        return `i${i},a,${base}\ni${i},b,${base + 2 + ((i * 3) % 5 === 0 ? 2 : 0) - ((i * 5) % 8 === 0 ? 1 : 0)}`;
      });
      const path = join(folder, `far${by}.csv`);
      writeFileSync(path, `item,system,score\n${rows.join("\n")}\n`);
      const { verdict, difference, p, ci } = gossetJson("compare", path);
      return { verdict, difference, p, lower: ci.lower, upper: ci.upper };
    };
    const [far, near] = [compare(offset), compare(50)];
    expect(far.verdict).toBe(near.verdict);
    for (const key of ["difference", "p", "lower", "upper"] as const) expect(far[key]).toBeCloseTo(near[key], 9);
  });

  it("three rows in order are no proof of an association", () => {
    const { p, statistic } = gossetJson("test", "somers", "--x", "1,2,3", "--y", "2,3,5");
    expect([p, statistic]).toEqual([expect.closeTo(1 / 3, 12), 3]);
  });
});
