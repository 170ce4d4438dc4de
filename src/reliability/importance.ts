/** Which settings matter: the share of a score's variance that each meta-parameter of a search brings about.
 *
 *  Every parameter is a random effect of a model without fixed effects; the larger its variance, the more the choice of its
 *  value changes the score. With an object (items scored one by one) the share of the items stands beside. Parameters that
 *  changed together are one line. How a parameter's effect depends on a property of the data (sentence length) is a fixed-effects
 *  interaction,
 *
 *      score ~ property * parameter + (1 | object)
 *
 *  with means for every combination, an F test of the interaction, and contrasts of the parameter within each class.
 *  A setting drawn from a range (more than 20 values) is cut into five classes of equal size first, which is reported.
 *  Reference: Riezler & Hagmann (2021), eq. 3.14-3.17, Tables 3.4, 3.8-3.11, Figure 3.5; Hutter, Hoos & Leyton-Brown (2014), ICML.
 *  Oracle:    lme4, emmeans (R), oracle/papers/riezler2021.json.
 *  Limits:    a parameter with two values has a variance with one degree of freedom: look at its interval. */

import { fingerprint } from "../data/fingerprint.ts";
import type { Imported } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import {
  asFactor,
  column,
  makeTable,
  type NumericColumn,
  selectColumns,
  selectRows,
  type Table,
} from "../data/table.ts";
import type { FieldsOf } from "../models/fit.ts";
import { fitLm } from "../models/lm/lm.ts";
import { fitLmm } from "../models/lmm/lmm.ts";
import { makeRng, type Rng } from "../numeric/rng.ts";
import { refuseUnknownNames } from "../question/refuse.ts";
import { note } from "../result/diagnostic.ts";
import type { Display, DisplayTable } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { formatNumber } from "../result/number-format.ts";
import { present } from "../result/present.ts";
import { listNames } from "../result/quote.ts";
import { type Diagnostic, makeResult, type Published, type Result, type ResultJson } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import { type MarginalContrast, type MarginalMean, marginalMeans } from "../significance/means/means.ts";
import { type3Lm } from "../significance/nested/type3.ts";
import { type3Lmm } from "../significance/nested/type3-mixed.ts";
import { chooseRatings, parametersOf, type Ratings } from "./columns.ts";
import { cutContinuous, cutNote } from "./cut.ts";
import { kooLiVerdict } from "./generalizability/coefficient.ts";
import { componentTable } from "./generalizability/components-display.ts";
import { type ComponentJson, componentJson } from "./generalizability/components-json.ts";
import { propertyClasses } from "./generalizability/conditional.ts";
import {
  measureReliability,
  type ReliabilityOptions,
  type ReliabilityResult,
  type VarianceShare,
} from "./generalizability/generalizability.ts";
import { describeSettings, type SearchBest, type SettingLevel } from "./search.ts";

export interface ImportanceOptions
  extends Pick<
    ReliabilityOptions,
    "score" | "object" | "interactions" | "intervals" | "replicates" | "confidence" | "onProgress" | "keeper"
  > {
  readonly parameters?: readonly string[] | undefined;
  /** A property of the data with which parameters may interact. */
  readonly by?: string | undefined;
  /** A column of training budgets (epochs, data, steps): the shares within each of them. */
  readonly budget?: string | undefined;
  readonly rng?: Rng | undefined;
}

/** The shares of variance where so much was spent on each configuration. */
export interface BudgetImportance {
  readonly budget: string;
  readonly nobs: number;
  readonly components: readonly Pick<VarianceShare, "term" | "variance" | "percent">[];
  /** NaN without an object. */
  readonly phi: number;
  readonly best: number;
}

export interface PropertyInteraction {
  readonly parameter: string;
  readonly property: string;
  /** F test of the interaction, Satterthwaite df. */
  readonly f: number;
  readonly df1: number;
  readonly df2: number;
  readonly p: number;
  /** One line per class and value; they stand under the names of their columns. */
  readonly means: readonly MeanLine[];
  readonly contrasts: readonly MeanLine[];
}

export type MeanLine = Readonly<Record<string, string | number>>;

export interface ImportanceResult extends Result<"importance"> {
  readonly score: string;
  readonly object?: string;
  readonly parameters: readonly string[];
  readonly nobs: number;
  readonly balanced: boolean;
  /** Sorted, largest first; the object and the residual among them. */
  readonly components: readonly VarianceShare[];
  readonly interactions: readonly PropertyInteraction[];
  /** Scores of the configurations, value by value of each setting; none where the score is no number. */
  readonly levels: readonly SettingLevel[];
  readonly search?: SearchBest;
  /** Reliability of one score over the settings; absent without an object. */
  readonly phi?: ReliabilityResult["phi"];
  readonly budgets: readonly BudgetImportance[];
  readonly intervals: ReliabilityResult["intervals"];
  readonly confidence: number;
  readonly replicates: number;
}

type Renamed = "components" | "phi" | "intervals" | "confidence" | "replicates";

export interface ImportanceJson
  extends ResultJson<"importance">,
    Omit<ImportanceResult, keyof Result<"importance"> | Renamed> {
  readonly components: readonly ComponentJson[];
  readonly phi?: number;
  readonly phiCi?: { readonly lower: number; readonly upper: number };
  readonly ci: {
    readonly level: number;
    readonly method: ImportanceResult["intervals"];
    readonly replicates: number;
  };
}

type Asked = ImportanceOptions & { readonly score: string; readonly parameters: readonly string[] };

const MEASURE_IMPORTANCE_OPTIONS = {
  parameters: true,
  by: true,
  budget: true,
  rng: true,
  object: true,
  score: true,
  confidence: true,
  replicates: true,
  onProgress: true,
  interactions: true,
  intervals: true,
  keeper: true,
} as const satisfies Record<keyof ImportanceOptions, true>;

export function measureImportance(data: Ratings, options: ImportanceOptions = {}): ImportanceResult {
  refuseUnknownNames("measureImportance", options, MEASURE_IMPORTANCE_OPTIONS);
  const found = chooseRatings(data, { ...options, varied: options.parameters }, parametersOf);
  const { score, object, varied } = found;
  const cut = cutContinuous(found.table, varied);
  const left = "roles" in data && options.parameters === undefined ? leftOut(data, [score, ...varied]) : [];
  const told = cut.names.length === 0 ? left : [cutNote(cut.names), ...left];
  return measureTable(
    { table: cut.table, uncut: found.table },
    { ...options, score, parameters: varied, ...present({ object }) },
    told,
  );
}

/** The same rows twice: a range is in classes where effects are estimated, and as it is where configurations are distinguished. */
interface Settings {
  readonly table: Table;
  readonly uncut: Table;
}

/** Columns that vary beside the settings and have no part in the shares. */
function leftOut({ roles, table }: Pick<Imported, "roles" | "table">, used: readonly string[]): Diagnostic[] {
  const others = roles.covariates.filter((name) => !used.includes(name) && table.columns.has(name));
  if (roles.item !== undefined || others.length === 0) return [];
  const message = `${listNames(others)} ${others.length === 1 ? "varies" : "vary"} too and ${others.length === 1 ? "is" : "are"} not among the settings: what ${others.length === 1 ? "it brings" : "they bring"} about counts as residual.`;
  return [
    note(
      "NotAmongSettings",
      message,
      "Name the settings with option `parameters` if one of them was varied on purpose.",
    ),
  ];
}

function measureTable(settings: Settings, options: Asked, told: readonly Diagnostic[]): ImportanceResult {
  const { table } = settings;
  const { parameters, by, budget, rng = makeRng(1), ...rest } = options;
  const found = measureReliability(table, { ...rest, facets: parameters, rng });
  const components = [...found.components].sort((a, b) => b.variance - a.variance);
  const repeated = identicalScores(table, options);
  const silent = new Set(["NoObject", "InteractionsLeftOut"]);
  const fields = {
    signature: {
      method: "importance",
      version: GOSSET_VERSION,
      options: { parameters, by, budget, ...rest, onProgress: undefined, keeper: undefined },
      data: fingerprint(selectColumns(table, columnsOf(options))),
      seed: rng.seed,
    },
    diagnostics: [...told, ...found.diagnostics.filter(({ code }) => !silent.has(code)), ...repeated],
    score: options.score,
    ...present({ object: options.object }),
    parameters,
    nobs: found.nobs,
    balanced: found.balanced,
    components,
    interactions:
      by === undefined ? [] : parameters.map((parameter) => interactWith(table, parameter, { ...options, by })),
    ...scoresOf(settings, options),
    ...(options.object === undefined ? {} : { phi: found.phi }),
    budgets: budget === undefined ? [] : acrossBudgets(settings, { ...options, budget }),
    intervals: found.intervals,
    confidence: found.confidence,
    replicates: found.replicates,
  };
  return makeResult("importance", fields, { display: displayImportance, json: importanceJson });
}

function scoresOf(
  { table, uncut }: Settings,
  { score, parameters }: Asked,
): { levels: SettingLevel[]; search?: SearchBest } {
  return column(table, score).kind === "numeric"
    ? describeSettings(table, { score, parameters }, uncut)
    : { levels: [] };
}

/** The same shares within each value of a training budget, so that a setting that matters only while little is spent can be seen. */
function acrossBudgets({ table, uncut }: Settings, options: Asked & { readonly budget: string }): BudgetImportance[] {
  const { budget, object, score, interactions, rng: _rng, onProgress: _progress } = options;
  const parameters = options.parameters.filter((name) => name !== budget);
  if (parameters.length === 0)
    throw new StatError(
      "BadOption",
      `${budget} is the only setting.`,
      "Name further settings with option `parameters`.",
    );
  if (budget === score || budget === object)
    throw new StatError(
      "SameColumn",
      `${budget} is the score or the object already.`,
      "Name a column of training budgets.",
    );
  const factor = asFactor(column(table, budget));
  if (factor.levels.length > MOST_SETTINGS)
    throw new StatError(
      "ManyBudgets",
      `${budget} has ${factor.levels.length} values.`,
      "Name a column with few, such as epochs.",
    );
  return factor.levels.map((level, code) => {
    const [part, own] = [table, uncut].map((all) => selectRows(all, (row) => factor.codes[row] === code));
    const found = measureReliability(part!, {
      score,
      facets: parameters,
      intervals: "none",
      object,
      interactions,
    });
    return {
      budget: level,
      nobs: found.nobs,
      components: found.components.map(({ term, variance, percent }) => ({ term, variance, percent })),
      phi: found.phi.value,
      best: scoresOf({ table: part!, uncut: own! }, { ...options, parameters }).search?.best ?? Number.NaN,
    };
  });
}

const columnsOf = ({ score, object, parameters, by, budget }: Asked): string[] => [
  ...new Set([
    score,
    ...(object === undefined ? [] : [object]),
    ...parameters,
    ...(by === undefined ? [] : [by]),
    ...(budget === undefined || parameters.includes(budget) ? [] : [budget]),
  ]),
];

/** Share of configurations that have a twin with the same score from which a setting looks as if it did nothing. */
const MOSTLY = 0.9;

/** A parameter under which nearly all scores are the same to the last digit was probably never applied. */
function identicalScores(table: Table, { score, parameters, object }: Asked) {
  const cells = column(table, score);
  if (cells.kind !== "numeric" || object !== undefined) return [];
  return [...table.columns.keys()].flatMap((name) => {
    if (name === score) return [];
    const share = sameWithin(table, name, { values: cells.values, parameters });
    if (!(share >= MOSTLY)) return [];
    const message = `${name} changes nothing: ${(100 * share).toFixed(1)}% of the configurations have one score, to the last digit, whatever its value.`;
    return [
      note(
        "NoEffectAtAll",
        message,
        "Check that the setting was applied; otherwise these rows are copies, not observations.",
      ),
    ];
  });
}

function sameWithin(
  table: Table,
  name: string,
  { values, parameters }: { values: Float64Array; parameters: readonly string[] },
): number {
  const cells = column(table, name);
  const own = asFactor(cells);
  if (own.levels.length < 2 || own.levels.length > MOST_SETTINGS) return Number.NaN;
  const others = parameters.filter((other) => other !== name).map((other) => column(table, other));
  const { group, count, first } = groupKeys(others, table.rows);
  const rows = new Int32Array(count);
  const levels = new Set<number>();
  const differs = new Uint8Array(count);
  for (let i = 0; i < table.rows; i++) {
    const g = group[i]!;
    rows[g]! += 1;
    levels.add(g * own.levels.length + own.codes[i]!);
    if (values[i] !== values[first[g]!]) differs[g] = 1;
  }
  const distinct = new Int32Array(count);
  for (const key of levels) distinct[Math.floor(key / own.levels.length)]! += 1;
  // only where the other settings fix everything but this one
  const groups = Array.from(rows.keys()).filter((g) => rows[g]! > 1 && distinct[g] === rows[g]);
  if (groups.length * 2 < count) return Number.NaN;
  return groups.filter((g) => differs[g] === 0).length / groups.length;
}

const MOST_SETTINGS = 50;

function interactWith(
  table: Table,
  parameter: string,
  { score, object, by, confidence = 0.95 }: Asked & { readonly by: string },
): PropertyInteraction {
  const classes = propertyClasses(table, by);
  const codes = new Int32Array(table.rows).fill(-1);
  classes.forEach(({ rows }, l) => {
    for (const i of rows) codes[i] = l;
  });
  const part = makeTable([
    ["y", { kind: "numeric", values: (column(table, score) as NumericColumn).values }],
    ["property", { kind: "factor", codes, levels: classes.map(({ level }) => level), ordered: false }],
    ["parameter", asFactor(column(table, parameter))],
    ...(object === undefined ? [] : [["object", asFactor(column(table, object))] as const]),
  ]);
  const fixed = "y ~ property * parameter";
  const contrasts = { property: "sum", parameter: "sum" } as const;
  const fit =
    object === undefined ? fitLm(fixed, part, { contrasts }) : fitLmm(`${fixed} + (1 | object)`, part, { contrasts });
  const tests = fit.kind === "lm" ? type3Lm(fit) : type3Lmm(fit);
  const test = tests.find(({ term }) => term.includes(":"))!;
  const means = marginalMeans(fit, { by: ["parameter"], within: ["property"], confidence, data: part });
  return {
    parameter,
    property: by,
    f: test.statistic,
    df1: test.df1,
    df2: test.df2,
    p: test.p,
    means: means.means.map((own) => ({
      [by]: String(own.levels["property"]),
      [parameter]: String(own.levels["parameter"]),
      ...pick(own),
    })),
    contrasts: means.contrasts.map((own) => ({
      contrast: own.contrast,
      [by]: String(own.within?.["property"]),
      ...pick(own),
      statistic: own.statistic,
      p: own.p,
    })),
  };
}

const pick = ({ estimate, se, df, lower, upper }: MarginalMean | MarginalContrast) => ({
  estimate,
  se,
  df,
  lower,
  upper,
});

type Fields = Omit<ImportanceResult, "kind" | "display" | "toString" | "toJSON">;

function displayImportance(fields: Fields): Display {
  const { score, components, interactions, nobs, parameters, confidence } = fields;
  const settings = components.filter(({ term }) => term !== "residual" && term !== fields.object);
  return {
    title: `Importance of ${parameters.length === 1 ? parameters[0] : `${parameters.length} settings`} for ${score}`,
    summary: [
      `${nobs} scores${fields.balanced ? ", a complete grid" : ""}.`,
      ...(settings.length < 2 ? [] : [tellLargest(settings)]),
      ...searchLines(fields),
    ],
    tables: [
      componentTable(components, confidence),
      ...levelTables(fields),
      ...budgetTables(fields),
      ...interactions.flatMap(interactionTables),
    ],
    notes: fields.intervals === "none" ? [] : [`Intervals: ${fields.intervals}, ${fields.replicates} draws.`],
  };
}

/** What is printed as 0.0%. */
const NO_SHARE = 0.05;

/** "Matters" is earned by the interval of the share, "most" by one that lies above all others'. */
function tellLargest(settings: readonly VarianceShare[]): string {
  const most = settings.reduce((a, b) => (b.percent > a.percent ? b : a));
  const known = !Number.isNaN(most.percentLower);
  const ends = known ? ` (${most.percentLower.toFixed(1)} to ${most.percentUpper.toFixed(1)})` : "";
  const share = `${most.percent.toFixed(1)}% of the variance${ends}`;
  if (most.percent < NO_SHARE)
    return "No setting is shown to matter: all their proportions of the variance are estimated as 0.";
  if (!known) return `By the estimates ${most.term} matters most: ${share}.`;
  if (most.percentLower < NO_SHARE)
    return `No setting is shown to matter: ${most.term} has the largest share, ${share}.`;
  return settings.every((own) => own === most || own.percentUpper < most.percentLower)
    ? `${most.term} matters most: ${share}.`
    : `${most.term} has the largest share, ${share}; the data do not show whether it matters most.`;
}

/** The best score, what was tried to get it, and how far it would come back, in one place. */
function searchLines({ search, phi }: Fields): string[] {
  if (search === undefined) return [];
  const values = Object.entries(search.configuration).map(([name, level]) => `${name} ${level}`);
  const shown = values.length > MOST_NAMED ? "" : ` (${values.join(", ")})`;
  const direction = search.minimise ? "lowest" : "highest";
  const likely = search.expected.filter(({ budget }) => budget > 1 && budget < search.configurations);
  const told = likely.map(({ budget, mean }) => `${formatNumber(mean)} of ${budget}`).join(", ");
  return [
    `Best (${direction}) of ${search.configurations} configurations: ${formatNumber(search.best)}${shown}.${told === "" ? "" : ` Expected best of fewer trials: ${told}.`}`,
    ...(phi === undefined || Number.isNaN(phi.value)
      ? []
      : [
          `φ of one score over these settings: ${phi.value.toFixed(3)}, ${kooLiVerdict(phi.value, phi.lower, phi.upper)}.`,
        ]),
  ];
}

const MOST_NAMED = 8;
/** More values than this are in JSON. */
const MOST_LEVELS = 30;

function levelTables({ levels }: Fields): DisplayTable[] {
  if (levels.length === 0 || levels.length > MOST_LEVELS) return [];
  return [
    {
      caption: "Scores of the configurations by value",
      head: ["setting", "value", "configurations", "mean", "SD", "best"],
      formats: ["text", "text", "integer", "number", "number", "number"],
      rows: levels.map((own, i) => [
        levels[i - 1]?.parameter === own.parameter ? "" : own.parameter,
        own.level,
        own.n,
        own.mean,
        own.sd,
        own.best,
      ]),
    },
  ];
}

function budgetTables({ budgets }: Fields): DisplayTable[] {
  if (budgets.length === 0) return [];
  const terms = budgets[0]!.components.map(({ term }) => term);
  const share = (own: BudgetImportance, term: string): number =>
    (own.components.find((found) => found.term === term)?.percent ?? Number.NaN) / 100;
  return [
    {
      caption: "Proportions of the variance by budget",
      head: ["budget", "scores", ...terms, "best"],
      formats: ["text", "integer", ...terms.map(() => "percent" as const), "number"],
      rows: budgets.map((own) => [own.budget, own.nobs, ...terms.map((term) => share(own, term)), own.best]),
    },
  ];
}

function interactionTables({ parameter, property, f, df1, df2, p, means }: PropertyInteraction) {
  return [
    {
      caption: `${parameter} within ${property}: interaction F(${df1}, ${df2.toFixed(0)}) = ${f.toFixed(2)}, ${p < 1e-4 ? "p < 0.0001" : `p = ${p.toFixed(4)}`}`,
      head: [property, parameter, "mean", "SE", "from", "to"],
      rows: means.map((own) => [property, parameter, "estimate", "se", "lower", "upper"].map((name) => own[name]!)),
    },
  ];
}

function importanceJson(result: FieldsOf<ImportanceResult>): Published<ImportanceJson> {
  const { signature: _, diagnostics: __, components, phi, intervals, confidence, replicates, ...own } = result;
  return {
    ...own,
    ...(phi === undefined ? {} : { phi: phi.value, phiCi: { lower: phi.lower, upper: phi.upper } }),
    components: components.map(componentJson),
    ci: { level: confidence, method: intervals, replicates },
  };
}
