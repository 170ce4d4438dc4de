/** `gosset rank <files...>`: flags → options → rankSystems() → print. */
import { makeRng, rankSystems } from "../../index.ts";
import { allOptions, parseOptions, RANK, refuseAlone } from "../../questions.ts";
import type { Context } from "../context.ts";
import { loadParts } from "../load.ts";
import type { DataOptions } from "../options.ts";

export async function run(context: Context<DataOptions>, files: readonly string[]): Promise<void> {
  const { options: flags } = context;
  const given = parseOptions(RANK.options, flags);
  const asked = parseOptions(RANK.command, flags);
  refuseAlone(allOptions(RANK), { ...given, ...asked });
  const { a, b, winner } = asked;
  const votes = a === undefined || b === undefined || winner === undefined ? {} : { votes: { a, b, winner } };
  const data = await loadParts(files, flags, votes);
  context.print(rankSystems(data, { ...given, rng: makeRng(flags.seed) }));
}
