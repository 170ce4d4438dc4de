/** The lines of a journal: what simulations have drawn, kept so that nothing is drawn twice and nothing false is believed.
 *
 *    {"journal":1,"gosset":"0.1.0","build":"…","node":"v20…","arch":"x64","module":"…","shard":"3/64"}       the first line of a file
 *    {"set":"9f3c…","task":"power/replicates","scenario":"likert","params":{…},"seed":"42"}                 before the first of its pieces
 *    1c22a90f {"set":"9f3c…","from":850,"count":50,"out":[…],"ms":5310}                                     a piece, behind its checksum
 *
 *  A set is named by the hash of all that its answers depend on: version, task, the user's module, scenario, every parameter (defaults
 *  filled in, in the order of names) and seed. Neither the number of experiments nor who draws them is in it, so that a journal serves
 *  shorter and longer runs, one process and many. A line that is torn, damaged or foreign is not believed: its piece is drawn again.
 *  Two lines of one piece must agree in every bit. */
import { StatError } from "../result/error.ts";
import { sha256 } from "../result/hash.ts";
import type { KeptSet, Place } from "./task.ts";

/** Of the lines; a reader of another one refuses them. */
const JOURNAL_FORMAT = 1;
const SET_DIGITS = 16;
const CHECKSUM_DIGITS = 8;

/** Who writes: what must be the same for its lines to be of use, and what is only told. */
export interface Writer {
  readonly gosset: string;
  /** Hash of the code that computes. */
  readonly build?: string | undefined;
  readonly node?: string | undefined;
  readonly arch?: string | undefined;
  /** Hash of a user's own module. */
  readonly module?: string | undefined;
  /** "3/64" */
  readonly shard?: string | undefined;
}

export interface StoredPiece extends Place {
  readonly set: string;
  readonly out: unknown;
  /** Milliseconds since its writer began. */
  readonly ms: number;
}

export interface StoredSet extends KeptSet {
  readonly set: string;
  readonly task: string;
}

/** The same text for the same content, whatever the order in which it was given. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, own) =>
    own !== null && typeof own === "object" && !Array.isArray(own)
      ? Object.fromEntries(Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1)))
      : own,
  );

/** The name of a set: the hash of all that its answers depend on. */
export function nameSet(task: string, { scenario, params, seed }: KeptSet, { gosset, module }: Writer): string {
  return sha256(canonical({ gosset, task, module: module ?? "", scenario, params, seed })).slice(0, SET_DIGITS);
}

export const writeHeader = (writer: Writer): string => JSON.stringify({ journal: JOURNAL_FORMAT, ...writer });

export const writeSet = ({ set, task, scenario, params, seed }: StoredSet): string =>
  `{"set":"${set}","task":${JSON.stringify(task)},"scenario":${JSON.stringify(scenario)},"params":${canonical(params)},"seed":${JSON.stringify(seed)}}`;

export function writePiece(piece: StoredPiece): string {
  const body = JSON.stringify(piece);
  return `${checksum(body)} ${body}`;
}

const checksum = (body: string): string => sha256(body).slice(0, CHECKSUM_DIGITS);

export type Line =
  | { readonly kind: "header"; readonly writer: Writer; readonly format: unknown }
  | { readonly kind: "set"; readonly set: StoredSet }
  | { readonly kind: "piece"; readonly piece: StoredPiece }
  | { readonly kind: "damaged" };

const DAMAGED: Line = { kind: "damaged" };
const PIECE_LINE = /^([0-9a-f]{8}) (\{.*\})$/;

export function readLine(text: string): Line {
  const [, sum, body] = PIECE_LINE.exec(text) ?? [];
  const value = parseObject(body ?? text);
  if (value === undefined) return DAMAGED;
  if (body !== undefined) {
    return checksum(body) === sum && isPiece(value) ? { kind: "piece", piece: value } : DAMAGED;
  }
  if ("journal" in value) return { kind: "header", writer: value as unknown as Writer, format: value["journal"] };
  return isSet(value) ? { kind: "set", set: value } : DAMAGED;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isPiece = (value: object): value is StoredPiece => {
  const { set, from, count, out, ms } = value as Partial<StoredPiece>;
  return typeof set === "string" && isCount(from) && isCount(count) && out !== undefined && typeof ms === "number";
};

const isSet = (value: object): value is StoredSet => {
  const { set, task, scenario, params, seed } = value as Partial<StoredSet>;
  const words = [set, task, scenario, seed].every((word) => typeof word === "string");
  return words && typeof params === "object" && params !== null;
};

/** Undefined where the lines below this header are of use here. */
export function headerFault(line: Line, own: Writer, file: string): StatError | undefined {
  if (line.kind !== "header") return undefined;
  const { format, writer } = line;
  const other =
    format !== JOURNAL_FORMAT
      ? `a journal of format ${JSON.stringify(format)}, and this version reads format ${JOURNAL_FORMAT}`
      : writer.gosset !== own.gosset
        ? `written by Gosset ${JSON.stringify(writer.gosset)}, and this is ${own.gosset}`
        : writer.build !== undefined && own.build !== undefined && writer.build !== own.build
          ? `written by another build of Gosset ${own.gosset} (${typeof writer.build === "string" ? writer.build : JSON.stringify(writer.build)}, this is ${own.build})`
          : undefined;
  if (other === undefined) return undefined;
  return new StatError(
    "OtherVersion",
    `"${file}" is ${other}; their figures must not be mixed.`,
    "Go on with the version that wrote it, or name another folder.",
  );
}

/** An answer as it is stored, and by whom. */
export interface Variant {
  readonly text: string;
  readonly file: string;
}

/** Pieces by their set and place; several variants only where writers disagree. */
export interface PieceIndex {
  add(piece: StoredPiece, file: string): void;
  find(set: string, place: Place): readonly Variant[];
  /** Places of a set that are there. */
  places(set: string): Place[];
}

export function makeIndex(): PieceIndex {
  const sets = new Map<string, Map<string, Variant[]>>();
  const keyOf = ({ from, count }: Place): string => `${from} ${count}`;
  return {
    add({ set, from, count, out }, file) {
      const pieces = sets.get(set) ?? new Map<string, Variant[]>();
      sets.set(set, pieces);
      const key = keyOf({ from, count });
      const text = JSON.stringify(out);
      const known = pieces.get(key);
      if (known === undefined) pieces.set(key, [{ text, file }]);
      else if (known.every((variant) => variant.text !== text)) known.push({ text, file });
    },
    find: (set, place) => sets.get(set)?.get(keyOf(place)) ?? [],
    places: (set) =>
      [...(sets.get(set)?.keys() ?? [])].map((key) => {
        const [from, count] = key.split(" ").map(Number);
        return { from: from!, count: count! };
      }),
  };
}
