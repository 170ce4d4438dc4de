/** Options that would change nothing are refused: who gives one expects something of it. One sentence for all, made of the table. */
import { StatError } from "../result/error.ts";
import { nearest } from "../result/suggest.ts";
import { allOptions, isGiven, type OptionSpec, type OptionTable, type QuestionSpec } from "./option.ts";

type Given = Readonly<Record<string, unknown>>;

/** Names that the question has no option of, and choices that an option does not have. */
export function refuseUnknown(question: QuestionSpec, options: object): void {
  const names = [...Object.keys(question.options), ...(question.script ?? [])];
  for (const [name, value] of Object.entries(options)) {
    if (!isGiven(value)) continue;
    refuseName(name, names, question.name);
    const spec = question.options[name];
    if (spec?.takes === "choice") refuseChoice(name, value, spec.choices);
    if (spec?.takes === "choices") for (const one of [value].flat()) refuseChoice(name, one, spec.choices);
  }
}

function refuseName(name: string, names: readonly string[], whose: string): void {
  if (names.includes(name)) return;
  const near = nearest(name, names);
  const fix = near === undefined ? `The options are ${names.join(", ")}.` : `Did you mean \`${near}\`?`;
  throw new StatError("UnknownOption", `there is no option \`${name}\` of ${whose}.`, fix);
}

/** Of a function without a table of options: a name that it does not know would change nothing in silence. */
export function refuseUnknownNames(whose: string, options: object, known: Readonly<Record<string, true>>): void {
  for (const [name, value] of Object.entries(options)) if (isGiven(value)) refuseName(name, Object.keys(known), whose);
}

function refuseChoice(name: string, value: unknown, choices: readonly string[]): void {
  if (choices.includes(value as string)) return;
  const near = nearest(String(value), choices);
  const fix = `${near === undefined ? "" : `Did you mean ${near}? `}Choose one of ${choices.join(", ")}.`;
  throw new StatError("BadOption", `option \`${name}: ${String(value)}\`: there is no such choice.`, fix);
}

/** Options that do nothing without another one, or next to it. */
export function refuseAlone(table: OptionTable, options: object): void {
  const given = options as Given;
  for (const [name, { needs, unless = [] }] of Object.entries(table)) {
    if (!isAsked(given[name])) continue;
    const beside = unless.find((own) => isMet(own, given));
    if (beside !== undefined) throw doesNothing(name, given[name], `next to option \`${beside}\`, which says it`);
    if (needs === undefined || needs.some((need) => isMet(need, given))) continue;
    const [first] = needs as readonly [string];
    const other = first.startsWith("--") ? first.replace("=", " ") : `option \`${first.replace("=", ": ")}\``;
    throw doesNothing(name, given[name], `without ${other}`, `Add ${other}, or leave option \`${name}\` out.`);
  }
}

function isMet(need: string, given: Given): boolean {
  const [name, value] = need.replace(/^--/, "").split("=");
  return value === undefined ? isAsked(given[name!]) : given[name!] === value;
}

/** `false` asks for nothing. */
const isAsked = (value: unknown): boolean => isGiven(value) && value !== false;

/** Options that data of this kind have no use for. */
export function refuseUnused(question: QuestionSpec, options: object, kind: string): void {
  const given = options as Given;
  for (const [name, spec] of Object.entries(allOptions(question))) {
    const value = given[name];
    if (!isGiven(value)) continue;
    if (!applies(spec, kind)) throw doesNothing(name, value, withKind(question, spec.of, kind), spec.instead);
    const chosen = typeof value === "string" ? spec.choiceOf?.[value] : undefined;
    if (chosen !== undefined && !chosen.includes(kind))
      throw doesNothing(`${name}: ${value}`, undefined, withKind(question, chosen, kind));
  }
}

const applies = ({ of, not = [] }: OptionSpec, kind: string): boolean => of?.includes(kind) ?? !not.includes(kind);

/** The kinds that would have a use for it are named where they are few. */
const MOST_NAMED = 2;

function withKind({ kinds = {} }: QuestionSpec, of: readonly string[] | undefined, kind: string): string {
  const others = (of ?? []).map((own) => kinds[own] ?? own);
  return `with ${kinds[kind] ?? kind}${others.length === 0 || others.length > MOST_NAMED ? "" : `: it is for ${others.join(" and ")}`}`;
}

/** "option `ddf` does nothing with paired scores: it is for a mixed model." */
export function doesNothing(name: string, value: unknown, why: string, fix?: string): StatError {
  const told = `option \`${value === false ? `${name}: false` : name}\``;
  return new StatError("BadOption", `${told} has no effect ${why}.`, fix ?? `Leave ${told} out.`);
}
