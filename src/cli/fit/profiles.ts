/** What `--intervals profile` adds to a glm, clm, clmm or glmm. */

import type { Diagnostic, DisplayTable } from "../../index.ts";
import { type ProfiledFit, profileCategorical } from "../../models.ts";
import type { Progress } from "../progress.ts";

export interface Part {
  readonly tables: readonly DisplayTable[];
  /** Of the JSON. */
  readonly published: object;
  readonly notes?: readonly string[];
  readonly diagnostics?: readonly Diagnostic[];
}

export function profiles(fit: ProfiledFit, progress: Progress): Part {
  const onProgress = (done: number, of: number): void => progress.update("Profiling", done, of);
  progress.update("Profiling", 0, 0);
  const intervals = profileCategorical(fit, { onProgress });
  const lost = intervals.filter(({ lower, upper }) => Number.isNaN(lower) || Number.isNaN(upper));
  const endless = intervals.filter(
    ({ lower, upper }) => !Number.isFinite(lower + upper) && !Number.isNaN(lower + upper),
  );
  return {
    tables: [
      {
        caption: `Profile-likelihood intervals (${fit.confidence * 100}%)`,
        head: ["parameter", "estimate", "from", "to"],
        formats: ["text", "number", "number", "number"],
        rows: intervals.map(({ name, estimate, lower, upper }) => [name, estimate, lower, upper]),
      },
    ],
    published: { profile: intervals },
    notes: heldShape(fit),
    diagnostics: [
      ...(endless.length === 0
        ? []
        : [
            said(
              "EndlessInterval",
              `the profile likelihood of ${endless.map(({ name }) => name).join(", ")} does not fall below the cutoff on one side: the interval is unbounded there.`,
              "Report the finite end only.",
            ),
          ]),
      ...(lost.length === 0
        ? []
        : [
            said(
              "ProfileLost",
              `the profile of ${lost.map(({ name }) => name).join(", ")} could not be computed up to the cutoff.`,
              fit.kind === "glm"
                ? "Use the Wald interval with care."
                : "Simplify the random part, or use the Wald interval with care.",
            ),
          ]),
    ],
  };
}

const said = (code: string, message: string, fix: string): Diagnostic => ({ code, severity: "warning", message, fix });

/** R's confint does so too, and does not say it. */
function heldShape(fit: ProfiledFit): string[] {
  if (fit.kind !== "glm" || fit.family !== "negative-binomial") return [];
  return ["Profiles hold θ at its estimate, as MASS does."];
}
