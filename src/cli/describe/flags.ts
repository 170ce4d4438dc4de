/** Flags of `gosset describe`. */
import type { Command } from "commander";
import { addReadOptions } from "../flags.ts";

export function addDescribe(program: Command): void {
  const describe = program
    .command("describe")
    .summary("what a file or folder holds, and which questions it can answer")
    .description(
      "What a file or folder holds: its format, columns and their roles (system, item,\n" +
        "score, rater, …), and which questions it can answer, with the exact command.",
    )
    .argument("<path>", "file or folder; - reads standard input");
  addReadOptions(describe).action(async (path, _, command) => {
    await (await import("./run.ts")).describeCommand(path, command.optsWithGlobals());
  });
}
