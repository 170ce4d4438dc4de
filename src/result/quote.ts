/** Names and formulas as they must be typed: backticks for the formula, quotes for the shell (POSIX; names with controls: bash and zsh). */

const SYNTACTIC = /^(?:\p{L}|\.(?!\p{N}))[\p{L}\p{N}._]*$|^\.$/u;
const RESERVED = new Set("if else repeat while function for next break TRUE FALSE NULL Inf NaN NA in".split(" "));

/** A column in a formula, as R writes it: plain if it is a name, otherwise in backticks. */
export function quoteName(name: string): string {
  return SYNTACTIC.test(name) && !RESERVED.has(name)
    ? name
    : `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

/** One argument, in one line. Double quotes where they are safe, since formulas read best in them. */
export const quoteShell = (text: string): string =>
  /^[\w@%+=,./-][\w@%+=:,./-]*$/.test(text) ? text : quoteFormula(text);

/** A formula always stands in quotes. What no line of a script, a comment or a terminal may hold is written as its bytes, as bash and zsh
 *  read them in $'…'. */
export function quoteFormula(formula: string): string {
  if (CONTROL.test(formula)) return `$'${[...formula].map(shellCode).join("")}'`;
  return /[$`"\\!]/.test(formula) ? `'${formula.replaceAll("'", `'\\''`)}'` : `"${formula}"`;
}

/** Controls, separators of lines, signs that turn the direction of writing, halves of pairs. */
const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;

function shellCode(character: string): string {
  if (!CONTROL.test(character) && character !== "'" && character !== "\\") return character;
  const bytes = new TextEncoder().encode(character);
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/** Some names and the number of the rest. */
export function listNames(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
