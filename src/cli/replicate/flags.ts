/** Flags of `gosset replicate`. */
import { existsSync } from "node:fs";
import type { CommandSpec, Run } from "../command.ts";
import { flag, JOURNAL } from "../flags.ts";

export const replicate: CommandSpec = {
  name: "replicate",
  question: "Do published results hold?",
  summary: "published results recomputed: printed, R's, ours",
  description:
    "Recomputes tables and figures of Card et al. (2020), Riezler & Hagmann (2021) and Howcroft & Rieser (2021). It prints the published number, R's and ours side by side, with the reason for every difference. Without an id it lists the results.",
  words: [["[ids...]", "which results; see the list that `gosset replicate` prints"]],
  flags: [
    flag("--list", "list the results without computing them; the default without an id"),
    flag("--all", "every result whose data are present"),
    flag("--quick", "with --all: leave out results that take more than half a minute"),
    flag("--data <folder>", "the folder with card2020/ and riezler2021/ (default: ../shared/data)"),
    JOURNAL,
  ],
  remark: "Exit code 1: a number of ours differs from R's by more than its tolerance.",
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
  const { StatError } = await import("../../index.ts");
  throw new StatError(
    "NotInPackage",
    "`gosset replicate` runs in a checkout of the repository: the package does not contain the papers' tables.",
    "Clone the repository and run `npm run build`, then `node dist/bin/gosset.js replicate`.",
  );
}
