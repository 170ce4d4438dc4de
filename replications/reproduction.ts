/** One published result, computed anew: what was printed, what another tool gives on the same data, and what we give. */

import type { Result, Rng, Runner, Table } from "../src/index.ts";
import type { ReplicatedPicture } from "../src/plot.ts";
import type { ReplicateTask } from "../src/power.ts";

export interface ReproductionRow {
  readonly name: string;
  /** As printed, with the digits that it has, or "<0.0001"; absent where the paper shows a figure without numbers. */
  readonly published?: string;
  /** Where the published figure stands; in the paper unless said. */
  readonly source?: FigureSource;
  /** For figures that were simulated: how far they may lie from the truth. Otherwise half a unit of the last digit. */
  readonly publishedError?: number;
  /** What R gives, or full enumeration where the paper simulated; absent where nothing else can compute it. A verdict is its word. */
  readonly r?: number | string;
  readonly ours: number | string;
  /** The largest |ours - r| that counts as agreement. */
  readonly tolerance: number;
  /** Why the printed figure is another, or what it hides. */
  readonly note?: string;
}

/** Where a figure that is called published can be read. */
export type FigureSource = "paper" | "notebook" | "data file";

/** What was published, and where; a figure of ours that nobody printed is derived. */
export const sourceOf = ({ published, source }: ReproductionRow): FigureSource | "derived" =>
  published === undefined ? "derived" : (source ?? "paper");

/** What a reproduction may use. */
export interface Lab {
  /** The named file of the data folder. */
  table(file: string): Promise<Table>;
  readonly rng: Rng;
  readonly runner: Runner;
  readonly task: ReplicateTask;
  progress(done: number, total: number): void;
  /** Keeps what the published figure draws. */
  show(picture: Picture): void;
}

/** Of a figure: what a library result draws, or curves and times of its own. */
export type Picture =
  | Exclude<ReplicatedPicture, { readonly kind: "result" }>
  | {
      readonly kind: "result";
      readonly name: string;
      readonly result: Result<string>;
      readonly samples?: readonly [string, string];
    };

export interface Reproduction {
  readonly id: string;
  readonly paper: Paper;
  /** Table or figure. */
  readonly where: string;
  readonly shows: string;
  readonly data: readonly string[];
  /** What made the column R. */
  readonly reference: string;
  /** About how long it takes on one thread, in seconds. */
  readonly seconds: number;
  /** What the whole table teaches, beside the notes on its rows. */
  readonly lessons?: readonly string[];
  run(lab: Lab): ReproductionRow[] | Promise<ReproductionRow[]>;
}

/** Where results come from that share their data and what they are compared with. */
type Source = Pick<Reproduction, "paper" | "data" | "reference">;

/** Makes the results of one source; a result may still name data or a reference of its own. */
export const resultsFrom =
  (source: Source) =>
  (own: Omit<Reproduction, keyof Source> & Partial<Source>): Reproduction => ({ ...source, ...own });

export type Paper = "card2020" | "riezler2021" | "howcroft2021";

export const PAPERS: Readonly<Record<Paper, string>> = {
  card2020: "Card et al. (2020), With Little Power Comes Great Responsibility, EMNLP",
  riezler2021: "Riezler & Hagmann (2021), Validity, Reliability, and Significance",
  howcroft2021: "Howcroft & Rieser (2021), What happens if you treat ordinal ratings as interval data?, EMNLP",
};

/** Reproduced to within this share of R's figure, for closed forms and converged fits alike. */
const CLOSE = 1e-6;
/** Of p-values: small ones multiply the error of the statistic by its square. */
export const P_CLOSE = 1e-4;
/** A figure of a simulation may lie this many of its standard errors off. */
export const FOUR_ERRORS = 4;
/** Differences this small are rounding, whatever they are a share of. */
const ROUNDING = 1e-12;

const near = (r: number, relative = CLOSE): number => Math.max(Math.abs(r) * relative, ROUNDING);

interface Figure {
  readonly published?: string | undefined;
  readonly r: number;
  readonly ours: number;
}

export interface Comparison {
  readonly note?: string | undefined;
  /** The share of R's figure within which ours must lie. */
  readonly relative?: number;
  /** The same as a distance, in place of a share. */
  readonly tolerance?: number;
  /** How far a simulated print may lie off; or the trials that it was simulated with, for four of its standard errors. */
  readonly publishedError?: number;
  readonly trials?: number;
  readonly source?: FigureSource | undefined;
}

/** A row: what is printed, what R says, what we compute, and how close the three must be. */
export function compareWith(name: string, { published, r, ours }: Figure, how: Comparison = {}): ReproductionRow {
  const { note, relative = CLOSE, tolerance = near(r, relative), publishedError, trials, source } = how;
  const row = {
    name,
    ...(published === undefined ? {} : { published }),
    r,
    ours,
    tolerance,
    ...(note === undefined ? {} : { note }),
    ...(source === undefined ? {} : { source }),
    ...(publishedError === undefined ? {} : { publishedError }),
  };
  return trials === undefined || published === undefined ? row : simulated(row, trials);
}

export function agreesWithR({ r, ours, tolerance }: ReproductionRow): boolean {
  if (r === undefined) return true;
  if (typeof r === "string" || typeof ours === "string") return r === ours;
  return Number.isNaN(r) ? Number.isNaN(ours) : Math.abs(ours - r) <= tolerance;
}

/** What a paper calls undefined is NaN here. */
export const UNDEFINED = "undefined";

/** Undefined where nothing was printed. */
export function agreesWithPrint({ published, publishedError, ours }: ReproductionRow): boolean | undefined {
  if (published === undefined) return undefined;
  if (typeof ours === "string") return published === ours;
  if (published === UNDEFINED) return Number.isNaN(ours);
  if (published.startsWith("<")) return ours < Number(published.slice(1));
  const printed = Number(published);
  // a figure half way between two prints may have been rounded either way
  const slack = 1 + 1e-6;
  return Math.abs(ours - printed) <= (publishedError ?? halfUnit(published)) * slack;
}

/** The row with its reason, where the print is another figure than ours. */
export function explain(row: ReproductionRow, note: string): ReproductionRow {
  return agreesWithPrint(row) === false ? { ...row, note } : row;
}

/** The row of a figure that the paper simulated: four standard errors of `trials` experiments. */
function simulated(row: ReproductionRow, trials: number): ReproductionRow {
  return { ...row, publishedError: FOUR_ERRORS * shareError(Number(row.published), trials) };
}

/** Standard error of a simulated share; at 0 and 1 that of two more successes and failures. */
export function shareError(share: number, trials: number): number {
  const shifted = (share * trials + 2) / (trials + 4);
  return Math.sqrt((shifted * (1 - shifted)) / trials);
}

/** Half a unit of the last digit: 0.005 for "1.23", 5e-9 for "1.23e-6". */
function halfUnit(text: string): number {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const decimals = mantissa.includes(".") ? mantissa.length - mantissa.indexOf(".") - 1 : 0;
  return 0.5 * 10 ** (Number(exponent) - decimals);
}
