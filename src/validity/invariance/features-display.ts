/** How an invariance test reads: verdict first, then one line per declared feature. */

import type { FieldsOf } from "../../models/fit.ts";
import { adjustmentName } from "../../result/adjustment.ts";
import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { LOSS_NAMES } from "../learner/score.ts";
import type { InvarianceResult } from "./invariance.ts";

const TESTS = {
  randomisation: "nominal: the original coding against random ones (exact, one-sided)",
  "paired permutation": "other scales: paired permutation over test rows (two-sided)",
  "re-runs": "other scales: transformations against re-runs of the learner (two-sided)",
} as const;

export function displayInvariance(fields: FieldsOf<InvarianceResult>): Display {
  const { features, loss, baseline, learner, label, trainRows, testRows, settings, verdict, used } = fields;
  const level = formatNumber(100 * settings.confidence);
  // losses of classes lie between 0 and 1 or little above; those of numbers have any size
  const figures = loss === "squared" || loss === "absolute" ? "number" : "statistic";
  const tests = [...new Set(features.map(({ test }) => test))].map((test) => TESTS[test]);
  return {
    title: "Transformation invariance test",
    summary: [
      `${learner} learns ${label} from ${used.length} feature${used.length === 1 ? "" : "s"} on ${trainRows} rows; ${LOSS_NAMES[loss]} on ${testRows} test rows: ${formatNumber(baseline, figures)}.`,
      verdict.text,
    ],
    tables: [
      {
        head: ["feature", "scale", "maps", "moved", "recoded", "diff", "from", "to", "p", ""],
        formats: ["text", "text", "integer", "percent", figures, figures, figures, figures, "p", "text"],
        rows: features.map((own) => {
          const row = [own.feature, own.scale, own.transforms, own.changed.share];
          if (own.status === "invariant") return [...row, "", "", "", "", "", "invariant"];
          const status = own.status === "violated" ? "violated" : "";
          return [...row, own.transformed, own.difference, own.lower, own.upper, own.adjustedP, status];
        }),
      },
    ],
    notes: [
      `maps: random permissible recodings; moved: share of predictions that they change. recoded: mean loss then (smaller is better), diff: recoded - original, from … to its ${level}% interval over test rows. p adjusted (${adjustmentName(settings.adjust)}); ${tests.join("; ")}. Violated: p < ${settings.alpha}.`,
      ...(fields.randomLearner ? ["The learner is random: run again on the same rows it predicts differently."] : []),
    ],
  };
}
