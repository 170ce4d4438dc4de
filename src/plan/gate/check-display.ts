/** The operating rates of a gate on the screen. */
import type { FieldsOf } from "../../models/fit.ts";
import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { binomialInterval } from "../../significance/intervals/binomial.ts";
import type { GateCheckResult } from "./check.ts";
import type { GateNeed } from "./needed.ts";
import { ADVICE } from "./outcome-display.ts";

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
    head: ["task", "tier", "items", "margin", "passes unchanged", "fails at 2 margins"],
    formats: ["text", "text", "integer", "number", "percent", "percent"] as const,
    rows: tasks.map((own) => [own.task, own.tier, own.n, own.margin, own.passes, own.fails]),
  };
  // all of a few runs is not all of those to come
  const rate = (share: number): string => {
    const { lower, upper } = binomialInterval(Math.round(share * replicates), replicates);
    return `${percent(share)} (${(100 * lower).toFixed(1)} to ${(100 * upper).toFixed(1)})`;
  };
  const sentences = [
    `A change with no effect passes in ${rate(none!.pass)} of runs, fails in ${percent(none!.fail)} and is inconclusive in ${percent(none!.inconclusive)}; one that loses every margin passes in ${rate(margin!.pass)}; one that loses twice as much fails in ${rate(twice!.fail)}.`,
    ...tellNeeds(needed, power),
  ];
  return {
    title: "What this gate would do",
    summary: sentences,
    tables: [table(scenarios), each],
    notes: [
      `${replicates.toLocaleString("en")} runs of the whole gate at ${formatNumber(alpha)}, drawn from the pilot, with 95 % intervals in brackets; a task's own figures are without correction over the others.`,
    ],
  };
}

/** What leaves the gate inconclusive however many items there are, or in the largest design. */
function tellOpen(open: GateNeed["open"]): string {
  if (open === undefined) return ".";
  const { reason, always, items } = open;
  if (reason === "underpowered") return `: with ${items} items the margins are still too small for this noise.`;
  if (reason !== "coverage")
    return `: with ${items} items it is most often inconclusive (${reason}). ${ADVICE[reason]}`;
  const how = always
    ? "missing scores keep the gate inconclusive at any number of items, because in the worst case they cost an unchanged candidate more than the margin"
    : `with ${items} items the gate is most often inconclusive because of missing scores`;
  return `: ${how}. Run and score them, or say in a policy file how they count (unscored: complete, or unscored: wrong).`;
}

/** Alike for every number of runs: told once. */
function tellNeeds(needed: readonly GateNeed[], power: number): string[] {
  const ends = new Set(needed.map(({ items, open }) => (items.length > 0 ? undefined : tellOpen(open))));
  const [end] = ends;
  if (ends.size > 1 || end === undefined) {
    const [within, without] = [
      needed.filter(({ items }) => items.length > 0),
      needed.filter(({ items }) => items.length === 0),
    ];
    const told =
      within.length === 0
        ? []
        : [
            `For a probability of ${formatNumber(power)} each (unchanged passes, two margins lost on any one task fail): ${within.map((own) => tellNeed(own, needed.length > 1)).join("; or ")}.`,
          ];
    return [...told, ...without.map((own) => tellNone(runsOf(own, needed.length > 1), power, tellOpen(own.open)))];
  }
  const runs = needed.map(({ repeats }) => String(repeats));
  const told =
    needed.length === 1
      ? runsOf(needed[0]!, false)
      : `, with ${runs.slice(0, -1).join(", ")} or ${runs.at(-1)} runs of each,`;
  return [tellNone(told, power, end)];
}

/** One run of each goes without saying where no other number was tried. */
const runsOf = ({ repeats }: GateNeed, several: boolean): string =>
  repeats > 1 ? ` and ${repeats} runs of each` : several ? " and 1 run of each" : "";

const tellNone = (runs: string, power: number, end: string): string =>
  `No number of items up to the limit${runs} passes an unchanged candidate, and fails one that loses two margins on one task, with probability ${formatNumber(power)} each${end}`;

function tellNeed(need: GateNeed, several: boolean): string {
  const { items, factor } = need;
  const sizes = new Set(items.map((own) => own.items));
  const told =
    sizes.size === 1
      ? `${items[0]!.items} items${items.length > 1 ? " of each task" : ""}`
      : items.map((own) => `${own.task} ${own.items}`).join(", ");
  return `${told}${runsOf(need, several)} (${factor.toFixed(1)} times the pilot's answers)`;
}
