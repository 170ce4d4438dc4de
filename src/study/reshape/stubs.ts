/** Families of columns with the same numbers, sys1 quality1 sys2 quality2 → one row for each number: sys, quality. */
import type { Roles, Told } from "../../data/imported.ts";
import { stackFamilies } from "../../data/reshape.ts";
import type { Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { namedAsScore } from "../lexicon/metrics.ts";
import { SYSTEM_NAMES } from "../lexicon/names.ts";
import { plainName } from "../lexicon/words.ts";
import { freshName, hint, type Reshape, type Reshaped } from "./reshaped.ts";

interface Stub {
  readonly stub: string;
  readonly numbers: readonly string[];
  readonly columns: readonly string[];
}

/** Names that go on with two or more numbers. */
export function findStubs({ columns }: Table): Stub[] {
  const found = new Map<string, { number: string; name: string }[]>();
  for (const name of columns.keys()) {
    const [, stub, number] = /^(.*?)[_. -]?(\d{1,3})$/.exec(name) ?? [];
    if (stub === undefined || stub === "" || /\d$/.test(stub)) continue;
    found.set(stub, [...(found.get(stub) ?? []), { number: number!, name }]);
  }
  return [...found].flatMap(([stub, all]) => {
    const rising = all.sort((a, b) => Number(a.number) - Number(b.number));
    const parts = { numbers: rising.map((own) => own.number), columns: rising.map((own) => own.name) };
    return all.length < 2 ? [] : [{ stub, ...parts }];
  });
}

export const stubs: Reshape = {
  id: "stubs",
  find(table: Table, roles: Roles): Told | undefined {
    if (roles.system !== undefined) return undefined;
    const all = findStubs(table);
    const kind = ({ columns }: Stub, own: string): boolean =>
      columns.every((name) => table.columns.get(name)!.kind === own);
    const system = all.find((own) => SYSTEM_NAMES.includes(plainName(own.stub)) && kind(own, "factor"));
    const scores = all.filter((own) => own.numbers.join() === system?.numbers.join() && kind(own, "numeric"));
    const named = scores.filter(({ stub }) => namedAsScore(stub) > 0);
    const chosen = named.length > 0 ? named : scores;
    return system === undefined || chosen.length === 0
      ? undefined
      : { stubs: [system, ...chosen].map(({ stub }) => stub) };
  },
  apply(table: Table, { stubs: names = [] }: Told): Reshaped {
    const all = findStubs(table);
    const own = names.map((name) => all.find(({ stub }) => stub === name));
    const lost = names.find((_, k) => own[k] === undefined || own[k].numbers.join() !== own[0]?.numbers.join());
    if (lost !== undefined || own.length === 0)
      throw new StatError(
        "UnknownColumn",
        `option \`stubs\` ${names.join(",")}: ${lost ?? "nothing"} has no numbered columns, or not the same numbers.`,
        `Numbered are ${all.map(({ stub }) => stub).join(", ") || "none"}.`,
      );
    const families = own.map((stub) => ({ name: freshName(table, stub!.stub), columns: stub!.columns }));
    const place = freshName(table, "place");
    const long = stackFamilies(table, own[0]!.numbers, { families, keyName: place });
    const isNumber = (name: string): boolean => long.columns.get(name)!.kind === "numeric";
    const stacked = families.map(({ name }) => name);
    const system =
      stacked.find((name) => SYSTEM_NAMES.includes(plainName(name))) ?? stacked.find((name) => !isNumber(name));
    return {
      table: long,
      done: [{ id: "stubs", columns: families.flatMap(({ columns }) => columns), into: [place, ...stacked] }],
      hints: [
        hint("system", system ?? place),
        ...stacked.filter((name) => name !== system && isNumber(name)).map((name) => hint("score", name)),
        ...(system === undefined ? [] : [hint("identifier", place)]),
      ],
    };
  },
};
