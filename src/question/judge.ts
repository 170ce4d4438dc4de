/** What would people have said? The options of `gosset judge` and its commands. */
import { COMPARE } from "./compare.ts";
import type { OptionTable, QuestionSpec } from "./option.ts";
import { AUDIT_MARGIN, CHOSEN_ROWS, CONFIDENCE, DATA, DRAWN, READ, ROLES, SHOW, TEST } from "./rows.ts";

const { item, system, cluster, systems, higherIsBetter } = ROLES;

const ROWS = { ...CHOSEN_ROWS, ...READ } as const satisfies OptionTable;

/** What the judge and people said. */
const JUDGED = {
  judge: {
    takes: "list",
    value: "cols",
    help: "column of the judge's scores (default: a column named judge, llm_judge, grader …); several judges: a,b",
    group: DATA,
  },
  human: {
    takes: "list",
    value: "cols",
    help: "column of people's labels (default: human, gold, label, expert …); several raters: a,b",
    group: DATA,
  },
  ...{ item, system, cluster },
  rater: { takes: "text", value: "col", help: "in a file of labels: who gave each of them", group: DATA },
  pass: { takes: "text", value: "label", help: "the label that counts as 1, where labels are words", group: DATA },
} as const satisfies OptionTable;

const LABELS = {
  key: {
    takes: "text",
    value: "file",
    help: "the key that judge sample wrote, where --labels is its sheet",
    ...{ group: DATA, needs: ["labels"] },
  },
  labels: {
    takes: "text",
    value: "file",
    help: "people's labels in a file of their own, joined on item and system",
    group: DATA,
  },
} as const satisfies OptionTable;

const DETAILS = {
  details: { takes: "switch", help: "also every note, and what to do about each warning", group: SHOW },
} as const satisfies OptionTable;

export const JUDGE_CORRECT = {
  name: "judge correct",
  options: {
    ...JUDGED,
    ...DRAWN,
    systems: { ...systems, help: "which systems, in their order (default: all)" },
    higherIsBetter: { ...higherIsBetter, default: "higher" },
    ...AUDIT_MARGIN,
    carry: {
      takes: "text",
      value: "of",
      help: "of systems without labels: carry over the judge's sensitivity and specificity, of a labeled system (base) or as counts (180/200,140/200); assumes that the judge errs alike",
      group: TEST,
    },
    ...CONFIDENCE,
  },
  script: ["labels"],
  command: { ...LABELS, ...ROWS, ...DETAILS },
} as const satisfies QuestionSpec;

export const JUDGE_CHECK = {
  name: "judge check",
  options: {
    ...JUDGED,
    ...DRAWN,
    by: {
      takes: "list",
      value: "cols",
      help: "columns whose levels the judge may favor: position, length, topic",
      group: TEST,
    },
    order: {
      takes: "text",
      value: "col",
      help: "column of two levels: the order in which the judge saw an output, of outputs judged in both (default: order, position, swapped)",
      group: TEST,
    },
    epsilon: {
      takes: "number",
      least: 0,
      most: 1,
      value: "eps",
      help: "what labels of a person cost more than the judge's, of the alternative annotator test: .2 experts, .15 skilled, .1 crowd",
      ...{ default: "0.2", group: TEST },
    },
    replicates: {
      takes: "count",
      value: "n",
      help: "bootstrap replicates for the intervals of α and κ",
      ...{ default: "500", group: TEST },
    },
    ...CONFIDENCE,
  },
  script: ["labels", "rng"],
  command: { ...LABELS, ...ROWS, ...DETAILS },
} as const satisfies QuestionSpec;

export const JUDGE_SAMPLE = {
  name: "judge sample",
  options: {
    n: {
      takes: "count",
      value: "n",
      help: "items to draw, each with the outputs of all systems; outputs where there is one system",
      ...{ group: TEST, required: true },
    },
    by: {
      takes: "list",
      value: "cols",
      help: "strata: levels of these columns; judge for the judge's verdict",
      group: TEST,
    },
    doubt: {
      takes: "text",
      value: "col",
      help: "draw in proportion to this column of positive numbers",
      ...{ group: TEST, unless: ["by"] },
    },
    show: { takes: "list", value: "cols", help: "columns that the labelers are to see", group: SHOW },
    ...{ judge: JUDGED.judge, pass: JUDGED.pass, item, system },
  },
  script: ["cluster", "rng"],
  command: {
    sheet: { takes: "text", value: "file", help: "write the lines to label here (CSV)", group: SHOW },
    key: {
      takes: "text",
      value: "file",
      help: "write what each line is, and its probability, here (CSV)",
      group: SHOW,
    },
    ...ROWS,
  },
} as const satisfies QuestionSpec;

const rate = (help: string) =>
  ({ takes: "number", least: 0, most: 1, value: "p", help, group: TEST, required: true }) as const;

export const JUDGE_PLAN = {
  name: "judge plan",
  options: {
    passRate: rate("share that people pass, as far as you know it"),
    sensitivity: rate("of what people pass, the share that the judge passes"),
    specificity: rate("of what people fail, the share that the judge fails"),
    halfWidth: {
      takes: "positive",
      value: "w",
      help: "half the width of the interval: 0.05 for ± 5 points",
      ...{ group: TEST, required: true },
    },
    labelCost: { takes: "positive", value: "price", help: "of one label", ...{ default: "1", group: TEST } },
    judgmentCost: {
      takes: "number",
      least: 0,
      value: "price",
      help: "of one judgment",
      ...{ default: "0.01", group: TEST },
    },
    outputs: {
      takes: "count",
      value: "n",
      help: "outputs that there are to judge (default: as many as wanted)",
      group: TEST,
    },
    assurance: {
      takes: "fraction",
      value: "p",
      help: "share of draws in which the interval is narrow enough",
      ...{ default: "0.8", group: TEST },
    },
    ...CONFIDENCE,
  },
  script: ["rng"],
} as const satisfies QuestionSpec;

export const JUDGE_NEXT = {
  name: "judge next",
  options: {
    ...JUDGED,
    systems: { ...systems, help: "the two systems, the baseline first" },
    alpha: COMPARE.options.alpha,
    range: {
      takes: "numbers",
      value: "low,high",
      help: "ends of the scores, where they are not 0 and 1",
      fault: (text: string) => {
        const [low = Number.NaN, high = Number.NaN, ...more] = text.split(",").map(Number);
        return low < high && more.length === 0
          ? undefined
          : (["not two rising numbers", "Write --range 1,5."] as const);
      },
      group: DATA,
    },
    higherIsBetter: { ...higherIsBetter, default: "higher" },
  },
  script: ["labels"],
  command: { ...LABELS, ...ROWS },
} as const satisfies QuestionSpec;

export const JUDGE_AUDIT = {
  name: "judge audit",
  options: {
    ...JUDGED,
    by: { takes: "text", value: "col", help: "column whose levels are the groups (default: the systems)", group: DATA },
    from: {
      takes: "text",
      value: "level",
      help: "the group that the calibration is of",
      ...{ group: DATA, required: true },
    },
    margin: {
      takes: "positive",
      value: "d",
      help: "mean residual that is small enough, in units of the labels",
      ...{ group: TEST, required: true },
    },
    alpha: { ...COMPARE.options.alpha, help: "of each of the two one-sided tests" },
  },
  script: ["labels"],
  command: { ...LABELS, ...ROWS },
} as const satisfies QuestionSpec;
