/** Several judged things in one row → one row each.
 *    sys1 … sys5, quality1 … quality5      the system is named in the row (RankME, crowd exports)
 *    rater1 label1, rater2 label2          so is the rater
 *    option1 … option4, best, worst        best-worst scaling: 1 for the best, -1 for the worst, 0 for the others
 *    gpt_correct, claude_correct           the system is named in the header
 *    System A.fluency, System B.fluency    so it is, out of two header rows
 *    Anneke_fluency, Bram_fluency          so is the rater, beside columns of systems and items
 *    has_claim_e, has_claim_w; ann0 … ann5 so is the rater, or run1 … run3 the repeat
 *  Reference: Novikova, Dušek & Rieser (2018), NAACL (RankME); Louviere, Flynn & Marley (2015), Best-Worst Scaling. */

import { leastOf, mostOf } from "../../result/extremes.ts";
import { listNames } from "../../result/quote.ts";
import type { RoleGuess } from "../imported.ts";
import { metricDirection } from "../roles/direction.ts";
import { isJudged, isRatingScale, namedAsScore, notAScore } from "../roles/evidence.ts";
import {
  ITEM_NAMES,
  RATER_NAMES,
  REPEAT_NAMES,
  SPLIT_WORDS,
  SYSTEM_LEVEL,
  SYSTEM_NAMES,
  splitWords,
} from "../roles/names.ts";
import { areRaters, isPeoplesColumn } from "../roles/people.ts";
import { type ColumnProfile, profileColumn } from "../roles/profile.ts";
import { type Column, isMissing, selectRows, type Table } from "../table.ts";
import { findListed, isBest, isWorst, scoreBestWorst } from "./best-worst.ts";
import {
  areMeasuredOf,
  findGrids,
  isRaterStem,
  isScoreStem,
  lastWord,
  measureOf,
  type NameGrid,
  PARTS,
  RATER_KEY,
  RATER_STEM,
  REPEAT_KEY,
  REPEAT_STEM,
  SYSTEM_STEM,
} from "./name-grid.ts";
import { cellText, type Family, freshName, type Reshaped, stackFamilies, usedLevels } from "./reshaped.ts";
import { areSteps, lackDirection } from "./word-scales.ts";

export function findSideBySide(table: Table): Reshaped | undefined {
  return findNamedInRow(table) ?? findNamedInHeader(table);
}

const LONGEST_NAME = 100;
const MOST_NAMES = 500;

/** One family of the grid names systems or raters: few short names, met under more than one key. */
function findNamedInRow(table: Table): Reshaped | undefined {
  for (const mode of ["number", "suffix"] as const) {
    for (const grid of findGrids([...table.columns.keys()], mode)) {
      const naming = [...grid.stems].filter(
        ([stem, columns]) => namesWhat(stem, table) !== undefined && holdsNames(table, columns),
      );
      // beside sysid1, sys1 is what the system said
      const named = naming.find(([stem]) => /id$/i.test(stem)) ?? naming[0];
      if (named === undefined) continue;
      const found = readNamedInRow(table, grid, named[0]);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function namesWhat(stem: string, table: Table): "system" | "rater" | undefined {
  const word = lastWord(stem);
  // in best-worst scaling the items are what is compared
  const ends = [...table.columns.keys()];
  if (
    /^(items?|terms?|words?|choices?|candidates?|tuples?|opts?|alternatives?|[a-z])$/.test(word) &&
    ends.some(isBest) &&
    ends.some(isWorst)
  )
    return "system";
  return SYSTEM_STEM.test(word) ? "system" : RATER_STEM.test(word) ? "rater" : undefined;
}

function holdsNames(table: Table, columns: readonly string[]): boolean {
  const cells = columns.map((name) => table.columns.get(name)!);
  if (cells.some(({ kind }) => kind !== "factor")) return false;
  const lists = cells.map(usedLevels);
  const all = new Set(lists.flat());
  const total = lists.reduce((sum, list) => sum + list.length, 0);
  const short = [...all].every((name) => name.length <= LONGEST_NAME);
  return short && all.size > 1 && all.size <= MOST_NAMES && (all.size < total || total === columns.length);
}

/** What a system said is no score beside a column that says how good it was; of the scores those come first whose direction is known. */
function scoresFirst(names: readonly string[]): string[] {
  const scores = names.filter((name) => !SAID.test(name));
  const own = scores.length === 0 ? names : scores;
  const known = (name: string): number => (metricDirection(name) === undefined ? 1 : 0);
  return [...own].sort((a, b) => known(a) - known(b));
}

const SAID = /^(answer|output|prediction|predicted|pred|response|completion|generation|text|label)s?$/i;

function readNamedInRow(table: Table, grid: NameGrid, stem: string): Reshaped | undefined {
  const role = namesWhat(stem, table)!;
  const bestWorst = role === "system" ? findListed(table, grid, stem) : undefined;
  const families = familiesOf(table, grid);
  const name = families.find(({ columns }) => columns === grid.stems.get(stem))!.name;
  const numbered = families.filter(
    ({ columns }) =>
      columns !== grid.stems.get(stem) &&
      isScored(
        table,
        columns.filter((own) => own !== undefined),
      ),
  );
  // what few rows have and no measure is called says something about them: the row that one repeats, a remark
  const shares = numbered.map(({ columns }) => filledShare(table, columns));
  const scored = numbered.filter(
    ({ name: own }, k) => isScoreStem(own) || shares[k]! * 2 >= shares.reduce((a, b) => Math.max(a, b), 0),
  );
  if (bestWorst === undefined && scored.length === 0) return undefined;
  const place = freshName(table, "position");
  const long = stackFamilies(table, grid.keys, { families, keyName: place });
  const own = [...grid.stems.keys()].map((one) => `${one}${grid.keys[0]} … ${one}${grid.keys.at(-1)}`);
  const reading = [
    `Each row holds ${grid.keys.length} ${role === "system" ? "systems" : "raters"} side by side (${listFew(own)}) and gives as many rows; ${place} is the place in the row.`,
  ];
  const hint: RoleGuess = {
    role,
    column: name,
    reason: `its names come from ${stem}${grid.keys[0]} … ${stem}${grid.keys.at(-1)}`,
    confidence: 0.95,
  };
  const counted = keepFilled(long, name);
  if (bestWorst === undefined) {
    const scores = scored.map(
      ({ name: column }): RoleGuess => ({
        role: "score",
        column,
        reason: `it stands beside ${name} in every place`,
        confidence: 0.9,
      }),
    );
    return { table: counted, reading, hints: [hint, ...scores] };
  }
  return scoreBestWorst(counted, { ...bestWorst, name, place, keys: grid.keys }, { reading, hints: [hint] });
}

const LISTED = 5;
const listFew = (names: readonly string[]): string =>
  names.length > LISTED ? `${names.slice(0, LISTED).join(", ")} and ${names.length - LISTED} more` : names.join(", ");

const keepFilled = (table: Table, name: string): Table => {
  const cells = table.columns.get(name)!;
  return selectRows(table, (row) => !isMissing(cells, row));
};

function familiesOf(table: Table, grid: NameGrid): Family[] {
  const inGrid = new Set([...grid.stems.values()].flat());
  const left = new Set([...table.columns.keys()].filter((name) => !inGrid.has(name)));
  return [...grid.stems].map(([stem, columns]) => {
    const plain = stem.replace(/(?<![_. -])[_. -]+$/, "");
    return { name: left.has(plain) ? `${plain}_each` : plain, columns };
  });
}

/** Numbers, or verdicts, that differ somewhere. */
function isScored(table: Table, columns: readonly string[]): boolean {
  const profiles = columns.map((name) => profileColumn(name, table.columns.get(name)!));
  const filled = profiles.filter(({ values }) => values !== "empty");
  return (
    filled.length === profiles.length &&
    filled.every(({ column, logical }) => column.kind === "numeric" || logical) &&
    filled.some(({ distinct }) => distinct > 1)
  );
}

function filledShare(table: Table, columns: Family["columns"]): number {
  const cells = columns.flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!]));
  const filled = cells.map((own) => {
    let present = 0;
    for (let row = 0; row < table.rows; row += 1) if (!isMissing(own, row)) present += 1;
    return present;
  });
  return filled.reduce((sum, present) => sum + present, 0) / Math.max(1, cells.length * table.rows);
}

/** Systems, raters or repeats named in the header: the keys decide which, or the stem where it says so itself. */
function findNamedInHeader(table: Table): Reshaped | undefined {
  const names = [...table.columns.keys()];
  for (const mode of ["suffix", "prefix", "head", "number", "upper", "lower"] as const) {
    for (const grid of findGrids(names, mode)) {
      const meaning = meaningOfKeys(table, grid);
      const found = meaning === undefined ? undefined : readNamedInHeader(table, grid, meaning);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

interface KeyMeaning {
  readonly role: "system" | "rater" | "repeat";
  readonly reason: string;
  readonly confidence: number;
  /** The first of a row need not be the first of another. */
  readonly unnamed?: boolean;
  /** Stems that the keys belong to. */
  readonly stems: readonly string[];
}

function meaningOfKeys(table: Table, grid: NameGrid): KeyMeaning | undefined {
  const { keys, mode } = grid;
  const stems = [...grid.stems].filter(([, columns]) => isLabelled(table, columns)).map(([stem]) => stem);
  if (stems.length === 0 || keys.some((key) => SPLIT_WORDS.has(key.toLowerCase()))) return undefined;
  // what was preferred beside what was not: outcomes, no systems
  if (keys.every((key) => /^(chosen|rejected|winner|loser|won|lost)$/i.test(key))) return undefined;
  const shown = keys.join(", ");
  if (mode === "number") {
    const only = stems.filter((stem) => isRaterStem(stem) || areInitials(table, stem, grid));
    if (only.length > 0)
      return { role: "rater", reason: `the columns are called ${only[0]}${keys[0]}, …`, confidence: 0.9, stems: only };
    const again = stems.filter((stem) => REPEAT_STEM.test(lastWord(stem)));
    const labels = stems.filter((stem) => LABEL_STEM.test(lastWord(stem)) && comeTwice(table, grid.stems.get(stem)!));
    if (again.length === 0 && labels.length > 0)
      return {
        role: "rater",
        reason: `${labels[0]}${keys[0]}, … often hold the same label, which nobody gives twice`,
        confidence: 0.75,
        unnamed: true,
        stems: labels,
      };
    if (again.length > 0)
      return {
        role: "repeat",
        reason: `the columns are called ${again[0]}${keys[0]}, …`,
        confidence: 0.9,
        stems: again,
      };
    return undefined;
  }
  if (keys.every((key) => RATER_KEY.test(key)))
    return { role: "rater", reason: `${shown} read like raters`, confidence: 0.9, stems };
  if (keys.every((key) => REPEAT_KEY.test(key)) && stems.every(isScoreStem))
    return { role: "repeat", reason: `${shown} read like repeats`, confidence: 0.9, stems };
  const systems = keys.filter((key) => SYSTEM_LEVEL.test(key) || (mode !== "prefix" && SYSTEM_KEY.test(key))).length;
  const called = mode === "suffix" && keys.every((key) => SYSTEM_KEY.test(key));
  // where a column names the systems, Human 1 and Human 2 in the header are none
  const others = !areSystems(table, []);
  if (!others && (mode !== "suffix" || called) && systems >= Math.max(2, keys.length / 2) && stems.some(isScoreStem))
    return { role: "system", reason: `${shown} read like systems`, confidence: 0.85, stems: [...grid.stems.keys()] };
  if (!others && areMeasuredOf(table, grid))
    return {
      role: "system",
      reason: `${[...grid.stems.keys()].join(", ")} are measured of ${shown} each`,
      confidence: 0.75,
      stems: [...grid.stems.keys()],
    };
  // who answered, and whether that was right, is a system whatever it is called
  const all = [...grid.stems.keys()].map((stem) => stem.replace(/(?<![_. -])[_. -]+$/, ""));
  if (all.some((stem) => SAID.test(stem)) && stems.some((stem) => isScoreStem(stem) && !SAID.test(stem)))
    return {
      role: "system",
      reason: `${shown} each have an answer and its score`,
      confidence: 0.85,
      stems: [...grid.stems.keys()],
    };
  // Borealis_Ann, Cygnus_Ann, Borealis_Bob, …: people judged what is left of the names
  const ratings = stems.flatMap((stem) => grid.stems.get(stem)!);
  if (
    stems.length > 1 &&
    stems.length === grid.stems.size &&
    areRaters(keys) &&
    stems.every((stem) => SYSTEM_LEVEL.test(stem) || SYSTEM_KEY.test(stem)) &&
    areSystems(table, stems) &&
    !hasRaters(table) &&
    ratings.every((name) => isRatingScale(profileColumn(name, table.columns.get(name)!)))
  )
    return { role: "rater", reason: `${shown} are names of people`, confidence: 0.75, stems };
  if (mode !== "upper" && mode !== "lower" && nameRaters(table, grid, stems))
    return { role: "rater", reason: `${shown} each judged ${stems.join(", ")}`, confidence: 0.7, stems };
  if (nameSystems(table, grid, stems))
    return { role: "system", reason: `raters judged ${stems.join(", ")} of ${shown}`, confidence: 0.75, stems };
  // the same question without a suffix is what the raters settled on
  const settled = stems.filter((stem) => table.columns.has(stem));
  if (
    mode === "suffix" &&
    settled.length > 0 &&
    stems.length > 1 &&
    keys.every((key) => key.length <= LONGEST_INITIALS)
  )
    return {
      role: "rater",
      reason: `${settled.join(", ")} beside them, without ${shown}, read like the settled value`,
      confidence: 0.8,
      stems,
    };
  return undefined;
}

const hasRaters = (table: Table): boolean =>
  [...table.columns.keys()].some((name) => RATER_NAMES.includes(splitWords(name).join("_")));

/** Anneke_fluency, Bram_fluency in a table that has systems and items already: what stands beside a criterion on a rating scale is who judged. */
function nameRaters(table: Table, { keys, stems: all }: NameGrid, stems: readonly string[]): boolean {
  const plain = [...table.columns.keys()].map((name) => splitWords(name).join("_"));
  const designed = [SYSTEM_NAMES, ITEM_NAMES].every((names) => plain.some((name) => names.includes(name)));
  if (!designed || plain.some((name) => RATER_NAMES.includes(name))) return false;
  if (
    stems.length < all.size ||
    keys.some((key) => PARTS.has(key.toLowerCase()) || (/\d/.test(key) && !RATER_NUMBER.test(key)))
  )
    return false;
  return stems.every((stem) => {
    const profiles = all.get(stem)!.map((name) => profileColumn(name, table.columns.get(name)!));
    // of people one may have used few of the steps
    const judged = areRaters(keys)
      ? profiles.some(isRatingScale)
      : isJudged(profiles[0]!) && profiles.every(isRatingScale);
    return judged && isScoreStem(stem);
  });
}

/** Fluency.A, Fluency.B in a table that has items and raters and names no systems: what a rater has a criterion of several times in a row is what
 *  was judged. Numbers may be places of a list. */
function nameSystems(table: Table, { keys, stems: all, mode }: NameGrid, stems: readonly string[]): boolean {
  const plain = [...table.columns.keys()].map((name) => splitWords(name).join("_"));
  const has = (names: readonly string[]): boolean => plain.some((name) => names.includes(name));
  if (!has(RATER_NAMES) || !has(ITEM_NAMES) || has(SYSTEM_NAMES) || mode === "number" || stems.length < all.size)
    return false;
  if (
    keys.some((key) => PARTS.has(key.toLowerCase()) || /^\d+$/.test(key) || isJudged({ name: key }) || isScoreStem(key))
  )
    return false;
  return stems.every((stem) => {
    const profiles = all.get(stem)!.map((name) => profileColumn(name, table.columns.get(name)!));
    return (isJudged({ name: stem }) || isScoreStem(stem)) && profiles.every(isRatingScale);
  });
}

/** "a1", "j2": annotators and judges by their initial; "s1", "m2" and "q3" may be systems, models and questions. */
const RATER_NUMBER = /^[acehjlpu]\d{1,2}$/i;

/** What raters have a column of each for, in a table that names no systems, and which is no criterion. */
const areSystems = (table: Table, stems: readonly string[]): boolean =>
  ![...table.columns].some(
    ([name, cells]) => SYSTEM_NAMES.includes(splitWords(name).join("_")) && usedLevels(cells).length > 1,
  ) && stems.every((name) => SYSTEM_KEY.test(name) || !(isScoreStem(name) || isJudged({ name })));

const LONGEST_INITIALS = 3;
/** "System A", "model 2". */
const SYSTEM_KEY = /^(system|model|sys|method|team)[ _-]?\w{1,3}$/i;
const MOST_LABELS = 20;

const LABEL_STEM = /^(labels?|annotations?|tags?|codes?|class|category|judge?ments?|prediction|pref|vote)$/;
/** Rows in which two columns agree, as a share, from which on these are two people's answers and not two labels of one. */
const COME_TWICE = 0.2;

/** label1, label2 with the same label in many rows; a second label of one person differs from the first. */
function comeTwice(table: Table, names: readonly string[]): boolean {
  const cells = names.map((name) => table.columns.get(name)!);
  if (cells.some(({ kind }) => kind === "numeric") || usedLevels(cells[0]!).length < 2) return false;
  let [same, both] = [0, 0];
  for (let row = 0; row < table.rows; row += 1) {
    const [one, two] = [cellText(cells[0]!, row), cellText(cells[1]!, row)];
    if (one === null || two === null) continue;
    both += 1;
    if (one === two) same += 1;
  }
  return both > 0 && same >= COME_TWICE * both;
}

/** R1, R2, R3 with whole numbers, words or marks of one scale: raters by their initial, as W and J are workers and judges. */
function areInitials(table: Table, stem: string, { stems, keys }: NameGrid): boolean {
  if (!/^[rwj]$/i.test(stem) || keys.length < FEWEST_INITIALS) return false;
  const columns = stems.get(stem)!.map((name) => [name, table.columns.get(name)!] as const);
  if (columns.every(([name, cells]) => isRatingScale(profileColumn(name, cells)))) return true;
  return columns.every(([, cells]) => cells.kind === "factor") && shareLabels(columns.map(([, cells]) => cells));
}

/** Steps of one scale, or a few labels of which everyone used the most. */
function shareLabels(cells: readonly Column[]): boolean {
  const own = cells.map(usedLevels);
  const all = [...new Set(own.flat())];
  return areSteps(all) || (all.length <= MOST_SHARED && own.every((levels) => levels.length * 2 > all.length));
}
const MOST_SHARED = 7;

const FEWEST_INITIALS = 3;

/** The same few labels, or numbers on one scale, under every key. */
export function isLabelled(table: Table, columns: readonly string[]): boolean {
  const profiles = columns.map((name) => profileColumn(name, table.columns.get(name)!));
  if (profiles.some(({ values }) => values === "empty" || values === "text")) return false;
  if (new Set(profiles.map(({ column }) => column.kind)).size > 1) return false;
  if (profiles.every(({ distinct }) => distinct < 2)) return false;
  if (profiles[0]!.column.kind === "numeric")
    return mostOf(profiles.map(({ min }) => min)) <= leastOf(profiles.map(({ max }) => max));
  const labels = new Set(profiles.flatMap(({ column }) => usedLevels(column)));
  return labels.size <= MOST_LABELS;
}

/** adjudicator, crowd1: people beside the raters, or a column of any name with the same steps, that is none of theirs. */
export function tellLeftOut(table: Table, columns: readonly string[], rating: string): string[] {
  const raters = columns.map((name) => profileColumn(name, table.columns.get(name)!));
  const [low, high] = [leastOf(raters.map(({ min }) => min)), mostOf(raters.map(({ max }) => max))];
  const isLikeThem = (profile: ColumnProfile): boolean =>
    raters.every(isRatingScale) &&
    isRatingScale(profile) &&
    profile.min >= low &&
    profile.max <= high &&
    profile.distinct > 2 &&
    namedAsScore(profile) === 0 &&
    notAScore(profile) === undefined &&
    ![...ITEM_NAMES, ...SYSTEM_NAMES, ...REPEAT_NAMES].includes(splitWords(profile.name).join("_"));
  const beside = [...table.columns]
    .filter(([name]) => !columns.includes(name))
    .filter(
      ([name, cells]) =>
        (isPeoplesColumn(name) && isLabelled(table, [name, columns[0]!])) || isLikeThem(profileColumn(name, cells)),
    )
    .map(([name]) => name);
  if (beside.length === 0) return [];
  const are = beside.length === 1 ? "is none of these raters and" : "are none of these raters and";
  return [`${listNames(beside)} beside them ${are} left out of ${rating}.`];
}

/** What raters gave, under a name of ours: a rating is better where it is higher, which "strongly agree" need not be. */
export function nameRatings(table: Table, columns: readonly string[]): string {
  const cells = columns.map((name) => table.columns.get(name)!);
  if (cells.some(({ kind }) => kind === "numeric")) return "rating";
  return lackDirection([...new Set(cells.flatMap(usedLevels))]) ? "response" : "rating";
}

function readNamedInHeader(table: Table, grid: NameGrid, meaning: KeyMeaning): Reshaped | undefined {
  const { role, reason, confidence } = meaning;
  // parts of cross-validation are told from other repeats by their name
  const called = grid.mode === "number" ? meaning.stems.map(lastWord) : grid.keys;
  const keyName = freshName(table, called.every((own) => /^fold[-_ ]?\d*$/i.test(own)) ? "fold" : role);
  const lone = meaning.stems.length === 1 && grid.mode === "number";
  const stems = lone ? meaning.stems : [...grid.stems.keys()];
  const families = stems.map((stem): Family => {
    const plain = stem.replace(/(?<![_. -])[_. -]+$/, "");
    // labels without an order are no ratings
    const labels = lone && table.columns.get(grid.stems.get(stem)![0]!)?.kind === "factor";
    const rating = labels && LABEL_STEM.test(lastWord(stem)) ? plain : nameRatings(table, grid.stems.get(stem)!);
    const name = role === "repeat" && grid.mode === "number" ? measureOf(plain) : lone ? rating : plain;
    return { name: table.columns.has(name) ? `${name}_each` : name, columns: grid.stems.get(stem)! };
  });
  // what was settled afterwards is no further rating: it stays beside the others under its own name
  const keys = lone ? grid.keys.map((key, k) => grid.stems.get(stems[0]!)![k] ?? key) : grid.keys;
  const long = stackFamilies(table, keys, { families, keyName });
  const judged = meaning.stems.map((stem) => families[stems.indexOf(stem)]!.name);
  const filled = selectRows(long, (row) => judged.some((name) => !isMissing(long.columns.get(name)!, row)));
  const told = listFew(families.map(({ columns }) => columns.join(" / ")));
  const { unnamed = false } = meaning;
  return {
    table: filled,
    ...(unnamed ? { unnamedRaters: true } : {}),
    reading: [
      `${told}: one column for each ${role}; they were put under one another, and column ${keyName} says which${unnamed ? ", which need not be the same person in every row" : ""}.`,
      ...(role === "rater" && lone
        ? tellLeftOut(
            table,
            families[0]!.columns.filter((own) => own !== undefined),
            families[0]!.name,
          )
        : []),
    ],
    hints: [
      { role, column: keyName, reason, confidence },
      // System A.R1, System B.R1: what is left are systems, one column each; what was settled afterwards is a question
      ...(role !== "system" &&
      judged.length > 1 &&
      !judged.some((own) => own.endsWith("_each")) &&
      areSystems(table, judged)
        ? []
        : scoresFirst(judged)
      ).map((column): RoleGuess => ({ role: "score", column, reason: `every ${role} has a value of it`, confidence })),
    ],
  };
}
