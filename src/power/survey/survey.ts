/** A literature or a leaderboard as data: were its claims large enough to be found, are small studies the ones with large gains, which
 *  benchmarks can still show anything, and how much of what is significant is true?
 *  Reference: Card et al. (2020), EMNLP, sections 1, 3.3 and 5.1, Tables 2 and 10, App. D.
 *  Oracle:    metafor (R) for the pooling and the tests of asymmetry, oracle/next/meta-analysis.json; judgeClaims for power and significance.
 *  Limits:    claims are taken for independent; several on one test set share its items. What was never published is not in the table. */

import { fingerprint } from "../../data/fingerprint.ts";
import { makeTable, numericColumn, selectColumns, type Table } from "../../data/table.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { StatError } from "../../result/error.ts";
import { makeResult } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { beggTest, eggerTest } from "../../significance/meta/asymmetry.ts";
import { funnelOf, trimAndFill } from "../../significance/meta/funnel.ts";
import { poolEffects } from "../../significance/meta/pool.ts";
import { isConstant } from "../../significance/samples.ts";
import { correlationTest } from "../../significance/tests/correlation.ts";
import { medianOf } from "../../significance/tests/sign-test.ts";
import { fitOverlapHistory } from "../from/history.ts";
import { positivePredictiveValue } from "../ppv.ts";
import { USUAL_POWER } from "../result.ts";
import { checkAlpha } from "../scenario.ts";
import { type OverlapRegression, parseOverlap } from "../scenarios/accuracy-overlap.ts";
import { checkTarget } from "../solve/solve.ts";
import { type ClaimColumns, type ReadClaims, readClaims } from "./claims.ts";
import { displaySurvey } from "./claims-display.ts";
import { surveyDiagnostics } from "./diagnose.ts";
import { judgeRows, type SurveyClaim } from "./judge.ts";
import { followTasks } from "./progress.ts";
import type { Literature, SizeClass, SurveyResult, SurveySummary } from "./result.ts";
import { judgeTasks, momentsOf, type SurveyTask, typicalOf } from "./tasks.ts";

export interface SurveyOptions extends ClaimColumns {
  /** Regression that predicts agreement where the table has none: glue (default), squad or a,b,c. */
  readonly overlap?: string | undefined;
  /** How τ² is estimated; default reml. */
  readonly random?: "reml" | "dl" | undefined;
  readonly knappHartung?: boolean | undefined;
  readonly power?: number | undefined;
  readonly alpha?: number | undefined;
  readonly confidence?: number | undefined;
  /** Share of the gains claimed that were true beforehand: gives the PPV. */
  readonly prior?: number | undefined;
  readonly bias?: number | undefined;
  readonly teams?: number | undefined;
  readonly devItems?: number | undefined;
  /** Scores are mean ratings on this scale, "1-5": no accuracies. */
  readonly scale?: string | undefined;
}

const SURVEY_CLAIMS_OPTIONS = {
  overlap: true,
  random: true,
  knappHartung: true,
  power: true,
  alpha: true,
  confidence: true,
  prior: true,
  bias: true,
  teams: true,
  devItems: true,
  scale: true,
  n: true,
  score: true,
  task: true,
  baseline: true,
  id: true,
  effect: true,
  variance: true,
  se: true,
  p: true,
  agreement: true,
  date: true,
  dev: true,
} as const satisfies Record<keyof SurveyOptions, true>;

export function surveyClaims(table: Table, options: SurveyOptions = {}): SurveyResult {
  refuseUnknownNames("surveyClaims", options, SURVEY_CLAIMS_OPTIONS);
  const { alpha = 0.05, power = USUAL_POWER, confidence = 0.95, devItems } = options;
  checkAlpha(alpha);
  checkTarget(power, alpha);
  checkDevelopment(options);
  if (table.rows === 0) throw new StatError("NoRows", "the table has no claims.", "give one claim a row.");
  const read = readClaims(table, options, options.scale);
  const overlap = overlapOf(read, options);
  const claims = judgeRows(read, { overlap, alpha });
  const tasks = judgeTasks(claims, { accuracy: read.accuracy, overlap, alpha, power, all: claims });
  const records = read.accuracy ? followTasks(read.entries ?? read.rows, { overlap, alpha, devItems }) : [];
  const { unit } = read;
  const shown = claims.map((claim) => inUnits(claim, unit, ["baseline", "score", "gain", "se", "expected"]));
  const pooled = shown.filter(({ gain, se }) => !Number.isNaN(gain) && se > 0);
  const literature = pooled.length < 2 ? undefined : poolClaims(pooled, { ...options, confidence });
  const summary = summarise(shown);
  const funnel = pooled.length < 2 ? undefined : funnelOf(...effectsOf(pooled));
  const fields: FieldsOf<SurveyResult> = {
    signature: {
      method: "power/survey",
      version: GOSSET_VERSION,
      options: { ...options, columns: read.columns },
      data: fingerprint(selectColumns(table, [...new Set(Object.values(read.columns) as string[])])),
    },
    diagnostics: surveyDiagnostics({ read, claims, records, pooled: pooled.length }),
    columns: read.columns,
    percent: unit === 100,
    accuracy: read.accuracy,
    alpha,
    target: power,
    confidence,
    overlap,
    claims: shown,
    tasks: tasks.map((task) => tasksInUnits(task, unit)),
    summary,
    ...literature,
    ...(literature?.effectAgainstSize === undefined ? sizeTest(shown) : {}),
    sizes: sizesOf(shown),
    ...(read.scale === undefined ? {} : { scale: read.scale }),
    ...ppvOf(summary.medianPower, { ...options, alpha }),
    records: records.map(({ steps, ...own }) => ({
      ...own,
      steps: steps.map((step) => inUnits(step, unit, ["score", "best", "improvement"])),
    })),
    reporting: reportingOf(read),
    ...(funnel === undefined ? {} : { series: { funnel } }),
  };
  return makeResult("survey", fields, displaySurvey);
}

function checkDevelopment({ dev, devItems, prior, bias, teams }: SurveyOptions): void {
  if (dev !== undefined && devItems === undefined) {
    throw new StatError("MissingParameter", "`dev` needs the number of development items.", "give `devItems`.");
  }
  if (devItems !== undefined && !(Number.isInteger(devItems) && devItems >= 1)) {
    throw new StatError("BadParameter", `devItems = ${devItems}.`, "it must be a whole number of at least 1.");
  }
  if (prior === undefined && (bias !== undefined || teams !== undefined)) {
    throw new StatError("MissingParameter", "`bias` and `teams` are parts of the PPV.", "give `prior` too.");
  }
  // wrong shares are told before anything is computed
  if (prior !== undefined) positivePredictiveValue({ power: USUAL_POWER, prior, bias, teams });
}

/** Fitted where enough claims state their agreement. */
const ENOUGH_AGREEMENT = 5;

function overlapOf({ rows, accuracy }: ReadClaims, { overlap }: SurveyOptions): OverlapRegression {
  const known = rows.filter((row) => !Number.isNaN(row.agreement + row.baseline + row.gain));
  if (overlap !== undefined || !accuracy || known.length < ENOUGH_AGREEMENT) return parseOverlap(overlap ?? "glue");
  const table = makeTable([
    ["baseline", numericColumn(known.map(({ baseline }) => baseline))],
    ["candidate", numericColumn(known.map(({ baseline, gain }) => baseline + gain))],
    ["agreement", numericColumn(known.map(({ agreement }) => agreement))],
  ]);
  const fit = fitOverlapHistory(table, { baseline: "baseline", candidate: "candidate", agreement: "agreement" });
  // claims of one accuracy or one gain do not fix a regression
  if (fit.coefficients.length < 3) return parseOverlap("glue");
  const [intercept, lower, difference] = fit.coefficients.map(({ value }) => value);
  return { intercept: intercept!, accuracy: lower!, difference: difference! };
}

interface Pooling {
  readonly random?: "reml" | "dl" | undefined;
  readonly knappHartung?: boolean | undefined;
  readonly confidence: number;
}

const effectsOf = (claims: readonly SurveyClaim[]): [effects: number[], variances: number[]] => [
  claims.map(({ gain }) => gain),
  claims.map(({ se }) => se * se),
];

function poolClaims(
  claims: readonly SurveyClaim[],
  { random = "reml", knappHartung, confidence }: Pooling,
): Literature {
  const [effects, variances] = effectsOf(claims);
  const pooled = poolEffects(effects, variances, { confidence });
  const method = knappHartung ? (`${random}KnappHartung` as const) : random;
  const sized = claims.filter(({ n }) => !Number.isNaN(n));
  const several = claims.length >= 3;
  // gains that are all equal show no asymmetry, and leave its tests nothing but rounding errors
  const vary = several && !isConstant(Float64Array.from(effects));
  const spread = vary && new Set(variances.map((v) => v.toPrecision(9))).size > 1;
  return {
    k: pooled.k,
    heterogeneity: { q: pooled.q, df: pooled.qDf, p: pooled.qP, tau2: pooled.tau2 },
    fixed: pooled.fixed,
    random: { ...pooled[method], method: knappHartung ? `${random}, Knapp-Hartung` : random },
    ...(vary ? { begg: beggTest(effects, variances) } : {}),
    ...(several ? { trimAndFill: trimAndFill(effects, variances) } : {}),
    ...(spread ? { egger: eggerTest(effects, variances, { confidence }) } : {}),
    ...(sized.length >= 3 ? { effectAgainstSize: againstSize(sized) } : {}),
  };
}

function againstSize(claims: readonly SurveyClaim[]): { tau: number; p: number; k: number } {
  const [gains, sizes] = [claims.map(({ gain }) => gain), claims.map(({ n }) => n)];
  const { effect, p } = correlationTest(gains, sizes, { kind: "kendall" });
  return { tau: effect.value, p, k: claims.length };
}

/** Of gains whose exactness nobody states. */
function sizeTest(claims: readonly SurveyClaim[]): Pick<Literature, "effectAgainstSize"> {
  const sized = claims.filter(({ gain, n }) => !Number.isNaN(gain + n));
  if (sized.length < 3 || isConstant(Float64Array.from(sized, ({ gain }) => gain))) return {};
  if (isConstant(Float64Array.from(sized, ({ n }) => n))) return {};
  return { effectAgainstSize: againstSize(sized) };
}

/** Bounds of the classes of sizes: Card et al. count evaluations up to 100 items, and above 200. */
const SIZES = [0, 50, 100, 200, 500, 1000, 5000, Number.POSITIVE_INFINITY];

function sizesOf(claims: readonly SurveyClaim[]): SizeClass[] {
  const known = claims.filter(({ n }) => !Number.isNaN(n));
  return SIZES.slice(1).flatMap((to, k) => {
    const own = known.filter(({ n }) => n > SIZES[k]! && n <= to);
    if (own.length === 0) return [];
    const { mean, sd } = momentsOf(own.map(({ gain }) => gain).filter((gain) => !Number.isNaN(gain)));
    return [
      { from: SIZES[k]! + 1, to, claims: own.length, share: own.length / known.length, meanGain: mean, sdGain: sd },
    ];
  });
}

function tasksInUnits(task: SurveyTask, unit: number): SurveyTask {
  const own = inUnits(task, unit, ["best", "mde", "typicalGain", "meanGain", "meanSe", "expectedGain"]);
  if (own.others === undefined || unit === 1) return own;
  const { binomial, midP, lachenbruch } = own.others;
  const bounds = inUnits(lachenbruch, unit, Object.keys(lachenbruch) as (keyof typeof lachenbruch)[]);
  return { ...own, others: { binomial: binomial * unit, midP: midP * unit, lachenbruch: bounds } };
}

function summarise(claims: readonly SurveyClaim[]): SurveySummary {
  const judged = claims.filter(({ power }) => !Number.isNaN(power));
  const share = (own: readonly SurveyClaim[], is: (claim: SurveyClaim) => boolean): number =>
    own.length === 0 ? Number.NaN : own.filter(is).length / own.length;
  const gains = claims.map(({ gain }) => gain).filter((gain) => !Number.isNaN(gain));
  const { mean, sd } = momentsOf(gains);
  const withP = claims.filter(({ p }) => !Number.isNaN(p));
  return {
    claims: claims.length,
    judged: judged.length,
    typicalGain: typicalOf(claims),
    ...{ meanGain: mean, sdGain: sd, gains: gains.length },
    medianPower: judged.length === 0 ? Number.NaN : medianOf(Float64Array.from(judged, ({ power }) => power)),
    powered: share(judged, ({ powered }) => powered),
    significant: share(withP, ({ significant }) => significant),
    significantAndPowered: share(
      judged.filter(({ p }) => !Number.isNaN(p)),
      ({ significant, powered }) => significant && powered,
    ),
  };
}

/** Of the median power: how the typical claim of this literature came about. */
function ppvOf(power: number, { prior, bias, teams, alpha }: SurveyOptions): Pick<SurveyResult, "ppv"> {
  if (prior === undefined || Number.isNaN(power)) return {};
  return { ppv: positivePredictiveValue({ power, alpha, prior, bias, teams }) };
}

/** Back to the units of the table. */
function inUnits<T extends object>(own: T, unit: number, names: readonly (keyof T)[]): T {
  if (unit === 1) return own;
  return { ...own, ...Object.fromEntries(names.map((name) => [name, (own[name] as number) * unit])) };
}

const REPORTED = ["task", "n", "baseline", "score", "p", "agreement", "date"] as const;

/** How many claims state what a reader would need. */
function reportingOf({ rows }: ReadClaims) {
  const has = (what: (typeof REPORTED)[number]): number =>
    rows.filter((row) => row[what] !== "" && !Number.isNaN(row[what])).length;
  const exact = rows.filter(({ variance }) => !Number.isNaN(variance)).length;
  return [...REPORTED.map((what) => ({ what, claims: has(what) })), { what: "standard error", claims: exact }].map(
    (own) => ({ ...own, share: own.claims / rows.length }),
  );
}
