/** `gosset score <files...> [--ref file]... --metric m` */

import { type ScoreOptions as LibraryOptions, score } from "../../index.ts";
import type { Context } from "../context.ts";
import { parseProbability } from "../options.ts";
import { scoreLines } from "./lines.ts";
import { direction, parseIgnore, type ScoreOptions, textOptions } from "./options.ts";

export async function run(context: Context<ScoreOptions>, paths: readonly string[]): Promise<void> {
  const { options } = context;
  const given = libraryOptions(options);
  const result = options.ref.length > 0 ? scoreLines(paths, context) : score(await context.import(paths), given);
  context.print(result);
}

/** Checked before any file is read. */
function libraryOptions(options: ScoreOptions): LibraryOptions {
  const { metric, system, item, gold, pred, average, positive } = options;
  return {
    ...{ metric, system, item, gold, pred, score: options.score },
    ...textOptions(options),
    ...(average === undefined ? {} : { average }),
    ...(positive === undefined ? {} : { positive }),
    ignore: parseIgnore(options.ignore),
    higherIsBetter: direction(options),
    perItem: options.sentence === true,
    force: options.force === true,
    confidence: parseProbability(options.confidence, "--confidence"),
  };
}
