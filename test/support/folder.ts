import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the tests of a file, gone after them. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `gosset-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files of lines into a folder, and gives their paths. */
export const writesTo =
  (folder: string) =>
  (name: string, rows: readonly string[]): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${rows.join("\n")}\n`);
    return path;
  };

/** A folder for what several files of tests share, gone after the run. */
export function makeSharedFolder(name: string): string {
  return mkdtempSync(join(process.env.GOSSET_TEST_FOLDER ?? tmpdir(), `${name}-`));
}
