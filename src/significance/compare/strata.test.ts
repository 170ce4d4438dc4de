import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { twoSampleTTest } from "../tests/t-test.ts";
import { compare } from "./compare.ts";
import { compareWithin } from "./strata.ts";

/** B is better by 0.5 on easy and on hard items alike, and has more of the hard ones. */
function mixed(hardOfB: number) {
  const rng = makeRng("mix");
  const rows = Array.from({ length: 200 }, (_, i) => {
    const b = i % 2;
    const hard = rng.uniform() < (b === 1 ? hardOfB : 0.2);
    return {
      item: `q${i}`,
      system: "AB"[b]!,
      difficulty: hard ? "hard" : "easy",
      score: 5 - 2 * Number(hard) + 0.5 * b + 0.5 * rng.normal(),
    };
  });
  return makeTable([
    ["item", factorColumn(rows.map(({ item }) => item))],
    ["system", factorColumn(rows.map(({ system }) => system))],
    ["difficulty", factorColumn(rows.map(({ difficulty }) => difficulty))],
    ["score", numericColumn(rows.map(({ score }) => score))],
  ]);
}
const options = { unpaired: true, higherIsBetter: true };

describe("different items with another mix of difficulty", () => {
  it("carry no verdict where the difference turns within the classes; the reason offers the comparison within them", () => {
    const { main } = compare(mixed(0.8), options);
    expect(main.difference).toBeLessThan(0);
    expect(main.verdict).toBe("INCONCLUSIVE");
    expect(main.reason).toMatch(
      /^B scores .* lower than A over all items, and .* higher within the classes of difficulty/,
    );
    expect(main.reason).toContain("option `by: difficulty`");
  });

  it("are compared within them by option `by`", () => {
    const { main, systems } = compare(mixed(0.8), { ...options, by: "difficulty" });
    expect([main.verdict, main.difference]).toEqual(["BETTER", expect.closeTo(0.5, 0)]);
    expect(systems[1]!.score - systems[0]!.score).toBeCloseTo(main.difference, 12);
  });

  it("do not matter where the mix is the same", () => {
    expect(compare(mixed(0.2), options).main.verdict).toBe("BETTER");
  });
});

describe("the difference within classes", () => {
  const a = { scores: Float64Array.of(1, 2, 4, 7, 8), classes: Int32Array.of(0, 0, 0, 1, 1) };
  const b = { scores: Float64Array.of(3, 5, 9, 9, 12, 10), classes: Int32Array.of(0, 0, 1, 1, 1, 1) };

  it("is Welch's t test where there is one class", () => {
    const one = (scores: Float64Array) => ({ scores, classes: new Int32Array(scores.length) });
    const found = compareWithin(one(a.scores), one(b.scores), ["all"])!;
    const { effect, p } = twoSampleTTest(b.scores, a.scores);
    expect([found.difference, found.se, found.p]).toEqual([
      expect.closeTo(effect.value, 12),
      expect.closeTo(effect.se, 12),
      expect.closeTo(p, 12),
    ]);
  });

  it("weighs the classes by their proportion of all items", () => {
    const found = compareWithin(a, b, ["x", "y"])!;
    // x: 4 - 7/3 of 5 items; y: 10 - 7.5 of 6
    expect(found.difference).toBeCloseTo((5 * (4 - 7 / 3) + 6 * 2.5) / 11, 12);
    const [x, y] = [7 / 3 / 3 + 2 / 2, 0.5 / 2 + 2 / 4];
    expect(found.se).toBeCloseTo(Math.sqrt((25 * x + 36 * y) / 121), 12);
  });

  it("is undefined where a class has one item of a system", () => {
    expect(
      compareWithin(a, { scores: b.scores, classes: Int32Array.of(0, 1, 1, 1, 1, 1) }, ["x", "y"]),
    ).toBeUndefined();
  });
});
