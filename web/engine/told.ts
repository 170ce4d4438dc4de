/** What the user says of the columns: as options of the library, as flags of the command line, and as questions of the page. */
import type { Imported, Roles } from "../../src/index.ts";
import { type Ask, type Told, tellAnswer, tellAsk } from "../../src/io.ts";
import type { AskView, RoleView, ToldView } from "./protocol.ts";

/** As `compare` and `gate` take it: the score is option `metric`. */
export const toldOptions = ({ score, ...told }: Told) => ({
  ...told,
  ...(score === undefined ? {} : { metric: score }),
});

const WORDS: Readonly<Record<string, string>> = {
  ...{ repeat: "run", byRow: "item", gold: "gold labels", pred: "predictions", label: "gold labels" },
};

/** Roles that the page shows, in their order; of each the name by which the user says it. */
const SHOWN: readonly (readonly [keyof Roles, keyof Told])[] = [
  ["system", "system"],
  ["item", "item"],
  ["rater", "rater"],
  ["repeat", "run"],
  ["score", "score"],
  ["cluster", "cluster"],
  ["task", "task"],
  ["label", "gold"],
];

/** Roles of columns, and those that nothing has yet. */
export const presentRoles = ({ roles }: Imported, told: Told, sizes: ReadonlyMap<string, number>): RoleView[] =>
  SHOWN.map(([role, name]) => {
    const column = roles[role] as string | undefined;
    const count = column === undefined || role === "score" ? undefined : sizes.get(column);
    return { role, text: WORDS[role] ?? role, column, count, name, yours: told[name] !== undefined };
  });

/** Each thing that was said, by the name that takes it back. */
export const presentTold = (told: Told): ToldView[] =>
  Object.entries(told).map(([name, value]) => ({ name, role: WORDS[name] ?? name, text: wordOf(value) }));

const wordOf = (value: Told[keyof Told]): string =>
  Array.isArray(value)
    ? value.join(", ")
    : value === true
      ? "by row"
      : value === "rows"
        ? "repeated rows"
        : String(value);

/** Roles that a column may have which no answer offers. */
const OTHERS: Readonly<Partial<Record<Ask["id"], readonly (keyof Told)[]>>> = {
  system: ["system"],
  score: ["score"],
  item: ["item"],
  repeats: ["rater", "run", "task"],
};

export function presentAsk(ask: Ask, { table, decisions = [] }: Imported): AskView {
  const { message, fix } = tellAsk(ask);
  const roles = (OTHERS[ask.id] ?? []).map((name) => ({ name, text: WORDS[name] ?? name }));
  // in one role, what is offered above is not offered again
  const offered = roles.length > 1 ? [] : ask.answers.flatMap((told) => Object.values(told));
  const taken = new Set<unknown>([...decisions.map(({ column }) => column), ...offered]);
  const columns = [...table.columns].flatMap(([name, { kind }]) =>
    taken.has(name) || (ask.id === "score" && kind !== "numeric") ? [] : [name],
  );
  return {
    id: ask.id,
    question: message,
    fix,
    answers: ask.answers.map((told) => ({ text: tellAnswer(told), told })),
    ...(roles.length === 0 || columns.length === 0 ? {} : { other: { roles, columns } }),
  };
}
