/** Right answers of how many in place of files. */
import { describe, expect, it } from "vitest";
import { gosset } from "./support/cli.ts";

describe("counts on the command line", () => {
  it("are compared by Boschloo's test, with its interval or Newcombe's", () => {
    const { stdout, status } = gosset("compare", "old=91/120", "new=74/80", "--json");
    expect(status).toBe(0);
    const { pairs, spread } = JSON.parse(stdout);
    // scipy 1.10: 2 * boschloo_exact([[91, 74], [29, 6]], alternative="less").pvalue
    expect(pairs[0].p).toBeCloseTo(0.0019614310257254656, 8);
    expect(spread.kind).toBe("counts");
    const joined = JSON.parse(gosset("compare", "74/80", "91/120", "--interval", "newcombe", "--json").stdout).pairs[0];
    expect([joined.p, joined.lower]).toEqual([pairs[0].p, expect.closeTo(0.06247, 4)]);
  });

  it.each([
    [["74/80", "130/120"], /130 of 120 is not a count/],
    [["7/8", "7/8"], /two systems are called 7\/8/],
  ])("are refused where they are none: %j", (words, message) => {
    const { stderr, status } = gosset("compare", ...words);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});
