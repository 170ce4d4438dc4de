/** Flags of `gosset test`. */
import { allOptions, TEST, TESTS } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

const WIDTH = Math.max(...Object.keys(TESTS).map((name) => name.length));
const TEST_LIST = Object.entries(TESTS)
  .map(([name, line]) => `  ${name.padEnd(WIDTH)}  ${line}`)
  .join("\n");

export const test: CommandSpec = {
  name: "test",
  question: "Is the difference real?",
  summary: "one classical test, on numbers or columns",
  description: "One test, on numbers given here or on columns of a file.",
  words: [
    ["<name>", "which test; see the list below"],
    ["[data]", "a file; --x, --y, --columns then name its columns"],
  ],
  flags: flagsOf(allOptions(TEST)),
  remark: `Tests:\n${TEST_LIST}`,
  examples: [
    "gosset test mcnemar --table 40,12,5,43 --method mid-p",
    "gosset test proportions --x 45,56 --n 100,100",
    "gosset test t --x 1,2,3,5 --y 2,3,4,4 --paired",
    "gosset test wilcoxon scores.csv --x baseline --y ours",
    "gosset test z --x 15 --n 100 --mu 25 --sd 50",
    "gosset test cv --x .01,.02,-.01,.03,.02 --n-train 800 --n-test 200",
    "gosset test nested losses.csv --x ours --y baseline --fold fold --left other --run rep",
    "gosset test clark runs.csv --score f1 --by system --item id --run seed",
    "gosset test permutation long.csv --score f1 --by system --item id",
  ],
  load: async () => (await import("./run.ts")).run,
};
