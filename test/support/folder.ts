import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the tests of a file, gone after them. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `gosset-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for what several files of tests share, gone after the run. */
export function makeSharedFolder(name: string): string {
  return mkdtempSync(join(process.env.GOSSET_TEST_FOLDER ?? tmpdir(), `${name}-`));
}
