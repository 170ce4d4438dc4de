/** Before the tests: the program is bundled from the sources, in about a second, so that no run meets an old one. */
import { buildProgram } from "../../scripts/program.mjs";

export default async function bundle(): Promise<void> {
  if (process.env["GOSSET_BIN"] === undefined) await buildProgram();
}
