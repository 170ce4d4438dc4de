/** A stored result against the same computation done again: identical, or which values differ and by how much.
 *  Every value counts, numbers to the last bit unless a tolerance is given, and so does every sentence and table that a reader is shown
 *  (`display`). What is not compared is how the run was called (`command`) and the version, which is reported. */

import type { Display } from "./display.ts";
import { StatError } from "./error.ts";
import { mostOf } from "./extremes.ts";
import { type JsonOf, makeResult, type Result } from "./result.ts";
import { GOSSET_VERSION } from "./version.ts";

export interface ResultDifference {
  /** Where: "fixed[1].estimate". */
  readonly field: string;
  /** As JSON; empty where that side lacks the field. */
  readonly stored: string;
  readonly computed: string;
  /** |stored - computed| / max(|stored|, |computed|) of two numbers; NaN of anything else. */
  readonly relative: number;
}

export interface VerificationResult extends Result<"verification"> {
  /** What was stored: "comparison", "lmm" … */
  readonly of: string;
  readonly identical: boolean;
  /** Values compared. */
  readonly values: number;
  readonly tolerance: number;
  /** The first of them, up to 100. */
  readonly differences: readonly ResultDifference[];
  readonly differing: number;
  /** Whether the fingerprints of the rows agree. */
  readonly sameData: boolean;
  /** NaN where nothing or no number differs. */
  readonly largestRelative: number;
  readonly versions: { readonly stored: string; readonly computed: string };
}

export type VerificationJson = JsonOf<VerificationResult>;

export interface VerificationOptions {
  /** Relative difference of numbers that still counts as the same; 0 by default. */
  readonly tolerance?: number | undefined;
}

const MOST_LISTED = 100;
const MOST_SHOWN = 10;
const LONGEST = 40;
const NOT_COMPARED: ReadonlySet<string> = new Set(["command", "version"]);

/** Both as `toJSON()` or `--json` wrote them. */
export function verifyResult(stored: object, computed: object, options: VerificationOptions = {}): VerificationResult {
  const { tolerance = 0 } = options;
  if (!(tolerance >= 0)) throw new StatError("BadTolerance", `tolerance ${tolerance} is negative.`, "give 0 or more.");
  const kind = kindOf(stored, "stored");
  const other = kindOf(computed, "computed");
  if (kind !== other)
    throw new StatError(
      "OtherKind",
      `the stored result is of kind ${kind}, the computed one of kind ${other}.`,
      "run the same command.",
    );
  const walk = new Walk(tolerance);
  walk.compare(withoutVersion(strip(stored)), withoutVersion(strip(computed)), "");
  const relatives = walk.found.map(({ relative }) => relative).filter((own) => !Number.isNaN(own));
  return makeResult(
    "verification",
    {
      of: kind,
      identical: walk.found.length === 0,
      values: walk.values,
      tolerance,
      differences: walk.found.slice(0, MOST_LISTED),
      differing: walk.found.length,
      sameData: dataOf(stored) === dataOf(computed),
      largestRelative: relatives.length === 0 ? Number.NaN : mostOf(relatives),
      versions: { stored: versionOf(stored), computed: versionOf(computed) },
      signature: { method: "verification", version: GOSSET_VERSION, options: { tolerance }, data: dataOf(stored) },
      diagnostics: [],
    },
    display,
  );
}

/** Its own alone: a stored field may be called as what every object has. */
const field = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

function kindOf(value: object, which: string): string {
  const kind = field(value, "kind");
  if (typeof kind === "string") return kind;
  throw new StatError("NotAResult", `the ${which} JSON has no kind, so it is no result.`, "give the output of --json.");
}

const versionOf = (value: object): string => String(field(value, "version") ?? "unknown");
const signatureOf = (value: object): object => (field(value, "run") ?? field(value, "signature") ?? {}) as object;
const dataOf = (value: object): string => String(field(signatureOf(value), "data") ?? "");

const strip = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !NOT_COMPARED.has(name)));

/** A version is said, not counted: it is no number of the answer. */
function withoutVersion(value: object): object {
  const bare = (own: unknown): unknown => {
    if (typeof own !== "object" || own === null) return own;
    const { version: _version, ...rest } = own as Readonly<Record<string, unknown>>;
    return rest;
  };
  const names = ["run", "signature"].filter((name) => typeof field(value, name) === "object");
  return { ...value, ...Object.fromEntries(names.map((name) => [name, bare(field(value, name))])) };
}

class Walk {
  readonly found: ResultDifference[] = [];
  values = 0;
  readonly #tolerance: number;

  constructor(tolerance: number) {
    this.#tolerance = tolerance;
  }

  compare(stored: unknown, computed: unknown, where: string): void {
    if (isBranch(stored) && isBranch(computed) && Array.isArray(stored) === Array.isArray(computed)) {
      const named = bothByName(stored, computed);
      if (named !== undefined) this.#compareNamed(named, where);
      else {
        const names = new Set([...Object.keys(stored), ...Object.keys(computed)]);
        for (const name of names) this.compare(field(stored, name), field(computed, name), join(where, name, stored));
      }
      return;
    }
    this.values += 1;
    if (stored === computed) return;
    const relative = relativeDifference(stored, computed);
    if (relative <= this.#tolerance) return;
    this.found.push({ field: where, stored: written(stored), computed: written(computed), relative });
  }

  #compareNamed([stored, computed]: readonly [Named, Named], where: string): void {
    for (const name of new Set([...stored.keys(), ...computed.keys()]))
      this.compare(stored.get(name), computed.get(name), `${where}[${name}]`);
    const [before, now] = [[...stored.keys()], [...computed.keys()]];
    const at = before.length === now.length ? before.findIndex((name, i) => name !== now[i]) : -1;
    if (at < 0) return;
    const texts = { stored: written(before[at]), computed: written(now[at]) };
    this.found.push({ field: `${where}[${at}]`, ...texts, relative: Number.NaN });
  }
}

type Named = ReadonlyMap<string, unknown>;

/** Lists whose entries have different names are compared by these where both have the same or one has more, so that one entry too few is one
 *  difference: systems by their name, groups by their letter, pairs by both of theirs, and texts by themselves. */
function bothByName(stored: object, computed: object): readonly [Named, Named] | undefined {
  const [a, b] = [byName(stored), byName(computed)];
  if (a === undefined || b === undefined) return undefined;
  const isAlike = a.size !== b.size || [...a.keys()].every((name) => b.has(name));
  return isAlike ? [a, b] : undefined;
}

function byName(value: object): Named | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const named = new Map(value.map((own) => [nameOf(own) ?? "", own]));
  return named.size === value.length && !named.has("") ? named : undefined;
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry.length <= LONGEST ? entry : undefined;
  if (!isBranch(entry)) return undefined;
  const text = (name: string): string | undefined => {
    const own = field(entry, name);
    return typeof own === "string" ? own : undefined;
  };
  const [better, worse] = [text("better"), text("worse")];
  const pair = better === undefined || worse === undefined ? undefined : `${better} > ${worse}`;
  return pair ?? text("name") ?? text("letter");
}

const isBranch = (value: unknown): value is object => typeof value === "object" && value !== null;
const join = (where: string, name: string, parent: object): string =>
  Array.isArray(parent) ? `${where}[${name}]` : where === "" ? name : `${where}.${name}`;

function relativeDifference(stored: unknown, computed: unknown): number {
  if (typeof stored !== "number" || typeof computed !== "number") return Number.NaN;
  return Math.abs(stored - computed) / Math.max(Math.abs(stored), Math.abs(computed));
}

function written(value: unknown): string {
  const text = value === undefined ? "" : JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

type Fields = Omit<VerificationResult, "kind" | "display" | "toString" | "toJSON">;

function display(fields: Fields): Display {
  const { of, identical, values, differing, differences, tolerance, largestRelative, versions, sameData } = fields;
  const within = tolerance === 0 ? "to the last digit" : `within a relative ${tolerance}`;
  const title = identical ? `IDENTICAL: the ${of} is reproduced` : `DIFFERENT: the ${of} is not reproduced`;
  const size = Number.isNaN(largestRelative)
    ? ""
    : ` The largest difference of two numbers is ${largestRelative.toPrecision(2)} of their size.`;
  const first = identical
    ? `All ${values} values of the stored result were computed again and agree ${within}.`
    : `${differing} of ${values} values differ.${size}`;
  const hints = [
    ...(!sameData ? ["The data are not those of the stored result: their fingerprint differs."] : []),
    ...(versions.stored === versions.computed
      ? []
      : [`Stored by version ${versions.stored}, computed by ${versions.computed}.`]),
  ];
  const rows = differences.slice(0, MOST_SHOWN).map((own) => [own.field, own.stored, own.computed]);
  return {
    title,
    summary: [first, ...hints],
    tables: identical ? [] : [{ head: ["where", "stored", "computed"], rows }],
    notes:
      differing > MOST_SHOWN ? [`${differing - MOST_SHOWN} more differ; the JSON lists up to ${MOST_LISTED}.`] : [],
  };
}
