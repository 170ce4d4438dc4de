/** `gosset power from-outputs a.txt b.txt --ref ref.txt` */

import { makeRng, planFromOutputs, StatError } from "../../index.ts";
import { findMetric, prepareText } from "../../metrics.ts";
import { parseCount, parseProbability } from "../../questions.ts";
import { journalRunner } from "../../runners.ts";
import type { Context } from "../context.ts";
import type { GlobalOptions } from "../options.ts";
import { nameSystems, readLines, requireSameLength } from "../text-lines.ts";
import { commandsOf } from "./next.ts";

interface OutputsCommandOptions extends GlobalOptions {
  readonly ref: readonly string[];
  readonly metric: string;
  readonly n?: string | undefined;
  readonly replicates: string;
  readonly alpha: string;
  readonly encoding?: string | undefined;
  readonly journal?: string | undefined;
}

function parseSize(text: string): number {
  const n = parseCount(text, "--n");
  if (n >= 2) return n;
  throw new StatError(
    "BadOption",
    `--n ${text}: a test set needs at least two sentences.`,
    "Give at least 2, such as --n 1000.",
  );
}

export async function run(context: Context<OutputsCommandOptions>, baseline: string, system: string): Promise<void> {
  const { options, progress } = context;
  const paths = [baseline, system];
  const metric = findMetric(options.metric);
  if (metric?.kind !== "text") {
    throw new StatError(
      "BadOption",
      `--metric ${options.metric}: not a metric of texts.`,
      "Choose bleu, chrf, chrf++, ter, wer or cer.",
    );
  }
  const sizes = options.n?.split(",").map((text) => parseSize(text.trim()));
  if (options.ref.length === 0) {
    throw new StatError("BadOption", "there is no reference.", "Name a file with one reference a line: --ref ref.txt.");
  }
  const replicates = parseCount(options.replicates, "--replicates");
  const alpha = parseProbability(options.alpha, "--alpha");
  const files = paths.map((path) => readLines(path, options.encoding));
  const references = options.ref.map((path) => readLines(path, options.encoding));
  requireSameLength([...references, ...files]);
  const scorer = prepareText(
    references.map(({ lines }) => lines),
    { metric: metric.name },
  );
  const [first, second] = files.map(({ lines }) => scorer.statisticsOf(lines));
  const names = nameSystems(paths);
  // sentences do not travel to other threads
  const own = context.runner({ threads: 1 });
  const result = await planFromOutputs(first!, second!, {
    runner: options.journal === undefined ? own : journalRunner(context.journal(options.journal), own),
    systems: [names[0]!, names[1]!],
    rng: makeRng(options.seed),
    replicates,
    alpha,
    sizes,
    onProgress: (done, total) => progress.update("Drawing sentences again", done, total),
  });
  context.print(result, { commands: commandsOf(result.next) });
}
