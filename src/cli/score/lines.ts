/** Plain text against plain text: `gosset score system.txt --ref reference.txt`. Files are read as lines whatever they look
 *  like: a translation may well resemble a table. */
import { type Column, factorColumn, fingerprint, makeTable, reportScores, StatError, scoreText } from "../../index.ts";
import { labelStatistics, listClasses, type MetricChoice, type ScoreResult, unknownMetric } from "../../metrics.ts";
import { parseProbability } from "../../questions.ts";
import type { Context } from "../context.ts";
import { type Lines, nameSystems, noteMarks, readLines, requireSameLength } from "../text-lines.ts";
import { metricChoice, parseIgnore, type ScoreOptions, textOptions } from "./options.ts";

export function scoreLines(paths: readonly string[], context: Context<ScoreOptions>): ScoreResult {
  const { options } = context;
  const choice: MetricChoice | undefined =
    options.metric === undefined ? { kind: "text", name: "bleu" } : metricChoice(options);
  if (choice === undefined) throw unknownMetric(options.metric!);
  if (choice.kind === "mean") {
    throw new StatError("BadOption", "--metric mean: a mean has no use for --ref.", "Leave --ref out.");
  }
  const settings = textOptions(options);
  const files = paths.map((path) => readLines(path, options.encoding));
  const references = options.ref.map((path) => readLines(path, options.encoding));
  requireSameLength([...references, ...files]);
  context.note(noteMarks([...files, ...references]));
  const named = Object.fromEntries(nameSystems(paths).map((name, i) => [name, files[i]!.lines]));
  const perItem = options.sentence === true;
  if (choice.kind === "labels") return scoreLabelLines(choice, named, references, options);
  return scoreText(
    named,
    references.map(({ lines }) => lines),
    { ...settings, metric: choice.name, perItem, force: options.force === true },
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
    throw new StatError("BadOption", `--metric ${choice.name} takes one --ref.`, "Give the right labels in one file.");
  }
  const clean = (lines: readonly string[]): string[] => lines.map((line) => line.trim());
  const gold = clean(references[0]!.lines);
  const systems = Object.entries(named).map(([name, lines]) => ({ name, predicted: clean(lines) }));
  const labels = choice.name === "exact-match" ? [] : listClasses([gold, ...systems.map((system) => system.predicted)]);
  const average = choice.average ?? options.average;
  const own = {
    ignore: parseIgnore(options.ignore),
    labels,
    ...(average === undefined ? {} : { average }),
    ...(options.positive === undefined ? {} : { positive: options.positive }),
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
    perItem: options.sentence === true,
    confidence: parseProbability(options.confidence, "--confidence"),
  });
}
