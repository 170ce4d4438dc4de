import { describe, expect, it } from "vitest";
import { type Expected, judge } from "./judge.ts";
import type { Found } from "./read-case.ts";

const STATED = {
  reading: { systems: ["old", "new"], items: 40, raters: 0, score: "correct", higherIsBetter: true },
  compare: { metric: "correct", n: 40, pairs: [{ a: "old", b: "new", difference: 0.2, verdict: "BETTER" }] },
} as const satisfies Found;
const outcomeOf = (found: Partial<Found>, expected: Expected = STATED) =>
  judge(expected, { ...STATED, ...found }).outcome;

describe("an answer", () => {
  it("is right if it states what the case states, whichever system comes first", () => {
    const pairs = [{ a: "new", b: "old", difference: -0.2, verdict: "WORSE" }];
    expect(outcomeOf({})).toBe("right");
    expect(outcomeOf({ compare: { ...STATED.compare, pairs } })).toBe("right");
    expect(outcomeOf({ reading: { ...STATED.reading, systems: ["new", "old"] } })).toBe("right");
  });

  it("is right whatever it says of what the case leaves out", () => {
    expect(outcomeOf({ compare: { ...STATED.compare, n: 7 } }, { reading: STATED.reading })).toBe("right");
  });

  it.each([
    ["other items", { reading: { ...STATED.reading, items: 20 } }],
    ["other raters", { reading: { ...STATED.reading, raters: 3 } }],
    ["another score", { reading: { ...STATED.reading, score: "length" } }],
    ["another direction", { reading: { ...STATED.reading, higherIsBetter: false } }],
    ["another number of pairs", { compare: { ...STATED.compare, n: 39 } }],
    ["other systems", { compare: { ...STATED.compare, pairs: [{ a: "x", b: "y", difference: 0.2 }] } }],
    ["no pair", { compare: { ...STATED.compare, pairs: [] } }],
    ["the opposite", { compare: { ...STATED.compare, pairs: [{ a: "new", b: "old", verdict: "BETTER" }] } }],
    ["another difference", { compare: { ...STATED.compare, pairs: [{ a: "old", b: "new", difference: 0.1 }] } }],
  ])("is wrong with %s", (_, found) => {
    expect(outcomeOf(found)).toBe("wrong");
  });

  it("is wrong where the case expects an error", () => {
    expect(outcomeOf({}, { compare: { refused: "NoScoreFound" } })).toBe("wrong");
  });
});

describe("an error", () => {
  it("asks if it names the option that decides, else it refuses", () => {
    expect(outcomeOf({ compare: { refused: "UnsureColumn" } })).toBe("asks");
    expect(outcomeOf({ compare: { refused: "AskItem" } })).toBe("asks");
    expect(outcomeOf({ compare: { refused: "TooFewItems" } })).toBe("refuses");
  });

  it("is wrong with a description that denies the case, not with one that says less", () => {
    const compare = { refused: "UnsureColumn" };
    expect(outcomeOf({ compare, reading: { systems: [], items: 0, raters: 0 } })).toBe("asks");
    expect(outcomeOf({ compare, reading: { ...STATED.reading, systems: ["q1", "q2"] } })).toBe("wrong");
  });
});
