/** Flags of `gosset replicate`. */
import { existsSync } from "node:fs";
import { StatError } from "../../index.ts";
import type { CommandSpec, Run } from "../command.ts";
import { flag, JOURNAL } from "../flags.ts";

export const replicate: CommandSpec = {
  name: "replicate",
  question: "Do published results hold?",
  summary: "published results computed anew: printed, R's, ours",
  description:
    "Computes tables and figures of Card et al. (2020), Riezler & Hagmann (2021) and Howcroft & Rieser (2021) anew and sets the printed figure, R's and ours side by side, with the reason of every difference. Without an id it lists what there is.",
  words: [["[ids...]", "which results; see the list that `gosset replicate` prints"]],
  flags: [
    flag("--list", "what there is, without computing anything; also where no id is given"),
    flag("--all", "every result for which the data are there"),
    flag("--quick", "with --all: leave out what takes more than half a minute"),
    flag("--data <folder>", "the folder with card2020/ and riezler2021/ (default: ../shared/data)"),
    JOURNAL,
  ],
  remark: "Exit code 1: a figure of ours differs from R's by more than its tolerance.",
  examples: [
    "gosset replicate --list",
    "gosset replicate card-table-9",
    "gosset replicate book-table-3.1 book-table-4.3 --data papers",
    "gosset replicate --all --quick --json",
  ],
  load: loadReplications,
};

/** The papers' tables are a workspace of their own, which the package leaves out: next to the sources, or bundled beside the program. */
async function loadReplications(): Promise<Run> {
  const own = import.meta.url.endsWith(".ts") ? "../../../replications/run.ts" : "./replicate.js";
  const place = new URL(own, import.meta.url);
  if (existsSync(place)) return ((await import(place.href)) as { readonly run: Run }).run;
  throw new StatError(
    "NotInPackage",
    "`gosset replicate` runs in a checkout of the repository: the package leaves the papers' tables out.",
    "Clone the repository and run `npm run build`, then `node dist/bin/gosset.js replicate`.",
  );
}
