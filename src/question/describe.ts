/** What is in this file? The options of `describe`. */
import type { OptionTable, QuestionSpec } from "./option.ts";
import { CHOSEN_ROWS, READ, ROLES, SAVED_READING } from "./rows.ts";

export const DESCRIBE = {
  name: "describe",
  options: {
    ...ROLES,
    systems: { ...ROLES.systems, value: "a,b,c", help: "a wide table: one column of scores for each system" },
  },
  command: {
    ...SAVED_READING,
    why: { takes: "switch", help: "also what decided each role: the format, a plain name, the files, or you" },
    save: {
      takes: "text",
      value: "file",
      help: "write what the columns are as YAML, for --reading; gosset.yaml beside the data is read by itself",
    },
    ...CHOSEN_ROWS,
    ...READ,
  } as const satisfies OptionTable,
} as const satisfies QuestionSpec;
