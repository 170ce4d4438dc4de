/** Plain text against plain text: `gosset score system.txt --ref reference.txt`. Files are read as lines whatever they look
 *  like: a translation may well resemble a table. */
import {
  type Column,
  factorColumn,
  fingerprint,
  makeTable,
  reportScores,
  type ScoreOptions,
  StatError,
  scoreText,
} from "../../index.ts";
import {
  findMetric,
  labelStatistics,
  listClasses,
  type MetricChoice,
  type ScoreResult,
  unknownMetric,
} from "../../metrics.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";
import { type Lines, nameSystems, noteMarks, readLines, requireSameLength } from "../text-lines.ts";

interface LineOptions extends ScoreOptions {
  readonly references: readonly string[];
}

export function scoreLines(
  paths: readonly string[],
  given: LineOptions,
  { options: { encoding }, note }: Context<DataOptions>,
): ScoreResult {
  const { metric, references: named, score, system, item, gold, pred, where, higherIsBetter, ...own } = given;
  const choice: MetricChoice | undefined = metric === undefined ? { kind: "text", name: "bleu" } : findMetric(metric);
  if (choice === undefined) throw unknownMetric(metric!);
  if (choice.kind === "mean") {
    throw new StatError("BadOption", "--metric mean: a mean does not use --ref.", "Leave --ref out.");
  }
  const files = paths.map((path) => readLines(path, encoding));
  const references = named.map((path) => readLines(path, encoding));
  requireSameLength([...references, ...files]);
  note(noteMarks([...files, ...references]));
  const systems = Object.fromEntries(nameSystems(paths).map((name, i) => [name, files[i]!.lines]));
  if (choice.kind === "labels") return scoreLabelLines(choice, systems, references, own);
  const { average, positive, ignore, confidence, details, ...text } = own;
  return scoreText(
    systems,
    references.map(({ lines }) => lines),
    { ...text, metric: choice.name },
  );
}

/** Labels or short answers, one a line. */
function scoreLabelLines(
  choice: Extract<MetricChoice, { kind: "labels" }>,
  named: Readonly<Record<string, readonly string[]>>,
  references: readonly Lines[],
  options: ScoreOptions,
): ScoreResult {
  if (references.length > 1) {
    throw new StatError("BadOption", `--metric ${choice.name} takes one --ref.`, "Give the gold labels in one file.");
  }
  const clean = (lines: readonly string[]): string[] => lines.map((line) => line.trim());
  const gold = clean(references[0]!.lines);
  const systems = Object.entries(named).map(([name, lines]) => ({ name, predicted: clean(lines) }));
  const labels = choice.name === "exact-match" ? [] : listClasses([gold, ...systems.map((system) => system.predicted)]);
  const { ignore = [], positive, perItem, confidence } = options;
  const average = choice.average ?? options.average;
  const own = {
    ...{ ignore, labels },
    average,
    positive,
  };
  const scored = systems.map(({ name, predicted }) => ({
    name,
    statistics: labelStatistics(choice.name, { gold, predicted }, own),
  }));
  return reportScores(scored, {
    data: fingerprint(
      makeTable([
        ["--ref", factorColumn(gold)],
        ...systems.map(({ name, predicted }): [string, Column] => [name, factorColumn(predicted)]),
      ]),
    ),
    options: { metric: choice.name, ...own },
    ...{ perItem, confidence },
  });
}
