/** `gosset validity bias <data> --label gold --domain source` */
import { makeRng, testBias } from "../../index.ts";
import { allOptions, BIAS, parseOptions, refuseAlone } from "../../questions.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";

export async function run(context: Context<DataOptions>, data: string): Promise<void> {
  const { options: flags, progress } = context;
  const given = parseOptions(BIAS.options, flags);
  const asked = parseOptions(BIAS.command, flags);
  refuseAlone(allOptions(BIAS), { ...given, ...asked });
  const { longest, fewest, smoothing } = asked;
  const counted = given.text ?? longest ?? fewest ?? smoothing;
  const table = await context.load(data);
  const result = testBias(table, {
    ...given,
    ...(counted === undefined ? {} : { ngrams: { longest, fewest, smoothing } }),
    rng: makeRng(flags.seed),
    onProgress: (done, of) => progress.update("Resampling", done, of),
  });
  context.print(result);
}
