/** What a power analysis answers: the figures, how they were found, and what each parameter assumed. */

import type { FieldsOf } from "../models/fit.ts";
import { note, warning } from "../result/diagnostic.ts";
import type { Display, DisplayTable } from "../result/display.ts";
import { formatNumber } from "../result/number-format.ts";
import { present } from "../result/present.ts";
import { type Diagnostic, type JsonOf, makeResult, type Result } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import { type ErrorRate, errorRateSentence, judgeErrorRate } from "./error-rate.ts";
import { type Ppv, type PpvInput, positivePredictiveValue, ppvSentence } from "./ppv.ts";
import type { PowerFigures, Scenario, ScenarioParameters, StatedParameter } from "./scenario.ts";
import { planScreen, statedValue } from "./screen.ts";
import type { PowerSeries } from "./series.ts";

export const POWER_METHODS = ["exact", "approx", "simulation"] as const;
export type PowerMethod = (typeof POWER_METHODS)[number];

/** One analysis of the simulated experiments. */
export interface AnalysisPower extends PowerFigures {
  readonly name: string;
  /** Monte-Carlo standard errors; 0 where nothing was drawn. */
  readonly se: number;
  readonly typeMSe: number;
  readonly typeSSe: number;
  /** Experiments without an answer. */
  readonly failed: number;
}

/** What an answer from an unfinished simulation rests on. */
export interface PartialDraws {
  /** Experiments asked for. */
  readonly wanted: number;
  /** The first ones, without a gap. */
  readonly drawn: number;
  /** Shards whose experiments are not all there, where it was shared out. */
  readonly missingShards: readonly number[];
}

export interface PowerResult extends Result<"power">, PowerFigures {
  readonly scenario: string;
  readonly title: string;
  readonly method: PowerMethod;
  readonly se: number;
  readonly typeMSe: number;
  readonly typeSSe: number;
  readonly replicates?: number;
  readonly effect: number;
  readonly effectWords?: string;
  /** What a significant result shows, where it is not that an effect is there. */
  readonly claim?: string;
  readonly alpha: number;
  readonly parameters: readonly StatedParameter[];
  readonly assumptions: readonly string[];
  /** How often the test rejects with nothing to find, where that was asked for. */
  readonly errorRate?: ErrorRate;
  /** How much of what is significant would be true, where a prior is given. */
  readonly ppv?: Ppv;
  /** The first is the answer; more where each simulated experiment was analysed in several ways. */
  readonly analyses: readonly AnalysisPower[];
  /** Where only part of what was asked for is drawn. */
  readonly partial?: PartialDraws;
  /** For pictures; the curve is worked out when the result is written. */
  readonly series?: PowerSeries;
}

export type PowerJson = JsonOf<PowerResult>;

/** What a claim's credibility depends on beside its power. */
export type Credibility = Pick<PpvInput, "prior" | "priorOdds" | "bias" | "teams">;

export interface PowerSource {
  readonly method: PowerMethod;
  readonly params: ScenarioParameters;
  readonly analyses: readonly AnalysisPower[];
  readonly replicates?: number | undefined;
  readonly seed?: string | undefined;
  readonly errorRate?: ErrorRate | undefined;
  readonly series?: PowerSeries | undefined;
  /** Power around the size, where it can be had without drawing. */
  readonly curve?: (() => PowerSeries) | undefined;
  readonly credibility?: Credibility | undefined;
}

/** Below this power a study is called underpowered, above it is not: the convention that Card et al. follow. */
export const USUAL_POWER = 0.8;
/** Share of experiments without an answer from which on the figures may mislead. */
const MANY_FAILED = 0.01;

/** What a claim shows is that a margin is kept: no estimate of an effect that could be too large or have the wrong sign. */
const withoutErrors = (own: AnalysisPower): AnalysisPower => ({
  ...own,
  ...{ typeM: Number.NaN, typeS: Number.NaN, typeMSe: Number.NaN, typeSSe: Number.NaN },
});

export function makePowerResult(scenario: Scenario, source: PowerSource): PowerResult {
  const { method, params, replicates, seed, errorRate, series, curve } = source;
  const analyses = scenario.claim === undefined ? source.analyses : source.analyses.map(withoutErrors);
  const { name: _, failed: __, ...figures } = analyses[0]!;
  const fields: FieldsOf<PowerResult> = {
    signature: {
      method: `power/${scenario.name}`,
      version: GOSSET_VERSION,
      options: { ...params, method },
      data: "",
      ...present({ seed }),
    },
    diagnostics: [
      // what was measured stands in for what was expected
      ...scenario.diagnostics.filter(({ code }) => errorRate === undefined || code !== "BadlySizedTest"),
      ...judge(analyses[0]!, { replicates, claim: scenario.claim }),
      ...(errorRate === undefined ? [] : judgeErrorRate(errorRate, scenario.alpha)),
    ],
    scenario: scenario.name,
    title: scenario.title,
    ...figures,
    method,
    ...present({ replicates, errorRate }),
    ...(source.credibility === undefined
      ? {}
      : { ppv: positivePredictiveValue({ ...source.credibility, power: analyses[0]!.power, alpha: scenario.alpha }) }),
    effect: scenario.effect,
    ...present({ effectWords: scenario.effectWords, claim: scenario.claim }),
    alpha: scenario.alpha,
    parameters: scenario.parameters,
    assumptions: scenario.assumptions,
    analyses,
    ...present({ series }),
  };
  if (curve === undefined) return makeResult("power", fields, displayPower);
  let found: PowerSeries | undefined;
  return makeResult("power", fields, {
    display: displayPower,
    json: ({ signature: _, diagnostics: __, ...own }) => {
      found ??= curve();
      return { ...own, series: { ...series, ...found } };
    },
  });
}

export const withoutError = (name: string, figures: PowerFigures): AnalysisPower => ({
  name,
  ...figures,
  se: 0,
  typeMSe: 0,
  typeSSe: 0,
  failed: 0,
});

function judge(
  { power, rejection, typeM, typeS, failed }: AnalysisPower,
  { replicates, claim }: { readonly replicates: number | undefined; readonly claim: string | undefined },
): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (rejection === 0) {
    found.push(
      warning(
        "NothingSignificant",
        `no result of this ${replicates === undefined ? "experiment can be" : "simulation was"} significant: Type-M and Type-S are undefined.`,
        replicates === undefined ? "collect more data." : "collect more data, or draw more experiments.",
      ),
    );
  } else if (power < USUAL_POWER) {
    found.push(
      note(
        "Underpowered",
        `power is below ${USUAL_POWER}: ${claim === undefined ? "effects of this size are often missed" : "this will often not be shown although it is so"}` +
          (typeM > 1 && claim === undefined
            ? `, and significant ones look ${formatNumber(Number(typeM.toPrecision(2)))} times too large on average.`
            : "."),
        "Collect more data (`size`), or accept the lower power.",
      ),
    );
  }
  if (typeS > 0.01 && claim === undefined) {
    found.push(
      note(
        "WrongSign",
        `${formatNumber(Number((100 * typeS).toPrecision(2)))} % of the significant results would point the wrong way.`,
        "Do not read a significant result of such a small study as a finding.",
      ),
    );
  }
  if (replicates !== undefined && failed > MANY_FAILED * replicates) {
    found.push(
      warning(
        "FailedReplicates",
        `${failed} of ${replicates} simulated experiments gave no answer and count as not significant.`,
        "use a simpler analysis, or more data per unit.",
      ),
    );
  }
  return found;
}

/** Digits of a power beside the one that was wanted: as many as tell them apart. */
export function formatBeside(power: number, target: number): string {
  for (let digits = 4; digits < 12; digits++) {
    const rounded = Number(power.toFixed(digits));
    // rounding must neither hide the difference nor turn it round
    if (rounded !== target && rounded > target === power > target) return String(rounded);
  }
  return formatNumber(power);
}

const METHOD_WORDS: Readonly<Record<PowerMethod, string>> = {
  exact: "exact",
  approx: "approximation",
  simulation: "simulation",
};

function displayPower(result: FieldsOf<PowerResult>): Display {
  const { method, replicates, analyses, alpha } = result;
  const how =
    replicates === undefined
      ? METHOD_WORDS[method]
      : `${METHOD_WORDS[method]}, ${formatNumber(replicates, "integer")} experiments, seed ${result.signature.seed}`;
  const said =
    result.claim === undefined
      ? `A true ${result.effectWords ?? `effect of ${formatNumber(result.effect)}`} is detected with power`
      : `${result.claim} with power`;
  const found = `${said} ${shownPower(result.power)} (${how}; α = ${formatNumber(alpha)}).`;
  const more = [
    ...(result.errorRate === undefined ? [] : [errorRateSentence(result.errorRate)]),
    ...(result.ppv === undefined ? [] : [ppvSentence(result.ppv)]),
  ];
  const figures = figuresTable(result);
  const meaning =
    result.claim === undefined
      ? figuresNote(analyses, replicates)
      : "Power is the probability of a significant result.";
  return {
    title: `Power: ${result.title}`,
    summary: [found, ...more],
    tables: [figures, parameterTable(result.parameters)],
    notes: [meaning, ...result.assumptions],
    screen: planScreen(found, {
      plan: result.title,
      tables: [figures],
      summary: [...more, meaning],
      parameters: result.parameters,
      assumptions: result.assumptions,
    }),
  };
}

/** 0.79996 is not 0.8, below which the study is said to be too small. */
const shownPower = (power: number): string =>
  formatNumber(power) === String(USUAL_POWER) && power !== USUAL_POWER
    ? formatBeside(power, USUAL_POWER)
    : formatNumber(power);

/** A test without a direction has no wrong sign. */
function figuresNote(analyses: readonly AnalysisPower[], replicates: number | undefined): string {
  const typeM = "Type-M: exaggeration ratio of significant results.";
  // in a simulation all significant results may have the right sign by chance
  return replicates === undefined && analyses.every(({ power, rejection }) => power === rejection)
    ? `Power counts significant results. ${typeM}`
    : `Power counts significant results of the right sign. ${typeM} Type-S: proportion of significant results with the wrong sign.`;
}

function figuresTable({ analyses, replicates, claim }: FieldsOf<PowerResult>): DisplayTable {
  const simulated = replicates !== undefined;
  // how far significant results overstate is about an effect
  const overstated = claim === undefined;
  const near = analyses.find(({ power }) => shownPower(power) !== formatNumber(power));
  return {
    ...(near === undefined ? {} : { decimals: shownPower(near.power).length - 2 }),
    head: ["test", "power", ...(simulated ? ["± SE"] : []), ...(overstated ? ["Type-M", "Type-S"] : [])],
    formats: [
      ...(["text", "number"] as const),
      ...(simulated ? (["number"] as const) : []),
      ...(overstated ? (["statistic", "percent"] as const) : []),
    ],
    rows: analyses.map(({ name, power, se, typeM, typeS }) => [
      ...[name, power],
      ...(simulated ? [se] : []),
      ...(overstated ? [typeM, typeS] : []),
    ]),
  };
}

export function parameterTable(parameters: readonly StatedParameter[]): DisplayTable {
  return {
    caption: "Assumed",
    head: ["parameter", "value", "meaning"],
    formats: ["text", "text", "text"],
    rows: parameters.map(({ name, value, meaning }) => [name, statedValue(value), meaning]),
  };
}
