/** What the readers of several files and columns had to say, each thing once. */
import type { Table } from "../data/table.ts";
import { listNames } from "../result/quote.ts";
import type { Diagnostic } from "../result/result.ts";
import { countOf } from "./detect.ts";
import type { Reading } from "./join-tables.ts";

/** `table` is what became of the files: a nested cell that was unrolled is not said to be nested. */
export function mergeNotes(readings: readonly Reading[], table: Table): Diagnostic[] {
  const merged = new Map<string, { first: Diagnostic; files: Set<string> }>();
  for (const { name, diagnostics } of readings) {
    for (const diagnostic of diagnostics) {
      if (diagnostic.code === NESTED && !isNested(table, columnOf(diagnostic))) continue;
      if (diagnostic.code === PADDED && !isPadded(table, columnOf(diagnostic))) continue;
      // "5 (best)" among numbers, which was understood after all
      if (diagnostic.code === NOT_NUMERIC && table.columns.get(columnOf(diagnostic) ?? "")?.kind === "numeric")
        continue;
      const about = columnOf(diagnostic) ?? diagnostic.message.replace(`${name}: `, "");
      const key = JSON.stringify([diagnostic.code, about]);
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { first: diagnostic, files: new Set([name]) });
      else known.files.add(name);
    }
  }
  return joinColumns(
    [...merged.values()].map(({ first, files }) =>
      files.size === 1
        ? first
        : {
            ...first,
            message: `${first.message.replace(/\.$/, "")}; likewise in ${countOf(files.size - 1, "other file")}.`,
          },
    ),
  );
}

const NESTED = "NestedValue";
const PADDED = "PaddedLevels";
const NOT_NUMERIC = "NotNumeric";
const columnOf = ({ message }: Diagnostic): string | undefined => /^column ([^:]+):/.exec(message)?.[1];

function isPadded(table: Table, name: string | undefined): boolean {
  const cells = name === undefined ? undefined : table.columns.get(name);
  return cells?.kind !== "factor" || cells.levels.some((level) => level !== level.trim());
}

function isNested(table: Table, name: string | undefined): boolean {
  const cells = name === undefined ? undefined : table.columns.get(name);
  return cells?.kind === "factor" && cells.levels.some((level) => /^[[{]/.test(level));
}

/** Nested cells, or signs of percent, of several columns are one remark. */
function joinColumns(list: readonly Diagnostic[]): Diagnostic[] {
  return [NESTED, "PercentSign"].reduce(joinRemarks, [...list]);
}

function joinRemarks(list: Diagnostic[], code: string): Diagnostic[] {
  const alike = list.filter((one) => one.code === code && columnOf(one) !== undefined);
  const [first, second] = alike;
  if (first === undefined || second === undefined) return list;
  const names = listNames(alike.map((one) => columnOf(one)!));
  const message = first.message
    .replace(/^column [^:]+:/, () => `columns ${names}:`)
    .replace(/(" was read as [^,"]+), in percent/, "$1, in percent, and so on");
  return list.flatMap((one) => (one === first ? [{ ...first, message }] : alike.includes(one) ? [] : [one]));
}
