/** The operating rates of a gate on the screen. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { GateCheckResult, GateNeed } from "./check.ts";

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

export function displayCheck(fields: FieldsOf<GateCheckResult>): Display {
  const { scenarios, tasks, needed, replicates, alpha, power } = fields;
  const [none, margin, twice] = scenarios;
  const table = (rows: typeof scenarios) => ({
    head: ["if the truth is", "passes", "fails", "inconclusive", "± se"],
    formats: ["text", "percent", "percent", "percent", "percent"] as const,
    rows: rows.map((own) => [own.scenario, own.pass, own.fail, own.inconclusive, own.se]),
  });
  const each = {
    head: ["task", "tier", "items", "margin", "passes unchanged", "fails at twice the margin"],
    formats: ["text", "text", "integer", "number", "percent", "percent"] as const,
    rows: tasks.map((own) => [own.task, own.tier, own.n, own.margin, own.passes, own.fails]),
  };
  const sentences = [
    `A change that changes nothing passes in ${percent(none!.pass)} of runs, fails in ${percent(none!.fail)} and stays open in ${percent(none!.inconclusive)}; one that loses every margin passes in ${percent(margin!.pass)}; one that loses twice as much fails in ${percent(twice!.fail)}.`,
    ...needed.map((own) => tellNeed(own, power)),
  ];
  return {
    title: "What this gate would do",
    summary: sentences,
    tables: [table(scenarios), each],
    notes: [
      `${replicates.toLocaleString("en")} runs of the whole gate at ${formatNumber(alpha)}, drawn from the pilot; a task's own figures are without correction over the others.`,
    ],
  };
}

function tellNeed({ repeats, items, factor }: GateNeed, power: number): string {
  const runs = repeats === 1 ? "" : ` and ${repeats} runs of each`;
  if (items.length === 0)
    return `No number of items that was tried${runs} passes an unchanged candidate, and fails one that loses two margins on one task, with a chance of ${formatNumber(power)} each: the margins are too small for this noise.`;
  const sizes = new Set(items.map((own) => own.items));
  const told =
    sizes.size === 1
      ? `${items[0]!.items} items${items.length > 1 ? " of each task" : ""}`
      : items.map((own) => `${own.task} ${own.items}`).join(", ");
  return `For a chance of ${formatNumber(power)} each (unchanged passes, two margins lost on any one task fail): ${told}${runs} (${formatNumber(Number(factor.toPrecision(2)))} times the pilot).`;
}
