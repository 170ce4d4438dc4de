/** The numbers of a test: from the command line, from columns, or from a long table of systems and items. */
import { asNumeric, type Column, column, type Diagnostic, StatError, type Table } from "../../index.ts";
import type { OptionsOf, TEST } from "../../questions.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";

export type TestOptions = OptionsOf<typeof TEST.options>;

/** Several samples with their names; clusters are one code per value of each sample. */
export interface Samples {
  readonly names: readonly string[];
  readonly values: readonly Float64Array[];
  readonly clusters?: readonly Int32Array[];
  /** Row i of every sample is the same item. */
  readonly paired: boolean;
  readonly table?: Table;
  /** What was lost or averaged on the way. */
  readonly diagnostics: readonly Diagnostic[];
}

const bad = (message: string, fix: string): StatError => new StatError("BadOption", message, fix);

export function parseNumbers(text: string, flag: string): number[] {
  const values = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const wrong = text.split(",").find((_, i) => Number.isNaN(values[i]!));
  if (wrong === undefined) return values;
  throw bad(
    `${flag} ${text}: "${wrong}" is not a number.`,
    `Write numbers as ${flag} 1,2.5,3, or give a file before naming its columns.`,
  );
}

export async function readSamples(
  load: Context<DataOptions>["load"],
  path: string | undefined,
  options: TestOptions,
): Promise<Samples> {
  if (path === undefined) return samplesFromFlags(options);
  const table = await load(path);
  if (options.score !== undefined || options.by !== undefined) return samplesFromLong(table, options);
  const names = options.columns ?? [options.x, options.y].filter((name) => name !== undefined);
  if (names.length === 0) throw bad("no columns named.", "Give --x and --y, --columns a,b,c, or --score with --by.");
  const codes = options.cluster === undefined ? undefined : codesOf(column(table, options.cluster));
  return {
    names,
    // fisher crosses columns of any kind
    values: names.map((name) =>
      column(table, name).kind === "factor" && !isTruth(column(table, name))
        ? new Float64Array(0)
        : numbersOf(table, name),
    ),
    ...(codes ? { clusters: names.map(() => codes) } : {}),
    paired: true,
    table,
    diagnostics: [],
  };
}

function samplesFromFlags({ x, y, score, by, columns, cluster }: TestOptions): Samples {
  if (score !== undefined || by !== undefined || columns !== undefined || cluster !== undefined) {
    throw bad(
      "--score, --by, --columns and --cluster name columns, but no file is given.",
      "Write gosset test <name> <file> …",
    );
  }
  // groups may stand in one flag: 1,2,3/4,5,6
  const parts = [x, y].flatMap((text, i) =>
    text === undefined ? [] : text.split("/").map((group) => [group, i === 0 ? "--x" : "--y"] as const),
  );
  return {
    names: parts.map((_, i) => (parts.length === 2 ? ["x", "y"][i]! : `group ${i + 1}`)),
    values: parts.map(([text, flag]) => Float64Array.from(parseNumbers(text, flag))),
    paired: false,
    diagnostics: [],
  };
}

const isTruth = (found: Column): boolean =>
  found.kind === "factor" && found.levels.every((level) => ["true", "false"].includes(level.toLowerCase()));

/** A numeric column; true and false count as 1 and 0. */
export function numbersOf(table: Table, name: string): Float64Array {
  const found = column(table, name);
  if (found.kind === "numeric") return found.values;
  if (isTruth(found)) {
    const values = found.levels.map((level) => Number(level.toLowerCase() === "true"));
    return Float64Array.from(found.codes, (code) => (code < 0 ? Number.NaN : values[code]!));
  }
  const own = asNumeric(found);
  if (own.kind === "numeric") return own.values;
  throw new StatError("NotNumeric", `column ${name} is not numeric.`, "Name a column of numbers.");
}

export function codesOf(found: Column): Int32Array {
  if (found.kind === "factor") return found.codes;
  const codes = new Map<number, number>();
  return Int32Array.from(found.values, (v) => {
    if (!codes.has(v)) codes.set(v, codes.size);
    return codes.get(v)!;
  });
}

function labelsOf(found: Column): string[] {
  if (found.kind === "numeric") return Array.from(found.values, String);
  return Array.from(found.codes, (code) => (code < 0 ? "" : found.levels[code]!));
}

function samplesFromLong(table: Table, options: TestOptions): Samples {
  const { score, by, item, cluster } = options;
  if (score === undefined || by === undefined)
    throw bad("--score and --by belong together.", "Give both, and --item for pairs.");
  const scores = numbersOf(table, score);
  const groups = labelsOf(column(table, by));
  const present = [...new Set(groups)].filter((name) => name !== "").sort();
  const names = options.systems ?? present;
  for (const name of names) {
    if (!present.includes(name)) throw bad(`--systems: no "${name}" in column ${by}.`, `It has ${present.join(", ")}.`);
  }
  const codes = cluster === undefined ? undefined : codesOf(column(table, cluster));
  if (item === undefined) {
    const rows = names.map((name) => groups.flatMap((group, i) => (group === name ? [i] : [])));
    return {
      names,
      values: rows.map((own) => Float64Array.from(own, (i) => scores[i]!)),
      ...(codes ? { clusters: rows.map((own) => Int32Array.from(own, (i) => codes[i]!)) } : {}),
      paired: false,
      table,
      diagnostics: [],
    };
  }
  return pairItems({
    scores,
    groups,
    items: itemsOf(table, item),
    names,
    codes,
    runs: options.run !== undefined,
    table,
  });
}

/** Ids in one column, or in several that name an item together: doc,sentence. */
function itemsOf(table: Table, item: string): string[] {
  const names = table.columns.has(item) ? [item] : item.split(",").map((name) => name.trim());
  const parts = names.map((name) => labelsOf(column(table, name)));
  return parts[0]!.map((_, row) => {
    const ids = parts.map((labels) => labels[row]!);
    return ids.includes("") ? "" : ids.join("\n");
  });
}

interface LongRows {
  readonly scores: Float64Array;
  readonly groups: readonly string[];
  readonly items: readonly string[];
  readonly names: readonly string[];
  readonly codes: Int32Array | undefined;
  /** Whether a column says which run a score is of. */
  readonly runs: boolean;
  readonly table: Table;
}

/** One row per item with a score of every system; repeats of one system on one item are averaged, never counted as items. */
function pairItems({ scores, groups, items, names, codes, runs, table }: LongRows): Samples {
  const place = new Map(names.map((name, j) => [name, j]));
  const found = new Map<string, { sums: number[]; counts: number[]; cluster: number }>();
  let repeats = 0;
  items.forEach((id, i) => {
    const j = place.get(groups[i]!);
    if (j === undefined || id === "" || Number.isNaN(scores[i]!)) return;
    if (!found.has(id))
      found.set(id, { sums: names.map(() => 0), counts: names.map(() => 0), cluster: codes?.[i] ?? 0 });
    const own = found.get(id)!;
    if (own.counts[j]! > 0) repeats++;
    own.sums[j]! += scores[i]!;
    own.counts[j]! += 1;
  });
  const complete = [...found.values()].filter(({ counts }) => counts.every((count) => count > 0));
  const lost = found.size - complete.length;
  if (complete.length === 0)
    throw new StatError(
      "NoPairs",
      `no item has a score of every system (${names.join(", ")}).`,
      "Check --item and --by.",
    );
  const say = (code: string, message: string): Diagnostic => ({ code, severity: "note", message, fix: "" });
  return {
    names,
    values: names.map((_, j) => Float64Array.from(complete, ({ sums, counts }) => sums[j]! / counts[j]!)),
    ...(codes ? { clusters: names.map(() => Int32Array.from(complete, ({ cluster }) => cluster)) } : {}),
    paired: true,
    table,
    diagnostics: [
      ...(lost > 0
        ? [say("Unmatched", `${lost} of ${found.size} items lack a system's score and were left out.`)]
        : []),
      // with its runs named a score is one of a run, and the test takes them as they are
      ...(repeats > 0 && !runs
        ? [say("RepeatsAveraged", `${repeats} repeated scores of a system on an item were averaged.`)]
        : []),
    ],
  };
}
