/** The smallest difference that this many items can show: a question of the design, not of the observed difference.
 *  Offered only where the planning command knows all that correlates the rows; elsewhere the comparison itself tells. */

import type { Roles } from "../../data/imported.ts";
import { asFactor, column, selectRows } from "../../data/table.ts";
import { quoteShell } from "../../result/quote.ts";
import { measureDesign } from "../../study/layout.ts";
import { levelOf, type ScoreFacts, scoreNumbers } from "../../study/score-facts.ts";
import type { Offer } from "./command.ts";
import type { Question } from "./question.ts";

import { isConfounded } from "./scores.ts";
import { hangsTogether, isOwnPilot, rowsPerText } from "./terms.ts";

/** Fewer pairs have no standard deviation worth planning with. */
const FEWEST_PAIRS = 3;
const DIGITS = 3;

export function offerSmallestEffect(context: Question): Offer[] {
  const { imported, facts } = context;
  const { roles } = imported;
  if (facts === undefined || imported.items < 2 || roles.parameters.length > 1 || isConfounded(context)) return [];
  const { design } = facts;
  const offer = (scenario: string, options: string): Offer[] => [
    { needs: `mde ${scenario}`, question: askFor(design.systems), command: `gosset mde ${scenario} ${options}` },
  ];
  if (roles.opponent !== undefined) {
    const battles = battlesOfTwo(imported, design.systems);
    return design.items < design.clusters || battles === 0 ? [] : offer("preference", `--n ${battles}`);
  }
  if (isOwnPilot(context)) {
    const plan = planRatings(context, facts);
    return plan === undefined ? [] : offer("likert", plan);
  }
  if (hangsTogether(roles, facts)) return [];
  if (design.systems.length < 2) {
    if (facts.kind !== "binary") return [];
    const best = facts.means.reduce((most, { n, mean }) => (n > 0 ? Math.max(most, mean) : most), 0);
    return offer("accuracy", `--n ${design.items} --baseline ${round(best)}`);
  }
  const [a, b] = scoresOfTwo(facts, roles);
  if (design.pairedItems === 0) {
    const sd = Math.sqrt((squares([...a.values()]) + squares([...b.values()])) / (a.size + b.size - 2));
    const enough = Math.min(a.size, b.size) >= FEWEST_PAIRS && sd > 0;
    return enough ? offer("means", `--design two-sample --n ${a.size} --n2 ${b.size} --sd ${precise(sd)}`) : [];
  }
  const differences = [...a].flatMap(([item, score]) => (b.has(item) ? [b.get(item)! - score] : []));
  const n = differences.length;
  if (n < FEWEST_PAIRS) return [];
  if (facts.kind === "binary") {
    const agreement = differences.filter((difference) => difference === 0).length / n;
    return offer("accuracy", `--n ${n} --agreement ${round(agreement)}`);
  }
  const sd = Math.sqrt(squares(differences) / (n - 1));
  return sd > 0 ? offer("means", `--n ${n} --sd ${precise(sd)}`) : [];
}

/** What the first two fought against each other: battles with others say nothing of their difference. */
function battlesOfTwo({ table, roles }: Question["imported"], [first, second]: readonly string[]): number {
  const [system, opponent] = [roles.system!, roles.opponent!].map((name) => asFactor(column(table, name)));
  const [a, b] = [system!.levels.indexOf(first!), opponent!.levels.indexOf(second!)];
  return system!.codes.filter((code, row) => code === a && opponent!.codes[row] === b).length;
}

/** The spread of the first two systems stands for all. */
function askFor(systems: readonly string[]): string {
  const which = systems.length > 2 ? ` between ${systems[0]} and ${systems[1]}` : "";
  return `What is the minimum detectable effect${which} with data of this size?`;
}

/** The ratings of the first two systems as the pilot: their own spread between raters and items, not that of another study. */
function planRatings({ imported: { roles }, source }: Question, facts: ScoreFacts): string | undefined {
  const columns = { score: facts.name, system: roles.system, rater: roles.rater, item: roles.item };
  const named = Object.entries(columns).map(([role, name]) => `${role}=${name}`);
  const { systems } = facts.design;
  const two = systems.slice(0, 2);
  const cells = column(facts.table, roles.system!);
  const table = selectRows(facts.table, (row) => two.includes(levelOf(cells, row)));
  const { pairedItems, raters } = measureDesign(table, roles);
  if (pairedItems < 2 || raters < 2) return undefined;
  const each = Math.max(1, Math.round(rowsPerText(roles, { table })));
  return [
    `--items ${pairedItems} --raters ${raters}`,
    ...(each < raters ? [`--ratings ${each}`] : []),
    `--pilot ${quoteShell(source.target)} --columns ${quoteShell(named.join(","))}`,
    ...(systems.length > 2 ? [`--systems ${quoteShell(two.join(","))}`] : []),
    // a simulation fits thousands of models
    "--method approx",
  ].join(" ");
}

/** Scores of the first two systems by item; each has one row an item. */
function scoresOfTwo({ table, name, design }: ScoreFacts, roles: Roles): [Map<string, number>, Map<string, number>] {
  const values = scoreNumbers(table, name);
  const [item, system] = [column(table, roles.item!), column(table, roles.system!)];
  // a number that comes again in another task is another item
  const task = roles.task === undefined ? undefined : column(table, roles.task);
  const idOf = (row: number): string =>
    task === undefined ? levelOf(item, row) : JSON.stringify([levelOf(task, row), levelOf(item, row)]);
  const found: [Map<string, number>, Map<string, number>] = [new Map(), new Map()];
  const [one, two] = design.systems;
  for (let row = 0; row < table.rows; row += 1) {
    const name = levelOf(system, row);
    if (name === one || name === two) found[name === one ? 0 : 1].set(idOf(row), values[row]!);
  }
  return found;
}

/** Sum of squared deviations from the mean. */
function squares(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

const round = (value: number): string => String(Number(value.toFixed(DIGITS)));
const precise = (value: number): string => String(Number(value.toPrecision(DIGITS)));
