/** `gosset score <files...> [--ref file]... --metric m` */
import { type ScoreOptions, score } from "../../index.ts";
import { NORMALISATIONS, type ScoreResult } from "../../metrics.ts";
import {
  allOptions,
  doesNothing,
  type OptionsOf,
  parseOptions,
  refuseAlone,
  refuseUnused,
  SCORE,
  SCORE_METRIC,
  SCORE_ROWS,
} from "../../questions.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";
import { scoreLines } from "./lines.ts";

export type Asked = OptionsOf<typeof SCORE.command>;

export async function run(context: Context<DataOptions>, paths: readonly string[]): Promise<void> {
  const given = parseOptions(SCORE.options, context.options);
  const asked = parseOptions(SCORE.command, context.options);
  const all = { ...given, ...asked };
  refuseAlone(allOptions(SCORE), all);
  const options = libraryOptions(given, asked);
  const { references } = asked;
  if (references !== undefined) refuseUnused(SCORE_ROWS, asked, "texts");
  const result =
    references === undefined
      ? score(await context.study(paths), options)
      : scoreLines(paths, { ...options, references }, context);
  refuseUnused(SCORE_METRIC, all, kindOf(result));
  const { flakiness = [] } = result;
  if (given.details && flakiness.length === 0)
    throw doesNothing("details", true, "where no item has repeated attempts");
  if (asked.item !== undefined && !given.perItem && result.metric !== asked.item && isOfLabels(result))
    throw doesNothing("item", asked.item, `with ${result.metric} unless --sentence lists the items`);
  // in a table with a row for each metric the score's column holds several
  if (asked.score === result.metric && given.metric !== undefined && given.metric !== result.metric)
    throw doesNothing("metric", given.metric, `with --score ${result.metric}`);
  context.print(result);
}

/** By which its options are distinguished. */
function kindOf({ metric, metricSignature }: ScoreResult): keyof typeof SCORE.kinds {
  const text = TEXT_METRICS.find(([start]) => metric.startsWith(start));
  if (text !== undefined) return text[1];
  if (metricSignature.startsWith("mean:")) return metric.startsWith("maj@") ? "majority" : "mean";
  if (/exact/i.test(metric)) return "exact";
  return /^(?:(?:macro|micro|weighted) )?(?:F1|precision|recall)/i.test(metric) ? "classes" : "labels";
}

const TEXT_METRICS = [
  ["BLEU", "bleu"],
  ["chrF", "chrf"],
  ["TER", "ter"],
  ["WER", "rates"],
  ["CER", "rates"],
  ["ROUGE", "rouge"],
  ["rouge", "rouge"],
] as const;

const isOfLabels = (result: ScoreResult): boolean => ["classes", "exact", "labels"].includes(kindOf(result));

/** Checked before any file is read. */
function libraryOptions(given: OptionsOf<typeof SCORE.options>, asked: Asked): ScoreOptions {
  const { smoothMethod, smoothValue, maxOrder, punct, ignore = [] } = asked;
  const { system, item, cluster, gold, pred, where = [], higherIsBetter } = asked;
  const named = { smoothing: smoothMethod, smoothingValue: smoothValue, order: maxOrder };
  const { perItem = false, details = false, force = false, confidence = 0.95 } = given;
  return {
    ...{ ...given, perItem, details, force, confidence },
    ...{ system, item, cluster, gold, pred, where, higherIsBetter, score: asked.score },
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
    ...(punct === false ? { noPunctuation: true } : {}),
    ignore: ignore.flatMap((one) => (one === "squad" ? NORMALISATIONS : [one])),
  };
}
