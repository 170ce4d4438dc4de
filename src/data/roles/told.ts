/** Roles as the caller names them, whatever was guessed: the other columns are guessed at anew around them. */
import { StatError } from "../../result/error.ts";
import { nearest } from "../../result/suggest.ts";
import type { Imported, RoleGuess, Roles } from "../imported.ts";
import { keyColumns, withKeyColumn } from "../reshape.ts";
import { standsInBlocks } from "../same-items.ts";
import { measureDesign } from "./layout.ts";
import { profileTable } from "./profile.ts";
import { guessRoles } from "./roles.ts";
import { understandTable } from "./understand.ts";
import { HOLDS, hangsTogether } from "./within.ts";

export const TOLD_ROLES = ["system", "item", "rater", "repeat", "cluster", "task", "score"] as const;
/** Names of columns by role; "none" takes a guess back. */
export type ToldRoles = Partial<Readonly<Record<(typeof TOLD_ROLES)[number], string | undefined>>>;

const NONE = "none";

export function withToldRoles(found: Imported, told: ToldRoles): Imported {
  const imported = withKeyRole(found, told.item);
  const given = TOLD_ROLES.flatMap((role) => (told[role] === undefined ? [] : [{ role, column: told[role]! }]));
  if (given.length === 0) return imported;
  const named = given.filter(({ column }) => column !== NONE);
  for (const { role, column } of named) requireColumn(imported, role, column);
  const back = new Set<string>(given.filter(({ column }) => column === NONE).map(({ role }) => role));
  return imported.guesses === undefined ? setRoles(imported, named, back) : guessAgain(imported, named, back);
}

/** Where several columns name the item together they are nothing else, but that one of them may hold the others. */
function withKeyRole(imported: Imported, item: string | undefined): Imported {
  const names = keyColumns(imported.table, item);
  if (names === undefined) return imported;
  const table = withKeyColumn(imported.table, item);
  const isKept = ({ role, column }: RoleGuess): boolean => role === "cluster" || !names.includes(column);
  const guesses = imported.guesses?.filter(isKept);
  if (guesses === undefined) return { ...imported, table };
  const lost = (imported.guesses ?? []).filter((own) => !isKept(own)).map(({ reason }) => reason);
  const assumptions = imported.assumptions.filter((text) => !lost.some((reason) => text.includes(reason)));
  const holding = profileTable(table).filter((own) => names.includes(own.name) && hangsTogether(own));
  const outer =
    holding.find(({ name }) => standsInBlocks(table, name)) ?? holding.find(({ name }) => name !== names.at(-1));
  const known = outer === undefined || guesses.some(({ role }) => role === "cluster");
  const cluster = known ? [] : [{ role: "cluster", column: outer.name, ...HOLDS }];
  const said = cluster.map(({ column }) => `Items with the same ${column} are taken to belong together.`);
  return { ...imported, table, guesses: [...guesses, ...cluster], assumptions: [...assumptions, ...said] };
}

/** The item is named by several columns, as in `item: part,id`: found anew with what they say together. */
export const withItemColumns = (imported: Imported, item: string | undefined): Imported =>
  keyColumns(imported.table, item) === undefined ? imported : withToldRoles(imported, { item });

function requireColumn({ table }: Imported, role: string, name: string): void {
  if (table.columns.has(name)) return;
  const names = [...table.columns.keys()];
  const near = nearest(name, names);
  throw new StatError(
    "UnknownColumn",
    `option \`${role}\` ${name}: no such column.`,
    near === undefined ? `The columns are ${names.join(", ")}.` : `Did you mean "${near}"?`,
  );
}

interface Named {
  readonly role: string;
  readonly column: string;
}

/** A plain table: what is named is known, and so is every guess that does not contradict it. */
function guessAgain(imported: Imported, named: readonly Named[], back: ReadonlySet<string>): Imported {
  const roles = new Set(named.map(({ role }) => role));
  const columns = new Set(named.map(({ column }) => column));
  const kept = (imported.guesses ?? []).filter(
    ({ role, column }) => (role === "score" || !roles.has(role)) && !columns.has(column) && !back.has(role),
  );
  const known: RoleGuess[] = [
    ...named.map(({ role, column }) => ({ role, column, reason: "as you say", confidence: 1 })),
    ...kept,
  ];
  const guessed = guessRoles(imported.table, known);
  const taken = Object.fromEntries(
    Object.entries(guessed.roles).filter(([role]) => !back.has(role)),
  ) as unknown as Roles;
  const directions = new Map(
    imported.metrics.flatMap(({ name, higherIsBetter }) =>
      higherIsBetter === undefined ? [] : [[name, higherIsBetter] as const],
    ),
  );
  const lost = (imported.guesses ?? []).filter(({ role }) => back.has(role)).map(({ column }) => column);
  const guesses = guessed.guesses?.filter(({ role }) => !back.has(role));
  const own = understandTable(imported.table, { ...guessed, roles: taken, ...(guesses && { guesses }) }, directions);
  for (const column of lost) columns.add(column);
  const fresh = own.assumptions.filter((text) => !imported.assumptions.includes(text) && !isAbout(text, columns));
  const others = new Set(["NoScoreFound", "TotalsOnly", "DirectionInDoubt"]);
  return {
    ...imported,
    ...own,
    assumptions: [...imported.assumptions.filter((text) => !isAbout(text, columns)), ...fresh],
    diagnostics: [...imported.diagnostics.filter(({ code }) => !others.has(code)), ...own.diagnostics],
  };
}

/** "X is …", "Each X …", "Rows with the same X …" about a column whose role is now told. */
const isAbout = (text: string, columns: ReadonlySet<string>): boolean =>
  [...columns].some(
    (name) => text.startsWith(`${name} is `) || text.startsWith(`Each ${name} `) || text.includes(`same ${name} `),
  );

/** A log says what its columns mean: only what is named changes. */
function setRoles(imported: Imported, named: readonly Named[], back: ReadonlySet<string>): Imported {
  const columns = new Set(named.map(({ column }) => column));
  const old = Object.entries(imported.roles).filter(
    ([role, value]) => !back.has(role) && !(typeof value === "string" && columns.has(value)),
  );
  const scores = named.filter(({ role }) => role === "score").map(({ column }) => column);
  const free = (names: readonly string[]): string[] => names.filter((name) => !columns.has(name));
  const roles = {
    ...Object.fromEntries(old),
    ...Object.fromEntries(named.map(({ role, column }) => [role, column])),
    metrics: [...scores, ...free(imported.roles.metrics)],
    covariates: free(imported.roles.covariates),
    identifiers: free(imported.roles.identifiers),
    parameters: free(imported.roles.parameters),
  } as unknown as Roles;
  const { systems, items, repeats } = measureDesign(imported.table, roles);
  const metrics = roles.metrics.map(
    (name) => imported.metrics.find((own) => own.name === name) ?? { name, label: name },
  );
  return { ...imported, roles, systems, items, repeats, metrics };
}
