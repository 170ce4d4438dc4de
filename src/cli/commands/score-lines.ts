/** Plain text against plain text: `assay score system.txt --ref reference.txt`. Files are read as lines whatever they look
 *  like: a translation may well resemble a table. */
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  type Column,
  factorColumn,
  fingerprint,
  labelStatistics,
  listClasses,
  type MetricChoice,
  makeTable,
  reportScores,
  type ScoreResult,
  StatError,
  scoreText,
  unknownMetric,
} from "../../index.ts";
import { readFileBytes } from "../files.ts";
import { parseProbability } from "../options.ts";
import { metricChoice, parseIgnore, type ScoreOptions, textOptions } from "./score-options.ts";

interface Lines {
  readonly path: string;
  readonly lines: readonly string[];
}

export function scoreLines(paths: readonly string[], options: ScoreOptions): ScoreResult {
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

function readLines(path: string, encoding = "utf-8"): Lines {
  const { bytes, name } = readFileBytes(path);
  const text = decode(unpack(bytes, name), name, encoding);
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) {
    throw new StatError("EmptyFile", `${path === "-" ? name : path} is empty.`, "Give a file with one segment a line.");
  }
  return { path: path === "-" ? name : path, lines };
}

function unpack(bytes: Uint8Array, name: string): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    throw new StatError("BadGzip", `${name}: the packed data is damaged or cut off.`, "Copy or pack the file again.");
  }
}

function decode(bytes: Uint8Array, name: string, encoding: string): string {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new StatError("UnknownEncoding", `--encoding ${encoding}: no such encoding.`, "Write utf-8 or windows-1252.");
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new StatError("InvalidEncoding", `${name}: the bytes are not ${encoding} text.`, "Name its --encoding.");
  }
}

function requireSameLength(files: readonly Lines[]): void {
  const [first] = files;
  const odd = files.find(({ lines }) => lines.length !== first!.lines.length);
  if (odd === undefined) return;
  throw new StatError(
    "UnequalLength",
    `${first!.path} has ${first!.lines.length} lines and ${odd.path} has ${odd.lines.length}.`,
    "Give files of the same segments, line by line.",
  );
}

/** File names without extensions; the whole path where two would be the same. */
function nameSystems(paths: readonly string[]): string[] {
  const stems = paths.map((path) => (path === "-" ? "system" : basename(path).replace(/(\.(txt|gz|tsv|csv))+$/i, "")));
  return stems.map((stem, i) => (stems.indexOf(stem) === i && stems.lastIndexOf(stem) === i ? stem : paths[i]!));
}
