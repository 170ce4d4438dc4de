/** The state of a guess about the columns of a table: which are still free, and what was decided. */
import type { RoleGuess } from "../imported.ts";
import { groupKeys } from "../keys.ts";
import type { Table } from "../table.ts";
import { splitWords } from "./names.ts";
import { type ColumnProfile, profileTable } from "./profile.ts";

export type SingleRole =
  | "system"
  | "item"
  | "rater"
  | "repeat"
  | "cluster"
  | "task"
  | "metric"
  | "label"
  | "prediction"
  | "probability"
  | "opponent";

export interface Evidence {
  readonly reason: string;
  readonly confidence: number;
}

const NAMED: Evidence = { reason: "by its name", confidence: 0.9 };
const PATTERN: Evidence = { reason: "by its values", confidence: 0.7 };

export class Guess {
  readonly table: Table;
  readonly profiles: readonly ColumnProfile[];
  readonly single = new Map<SingleRole, string>();
  readonly many = {
    metrics: [] as string[],
    parameters: [] as string[],
    wide: [] as string[],
    identifiers: [] as string[],
  };
  /** Each row is an instance, by numbers in its name. */
  numbered = false;
  /** Scores of which more is neither better nor worse, whatever their names say: labels that were given or not. */
  readonly undirected: string[] = [];
  readonly assumptions: string[] = [];
  readonly guesses: RoleGuess[] = [];
  readonly #taken = new Set<string>();

  /** Columns that say from which file a row is. */
  readonly files: readonly string[];

  constructor(table: Table, files: readonly string[] = []) {
    this.table = table;
    this.files = files;
    this.profiles = profileTable(table);
  }

  free(): ColumnProfile[] {
    return this.profiles.filter((profile) => !this.#taken.has(profile.name) && profile.values !== "empty");
  }

  take(name: string): void {
    this.#taken.add(name);
  }

  claim(role: SingleRole, name: string, assumption?: string, evidence?: Evidence): void {
    this.single.set(role, name);
    this.take(name);
    if (assumption !== undefined) this.assumptions.push(assumption);
    const reason = assumption?.replace(/\.$/, "");
    this.guesses.push({ role, column: name, ...(evidence ?? (reason === undefined ? NAMED : { ...PATTERN, reason })) });
  }

  /** The role is somebody else's after all. */
  release(role: SingleRole): void {
    const name = this.single.get(role);
    this.single.delete(role);
    const at = this.guesses.findIndex((guess) => guess.role === role && guess.column === name);
    if (at >= 0) this.guesses.splice(at, 1);
  }

  /** Released, and free for another role. */
  giveBack(role: SingleRole): void {
    const name = this.single.get(role);
    this.release(role);
    if (name !== undefined) this.#taken.delete(name);
  }

  claimMany(role: keyof Guess["many"], found: readonly string[], evidence?: Evidence): void {
    for (const name of found) {
      this.many[role].push(name);
      this.take(name);
      if (role === "metrics") this.guesses.push({ role: "score", column: name, ...(evidence ?? NAMED) });
    }
  }

  groups(...columns: readonly string[]): number {
    return groupKeys(
      columns.map((name) => this.table.columns.get(name)!),
      this.table.rows,
    ).count;
  }
}

/** The name in lower-case words: "sentenceId" is "sentence_id". */
export function joined(profile: ColumnProfile): string {
  return splitWords(profile.name).join("_");
}

/** A setting has few values. */
export const MAX_SETTINGS = 20;
