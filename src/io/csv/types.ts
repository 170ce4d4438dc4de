/** From what a CSV column held to a numeric column or a factor, with a word on everything that a reader may not expect. */
import { isNoValue, orderLevels } from "../../data/levels.ts";
import type { Column } from "../../data/table.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { FirstMet, RawColumn, Spoiler } from "./column.ts";
import { BIG_INTEGER, LEADING_ZEROS, lastForm, parseNumber } from "./number.ts";

export interface NamedRaw {
  readonly name: string;
  readonly raw: RawColumn;
  /** The caller wants a factor. */
  readonly factor: boolean;
}

export interface TypeOptions {
  readonly delimiter: string;
  readonly decimal: "." | "," | undefined;
}

type Texts = Extract<RawColumn, { kind: "texts" }>;

/** Up to this share of other cells a column is taken for a spoilt numeric one, and the reader is warned. */
const SPOILT_SHARE = 0.2;

export function typeColumns(
  columns: readonly NamedRaw[],
  options: TypeOptions,
  diagnostics: Diagnostic[],
): [string, Column][] {
  const styles = columns.map(({ raw, factor }) => (raw.kind === "texts" && !factor ? findStyle(raw.texts) : undefined));
  // what may be two ratings does not say how the file writes its numbers
  const certain = styles.map((style, k) => {
    const { raw } = columns[k]!;
    return style === "comma" && raw.kind === "texts" && mayBeRatings(raw) ? undefined : style;
  });
  const fileStyle = decideStyle(certain, options);
  return columns.map(({ name, raw, factor }, k) => {
    if (raw.kind === "numbers") return [name, { kind: "numeric", values: raw.values }];
    if (factor) return [name, makeFactor(raw)];
    const percent = readPercent(name, raw, diagnostics);
    if (percent !== undefined) return [name, percent];
    const style = styles[k] === "either" || options.decimal === "," ? fileStyle : styles[k];
    const allowed = style === "point" || (style === "comma" && fileStyle === "comma");
    const numbers = allowed ? convert(raw, style) : undefined;
    if (numbers !== undefined) {
      if (styles[k] !== undefined && options.decimal === undefined) diagnostics.push(converted(name, raw, style!));
      return [name, numbers];
    }
    explain(name, raw, styles[k], diagnostics);
    return [name, makeFactor(raw)];
  });
}

const PERCENT = /^\s*[+-]?(\d+([.,]\d+)?|[.,]\d+)\s*[%％]\s*$/;

/** "85%" in every cell is 85. */
function readPercent(name: string, raw: Texts, diagnostics: Diagnostic[]): Column | undefined {
  if (raw.texts.length === 0 || !raw.texts.every((text) => PERCENT.test(text))) return undefined;
  const numbers = raw.texts.map((text) => Number(text.replace(/[%％]/, "").replace(",", ".").trim()));
  diagnostics.push({
    code: "PercentSign",
    severity: "note",
    message: `column ${name}: "${raw.texts[0]!.trim()}" was read as ${numbers[0]}, in percent.`,
    fix: "write plain numbers if something else is meant.",
  });
  return { kind: "numeric", values: Float64Array.from(raw.codes, (code) => (code < 0 ? Number.NaN : numbers[code]!)) };
}

function mayBeRatings(raw: Texts): boolean {
  const numbers = raw.texts.filter((text) => !isNoValue(text));
  const cells = raw.codes.reduce((sum, code) => sum + (code >= 0 && !isNoValue(raw.texts[code]!) ? 1 : 0), 0);
  return areTwoRatings(numbers, cells);
}

/** Commas are decimal if the caller says so, or if semicolons or tabs separate fields and some column can only mean that. */
function decideStyle(
  styles: readonly (DecimalStyle | undefined)[],
  options: TypeOptions,
): "comma" | "point" | undefined {
  if (options.decimal !== undefined) return options.decimal === "," ? "comma" : "point";
  const comma = styles.includes("comma");
  if (comma && (options.delimiter === ";" || options.delimiter === "\t") && !styles.includes("point")) return "comma";
  if (comma) return undefined;
  return styles.includes("point") || options.delimiter !== ";" ? "point" : undefined;
}

/** Texts that say that there is no number are missing; anything else that is none leaves the column text. */
function convert(raw: Texts, style: "comma" | "point"): Column | undefined {
  const numbers = new Float64Array(raw.texts.length);
  let found = false;
  for (const [code, text] of raw.texts.entries()) {
    numbers[code] = parseStyled(text, style);
    found ||= !Number.isNaN(numbers[code]);
    if (Number.isNaN(numbers[code]) && !isNoValue(text)) return undefined;
  }
  if (!found) return undefined;
  return { kind: "numeric", values: Float64Array.from(raw.codes, (code) => (code < 0 ? Number.NaN : numbers[code]!)) };
}

function makeFactor(raw: Texts): Column {
  const order = orderLevels(raw.texts);
  const place = new Int32Array(order.length);
  order.forEach((from, to) => {
    place[from] = to;
  });
  const levels = Array.from(order, (code) => raw.texts[code]!);
  return { kind: "factor", codes: raw.codes.map((code) => (code < 0 ? -1 : place[code]!)), levels, ordered: false };
}

// ---- diagnostics ----

function converted(name: string, raw: Texts, style: "comma" | "point"): Diagnostic {
  const sample = raw.texts.find((text) => text.includes(","))!;
  const value = parseStyled(sample, style);
  const none = raw.texts.filter(isNoValue);
  const cells = raw.codes.reduce((sum, code) => sum + (code >= 0 && isNoValue(raw.texts[code]!) ? 1 : 0), 0);
  const missing =
    none.length === 0
      ? ""
      : ` ${cells === 1 ? "1 cell holds" : `${cells} cells hold`} no number (${none.map((text) => `"${text}"`).join(", ")}).`;
  return {
    code: style === "comma" ? "DecimalComma" : "ThousandsSeparator",
    severity: "note",
    message: `column ${name}: "${sample.trim()}" was read as ${value}, and so on in the whole column.${missing}`,
    fix: `if that is wrong, say what separates decimals (\`decimal: ${style === "comma" ? "." : ","}\`).`,
  };
}

/** Why a column that might have been meant as numbers is a factor. */
function explain(name: string, raw: Texts, style: DecimalStyle | undefined, diagnostics: Diagnostic[]): void {
  if (style !== undefined) {
    const sample = raw.texts.find((text) => text.includes(","))!;
    diagnostics.push({
      code: "AmbiguousDecimal",
      severity: "warning",
      message: `column ${name}: cells such as "${sample.trim()}" may hold decimal commas; the column was left as text.`,
      fix: "say what a comma means: `decimal: ,` or `decimal: .`.",
    });
    return;
  }
  const uses = countUses(raw);
  const counts = countSpoilers(raw, uses);
  const reason = counts === undefined ? describeMixture(name, raw, uses) : describeSpoilers(name, counts, raw.firstMet);
  if (reason !== undefined) diagnostics.push(reason);
  explainBlanks(name, raw, diagnostics);
}

interface SpoilerCounts {
  readonly cells: number;
  readonly numbers: number;
  readonly text: number;
  readonly leadingZeros: number;
  readonly bigIntegers: number;
}

/** How many cells hold each text. */
function countUses(raw: Texts): Int32Array {
  const uses = new Int32Array(raw.texts.length);
  for (const code of raw.codes) if (code >= 0) uses[code]! += 1;
  return uses;
}

/** Cells by kind; undefined as soon as texts prevail. */
function countSpoilers(raw: Texts, uses: Int32Array): SpoilerCounts | undefined {
  const cells = uses.reduce((sum, count) => sum + count, 0);
  const encoder = new TextEncoder();
  const scratch = new Uint8Array(64);
  const counts = { cells, numbers: 0, text: 0, leadingZeros: 0, bigIntegers: 0 };
  for (const [code, text] of raw.texts.entries()) {
    const bytes = 3 * text.length > scratch.length ? encoder.encode(text) : scratch;
    const length = bytes === scratch ? encoder.encodeInto(text, scratch).written : bytes.length;
    parseNumber(bytes, 0, length);
    const form = lastForm[0]!;
    if (form >= 0) counts.numbers += uses[code]!;
    else if (form === LEADING_ZEROS) counts.leadingZeros += uses[code]!;
    else if (form === BIG_INTEGER) counts.bigIntegers += uses[code]!;
    else counts.text += uses[code]!;
    if (counts.text > SPOILT_SHARE * cells) return undefined;
  }
  return counts;
}

function describeSpoilers(
  name: string,
  counts: SpoilerCounts,
  firstMet: ReadonlyMap<Spoiler, FirstMet>,
): Diagnostic | undefined {
  const at = (kind: Spoiler) => {
    const met = firstMet.get(kind)!;
    return `first at line ${met.line}: "${met.text}"`;
  };
  const { cells } = counts;
  if (counts.text > 0) {
    return {
      code: "NotNumeric",
      severity: "warning",
      message: `column ${name}: ${counts.text} of ${cells} cells are not numbers, ${at("text")}; the column was read as a factor.`,
      fix: "correct those cells, or list their text among the missing values (`missing`).",
    };
  }
  if (counts.leadingZeros > 0) {
    return {
      code: "KeptAsText",
      severity: "note",
      message: `column ${name}: ${counts.leadingZeros} of ${cells} cells have leading zeros, ${at("leading-zeros")}; the column was read as a factor, so that no name is changed.`,
      fix: "if these are quantities, write them without leading zeros.",
    };
  }
  if (counts.bigIntegers > 0) {
    return {
      code: "KeptAsText",
      severity: "note",
      message: `column ${name}: ${counts.bigIntegers} of ${cells} cells are integers beyond 2^53, ${at("big-integer")}; the column was read as a factor, so that no digit is lost.`,
      fix: "if these are quantities, write them with a decimal point or an exponent.",
    };
  }
  return undefined;
}

/** Decimal commas in most cells and something else in a few. */
function describeMixture(name: string, raw: Texts, uses: Int32Array): Diagnostic | undefined {
  const cells = uses.reduce((sum, count) => sum + count, 0);
  let others = 0;
  let misfit = -1;
  for (const [code, text] of raw.texts.entries()) {
    if (hasNumericComma(text)) continue;
    others += uses[code]!;
    if (others > SPOILT_SHARE * cells) return undefined;
    if (misfit < 0 && !/^[+-]?\d+$/.test(text.trim())) misfit = code;
  }
  if (misfit < 0) return undefined;
  return {
    code: "MixedDecimals",
    severity: "warning",
    message: `column ${name}: ${cells - others} of ${cells} cells may hold decimal commas, but "${raw.texts[misfit]!}" (row ${raw.codes.indexOf(misfit) + 1}) does not fit; the column was read as a factor.`,
    fix: "write all numbers of a column in the same way.",
  };
}

/** Levels that a reader cannot tell apart on paper: with and without blanks, or quoted emptiness. */
function explainBlanks(name: string, raw: Texts, diagnostics: Diagnostic[]): void {
  const candidates = raw.texts.filter((text) => text !== text.trim() && text.trim() !== "");
  const texts = candidates.length === 0 ? new Set<string>() : new Set(raw.texts);
  const padded = candidates.find((text) => texts.has(text.trim()));
  if (padded !== undefined) {
    diagnostics.push({
      code: "PaddedLevels",
      severity: "warning",
      message: `column ${name}: "${padded}" and "${padded.trim()}" differ only in blanks and are two levels.`,
      fix: "remove the blanks in the file.",
    });
  }
  if (raw.texts.includes("")) {
    diagnostics.push({
      code: "EmptyText",
      severity: "note",
      message: `column ${name}: cells that are quoted and empty ("") were read as empty text, not as missing.`,
      fix: "leave a missing cell empty without quotes, or write NA.",
    });
  }
}

/** "comma": 1.234,5 — "point": 1,234.5 — "either": 1,234 in every cell, which may mean both. */
type DecimalStyle = "comma" | "point" | "either";

const COMMA = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(\.\d{3})+|(?=,))(,\d+)?(e[+-]?\d+)?$/i;
const POINT = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(,\d{3})+|(?=\.))(\.\d*)?(e[+-]?\d+)?$/i;

/** Judged over whole columns, but for texts that say that there is no number: one cell that does not fit leaves the column text, because half a conversion would be worse than none.
 *  The style in which every text is a number, if there is one and a comma occurs. */
function findStyle(texts: readonly string[]): DecimalStyle | undefined {
  let comma = true;
  let point = true;
  let commas = false;
  for (const padded of texts) {
    const text = padded.trim();
    if (isNoValue(text)) continue;
    comma &&= COMMA.test(text);
    point &&= POINT.test(text);
    if (!comma && !point) return undefined;
    commas ||= text.includes(",");
  }
  if (!commas) return undefined;
  return comma && point ? "either" : comma ? "comma" : "point";
}

const FEWEST_PAIRS = 10;

/** "4,5", "3,3", "5,4" in every cell, with the same few digits before and behind the comma: tenths would have others too. */
function areTwoRatings(texts: readonly string[], cells: number): boolean {
  const parts = texts.map((text) => /^([0-5]),([0-5])$/.exec(text.trim()));
  if (cells < FEWEST_PAIRS || parts.includes(null)) return false;
  const before = new Set(parts.map((part) => part![1]));
  const behind = new Set(parts.map((part) => part![2]));
  return behind.size >= 3 && behind.size === before.size && [...behind].every((digit) => before.has(digit));
}

/** Whether the text holds a comma and is a number in one of the styles. */
function hasNumericComma(padded: string): boolean {
  const text = padded.trim();
  return text.includes(",") && (COMMA.test(text) || POINT.test(text));
}

/** The number that the text denotes in this style, or NaN. Integers beyond 2^53 are refused as everywhere in CSV. */
function parseStyled(padded: string, style: "comma" | "point"): number {
  const text = padded.trim();
  if (!(style === "comma" ? COMMA : POINT).test(text)) return Number.NaN;
  const plain = style === "comma" ? text.replaceAll(".", "").replace(",", ".") : text.replaceAll(",", "");
  const value = Number(plain);
  const integer = /^[+-]?\d+$/.test(plain);
  return Number.isFinite(value) && !(integer && Math.abs(value) > Number.MAX_SAFE_INTEGER) ? value : Number.NaN;
}
