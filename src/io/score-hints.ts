/** Why a column that a person would call the score was not recognised as one, and what makes it usable. */
import type { Table } from "../data/table.ts";
import type { Diagnostic } from "../result/result.ts";
import { type ColumnProfile, listValues, profileTable } from "./column-profile.ts";
import type { Roles } from "./imported.ts";
import { quoteFormula, quoteName } from "./quote.ts";
import { SCORE_NAMES, splitWords } from "./role-names.ts";

const PERCENT = /^\s*[+-]?\d+([.,]\d+)?\s*%\s*$/;
const VERDICT = /^(pass(ed)?|fail(ed)?|correct|incorrect|right|wrong|yes|no|true|false|accept(ed)?|reject(ed)?)$/i;
/** Of the levels, so many must be verdicts before the column passes for one. */
const MIN_VERDICTS = 2;
const MAX_VERDICTS = 8;

/** One note for a table without scores. */
export function explainNoScore(table: Table, roles: Roles): Diagnostic {
  const taken = new Set(
    [roles.system, roles.item, roles.rater, roles.cluster, roles.task, roles.repeat, roles.metric].filter(
      (name) => name !== undefined,
    ),
  );
  const texts = profileTable(table).filter(({ column, name }) => column.kind === "factor" && !taken.has(name));
  const hint = texts.map(explainPercent).find(Boolean) ?? texts.map(explainVerdict).find(Boolean);
  const { why, fix } = hint ??
    texts.map(explainName).find(Boolean) ?? {
      why: "",
      fix: "Name it in the formula or the options of the command; every column can be used there.",
    };
  return {
    code: "NoScoreFound",
    severity: "note",
    message: `no column was recognised as a score${why === "" ? "" : `: ${why}`}.`,
    fix,
  };
}

interface Hint {
  readonly why: string;
  readonly fix: string;
}

function explainPercent(profile: ColumnProfile): Hint | undefined {
  const [first] = profile.examples;
  if (first === undefined || !listValues(profile.column).every((level) => PERCENT.test(level))) return undefined;
  return {
    why: `${profile.name} holds text such as "${first.trim()}"`,
    fix: "Write plain numbers without the percent sign in the file.",
  };
}

function explainVerdict(profile: ColumnProfile): Hint | undefined {
  const levels = profile.distinct > MAX_VERDICTS ? [] : listValues(profile.column);
  const verdicts = levels.filter((level) => VERDICT.test(level.trim()));
  if (verdicts.length < MIN_VERDICTS) return undefined;
  const good = verdicts.find((level) => /^(pass|correct|right|yes|true|accept)/i.test(level.trim())) ?? verdicts[0]!;
  const column = quoteName(profile.name);
  return {
    why: `${profile.name} holds verdicts as text (${profile.examples.join(", ")})`,
    fix: `Make numbers of them: --mutate ${quoteFormula(`score = ${column} == '${good}'`)}.`,
  };
}

function explainName(profile: ColumnProfile): Hint | undefined {
  const words = splitWords(profile.name);
  const named = SCORE_NAMES.includes(words.join("_")) || SCORE_NAMES.includes(words.at(-1) ?? "");
  if (!named || profile.distinct === 0) return undefined;
  return {
    why: `${profile.name} holds text (${profile.examples.join(", ")})`,
    fix: "Write numbers in the file, or fit an ordered model to its levels.",
  };
}
