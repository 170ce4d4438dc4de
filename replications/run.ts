/** `gosset replicate [ids] [--all] [--data folder]` */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeRng, StatError, type Table } from "../src/index.ts";
import { nearest } from "../src/text.ts";
import { powerReplicates } from "../src/power.ts";
import { REPRODUCTIONS } from "./catalogue.ts";
import type { Lab, Picture, Reproduction } from "./reproduction.ts";
import { type LeftOut, listReproductions, type Reproduced, reportReproductions } from "./result.ts";
import { journalRunner } from "../src/runners.ts";
import type { Context } from "../src/cli/context.ts";
import { CHECK_FAILED } from "../src/cli/failure.ts";
import type { GlobalOptions } from "../src/cli/options.ts";

interface ReplicateOptions extends GlobalOptions {
  readonly list?: boolean | undefined;
  readonly all?: boolean | undefined;
  readonly quick?: boolean | undefined;
  readonly data?: string;
  readonly journal?: string | undefined;
}

const DEFAULT_FOLDER = "../shared/data";
/** What --quick leaves out, in seconds. */
const LONG = 30;
const ORIGIN =
  "The data come from github.com/dallascard/NLP-power-analysis, github.com/StatNLP/empirical_methods and github.com/uber-research/PPLM; docs/methods/replications.md says which table is which file. Name their folder with --data.";

export async function run(context: Context<ReplicateOptions>, ids: readonly string[]): Promise<void> {
  const { options } = context;
  if (options.list === true && (ids.length > 0 || options.all === true))
    throw new StatError("BadOption", "--list computes nothing.", "Leave out the ids and --all, or --list.");
  if (options.all !== true) context.refuse(["--quick"], "without --all, of which it leaves out what takes long");
  if (ids.length === 0 && options.all !== true) {
    context.refuse(["--journal", "--data"], "in the list: nothing is computed");
    return context.print(listReproductions(REPRODUCTIONS));
  }
  const wanted = chooseReproductions(ids, options);
  const folder = options.data ?? DEFAULT_FOLDER;
  const { ready, leftOut } = checkData(wanted, { folder, strict: options.all !== true });
  const results = await runAll(ready, folder, context);
  const report = reportReproductions(results, { leftOut, single: ids.length === 1 });
  context.print(report);
  if (!report.agrees) process.exitCode = CHECK_FAILED;
}

function chooseReproductions(ids: readonly string[], { all, quick }: ReplicateOptions): readonly Reproduction[] {
  if (all === true) {
    if (ids.length > 0) {
      throw new StatError("BadOption", `--all and ${ids.join(" ")} at once.`, "Give the ids or --all.");
    }
    return quick === true ? REPRODUCTIONS.filter(({ seconds }) => seconds <= LONG) : REPRODUCTIONS;
  }
  return ids.map((id) => {
    const found = REPRODUCTIONS.find((own) => own.id === id);
    if (found !== undefined) return found;
    const near = nearest(
      id,
      REPRODUCTIONS.map((own) => own.id),
    );
    throw new StatError(
      "UnknownReproduction",
      `there is no result "${id}".`,
      near === undefined
        ? "Run gosset replicate for the list."
        : `Did you mean "${near}"? Run gosset replicate for the list.`,
    );
  });
}

interface Checked {
  readonly ready: readonly Reproduction[];
  readonly leftOut: readonly LeftOut[];
}

/** Asked for by name, a result whose data are absent is a mistake; among all, it is left out and said so. */
function checkData(
  wanted: readonly Reproduction[],
  { folder, strict }: { readonly folder: string; readonly strict: boolean },
): Checked {
  const leftOut = wanted.flatMap((reproduction): LeftOut[] => {
    const absent = reproduction.data.filter((file) => !existsSync(join(folder, file)));
    return absent.length === 0 ? [] : [{ reproduction, why: `no ${absent.join(", ")} in ${folder}.` }];
  });
  const first = leftOut[0];
  if (first !== undefined && (strict || leftOut.length === wanted.length)) {
    throw new StatError("NoData", `${first.reproduction.id}: ${first.why}`, ORIGIN);
  }
  const absent = new Set(leftOut.map(({ reproduction }) => reproduction));
  return { ready: wanted.filter((reproduction) => !absent.has(reproduction)), leftOut };
}

async function runAll(
  ready: readonly Reproduction[],
  folder: string,
  context: Context<ReplicateOptions>,
): Promise<readonly Reproduced[]> {
  const { options, progress } = context;
  const threads = context.runner();
  const runner = options.journal === undefined ? threads : journalRunner(context.journal(options.journal), threads);
  const read = makeReader(folder, context);
  const planned = ready.reduce((sum, { seconds }) => sum + seconds, 0);
  const results: Reproduced[] = [];
  let done = 0;
  for (const reproduction of ready) {
    const { id, seconds } = reproduction;
    const part = (share: number): void => progress.update(id, done + share * seconds, planned);
    part(0);
    const pictures: Picture[] = [];
    const lab: Lab = {
      table: read,
      rng: makeRng(options.seed),
      runner,
      task: powerReplicates,
      progress: (some, total) => part(some / total),
      show: (picture) => void pictures.push(picture),
    };
    const start = Date.now();
    const rows = await reproduction.run(lab);
    results.push({ reproduction, rows, seconds: (Date.now() - start) / 1000, pictures });
    done += seconds;
  }
  return results;
}

/** The table read last is kept: neighbours in the catalogue share their data, and all tables at once would fill the memory. */
function makeReader(folder: string, { load }: Context<ReplicateOptions>): Lab["table"] {
  let last: { readonly file: string; readonly table: Table } | undefined;
  return async (file) => {
    if (last?.file !== file)
      last = { file, table: await load(join(folder, file), { inputFormat: "csv", badRows: "error" }) };
    return last.table;
  };
}
