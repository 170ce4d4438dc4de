import { expect, it } from "vitest";
import { boundsOf, checkMargin, rangeByName } from "./range.ts";

it("the name of a score tells the ends of its scale, unless values contradict it", () => {
  expect(rangeByName("val_accuracy", [0.2, 0.9])).toEqual([0, 1]);
  expect(rangeByName("BLEU", [20, 31])).toEqual([0, 100]);
  expect(rangeByName("mcc", [-0.2, 0.9])).toEqual([-1, 1]);
  expect(rangeByName("accuracy", [120])).toBeUndefined();
  expect(rangeByName("quality", [1, 5])).toBeUndefined();
});

it("MQM is at most 0, or as an amount at least 0", () => {
  expect(rangeByName("mqm", [-3, 0])).toEqual([Number.NEGATIVE_INFINITY, 0]);
  expect(rangeByName("mqm_score", [0, 7])).toEqual([0, Number.POSITIVE_INFINITY]);
  expect(rangeByName("mqm", [-1, 1])).toBeUndefined();
});

it("times, counts and errors are not below 0", () => {
  for (const name of ["latency_ms", "wer", "outputTokens", "edit_distance", "rmse"])
    expect(rangeByName(name, [0.3, 12]), name).toEqual([0, Number.POSITIVE_INFINITY]);
  expect(rangeByName("latency", [-1])).toBeUndefined();
  expect(rangeByName("percent", [3])).toBeUndefined();
});

it("a margin as wide as the scale is refused, one on a scale without ends is not", () => {
  const refused = (name: string, values: number[], margin: number): boolean => {
    try {
      checkMargin(margin, boundsOf(name, values));
      return false;
    } catch {
      return true;
    }
  };
  expect(refused("correct", [0, 1, 1], 1)).toBe(true);
  expect(refused("whatever", [0, 1, 1], 2)).toBe(true);
  expect(refused("score", [0.2, 0.75], 2)).toBe(true);
  expect(refused("wer", [0.2, 0.75], 2)).toBe(true);
  expect(refused("bleu", [20, 31], 100)).toBe(true);
  expect(refused("bleu", [20, 31], 2)).toBe(false);
  expect(refused("mcc", [-0.5, 0.5], 1.5)).toBe(false);
  expect(refused("mcc", [-0.5, 0.5], 2)).toBe(true);
  expect(refused("rating", [1, 4, 5], 4)).toBe(true);
  // grades that nobody used are grades
  expect(refused("rating", [4, 5, 5], 2)).toBe(false);
  expect(refused("latency", [0.2, 0.75], 2)).toBe(false);
  expect(refused("errors", [0, 2, 3], 10)).toBe(false);
  expect(refused("score", [-3.5, 22], 50)).toBe(false);
  expect(refused("score", [], 50)).toBe(false);
});
