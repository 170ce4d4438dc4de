/** `gosset compare a.txt b.txt --ref reference.txt`: systems' texts against references. */
import {
  type Comparison,
  type ComparisonOptions,
  compareTexts,
  findMetric,
  StatError,
  unknownMetric,
} from "../../index.ts";
import { nameSystems, readLines, requireSameLength } from "../text-lines.ts";

export interface TextFiles {
  readonly ref: readonly string[];
  readonly metric?: string;
  readonly docs?: string;
  readonly encoding?: string;
}

export function compareTextFiles(paths: readonly string[], options: TextFiles, choices: ComparisonOptions): Comparison {
  const metric = options.metric === undefined ? ({ kind: "text", name: "bleu" } as const) : findMetric(options.metric);
  if (metric === undefined) throw unknownMetric(options.metric!);
  if (metric.kind !== "text") {
    throw new StatError(
      "BadOption",
      `--metric ${options.metric} with --ref: texts are compared by bleu, chrf, chrf++ or ter.`,
      "For labels give a table with --gold and --pred.",
    );
  }
  const files = paths.map((path) => readLines(path, options.encoding));
  const references = options.ref.map((path) => readLines(path, options.encoding));
  const documents = options.docs === undefined ? [] : [readLines(options.docs, options.encoding)];
  requireSameLength([...references, ...files, ...documents]);
  const names = nameSystems(paths);
  return compareTexts(
    Object.fromEntries(names.map((name, i) => [name, files[i]!.lines])),
    references.map(({ lines }) => lines),
    { ...choices, text: { metric: metric.name }, ...(documents[0] ? { documents: documents[0].lines } : {}) },
  );
}
