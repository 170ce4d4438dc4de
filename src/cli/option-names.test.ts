import { describe, expect, it } from "vitest";
import { nameFlags } from "./option-names.ts";

describe("options of the library as flags", () => {
  it.each([
    ["give `agreement`, or `baseline` to predict it.", "give --agreement, or --baseline to predict it."],
    ["most texts that one rates, `perRater`.", "most texts that one rates, --per-rater."],
    ['say `cluster: "none"` if they are independent.', "say --cluster none if they are independent."],
    ["use `transforms: 40`.", "use --transforms 40."],
    ["allow two of each (`ratings: [2, 5]`)", "allow two of each (--ratings 2,5)"],
    ['name two: `systems: ["base", "new one"]`', 'name two: --systems "base,new one"'],
    ["plain characters: `quote: false`; apart: `unpaired: true`", "plain characters: --no-quote; apart: --unpaired"],
    ["say so with the options `gold: y` `pred: a,b`.", "say so with the --gold y --pred a,b."],
    ["Options `references` and `documents`; option `systems: a,b`.", "--ref and --docs; --systems a,b."],
    ["Option `metric: Adequacy (1-5)` compares by another.", '--metric "Adequacy (1-5)" compares by another.'],
    ["leave the row out with `filterRows`.", "leave the row out with --where."],
    ["give a price: `prices.judgeCall`; lower `ngrams.fewest`", "give a price: --cost-judge-call; lower --min-count"],
    ["name a column with `predicted` or `inDomain`", "name a column with --pred or --in"],
    [
      "make numbers: ``mutate: \"right = `my col` == 'pass'\"`` option `metric: right`.",
      "make numbers: --mutate 'right = `my col` == '\\''pass'\\''' --metric right.",
    ],
    ["make numbers: `mutate: \"right = x == 'pass'\"`.", "make numbers: --mutate \"right = x == 'pass'\"."],
    [
      "see `planWithoutPrior`, `power.f1`, `power.headToHead` and `mde`.",
      "see gosset power no-prior, gosset power f1, gosset power head-to-head and gosset mde.",
    ],
    [
      'Compare the texts: `compare({ hypotheses, references }, { metric: "bleu" })`.',
      "Compare the texts: gosset compare a.txt b.txt --ref reference.txt --metric bleu.",
    ],
    ["run `gosset replicate` for the list of `A b`.", "run `gosset replicate` for the list of `A b`."],
  ])("%s", (message, told) => {
    expect(nameFlags(message)).toBe(told);
  });
});
