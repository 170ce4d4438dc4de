/** JSON that is harmless wherever it is shown: JSON.stringify escapes C0 controls only, so that a column's name could still
 *  carry C1 controls to a terminal, turn the direction of a line, or end a script element in a page. Escaped, it is the
 *  same value for every reader. */

/** DEL and C1 controls, line and paragraph separators, direction marks; "<" opens tags and comments in HTML, and build servers act on
 *  `##name[` in their log. */
const HARMFUL = /#(?=#\w*\[)|[\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069<]/g;

export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    HARMFUL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
