/** BLEU, chrF, chrF++, TER, WER and CER of systems against the same references: the one call behind `gosset score`. */

import { note, warning } from "../result/diagnostic.ts";
import { Fingerprint } from "../result/fingerprint.ts";
import type { Diagnostic } from "../result/result.ts";
import { type BleuOptions, prepareBleu } from "./bleu.ts";
import type { TextMetric } from "./catalogue.ts";
import { type ChrfOptions, prepareChrf } from "./chrf.ts";
import { prepareCer, prepareWer } from "./error-rate.ts";
import { sumRows } from "./metric.ts";
import { prepareRouge, type RougeName } from "./rouge.ts";
import { reportScores, type ScoreResult } from "./score.ts";
import { prepareTer, type TerOptions } from "./ter/ter.ts";
import type { References, TextScorer } from "./text-scorer.ts";

export interface TextOptions extends BleuOptions, ChrfOptions, TerOptions {
  /** Default "bleu". */
  readonly metric?: TextMetric | undefined;
  /** ROUGE: Porter's stemmer, as rouge_score's use_stemmer. */
  readonly stem?: boolean | undefined;
}

export interface ScoreTextOptions extends TextOptions {
  /** Also every segment's own score; BLEU then has effective order unless told otherwise. */
  readonly perItem?: boolean | undefined;
  /** No warning about hypotheses that look tokenised. */
  readonly force?: boolean | undefined;
  /** Names of the segments. */
  readonly items?: readonly string[] | undefined;
}

/** Lines that end in a full stop after a space, from which on the text is taken to have been tokenised already. */
const TOKENISED_LINES = 100;

type Prepare = (references: References, options: TextOptions) => TextScorer;

const rouge =
  (name: RougeName): Prepare =>
  (references, { stem = false }) =>
    prepareRouge(references, name, stem);

/** How each metric of texts prepares its references. */
const SCORERS: Readonly<Record<TextMetric, Prepare>> = {
  bleu: prepareBleu,
  chrf: prepareChrf,
  "chrf++": (references, options) => prepareChrf(references, { wordOrder: 2, ...options }),
  ter: prepareTer,
  wer: prepareWer,
  cer: prepareCer,
  rouge1: rouge("rouge1"),
  rouge2: rouge("rouge2"),
  rougeL: rouge("rougeL"),
};

/** Prepares references once for any number of systems. */
export const prepareText = (references: References, options: TextOptions = {}): TextScorer =>
  SCORERS[options.metric ?? "bleu"](references, options);

/** `systems` are one system's segments, or those of several by name. */
export function scoreText(
  systems: readonly string[] | Readonly<Record<string, readonly string[]>>,
  references: References,
  options: ScoreTextOptions = {},
): ScoreResult {
  const { perItem = false, force = false, items, ...own } = options;
  const named = Array.isArray(systems) ? { system: systems as readonly string[] } : systems;
  const scorer = prepareText(references, perItem ? { effectiveOrder: true, ...own } : own);
  const scored = Object.entries(named).map(([name, hypotheses]) => {
    const statistics = scorer.statisticsOf(hypotheses as readonly string[]);
    return {
      name,
      statistics,
      details: scorer.detailsOf(sumRows(statistics)),
      ...(items === undefined ? {} : { items }),
    };
  });
  const entries = Object.entries(named) as [string, readonly string[]][];
  const diagnostics = [
    ...noteEmpty(entries, references),
    ...(force || (own.metric ?? "bleu") !== "bleu" || own.tokenise === "none" ? [] : entries.flatMap(warnTokenised)),
    ...warnUnspaced(entries, own),
  ];
  return reportScores(scored, { data: fingerprintOf(entries, references), options: own, diagnostics, perItem });
}

function warnTokenised([name, hypotheses]: readonly [string, readonly string[]]): Diagnostic[] {
  const count = hypotheses.filter((text) => text.endsWith(" .")).length;
  if (count < TOKENISED_LINES) return [];
  return [
    warning(
      "LooksTokenised",
      `${count} segments of ${name} end in a full stop after a space, as tokenised text does.`,
      "Scores are comparable only on detokenised text. If it is not tokenised, say so with `force`.",
    ),
  ];
}

/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
/** Share of the letters from which on the text is in such a script. */
const MOSTLY = 0.3;
/** Segments that are looked at. */
const SAMPLED = 200;

/** Words told by spaces alone are whole sentences in Chinese, Japanese or Thai, and hardly ever match. */
export function warnUnspaced(
  entries: readonly (readonly [string, readonly string[]])[],
  { metric = "bleu", tokenise, asianSupport }: TextOptions,
): Diagnostic[] {
  const byCharacter =
    metric === "chrf" || metric === "cer" || tokenise === "zh" || tokenise === "char" || tokenise === "none";
  if (byCharacter || (metric === "ter" && asianSupport === true)) return [];
  const text = entries.flatMap(([, texts]) => texts.slice(0, SAMPLED)).join("");
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  if (!(unspaced > MOSTLY * letters)) return [];
  const words = metric === "bleu" ? `the tokeniser ${tokenise ?? "13a"} takes` : `${metric} takes`;
  return [
    warning(
      "NoSpaces",
      `the texts are in a script without spaces between words, and ${words} each stretch between spaces for a word.`,
      metric === "bleu"
        ? "Use option `tokenise: zh` or char, as sacreBLEU does for such languages, or option `metric: chrf`."
        : `Use option \`metric: ${metric === "wer" ? "cer" : "chrf"}\`, which counts characters.`,
    ),
  ];
}

function noteEmpty(entries: readonly [string, readonly string[]][], references: References): Diagnostic[] {
  const lists: [string, readonly (string | null)[]][] = [
    ...entries,
    ...references.map((list, r): [string, readonly (string | null)[]] => [
      references.length === 1 ? "the reference" : `reference ${r + 1}`,
      list,
    ]),
  ];
  return lists.flatMap(([name, texts]) => {
    const count = texts.filter((text) => text !== null && text.trim() === "").length;
    if (count === 0) return [];
    const [segments, are] = count === 1 ? ["segment", "is"] : ["segments", "are"];
    return [note("EmptySegments", `${count} ${segments} of ${name} ${are} empty.`, "They count as they stand.")];
  });
}

function fingerprintOf(entries: readonly [string, readonly string[]][], references: References): string {
  const hash = new Fingerprint();
  for (const [name, texts] of entries) {
    hash.update(name);
    hash.update(texts.join("\n"));
  }
  for (const list of references) hash.update(list.map((text) => text ?? "\0").join("\n"));
  return hash.digest();
}
