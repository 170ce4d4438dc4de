/** Parameters of a power analysis from two systems' results on development data: the difference and how often they agree, or for
 *  scores the difference and the spread of the item-wise differences (dev-figures.ts).
 *  The power of these same items at their own difference (post-hoc power) is a restatement of the p value and is refused unless asked
 *  for: Hoenig & Heisey (2001), Am. Stat. 55. The power of another test set is what the estimates are for.
 *  Where several raters gave the scores, item means hide how much another set of raters would change them: no power is given, but the
 *  question that takes the ratings as a pilot.
 *  With a prior the estimates are drawn towards it first (shrink.ts).
 *  Reference: Card et al. (2020), EMNLP, section 3.2 and App. D.
 *  Limits:    development and test items must come from the same source, and dev results must not be tuned to. */

import { fingerprint } from "../../data/fingerprint.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { type Display, NEXT } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { Fingerprint } from "../../result/fingerprint.ts";
import { formatNumber } from "../../result/number-format.ts";
import { present } from "../../result/present.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import type { PowerResult } from "../result.ts";
import { checkParameters, type ScenarioParameters } from "../scenario.ts";
import { accuracyFamily } from "../scenarios/accuracy.ts";
import { likertFamily } from "../scenarios/likert.ts";
import { meansFamily } from "../scenarios/means.ts";
import { computePower } from "../solve/solve.ts";
import { type DevFigure, type DevFindings, findDevFigures } from "./dev-figures.ts";
import { callsOf, type NextQuestion, roundPlanned, type WithCommands } from "./next.ts";
import type { PilotColumns } from "./pilot.ts";
import type { RepeatGain } from "./repeats.ts";
import { type DevPrior, type ShrunkFigure, shrinkDev } from "./shrink.ts";

const USUAL_ALPHA = 0.05;
/** With fewer items (or clusters) the interval of a share is wider than 0.3: the power at its two ends has little in common. */
const FEW_UNITS = 30;

export interface DevResult extends Result<"dev"> {
  /** Which scenario the results fit; likert where several raters gave the scores. */
  readonly scenario: "accuracy" | "means" | "likert";
  readonly systems: readonly [string, string];
  readonly items: number;
  readonly figures: readonly DevFigure[];
  /** Ready for the scenario, but for the size (likert: and for the spread, which the pilot gives). */
  readonly params: ScenarioParameters;
  /** Of a test set of `n` items, where n was given; never with several raters. */
  readonly power?: PowerResult;
  readonly postHoc: boolean;
  /** Where a prior was given: the estimates drawn towards it, which are the ones planned with. */
  readonly shrunk?: readonly ShrunkFigure[];
  /** Where items were repeated: what fewer or more repeats would take in items for the same standard error. */
  readonly repeats?: readonly RepeatGain[];
  /** What to ask next; nothing where the parameters cannot be estimated. */
  readonly next: readonly NextQuestion[];
}

export type DevJson = JsonOf<DevResult> & WithCommands;

/** Raters who gave the scores. */
export interface DevRaters {
  readonly count: number;
  /** Ratings of one item under one system. */
  readonly ratings: number;
  /** The ratings as a pilot; none where they are too few for one. */
  readonly pilot?: PilotColumns;
}

export interface DevOptions {
  readonly systems?: readonly [string, string] | undefined;
  /** Items of the test set to come. */
  readonly n?: number | undefined;
  /** Yes, the power of these very items. */
  readonly postHoc?: boolean | undefined;
  readonly alpha?: number | undefined;
  readonly test?: string | undefined;
  /** Cluster of each item (document, topic), where items are correlated. */
  readonly clusters?: Int32Array | undefined;
  /** Runs of a system on an item that its score is the mean of. */
  readonly repeats?: number | undefined;
  /** What other numbers of repeats would take. */
  readonly gains?: readonly RepeatGain[] | undefined;
  /** What the estimates are drawn towards; of right and wrong answers. */
  readonly prior?: DevPrior | undefined;
  /** Where there are several: they are a sample, as the items are. */
  readonly raters?: DevRaters | undefined;
}

/** Item-wise results of the baseline and of the new system. */
export function estimateFromDev(baseline: Float64Array, candidate: Float64Array, options: DevOptions = {}): DevResult {
  const { clusters, prior, gains = [], ...others } = options;
  const stated = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const { systems = ["baseline", "new"], postHoc = false, alpha, test, raters } = options;
  const items = baseline.length;
  if (items !== candidate.length || items < 2) {
    throw new StatError(
      "TooFewItems",
      `${items} and ${candidate.length} items.`,
      "give both systems the same items, at least 2.",
    );
  }
  refusePostHoc(options);
  const estimated = findDevFigures(baseline, candidate, {
    hasRaters: raters !== undefined,
    ...present({ clusters }),
  });
  const { found, shrunk } = drawTowards(estimated, options.prior);
  const { scenario, figures } = found;
  const params = {
    ...found.params,
    ...present({ alpha, test }),
  };
  if (test !== undefined) checkTest(scenario, params);
  const asked = options.n ?? (postHoc ? items : undefined);
  const n = asked === undefined ? undefined : wholeClusters(asked, params);
  const power = n === undefined ? undefined : powerOf(found, { ...params, n });
  const hash = new Fingerprint();
  hash.update(baseline);
  hash.update(candidate);
  if (clusters !== undefined) hash.update(Float64Array.from(clusters));
  const fields: FieldsOf<DevResult> = {
    signature: {
      method: "power/from-dev",
      version: GOSSET_VERSION,
      options: { ...stated, ...statedPrior(prior) },
      data: hash.digest(),
    },
    diagnostics: judge(found, items, options),
    scenario,
    systems,
    items,
    figures,
    params,
    ...present({ power, shrunk }),
    postHoc: postHoc && options.n === undefined,
    ...(gains.length === 0 ? {} : { repeats: gains }),
    next: nextQuestions(found, params, { n: n ?? wholeClusters(items, params), raters, planned: options.n }),
  };
  return makeResult("dev", fields, displayDev);
}

/** The power of these very items is not asked for beside that of others, nor worked out with raters. */
function refusePostHoc({ postHoc, n, raters }: DevOptions): void {
  if (postHoc !== true || (n === undefined && raters === undefined)) return;
  const why = n === undefined ? "with several raters" : "beside `n`, the items of another test set";
  throw new StatError("BadOption", `option \`postHoc\` has no effect ${why}.`, "Leave it out.");
}

const statedPrior = (prior: DevPrior | undefined): object => {
  if (prior?.kind !== "history") return prior === undefined ? {} : { prior };
  const { table, ...rest } = prior;
  return { prior: { ...rest, data: fingerprint(table) } };
};

/** The parameters planned with, drawn towards the prior. */
function drawTowards(
  found: DevFindings,
  prior: DevPrior | undefined,
): { readonly found: DevFindings; readonly shrunk?: readonly ShrunkFigure[] } {
  if (prior === undefined) return { found };
  if (found.counts === undefined) {
    throw new StatError(
      "BadOption",
      "a prior draws the estimates of right and wrong answers, and these are scores, clusters or ratings.",
      "leave `prior` out, or give answers that are right (1) or wrong (0).",
    );
  }
  const shrunk = shrinkDev(found.counts, prior);
  const of = (name: string): number | undefined => shrunk.find((own) => own.name === name)?.value;
  const delta = of("delta") ?? found.delta;
  // two systems that differ by δ disagree at least as often
  const agreement = Math.min(of("agreement") ?? (found.params["agreement"] as number), 1 - Math.abs(delta));
  return { found: { ...found, delta, params: { ...found.params, delta, agreement } }, shrunk };
}

/** Nothing can be found where nothing differs or spreads, and raters need more than item means. */
function powerOf({ scenario, delta }: DevFindings, params: ScenarioParameters): PowerResult | undefined {
  if (scenario === "likert" || delta === 0 || params["sd"] === 0) return undefined;
  return computePower(FAMILIES[scenario], params);
}

const FAMILIES = { accuracy: accuracyFamily, means: meansFamily, likert: likertFamily };

/** Also where no power is worked out: the questions to ask next name the test. */
function checkTest(scenario: keyof typeof FAMILIES, { test }: ScenarioParameters): void {
  checkParameters(FAMILIES[scenario], { test: test! });
}

/** The scenario takes whole clusters, two at least. */
function wholeClusters(n: number, { clusterSize }: ScenarioParameters): number {
  const size = (clusterSize as number | undefined) ?? 1;
  return size === 1 ? n : Math.max(2, Math.floor(n / size)) * size;
}

function nextQuestions(
  { scenario, delta }: DevFindings,
  params: ScenarioParameters,
  {
    n,
    raters,
    planned,
  }: { readonly n: number; readonly raters: DevRaters | undefined; readonly planned: number | undefined },
): NextQuestion[] {
  const { delta: _, effect: __, ...rest } = params;
  const others = Object.fromEntries(
    Object.entries(rest)
      .filter(([key, value]) => !(key === "alpha" && value === USUAL_ALPHA))
      .map(([key, value]) => [key, typeof value === "number" ? roundPlanned(value) : value]),
  );
  const change = roundPlanned(delta);
  if (raters !== undefined) {
    const { count, ratings, pilot } = raters;
    if (pilot === undefined) return [];
    const design = { items: n, raters: count, ...(ratings < count ? { ratings } : {}) };
    const ask = { scenario: "likert", pilot } as const;
    const mde: NextQuestion = { ask: "mde", ...ask, parameters: { ...design, ...others } };
    if (delta === 0) return [mde];
    if (planned === undefined) return [mde];
    return [{ ask: "power", ...ask, parameters: { ...design, effect: change, ...others } }, mde];
  }
  // systems that never differ, or always by as much, leave nothing to plan with
  if (params["sd"] === 0 || params["agreement"] === 1) return [];
  const mde: NextQuestion = { ask: "mde", scenario, parameters: { n, ...others } };
  if (delta === 0) return [mde];
  return [
    // of these very items it would restate their p value
    ...(planned === undefined
      ? []
      : [{ ask: "power", scenario, parameters: { n, delta: change, ...others } } as const]),
    mde,
    { ask: "size", scenario, parameters: { delta: change, ...others } },
  ];
}

function judge(found: DevFindings, items: number, options: DevOptions): Diagnostic[] {
  const { n, postHoc, raters, repeats = 1 } = options;
  const diagnostics = [...judgeUnits(found, items), ...judgeClusters(found, n)];
  if (repeats > 1) {
    diagnostics.push(
      note(
        "Repeats",
        `an item's score is the mean of up to ${repeats} repeats: n counts items with as many repeats each.`,
        "with fewer repeats the differences spread more; take one run only to plan for one.",
      ),
    );
  }
  if (found.delta === 0) {
    diagnostics.push(
      note("NoDifference", "the systems are equal on these items.", "plan for the difference that matters to you."),
    );
  } else if (found.params["sd"] === 0) {
    diagnostics.push(
      warning(
        "NoSpread",
        "every item shows the same difference: without a spread there is no power to compute.",
        "give more items, or plan with a spread known from elsewhere: the scenario means with `sd`.",
      ),
    );
  }
  if (raters !== undefined) diagnostics.push(ratersAreASample(raters));
  else if (n === undefined) diagnostics.push(postHoc ? POST_HOC : noPostHoc(items));
  return diagnostics;
}

function judgeUnits({ scenario, clusters }: DevFindings, items: number): Diagnostic[] {
  const units = clusters?.count ?? items;
  if (units >= FEW_UNITS) return [];
  const what =
    scenario === "accuracy" ? "delta and agreement" : scenario === "means" ? "delta and its spread" : "delta";
  return [
    warning(
      "FewItems",
      `${units} ${clusters === undefined ? "items" : "clusters of items"} leave ${what} too uncertain to plan with.`,
      `plan for the smallest difference that matters, or collect ${FEW_UNITS} or more first.`,
    ),
  ];
}

function judgeClusters({ clusters, params, scenario }: DevFindings, n: number | undefined): Diagnostic[] {
  if (clusters === undefined) return [];
  const { count, size, designEffect } = clusters;
  if (scenario === "likert") {
    return [
      warning(
        "Clusters",
        `items come in ${count} clusters, of which the model of the ratings knows nothing: they raise the variance between items about ${formatNumber(designEffect, "statistic")} times (design effect), and its power is too high.`,
        "plan for that many times the items.",
      ),
    ];
  }
  const whole = n === undefined ? n : wholeClusters(n, params);
  const raised =
    designEffect > 1
      ? `raise the variance of the difference ${formatNumber(designEffect, "statistic")} times (design effect)`
      : "do not raise the variance of the difference here";
  const rounded = whole === n ? "" : ` (${n} items are planned as ${whole})`;
  return [
    note(
      "Clusters",
      `items come in ${count} clusters, which ${raised}: n counts items in clusters of ${size}${rounded}, and a t test of their means is planned.`,
      "more clusters help more than more items in each; `cluster: none` takes the items for independent.",
    ),
  ];
}

const ratersAreASample = ({ count, pilot }: DevRaters): Diagnostic =>
  warning(
    "RatersAreASample",
    `${count} raters gave these scores, and raters are a sample too: a power from item means would take these very raters for granted and come out too high, so none is given.`,
    pilot === undefined
      ? "have each item rated by several raters, and take that for a pilot of the scenario likert; or `rater: none`, if the raters do not matter."
      : "take the ratings as a pilot, as under Next; or `rater: none`, if the raters do not matter.",
  );

const POST_HOC: Diagnostic = warning(
  "PostHoc",
  "this is the power of the same items at the difference they showed: it says what the p value says, and nothing about the experiment.",
  "plan the next test set with `n`, or ask for the smallest difference that it can see (`mde`).",
);

const noPostHoc = (items: number): Diagnostic =>
  note(
    "NoPostHoc",
    `no power is given for these ${items} items themselves: at the observed difference it would only restate their p value (post-hoc power).`,
    "give `n`, the items of the test set to come, or `postHoc` if you mean it.",
  );

/** Items of which a few lack a repeat count as if they had it. */
function presentDesign(gains: readonly RepeatGain[], items: number): string {
  const own = gains.filter((gain) => gain.items === items);
  const repeats =
    own.length === 1 ? ` with ${own[0]!.repeats} ${own[0]!.repeats === 1 ? "repeat" : "repeats"} each` : "";
  return `${formatNumber(items, "integer")} items${repeats}`;
}

function displayDev(result: FieldsOf<DevResult>): Display {
  const { systems, items, figures, power, scenario, shrunk, next, repeats = [] } = result;
  const title = scenario === "likert" ? "With these ratings as a pilot:" : "With these estimates:";
  return {
    title: `What development results predict: ${systems[1]} against ${systems[0]}`,
    summary: [
      `${formatNumber(items, "integer")} items with both systems.` +
        (power === undefined
          ? ""
          : ` Power with ${formatNumber(power.parameters[0]!.value as number, "integer")} items: ${formatNumber(power.power)} (Type-M ${formatNumber(power.typeM, "statistic")}).`),
    ],
    tables: [
      { head: ["", "estimate", "95% from", "to"], rows: figures.map((f) => [f.name, f.value, f.lower, f.upper]) },
      ...(shrunk === undefined
        ? []
        : [
            {
              caption: "Drawn towards the prior; these are planned with",
              head: ["", "dev", "± SE", "prior", "± SD", "weight of dev", "planned"],
              rows: shrunk.map((f) => [f.name, f.dev.value, f.dev.sd, f.prior.value, f.prior.sd, f.weight, f.value]),
            },
          ]),
      ...(repeats.length === 0
        ? []
        : [
            {
              caption: `Repeats against items: what gives the standard error of ${presentDesign(repeats, items)}`,
              head: ["repeats", "SD of an item's difference", "items", "runs of each system"],
              formats: ["integer", "number", "integer", "integer"] as const,
              rows: repeats.map((own) => [own.repeats, own.sd, own.items, own.runs]),
            },
          ]),
    ],
    notes: [
      scenario === "likert"
        ? "The difference is uncertain, and how much takes a model of the ratings (`compare`): plan for the smallest difference that would matter, too."
        : "The estimates are uncertain: try both ends of the intervals, and the smallest difference that would matter.",
    ],
    ...(next.length === 0 ? {} : { sections: [{ heading: NEXT, items: [{ text: title, code: callsOf(next) }] }] }),
  };
}
