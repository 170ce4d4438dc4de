/** One column for each run of a system → one row for each run. The names say it plainly: seed1, seed2; run_1_em, run_2_em. Whose runs they are a
 *  column must say: without one, run1 and run2 may be systems. */
import { stackFamilies } from "../../data/reshape.ts";
import type { Table } from "../../data/table.ts";
import { RUN_STEMS, SYSTEM_NAMES } from "../lexicon/names.ts";
import { plainName, splitNumbers } from "../lexicon/words.ts";
import { freshName, hint, type Reshaped } from "./reshaped.ts";

export function findRunColumns(table: Table): Reshaped | undefined {
  const names = [...table.columns.keys()];
  if (!names.some((name) => SYSTEM_NAMES.includes(plainName(name)))) return undefined;
  const found = names.flatMap((name) => {
    const own = table.columns.get(name)!.kind === "numeric" ? readRunName(name) : undefined;
    return own === undefined ? [] : [{ name, ...own }];
  });
  const runs = [...new Set(found.map(({ run }) => run))];
  const metrics = [...new Set(found.map(({ metric }) => metric))];
  if (runs.length < 2 || found.length !== runs.length * metrics.length) return undefined;
  const families = metrics.map((metric) => ({
    name: freshName(table, metric || "value"),
    columns: runs.map((run) => found.find((own) => own.run === run && own.metric === metric)?.name),
  }));
  if (families.some(({ columns }) => columns.includes(undefined))) return undefined;
  const key = freshName(table, "run");
  return {
    table: stackFamilies(table, runs, { families, keyName: key }),
    done: [{ id: "runs", columns: found.map(({ name }) => name), into: [key] }],
    hints: [hint("repeat", key), ...families.map(({ name }) => hint("score", name))],
  };
}

function readRunName(name: string): { readonly run: string; readonly metric: string } | undefined {
  const words = splitNumbers(name);
  const at = words.findIndex((word, k) => RUN_STEMS.includes(word) && /^\d+$/.test(words[k + 1] ?? ""));
  if (at < 0) return undefined;
  return { run: words[at + 1]!, metric: [...words.slice(0, at), ...words.slice(at + 2)].join("_") };
}
