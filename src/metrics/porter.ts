/** Porter's stemmer as rouge_score uses it: the algorithm of 1980 with the changes that its author and NLTK made since.
 *      measure   [C](VC)^m[V], y after a consonant is a vowel
 *      steps     1a plurals, 1b -ed -ing, 1c y → i, 2 and 3 double suffixes, 4 -ment -ion …, 5 final e and ll
 *      NLTK      words of at most two letters stay; -ies → -ie and -ied → -ie in words of four letters; 1c after a consonant within the word;
 *                -alli before the rest of step 2 again; -fulli → -ful, -logi → -log; -bli → -ble; *o also for a word of vowel and consonant;
 *                seven irregular pools (skies, dying, innings …)
 *  Reference: Porter (1980), Program 14(3); nltk.stem.porter, mode NLTK_EXTENSIONS.
 *  Oracle:    the examples of the paper and of NLTK's documentation, and words worked out by hand from the rules.
 *  Limits:    English, lower case. */

const POOL: Readonly<Record<string, readonly string[]>> = {
  sky: ["sky", "skies"],
  die: ["dying"],
  lie: ["lying"],
  tie: ["tying"],
  news: ["news"],
  inning: ["innings", "inning"],
  outing: ["outings", "outing"],
  canning: ["cannings", "canning"],
  howe: ["howe"],
  proceed: ["proceed"],
  exceed: ["exceed"],
  succeed: ["succeed"],
};
const IRREGULAR = new Map(Object.entries(POOL).flatMap(([stem, words]) => words.map((word) => [word, stem] as const)));

export function porterStem(text: string): string {
  const word = text.toLowerCase();
  const known = IRREGULAR.get(word);
  if (known !== undefined) return known;
  if (word.length <= 2) return word;
  return [step1a, step1b, step1c, step2, step3, step4, step5a, step5b].reduce((stem, step) => step(stem), word);
}

function isConsonant(word: string, at: number): boolean {
  if ("aeiou".includes(word[at]!)) return false;
  return word[at] !== "y" || at === 0 || !isConsonant(word, at - 1);
}

/** m: how often a vowel is followed by a consonant. */
function measure(stem: string): number {
  let m = 0;
  for (let at = 1; at < stem.length; at += 1) if (isConsonant(stem, at) && !isConsonant(stem, at - 1)) m += 1;
  return m;
}

const hasVowel = (stem: string): boolean => [...stem].some((_, at) => !isConsonant(stem, at));

const endsDouble = (word: string): boolean =>
  word.length >= 2 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1);

/** *o: consonant, vowel, consonant other than w, x, y; in NLTK also a word of vowel and consonant. */
function endsShort(word: string): boolean {
  const n = word.length;
  if (n === 2) return !isConsonant(word, 0) && isConsonant(word, 1);
  if (n < 3) return false;
  const [a, b, c] = [n - 3, n - 2, n - 1].map((at) => isConsonant(word, at));
  return a! && !b! && c! && !"wxy".includes(word[n - 1]!);
}

type Rule = readonly [suffix: string, by: string, holds?: (stem: string, word: string) => boolean];

/** The first rule whose suffix the word has decides, whether or not its condition holds. */
function apply(word: string, rules: readonly Rule[]): string {
  for (const [suffix, by, holds] of rules) {
    if (suffix === "*d" ? !endsDouble(word) : !word.endsWith(suffix)) continue;
    const stem = suffix === "*d" ? word.slice(0, -2) : word.slice(0, word.length - suffix.length);
    return holds === undefined || holds(stem, word) ? stem + (suffix === "*d" ? word.at(-1)! : "") + by : word;
  }
  return word;
}

const positive = (stem: string): boolean => measure(stem) > 0;
const above1 = (stem: string): boolean => measure(stem) > 1;

const step1a = (word: string): string =>
  word.endsWith("ies") && word.length === 4
    ? `${word.slice(0, -3)}ie`
    : apply(word, [
        ["sses", "ss"],
        ["ies", "i"],
        ["ss", "ss"],
        ["s", ""],
      ]);

function step1b(word: string): string {
  if (word.endsWith("ied")) return word.slice(0, -3) + (word.length === 4 ? "ie" : "i");
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const stem = ["ed", "ing"]
    .filter((suffix) => word.endsWith(suffix))
    .map((suffix) => word.slice(0, -suffix.length))
    .find(hasVowel);
  if (stem === undefined) return word;
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

/** After a consonant that is not the first letter: happy → happi, by and say stay. */
const step1c = (word: string): string =>
  apply(word, [["y", "i", (stem) => stem.length > 1 && isConsonant(stem, stem.length - 1)]]);

function step2(word: string): string {
  if (word.endsWith("alli") && positive(word.slice(0, -4))) return step2(word.slice(0, -2));
  const rules =
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble fulli:ful";
  return apply(word, [
    ...rules.split(" ").map((rule): Rule => {
      const [suffix, by] = rule.split(":") as [string, string];
      return [suffix, by, positive];
    }),
    // the l of -logi counts for the stem
    ["logi", "log", (_, whole) => positive(whole.slice(0, -3))],
  ]);
}

const step3 = (word: string): string =>
  apply(word, [
    ["icate", "ic", positive],
    ["ative", "", positive],
    ["alize", "al", positive],
    ["iciti", "ic", positive],
    ["ical", "ic", positive],
    ["ful", "", positive],
    ["ness", "", positive],
  ]);

const step4 = (word: string): string =>
  apply(word, [
    ...["al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"].map(
      (own): Rule => [own, "", above1],
    ),
    ["ion", "", (stem) => above1(stem) && /[st]$/.test(stem)],
    ...["ou", "ism", "ate", "iti", "ous", "ive", "ize"].map((own): Rule => [own, "", above1]),
  ]);

function step5a(word: string): string {
  if (!word.endsWith("e")) return word;
  const stem = word.slice(0, -1);
  const m = measure(stem);
  return m > 1 || (m === 1 && !endsShort(stem)) ? stem : word;
}

const step5b = (word: string): string => apply(word, [["ll", "l", () => measure(word.slice(0, -1)) > 1]]);
