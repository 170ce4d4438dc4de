/** What would people have said? The options of `gosset judge` and its commands. */
import type { OptionTable, QuestionSpec } from "./option.ts";
import { CHOSEN_ROWS, CONFIDENCE, DATA, READ, ROLES } from "./rows.ts";

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

const isDraw = (text: string): boolean => /^(random|unknown|(strata|weights):.+)$/.test(text);

const DRAWN = {
  drawn: {
    takes: "text",
    value: "how",
    help: "how the labeled outputs were drawn: random, strata:column, weights:column (the probabilities) or unknown",
    fault: (text: string) =>
      isDraw(text)
        ? undefined
        : (["no way of drawing labels", "Write random, strata:COLUMN, weights:COLUMN or unknown."] as const),
    ...{ default: "unknown", group: DATA },
  },
} as const satisfies OptionTable;

const LABELS = {
  labels: {
    takes: "text",
    value: "file",
    help: "people's labels in a file of their own, joined on item and system",
    group: DATA,
  },
} as const satisfies OptionTable;

export const JUDGE_CORRECT = {
  name: "judge correct",
  options: {
    ...JUDGED,
    ...DRAWN,
    systems: { ...systems, help: "which systems, in their order (default: all)" },
    higherIsBetter: { ...higherIsBetter, default: "higher" },
    ...CONFIDENCE,
  },
  script: ["labels"],
  command: { ...LABELS, ...ROWS },
} as const satisfies QuestionSpec;
