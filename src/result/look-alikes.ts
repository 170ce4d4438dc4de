/** Names that a reader takes for one: a Cyrillic а beside a Latin a, full-width letters, characters without a width. */
import { warning } from "./diagnostic.ts";
import type { Diagnostic } from "./result.ts";

/** Letters of Cyrillic and Greek that are drawn as the Latin ones below them (of Unicode's list of confusable characters, UTS #39). */
const DRAWN = "аеорсухіјѕԁԛԝһӏАВЕКМНОРСТУХІЈЅԌԚԜҺΑΒΕΖΗΙΚΜΝΟΡΤΥΧορνικαϲϳ";
const LATIN = "aeopcyxijsdqwhlABEKMHOPCTYXIJSGQWHABEZHIKMNOPTYXopvikacj";
const LATIN_OF: ReadonlyMap<string, string> = new Map([...DRAWN].map((own, k) => [own, [...LATIN][k]!]));

/** What a reader sees of it. */
const seen = (name: string): string => (/^[!-~]*$/.test(name) ? name : drawn(name));

const drawn = (name: string): string =>
  [...name.normalize("NFKC").replace(/[\p{Cf}\p{Cc}\p{Variation_Selector}]/gu, "")]
    .map((character) => LATIN_OF.get(character) ?? character)
    .join("")
    .replace(/\s+/g, " ")
    .trim();

const MOST_SHOWN = 3;

/** A warning where two of the names differ and look the same. */
export function lookAlikes(names: readonly string[], what: string): Diagnostic[] {
  const groups = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const own = seen(name);
    groups.set(own, [...(groups.get(own) ?? []), name]);
  }
  const alike = [...groups.values()].filter((group) => group.length > 1);
  if (alike.length === 0) return [];
  const told = alike.slice(0, MOST_SHOWN).map(([a = "", b = ""]) => `"${a}" and "${b}" (${tellCharacters(a, b)})`);
  const more = alike.length > MOST_SHOWN ? ` and ${alike.length - MOST_SHOWN} more` : "";
  return [
    warning(
      "LookAlikeNames",
      `${what} that look the same are spelled with different characters: ${told.join(", ")}${more}.`,
      "rename one of them; if both are one, spell it alike in all rows.",
    ),
  ];
}

/** The first characters that differ, by their codes. */
function tellCharacters(a: string, b: string): string {
  const [one, other] = [[...a], [...b]];
  const at = one.findIndex((character, k) => character !== other[k]);
  const code = (character: string | undefined): string =>
    character === undefined ? "nothing" : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  const place = at < 0 ? one.length : at;
  return `character ${place + 1}: ${code(one[place])} and ${code(other[place])}`;
}
