/** Two words that answer one question, the one that counts as 1 last. Those that praise say which way is better whatever the column is called;
 *  yes and true leave it to the question. A word with a known direction and its denial (toxic, non-toxic) praise too. */

import { metricDirection, saysWhatIsGood } from "./metrics.ts";

const list = (pairs: string): (readonly [string, string])[] =>
  pairs.split(";").map((pair) => pair.trim().split("|") as [string, string]);

const NEUTRAL = list(
  "false|true; no|yes; n|y; f|t; nein|ja; falsch|wahr; non|oui; faux|vrai; no|sí; no|si; falso|verdadero; falso|vero; não|sim; nee|ja; nej|ja; 否|是; いいえ|はい; no|sì; нет|да; nie|tak; ne|ano; hayır|evet; nei|ja; ei|kyllä; 아니오|예; 아니요|예; 아니오|네; لا|نعم; नहीं|हाँ; không|có; tidak|ya",
);
const PRAISING = list(
  "fail|pass; failed|passed; wrong answer|accepted; failure|success; failed|success; failed|succeeded; unsuccessful|successful; incorrect|correct; wrong|right; i|c; " +
    "wrong|correct; reject|accept; rejected|accepted; deny|approve; denied|approved; lose|win; loses|wins; lost|won; loss|win; harmful|safe; toxic|safe; unsolved|solved; unresolved|resolved; invalid|valid; unsafe|safe; harmful|harmless; bad|good; " +
    "hallucinated|faithful; unfaithful|faithful; hallucinated|grounded; ungrounded|grounded; unsupported|supported; irrelevant|relevant; " +
    "falsch|richtig; inkorrekt|korrekt; nicht bestanden|bestanden; nicht gelöst|gelöst; échoué|réussi; échec|réussite; échec|succès; incorrecte|correcte; " +
    "incorrecto|correcto; incorrecta|correcta; suspendido|aprobado; fallo|éxito; errato|corretto; sbagliato|giusto; errado|certo; incorreto|correto; 错误|正确; 错|对; 不正确|正确; 不正解|正解; 誤り|正しい; 👎|👍; thumbs down|thumbs up; 👎 thumbs down|👍 thumbs up; downvote|upvote",
);
/** Praise where the question is open; beside the name of something bad a mark says that it is there. */
const MARKS = list("×|○; ✗|✓; ✘|✔; ❌|✅");
const OPPOSITES = [...NEUTRAL, ...PRAISING, ...MARKS];
/** Alone these are letters and words like any other. */
const NEED_BOTH = new Set(
  "i c bad good si relevant irrelevant win wins won lose loses lost loss toxic approve deny approved denied".split(" "),
);
/** Before a word, with or without a space: unhelpful, non toxic, no hallucination. */
const DENIAL = /^(un|in|im|ir|dis|non|not |no )\s*(?=\p{L}{3})/u;

const plain = (level: string): string =>
  level.trim().normalize("NFC").toLowerCase().replaceAll("\uFE0F", "").replace(/[_-]+/g, " ");

/** One or two levels of which no more is known than that they are opposites: the word that counts as 1; undefined for all others. */
export function positiveOf(
  levels: readonly string[],
): { readonly word: string; readonly praises: boolean; readonly mark: boolean } | undefined {
  if (levels.length === 0 || levels.length > 2) return undefined;
  const words = levels.map(plain);
  if (new Set(words).size < words.length || (words.length === 1 && NEED_BOTH.has(words[0]!))) return undefined;
  const pair = OPPOSITES.find((own) => words.every((word) => own.includes(word))) ?? denied(words);
  return pair === undefined
    ? undefined
    : { word: pair[1], praises: !NEUTRAL.includes(pair), mark: MARKS.includes(pair) };
}

/** A word and its denial, the better one last. */
function denied(words: readonly string[]): readonly [string, string] | undefined {
  const without = words.find((word) => words.some((other) => other !== word && other.replace(DENIAL, "") === word));
  if (without === undefined || without.length > LONGEST || !saysWhatIsGood(without)) return undefined;
  const other = words.find((word) => word !== without)!;
  return metricDirection(without) === true ? [other, without] : [without, other];
}
const LONGEST = 30;

export const isWord = (level: string, word: string): boolean => plain(level) === word;
