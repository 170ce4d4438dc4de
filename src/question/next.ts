/** Stop or go on? The options of `next`. */
import { COMPARE } from "./compare.ts";
import type { OptionTable, QuestionSpec } from "./option.ts";
import { CHOSEN_ROWS, DATA, READ, ROLES, SAVED_READING, TEST, TOLD } from "./rows.ts";

const { margin, alpha, unscored, metric } = COMPARE.options;
const { plan, look } = COMPARE.command;

const isRange = (text: string): boolean => {
  const [low = Number.NaN, high = Number.NaN, ...more] = text.split(",").map(Number);
  return low < high && more.length === 0 && !/(^|,)\s*(,|$)/.test(text);
};

const options = {
  ...{ system: ROLES.system, item: ROLES.item, score: ROLES.score },
  metric: { ...metric, help: "the score to compare by; of repeated attempts pass@5, pass^3 or maj@5" },
  systems: ROLES.systems,
  ...{ rater: ROLES.rater, run: ROLES.run, cluster: ROLES.cluster, task: ROLES.task, files: ROLES.files },
  ...{ higherIsBetter: ROLES.higherIsBetter, metricColumn: TOLD.metricColumn },
  ...CHOSEN_ROWS,
  method: {
    takes: "choice",
    choices: ["e-process", "sequence"],
    value: "name",
    help: "without a plan: e-process (0/1 scores) or sequence (scores with known ends)",
    ...{ group: TEST, unless: ["plan"] },
  },
  range: {
    takes: "numbers",
    fault: (text) => (isRange(text) ? undefined : ["not two rising numbers", "Write for example --range 1,5."]),
    value: "low,high",
    help: "the lowest and the highest score there can be, where they are not 0 and 1",
    ...{ group: TEST, unless: ["plan"] },
  },
  items: {
    takes: "count",
    value: "n",
    help: "all items there will be: stop when they are there",
    ...{ group: TEST, unless: ["plan"] },
  },
  margin: { ...margin, help: "also stop where the difference is known to be smaller" },
  alpha: { ...alpha, help: "error rate over all interim analyses" },
  unscored: {
    ...unscored,
    choices: ["complete", "wrong"],
    help: "missing scores: leave them out, or count them as failures",
  },
} as const satisfies OptionTable;

export const NEXT = {
  name: "next",
  options,
  command: {
    plan: { ...plan, help: "look as planned (its lock is <file>.lock)", group: DATA },
    look: { ...look, help: "with --plan: the interim analysis that this is, where its number of items was missed" },
    ...SAVED_READING,
    ...READ,
  },
} as const satisfies QuestionSpec;
