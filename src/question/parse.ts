/** Texts of the command line as values of options, and back. A wrong one is one clear line, before any file is read. */
import { StatError } from "../result/error.ts";
import { nearest } from "../result/suggest.ts";
import { flagNameOf, isGiven, keyOfFlag, type OptionSpec, type OptionsOf, type OptionTable } from "./option.ts";

/** Options as the parser of the command line keeps them: texts and lists of texts by their flags. */
export function parseOptions<T extends OptionTable>(table: T, kept: object): OptionsOf<T> {
  const texts = kept as Readonly<Record<string, unknown>>;
  const parsed = Object.entries(table).flatMap(([name, spec]) => {
    const flag = flagNameOf(name, spec);
    const text = texts[keyOfFlag(flag)];
    // the parser has true for a --no-… that was not given
    if (!isGiven(text) || (spec.takes === "off" && text === true)) return [];
    return [[name, parseOption(spec, text as string | boolean | readonly string[], flag)] as const];
  });
  return Object.fromEntries(parsed) as OptionsOf<T>;
}

function parseOption(spec: OptionSpec, given: string | boolean | readonly string[], flag: string): unknown {
  if (spec.takes === "some") return parseSome(given, flag);
  if (typeof given === "boolean") return given;
  if (spec.takes === "map") return parseMap([given].flat(), spec.each, flag);
  if (typeof given !== "string") return spec.takes === "list" ? splitParts(given, flag, spec.loose) : given;
  const fault = spec.fault?.(given);
  if (fault !== undefined) throw new StatError("BadOption", `${flag} ${given}: ${fault[0]}.`, fault[1]);
  switch (spec.takes) {
    case "text":
      return spec.named?.[given] ?? given;
    case "choice":
      return chosen(given, spec.choices, flag);
    case "word":
      return spec.words[given];
    case "choices":
      return (splitList(given) ?? [given]).map((one) => chosen(one, spec.choices, flag));
    case "list":
      return splitParts([given], flag, spec.loose);
    case "number":
      return withinBounds(parseNumber(given, flag), spec, flag);
    case "positive":
      return parsePositive(given, flag);
    case "fraction":
      return parseProbability(given, flag);
    case "count":
      return spec.least === 0 && given.trim() === "0" ? 0 : parseCount(given, flag);
    case "numbers":
      return parseNumbers(given, flag);
    case "size":
      return parseSize(given);
    default:
      return given;
  }
}

const splitParts = (texts: readonly string[], flag: string, loose = false): string[] =>
  loose ? texts.flatMap((text) => splitList(text) ?? [text]) : splitNames(texts, flag);

function chosen(text: string, choices: readonly string[], flag: string): string {
  if (choices.includes(text)) return text;
  const near = nearest(text, choices);
  const fix = `${near === undefined ? "" : `Did you mean ${near}? `}Choose among ${choices.join(", ")}.`;
  throw new StatError("BadOption", `${flag} ${text}: there is no such choice.`, fix);
}

function withinBounds(value: number, { least = -Infinity, most = Infinity, ...spec }: Bounded, flag: string): number {
  if (value >= least && value <= most) return value;
  const bounds = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  const example = `Write for example ${flag} ${spec.default ?? Math.max(least, 1)}.`;
  throw new StatError("BadOption", `${flag} ${value}: not a number ${bounds}.`, example);
}

type Bounded = { readonly least?: number; readonly most?: number } & Pick<OptionSpec, "default">;

/** true stands for the bare flag; it may be given several times. */
function parseSome(given: string | boolean | readonly (string | boolean)[], flag: string): "all" | "none" | string[] {
  const texts = [given].flat();
  if (texts.some((text) => text === true || text === "all")) return "all";
  if (texts.includes("none")) return "none";
  return splitNames(texts as string[], flag);
}

type Each = Extract<OptionSpec, { readonly takes: "map" }>["each"];

function parseMap(texts: readonly string[], each: Each, flag: string): Readonly<Record<string, unknown>> {
  if (each === "names") return Object.fromEntries(texts.map((text) => parseLevels(text, flag)));
  if (each === "numbers") return Object.fromEntries(texts.map((text) => parseRange(text, flag)));
  return Object.fromEntries(
    splitNames(texts, flag).map((part) => {
      const at = part.lastIndexOf("=");
      const own = `${flag} ${part.slice(0, at)}=`;
      if (at < 1) throw new StatError("BadOption", `${flag} ${part}: no name=number.`, `Write ${flag} name=20.`);
      const value = part.slice(at + 1);
      return [part.slice(0, at), each === "count" ? parseCount(value, own) : parseAmount(value, own)];
    }),
  );
}

const parseAmount = (text: string, flag: string): number => withinBounds(parseNumber(text, flag), { least: 0 }, flag);

/** `col=a,b,c` → ["col", ["a", "b", "c"]]; a level with a comma is written "a,b" in quotes, as in CSV, or a\,b. */
export function parseLevels(text: string, flag: string): [string, string[]] {
  const at = text.indexOf("=");
  if (at < 1) {
    const what = at < 0 ? 'no "=" between the column and its levels' : 'no column name before "="';
    throw new StatError("BadOption", `${flag} ${text}: ${what}.`, `Write ${flag} column=first,second,third.`);
  }
  const levels = splitList(text.slice(at + 1));
  if (levels === undefined) {
    throw new StatError(
      "BadOption",
      `${flag} ${text}: a quotation mark is opened and not closed around a whole level.`,
      `Write ${flag} 'column=first,"second, with a comma",third'.`,
    );
  }
  if (levels.some((level) => level === "")) {
    throw new StatError("BadOption", `${flag} ${text}: an empty level.`, `Write ${flag} column=first,second,third.`);
  }
  return [text.slice(0, at), levels];
}

/** `rater=1-12`, `rater=1,2,5`. */
function parseRange(text: string, flag: string): [string, number[]] {
  const at = text.lastIndexOf("=");
  const list = text
    .slice(at + 1)
    .split(",")
    .flatMap((part) => {
      const range = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part);
      const [from, to] = [Number(range?.[1]), Number(range?.[2] ?? range?.[1])];
      if (at < 1 || range === null || from < 1 || to < from || to - from > MOST_NUMBERS) {
        const fix = `Write ${flag} rater=1-12 or ${flag} rater=1,2,5.`;
        throw new StatError("BadOption", `${flag} ${text}: not numbers of a facet.`, fix);
      }
      return Array.from({ length: to - from + 1 }, (_, i) => from + i);
    });
  return [text.slice(0, at).trim(), list];
}

const MOST_NUMBERS = 1000;

/** Settings of a form, which are kept by the flags' names, as options: words become values, one text is a list of one. */
export function formOptions<T extends OptionTable>(table: T, settings: object): OptionsOf<T> {
  const kept = settings as Readonly<Record<string, unknown>>;
  const options = Object.entries(table).flatMap(([name, spec]) => {
    const setting = kept[keyOfFlag(flagNameOf(name, spec))];
    const value = typeof setting === "string" ? setting.trim() : setting;
    if (!isGiven(value) || value === "") return [];
    if (spec.takes === "word") return [[name, spec.words[value as string]] as const];
    return [[name, spec.takes === "texts" || spec.takes === "list" ? [value].flat() : value] as const];
  });
  return Object.fromEntries(options) as OptionsOf<T>;
}

/** Whether its value is a number or one of a few words, which tell nothing of the data. */
const tellsNothing = ({ takes }: OptionSpec): boolean => !["text", "texts", "list"].includes(takes);

/** Settings that a link may hold. */
export const sharedSettings = (table: OptionTable): string[] =>
  Object.entries(table).flatMap(([name, spec]) => (tellsNothing(spec) ? [keyOfFlag(flagNameOf(name, spec))] : []));

/** The options as words of a command; what is undefined or empty is left out. */
export function commandWords(table: OptionTable, options: object): string[] {
  const given = options as Readonly<Record<string, unknown>>;
  return Object.entries(table).flatMap(([name, spec]) => {
    const value = given[name];
    const flag = flagNameOf(name, spec);
    if (!isGiven(value) || value === "") return [];
    if (spec.takes === "off") return value === false ? [flag] : [];
    if (spec.takes === "switch") return value === true ? [flag] : [];
    if (spec.takes === "word") return [flag, Object.keys(spec.words).find((word) => spec.words[word] === value)!];
    if (spec.takes === "texts") return (value as readonly string[]).flatMap((one) => [flag, one]);
    if (spec.takes === "size") return [flag, sizeText(value as number)];
    if (spec.takes === "map") return Object.entries(value as object).flatMap(([key, own]) => [flag, `${key}=${own}`]);
    if (spec.takes === "text") return [flag, nameOfText(String(value), spec.named)];
    if (spec.takes === "list") return [flag, typeof value === "string" ? value : joinList(value as string[])];
    return [flag, Array.isArray(value) ? value.join(",") : String(value)];
  });
}

const nameOfText = (text: string, named: Readonly<Record<string, string>> = {}): string =>
  Object.keys(named).find((name) => named[name] === text) ?? text;

/** Parts with a comma stand in quotes, as in CSV. */
const joinList = (parts: readonly string[]): string =>
  parts.map((part) => (part.includes(",") ? `"${part.replaceAll('"', '""')}"` : part)).join(",");

/** Parts between commas, each plain or in quotes; undefined if a part that opens with a quote is not one quotation. */
export function splitList(text: string): string[] | undefined {
  // a quotation with doubled quotes inside, or anything up to a comma that no backslash protects
  const parts = text.match(/(?<=^|,)\s*(?:"(?:[^"]|"")*"\s*(?=,|$)|(?:\\,|[^,])*)/g) ?? [];
  const plain = parts.map((part) => part.trim());
  if (plain.some((part) => part.startsWith('"') && !/^"(?:[^"]|"")*"$/.test(part))) return undefined;
  return plain.map((part) =>
    part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part.replaceAll("\\,", ","),
  );
}

/** `--facets a,b` or `--facets a --facets b`; a name with a comma stands in quotes. */
export function splitNames(texts: readonly string[], flag: string): string[] {
  return texts.flatMap((text) => {
    const parts = splitList(text);
    if (parts?.every((part) => part !== "")) return parts;
    throw new StatError("BadOption", `${flag} ${text}: not a list of names.`, `Write ${flag} a,b.`);
  });
}

export function parseProbability(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value > 0 && value < 1)) {
    throw new StatError(
      "BadOption",
      `${flag} ${text}: not a number between 0 and 1.`,
      `Write for example ${flag} ${flag === "--alpha" ? "0.05" : "0.95"}.`,
    );
  }
  return value;
}

/** What is drawn is held in memory, and more than this shows nothing that a tenth does not. */
const MOST_DRAWS = 10_000_000;
const MOST_COUNTED = 1_000_000_000;

export function parseCount(text: string, flag: string): number {
  const value = Number(text);
  const most = flag === "--replicates" ? MOST_DRAWS : MOST_COUNTED;
  if (Number.isFinite(value) && value > most) {
    throw new StatError("BadOption", `${flag} ${text}: more than ${most}.`, `Write for example ${flag} 1000.`);
  }
  if (text.trim() === "" || !Number.isInteger(value) || value < 1) {
    throw new StatError("BadOption", `${flag} ${text}: not a whole number above 0.`, `Write for example ${flag} 1000.`);
  }
  return value;
}

export function parseNumber(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new StatError("BadOption", `${flag} ${text}: not a number.`, `Write for example ${flag} 0.8.`);
}

export function parsePositive(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && Number.isFinite(value)) return value;
  throw new StatError("BadOption", `${flag} ${text}: not a number above 0.`, `Write for example ${flag} 0.01.`);
}

function parseNumbers(text: string, flag: string): number[] {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (numbers.every(Number.isFinite)) return numbers;
  throw new StatError("BadOption", `${flag} ${text}: not a list of numbers.`, `Write for example ${flag} 15,55.`);
}

/** "4G", "500 MB" in bytes. */
export function parseSize(text: string): number {
  const [, digits = "", unit = ""] = /^([\d.]+)\s*([kmgt]?)/i.exec(text.trim()) ?? [];
  return Math.floor(Number(digits) * 1024 ** UNITS.indexOf(unit.toUpperCase()));
}

const UNITS = ["", "K", "M", "G", "T"];

function sizeText(bytes: number): string {
  const power = UNITS.findLastIndex((_, k) => bytes % 1024 ** k === 0);
  return `${bytes / 1024 ** power}${UNITS[power]}`;
}
