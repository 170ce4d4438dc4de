/** Would we get the same result again? The options of `agreement`, `reliability`, `importance` and `budget`. */
import type { OptionTable, QuestionSpec } from "./option.ts";
import { CHOSEN_ROWS, CONFIDENCE, DATA, JOURNAL, ORDERED, READ, ROLES, SAVED_READING, SHOW, TEST } from "./rows.ts";

const { system, item, score, metric, rater, run, task, cluster, gold, files, higherIsBetter } = ROLES;
const { raters, counts, stubs, lists } = ROLES;

/** How files are read, which rows count, and what their labels are. */
const RATINGS = { ...SAVED_READING, ...CHOSEN_ROWS, ...ORDERED, ...READ } as const satisfies OptionTable;

/** One column for each rater, or for each label, says who and what. */
const COLUMNS_SAY = ["raters", "counts"];

export const AGREEMENT = {
  name: "agreement",
  kinds: { coefficients: "coefficients of agreement", model: "the model of labels" },
  options: {
    item,
    rater: { ...rater, unless: COLUMNS_SAY },
    label: {
      takes: "text",
      value: "col",
      help: "what the raters gave, a text or a number (as --score)",
      ...{ group: DATA, unless: COLUMNS_SAY },
    },
    cluster: { ...cluster, not: ["model"] },
    categories: { takes: "list", loose: true, value: "a,b,c", help: "all labels, in order", group: DATA },
    scale: {
      takes: "choice",
      choices: ["nominal", "ordinal", "interval", "ratio"],
      value: "scale",
      help: "of the labels, for α",
      ...{ group: TEST, not: ["model"] },
    },
    certainty: {
      takes: "fraction",
      value: "p",
      help: "dawid-skene: items below this probability are to be asked again",
      ...{ default: "0.9", group: TEST, of: ["model"] },
    },
    replicates: {
      takes: "count",
      least: 0,
      value: "n",
      help: "bootstrap replicates for the intervals; 0: none",
      ...{ default: "1000", group: TEST },
    },
    ...CONFIDENCE,
  },
  command: {
    system,
    score: { ...score, unless: [...COLUMNS_SAY, "label"] },
    ...{ metric, raters, counts, stubs, lists, gold: { ...gold, of: undefined }, files },
    model: {
      takes: "choice",
      choices: ["dawid-skene"],
      value: "model",
      help: "dawid-skene: true classes, raters' confusions, a consensus label for each item",
      group: TEST,
    },
    weighting: {
      takes: "text",
      value: "kind",
      help: "of κ and AC2: none, linear, quadratic, or rows such as 1,.5,0;.5,1,.5;0,.5,1",
      ...{ default: "none", group: TEST, not: ["model"] },
    },
    details: {
      takes: "switch",
      help: "also every coefficient, label and rater, and which labels meet",
      ...{ group: SHOW, not: ["model"] },
    },
    ...RATINGS,
    ordered: { ...ORDERED.ordered, unless: ["categories"] },
  },
} as const satisfies QuestionSpec;

const COMPONENTS = {
  interactions: {
    takes: "some",
    value: "which",
    help: "all (default with this flag), none, or a list such as item:rater",
    group: TEST,
  },
  intervals: {
    takes: "choice",
    choices: ["generalised", "bootstrap", "none"],
    value: "kind",
    help: "default: generalised for complete balanced data, else bootstrap",
    group: TEST,
  },
  replicates: {
    takes: "count",
    value: "n",
    help: "draws for the intervals (default: 10000 generalised, 500 bootstrap)",
    group: TEST,
  },
  ...CONFIDENCE,
} as const satisfies OptionTable;

export const RELIABILITY = {
  name: "reliability",
  options: {
    score,
    object: {
      takes: "text",
      value: "col",
      help: "what is measured: item, sentence (default: the file's items)",
      group: DATA,
    },
    facets: {
      takes: "list",
      value: "a,b",
      help: "what varies beside it: raters, repeats, seeds, prompts, settings",
      ...{ group: DATA, unless: ["columns"] },
    },
    by: {
      takes: "text",
      value: "property",
      help: "also within each class of this column (numbers are cut into three)",
      group: TEST,
    },
    model: {
      takes: "choice",
      choices: ["lmm", "glmm", "clmm"],
      value: "model",
      help: "lmm for numbers, glmm for right/wrong, clmm for ordered ratings",
      group: TEST,
    },
    numbers: {
      takes: "map",
      each: "numbers",
      flag: "--n",
      value: "facet=1-12",
      help: "numbers to try: rater=1-12, or rater=1,2,5",
      group: TEST,
    },
    target: { takes: "fraction", value: "phi", help: "find the cheapest design that reaches this φ", group: TEST },
    ...COMPONENTS,
  },
  command: {
    ...{ system, item, metric, rater, raters, run, files },
    columns: {
      takes: "list",
      value: "a,b,c",
      help: "a wide table: one column of scores per rater, item of a scale or run",
      ...{ group: DATA, unless: ["score"] },
    },
    cost: {
      takes: "map",
      each: "amount",
      value: "facet=price",
      help: "price of a level of a facet, and of one score: rater=20,score=0.5",
      ...{ group: TEST, needs: ["target"] },
    },
    objects: {
      takes: "count",
      value: "n",
      help: "objects that will be scored, for the price (default: as many as now)",
      ...{ group: TEST, needs: ["target"] },
    },
    ...JOURNAL,
    ...RATINGS,
  },
} as const satisfies QuestionSpec;

export const IMPORTANCE = {
  name: "importance",
  options: {
    score,
    parameters: {
      takes: "list",
      value: "a,b",
      help: "the settings (default: those that the file names)",
      group: DATA,
    },
    object: { takes: "text", value: "col", help: "items scored one by one, if there are any", group: DATA },
    by: {
      takes: "text",
      value: "property",
      help: "how the effect of each setting depends on this property of the data",
      group: TEST,
    },
    budget: {
      takes: "text",
      value: "col",
      help: "training budgets (epochs, data): the shares within each of them",
      group: TEST,
    },
    ...COMPONENTS,
    interactions: {
      ...COMPONENTS.interactions,
      help: "all (default with this flag), none, or a list such as lr:batch",
    },
  },
  command: { ...{ system, item, metric, run, task }, ...JOURNAL, ...RATINGS },
} as const satisfies QuestionSpec;

export const BUDGET = {
  name: "budget",
  options: {
    score,
    system: { ...system, help: "compare the searches of several systems" },
    configuration: {
      takes: "list",
      value: "a,b",
      help: "columns that make a configuration; its rows are averaged first",
      group: DATA,
    },
    replicates: {
      takes: "count",
      value: "n",
      help: "bootstrap replicates for the interval of the expectation",
      ...{ default: "1000", group: TEST },
    },
    ...CONFIDENCE,
  },
  command: {
    ...{ metric, higherIsBetter },
    budgets: {
      takes: "numbers",
      value: "1,2,5,10",
      help: "budgets to show (default: up to the number of configurations)",
      fault: (text) =>
        isRising(text.split(",").map(Number))
          ? undefined
          : ["not whole numbers in rising order", "Write --budgets 1,5,10."],
      group: SHOW,
    },
    ...RATINGS,
  },
} as const satisfies QuestionSpec;

const isRising = (numbers: readonly number[]): boolean =>
  numbers.every((own, i) => Number.isInteger(own) && own > (numbers[i - 1] ?? 0));
