/** The metrics by the names that people type. */
import { StatError } from "../result/error.ts";
import { nearest } from "../result/suggest.ts";
import type { Average } from "./f1.ts";

/** Of texts; each has its scorer in score-text.ts. */
const TEXT_METRICS = ["bleu", "chrf", "chrf++", "ter", "wer", "cer", "rouge1", "rouge2", "rougeL"] as const;
/** Of labels; each has its statistics in score-table.ts. */
const LABEL_METRICS = ["accuracy", "exact-match", "precision", "recall", "f1", "mcc", "balanced-accuracy"] as const;

export type TextMetric = (typeof TEXT_METRICS)[number];
export type LabelMetric = (typeof LABEL_METRICS)[number];

export type MetricChoice =
  | { readonly kind: "text"; readonly name: TextMetric }
  | { readonly kind: "labels"; readonly name: LabelMetric; readonly average?: Average }
  | { readonly kind: "mean" };

export const METRIC_NAMES: readonly string[] = [...TEXT_METRICS, ...LABEL_METRICS, "mean"];

const ALIASES: Readonly<Record<string, string>> = {
  acc: "accuracy",
  em: "exact-match",
  exact: "exact-match",
  chrf2: "chrf",
  "chrf2++": "chrf++",
  chrfpp: "chrf++",
  sacrebleu: "bleu",
  "word-error-rate": "wer",
  "character-error-rate": "cer",
  matthews: "mcc",
  "f-score": "f1",
  "f1-score": "f1",
  score: "mean",
  average: "mean",
};

/** undefined if the name is none of ours; "f1-macro", "macro_f1" and "Macro F1" are the same. */
export function findMetric(text: string): MetricChoice | undefined {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
  const [, first, after] = /^(binary|micro|macro)-(.+)$/.exec(plain) ?? [];
  const [, before, last] = /^(.+)-(binary|micro|macro)$/.exec(plain) ?? [];
  const average = (first ?? last) as Average | undefined;
  const base = after ?? before ?? plain;
  const known = base.replace(/^rouge-?(?=[12l]$)/, "rouge").replace(/^rougel$/, "rougeL");
  const name = Object.hasOwn(ALIASES, known) ? ALIASES[known]! : known;
  if (!METRIC_NAMES.includes(name)) return undefined;
  const isMeasure = name === "f1" || name === "precision" || name === "recall";
  if (average !== undefined && !isMeasure) return undefined;
  if (name === "mean") return { kind: "mean" };
  if (isTextName(name)) return { kind: "text", name };
  return { kind: "labels", name: name as LabelMetric, ...(average === undefined ? {} : { average }) };
}

const isTextName = (name: string): name is TextMetric => TEXT_METRICS.some((own) => own === name);

/** pass@k, pass^k or maj@k as it is spoken of, without a number. */
export function askTries(text: string): StatError | undefined {
  const tries = /^(pass\s*[@^]|maj\s*@)\s*[kn]?$/i.exec(text.trim())?.[1]?.replace(/\s/g, "");
  if (tries === undefined) return undefined;
  return new StatError("UnknownMetric", `${text} needs a number of tries.`, `Give k, as in ${tries.toLowerCase()}3.`);
}

/** `others` are names that would do as well, such as score columns. */
export function unknownMetric(text: string, others: readonly string[] = []): StatError {
  if (findMetric(text)?.kind === "text") {
    return new StatError(
      "UnknownMetric",
      `${text} compares texts with references, not the values of columns.`,
      `Compare the texts themselves: \`compare({ hypotheses, references }, { metric: "bleu" })\`, or name the columns with option \`gold\` and option \`pred\`.`,
    );
  }
  const tries = askTries(text);
  if (tries !== undefined) return tries;
  const names = [...METRIC_NAMES, ...others];
  const near = nearest(text.toLowerCase(), names);
  const columns = others.length === 0 ? "" : `, or a score column of the file (${others.slice(0, 8).join(", ")})`;
  const choice = `Choose one of ${METRIC_NAMES.join(", ")}${columns}.`;
  return new StatError(
    "UnknownMetric",
    `no metric "${text}".`,
    near === undefined ? choice : `Did you mean "${near}"? ${choice}`,
  );
}
