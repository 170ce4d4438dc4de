/** What the columns of a table mean, guessed from their names and, where names fail, from how they are crossed.
 *  A guess is always said aloud (assumptions) and never changes a cell. Commands let the user name columns instead. */

import type { Roles } from "../imported.ts";
import type { Table } from "../table.ts";
import { claimGrid, claimItemByContent, claimLoneScore, claimSystemByContent } from "./content.ts";
import { Guess, joined, MAX_SETTINGS, type SingleRole } from "./guess.ts";
import * as names from "./names.ts";
import { type ColumnProfile, isUnique, profileTable } from "./profile.ts";
import { findWide } from "./wide.ts";

export interface GuessedRoles {
  readonly roles: Roles;
  readonly assumptions: readonly string[];
}

/** A column with more levels than this is not a category. */
const MAX_CATEGORIES = 50;

export function guessRoles(table: Table): GuessedRoles {
  const guess = new Guess(table);
  claimByName(guess, "rater", names.RATER_NAMES, (profile) => !isUnique(profile) && profile.values !== "real");
  claimByName(guess, "repeat", names.REPEAT_NAMES, (profile) => profile.distinct <= guess.table.rows / 2);
  claimByName(guess, "metric", names.METRIC_NAMES, (profile) => profile.column.kind === "factor");
  claimByName(guess, "system", names.SYSTEM_NAMES, (profile) => profile.values !== "real" && profile.values !== "text");
  claimItem(guess);
  claimByName(guess, "task", names.TASK_NAMES, (profile) => profile.column.kind === "factor");
  claimByName(guess, "cluster", names.CLUSTER_NAMES, (profile) => profile.values !== "real" && !isUnique(profile));
  claimByName(guess, "label", names.LABEL_NAMES, (profile) => profile.values !== "text" && !isUnique(profile));
  claimIdentifiers(guess);
  claimParameters(guess);
  claimScores(guess);
  claimSystemByContent(guess);
  claimItemByContent(guess);
  claimGrid(guess);
  claimLoneScore(guess);
  return { roles: collectRoles(guess), assumptions: guess.assumptions };
}

/** Properties of rows beyond the design of a log: which one groups items, which may explain scores, which only name. */
export function classifyProperties(
  table: Table,
  columns: readonly string[],
  options: { clusterTaken: boolean },
): Pick<Roles, "cluster" | "covariates" | "identifiers"> {
  const wanted = new Set(columns);
  const profiles = profileTable(table).filter((profile) => wanted.has(profile.name));
  const cluster = options.clusterTaken ? undefined : findCluster(profiles);
  const rest = profiles.filter((profile) => profile.name !== cluster);
  const covariates = rest.filter(isCovariate).map((profile) => profile.name);
  const identifiers = rest.filter((profile) => !isCovariate(profile)).map((profile) => profile.name);
  return { ...(cluster === undefined ? {} : { cluster }), covariates, identifiers };
}

function findCluster(profiles: readonly ColumnProfile[]): string | undefined {
  for (const alias of names.CLUSTER_NAMES) {
    const found = profiles.find((profile) => joined(profile) === alias && profile.values !== "text");
    if (found !== undefined && found.distinct > 1 && !isUnique(found)) return found.name;
  }
  return undefined;
}

/** Can stand on the right of a formula: a number that varies, or a category with few levels. */
function isCovariate(profile: ColumnProfile): boolean {
  if (profile.values === "constant" || profile.values === "empty" || profile.values === "text") return false;
  const words = names.splitWords(profile.name);
  if (words.some((word) => names.IDENTIFIER_WORDS.has(word) || names.ORDER_WORDS.has(word))) return false;
  if (profile.column.kind === "factor") return profile.distinct <= MAX_CATEGORIES && !isUnique(profile);
  return profile.distinct > 1;
}

function claimByName(
  guess: Guess,
  role: SingleRole,
  aliases: readonly string[],
  fits: (profile: ColumnProfile) => boolean,
): void {
  for (const alias of aliases) {
    const found = guess.free().find((profile) => joined(profile) === alias && fits(profile));
    if (found !== undefined) {
      guess.claim(role, found.name);
      return;
    }
  }
}

/** Among several id columns the one that repeats is the item; one that is new in every row only numbers the rows. */
function claimItem(guess: Guess): void {
  const candidates = names.ITEM_NAMES.flatMap((alias) =>
    guess.free().filter((profile) => joined(profile) === alias),
  ).filter((profile) => profile.values !== "real");
  const several = candidates.filter((profile) => profile.distinct > 1);
  const found = several.find((profile) => !isUnique(profile)) ?? several[0] ?? loneItem(guess, candidates);
  if (found !== undefined) guess.claim("item", found.name);
}

/** One item that every system met is still an item. */
function loneItem(guess: Guess, candidates: readonly ColumnProfile[]): ColumnProfile | undefined {
  const system = guess.single.get("system");
  return system !== undefined && guess.groups(system) === guess.table.rows ? candidates[0] : undefined;
}

function claimIdentifiers(guess: Guess): void {
  for (const profile of guess.free()) {
    const words = names.splitWords(profile.name);
    const named = words.some((word) => names.IDENTIFIER_WORDS.has(word)) || names.ORDER_WORDS.has(words.join(""));
    if (profile.values === "text") guess.claimMany("identifiers", [profile.name]);
    else if (!named) continue;
    else if (isUnique(profile) || profile.column.kind === "numeric") guess.claimMany("identifiers", [profile.name]);
    // A link that repeats says which rows come from one source.
    else if (!guess.single.has("cluster") && profile.distinct > 2 && /link|url|uri|file|path/.test(joined(profile))) {
      guess.claim("cluster", profile.name, `Rows with the same ${profile.name} are taken to belong together.`);
    } else guess.claimMany("identifiers", [profile.name]);
  }
}

function claimParameters(guess: Guess): void {
  const found = guess
    .free()
    .filter((profile) => names.splitWords(profile.name).some((word) => names.PARAMETER_WORDS.has(word)))
    .filter((profile) => profile.distinct >= 2 && profile.distinct <= MAX_SETTINGS);
  guess.claimMany(
    "parameters",
    found.map((profile) => profile.name),
  );
}

function claimScores(guess: Guess): void {
  const numeric = guess.free().filter((profile) => profile.column.kind === "numeric" || profile.logical);
  const exact = names.SCORE_NAMES.flatMap((alias) => numeric.filter((profile) => joined(profile) === alias));
  if (exact.length === 0 && !guess.single.has("system")) {
    const wide = findWide(numeric, { hasItem: guess.single.has("item") });
    if (wide !== undefined) {
      guess.claimMany("wide", wide.columns);
      guess.claimMany("metrics", [...wide.columns, ...wide.companions]);
      guess.assumptions.push(wide.assumption);
      return;
    }
  }
  const byWord = numeric.filter((profile) => {
    const words = names.splitWords(profile.name);
    return names.SCORE_NAMES.includes(words.at(-1) ?? "") || names.SCORE_NAMES.includes(words.slice(-2).join("_"));
  });
  const found = [...new Set([...exact, ...byWord].map((profile) => profile.name))];
  guess.claimMany("metrics", found);
}

function collectRoles(guess: Guess): Roles {
  const rest = guess.free();
  const covariates = rest.filter(isCovariate).map((profile) => profile.name);
  const useless = rest.filter((profile) => !isCovariate(profile)).map((profile) => profile.name);
  const score = guess.many.wide.length > 0 ? undefined : guess.many.metrics[0];
  return {
    ...Object.fromEntries(guess.single),
    ...(score === undefined ? {} : { score }),
    metrics: guess.many.metrics,
    parameters: guess.many.parameters,
    covariates,
    wide: guess.many.wide,
    identifiers: [...guess.many.identifiers, ...useless],
  };
}
