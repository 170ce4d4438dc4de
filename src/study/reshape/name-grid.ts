/** Column names as a grid: "sys1 quality1 sys2 quality2" is {sys, quality} x {1, 2}; "has_claim_e has_claim_w" is has_claim x {e, w}. */
import { splitWords } from "../lexicon/words.ts";

export interface NameGrid {
  /** "upper" and "lower": the two parts of a name out of two header rows, which may have spaces. */
  readonly mode: "number" | "suffix" | "prefix" | "head" | "upper" | "lower";
  readonly keys: readonly string[];
  /** Stem → column under each key, in the order of the keys. */
  readonly stems: ReadonlyMap<string, readonly string[]>;
}

const SPLITS: Readonly<Record<NameGrid["mode"], RegExp>> = {
  number: /^(?<stem>.*?[^\d_. -])[_. -]?(?<key>\d{1,3})$/,
  suffix: /^(?<stem>.+)[_. -](?<key>[^_. -]+)$/,
  prefix: /^(?<key>[^_. -]+)[_. -](?<stem>.+)$/,
  // "Claude 3 correct": all but the last word
  head: /^(?<key>[_. -]*[^_. -]+[_. -]+[^_. -](?:.*[^_. -])?)[_. -]+(?<stem>[^_. -]+)$/,
  upper: /^(?<key>[^.]+)\.(?<stem>[^.]+)$/,
  lower: /^(?<stem>[^.]+)\.(?<key>[^.]+)$/,
};

/** Grids of one mode: stems that share the same two or more keys; the one with most columns first. */
export function findGrids(names: readonly string[], mode: NameGrid["mode"]): NameGrid[] {
  const byStem = new Map<string, Map<string, string>>();
  for (const name of names) {
    const { stem, key: whole } = SPLITS[mode].exec(separate(name))?.groups ?? {};
    if (stem === undefined || whole === undefined) continue;
    // "Fluency [Borealis]"
    const key = /^[([](.+)[)\]]$/.exec(whole)?.[1] ?? whole;
    // "GPT-4 (acc)"
    const plain = /^[([](.+)[)\]]$/.exec(stem)?.[1] ?? stem;
    byStem.set(plain, (byStem.get(plain) ?? new Map()).set(key, name));
  }
  const byKeys = new Map<string, Map<string, Map<string, string>>>();
  for (const [stem, columns] of byStem) {
    if (columns.size < 2) continue;
    const keys = JSON.stringify(sortKeys([...columns.keys()]));
    byKeys.set(keys, (byKeys.get(keys) ?? new Map()).set(stem, columns));
  }
  const grids = [...byKeys].map(([text, stems]): NameGrid => {
    const keys = JSON.parse(text) as string[];
    const entries = [...stems].map(([stem, columns]) => [stem, keys.map((key) => columns.get(key)!)] as const);
    return { mode, keys, stems: new Map(entries) };
  });
  return grids.sort((a, b) => b.stems.size * b.keys.length - a.stems.size * a.keys.length);
}

/** "gptCorrect" is "gpt_Correct" where nothing else parts the words, "acc (seed 1)" is "acc seed 1", "Fluency (A)", "A: Fluency" and "A/fluency" have a
 *  point. */
const separate = (name: string): string =>
  /[_. :/-]/.test(name)
    ? name
        .replace(/(?<=\S)\/(?=\S)/, ".")
        .replace(IN_BRACKETS, " $1")
        .replace(LETTERED, ".$1")
        .replace(/(?<!\s)\s*:\s*(?=\S)/, ".")
    : name.replace(/^(\p{Ll}[\p{Ll}\p{N}]+)(\p{Lu}\p{Ll}+)$/u, "$1_$2");

const sortKeys = (keys: string[]): string[] =>
  keys.every((key) => /^\d+$/.test(key)) ? keys.sort((a, b) => Number(a) - Number(b)) : keys.sort();

/** The last word of a stem, in lower case: "Input.system" is "system". */
export function lastWord(stem: string): string {
  const words = stem
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "");
  return words.at(-1) ?? "";
}

/** What was measured again: "wer" of wer_seed1, wer_seed2; of seed1, seed2 nobody says it, nor in which direction it is good. */
export function measureOf(stem: string): string {
  const words = stem.split(/[_. /-]+/);
  return words.slice(0, -1).join("_") || "value";
}

export const SYSTEM_STEM =
  /^(sysid|systemid|modelid|sys|system|systems|model|models|generator|method|engine|bot|assistant|team|llm|option|candidate|agent)$/;
export const RATER_STEM =
  /^(rater|raters|annotator|annot|ann|anno|judge|coder|worker|reviewer|evaluator|assessor|expert|labell?er|participant|turker|crowd)$/;
/** "Rater", "Input.annotator", "Bewerter". */
export const isRaterStem = (stem: string): boolean =>
  RATER_STEM.test(lastWord(stem)) || RATER_STEM.test(splitWords(stem).at(-1) ?? "");
const AGAIN = "run|seed|trial|epoch|rep|repeat|repetition|replicate|attempt|fold|try|iteration";
export const REPEAT_STEM = new RegExp(`^(${AGAIN})$`);
/** A key that names a repeat: "seed1" of seed1_acc. */
export const REPEAT_KEY = new RegExp(`^(${AGAIN})[-_ ]?\\d{1,4}$`, "i");
/** "(A)", "[System B]". */
const LETTERED = /(?<!\s)\s*[([]\s*((?:(?:system|model)[ _-]?)?[A-Z])\s*[)\]]$/i;
const IN_BRACKETS = new RegExp(`\\s*[([]\\s*((?:${AGAIN})[ _-]?#?\\d{1,4})\\s*[)\\]]$`, "i");
/** A key that names a rater: "ann1", "rater2", "annotator", "r3". */
export const RATER_KEY =
  /^(ann|anno|annot|annotator|rater|judge|coder|worker|reviewer|evaluator|expert|labell?er|r|w)[-_ ]?([a-z]|\d{1,3})$/i;

/** What may be judged, or summed up, in place of who judged. */
export const PARTS = new Set(
  (
    "question answer source target summary title text input output reference ref prompt response context story dialogue human auto automatic metric " +
    "before after pre post first second mean avg average median min max sum total overall final std sd gold expert crowd local global intra inter"
  ).split(" "),
);
