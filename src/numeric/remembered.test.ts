import { expect, it } from "vitest";
import { remembered } from "./remembered.ts";

it("answers each question once, and forgets all of them past the limit", () => {
  const asked: string[] = [];
  const once = remembered<number>(2);
  const ask = (question: string): number =>
    once(question, () => {
      asked.push(question);
      return question.length;
    });
  expect(["a", "bb", "a", "bb"].map(ask)).toEqual([1, 2, 1, 2]);
  expect(asked).toEqual(["a", "bb"]);
  expect(["ccc", "a"].map(ask)).toEqual([3, 1]);
  expect(asked).toEqual(["a", "bb", "ccc", "a"]);
});
