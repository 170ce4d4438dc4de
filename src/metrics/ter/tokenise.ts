/** Words of TER as tercom's options make them. By default only case is folded and white space separates words.
 *  Reference: Snover et al. (2006), AMTA, and the options of tercom 0.7.25 (-N normalise, -P no punctuation, -s case sensitive).
 *  Oracle:    sacrebleu 2.6.0, oracle/python/metrics.json. */
import { decodeEntities, separateStops, separateSymbols } from "../tokenise.ts";
import { splitWords } from "../words.ts";

export interface TerTokens {
  /** Separate punctuation and decode SGML entities. */
  readonly normalized?: boolean | undefined;
  /** Leave . , ? : ; ! " ( ) out. */
  readonly noPunctuation?: boolean | undefined;
  /** With `normalized` also ideographs and Asian punctuation one by one; with `noPunctuation` also without the latter. */
  readonly asianSupport?: boolean | undefined;
  readonly caseSensitive?: boolean | undefined;
}

const ASIAN_PUNCTUATION =
  "\\u3001\\u3002\\u3008-\\u3011\\u3014-\\u301f\\u30fb\\uff01\\uff02\\uff08\\uff09\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f\\uff61-\\uff65";
const IDEOGRAPHS = "\\u2e80-\\u2eff\\u31c0-\\u31ef\\u3200-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\ufe30-\\ufe4f";
const ASIAN_MARK = new RegExp(`[${ASIAN_PUNCTUATION}]`, "g");
const ASIAN_SIGN = new RegExp(`[${IDEOGRAPHS}${ASIAN_PUNCTUATION}]`, "g");
const WESTERN_MARK = /[.,?:;!"()]/g;
const POSSESSIVE = /'s(?= |$)/g;

export function terWords(text: string, options: TerTokens): string[] {
  let sentence = options.caseSensitive ? text : text.toLowerCase();
  if (options.normalized) {
    sentence = separateWestern(sentence);
    if (options.asianSupport) sentence = sentence.replace(ASIAN_SIGN, " $& ");
  }
  if (options.noPunctuation) {
    sentence = sentence.replace(WESTERN_MARK, "");
    if (options.asianSupport) sentence = sentence.replace(ASIAN_MARK, "");
  }
  return splitWords(sentence);
}

/** As BLEU's 13a, with the possessive 's apart where a space follows it. */
function separateWestern(text: string): string {
  const plain = decodeEntities(text.replaceAll("\n-", "").replaceAll("\n", " "));
  return separateStops(separateSymbols(` ${plain} `).replace(POSSESSIVE, " 's"));
}
