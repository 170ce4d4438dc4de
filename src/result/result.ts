/** What every answer shares: a kind, plain fields, and three methods that show it, print it and write it. */

import { type Display, type DisplaySection, NEXT, type Screen } from "./display.ts";
import { StatError } from "./error.ts";
import { foldCommand } from "./fold-command.ts";
import { decodeJson, encodeJson } from "./json-values.ts";
import { renderText } from "./render/text.ts";
import { displayFault, headFault, notAResult } from "./stored.ts";

/** Something the reader of a result must know; printed with it, never thrown. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: "note" | "warning";
  readonly message: string;
  readonly fix: string;
}

/** Enough to repeat the run. */
export interface Signature<Options extends object = object> {
  readonly method: string;
  readonly version: string;
  readonly options: Options;
  /** Fingerprint of the rows and columns used. */
  readonly data: string;
  readonly seed?: string;
  /** How the rows came about: conditions, then computed columns. */
  readonly where?: readonly string[];
  readonly mutate?: readonly string[];
}

/** One estimated quantity; an undefined part is NaN and has a diagnostic that says why. */
export interface Estimate {
  readonly name: string;
  readonly value: number;
  readonly se: number;
  readonly df: number;
  readonly statistic: number;
  readonly p: number;
  readonly lower: number;
  readonly upper: number;
}

export interface Result<K extends string> {
  readonly kind: K;
  readonly signature: Signature;
  readonly diagnostics: readonly Diagnostic[];
  /** Tables and notes as data at full precision. */
  display(): Display;
  /** The display as text of 80 columns. */
  toString(): string;
  /** The object that `--json` prints, which `reviveResult` reads. */
  toJSON(): object;
}

/** What every written result has. `number` here and in the JSON types of each kind is a number, or what JSON lacks as one
 *  of the strings "NaN", "Infinity" and "-Infinity"; a revived result has the numbers themselves. */
export interface ResultJson<K extends string = string> {
  readonly kind: K;
  /** Of gosset. */
  readonly version: string;
  /** The words that run it again; empty where a program called the library. */
  readonly command: readonly string[];
  readonly signature: Signature;
  /** Of the random numbers, where some were drawn. */
  readonly seed?: string;
  /** Sentences: what may mislead. */
  readonly warnings: readonly string[];
  /** Sentences: what is worth knowing while the numbers stand. */
  readonly notes: readonly string[];
  /** Sentences: what was taken for granted because nobody said otherwise. */
  readonly assumed: readonly string[];
  /** Warnings and notes in their parts. */
  readonly diagnostics: readonly Diagnostic[];
  /** What is printed, at full precision. */
  readonly display: Display;
}

/** What JSON makes of a type, with numbers that stay numbers: what `reviveResult` gives back. */
export type Written<T> = T extends NumberArray
  ? readonly number[]
  : T extends ReadonlyMap<unknown, infer V>
    ? { readonly [key: string]: Written<V> }
    : T extends ReadonlySet<infer V>
      ? readonly Written<V>[]
      : T extends Result<string>
        ? NestedJson<JsonOf<T>>
        : T extends object
          ? { [P in keyof T]: Written<T[P]> }
          : T;

export type NumberArray = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array;

/** The JSON of a result whose own fields are published as they are. */
export type JsonOf<R extends Result<string>> = ResultJson<R["kind"]> & Written<Omit<R, keyof Result<string>>>;

/** What a kind publishes beside what every written result has. */
export type Published<J extends { readonly kind: string }> = Omit<J, keyof ResultJson>;

/** A result within another one. */
export type NestedJson<J> = Omit<J, "command" | "assumed" | "diagnostics" | "display">;

/** What the maker of a result gives: its own fields beside the two that every result has. */
export interface ResultFields {
  readonly signature: Signature;
  readonly diagnostics: readonly Diagnostic[];
}

/** How a result shows, and the fields of its JSON where they are not its own. Both depend on the fields alone. */
export interface Presentation<F> {
  readonly display: (fields: F) => Display;
  readonly json: (fields: F) => object;
}

/** Keys that `toJSON` writes itself, and the methods. */
const RESERVED: ReadonlySet<string> = new Set([
  ..."kind version command seed warnings notes assumed".split(" "),
  ..."display toString toJSON".split(" "),
]);

/** Fields become properties as they are; the methods are not enumerable, so that a structured clone, a spread and a
 *  comparison see the data alone. `display` is called when first needed and must not depend on anything that changes. */
export function makeResult<K extends string, F extends ResultFields>(
  kind: K,
  fields: F,
  presentation: ((fields: F) => Display) | Presentation<F>,
): Result<K> & F {
  const { display, json } =
    typeof presentation === "function" ? { display: presentation, json: undefined } : presentation;
  for (const key of Object.keys(fields)) {
    if (!RESERVED.has(key)) continue;
    throw new StatError("ReservedField", `a result cannot have a field "${key}" of its own.`, "name it otherwise.");
  }
  let shown: Display | undefined;
  const show = (): Display => {
    shown ??= { ...display(fields), diagnostics: fields.diagnostics };
    return shown;
  };
  const { signature, diagnostics, ...own } = fields;
  const write = (): object =>
    writeResult({ kind, signature, diagnostics, published: json?.(fields) ?? own, display: show() });
  return withMethods({ kind, ...fields }, show, write) as unknown as Result<K> & F;
}

function withMethods<T extends object>(data: T, show: () => Display, write: () => object): T {
  const method = (value: unknown): PropertyDescriptor => ({ value, enumerable: false, configurable: true });
  return Object.defineProperties(data, {
    display: method(show),
    toString: method(() => renderText(show())),
    toJSON: method(write),
  });
}

interface Writing extends ResultFields {
  readonly kind: string;
  readonly published: object;
  readonly display: Display;
}

function writeResult({ kind, signature, diagnostics, published, display }: Writing): object {
  const { diagnostics: _printed, ...shown } = display;
  const { assumptions } = published as { readonly assumptions?: readonly string[] };
  // a metric's signature is known as such: what repeats the run then stands under `run`
  const run = Object.hasOwn(published, "signature") ? { run: signature } : { signature };
  return encodeJson({
    kind,
    version: signature.version,
    command: [],
    seed: signature.seed,
    ...sentences(diagnostics),
    assumed: assumptions ?? [],
    ...published,
    ...run,
    diagnostics,
    display: shown,
  }) as object;
}

function sentences(diagnostics: readonly Diagnostic[]): { warnings: string[]; notes: string[] } {
  const said = (severity: Diagnostic["severity"]): string[] =>
    diagnostics
      .filter((own) => own.severity === severity)
      .map(({ message, fix }) => `${capitalised(message)} ${capitalised(fix)}`.trim());
  return { warnings: said("warning"), notes: said("note") };
}

/** As a sentence begins. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What is known around a result: how the data were read, what was computed beside it, what called it. */
export interface Addition {
  readonly command?: readonly string[] | undefined;
  readonly seed?: string | undefined;
  readonly where?: readonly string[] | undefined;
  readonly mutate?: readonly string[] | undefined;
  /** Whole sentences, each with its full stop. */
  readonly assumed?: readonly string[] | undefined;
  /** About the data: said before the result's own. */
  readonly reading?: readonly Diagnostic[] | undefined;
  /** Said after them. */
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  /** After the result's own sentences, tables and notes. */
  readonly summary?: readonly string[] | undefined;
  readonly tables?: Display["tables"];
  /** What was asked for beside the answer: on one screen too. */
  readonly screenTables?: Display["tables"];
  readonly notes?: readonly string[] | undefined;
  /** Fields of the result that its JSON lacks. */
  readonly fields?: object | undefined;
  /** Of the JSON. */
  readonly published?: object | undefined;
  /** What to ask next, as commands instead of calls; they go into the JSON too. */
  readonly commands?: readonly string[] | undefined;
  /** How warnings and notes name options where they are read: a program says `cluster`, a command line `--cluster`. */
  readonly wording?: (sentence: string) => string;
}

/** Who reads one screen sees what was taken for granted. */
function addToScreen(
  screen: Screen,
  {
    assumed,
    wording,
    screenTables,
  }: { readonly [K in "assumed" | "wording" | "screenTables"]: NonNullable<Addition[K]> },
): Screen {
  const { title, summary, facts, tables } = screen;
  const earlier = facts.filter(({ label }) => label === ASSUMED).map(({ text }) => text);
  const told = assumed.length === 0 ? [] : [{ label: ASSUMED, text: joinSentences([...earlier, ...assumed]) }];
  const kept = told.length === 0 ? facts : facts.filter(({ label }) => label !== ASSUMED);
  return {
    title: wording(title),
    tables: [...tables, ...screenTables],
    summary: summary.map(wording),
    facts: [...kept, ...told].map(({ label, text }) => ({ label, text: wording(text) })),
  };
}

const ASSUMED = "Assumed";

/** Each once, in a row: whoever assumes something writes a sentence, which may hold a semicolon of its own. */
const joinSentences = (texts: readonly string[]): string => [...new Set(texts)].join(" ");

/** What was taken for granted, in one line; none where nothing was. */
export const assumedLine = (assumed: readonly string[]): string[] =>
  assumed.length === 0 ? [] : [`Assumed: ${joinSentences(assumed)}`];

/** The same result with what else is known: its print and its JSON have both. */
export function addToResult<R extends Result<string>>(result: R, addition: Addition): R {
  const { command, where = [], mutate = [], reading = [], summary, tables = [], notes = [], assumed = [] } = addition;
  const { wording = (sentence) => sentence, screenTables = [] } = addition;
  const diagnostics = [...reading, ...result.diagnostics, ...(addition.diagnostics ?? [])].map((own) => ({
    ...own,
    message: wording(own.message),
    fix: wording(own.fix),
  }));
  const steps = { ...(where.length === 0 ? {} : { where }), ...(mutate.length === 0 ? {} : { mutate }) };
  const signature = { ...result.signature, ...steps };
  const worded = ({ heading, items, ...rest }: DisplaySection): DisplaySection => ({
    ...rest,
    heading: wording(heading),
    items: items.map((item) => ({ ...item, text: wording(item.text) })),
  });
  const show = (): Display => {
    const own = result.display();
    return {
      ...own,
      ...(summary === undefined && own.summary === undefined
        ? {}
        : { summary: [...(own.summary ?? []), ...(summary ?? [])].map(wording) }),
      ...(own.sections === undefined ? {} : { sections: withCommands(own.sections, addition.commands).map(worded) }),
      tables: [...own.tables, ...tables].map((table) =>
        table.caption === undefined ? table : { ...table, caption: wording(table.caption) },
      ),
      notes: [...own.notes, ...notes].map(wording),
      ...(own.screen === undefined ? {} : { screen: addToScreen(own.screen, { assumed, wording, screenTables }) }),
      diagnostics,
    };
  };
  const write = (): object => {
    const json = result.toJSON() as ResultJson & { readonly run?: Signature };
    const { diagnostics: _printed, ...display } = show();
    const run = json.run === undefined ? { signature } : { run: signature };
    const told = { ...sentences(diagnostics), assumed: [...new Set([...json.assumed, ...assumed])], diagnostics };
    const next = addition.commands === undefined ? {} : { commands: addition.commands };
    const own = { command, seed: addition.seed, ...told, ...addition.published, ...next, ...run, display };
    return { ...json, ...(encodeJson(own) as object) };
  };
  return withMethods({ ...result, ...addition.fields, signature, diagnostics }, show, write);
}

function withCommands(
  sections: readonly DisplaySection[],
  commands: readonly string[] | undefined,
): readonly DisplaySection[] {
  if (commands === undefined) return sections;
  const code = commands.flatMap(foldCommand);
  return sections.map((section) =>
    section.heading === NEXT ? { ...section, items: section.items.map((item) => ({ ...item, code })) } : section,
  );
}

/** What `reviveResult` gives: the published fields as they were, and the same print. */
export type Revived<J> = Omit<J, "display"> & Pick<Result<string>, "display" | "toString" | "toJSON">;

/** The result that `toJSON` or `--json` wrote, of any version, given as its object or as JSON text. */
export function reviveResult<J extends { readonly kind: string } = ResultJson>(json: unknown): Revived<J> {
  const value = typeof json === "string" ? parse(json) : json;
  if (!isWrittenResult(value)) throw notAResult("its kind, diagnostics or display is missing");
  if (nestsBeyond(value, MOST_NESTED)) throw notAResult("its lists or objects are nested too deeply");
  const { display: stored, ...own } = value;
  const fields = decodeJson(own) as Omit<ResultJson, "display">;
  const display = { ...(decodeJson(stored) as Display), diagnostics: fields.diagnostics };
  const fault = headFault(own) ?? displayFault(display);
  if (fault !== undefined) throw notAResult(fault);
  return withMethods(
    fields,
    () => display,
    () => value,
  ) as unknown as Revived<J>;
}

/** Far more than any result has, and far less than fills the stack. */
const MOST_NESTED = 200;

function nestsBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => nestsBeyond(part, levels - 1));
}

function isWrittenResult(value: unknown): value is ResultJson {
  if (typeof value !== "object" || value === null) return false;
  const { kind, diagnostics, display } = value as Record<string, unknown>;
  return (
    typeof kind === "string" &&
    !(kind in Object.prototype) &&
    Array.isArray(diagnostics) &&
    typeof display === "object" &&
    display !== null &&
    Array.isArray((display as Record<string, unknown>)["tables"])
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notAResult(error instanceof Error ? error.message : String(error));
  }
}
