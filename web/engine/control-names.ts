/** The library's messages name its options as code: option `perRater`, `cluster: none`. On the page these are controls, and this is the one
 *  place that says which. An option without a control keeps its name, in plain words. */
import { COMPARE, GATE } from "../../src/questions.ts";

/** The word "option" before it is the library's own; code with a backtick of its own has two around it, as in Markdown. */
const CODE = /(?:\boptions? )?(?:``(.+?)``|`([^`]+)`)/gi;
const OPTION = /^([a-z][A-Za-z0-9.]*)(?:: (.+))?$/;

/** Questions of the library that are choices of the plan. */
const QUESTIONS = [
  ["size", "How big must it be?"],
  ["mde", "What is the smallest difference it can show?"],
] as const;

const LABELS: ReadonlyMap<string, string> = new Map<string, string>([
  ...QUESTIONS,
  ["drawn", "Labeled outputs were drawn"],
  ...[GATE.options, COMPARE.options].flatMap((options) =>
    Object.entries(options).flatMap(([name, spec]) => {
      const label = (spec as { readonly page?: { readonly label?: string } }).page?.label;
      return label === undefined ? [] : [[name, label] as const];
    }),
  ),
]);

/** "perRater" → "per rater". */
const spaced = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(".", " ");

/** "Give `raters: 3`" → "Give “raters”: 3"; "option `unscored: wrong`" → "“Missing scores”: wrong". */
export function nameControls(text: string): string {
  return text.replace(CODE, (whole, doubled: string | undefined, single: string | undefined) => {
    const [, name, value] = OPTION.exec(doubled ?? single!) ?? [];
    if (name === undefined) return doubled ?? single ?? whole;
    if (name === "higherIsBetter") return `“${value === "false" ? "lower" : "higher"} is better”`;
    const label = `“${LABELS.get(name) ?? spaced(name)}”`;
    return value === undefined || value === "true" ? label : `${label}: ${value}`;
  });
}
