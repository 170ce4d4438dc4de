/** The sentences and table cells of a page in Markdown, and how long they are. Code, formulas set as code, headings and image texts do not count;
 *  a piece of code within a sentence is one word. A list of references is no sentence. */

export interface Prose {
  readonly sentences: readonly string[];
  readonly cells: readonly string[];
}

/** What a reader sees of one line of text. */
const visible = (text: string, code = "code"): string =>
  text
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`([^`]*)`/g, (_, inner: string) => (code === "" ? inner : code))
    .replace(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, "");

/** Characters that end no sentence: abbreviations, initials, numbers. */
const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|al|vs|cf|resp|approx|eq|eqs|Fig|Def|Sec|Ch|no|pp?|J|Stat|Soft|Softw|Ann|Comput|Assoc|Amer|Proc|Math|Psychol|Educ|Biom|Trans|Rev|Med|Res|Sci|R|Soc|Lett|vol)|\b[A-Z])\.$/;

function sentencesOf(paragraph: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (const match of paragraph.matchAll(/[.!?:]?[.!?]["”)]*(?=\s+["“(]?[A-Z0-9*`]|\s+code\b|\s*$)/g)) {
    const end = match.index + match[0].length;
    if (ABBREVIATION.test(paragraph.slice(from, end)) && end < paragraph.length) continue;
    found.push(paragraph.slice(from, end).trim());
    from = end;
  }
  if (paragraph.slice(from).trim() !== "") found.push(paragraph.slice(from).trim());
  return found;
}

export function readProse(markdown: string): Prose {
  const text = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replace(/^(```|\$\$)[\s\S]*?^\1/gm, "\n")
    .replace(/<!--[\s\S]*?-->/g, "");
  const [sentences, cells]: [string[], string[]] = [[], []];
  let paragraph: string[] = [];
  const close = (): void => {
    if (!/^References?\b.*?: /.test(paragraph.join(" "))) sentences.push(...sentencesOf(visible(paragraph.join(" "))));
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    if (line.startsWith("|")) {
      close();
      if (!/^[|\s:-]+$/.test(line)) {
        cells.push(
          ...line
            .replaceAll("\\|", "/")
            .split("|")
            .slice(1, -1)
            .map((cell) => visible(cell, "").trim()),
        );
      }
    } else if (/^\s*$|^#|^ {4}\S/.test(line)) close();
    else {
      if (/^\s*(?:[-*]|\d+\.) /.test(line)) close();
      paragraph.push(line.replace(/^\s*(?:[-*]|\d+\.) /, "").trim());
    }
  }
  close();
  return { sentences: sentences.filter((one) => /\w/.test(one)), cells };
}

export const wordsIn = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
};

/** Flesch's reading ease: 206.835 - 1.015 words per sentence - 84.6 syllables per word (Flesch 1948). Syllables by groups of vowels. */
export function readingEase(sentences: readonly string[]): number {
  const words = sentences.flatMap((one) => one.match(/[A-Za-z]+/g) ?? []);
  const syllables = (word: string): number =>
    Math.max(
      1,
      (
        word
          .toLowerCase()
          .replace(/(?<=.{2})e$/, "")
          .match(/[aeiouy]+/g) ?? []
      ).length,
    );
  const total = words.reduce((sum, word) => sum + syllables(word), 0);
  return 206.835 - 1.015 * (words.length / sentences.length) - 84.6 * (total / words.length);
}
