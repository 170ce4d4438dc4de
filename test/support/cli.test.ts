import { describe, expect, it } from "vitest";
import { gosset, gossetProcess } from "./cli.ts";

const SUMMARIES = "examples/data/summaries.csv";

describe("a run in the shared thread leaves what a process leaves", () => {
  it.each([
    ["the help", []],
    ["an answer", ["describe", SUMMARIES]],
    ["a warning beside the answer", ["fit", "lm", "rating ~ system + words + I(2 * words)", SUMMARIES]],
    ["one JSON object", ["fit", "lm", "rating ~ system", SUMMARIES, "--json"]],
    [
      "a draw with a seed",
      ["compare", SUMMARIES, "--metric", "rating", "--replicates", "200", "--seed", "3", "--json"],
    ],
    ["a refusal", ["fit", "lm", "rating ~ sytem", SUMMARIES]],
    ["a mistake in the arguments", ["fit", "--nope"]],
    ["an absent file", ["describe", "nowhere.csv"]],
  ])("%s", (_, args) => {
    const twice = [gosset(...args), gosset(...args)];
    const alone = gossetProcess(...args);
    expect(twice).toEqual([alone, alone]);
  });
});
