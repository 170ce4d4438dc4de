/** Two runs of the same system: how often items flip, and which difference is noise.
 *      flips = share of items whose score differs between the runs
 *      floor = z √(Σ(d - d̄)² / (n - 1) / n): nineteen of twenty pairs of such runs differ by less (clustered: CR2)
 *  Reference: Miller (2024), Adding Error Bars to Evals, section 3. */

import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { GATE } from "../../question/gate.ts";
import { refuseUnknown } from "../../question/refuse.ts";
import { spreadOfMean } from "../../resample/mean-spread.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Display } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { type GateColumns, type GateFiles, gatherEvidence, pairScores } from "./evidence.ts";

export interface RunNoise {
  readonly task: string;
  readonly n: number;
  readonly difference: number;
  /** Share of items whose score differs. */
  readonly flips: number;
  readonly se: number;
  /** Nineteen of twenty pairs of runs differ by less. */
  readonly floor: number;
}

export interface GateAaResult extends Result<"gate-aa"> {
  readonly metric: string;
  /** Over all tasks, each with equal weight in `floor`'s mean score. */
  readonly flips: number;
  readonly floor: number;
  readonly tasks: readonly RunNoise[];
}

export type GateAaJson = JsonOf<GateAaResult>;

export function measureNoise(
  files: GateFiles,
  options: GateColumns & { readonly by?: string | undefined } = {},
): GateAaResult {
  refuseUnknown(GATE, options);
  const evidence = gatherEvidence(files, { ...options, unscored: "complete" });
  const z = normalQuantileUpper(0.025);
  const tasks = evidence.tasks.flatMap((own): RunNoise[] => {
    const { baseline, candidate, clusters } = pairScores(own, evidence.range);
    const n = candidate.length;
    if (n < 2) return [];
    const d = candidate.map((v, i) => v - baseline[i]!);
    const { se } = spreadOfMean(d, clusters);
    const flips = d.filter((v) => v !== 0).length / n;
    return [{ task: own.task, n, difference: d.reduce((sum, v) => sum + v, 0) / n, flips, se, floor: z * se }];
  });
  if (tasks.length === 0)
    throw new StatError(
      "NothingMatches",
      "the runs share fewer than two items.",
      "Give two runs of one system on the same items.",
    );
  const items = tasks.reduce((sum, { n }) => sum + n, 0);
  const flips = tasks.reduce((sum, own) => sum + own.flips * own.n, 0) / items;
  const fields = {
    metric: evidence.metric,
    flips,
    floor: (z * Math.sqrt(tasks.reduce((sum, { se }) => sum + se * se, 0))) / tasks.length,
    tasks,
    signature: { method: "gate-aa", version: GOSSET_VERSION, options: {}, data: evidence.data },
    diagnostics: [
      ...evidence.diagnostics,
      ...tellSystems(files),
      ...(flips === 0
        ? [
            warning(
              "NoFlips",
              "no item differs between the runs: either the system is deterministic or these are one run.",
              "Check that these are two runs, with their own seeds.",
            ),
          ]
        : []),
    ],
  };
  return makeResult("gate-aa", fields, display);
}

/** Logs that name their systems, and name different ones. */
function tellSystems({ baseline, candidate }: GateFiles): Diagnostic[] {
  const [first, second] = [baseline, candidate].map((side) => [
    ...new Set(
      side.flatMap((own) =>
        typeof own === "string" || own.imported.roles.system === undefined ? [] : own.imported.systems,
      ),
    ),
  ]);
  if (first!.length === 0 || second!.length === 0 || first!.some((name) => second!.includes(name))) return [];
  const message = `the logs name different systems (${listNames(first!)} and ${listNames(second!)}): their difference is then more than noise.`;
  return [warning("DifferentSystems", message, "Give two runs of one system.")];
}

function display({ metric, flips, floor, tasks }: Pick<GateAaResult, "metric" | "flips" | "floor" | "tasks">): Display {
  return {
    title: `Noise between two runs of one system, by ${metric}`,
    summary: [
      `${(100 * flips).toFixed(1)} % of the items flip between the runs. Differences of the ${tasks.length === 1 ? "score" : "mean score over tasks"} below ${Number(floor.toPrecision(2))} are noise: 95 % of pairs of runs of this system differ by less.`,
      "A gate that fails on any drop has a false-alarm rate of about one half. A margin below the noise leaves most changes without effect inconclusive.",
    ],
    tables: [
      {
        head: ["task", "items", "difference", "flips", "se", "floor"],
        formats: ["text", "integer", "number", "percent", "number", "number"],
        rows: tasks.map((own) => [own.task, own.n, own.difference, own.flips, own.se, own.floor]),
      },
    ],
    notes: [],
  };
}
