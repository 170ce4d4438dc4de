/** Which column people gave, and which are metrics to hold against it: by the file that a column came from, by its name, by what is computed. */

import type { Imported } from "../../data/imported.ts";
import type { Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import { isAutomatic, isRatingName } from "../../study/lexicon/metrics.ts";
import { isNoOpinion, isOfModel } from "../../study/lexicon/others.ts";
import { isPeoplesColumn, isPeoplesFile } from "../../study/lexicon/people.ts";

export interface HumanColumns {
  readonly human: string;
  readonly metrics: readonly string[];
  /** Why this column is taken for people's. */
  readonly reason: string;
  /** Other columns that people gave, which are no metrics. */
  readonly others: readonly string[];
}

/** Undefined where nothing tells. */
export function findHumanScore(imported: Imported): HumanColumns | undefined {
  const { table, roles } = imported;
  const taken = [roles.item, roles.system, roles.cluster, roles.rater, roles.repeat, roles.task];
  const numeric = [...table.columns]
    .filter(
      ([name, cells]) =>
        cells.kind === "numeric" &&
        !taken.includes(name) &&
        !roles.identifiers.includes(name) &&
        cells.values.some((value) => !Number.isNaN(value)),
    )
    .map(([name]) => name);
  const scores = numeric.filter((name) => roles.metrics.includes(name) || isAutomatic(name) || isPeoplesColumn(name));
  return byFile(imported, scores, numeric) ?? byName(scores, imported.decisions === undefined);
}

function byFile(
  { joined, roles }: Imported,
  scores: readonly string[],
  numeric: readonly string[],
): HumanColumns | undefined {
  if (joined === undefined) return undefined;
  const named = joined.parts.filter(({ file }) => isPeoplesFile(file));
  const rated = joined.parts.filter(({ columns }) => roles.rater !== undefined && columns.includes(roles.rater));
  const computed = joined.parts.filter(({ columns }) => columns.some(isAutomatic));
  const rest = joined.parts.filter((part) => !computed.includes(part));
  const [own, reason]: readonly [(typeof joined.parts)[number] | undefined, string] =
    named.length === 1
      ? [named[0], "its file is called so"]
      : rated.length === 1
        ? [rated[0], "its file names raters"]
        : [computed.length > 0 && rest.length === 1 ? rest[0] : undefined, "the other file holds computed measures"];
  if (own === undefined) return undefined;
  const theirs = scores.filter((name) => own.columns.includes(name) && !isAutomatic(name));
  const human = theirs.find((name) => isPeoplesColumn(name)) ?? theirs[0];
  const metrics = numeric.filter(
    (name) => !own.columns.includes(name) && !joined.by.includes(name) && (scores.includes(name) || !isNoOpinion(name)),
  );
  if (human === undefined || metrics.length === 0) return undefined;
  return { human, metrics, reason, others: theirs.filter((name) => name !== human) };
}

/** A format's own columns are parts of one judgment unless they are computed. */
function byName(scores: readonly string[], ofFormat: boolean): HumanColumns | undefined {
  const computed = scores.filter(isAutomatic);
  const people = scores.filter((name) => !isAutomatic(name) && isPeoplesColumn(name));
  // a rating beside measures that programs compute, unless a model gave it
  const rated = scores.filter((name) => isRatingName(name) && !isAutomatic(name) && !isOfModel(name));
  const [human, ...others] = people.length > 0 || computed.length < 2 ? people : rated;
  if (human === undefined) return undefined;
  const reason = people.length > 0 ? "its name says so" : "a rating beside computed measures";
  const rest = ofFormat ? [] : scores.filter((name) => name !== human && !others.includes(name));
  const metrics = computed.length > 0 ? computed : rest;
  return metrics.length === 0 ? undefined : { human, metrics, reason, others };
}

/** The columns as named, the rest by evidence; refused where that does not tell. */
export function chooseHumanColumns(
  imported: Imported,
  given: { readonly human?: string | undefined; readonly metrics?: readonly string[] | undefined },
): Omit<HumanColumns, "reason"> & { readonly reason?: string } {
  const { table, roles } = imported;
  const found = findHumanScore(imported);
  const human = given.human ?? found?.human;
  if (human === undefined) {
    throw new StatError(
      "NoHumanScore",
      `the human score is not identified (columns of numbers: ${listNames(numbersOf(table), 6)}).`,
      "Name it with option `human`, and the metrics with `metrics`.",
    );
  }
  const same = found?.human === human;
  const usual = same ? found.metrics : [...new Set([...(found?.metrics ?? []), ...roles.metrics])];
  const metrics = given.metrics ?? usual.filter((name) => name !== human);
  if (metrics.length === 0)
    throw new StatError(
      "NoMetric",
      `Gosset found no metric to compare with ${human}.`,
      "Name them with option `metrics`.",
    );
  const rest = same && given.metrics === undefined ? found.others : [];
  return { human, metrics, others: rest, ...(given.human === undefined ? { reason: found!.reason } : {}) };
}

const numbersOf = (table: Table): string[] =>
  [...table.columns].filter(([, cells]) => cells.kind === "numeric").map(([name]) => name);
