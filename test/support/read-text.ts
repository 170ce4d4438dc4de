/** Files of a test that never touch the disk. */
import { importFiles, type NamedImport } from "../../src/index.ts";

export async function readText(name: string, text: string): Promise<NamedImport> {
  return { path: name, imported: await importFiles([{ name, bytes: new TextEncoder().encode(text) }]) };
}

export const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

export const lines = (rows: readonly string[]): string => `${rows.join("\n")}\n`;
