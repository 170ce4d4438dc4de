/** What the product does not say, and the words of the field instead. */

/** Phrases, and what the field says. Levels of a factor, `plan looks`, names of flags and of JSON fields are not among them. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\b(hang|hangs|hung|hanging) together\b/i, "are clustered, are correlated"],
  [/\b(intervals?|differences?|pairs) (that )?holds? (all )?together\b/i, "simultaneous confidence intervals"],
  [/\b(told|tell|tells|telling) (\w+ ){0,3}apart\b/i, "distinguished, significant"],
  [/\bcannot be told (from|apart)\b/i, "would look like, is not distinguishable from"],
  [/\bfound to differ\b/i, "significant"],
  [/\bgo(es)? with the system\b/i, "is confounded with system"],
  [/\bwith nothing to find\b/i, "false-positive rate"],
  [/\bchanges? that changes? nothing\b/i, "false-alarm rate"],
  [/\btrue (effect|difference)s? is found with\b/i, "power"],
  [/\bby what factor\b/i, "exaggeration ratio (Type M)"],
  [/\banew\b/i, "again, resampled, recomputed"],
  [/\b(whence|thereof|whereupon)\b/i, "plain words"],
  [/\bclaim about new\b/i, "generalizes to new"],
  [/\bunscored rows?\b/i, "missing scores"],
  [/\brows? without a score\b/i, "missing scores"],
  [/\blimit of what the data can show\b/i, "minimum detectable effect"],
  [/\blikeness(es)?\b/i, "similarity"],
  [/\bthe right (answer|label)s?\b/i, "gold labels, reference"],
  [/\bright labels?\b/i, "gold labels"],
  [/\bmean of the others\b/i, "leave-one-out mean"],
  [/\ba rule gives every row\b/i, "a rule reproduces every label"],
  [/\bdoes as well as any\b/i, "no other feature set explains more"],
  [/\bnullified\b/i, "explained away by"],
  [/\bworth a question\b/i, "ambiguous"],
  [/\bis (said|told|asked|taken)\b/i, "name who does it"],
  [
    /\bis no (?!(longer|more|less|larger|smaller|fewer|greater|wider|better|worse|higher|lower)\b)[a-z]/i,
    "is not a, there is no",
  ],
  [/\bwithout a word\b/i, "silently"],
  [/\bsays? nothing of\b/i, "does not indicate"],
  [/\bafter any death\b/i, "after a crash"],
  [/\bin place of\b/i, "instead of"],
  [/\bwhich is said\b/i, "and reports it"],
  [/\bdo(es)? nothing\b/i, "has no effect"],
  [/\b(un)?mends?\b|\bmended\b/i, "correct, fix"],
  [/\bknows? nothing of\b/i, "ignores"],
  [/\b(hold|holds|held) (\w+ )?against\b/i, "compared with, tested against"],
  [/\bcomes? out again\b/i, "is reproduced"],
  [/\bgo(es)? with the label\b/i, "is associated with the label"],
  [/\b(put|puts) down to chance\b/i, "attributed to chance"],
  [/\bwanted (power|chance|probability)\b/i, "target power"],
  [/\bmay be had\b/i, "are available"],
  [/\bturned round\b/i, "reversed"],
  [/\b(can|cannot|could) see (a |the |any )?(true )?(differences?|effects?)\b/i, "detect"],
  [
    /\bshares? of (the )?(items|sentences|wins|ties|judge?ments|variance|raters|runs|rows|labels|ratings)\b/i,
    "proportion",
  ],
  [/\bare (said|told|asked|taken)\b/i, "name who does it"],
  [/\b(worked|works?) out\b/i, "computed"],
  [/\bhowever often (one|you) looks?\b/i, "anytime-valid"],
  [/\bthe file says so\b/i, "by the format, by its name"],
];

/** There is no X: a subject of its own. */
const isAllowed = (text: string, at: number): boolean => /\b(there|it) $/i.test(text.slice(Math.max(0, at - 6), at));

export function phrasesIn(text: string): string[] {
  return BANNED.flatMap(([phrase, instead]) =>
    [...text.matchAll(new RegExp(phrase.source, "gi"))]
      .filter(({ index }) => !isAllowed(text, index))
      .map((match) => `${match[0]} → ${instead}`),
  );
}
