/** Harbor's result.json (the runner of Terminal-Bench 2), one file a trial:
 *    {"task_name", "trial_name", "agent_info": {"name", "model_info": {"name"}}, "verifier_result": {"rewards": {"reward": 1}}, "exception_info": {…}}
 *  A trial that ended in an exception and has no reward counts as failed, as Harbor's own mean does; how many there are is said.
 *  Several trials of a task by one agent are repeats. */

import type { Imported } from "../../data/imported.ts";
import { countOf } from "../detect.ts";
import { asNumber, asObject, asText, getPath } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

export function importHarbor(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const seen = new Map<string, number>();
  let broken = 0;
  const rows = opened.flatMap(({ file, ...rest }): LongRow[] => {
    const value = rest.kind === "json" ? rest.value : undefined;
    const item = asText(getPath(value, "task_name"));
    if (item === undefined) return [];
    const system = nameAgent(value);
    const key = JSON.stringify([system, item]);
    const repeat = (seen.get(key) ?? 0) + 1;
    seen.set(key, repeat);
    const rewards = Object.entries(asObject(getPath(value, "verifier_result", "rewards")));
    const failed = rewards.length === 0 && getPath(value, "exception_info") != null;
    if (failed) broken += 1;
    else if (rewards.length === 0) losses.add("NoReward", file.name);
    const scores: [string, number][] = failed ? [["reward", 0]] : rewards.map(([name, part]) => [name, asNumber(part)]);
    const source = asText(getPath(value, "source"));
    return [
      {
        system,
        item,
        repeat,
        scores: new Map(scores),
        ...(source === undefined ? {} : { properties: new Map([["source", source]]) }),
      },
    ];
  });
  const tasks = new Set(rows.map(({ item }) => item)).size;
  const again = rows.some(({ repeat }) => repeat !== 1);
  return makeLongTable(again ? rows : rows.map(({ repeat: _, ...row }) => row), {
    format: "harbor",
    files: opened.map(({ file }) => file.name),
    summary: `Harbor results: ${countOf(tasks, "task")}, ${countOf(rows.length, "trial")}.`,
    repeatName: "trial",
    higherIsBetter: new Map([["reward", true]]),
    mainMetrics: ["reward"],
    assumptions:
      broken === 0
        ? []
        : [
            `${broken} of ${countOf(rows.length, "trial")} ended in an exception without a reward: they count as failures.`,
          ],
    diagnostics: losses.diagnostics({
      NoReward: {
        what: "trials have neither a reward nor an exception",
        fix: "They are missing, not failed; run the verifier again.",
      },
    }),
  });
}

/** The agent with its model: either may be what differs. */
function nameAgent(value: unknown): string {
  const agent = asText(getPath(value, "agent_info", "name"));
  const model = asText(getPath(value, "agent_info", "model_info", "name"));
  return [agent, model].filter((name) => name !== undefined).join(" ") || "agent";
}
