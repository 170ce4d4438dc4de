/** Words as ratings, in their order: "very bad" … "very good", "Strongly disagree" … "Strongly agree". Never by the alphabet. */
import type { RoleGuess } from "../imported.ts";
import { groupKeys } from "../keys.ts";
import { ITEM_NAMES, splitWords } from "../roles/names.ts";
import { type Column, makeTable, type Table } from "../table.ts";
import { type Reshaped, usedLevels } from "./reshaped.ts";

/** Each list from the lowest to the highest; words between bars are the same step. */
const SCALES: readonly (readonly string[])[] = [
  "very bad|terrible|awful;bad|poor;ok|okay|fair|average|neutral|mediocre|acceptable|medium;good;very good|great|excellent|perfect",
  "very poor|terrible;poor|bad;fair|average|ok|okay|acceptable;good;very good;excellent|outstanding|perfect",
  "strongly disagree|completely disagree|totally disagree;disagree;somewhat disagree|slightly disagree|rather disagree;neutral|neither agree nor disagree|neither|undecided|not sure|unsure;somewhat agree|slightly agree|rather agree;agree;strongly agree|completely agree|totally agree",
  "not at all;a little|slightly;somewhat|moderately;mostly|very|quite;completely|extremely|entirely",
  "never;rarely|seldom;sometimes|occasionally;often|frequently|usually;always",
  "much worse;worse|slightly worse|somewhat worse;about the same|same|equal|about equal|similar;better|slightly better|somewhat better;much better",
  "very dissatisfied;dissatisfied;neutral|neither;satisfied;very satisfied",
  "very unlikely;unlikely;neutral|maybe|possibly;likely;very likely",
  "very difficult|very hard;difficult|hard;neutral|medium;easy;very easy",
  "very unclear;unclear;neutral|somewhat clear;clear;very clear",
  "incorrect|wrong|bad;partially correct|partly correct|partial;correct|right|good",
  "not relevant|irrelevant;partially relevant|somewhat relevant|marginally relevant|related;relevant;highly relevant|very relevant|perfectly relevant",
].map((line) => line.split(";"));

const FEWEST = 3;
const MOST = Math.max(...SCALES.map((scale) => scale.length));

const plain = (level: string): string => level.trim().toLowerCase().replace(/[_-]+/g, " ").replace(/\s+/g, " ");

/** The steps of the levels on a scale that has all of them; undefined where none has, or where two words of a step occur together. */
export function stepsOf(levels: readonly string[]): number[] | undefined {
  if (levels.length < FEWEST || levels.length > MOST) return undefined;
  const words = levels.map(plain);
  for (const scale of SCALES) {
    const steps = words.map((word) => scale.findIndex((step) => step.split("|").includes(word)));
    if (steps.some((step) => step < 0) || new Set(steps).size < steps.length) continue;
    const used = [...steps].sort((a, b) => a - b);
    // steps that nobody used at the ends or between keep their places, so that distances stay what they are
    const first = scale.length === used.length ? 0 : Math.min(used[0]!, 0);
    return steps.map((step) => step - first + 1);
  }
  return undefined;
}

export function findWordScales(table: Table): Reshaped | undefined {
  const reading: string[] = [];
  const hints: RoleGuess[] = [];
  const higher = new Map<string, boolean>();
  const entries = [...table.columns].map(([name, cells]): [string, Column] => {
    if (cells.kind === "numeric") return [name, cells];
    const levels = usedLevels(cells);
    const steps = stepsOf(levels);
    if (steps === undefined || isProperty(table, name)) return [name, cells];
    const ordered = levels.map((level, i) => ({ level, step: steps[i]! })).sort((a, b) => a.step - b.step);
    reading.push(
      `The words of ${name} are read in their order: ${ordered.map(({ level, step }) => `${step} = ${level}`).join(", ")}.`,
    );
    hints.push({ role: "score", column: name, reason: "its words are the steps of a scale", confidence: 0.9 });
    if (isGraded(ordered.at(-1)!.level)) higher.set(name, true);
    const number = new Map(ordered.map(({ level, step }) => [level, step]));
    const values = Float64Array.from(cells.codes, (code) => (code < 0 ? Number.NaN : number.get(cells.levels[code]!)!));
    return [name, { kind: "numeric", values }];
  });
  if (hints.length === 0) return undefined;
  return { table: makeTable(entries, table.rows), reading, hints, higherIsBetter: higher };
}

/** How hard an item is belongs to the item, whoever answers it: "easy", "medium", "hard" of each question are no answers. */
function isProperty(table: Table, name: string): boolean {
  if (/difficult|level|category|tier|^split$|hardness/i.test(name)) return true;
  const item = ITEM_NAMES.map((alias) =>
    [...table.columns.keys()].find((own) => own !== name && splitWords(own).join("_") === alias),
  ).find((own) => own !== undefined);
  if (item === undefined) return false;
  const [cells, own] = [table.columns.get(item)!, table.columns.get(name)!];
  const items = groupKeys([cells], table.rows).count;
  return items < table.rows / 2 && groupKeys([cells, own], table.rows).count === items;
}

/** Words of praise have a direction; agreement and frequency have that of the question, which nobody knows. */
const isGraded = (top: string): boolean =>
  /good|great|excellent|perfect|outstanding|better|satisfied|correct|right|clear|easy/.test(plain(top));
