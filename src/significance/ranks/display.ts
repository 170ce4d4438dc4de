/** A ranking in words and tables. */
import type { Display, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { listNames } from "../../result/quote.ts";
import type { DroppedUnits, RankedVotes, Ranking } from "./ranks.ts";
import type { RankSet } from "./sets.ts";

type Fields = Omit<Ranking, "kind" | "display" | "toString" | "toJSON">;

const MOST_NAMED = 8;
/** More are no column to read: the JSON has them. */
const MOST_LETTERS = 26;

/** "95 %" */
const levelText = (confidence: number): string => `${Number((100 * confidence).toPrecision(6))} %`;

export const rangeText = ({ lower, upper }: RankSet): string => (lower === upper ? `${lower}` : `${lower}-${upper}`);

export function displayRanking(fields: Fields): Display {
  const { systems, metric, confidence, neighbors, groups } = fields;
  const level = levelText(confidence);
  const grouped = groups.length > 0 && groups.length <= MOST_LETTERS;
  const board: DisplayTable = {
    caption: `Ranks by ${metric}, with ${level} rank confidence sets`,
    head: ["rank", "system", metric, "SE", "simultaneous", "marginal", ...(grouped ? ["groups"] : [])],
    formats: ["integer", "text", "number", "number", "text", "text", "text"],
    rows: systems.map((own) => [
      ...[own.rank, own.name, own.score, own.se, rangeText(own), rangeText(own.alone)],
      ...(grouped ? [own.groups] : []),
    ]),
  };
  const repeated = neighbors.some(({ repeats }) => repeats !== null);
  const won = neighbors.some(({ tasksWon }) => tasksWon !== null);
  const apart: DisplayTable = {
    caption: `Neighbors, with simultaneous ${level} intervals; ${unitWord(fields)} needed to separate them with power 80 %`,
    head: [
      ...["better", "worse", "difference", "lower", "upper", "separated", "dropped", "needed", "resolution"],
      ...(repeated ? ["repeats"] : []),
      ...(won ? ["tasks won"] : []),
    ],
    formats: ["text", "text", "number", "number", "number", "text", "text", "integer", "percent", "integer", "integer"],
    rows: neighbors.map((own) => [
      ...[
        own.better,
        own.worse,
        own.difference,
        own.lower,
        own.upper,
        own.separated ? "yes" : "no",
        own.dropped === null ? "" : `${own.dropped}`,
      ],
      ...[own.needed, own.resolution],
      ...(repeated ? [own.repeats!] : []),
      ...(won ? [own.tasksWon!] : []),
    ]),
  };
  const first: DisplayTable = {
    caption: "Proportion of draws in which a system is first",
    head: ["system", "P(best)"],
    formats: ["text", "percent"],
    rows: systems.filter(({ pBest }) => pBest >= 0.001).map((own) => [own.name, own.pBest]),
  };
  const notes = [
    ...(grouped
      ? [
          "Two systems that share a letter are not separated. A letter stands for a maximal set of systems no two of which are separated.",
        ]
      : groups.length > 0
        ? [`The systems fall into ${groups.length} overlapping groups, too many for letters. The JSON lists them.`]
        : []),
    "P(best) is not a confidence statement: use the sets.",
  ];
  const title = titleOf(fields);
  const summary = [
    tellTop(fields),
    tellSeparated(fields),
    tellNeeded(fields),
    ...tellFragile(fields),
    ...tellOdd(fields),
    tellSampled(fields),
  ].filter((text) => text !== "");
  return {
    title,
    summary,
    tables: [
      board,
      ...(fields.of === "totals" ? [withoutNeeded(apart)] : [apart]),
      ...taskTable(fields),
      ...winTable(fields),
      ...oddTable(fields),
      first,
    ],
    notes,
    screen: { title, tables: [board], summary, facts: [] },
  };
}

/** What it would take is not known of totals. */
const withoutNeeded = (table: DisplayTable): DisplayTable => ({
  ...table,
  caption: table.caption!.split(";")[0]!,
  head: table.head.slice(0, -3),
  formats: table.formats!.slice(0, 6),
  rows: table.rows.map((row) => row.slice(0, -3)),
});

const unitWord = ({ clusters, units }: Fields): string => (clusters === null ? units : "clusters");

function titleOf({ systems, metric, confidence }: Fields): string {
  const level = levelText(confidence);
  const may = systems.filter(({ lower }) => lower === 1);
  const [best] = may;
  if (may.length === 1)
    return `${best!.name} is the best of ${systems.length} systems by ${metric} (${level} confidence).`;
  const all = may.length === systems.length;
  return all
    ? `Any of the ${systems.length} systems may be the best by ${metric} (${level} confidence).`
    : `${may.length} of ${systems.length} systems may be the best by ${metric}: ${listNames(
        may.map(({ name }) => name),
        MOST_NAMED,
      )} (${level} confidence).`;
}

function tellTop({ top: { k, may, surely }, systems }: Fields): string {
  if (k === 1) return "";
  const sure =
    surely.length === 0
      ? "none of them surely is"
      : `${listNames(surely, MOST_NAMED)} surely ${surely.length === 1 ? "is" : "are"}`;
  return may.length === systems.length
    ? `Any system may be among the ${k} best; ${sure}.`
    : `${may.length} systems may be among the ${k} best: ${listNames(may, MOST_NAMED)}; ${sure}.`;
}

function tellSeparated({ separated, neighbors }: Fields): string {
  const apart = neighbors.filter((own) => own.separated).length;
  return `${separated.pairs} of ${separated.of} pairs are separated, ${apart} of ${neighbors.length} pairs of neighbors.`;
}

/** What separates the first from the second. */
function tellNeeded(fields: Fields): string {
  const [first] = fields.neighbors;
  if (first === undefined || first.separated || Number.isNaN(first.needed)) return "";
  const { better, worse, needed, repeats } = first;
  if (!Number.isFinite(needed))
    return `${better} and ${worse} have the same score: no number of ${unitWord(fields)} separates them.`;
  const own = fields.clusters === null ? fields.n : fields.clusters;
  const instead =
    repeats === null
      ? ""
      : Number.isFinite(repeats)
        ? `, or ${formatNumber(repeats, "integer")} repeats of each item`
        : "; repeats of these items alone do not";
  return `${formatNumber(needed, "integer")} ${unitWord(fields)} would separate ${better} from ${worse} with power 80 %, if the difference is what was seen (${own} at hand)${instead}.`;
}

function tellOdd({ oddItems, units, n }: Fields): string[] {
  if (oddItems === undefined) return [];
  const { dead, inverted } = oddItems;
  const named = listNames(
    inverted.items.map(({ item }) => item),
    MOST_NAMED,
  );
  return [
    `${dead.count} of the ${n} ${units} ${dead.count === 1 ? "has" : "have"} the same score from every system.${inverted.count === 0 ? " On none of the others do better systems score lower beyond chance." : ` On ${inverted.count === 1 ? "1 other" : `${inverted.count} others`} better systems score lower beyond chance: ${named}.`}`,
  ];
}

function taskTable({ overTasks, confidence }: Fields): DisplayTable[] {
  if (overTasks === undefined) return [];
  return [
    {
      caption: `Ranks over new tasks: by mean rank, with simultaneous ${levelText(confidence)} rank confidence sets, and the rank on one new task (each by itself)`,
      head: ["system", "mean rank", "rank", "set", "new task"],
      formats: ["text", "number", "integer", "text", "text"],
      rows: overTasks.systems.map((own) => [own.name, own.meanRank, own.rank, rangeText(own), rangeText(own.newTask)]),
    },
  ];
}

function oddTable({ oddItems, units }: Fields): DisplayTable[] {
  if (oddItems === undefined || oddItems.inverted.count === 0) return [];
  return [
    {
      caption: `Correlation of single ${units} with the rest, over systems; p adjusted for all ${units}`,
      head: ["item", "correlation", "p"],
      formats: ["text", "number", "p"],
      rows: oddItems.inverted.items.map(({ item, correlation, p }) => [item, correlation, p]),
    },
  ];
}

function tellSampled({ of, n, units, clusters, tasks, itemsLost, held, votes }: Fields): string {
  if (of === "totals") return "";
  if (votes !== undefined) return tellVotes(n, votes);
  const whole = itemsLost === 0 ? `${n}` : `${n} of ${n + itemsLost}`;
  const within = clusters === null ? "" : ` in ${clusters} clusters`;
  const over = tasks.length === 0 ? "" : ` of ${tasks.length} tasks`;
  const sampled = clusters === null ? units : "clusters";
  const fixed = held.map(({ facet, levels }) =>
    facet === "raters" ? `these ${levels} raters` : `up to ${levels} runs`,
  );
  return `Scored on ${whole} ${units}${over}${within}. Ranks generalize to new ${[sampled, ...(tasks.length === 0 ? [] : ["these tasks"]), ...fixed].join(", with ")}.`;
}

function tellFragile({ fragility, votes, top: { k } }: Fields): string[] {
  const tell = (what: string, found: DroppedUnits | null, { units, of }: { units: string; of: number }): string =>
    found === null
      ? `${what}: no choice of ${units} to leave out changes it.`
      : `${what}: leaving out ${found.count} chosen ${units} of ${of} (${formatNumber(found.proportion, "percent")}) puts ${found.by} ahead of ${found.overtaken}. Leaving out ${found.count} at random does so in ${formatNumber(found.atRandom, "percent")} of draws.`;
  const ofVotes = (votes?.fragility ?? []).flatMap((own) =>
    own.top === null ? [] : [tell("Fragility of the first place", own.top, own)],
  );
  if (fragility === undefined) return ofVotes;
  const { top, best } = fragility;
  return [
    tell("Fragility of the first place", top, fragility),
    ...(k === 1 ? [] : [tell(`Fragility of the ${k} best`, best, fragility)]),
  ];
}

const TIES = {
  half: "ties as half wins",
  davidson: "Davidson's model of ties",
  "rao-kupper": "Rao and Kupper's model of ties",
};

function tellVotes(n: number, { ties, groups, order }: RankedVotes): string {
  const by = groups.map(({ name, levels }) => `${levels} values of ${name}`).join(" and ");
  const clustered = by === "" ? "votes taken as independent" : `standard errors clustered by ${by}`;
  const advantage =
    order === null
      ? ""
      : ` The side shown first has an advantage of ${formatNumber(order.advantage)} in log odds (SE ${formatNumber(order.se)}).`;
  return `Bradley-Terry strengths of ${n} votes, with ${TIES[ties]}; ${clustered}.${advantage}`;
}

const MOST_IN_MATRIX = 12;

function winTable({ votes, systems }: Fields): DisplayTable[] {
  if (votes === undefined || systems.length > MOST_IN_MATRIX) return [];
  const names = systems.map(({ name }) => name);
  return [
    {
      caption: "Wins of the row over the column, ties half",
      head: ["system", ...names],
      formats: ["text", ...names.map(() => "number" as const)],
      rows: votes.wins.map((row, j) => [names[j]!, ...row.map((own, k) => (j === k ? "" : own))]),
    },
  ];
}
