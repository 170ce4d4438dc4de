/** EvalPlus' eval_results.json, in its two layouts:
 *    {"eval": {task: [{"base_status": "pass", "plus_status": "fail"}, …]}}
 *    {"eval": {task: {"base": [["success", […]], …], "plus": [["failed", […]], …]}}}
 *  A sample passes `plus` only if it passes `base` too, as EvalPlus counts it; a time-out is a failure. One file a system; folders name them.
 *  Reference: the evaluation program of EvalPlus (Liu et al. 2023, NeurIPS). */

import type { Imported } from "../../data/imported.ts";
import { countOf } from "../detect.ts";
import { readPaths } from "../join-tables.ts";
import { asArray, asObject, asText, getPath } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const PASSED = /^(pass|passed|success)$/i;

interface Outcome {
  readonly base: string | undefined;
  readonly plus: string | undefined;
}

export function importEvalplus(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const names = opened.map(({ file }) => file.name);
  const [systems, runs] = readPaths(names);
  const rows = opened.flatMap((file, k) => readFile(file, systems!.labels[k]!, runs?.labels[k], losses));
  const tasks = new Set(rows.map(({ item }) => item)).size;
  return makeLongTable(rows, {
    format: "evalplus",
    files: names,
    summary: `EvalPlus results: ${countOf(tasks, "task")}, ${countOf(rows.length, "sample")}.`,
    repeatName: "sample",
    higherIsBetter: new Map([
      ["base", true],
      ["plus", true],
    ]),
    mainMetrics: ["plus", "base"],
    assumptions: [
      "A sample passes plus only if it passes base too, as EvalPlus counts it; time-outs are failures.",
      ...(opened.length > 1 ? ["Each file is one system, named by the part of its path that differs."] : []),
    ],
    diagnostics: losses.diagnostics({
      NoStatus: { what: "samples have no status", fix: "They are missing, not failed; run the evaluation again." },
    }),
  });
}

function readFile(file: Opened, system: string, run: string | undefined, losses: Losses): LongRow[] {
  const tasks = file.kind === "json" ? asObject(getPath(file.value, "eval")) : {};
  const lists = Object.entries(tasks).map(([task, value]) => [task, readOutcomes(value)] as const);
  const several = lists.some(([, list]) => list.length > 1);
  return lists.flatMap(([task, list]) =>
    list.map(({ base, plus }, i): LongRow => {
      if (base === undefined && plus === undefined) losses.add("NoStatus", `${file.file.name}, ${task}`);
      const passed = base === undefined ? Number.NaN : Number(PASSED.test(base));
      const scores: [string, number][] = [["base", passed]];
      if (plus !== undefined)
        scores.unshift(["plus", base === undefined ? Number(PASSED.test(plus)) : passed * Number(PASSED.test(plus))]);
      const repeat = several ? (run === undefined ? String(i + 1) : `${run}/${i + 1}`) : run;
      return { system, item: task, repeat, scores: new Map(scores) };
    }),
  );
}

function readOutcomes(value: unknown): Outcome[] {
  if (Array.isArray(value))
    return value.map((sample) => ({
      base: asText(getPath(sample, "base_status")),
      plus: asText(getPath(sample, "plus_status")),
    }));
  const [base, plus] = ["base", "plus"].map((part) => asArray(getPath(value, part)).map(statusOf)) as [
    Status[],
    Status[],
  ];
  return base.map((own, i) => ({ base: own, plus: plus[i] }));
}

type Status = string | undefined;

const statusOf = (entry: unknown): Status => asText(Array.isArray(entry) ? entry[0] : entry);
