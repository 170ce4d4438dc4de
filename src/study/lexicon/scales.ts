/** Scales of words that people have settled on, each from the lowest to the highest; words between bars are one category. */

export interface Scale {
  readonly categories: readonly (readonly string[])[];
  /** The words praise: the last is the best. Agreement and frequency are good or bad as the question was. */
  readonly praises: boolean;
}

const scales = (praises: boolean, lines: readonly string[]): Scale[] =>
  lines.map((line) => ({ praises, categories: line.split(";").map((words) => words.split("|")) }));

const NEITHER = "neutral|neither agree nor disagree|neither|undecided|not sure|unsure";
const STRONGLY = "strongly disagree|completely disagree|totally disagree";
const AGREE = "strongly agree|completely agree|totally agree";
const RATHER_NOT = "somewhat disagree|slightly disagree|rather disagree";
const RATHER = "somewhat agree|slightly agree|rather agree";
const FAIR = "fair|average|ok|okay|acceptable|medium|neutral";

/** A scale whose every category occurs goes before one with gaps, an earlier one before a later one. */
export const SCALES: readonly Scale[] = [
  ...scales(true, [
    `very bad|terrible|awful;bad|poor;${FAIR}|mediocre;good;very good|great|excellent|perfect`,
    `very poor|terrible;poor|bad;${FAIR};good;very good;excellent|outstanding|perfect`,
    `bad|unacceptable;poor;${FAIR};good;excellent`,
    `very poor|terrible;poor|bad;${FAIR};good;excellent|outstanding|perfect`,
    `poor|bad;${FAIR};good;very good;excellent|outstanding|perfect`,
    `poor|bad;${FAIR};good;excellent|outstanding|perfect`,
    `poor|bad;${FAIR};good`,
    "much worse;worse|slightly worse|somewhat worse;about the same|same|equal|about equal|similar;better|slightly better|somewhat better;much better",
    "very dissatisfied;dissatisfied;neutral|neither;satisfied;very satisfied",
    "incorrect|wrong;partially correct|partly correct|partial;correct|right",
    "not relevant|irrelevant;partially relevant|somewhat relevant|marginally relevant;relevant;highly relevant|very relevant|perfectly relevant",
    "incomprehensible;disfluent;non native;good;flawless",
  ]),
  ...scales(false, [
    `${STRONGLY};disagree;${NEITHER};agree;${AGREE}`,
    `${STRONGLY};disagree;agree;${AGREE}`,
    `${STRONGLY};${RATHER_NOT};${NEITHER};${RATHER};${AGREE}`,
    `${STRONGLY};disagree;${RATHER_NOT};${RATHER};agree;${AGREE}`,
    `${STRONGLY};disagree;${RATHER_NOT};${NEITHER};${RATHER};agree;${AGREE}`,
    `disagree;${NEITHER};agree`,
    "not at all;a little|slightly;somewhat|moderately;mostly|very|quite;completely|extremely|entirely",
    "never;rarely|seldom;sometimes|occasionally;often|frequently|usually;always",
    "very unlikely;unlikely;neutral|maybe|possibly;likely;very likely",
    "definitely not;probably not;maybe|possibly|unsure|not sure;probably|probably yes;definitely|definitely yes",
  ]),
];

/** Scales of words that may also be a setting or an answer to choose: only under the name of a criterion. */
export const NAMED_SCALES: readonly Scale[] = scales(false, [
  "very low;low;medium|moderate|average|neutral;high;very high",
  "low;medium|moderate|average|neutral;high",
  "no;partially|partly|partial|somewhat;yes|fully|completely",
]);
