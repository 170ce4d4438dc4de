/** One folder for the whole run, gone after it: workers keep the modules of a file for the next ones, so what a shared module writes outlives the first file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function makeRunFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "gosset-run-"));
  process.env.GOSSET_TEST_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
