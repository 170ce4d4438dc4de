/** Who ranks where? The options of `rank`. */
import { COMPARE } from "./compare.ts";
import type { OptionTable, QuestionSpec } from "./option.ts";
import { CHOSEN_ROWS, CONFIDENCE, READ, ROLES, SAVED_READING, SHOW, TEST, TOLD } from "./rows.ts";

const { score, gold: _gold, ...roles } = ROLES;

const options = {
  score,
  ...roles,
  metric: { ...ROLES.metric, help: "the score to rank by" },
  systems: { ...ROLES.systems, help: `${ROLES.systems.help} (default: all)` },
  byRow: TOLD.byRow,
  metricColumn: TOLD.metricColumn,
  ...CHOSEN_ROWS,
  top: {
    takes: "count",
    value: "k",
    help: "which systems may be among the k best",
    ...{ default: "1", group: TEST },
    page: { label: "Among the best", none: "1", min: 1, step: 1 },
  },
  oddItems: {
    takes: "switch",
    help: "also items on which all systems score alike, and items on which better systems do worse (permutation test)",
    ...{ group: SHOW, of: ["items"] },
  },
  ties: {
    takes: "choice",
    choices: ["half", "davidson", "rao-kupper"],
    value: "model",
    help: "votes: the model of ties (default: davidson); half counts a tie as half a win for each side",
    ...{ group: TEST, of: ["votes"] },
    page: {
      label: "Ties",
      none: "Davidson's model",
      words: { "rao-kupper": "Rao and Kupper's model", half: "half a win for each" },
    },
  },
  order: {
    takes: "choice",
    choices: ["fit", "none"],
    value: "how",
    help: "votes: fit an advantage of the side that is shown first (default, where pairs were shown both ways), or none",
    ...{ group: TEST, of: ["votes"] },
    page: { label: "Side shown first", none: "its advantage is fitted", words: { none: "no advantage" } },
  },
  confidence: {
    ...CONFIDENCE.confidence,
    page: { label: "Confidence", none: "0.95", min: 0.5, max: 0.999, step: 0.01 },
  },
  replicates: {
    takes: "count",
    least: 100,
    value: "n",
    help: "draws, or flips of signs, for the joint distribution (default: 10000)",
    ...{ group: TEST, rare: true },
  },
} as const satisfies OptionTable;

export const RANK = {
  name: "rank",
  kinds: { items: "scores of items", totals: "totals, which have no items", votes: "votes between two systems" },
  options,
  command: {
    ...{ a: COMPARE.command.a, b: COMPARE.command.b, winner: COMPARE.command.winner },
    ...SAVED_READING,
    ...READ,
    details: { takes: "switch", help: "also every pair of neighbors, missing items and every note", group: SHOW },
    certify: {
      takes: "text",
      value: "file.zip",
      help: "also write the data, the command and the ranking to a zip that gosset verify recomputes, and its page next to it",
      group: SHOW,
      fault: (text) => (/[^/\\]\.zip$/i.test(text) ? undefined : ["not a zip", "Let its name end in .zip."]),
    },
  },
} as const satisfies QuestionSpec;
