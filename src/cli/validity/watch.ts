/** A process that outlives the program if that is killed: it waits for its standard input to end, which is a pipe that the
 *  program holds. If the program ends in good order it says "done" first; otherwise all that its learners started is ended
 *  and their folder is removed. In a session of its own, so that Ctrl-C and a closed terminal do not reach it.
 *  Arguments: the mark of the learners, their folder. Lines of input: the process id of a learner as it starts, 0 when it has ended. */
import { rmSync } from "node:fs";
import { endTree } from "./process-tree.ts";

const [mark, folder] = process.argv.slice(2);
let text = "";
process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
  text += chunk;
});
process.stdin
  .on("error", () => {})
  .on("close", async () => {
    const lines = text.split("\n").filter((line) => line !== "");
    if (mark === undefined || folder === undefined || lines.includes("done")) return;
    // ids of learners that ended long ago may be others' by now
    const pid = Number(lines.at(-1) ?? Number.NaN);
    if (pid > 0) await endTree({ pid, mark });
    rmSync(folder, { recursive: true, force: true });
  });
