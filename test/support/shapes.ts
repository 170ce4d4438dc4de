/** Files in memory as the importer reads them, for tests of shapes. */
import type { Imported } from "../../src/data/imported.ts";
import { importFiles } from "../../src/io/import.ts";
import { meansBySystem } from "../../src/study/score-facts.ts";

export const read = (files: Readonly<Record<string, string>>): Promise<Imported> =>
  importFiles(Object.entries(files).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) })));
export const csv = (...lines: readonly string[]): Promise<Imported> => read({ "d.csv": lines.join("\n") });
export const json = (value: unknown): Promise<Imported> => read({ "d.json": JSON.stringify(value) });
export const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
export const means = ({ table, roles }: Imported): Record<string, number> =>
  Object.fromEntries(meansBySystem(table, roles, roles.score!).map(({ system, mean }) => [system, mean]));
export const said = ({ assumptions }: Imported): string => assumptions.join(" ");
