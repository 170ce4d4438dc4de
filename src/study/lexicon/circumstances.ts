/** Columns that say how, when or by what rules something was measured, and those that say what a system is. */
import { crossed, hasWord, joinedName, listed, plainName, splitWords } from "./words.ts";

const SETTINGS = listed(
  [
    "temperature temp topp topk solver scaffold harness version template decoding dosample quantization quantisation quant dtype precision",
    "reasoning reasoningeffort effort thinking thinkingbudget cot chainofthought tools usetools retriever backend generationkwargs beamsize bestof numfewshot",
    crossed("- n num k", "shot shots fewshot fewshots"),
    crossed("task prompt harness dataset data eval evaluation metric scorer benchmark", "version revision"),
    crossed("prompt", "template style format variant name"),
    crossed("chat", "template"),
    crossed("system", "prompt message"),
    crossed(crossed("max", "- new gen output completion"), "tokens toks length"),
    crossed("max", "steps turns iterations"),
    crossed(crossed("- context window", "length window size"), "limit"),
    crossed("context", "length"),
    crossed("- n num", "beam beams"),
    crossed("n num", "samples"),
    crossed("repetition frequency presence", "penalty"),
  ].join(" "),
);
const RECORDS = listed(
  `config configs param params parameters hparam hparams args kwargs settings options ${crossed("generation sampling run", "config kwargs params")}`,
);
/** Where a record keeps how it was run, whatever it sets. */
export const isSettings = (name: string): boolean => RECORDS.has(joinedName(name));
/** How a system was run: by its name, or by the record that it lies in. */
export const isSetting = (name: string): boolean =>
  SETTINGS.has(joinedName(name)) || [...name.matchAll(/[._/]/g)].some(({ index }) => isSettings(name.slice(0, index)));

const ATTRIBUTES = listed(
  "model system sys llm engine agent team author vendor provider company org organization organisation affiliation institution family size param parameter base backbone arch architecture checkpoint revision commit sha hash path file filename url link uri id uuid name alias display label color colour api endpoint release released license licence context window price pricing cost tier type kind class category open opensource note comment description method approach algorithm strategy optimizer optimiser loss training train pretrained finetuned tokenizer tokeniser rank place status error gold reference answer output response prediction",
);
/** What a system is, not how it was measured: these go with it by their nature. */
export const isAttribute = (name: string): boolean => hasWord(name, ATTRIBUTES);
const SYSTEMS_OWN = listed("release released model checkpoint cutoff training commit");
/** What a system has since it was made. */
export const isSystemsOwn = (name: string): boolean =>
  hasWord(name, SYSTEMS_OWN) || plainName(name).includes("cut_off");

const JUDGING = listed(
  `${crossed("rat annotat grad cod", "e ed ing ion")} ${crossed("judg", "ed ing ment e ement")} ${crossed("label review", "- ed ing")}`,
);
/** When somebody judged; runs of programs are on days of their own as a rule. */
export const isJudgedAt = (name: string): boolean => hasWord(name, JUDGING);
const MEASURED_IN = listed(
  "batch session group round wave phase day week month block list seed form panel cohort site",
);
/** Numbers that say when or where something was measured; others describe the system. */
export const isMeasuredIn = (name: string): boolean => hasWord(name, MEASURED_IN);
/** A number or a name of what is meant, which is not part of what it is. */
const NUMBERS = listed("id no nr num number name label key code");
export function withoutNumber(name: string): string {
  const words = splitWords(name);
  return (words.length > 1 && NUMBERS.has(words.at(-1)!) ? words.slice(0, -1) : words).join("_");
}

const OCCASIONS = listed(
  "position order place side slot screen batch session sitting wave shift day week month quarter period phase panel cohort round date slot hit form site crowd clinic hospital ward office location room campus school campaign survey questionnaire protocol codebook",
);
const MOMENTS = listed("at on time timestamp");
const DOINGS = "rat annotat judg evaluat label submi start finish complet".split(" ");
/** When, where, in which order and by which rules people sat down to rate. */
export function isOccasionName(name: string): boolean {
  const [doing = "", moment = ""] = splitWords(name).slice(-2);
  return hasWord(name, OCCASIONS) || (MOMENTS.has(moment) && DOINGS.some((stem) => doing.startsWith(stem)));
}
const MEASURERS = listed("judge grader scorer rubric guideline codebook annotation");
/** What gives the scores, or says how: another one of these measures something else, whoever was measured. */
export const isMeasurer = (name: string): boolean => {
  const [first = ""] = splitWords(name);
  return MEASURERS.has(first) || MEASURERS.has(first.replace(/s$/, ""));
};
/** The same anywhere in the name of a setting. */
export const isOfJudge = (name: string): boolean =>
  ["judge", "grader", "scorer", "rubric"].some((own) => name.toLowerCase().includes(own));

/** What a row of several systems may be: whole data sets, runs of a training. */
const DATA_SETS: readonly (readonly [string, ReadonlySet<string>])[] = [
  [
    "data sets",
    listed(
      `${crossed("dataset datasets corpus corpora", "- name id")} datensatz datensätze jeudedonnées jeuxdedonnées jeudedonnees jeuxdedonnees`,
    ),
  ],
  ["benchmarks", listed(crossed("benchmark benchmarks", "- name"))],
  ["tasks", listed("task tasks aufgabe tâche")],
  ["languages", listed("lang langs language languages locale locales")],
];
export const dataSetsOf = (name: string): string | undefined =>
  DATA_SETS.find(([, names]) => names.has(joinedName(name)))?.[0];
const SEEDS = listed("seed seeds randomseed randomseeds rngseed rngseeds run runs");
export const isRunsName = (name: string): boolean => SEEDS.has(joinedName(name));
/** Repeats that differ as wholes, whenever they ran. */
export const isShifted = (name: string): boolean =>
  ["seed", "checkpoint", "init", "fold", "split"].some((own) => name.toLowerCase().includes(own));

const CONDITIONS = listed(
  `${crossed("- prompt instruction question query input", "template paraphrase wording phrasing variant variation style format version perturbation")} ${crossed("prompt instruction", "- id no nr name index")} ${crossed("persona tone condition perturbation noise corruption", "- id name level")} ${crossed("lang langs language languages locale locales", "- code id")}`,
);
/** What the same items are asked under: prompt templates, wordings, languages. */
export const isConditionName = (name: string): boolean => CONDITIONS.has(joinedName(name)) || isSetting(name);
