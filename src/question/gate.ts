/** May this change go out? The options of `gate`, `gate check` and `gate aa`. */
import { COMPARE } from "./compare.ts";
import type { OptionTable, QuestionSpec } from "./option.ts";
import { CHOSEN_ROWS, DATA, LABELED, READ, ROLES, SAVED_READING, SHOW, TEST, TOLD } from "./rows.ts";

/** A policy says these. */
const POLICY = ["policy"];
/** They are not judged: two runs of one system are only measured, a check counts inconclusive gates as such. */
const NOISE = ["noise"];
const JUDGED = ["noise", "check"];

const isMargin = (text: string): boolean =>
  /^(\d+(\.\d*)?|\.\d+)(e-?\d+)?( ?%)?$/i.test(text.trim()) && Number.isFinite(Number.parseFloat(text));

const options = {
  ...{ system: ROLES.system, item: ROLES.item, score: ROLES.score, metric: ROLES.metric },
  systems: {
    ...ROLES.systems,
    help: "of a file with several systems those to judge, the baseline's and the candidate's",
  },
  ...{ rater: ROLES.rater, run: ROLES.run, cluster: ROLES.cluster, task: ROLES.task },
  ...{ higherIsBetter: { ...ROLES.higherIsBetter, not: NOISE }, metricColumn: TOLD.metricColumn },
  ...CHOSEN_ROWS,
  time: { ...COMPARE.options.time, not: JUDGED },
} as const satisfies OptionTable;

const command = {
  labels: { ...LABELED.labels, not: JUDGED },
  drawn: { ...LABELED.drawn, not: JUDGED },
  auditMargin: { ...LABELED.auditMargin, not: JUDGED },
  baseline: {
    takes: "texts",
    value: "file",
    help: "log of the baseline, a name in the policy, or a system of the candidate's files (repeat: runs are pooled)",
    ...{ group: DATA, not: NOISE },
  },
  policy: {
    takes: "text",
    value: "file",
    help: "YAML or JSON: margins, tiers, required tasks, error rate (gosset schema gate-policy)",
    ...{ group: TEST, not: NOISE },
  },
  margin: {
    takes: "text",
    fault: (text) =>
      isMargin(text)
        ? undefined
        : ["neither a number from 0 nor a percentage such as 5%", "Write for example --margin 0.02."],
    value: "x",
    help: "without a policy: the largest loss that does not matter, 0.02 or 5% of the baseline's score",
    ...{ group: TEST, not: NOISE, unless: POLICY },
  },
  floor: {
    takes: "number",
    value: "x",
    help: "without a policy: the score that the candidate itself must reach, such as 0.7; needs no baseline",
    ...{ group: TEST, not: JUDGED, unless: POLICY },
  },
  alpha: {
    ...COMPARE.options.alpha,
    help: "without a policy: error rate of the whole gate",
    ...{ not: NOISE, unless: POLICY },
  },
  by: {
    takes: "text",
    value: "column",
    help: "judge the levels of this column one by one (default: the tasks)",
    group: TEST,
  },
  inconclusive: {
    takes: "choice",
    choices: ["fail", "pass", "warn"],
    value: "how",
    help: "what an inconclusive gate does: fail (exit 1), pass or warn (exit 0); default: exit 3. Bad setups stay exit 2",
    ...{ group: SHOW, not: JUDGED },
  },
  details: {
    takes: "switch",
    help: "also n, tiers, p-values and every note",
    ...{ group: SHOW, not: JUDGED },
  },
  comment: {
    takes: "text",
    value: "file",
    help: "also write Markdown for a pull-request comment or $GITHUB_STEP_SUMMARY",
    ...{ group: SHOW, not: JUDGED },
  },
  junit: {
    takes: "text",
    value: "file",
    help: "also write JUnit XML: a test case a task, inconclusive ones skipped with their reason",
    ...{ group: SHOW, not: JUDGED },
  },
  ...SAVED_READING,
  ...READ,
} as const satisfies OptionTable;

export const GATE = {
  name: "gate",
  kinds: {
    noise: "two runs of one system, which are only measured",
    check: "a check, which counts inconclusive gates as such",
  },
  options,
  command,
  script: ["by", "policy", "people", "inconclusive", "replicates", "items", "repeats", "rng", "onProgress"],
} as const satisfies QuestionSpec;

/** Of `gate check`, next to those of the gate. */
export const GATE_CHECK = {
  replicates: { takes: "count", value: "n", help: "runs of the gate", default: "1000", group: TEST },
  items: { takes: "count", value: "n", help: "items of each task (default: as many as the pilot has)", group: TEST },
  repeats: { takes: "count", value: "n", help: "runs of each item and side (default: as in the pilot)", group: TEST },
} as const satisfies OptionTable;
