/** Ranks with their sets and letters, what carries them, who beat whom, and ranks over new tasks. */
import { mostOf } from "../../result/extremes.ts";
import type { RankingJson } from "../../significance/ranks/ranks.ts";
import type { Figure } from "../charts/figure.ts";
import { linearTicks } from "../charts/scale.ts";
import type { Tone } from "../draw/style.ts";
import { count, level, percentOf, say } from "./words.ts";

const MOST_RANKED = 100;

export function rankingFigures(json: RankingJson): Figure[] {
  if (json.systems.length > MOST_RANKED) return [];
  return [ranksFigure(json), ...winsFigure(json), ...tasksFigure(json), ...fragilityFigure(json)];
}

/** Longer lists of letters are no column of a figure. */
const LONGEST_LETTERS = 12;
/** From here on rows stand closer. */
const MANY = 40;
const CLOSE = 19;

/** Simultaneous rank sets, best first. */
function ranksFigure({ systems, metric, confidence, separated }: RankingJson): Figure {
  const may = systems.filter(({ lower }) => lower === 1).length;
  const lettered = systems.every(({ groups }) => groups !== "" && groups.length <= LONGEST_LETTERS);
  return {
    name: "ranks",
    title:
      may === 1
        ? `${systems[0]!.name} is the best by ${metric}`
        : `${may} of ${count(systems.length, "systems")} may be the best by ${metric}`,
    subtitle: `Ranks with simultaneous ${level(confidence)} rank confidence sets; ${separated.pairs} of ${separated.of} pairs are separated${lettered ? "; systems that share a letter are not" : ""}`,
    description: `${systems.map((own) => `${own.name} ${own.rank} (${setText(own)})`).join("; ")}.`,
    chart: {
      kind: "rows",
      x: { title: "rank, 1 the best", ticks: rankTicks(systems.length) },
      columns: [{ title: "rank" }, { title: "set" }, ...(lettered ? [{ title: "groups" }] : [])],
      ...(systems.length > MANY && { step: CLOSE }),
      rows: systems.map((own) => ({
        label: own.name,
        marks: [{ mark: "estimate", value: own.rank, lower: own.lower, upper: own.upper, tone: "k1" }],
        cells: [
          { text: `${own.rank}`, bold: true },
          { text: setText(own) },
          ...(lettered ? [{ text: own.groups }] : []),
        ],
      })),
    },
    data: {
      head: ["system", "rank", "lower", "upper", "groups"],
      rows: systems.map((own) => [own.name, own.rank, own.lower, own.upper, own.groups]),
    },
  };
}

/** Whole numbers, the first rank among them. */
const rankTicks = (S: number): number[] =>
  S <= MOST_TICKS
    ? Array.from({ length: S }, (_, k) => k + 1)
    : [1, ...linearTicks([1, S], MOST_TICKS / 2).filter((tick) => tick > 1 && Number.isInteger(tick))];
const MOST_TICKS = 10;

const setText = ({ lower, upper }: { readonly lower: number; readonly upper: number }): string =>
  lower === upper ? `${lower}` : `${lower} to ${upper}`;

const MOST_IN_MATRIX = 12;
const SHADES = 7;

/** Proportion of the votes between two systems that the row won. */
function winsFigure({ votes, systems }: RankingJson): Figure[] {
  if (votes === undefined || systems.length > MOST_IN_MATRIX) return [];
  const names = systems.map(({ name }) => name);
  const won = votes.wins.map((row, j) =>
    row.map((own, k) => (j === k ? Number.NaN : own / (own + votes.wins[k]![j]!))),
  );
  const shade = (value: number): number => Math.max(1, Math.min(SHADES, Math.ceil(SHADES * value)));
  const tiles = won.flatMap((row, j) =>
    row.flatMap((value, k) =>
      Number.isNaN(value)
        ? []
        : [
            {
              ...{ x: k, y: names.length - 1 - j, tone: `s${shade(value)}` as Tone },
              ...{ text: `${Math.round(100 * value)}`, dark: shade(value) >= 5 },
            },
          ],
    ),
  );
  return [
    {
      name: "wins",
      title: "How often the row won against the column",
      subtitle: `Percent of the votes between the two, ties half; systems in order of their strength`,
      description: names
        .map(
          (name, j) =>
            `${name}: ${won[j]!.flatMap((v, k) => (Number.isNaN(v) ? [] : [`${names[k]} ${percentOf(v)}`])).join(", ")}`,
        )
        .join("; "),
      chart: {
        kind: "panels",
        x: { title: "against", names, domain: [-0.5, names.length - 0.5] },
        y: { title: "won by", names: [...names].reverse(), domain: [-0.5, names.length - 0.5] },
        height: Math.min(420, 44 * names.length),
        panels: [{ marks: [{ mark: "tiles", tiles, halfWidth: 0.5, halfHeight: 0.5 }] }],
      },
      data: { head: ["system", ...names], rows: won.map((row, j) => [names[j]!, ...row]) },
    },
  ];
}

/** Ranks that each system may have on one new task. */
function tasksFigure({ overTasks, systems, confidence, tasks }: RankingJson): Figure[] {
  if (overTasks === undefined) return [];
  const rows = overTasks.systems;
  return [
    {
      name: "new-task",
      title: `Ranks on a new task, from those on ${count(tasks.length, "tasks")}`,
      subtitle: `Mean rank, and the ranks that a system may have on one new task (${level(confidence)}, each by itself)`,
      description: `${rows.map((own) => `${own.name} ${say(own.meanRank)} (${setText(own.newTask)})`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: "rank, 1 the best", ticks: rankTicks(systems.length) },
        columns: [{ title: "mean" }, { title: "new task" }],
        ...(rows.length > MANY && { step: CLOSE }),
        rows: rows.map(({ name, meanRank, newTask }) => ({
          label: name,
          marks: [{ mark: "estimate", value: meanRank, ...newTask, tone: "k2" }],
          cells: [{ text: meanRank.toFixed(1), bold: true }, { text: setText(newTask) }],
        })),
      },
      data: {
        head: ["system", "mean rank", "lower", "upper"],
        rows: rows.map(({ name, meanRank, newTask }) => [name, meanRank, newTask.lower, newTask.upper]),
      },
    },
  ];
}

const MOST_PAIRS = 30;

/** Of each pair of neighbors the proportion of units that carries their order. */
function fragilityFigure({ neighbors, fragility }: RankingJson): Figure[] {
  const known = neighbors.flatMap(({ better, worse, dropped }) =>
    dropped === null ? [] : [{ better, worse, dropped }],
  );
  if (fragility === undefined || known.length === 0 || known.length > MOST_PAIRS) return [];
  const { of, units } = fragility;
  const share = (dropped: number): number => dropped / of;
  return [
    {
      name: "fragility",
      title: `How many ${units} carry each order`,
      subtitle: `The fewest of ${of} ${units} without which the second of two neighbors is ahead`,
      description: `${known.map((own) => `${own.better} before ${own.worse}: ${own.dropped}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: {
          title: `proportion of the ${units}`,
          format: "percent",
          domain: [0, Math.max(0.1, mostOf(known.map((own) => share(own.dropped))) * 1.05)],
        },
        columns: [{ title: units }, { title: "percent" }],
        rows: known.map((own) => ({
          label: `${own.better} > ${own.worse}`,
          marks: [{ mark: "bar", from: 0, to: share(own.dropped), tone: "k1" }],
          cells: [{ text: `${own.dropped}`, bold: true }, { text: percentOf(share(own.dropped), 1) }],
        })),
      },
      data: {
        head: ["better", "worse", units, "proportion"],
        rows: known.map((own) => [own.better, own.worse, own.dropped, share(own.dropped)]),
      },
    },
  ];
}
