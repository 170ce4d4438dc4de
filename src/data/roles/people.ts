/** Scores that people gave and measures that a program computed, told by names of columns and files; what is known of people; what a platform of
 *  crowds wrote; given names. */
import { directionColumn } from "../declared.ts";
import type { Table } from "../table.ts";
import { isMeasure } from "./direction.ts";
import type { Guess } from "./guess.ts";
import { SYSTEM_LEVEL, splitWords } from "./names.ts";

/** Measures that programs compute of an output; other scores beside them are people's, or a judge's. */
const AUTOMATIC =
  /^(sacre|sp)?(bleu|chrf|ter|rouge|meteor|bert_?score|bleurt|x?comet|bart_?score|mover_?score|mauve|cider|spice|nist|ppl|perplexity|qags|feqa|factcc|summac|unieval|gpt ?score|metricx|yisi|prism|gemba|g_?eval|qafacteval|questeval|supert|blanc|wer|cer)/i;
const PEOPLE = /^(humans?|people|manual|annotators?|raters?|crowd|experts?|turkers?|mturk|likert|mos|da|mqm|esa)$/;
const PEOPLES_FILE =
  /(^|[\W_])(humans?|people|manual|annotat\w*|raters?|ratings?|crowd\w*|mturk|da|mqm|esa|likert|experts?)([\W_]|$)/i;

export const isAutomatic = (name: string): boolean => AUTOMATIC.test(name);

export const isPeoplesColumn = (name: string): boolean => splitWords(name).some((word) => PEOPLE.test(word));

/** By the last part of its path. */
export const isPeoplesFile = (file: string): boolean =>
  PEOPLES_FILE.test(file.replace(/^.*[\\/]/, "").replace(/\.[a-z0-9]+$/i, ""));

/** What Mechanical Turk writes beside the answers, and Turkle after it: about the task, its payment and its times, never about what was judged. */
const WRITTEN = new Set(
  (
    "HITTypeId Title Description Keywords Reward CreationTime MaxAssignments RequesterAnnotation AssignmentDurationInSeconds " +
    "AutoApprovalDelayInSeconds Expiration NumberOfSimilarHITs LifetimeInSeconds AssignmentId AssignmentStatus AcceptTime SubmitTime " +
    "AutoApprovalTime ApprovalTime RejectionTime RequesterFeedback LifetimeApprovalRate Last30DaysApprovalRate Last7DaysApprovalRate " +
    "Approve Reject"
  ).split(" "),
);

/** Whether the platform wrote a column, in a table that it exported. */
export const isHousekeeping = ({ columns }: Table, name: string): boolean =>
  WRITTEN.has(name) && columns.has("HITId") && columns.has("WorkerId");

export function claimHousekeeping(guess: Guess): void {
  const found = guess.free().filter(({ name }) => isHousekeeping(guess.table, name));
  guess.claimMany(
    "identifiers",
    found.map(({ name }) => name),
  );
}

/** The same for a rater wherever he is: his group, his country. */
export function isOfRaters(guess: Guess, name: string): boolean {
  const rater = guess.single.get("rater");
  return rater !== undefined && rater !== name && guess.groups(rater, name) === guess.groups(rater);
}

/** What is known of a rater, who has several rows, is no judgement of his: his age, his grades. */
export const isOfPeople = (guess: Guess, name: string): boolean =>
  isOfRaters(guess, name) && guess.groups(guess.single.get("rater")!) * 2 <= guess.table.rows;

/** Share of those who took part that must have met every condition before they are taken as paired. */
const MET_ALL = 0.9;

/** Everybody who judged or took part has one row for each system, and so nothing smaller is left to be an item. */
export function hasRowPerPerson(guess: Guess, system: string): boolean {
  const rater = guess.single.get("rater");
  const others = ["repeat", "task", "metric", "opponent"] as const;
  if (rater === undefined || others.some((role) => guess.single.has(role))) return false;
  return guess.groups(rater) > 2 && guess.groups(rater, system) === guess.table.rows;
}

/** Conditions that the same people met are paired by who met them. */
export function claimParticipants(guess: Guess, system: string): void {
  const rater = guess.single.get("rater")!;
  if (guess.table.rows < MET_ALL * guess.groups(rater) * guess.groups(system)) return;
  guess.release("rater");
  guess.claim("item", rater, `Each ${rater} has one row for each ${system}, so ${rater} is what is paired.`);
}

/** Given names that are common in many languages: a column of judgements under one is a person's. Words that are also systems, criteria or
 *  things (Claude, Bert, Grace, Faith, Art, Mark, Will, Max, Rose, Adam, Lars) are no evidence and not among them. */
const NAMES = new Set(
  (
    "aaron abdul abigail adrian agnes ahmed aisha alan albert alejandro alessandro alex alexander alexandra alfred ali alice alina amanda amelie " +
    "amir amy ana anastasia andre andrea andreas andres andrew angela anita anja anke ann anna anne annette annika anthony anton antonio arjun arthur " +
    "astrid barbara beatrice beatriz ben benjamin bernd birgit bjorn bob boris bram brandon brian brigitte bruno camille carla carlos carmen carol " +
    "caroline catherine cecile celine charles charlotte chen chloe chris christian christina christine christoph christopher claire clara claudia " +
    "cornelia cristina daniel daniela danielle david deborah dennis diana diego dieter dirk dmitri dominik donald dora dorothea edith eduardo edward " +
    "elena elias elisa elisabeth elizabeth ella ellen emily emma eric erik erika ernst esther eva fabian fatima felix fernando florian francesca " +
    "francesco francisco francois frank franziska frederic friedrich fritz gabriel gabriela georg george gerald gerhard gianluca giulia gloria greta " +
    "guillaume gustav hannah hannes hans harald harry hassan heather heike heinrich heinz helen helena helga henri henrik henry hiroshi holger hugo " +
    "ibrahim igor ines ingo ingrid irene irina isabel isabelle ivan jacob jakob james jan jana jane janet jasmin jason javier jean jennifer jens jessica " +
    "jim joachim joan joanna joe johan johanna johannes john jonas jonathan jorge jose josef joseph joshua juan judith julia julian julie jurgen " +
    "justin karen karim karin karl karsten katarina katharina katherine kathrin katja katrin kenji kevin kim kirsten klaus kristin kumar kurt lara " +
    "larry laura lea lena leo leon leonie lina linda lisa lorenzo louis louise luca lucas lucia lucy luis luisa lukas luke maja manfred manuel " +
    "manuela marc marcel marco marcus margaret maria marie marina mario marion markus marta martha martin martina mary mateo mathias matthew matthias " +
    "maya mehmet mei melanie mia michael michaela michel michelle miguel miriam mohamed mohammed monica monika moritz nadia nadine nancy natalia natalie " +
    "nicholas nick nicola nicolas nicole niklas nils nina nora olaf oliver olivia omar oscar otto pablo paola patricia patrick paul paula pauline pedro " +
    "peter petra philip philipp pierre priya rachel rahul rainer ralf raphael raul rebecca renate ricardo richard rita robert roberto robin roger roland " +
    "ronald rosa ruben ruth ryan sabine samuel sandra sara sarah scott sebastian sergei sergio sharon silke silvia simon simone sofia sonja sophia sophie " +
    "stefan stefanie stephan stephanie stephen steve steven susan susanne sven svenja sylvia tamara tanja teresa theo theresa thomas tim timo tina tobias " +
    "tom tomas tony torsten ulrich ulrike ursula ute uwe valentina valerie vanessa vera veronika victor victoria viktor vincent volker walter wei werner " +
    "william wolfgang yan yasmin yuki yusuf yves yvonne zoe"
  ).split(" "),
);

/** "Anna", "anna", "Anna K.", "Zoë". */
export function isFirstName(name: string): boolean {
  const first = /^\s*(\p{L}{2,})(?:[\s_]\p{Lu}\.?)?\s*$/u.exec(name)?.[1];
  return first !== undefined && NAMES.has(first.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase());
}

/** annotator1, rater_B, coder-2. */
const RATER =
  /^(annotator|annot|ann|rater|coder|judge|worker|reviewer|expert|labell?er|evaluator|participant)[-_ ]?([a-z]|\d{1,3})?$/i;

/** Names of files, or of columns, that are people: all are called raters, or some have a given name and the others could be one. */
export function areRaters(names: readonly string[]): boolean {
  if (names.length < 2) return false;
  if (names.every((name) => RATER.test(name))) return true;
  const word = (name: string): boolean => /^\p{L}{2,20}$/u.test(name) && !SYSTEM_LEVEL.test(name);
  return names.some(isFirstName) && names.every((name) => isFirstName(name) || (word(name) && !isMeasure(name)));
}

/** Whether more is better, said in a column, is no result. */
export function claimDirection(guess: Guess): void {
  const name = directionColumn(guess.table);
  if (name !== undefined && guess.free().some((profile) => profile.name === name))
    guess.claimMany("identifiers", [name]);
}
