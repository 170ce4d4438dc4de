/** Tokenisers of BLEU.
 *    13a   NIST mteval-v13a: SGML entities, ASCII punctuation and symbols apart; full stops and commas stay within numbers
 *    intl  NIST mteval-v14: the same idea with Unicode's punctuation (P) and symbols (S)
 *    zh    Chinese characters one by one, the rest as in 13a
 *    char  every character is a word
 *    none  white space separates words
 *  Reference: NIST, mteval-v13a.pl and mteval-v14.pl (the rules, in their order); Post (2018), WMT, for the set of names.
 *  Oracle:    sacrebleu 2.6.0, oracle/python/metrics.json.
 *  Limits:    tokenisers that need a model or a dictionary (ja-mecab, ko-mecab, spm, flores101, flores200) are absent. */
import type { TOKENISERS } from "../question/choices.ts";
import { splitWords, trim } from "./words.ts";

export type TokeniserName = (typeof TOKENISERS)[number];

export function tokenise(text: string, name: TokeniserName): string[] {
  switch (name) {
    case "13a":
      return splitWords(separateAscii(cleanMarkup(text)));
    case "intl":
      return splitWords(separateUnicode(text));
    case "zh":
      // no space is put around the whole, so that "5." at the end stays one word
      return splitWords(separateStops(separateSymbols(separateChinese(trim(text)))));
    case "char":
      return splitWords([...text].join(" "));
    case "none":
      return splitWords(text);
  }
}

function cleanMarkup(text: string): string {
  let plain = text;
  if (plain.includes("<skipped>")) plain = plain.replaceAll("<skipped>", "");
  if (plain.includes("\n")) plain = plain.replaceAll("-\n", "").replaceAll("\n", " ");
  return decodeEntities(plain);
}

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  // in this order: "&amp;lt;" becomes "<"
  return text.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">");
}

const SYMBOL = /[{-~[-` -&(-+:-@/]/g;
const STOP_AFTER_NONDIGIT = /([^0-9])([.,])/g;
const STOP_BEFORE_NONDIGIT = /([.,])([^0-9])/g;
const DASH_AFTER_DIGIT = /([0-9])(-)/g;

/** ASCII punctuation and symbols other than . , - ' with a space on either side. */
export function separateSymbols(text: string): string {
  return text.replace(SYMBOL, " $& ");
}

/** Full stops and commas apart unless between digits, and dashes apart after a digit; each rule sees what the one before
 *  left, which decides runs such as "..". */
export function separateStops(text: string): string {
  return text
    .replace(STOP_AFTER_NONDIGIT, "$1 $2 ")
    .replace(STOP_BEFORE_NONDIGIT, " $1 $2")
    .replace(DASH_AFTER_DIGIT, "$1 $2 ");
}

function separateAscii(text: string): string {
  return separateStops(separateSymbols(` ${text} `));
}

const PUNCTUATION_AFTER_NONNUMBER = /(\P{N})(\p{P})/gu;
const PUNCTUATION_BEFORE_NONNUMBER = /(\p{P})(\P{N})/gu;
const UNICODE_SYMBOL = /\p{S}/gu;

function separateUnicode(text: string): string {
  return text
    .replace(PUNCTUATION_AFTER_NONNUMBER, "$1 $2 ")
    .replace(PUNCTUATION_BEFORE_NONNUMBER, " $1 $2")
    .replace(UNICODE_SYMBOL, " $& ");
}

/** What stands alone in Chinese text, measured on sacrebleu character by character. The stretch from U+2001 to U+2A6D
 *  (punctuation, arrows, mathematics) is in it because the bounds of the supplementary ideographs were written with four
 *  digits where they need five; ideographs beyond U+FFFF are not in it for the same reason. */
const CHINESE =
  /[\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31ef\u3200-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]/g;

function separateChinese(text: string): string {
  return text.replace(CHINESE, " $& ");
}
