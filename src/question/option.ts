/** An option of a question, told once: its flag, help, parsing, type, field of the page and refusals are made of this. Plain data without any
 *  engine, so that the help of the command line stays fast.
 *      OptionSpec     one option: what it takes, what it means, where it applies
 *      QuestionSpec   all options of one question, and what its data may be
 *      OptionsOf<T>   the options of a table as a type
 *  To add one: a line in the table of its question; the function that uses it; a test; the method's page. */

/** What an option takes, and what a text on the command line becomes. */
type Takes =
  /** One text; `texts`: the flag again for each; `named`: words for what is hard to type, tab for a tab. `list`: names between commas. */
  | { readonly takes: "text" | "texts"; readonly named?: Readonly<Record<string, string>> }
  /** `loose`: the parts may be empty. */
  | { readonly takes: "list"; readonly loose?: true }
  | { readonly takes: "positive" | "fraction" | "numbers" | "size" }
  | { readonly takes: "number" | "count"; readonly least?: number; readonly most?: number }
  /** A value for each name: `bili=100`, of numbers `rater=1-12`, of names `grade=low,mid,high`. */
  | { readonly takes: "map"; readonly each: "count" | "amount" | "numbers" | "names" }
  /** A list of names, "none", or "all", which the flag alone says. */
  | { readonly takes: "some" }
  | { readonly takes: "choice"; readonly choices: readonly string[] }
  | { readonly takes: "choices"; readonly choices: readonly string[] }
  /** Words for values of another kind: `higher` for true. */
  | { readonly takes: "word"; readonly words: Readonly<Record<string, boolean>> }
  | { readonly takes: "switch" }
  /** Given as `--no-…`: the value is false. */
  | { readonly takes: "off" };

interface Meaning {
  readonly help: string;
  /** What help calls the value: col for `--item <col>`. */
  readonly value?: string;
  /** The flag, where it is not the option's name. */
  readonly flag?: string;
  /** Told by help. */
  readonly default?: string;
  readonly required?: true;
  /** Under which heading help lists it. */
  readonly group?: string;
  /** Listed by --help-all only. */
  readonly rare?: true;
  /** Kinds of data that have a use for it, or those that have none; default: all have. */
  readonly of?: readonly string[] | undefined;
  readonly not?: readonly string[];
  /** The same of single choices. */
  readonly choiceOf?: Readonly<Record<string, readonly string[]>>;
  /** It does nothing without one of these: "plan", "by=topic"; "--format=csv" of all commands. */
  readonly needs?: readonly string[];
  /** It does nothing next to one of these, which says it. */
  readonly unless?: readonly string[];
  /** What to do where it does nothing; default: leave it out. */
  readonly instead?: string;
  /** What is wrong with a text, and what to write; undefined if nothing is. */
  readonly fault?: (text: string) => readonly [what: string, fix: string] | undefined;
  readonly page?: PageField;
}

/** Its field in the page. */
export interface PageField {
  readonly label: string;
  /** What holds where nothing is chosen. */
  readonly none?: string;
  /** Choices in words, in their order; the others are not offered. */
  readonly words?: Readonly<Record<string, string>>;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly help?: string;
}

export type OptionSpec = Takes & Meaning;
export type OptionTable = Readonly<Record<string, OptionSpec>>;

export interface QuestionSpec {
  readonly name: string;
  /** What the data may be, by the words that a refusal uses. */
  readonly kinds?: Readonly<Record<string, string>>;
  /** Of the library and of the command line. */
  readonly options: OptionTable;
  /** Of the command line alone: how files are read, what is written. */
  readonly command?: OptionTable;
  /** Of scripts alone: no text stands for them. */
  readonly script?: readonly string[];
}

type ValueOf<S> = S extends { readonly takes: "switch" | "off" | "word" }
  ? boolean
  : S extends { readonly takes: "number" | "positive" | "fraction" | "count" | "size" }
    ? number
    : S extends { readonly takes: "numbers" }
      ? readonly number[]
      : S extends { readonly takes: "list" | "texts" }
        ? readonly string[]
        : S extends { readonly takes: "map"; readonly each: infer E }
          ? Readonly<Record<string, EachOf<E>>>
          : S extends { readonly takes: "some" }
            ? "all" | "none" | readonly string[]
            : S extends { readonly takes: "choice"; readonly choices: readonly (infer C)[] }
              ? C
              : S extends { readonly takes: "choices"; readonly choices: readonly (infer C)[] }
                ? readonly C[]
                : string;

type EachOf<E> = E extends "numbers" ? readonly number[] : E extends "names" ? readonly string[] : number;

type Required = { readonly required: true };

export type OptionsOf<T> = {
  readonly [K in keyof T as T[K] extends Required ? never : K]?: ValueOf<T[K]> | undefined;
} & {
  readonly [K in keyof T as T[K] extends Required ? K : never]: ValueOf<T[K]>;
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

/** "--one-hot" of `oneHot`, "--docs" of `documents`. */
export const flagNameOf = (name: string, { flag, takes }: OptionSpec): string =>
  flag ?? `--${takes === "off" ? "no-" : ""}${kebab(name)}`;

/** Under which the parser of the command line keeps it: `inputFormat` of --input-format. */
export const keyOfFlag = (flag: string): string =>
  flag.replace(/^--(no-)?/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** All options of a question, those of the command line last. */
export const allOptions = ({ options, command = {} }: QuestionSpec): OptionTable => ({ ...options, ...command });

export const isGiven = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0);
