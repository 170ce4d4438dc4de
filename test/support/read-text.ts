/** Files of a test that never touch the disk. */
import { importFiles, type NamedImport } from "../../src/index.ts";

/** A folder, or one file of it. */
export async function readFiles(path: string, files: Readonly<Record<string, string>>): Promise<NamedImport> {
  const input = Object.entries(files).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) }));
  return { path, imported: await importFiles(input) };
}

export const readText = (name: string, text: string): Promise<NamedImport> => readFiles(name, { [name]: text });

export const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

export const lines = (rows: readonly string[]): string => `${rows.join("\n")}\n`;

/** What an answer warns of and notes, a line each. */
export const warned = ({
  diagnostics,
}: {
  readonly diagnostics: readonly { code: string; message: string }[];
}): string => diagnostics.map(({ code, message }) => `${code}: ${message}`).join("\n");

/** The codes alone. */
export const codesOf = ({ diagnostics }: { readonly diagnostics: readonly { readonly code: string }[] }): string[] =>
  diagnostics.map(({ code }) => code);

/** A screen without its line breaks. */
export const flat = (shown: unknown): string => String(shown).replace(/[\\\s]+/g, " ");
