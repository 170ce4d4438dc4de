/** `gosset rank <files...>`: flags → options → rankSystems() → print. */
import { makeRng, type Ranking, rankSystems } from "../../index.ts";
import { allOptions, type OptionsOf, parseOptions, RANK, refuseAlone } from "../../questions.ts";
import { neutralise } from "../../text.ts";
import type { Context } from "../context.ts";
import { computingWords } from "../flags.ts";
import { loadParts } from "../load.ts";
import type { DataOptions } from "../options.ts";
import type { Progress } from "../progress.ts";

export async function run(context: Context<DataOptions>, files: readonly string[]): Promise<void> {
  const { options: flags, progress } = context;
  const given = parseOptions(RANK.options, flags);
  const asked = parseOptions(RANK.command, flags);
  refuseAlone(allOptions(RANK), { ...given, ...asked });
  const { a, b, winner, certify: out } = asked;
  const votes = a === undefined || b === undefined || winner === undefined ? {} : { votes: { a, b, winner } };
  const data = await loadParts(files, flags, votes);
  const result = rankSystems(data, { ...given, rng: makeRng(flags.seed) });
  const made = out === undefined ? undefined : await writeCertificate(out, { result, files, asked, progress });
  context.print(result);
  if (made !== undefined && !flags.quiet) process.stderr.write(made.split("\n").map(neutralise).join("\n"));
}

interface Certifying {
  readonly result: Ranking;
  readonly files: readonly string[];
  readonly asked: OptionsOf<typeof RANK.command>;
  readonly progress: Progress;
}

async function writeCertificate(out: string, { result, files, asked, progress }: Certifying): Promise<string> {
  const { certify } = await import("../bundling.ts");
  const words = computingWords(process.argv.slice(2));
  const data = asked.reading === undefined ? files : [...files, asked.reading];
  return certify(out, { result: result.toJSON(), words, data, progress });
}
