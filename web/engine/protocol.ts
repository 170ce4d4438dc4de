/** What the page and its engine, a worker with the whole library, say to each other; plain data. */
import type { Told } from "../../src/io.ts";

export type { Told } from "../../src/io.ts";

/** The settings of a door: what its form holds. What is absent is for the library to choose. */
export type Setting = string | number | boolean | readonly string[];
export type Settings = Readonly<Record<string, Setting | undefined>>;

/** What a door is asked: its settings, what the user says of the columns, the seed. */
export interface Question {
  readonly door: string;
  readonly settings: Settings;
  readonly told: Told;
  readonly seed: string;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  /** The question, where one must be answered first. */
  readonly ask?: AskView;
}

/** A question about the columns; its likely answers, the likeliest first. */
export interface AskView {
  readonly id: string;
  readonly question: string;
  /** Where no answer can be offered. */
  readonly fix: string;
  readonly answers: readonly { readonly text: string; readonly told: Told }[];
  /** Any column may be the answer, in one of these roles. */
  readonly other?: {
    readonly roles: readonly { readonly name: keyof Told; readonly text: string }[];
    readonly columns: readonly string[];
  };
}

/** One thing that the user said. */
export interface ToldView {
  /** As `Told` has it. */
  readonly name: string;
  readonly role: string;
  readonly text: string;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What is known so far, as a sentence. */
  readonly sofar?: string;
  /** An answer of fewer experiments. */
  readonly view?: AnswerView;
}

export interface ColumnView {
  readonly name: string;
  readonly kind: "numeric" | "factor";
  /** Distinct values. */
  readonly levels: number;
  readonly role?: string;
}

export interface RoleView {
  /** As the library has it, and as people say it. */
  readonly role: string;
  readonly text: string;
  readonly column: string | undefined;
  /** Distinct values, where they say more than the name. */
  readonly count: number | undefined;
  /** As the user can say it. */
  readonly name: keyof Told;
  /** The user said it. */
  readonly yours: boolean;
}

/** A file by the name that the command line would take; one of a folder that was dropped has the folder before it. */
export interface GivenFile {
  readonly path: string;
  readonly file: File;
}

/** What the files hold. */
export interface OpenData {
  readonly files: readonly string[];
  readonly summary: string;
  readonly rows: number;
  readonly columns: readonly ColumnView[];
  readonly roles: readonly RoleView[];
  /** What must be answered before a verdict, one after the other. */
  readonly ask?: AskView;
  readonly told: readonly ToldView[];
  /** What decided each role, as sentences. */
  readonly decided: readonly string[];
  /** What the columns are, as a file. */
  readonly reading: string;
  readonly systems: readonly string[];
  readonly metrics: readonly string[];
  /** Whether the files are texts, and the one whose name says that the others are held against it. */
  readonly texts: boolean;
  readonly reference?: string;
  readonly assumed: readonly string[];
  readonly warnings: readonly Failure[];
  readonly offers: readonly Offer[];
  readonly tables: readonly TableView[];
}

/** A question that the data can answer, and the door that answers it. */
export interface Offer {
  readonly question: string;
  readonly note?: string;
  readonly door: string;
  readonly settings: Settings;
}

export interface TableView {
  readonly caption?: string;
  readonly columns: readonly { readonly head: string; readonly numeric: boolean; readonly cells: readonly string[] }[];
  readonly rows: number;
}

export interface FigureView {
  readonly name: string;
  readonly title: string;
  readonly subtitle: string;
  readonly description: string;
}

/** One answer as the page shows it: sentence, number, picture, table, fine print. */
export interface AnswerView {
  readonly kind: string;
  /** The verdict, and its sign as SVG. */
  readonly word?: string;
  readonly sign?: string;
  /** Instead of a verdict: what kind of answer it is. */
  readonly label?: string;
  readonly sentence: string;
  /** Systems, which a line must not break. */
  readonly names: readonly string[];
  readonly number?: { readonly text: string; readonly unit: string; readonly facts: readonly string[] };
  readonly lead: readonly string[];
  readonly tables: readonly TableView[];
  readonly figures: readonly FigureView[];
  readonly warnings: readonly Failure[];
  readonly notes: readonly string[];
  readonly assumed: readonly string[];
  readonly facts: readonly { readonly label: string; readonly text: string }[];
  readonly next: readonly string[];
  readonly command: string;
  readonly call: string;
  readonly seed?: string;
  readonly version: string;
  readonly data: string;
  /** What only this door shows. */
  readonly own: Readonly<Record<string, unknown>>;
}

export type Format = "html" | "tex" | "md" | "csv" | "json" | "paper";

/** Items on which two systems differ, a few of each side. */
export interface FlipsView {
  readonly head: readonly string[];
  readonly total: number;
  readonly shown: readonly (readonly string[])[];
}

/** A sheet line by line: the columns that are shown, their texts, the labels so far. */
export interface SheetView {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly lines: readonly string[];
  readonly labels: readonly string[];
  /** Of what the sheet shows: labels are kept under it. */
  readonly print: string;
}

/** Calls of the engine, by name: what each takes and gives. */
export interface Calls {
  open: { takes: { readonly files: readonly GivenFile[] }; gives: OpenData };
  tell: { takes: { readonly told: Told }; gives: OpenData };
  /** A plan or a policy: the door that it is for, and its settings there; or a reading. */
  read: {
    takes: { readonly name: string; readonly text: string };
    gives: { readonly door: string; readonly settings: Settings } | { readonly told: Told };
  };
  ask: { takes: Question; gives: AnswerView };
  draw: {
    takes: { readonly door: string; readonly figure: string; readonly width: number };
    gives: string;
  };
  /** A picture for outside: SVG with its colours in it, or its data. */
  picture: {
    takes: { readonly door: string; readonly figure: string; readonly as: "svg" | "csv" | "png" };
    gives: string;
  };
  write: { takes: { readonly door: string; readonly as: Format }; gives: string };
  /** The sentence for a paper: asked for when nothing else is under way, since it costs as much as a small answer. */
  paper: { takes: { readonly door: string }; gives: string | undefined };
  flips: {
    takes: { readonly filter: string; readonly better: string; readonly most: number };
    gives: FlipsView;
  };
  flipsCsv: { takes: Record<string, never>; gives: string };
  /** A sheet of outputs that people are to label; and the same, filled in, as a file. */
  sheet: { takes: { readonly path: string }; gives: SheetView };
  sheetCsv: { takes: { readonly path: string; readonly labels: readonly string[] }; gives: string };
}

export type CallName = keyof Calls;

export type ToEngine =
  | { readonly kind: "call"; readonly id: number; readonly name: CallName; readonly takes: unknown }
  | { readonly kind: "stop"; readonly id: number }
  | { readonly kind: "ports"; readonly ports: readonly MessagePort[] }
  | { readonly kind: "serve"; readonly port: MessagePort };

export type FromEngine =
  | { readonly kind: "done"; readonly id: number; readonly gives: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly failure: Failure }
  | ({ readonly kind: "progress"; readonly id: number } & Progress);
