/** A folder for the tests of a file, gone after them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `gosset-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
