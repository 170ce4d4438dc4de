/** A result's JSON as the page shows it. Sentences and tables are the result's own; nothing is computed here. */
import { type ComparisonJson, type DisplayTable, type ResultJson, reviveResult, textColumns } from "../../src/index.ts";
import { plotJson } from "../../src/plot.ts";
import { paperOf, verdictTag } from "../../src/report.ts";
import { nameControls } from "./control-names.ts";
import type { Headline } from "./door.ts";
import type { AnswerView, Failure, TableView } from "./protocol.ts";
import { commandLine } from "./words.ts";

/** True minus signs where a number begins. */
export const minus = (text: string): string => text.replace(/(^|[\s(±,])-(?=\d)/g, "$1\u2212");

/** A sentence of the library as the page says it. */
const said = (text: string): string => minus(nameControls(text));

export function presentTable(table: DisplayTable): TableView {
  return {
    ...(table.caption === undefined ? {} : { caption: minus(table.caption) }),
    columns: textColumns(table).map(({ head, align, cells }) => ({
      head,
      numeric: align === "right",
      cells: cells.map(({ text, isNumber }) => (isNumber ? text.replaceAll("-", "\u2212") : minus(text))),
    })),
    rows: table.rows.length,
  };
}

export interface Written {
  readonly call: string;
  readonly headline?: Headline | undefined;
  readonly own: Readonly<Record<string, unknown>>;
}

/** Kinds whose title only names them, while their first picture says what was found. */
const FOUND_IN_PICTURE: ReadonlySet<string> = new Set([
  ...["agreement", "reliability", "circularity", "bias", "emmeans"],
  "gate-check",
  ...["lm", "glm", "lmm", "glmm", "clm", "clmm", "gam"],
]);

export function presentResult(json: ResultJson, { call, own, headline }: Written): AnswerView {
  const { display: show, ...rest } = reviveResult(json);
  const display = show();
  const { screen } = display;
  const figures = plotJson(json).map(({ name, title, subtitle, description }) => ({
    name,
    title,
    subtitle,
    description,
  }));
  const finding = FOUND_IN_PICTURE.has(json.kind) ? figures[0]?.title : undefined;
  const [found, sentence] = splitTitle(screen?.title ?? finding ?? display.title);
  const word = headline?.word ?? found;
  const number =
    headline?.number ?? (json.kind === "comparison" ? difference(rest as unknown as ComparisonJson) : undefined);
  const assumed = new Set(json.assumed);
  // notes of a terminal that the page shows as facts
  const facts = new Set(screen?.facts?.map(({ label, text }) => `${label}: ${text}`));
  return {
    kind: json.kind,
    ...(word === undefined ? {} : { word, sign: verdictTag(word) }),
    ...(headline === undefined
      ? finding === undefined
        ? {}
        : { label: minus(display.title) }
      : { label: headline.label }),
    sentence: withStop(minus(headline?.sentence ?? sentence)),
    names: namesOf(json),
    ...(number === undefined ? {} : { number }),
    lead: (headline?.lead ?? screen?.summary ?? display.summary ?? []).map(said),
    tables: (screen?.tables ?? display.tables).map(presentTable),
    figures,
    warnings: json.diagnostics.filter(({ severity }) => severity === "warning").map(faultOf),
    notes: [
      ...json.diagnostics.filter(({ severity }) => severity === "note").map(({ message, fix }) => joined(message, fix)),
      ...display.notes.filter(
        (note) => !assumed.has(note) && !facts.has(note) && !/^(Assumed|For the paper): /.test(note),
      ),
    ].map(said),
    assumed: [...assumed].map((text) => said(capital(text))),
    facts: (screen?.facts ?? [])
      .filter(({ label }) => label !== "Assumed")
      .map(({ label, text }) => ({ label, text: said(text) })),
    next: [],
    command: commandLine(json.command),
    call,
    ...(json.seed === undefined ? {} : { seed: json.seed }),
    version: json.version,
    data: json.signature?.data ?? "",
    own,
  };
}

/** Systems of the answer, the longest first, so that no name is taken for the beginning of another. */
function namesOf(json: ResultJson): string[] {
  const { systems } = json as unknown as { readonly systems?: unknown };
  if (!Array.isArray(systems)) return [];
  const names = systems.map((own: unknown) => (typeof own === "string" ? own : (own as { name?: unknown })?.name));
  return names.filter((own) => typeof own === "string").sort((a, b) => b.length - a.length);
}

const faultOf = ({ code, message, fix }: Failure): Failure => ({
  code,
  message: said(capital(message)),
  fix: said(capital(fix)),
});
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const joined = (message: string, fix: string): string => `${capital(message)} ${capital(fix)}`.trim();

const withStop = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** "INCONCLUSIVE  150 items cannot …": the verdict and its sentence. */
function splitTitle(title: string): [string | undefined, string] {
  const found = /^([A-Z]{4,}(?: [A-Z]+)?) {2}(.+)$/.exec(title);
  return found === null ? [undefined, title] : [found[1], found[2]!];
}

/** The sentence for a paper; undefined of kinds that have none. */
export function paperSentence(json: ResultJson): string | undefined {
  try {
    const { sentence } = json as unknown as { readonly sentence?: unknown };
    return minus(typeof sentence === "string" ? sentence : paperOf(json).sentence);
  } catch {
    return undefined; // kinds without a sentence say so by throwing
  }
}

/** The one number of a comparison of two. */
function difference(json: ComparisonJson): AnswerView["number"] {
  const { pairs, series } = json;
  const [pair] = pairs;
  if (pairs.length !== 1 || pair === undefined || !Number.isFinite(pair.difference)) return undefined;
  const scale = series.percent ? 100 : 1;
  const { decimals } = series;
  const write = (value: number): string => (scale * value).toFixed(decimals).replace("-", "\u2212");
  const signed = (value: number): string => (value >= 0 ? "+" : "") + write(value);
  const { ci } = pair;
  const unit = series.percent ? " %" : "";
  return {
    text: signed(pair.difference),
    unit: series.percent ? "points" : json.metric,
    facts: [
      `${Math.round(100 * ci.level)} % CI ${signed(ci.lower)} to ${signed(ci.upper)}`,
      pair.p < 0.0001 ? "p < 0.0001" : `p = ${pair.p.toFixed(4)}`,
      `${write(pair.scoreB)}${unit} against ${write(pair.scoreA)}${unit}`,
    ],
  };
}
