import { expect, it } from "vitest";
import { rangeByName } from "./range.ts";

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
