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
    why: {
      takes: "switch",
      help: "also print why each column has its role: the format, its name, the files, or your answer",
    },
    save: {
      takes: "text",
      value: "file",
      help: "write the roles of the columns as YAML, for --reading; Gosset reads a gosset.yaml next to the data automatically",
    },
    ...CHOSEN_ROWS,
    ...READ,
  } as const satisfies OptionTable,
} as const satisfies QuestionSpec;
