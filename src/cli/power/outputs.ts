/** `gosset power from-outputs a.txt b.txt --ref ref.txt` */
import { type Display, findMetric, makeRng, planFromOutputs, prepareText, StatError } from "../../index.ts";
import type { Context } from "../context.ts";
import { contractHead } from "../contract.ts";
import { type GlobalOptions, parseCount, parseProbability } from "../options.ts";
import { nameSystems, readLines, requireSameLength } from "../text-lines.ts";

interface OutputsCommandOptions extends GlobalOptions {
  readonly ref: readonly string[];
  readonly metric: string;
  readonly n?: string;
  readonly replicates: string;
  readonly alpha: string;
  readonly encoding?: string;
}

function parseSize(text: string): number {
  const n = parseCount(text, "--n");
  if (n >= 2) return n;
  throw new StatError("BadOption", `--n ${text}: one sentence is no test set.`, "Give at least 2, such as --n 1000.");
}

export async function run(context: Context<OutputsCommandOptions>, baseline: string, system: string): Promise<void> {
  const { options, progress } = context;
  const paths = [baseline, system];
  const metric = findMetric(options.metric);
  if (metric?.kind !== "text") {
    throw new StatError(
      "BadOption",
      `--metric ${options.metric}: no score of texts.`,
      "Choose bleu, chrf, chrf++ or ter.",
    );
  }
  const sizes = options.n?.split(",").map((text) => parseSize(text.trim()));
  if (options.ref.length === 0) {
    throw new StatError("BadOption", "no reference is given.", "Name a file with one reference a line: --ref ref.txt.");
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
  const result = await planFromOutputs(first!, second!, {
    systems: [names[0]!, names[1]!],
    rng: makeRng(options.seed),
    replicates,
    alpha,
    ...(sizes === undefined ? {} : { sizes }),
    onProgress: (done, total) => progress.update("Drawing sentences again", done, total),
  });
  const { kind, signature, diagnostics: _, ...own } = result;
  const command = own.command === undefined ? undefined : forSize(own.command, sizes?.[0]);
  context.print(result, {
    reshape: (display) => withCommand(display, command),
    contract: (all) => ({
      ...contractHead(kind, all),
      seed: signature.seed,
      ...own,
      ...(command === undefined ? {} : { command }),
      signature,
    }),
  });
}

/** Who asks for test sets of another size goes on with the first of them, not with the size of the files. */
const forSize = (command: string, size: number | undefined): string =>
  size === undefined ? command : command.replace(/--n \d+/, `--n ${size}`);

function withCommand(display: Display, command: string | undefined): Display {
  if (command === undefined || display.sections === undefined) return display;
  const sections = display.sections.map((section) => ({
    ...section,
    items: section.items.map((item) => (item.code === undefined ? item : { ...item, code: [command] })),
  }));
  return { ...display, sections };
}
