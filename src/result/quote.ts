/** Names and formulas as they must be typed: backticks for the formula, quotes for the shell (POSIX). */

const SYNTACTIC = /^(?:\p{L}|\.(?!\p{N}))[\p{L}\p{N}._]*$|^\.$/u;
const RESERVED = new Set("if else repeat while function for next break TRUE FALSE NULL Inf NaN NA in".split(" "));

/** A column in a formula, as R writes it: plain if it is a name, otherwise in backticks. */
export function quoteName(name: string): string {
  return SYNTACTIC.test(name) && !RESERVED.has(name)
    ? name
    : `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

/** One argument. Double quotes where they are safe, since formulas read best in them. */
export function quoteShell(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return /[$`"\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
}

/** A formula always stands in quotes. */
export function quoteFormula(formula: string): string {
  return /[$`"\\!]/.test(formula) ? `'${formula.replaceAll("'", `'\\''`)}'` : `"${formula}"`;
}

/** Some names and the number of the rest. */
export function listNames(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
