/** `gosset agreement <data...> --item i --rater r --label y` */
import { makeRng, measureAgreement, modelLabels, StatError, type Weighting } from "../../index.ts";
import { AGREEMENT, allOptions, parseOptions, refuseAlone, refuseUnused, splitNames } from "../../questions.ts";
import type { Context } from "../context.ts";
import { loadRatings, refuseRoles } from "../load.ts";
import type { RatingOptions } from "../options.ts";

export async function run(context: Context<RatingOptions>, data: readonly string[]): Promise<void> {
  const { options: flags, progress } = context;
  const given = parseOptions(AGREEMENT.options, flags);
  const asked = parseOptions(AGREEMENT.command, flags);
  const weighting = parseWeighting(asked.weighting);
  const isModel = asked.model !== undefined;
  refuseAlone(allOptions(AGREEMENT), { ...given, ...asked });
  refuseUnused(AGREEMENT, { ...given, ...asked }, isModel ? "model" : "coefficients");
  const { score, metric } = asked;
  const { rater, label = score } = given;
  const item = given.item === undefined ? undefined : splitNames([given.item], "--item");
  const complete = item !== undefined && rater !== undefined && label !== undefined;
  if (complete) refuseRoles(asked, ["system", "gold"], "where `item`, `rater` and `label` are named");
  if (given.replicates === 0 && !isModel)
    refuseRoles(given, ["cluster", "confidence"], "when no intervals are computed (`replicates: 0`)");
  const study = await loadRatings(context, data, complete);
  if ("roles" in study && metric === study.roles.score && label !== undefined && label !== metric)
    throw new StatError(
      "BadOption",
      `--metric ${metric} and --label ${label} name two different columns.`,
      "Name one of them.",
    );
  const library = {
    ...{ ...given, item, label, rng: makeRng(flags.seed) },
    onProgress: (done: number, total: number) => progress.update("Resampling", done, total),
  };
  context.print(isModel ? modelLabels(study, library) : measureAgreement(study, { ...library, weighting }));
}

function parseWeighting(text = "none"): Weighting {
  if (text === "none" || text === "linear" || text === "quadratic") return text;
  const rows = text
    .split(";")
    .map((row) => row.split(",").map((cell) => (cell.trim() === "" ? Number.NaN : Number(cell))));
  if (text.includes(";") && rows.flat().every(Number.isFinite)) return rows;
  throw new StatError(
    "BadOption",
    `--weighting ${text}: there are no such weights.`,
    "Write none, linear, quadratic, or rows of numbers such as 1,.5,0;.5,1,.5;0,.5,1.",
  );
}
