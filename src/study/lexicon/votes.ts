/** Words of pairwise preferences: the two sides, who won, and what says that neither did. */
import { SYSTEM_NAMES } from "./names.ts";

const list = (words: string): readonly string[] => words.split(/\s+/);

/** Both sides, the first of the two first. */
export const SIDES: readonly (readonly [string, string])[] = [
  ["a", "b"],
  ["1", "2"],
  ["left", "right"],
  ["first", "second"],
];
/** What stands on a side: model_a, generator_2, left_system. */
export const SIDE_STEMS: ReadonlySet<string> = new Set([...SYSTEM_NAMES, ...list("generator assistant team player")]);

/** The column of the votes. A label or a rating is none: it may be gold, or anything else. */
export const WINNERS: ReadonlySet<string> = new Set(
  list("winner preference preferred pref vote choice verdict better result"),
);
/** The same two once more, in the other order. */
export const REVERSED: ReadonlySet<string> = new Set(list("reverse reversed swap swapped"));
/** One of two orders: g1_winner, g2_winner. */
export const GAMES: ReadonlySet<string> = new Set(list("g game order round"));

/** Votes for neither. */
export const TIES: ReadonlySet<string> = new Set(
  list(
    `tie ties tied draw equal same similar both neither none c both_good both_bad tie_bothbad tie_both_bad bothbad no_preference no_difference
     about_the_same about_equal equally_good equally_bad`,
  ),
);
/** Beside the side in a vote: "Response A is slightly better". */
export const FILLERS: ReadonlySet<string> = new Set(
  list(
    `model system answer response output option assistant candidate text summary side the is was much far slightly clearly somewhat significantly
     strongly better wins won win preferred winner`,
  ),
);
/** Words for the first and the second place. */
export const FIRST: ReadonlySet<string> = new Set(list("a 1 left l first"));
export const SECOND: ReadonlySet<string> = new Set(list("b 2 right r second"));
