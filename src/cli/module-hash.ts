/** What a user's module consists of: its own text and that of the files that it imports by a relative path, so that a changed scenario
 *  is another simulation. Packages, and data that it reads, are not looked at. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
const DIGITS = 16;

export function hashModule(path: string): string {
  const hash = createHash("sha256");
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    hash.update(`${text.length}\n${text}\n`);
    for (const [, target] of text.matchAll(IMPORT)) visit(resolve(dirname(file), target!));
  };
  visit(resolve(path));
  return hash.digest("hex").slice(0, DIGITS);
}

export const hashFile = (path: string | URL): string =>
  createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, DIGITS);
