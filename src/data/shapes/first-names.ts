/** Given names that are common in many languages: a column of judgements under one is a person's. Words that are also systems, criteria or
 *  things (Claude, Bert, Grace, Faith, Art, Mark, Will, Max, Rose, Adam, Lars) are no evidence and not among them. */
import { isMeasure } from "../roles/direction.ts";
import { SYSTEM_LEVEL } from "../roles/names.ts";

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
