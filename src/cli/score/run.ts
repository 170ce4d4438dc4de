/** `gosset score <files...> [--ref file]... --metric m` */

import { type ScoreOptions as LibraryOptions, score } from "../../index.ts";
import type { ScoreResult } from "../../metrics.ts";
import { parseProbability, SHAPE } from "../../questions.ts";
import type { Context } from "../context.ts";
import { flagsOf, nameOf, READ_FLAGS } from "../flags.ts";
import { toldOf } from "../options.ts";
import { scoreLines } from "./lines.ts";
import { parseIgnore, type ScoreOptions, textOptions } from "./options.ts";

export async function run(context: Context<ScoreOptions>, paths: readonly string[]): Promise<void> {
  const { options } = context;
  const given = libraryOptions(options);
  if (options.ref.length > 0) context.refuse([...OF_TABLES, ...READING], "with --ref: texts are read line by line");
  const result = options.ref.length > 0 ? scoreLines(paths, context) : score(await context.study(paths), given);
  refuseUnused(context, result);
  context.print(result);
}

const OF_TABLES = [
  ..."--gold --pred --score --system --item --run --cluster --task --files --reading".split(" "),
  ...flagsOf(SHAPE).map(nameOf),
  ..."--where --mutate".split(" "),
];
const READING = READ_FLAGS.map(nameOf).filter((flag) => flag !== "--encoding");
const OF_BLEU = "--tokenize --smooth-method --smooth-value --max-order --effective-order --force --lowercase".split(
  " ",
);
const OF_CHRF = "--lowercase --char-order --word-order --beta --whitespace --eps-smoothing".split(" ");
const OF_RATES = ["--lowercase"];
const OF_TER = ["--normalized", "--no-punct", "--asian-support", "--case-sensitive"];
const OF_COLUMNS = ["--score", "--direction"];
const OF_CLASSES = ["--positive", "--average"];

/** Flags of other metrics than the one that was computed. */
function refuseUnused({ options, refuse }: Context<ScoreOptions>, result: ScoreResult): void {
  const { metric, metricSignature, flakiness = [] } = result;
  const why = `with ${metric}`;
  if (flakiness.length === 0) refuse(["--details"], "where no item is right or wrong in repeated tries");
  if (options.sentence) refuse(["--details"], "with --sentence");
  const others = (own: readonly string[]): string[] =>
    [...OF_BLEU, ...OF_CHRF, ...OF_TER].filter((flag) => !own.includes(flag));
  if (/^(BLEU|chrF|TER|WER|CER)/.test(metric)) {
    refuse(["--stem"], why);
    const own = new Map([
      ["BLEU", OF_BLEU],
      ["TER", OF_TER],
      ["WER", OF_RATES],
      ["CER", OF_RATES],
    ]).get(metric);
    refuse(others(own ?? OF_CHRF), why);
    refuse([...OF_COLUMNS, ...OF_CLASSES, "--ignore", "--confidence"], why);
    if (options.ref.length > 0) refuse(["--gold", "--pred", "--item"], `${why} and --ref`);
    if (!["floor", "add-k"].includes(options.smoothMethod ?? ""))
      refuse(["--smooth-value"], "with this --smooth-method");
    return;
  }
  // its own flags are checked where it is computed
  if (/^ROUGE/i.test(metric)) return;
  refuse(["--stem"], why);
  refuse(others([]), why);
  if (metricSignature.startsWith("mean:")) {
    const answers = metric.startsWith("maj@") ? [] : ["--pred"];
    refuse([...OF_CLASSES, "--ignore", "--gold", ...answers], why);
    // in a table with a row for each metric the score's column holds several
    if (options.score === metric && options.metric !== metric) refuse(["--metric"], `beside --score ${metric}`);
    return;
  }
  refuse(OF_COLUMNS, why);
  if (!options.sentence) refuse(["--item"], `with ${metric} unless --sentence lists the items`);
  if (!/^(macro |micro |weighted )?(F1|precision|recall)/i.test(metric)) refuse(OF_CLASSES, why);
  if (!/exact/i.test(metric)) refuse(["--ignore"], why);
}

/** Checked before any file is read. */
function libraryOptions(options: ScoreOptions): LibraryOptions {
  const { metric, system, item, gold, pred, average, positive, where } = options;
  return {
    ...{ metric, system, item, gold, pred, where, score: options.score },
    ...textOptions(options),
    ...(average === undefined ? {} : { average }),
    ...(positive === undefined ? {} : { positive }),
    ignore: parseIgnore(options.ignore),
    higherIsBetter: toldOf(options).higherIsBetter,
    perItem: options.sentence === true,
    details: options.details === true,
    force: options.force === true,
    confidence: parseProbability(options.confidence, "--confidence"),
  };
}
