/** Lists as raters filled them: joined with the key where the systems were hidden, attention checks judged and taken out, raters left out as the
 *  plan says; what differs from the lists is a deviation.
 *  Oracle: lists that were filled by simulated raters (study.test.ts). */
import { asFactor, asNumeric, column, factorColumn, makeTable, numericColumn, type Table } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";
import type { EvaluationPlan } from "./plan.ts";

export interface FilledLists {
  /** item, system, the plan's rater and metric: one row a rating. */
  readonly table: Table;
  readonly deviations: readonly string[];
  /** What was done as planned. */
  readonly notes: readonly string[];
}

interface Row {
  readonly id: string;
  readonly rater: string;
  readonly item: string;
  readonly system: string;
  /** NaN for a text. */
  readonly check: number;
  readonly rating: number;
}

const MOST_NAMED = 5;

/** `key`: the lists as `listRatings` made them, where the filled ones do not name item and system. */
export function readFilled(plan: EvaluationPlan, filled: Table, key?: Table): FilledLists {
  const all = key === undefined ? rowsOf(plan, filled, filled) : rowsOf(plan, key, filled);
  const isCheck = ({ check, system }: Row): boolean => !Number.isNaN(check) || system === "";
  const failed = new Map<string, number>();
  for (const { rater, check, rating } of all.filter(isCheck))
    if (rating !== check) failed.set(rater, (failed.get(rater) ?? 0) + 1);
  const { exclude, raters } = plan.ratings!;
  const out = new Set([...failed].filter(([, n]) => exclude !== undefined && n >= exclude).map(([rater]) => rater));
  const texts = all.filter((row) => !isCheck(row));
  const kept = texts.filter(({ rater, rating }) => !out.has(rater) && !Number.isNaN(rating));
  const empty = texts.filter(({ rating }) => Number.isNaN(rating));
  const seen = new Set(texts.map(({ rater }) => rater));
  if (kept.length === 0)
    throw new StatError("NoRatings", `the lists have no rating in ${plan.metric}.`, "Fill in the lists, then compare.");
  const few = ratingsPerText(kept, plan);
  const table = makeTable([
    ["item", factorColumn(kept.map(({ item }) => item))],
    ["system", factorColumn(kept.map(({ system }) => system))],
    [plan.rater!, factorColumn(kept.map(({ rater }) => rater))],
    [plan.metric, numericColumn(Float64Array.from(kept, ({ rating }) => rating))],
  ]);
  return {
    table,
    deviations: [
      ...(seen.size === raters ? [] : [`${seen.size} raters, planned were ${raters}`]),
      ...(empty.length === 0
        ? []
        : [
            `${empty.length} of ${texts.length} texts have no rating (${listNames([...new Set(empty.map(({ rater }) => rater))], MOST_NAMED)})`,
          ]),
      ...(few === undefined ? [] : [few]),
      ...(failed.size > 0 && exclude === undefined
        ? [`${listNames([...failed.keys()], MOST_NAMED)} failed attention checks, and the plan leaves nobody out`]
        : []),
      ...unknownRows(filled, key),
    ],
    notes:
      out.size === 0
        ? []
        : [
            `${listNames([...out], MOST_NAMED)} failed ${exclude === 1 ? "an attention check" : `${exclude} or more attention checks`} and ${out.size === 1 ? "is" : "are"} left out, as planned`,
          ],
  };
}

/** Of texts with another number of ratings than planned; left-out raters and empty cells are said by themselves. */
function ratingsPerText(kept: readonly Row[], { ratings, items, systems }: EvaluationPlan): string | undefined {
  const counts = new Map<string, number>();
  for (const { item, system } of kept) {
    const text = `${item}\n${system}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const over = [...counts.values()].filter((n) => n > ratings!.perItem).length;
  if (over > 0) return `${over} texts have more ratings than the ${ratings!.perItem} that were planned`;
  const missing = items * systems.length - counts.size;
  return missing > 0 ? `${missing} of ${items * systems.length} planned texts have no rating` : undefined;
}

const textsOf = (table: Table, name: string): string[] => {
  const { codes, levels } = asFactor(column(table, name));
  return Array.from(codes, (code) => (code < 0 ? "" : levels[code]!));
};

/** Rows of the key with the rating of the same id; without a key the filled lists are their own. */
function rowsOf(plan: EvaluationPlan, key: Table, filled: Table): Row[] {
  const rater = plan.rater!;
  const named = key.columns.has(rater) ? rater : "rater";
  for (const [name, table] of [
    ["item", key],
    ["system", key],
    [named, key],
    [plan.metric, filled],
  ] as const)
    if (!table.columns.has(name))
      throw new StatError(
        "UnknownColumn",
        `the lists have no column "${name}" (they have ${[...table.columns.keys()].join(", ")}).`,
        name === "system" || name === "item"
          ? "Name the lists that `plan schedule` wrote: --key lists.csv."
          : "Name the columns as the plan does.",
      );
  const ratings = asNumeric(column(filled, plan.metric), plan.metric).values;
  const [raters, items, systems] = [named, "item", "system"].map((name) => textsOf(key, name)) as [
    string[],
    string[],
    string[],
  ];
  const checks = key.columns.has("check") ? asNumeric(column(key, "check"), "check").values : undefined;
  const ids = key.columns.has("id") ? textsOf(key, "id") : raters.map((_, k) => String(k));
  if (key !== filled && !(key.columns.has("id") && filled.columns.has("id")))
    throw new StatError(
      "UnknownColumn",
      "the filled lists and their key are joined by the column id.",
      "Keep it in both.",
    );
  const own = key === filled ? undefined : new Map(textsOf(filled, "id").map((id, k) => [id, ratings[k]!]));
  return ids.map((id, k) => ({
    ...{ id, rater: raters[k]!, item: items[k]!, system: systems[k]! },
    check: checks?.[k] ?? Number.NaN,
    rating: own === undefined ? ratings[k]! : (own.get(id) ?? Number.NaN),
  }));
}

function unknownRows(filled: Table, key: Table | undefined): string[] {
  if (key === undefined) return [];
  const known = new Set(textsOf(key, "id"));
  const others = textsOf(filled, "id").filter((id) => !known.has(id));
  return others.length === 0 ? [] : [`${others.length} rows are not of the lists (${listNames(others, MOST_NAMED)})`];
}
