/** Parameters of a power analysis from two systems' results on development data: the difference and how often they agree, or for
 *  scores the difference and the spread of the item-wise differences.
 *  The power of these same items at their own difference (post-hoc power) is a restatement of the p value and is refused unless asked
 *  for: Hoenig & Heisey (2001), Am. Stat. 55. The power of another test set is what the estimates are for.
 *  Reference: Card et al. (2020), EMNLP, section 3.2 and App. D.
 *  Limits:    development and test items must come from the same source, and dev results must not be tuned to. */
import type { FieldsOf } from "../models/fit.ts";
import { note, warning } from "../result/diagnostic.ts";
import type { Display } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { Fingerprint } from "../result/fingerprint.ts";
import { formatNumber } from "../result/number-format.ts";
import { type Diagnostic, makeResult, type Result } from "../result/result.ts";
import { ASSAY_VERSION } from "../result/version.ts";
import { binomialInterval } from "../significance/binomial-intervals.ts";
import { pairedTable } from "../significance/mcnemar.ts";
import { pairedProportionInterval } from "../significance/paired-proportions.ts";
import { pairedTTest } from "../significance/t-test.ts";
import { accuracyFamily } from "./accuracy.ts";
import { meansFamily } from "./means.ts";
import type { PowerResult } from "./result.ts";
import type { ScenarioFamily, ScenarioParameters } from "./scenario.ts";
import { computePower } from "./solve.ts";

const USUAL_ALPHA = 0.05;

export interface DevFigure {
  readonly name: string;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

export interface DevResult extends Result<"dev"> {
  /** Which scenario the results fit. */
  readonly scenario: "accuracy" | "means";
  readonly systems: readonly [string, string];
  readonly items: number;
  readonly figures: readonly DevFigure[];
  /** Ready for the scenario, but for the size. */
  readonly params: ScenarioParameters;
  /** Of a test set of `n` items, where n was given. */
  readonly power?: PowerResult;
  readonly postHoc: boolean;
  /** What to run next. */
  readonly commands: readonly string[];
}

export interface DevOptions {
  readonly systems?: readonly [string, string];
  /** Items of the test set to come. */
  readonly n?: number;
  /** Yes, the power of these very items. */
  readonly postHoc?: boolean;
  readonly alpha?: number;
  readonly test?: string;
}

/** Item-wise results of the baseline and of the new system. */
export function estimateFromDev(baseline: Float64Array, candidate: Float64Array, options: DevOptions = {}): DevResult {
  const { systems = ["baseline", "new"], postHoc = false, alpha, test } = options;
  if (baseline.length !== candidate.length || baseline.length < 2) {
    throw new StatError(
      "TooFewItems",
      `${baseline.length} and ${candidate.length} items.`,
      "give both systems the same items, at least 2.",
    );
  }
  const isRight = (v: number): boolean => v === 0 || v === 1;
  const binary = baseline.every(isRight) && candidate.every(isRight);
  const family = binary ? accuracyFamily : meansFamily;
  const { figures, params: own } = binary ? accuracyFigures(baseline, candidate) : scoreFigures(baseline, candidate);
  const params = { ...own, ...(alpha === undefined ? {} : { alpha }), ...(test === undefined ? {} : { test }) };
  const items = baseline.length;
  const n = options.n ?? (postHoc ? items : undefined);
  const power = n === undefined || own["delta"] === 0 ? undefined : computePower(family, { ...params, n });
  const hash = new Fingerprint();
  hash.update(baseline);
  hash.update(candidate);
  const fields: FieldsOf<DevResult> = {
    signature: { method: "power/from-dev", version: ASSAY_VERSION, options: { ...options }, data: hash.digest() },
    diagnostics: judge(options, own["delta"] as number, items),
    scenario: binary ? "accuracy" : "means",
    systems,
    items,
    figures,
    params,
    ...(power === undefined ? {} : { power }),
    postHoc: postHoc && options.n === undefined,
    commands: nextCommands(family, params, n),
  };
  return makeResult("dev", fields, displayDev);
}

function accuracyFigures(a: Float64Array, b: Float64Array) {
  const [both, onlyNew, onlyOld, neither] = pairedTable(b, a);
  const n = a.length;
  const delta = (onlyNew - onlyOld) / n;
  const agreement = (both + neither) / n;
  const share = (count: number): { lower: number; upper: number } => binomialInterval(count, n, { method: "wilson" });
  const figures: DevFigure[] = [
    { name: "accuracy, baseline", value: (both + onlyOld) / n, ...ends(share(both + onlyOld)) },
    { name: "accuracy, new", value: (both + onlyNew) / n, ...ends(share(both + onlyNew)) },
    {
      name: "delta",
      value: delta,
      ...ends(pairedProportionInterval([both, onlyNew, onlyOld, neither], { method: "tango", confidence: 0.95 })),
    },
    { name: "agreement", value: agreement, ...ends(share(both + neither)) },
  ];
  return { figures, params: { delta, agreement } as ScenarioParameters };
}

const ends = ({ lower, upper }: { lower: number; upper: number }) => ({ lower, upper });

function scoreFigures(a: Float64Array, b: Float64Array) {
  const { effect, ci } = pairedTTest(b, a);
  const sd = effect.se * Math.sqrt(a.length);
  const figures: DevFigure[] = [
    { name: "delta", value: effect.value, lower: ci.lower, upper: ci.upper },
    { name: "sd of differences", value: sd, lower: Number.NaN, upper: Number.NaN },
  ];
  return { figures, params: { delta: effect.value, sd } as ScenarioParameters };
}

function nextCommands({ name }: ScenarioFamily, params: ScenarioParameters, n: number | undefined): string[] {
  const flags = Object.entries(params)
    .filter(([key, value]) => key !== "delta" && !(key === "alpha" && value === USUAL_ALPHA))
    .map(([key, value]) => `--${key} ${typeof value === "number" ? shortest(value) : value}`)
    .join(" ");
  const size = n === undefined ? "<test items>" : n;
  const delta = shortest(params["delta"] as number);
  return [
    `assay power ${name} --n ${size} --delta ${delta} ${flags}`,
    `assay mde ${name} --n ${size} ${flags}`,
    `assay size ${name} --delta ${delta} ${flags}`,
  ];
}

const shortest = (x: number): string => String(Number(x.toPrecision(6)));

function judge({ n, postHoc }: DevOptions, delta: number, items: number): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (delta === 0) {
    found.push(
      note("NoDifference", "the systems are equal on these items.", "plan for the difference that matters to you."),
    );
  }
  if (n === undefined && postHoc) {
    found.push(
      warning(
        "PostHoc",
        "this is the power of the same items at the difference they showed: it says what the p value says, and nothing about the experiment.",
        "plan the next test set with --n, or ask for assay mde.",
      ),
    );
  } else if (n === undefined) {
    found.push(
      note(
        "NoPostHoc",
        `no power is given for these ${items} items themselves: at the observed difference it would only restate their p value (post-hoc power).`,
        "give --n, the items of the test set to come, or --post-hoc if you mean it.",
      ),
    );
  }
  return found;
}

function displayDev(result: FieldsOf<DevResult>): Display {
  const { systems, items, figures, power } = result;
  return {
    title: `From development results: ${systems[1]} against ${systems[0]}`,
    summary: [
      `${formatNumber(items, "integer")} items with both systems.` +
        (power === undefined
          ? ""
          : ` Power with ${formatNumber(power.parameters[0]!.value as number, "integer")} items: ${formatNumber(power.power)} (Type-M ${formatNumber(power.typeM, "statistic")}).`),
    ],
    tables: [
      { head: ["", "estimate", "95% from", "to"], rows: figures.map((f) => [f.name, f.value, f.lower, f.upper]) },
    ],
    notes: [
      "The estimates are uncertain: try both ends of the intervals, and the smallest difference that would matter.",
    ],
    sections: [{ heading: "Next", items: [{ text: "With these estimates:", code: result.commands }] }],
  };
}
