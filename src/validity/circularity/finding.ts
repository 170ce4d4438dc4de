/** The circularity test of one column: candidates, search, refinement, rule, nullification and the verdict. */
import { isMissing, type Table, takeCells } from "../../data/table.ts";
import type { GamMethod } from "../../models/gam/problem.ts";
import type { Rng } from "../../numeric/rng.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { Runner } from "../../run/task.ts";
import {
  type CircularityFamily,
  countDistinct,
  FEWEST_ROWS,
  type Feature,
  type Label,
  type LeftOut,
  readCircularityData,
} from "./data.ts";
import { type Nullification, testNullification } from "./nullification.ts";
import {
  type Choice,
  chooseModel,
  type SearchContext,
  type SearchedModel,
  searchPairs,
  searchSets,
} from "./powerset.ts";
import type { ModelFeature, ModelFrame, SplineBasis } from "./powerset-model.ts";
import { type RefinedModel, refineModel } from "./refine.ts";
import { findStepRule, type StepRule } from "./step-rule.ts";

export type CircularityVerdict = "circular" | "partially circular" | "not circular";

/** D² beyond which interactions are not looked for. */
const ENOUGH = 0.98;
/** D² from which nothing worth naming is left, whatever the other shapes look like. */
const COMPLETE = 0.98;
/** D² from which a set with everything else nullified is partly circular. */
const PARTIAL = 0.75;
/** Rows of a search: linear models are cheap, logistic ones, which iterate most where the label is separated, are not. */
const MOST_ROWS: Readonly<Record<CircularityFamily, number>> = { gaussian: 200_000, binomial: 5000 };
/** Rows that a spline function needs in the search, times the candidates. */
const ROWS_PER_FUNCTION = 10;
/** Largest set whose rule is looked for as thresholds. */
const MOST_RULE_FEATURES = 4;
/** Others to look at where the candidates are all in the set. */
const EXTRA_OTHERS = 4;

interface FindingRequest {
  readonly label: string;
  readonly role: "annotation" | "predictions";
  readonly notFeatures: readonly string[];
  readonly candidates: number;
  readonly k: number;
  readonly knots: Readonly<Record<string, number>>;
  readonly closeness: number;
  readonly confidence: number;
  readonly features: readonly string[] | undefined;
  readonly family: CircularityFamily | undefined;
  readonly method: GamMethod;
  readonly basis: SplineBasis;
  readonly runner: Runner;
  readonly rng: Rng;
  readonly onProgress: ((stage: string, done: number, total: number) => void) | undefined;
}

export interface NamedModel {
  readonly features: readonly string[];
  /** Pairs that enter as a tensor product. */
  readonly interactions: readonly (readonly [string, string])[];
  readonly d2: number;
  readonly adjusted: number;
  readonly edf: number;
  /** edf, and one for the scale of a Gaussian label, as R counts the parameters of a likelihood. */
  readonly complexity: number;
  readonly converged: boolean;
}

export interface CircularityFinding {
  readonly label: string;
  readonly role: "annotation" | "predictions";
  readonly family: CircularityFamily;
  readonly verdict: CircularityVerdict;
  readonly reason: string;
  readonly nobs: number;
  /** Rows that the models were fitted to, where not all. */
  readonly searchedRows: number;
  /** All features by falling correlation with the label. */
  readonly ranking: readonly { readonly feature: string; readonly correlation: number; readonly association: number }[];
  readonly leftOut: readonly LeftOut[];
  readonly candidates: readonly string[];
  readonly search: "powerset" | "best-first";
  /** By falling D². */
  readonly models: readonly NamedModel[];
  readonly tolerance: number;
  readonly chosen: NamedModel;
  readonly equivalents: readonly (readonly string[])[];
  /** The chosen set with more knots. */
  readonly refined: RefinedModel;
  /** The larger of the refined D² (corrected for edf) and, where it can be put in words, the rule's on held-out rows. */
  readonly explained: number;
  /** Which of them: the model of the search, the one with more knots, or the rule (whose share is one of variance). */
  readonly explainedBy: "curves" | "finer curves" | "rule";
  readonly rule?: StepRule;
  /** Absent where there is no other feature. */
  readonly nullification?: Nullification;
  /** Features that are the label itself. */
  readonly copies: readonly string[];
}

interface MadeFinding {
  readonly finding: CircularityFinding;
  readonly diagnostics: readonly Diagnostic[];
}

export async function findCircularity(table: Table, request: FindingRequest): Promise<MadeFinding> {
  const data = readCircularityData(table, request);
  const diagnostics: Diagnostic[] = [...data.diagnostics];
  const family = chooseFamily(data.label, request.family);
  const wanted = request.features === undefined ? pickCandidates(data.features, request.candidates) : data.features;
  const extra = data.features
    .filter((feature) => !wanted.includes(feature) && isComplete(feature, data.label))
    .slice(0, EXTRA_OTHERS);
  const whole = makeFrame(data.label, [...wanted, ...extra], { ...request, family, candidates: wanted.length });
  diagnostics.push(...whole.diagnostics);
  const all = thinFrame(whole.frame, MOST_ROWS[family]);
  const usable = wanted.filter(({ name }) => all.features.some((feature) => feature.name === name)).length;
  const frame = { ...all, features: all.features.slice(0, usable) };
  const context: SearchContext = {
    frame,
    runner: request.runner,
    rng: request.rng,
    onModels: (done, total) => request.onProgress?.(`Models of ${request.label}`, done, total),
  };
  const { kind, models: additive } = await searchSets(context);
  const simple = chooseModel(additive);
  if (simple === undefined) throw noModel(request.label, additive);
  const pairs = await searchPairs(context, { choice: simple, enough: ENOUGH, close: request.closeness });
  const models = [...additive, ...pairs];
  const choice = chooseModel(models)!;
  request.onProgress?.(`Rule of ${request.label}`, 0, 0);
  const refined = await refineModel(context, { chosen: choice.chosen, given: request.knots, enough: ENOUGH });
  const set = choice.chosen.set.map((j) => whole.frame.features[j]!);
  const rule = set.length > MOST_RULE_FEATURES ? undefined : findStepRule(request.label, whole.frame.y, set);
  // a table of many cells is no rule: it may stand in for features that are not there
  const ruled = rule === undefined || rule.form === "cells" ? Number.NEGATIVE_INFINITY : rule.heldOut;
  const explained = Math.max(refined.adjusted, ruled);
  const explainedBy = ruled > refined.adjusted ? "rule" : refined.finer ? "finer curves" : "curves";
  const nullification = await nullify({ all, wanted: usable, choice, refined, request });
  if (typeof nullification === "string") {
    diagnostics.push(warning("NoNullification", `the other features could not be tested: ${nullification}`, ""));
  }
  const tested = typeof nullification === "string" ? undefined : nullification;
  if (all.y.length < whole.frame.y.length) diagnostics.push(sampledNote(all.y.length, whole.frame.y.length));
  diagnostics.push(...searchNotes(additive, kind));
  const copies = data.features.filter((feature) => isCopy(feature, data.label)).map(({ name }) => name);
  const named = (model: SearchedModel): NamedModel => nameModel(frame, model);
  const judged = judge({ explained, nullification: tested, closeness: request.closeness });
  return {
    diagnostics,
    finding: {
      label: request.label,
      role: request.role,
      family,
      ...judged,
      nobs: whole.frame.y.length,
      searchedRows: all.y.length,
      ranking: data.features.map(({ name, correlation, association }) => ({ feature: name, correlation, association })),
      leftOut: data.leftOut,
      candidates: frame.features.map(({ name }) => name),
      search: kind,
      models: models.map(named).sort((a, b) => b.d2 - a.d2 || a.edf - b.edf),
      tolerance: choice.tolerance,
      chosen: named(choice.chosen),
      equivalents: choice.equivalents.map(({ set: other }) => other.map((j) => frame.features[j]!.name)),
      refined,
      explained,
      explainedBy,
      ...(rule === undefined ? {} : { rule }),
      ...(tested === undefined ? {} : { nullification: tested }),
      copies,
    },
  };
}

/** So that looking at one more feature costs no row. */
function isComplete({ column }: Feature, { values }: Label): boolean {
  return values.every((value, i) => Number.isNaN(value) || !isMissing(column, i));
}

function chooseFamily({ name, values }: Label, asked: CircularityFamily | undefined): CircularityFamily {
  const distinct = countDistinct({ kind: "numeric", values });
  if (asked !== "binomial") return asked ?? (distinct === 2 ? "binomial" : "gaussian");
  if (distinct === 2) return "binomial";
  const few = [...new Set(values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const shown = few.length <= 6 ? ` (${few.join(", ")})` : "";
  throw new StatError(
    "LabelOutsideFamily",
    `the binomial family needs a label of two values; ${name} has ${few.length}${shown}.`,
    `use \`family: gaussian\`, or make two of them: \`mutateTable: "positive = ${name} > ${few[0]}"\` \`label: positive\`.`,
  );
}

/** The first by correlation; the two with the strongest curved relation are always among them. */
function pickCandidates(features: readonly Feature[], count: number): Feature[] {
  const picked = features.slice(0, count);
  const curved = [...features].sort((a, b) => b.association - a.association).slice(0, Math.min(2, count));
  const missing = curved.filter((feature) => !picked.includes(feature));
  const spare = picked.filter((feature) => !curved.includes(feature)).slice(-missing.length);
  const kept = missing.length === 0 ? picked : picked.filter((feature) => !spare.includes(feature));
  return [...kept, ...missing].sort((a, b) => features.indexOf(a) - features.indexOf(b));
}

interface FrameRequest {
  readonly family: CircularityFamily;
  readonly method: GamMethod;
  readonly basis: SplineBasis;
  readonly k: number;
  readonly knots: Readonly<Record<string, number>>;
  readonly candidates: number;
  readonly features: readonly string[] | undefined;
}

function makeFrame(
  label: Label,
  features: readonly Feature[],
  request: FrameRequest,
): { frame: ModelFrame; diagnostics: Diagnostic[] } {
  const { family, method, basis, k, knots } = request;
  for (const name of Object.keys(knots)) {
    if (features.some((feature) => feature.name === name)) continue;
    throw new StatError("UnknownFeature", `knots are given for ${name}, which is no candidate.`, "check its name.");
  }
  const rows = Int32Array.from(label.values.keys()).filter(
    (i) => !Number.isNaN(label.values[i]!) && features.every(({ column }) => !isMissing(column, i)),
  );
  if (rows.length < FEWEST_ROWS) {
    const message = `only ${rows.length} rows have the label and all candidates; curves need ${FEWEST_ROWS} or more.`;
    throw new StatError("TooFewRows", message, "name fewer features, without those that are often missing.");
  }
  const values = Float64Array.from(rows, (i) => label.values[i]!);
  const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const y = family === "binomial" ? values.map((value) => (value > low ? 1 : 0)) : values;
  const affordable = Math.max(3, Math.floor(rows.length / (ROWS_PER_FUNCTION * request.candidates)));
  const own = features.map(({ name, column }): ModelFeature => {
    const cells = takeCells(column, rows);
    return { name, column: cells, distinct: countDistinct(cells), k: knots[name] ?? Math.min(k, affordable) };
  });
  const usable = own.filter(({ distinct }) => distinct > 1);
  const diagnostics = usable.length === own.length ? [] : [constantNote(own.filter(({ distinct }) => distinct === 1))];
  if (rows.length < label.values.length) diagnostics.push(droppedNote(rows.length, label.values.length));
  if (affordable < k) {
    const message = `splines have ${affordable} functions rather than ${k}: there are only ${rows.length} rows.`;
    diagnostics.push(
      note("FewerKnots", message, "a rule with sharp steps may be missed; more rows or fewer candidates help."),
    );
  }
  return { frame: { y, features: usable, family, method, basis }, diagnostics };
}

const constantNote = (some: readonly ModelFeature[]): Diagnostic =>
  note("ConstantInRows", `${some.map(({ name }) => name).join(", ")} does not vary in the complete rows.`, "");

const droppedNote = (used: number, all: number): Diagnostic =>
  note("RowsDropped", `${all - used} of ${all} rows miss the label or a candidate and were left out.`, "");

const sampledNote = (used: number, all: number): Diagnostic =>
  note("RowsThinned", `models were fitted to ${used} of ${all} rows, evenly spread; the rule was sought in all.`, "");

function thinFrame(frame: ModelFrame, most: number): ModelFrame {
  const n = frame.y.length;
  if (n <= most) return frame;
  const rows = Int32Array.from({ length: most }, (_, r) => Math.floor((r * n) / most));
  return {
    ...frame,
    y: Float64Array.from(rows, (i) => frame.y[i]!),
    features: frame.features.map((feature) => {
      const cells = takeCells(feature.column, rows);
      return { ...feature, column: cells, distinct: countDistinct(cells) };
    }),
  };
}

interface NullifyInput {
  readonly all: ModelFrame;
  readonly wanted: number;
  readonly choice: Choice;
  readonly refined: RefinedModel;
  readonly request: FindingRequest;
}

/** The candidates outside the set, or the next features where there are none. */
async function nullify({
  all,
  wanted,
  choice,
  refined,
  request,
}: NullifyInput): Promise<Nullification | string | undefined> {
  const { set } = choice.chosen;
  const places = Array.from(all.features.keys()).filter((j) => all.features[j]!.distinct > 1 && !set.includes(j));
  const inside = places.filter((j) => j < wanted);
  const others = inside.length > 0 ? inside : places;
  if (others.length === 0) return undefined;
  request.onProgress?.(`Shapes of ${request.label}`, 0, 0);
  const { confidence, runner, rng } = request;
  return testNullification({ frame: all, set: refined.spec, others, confidence, runner, rng });
}

function nameModel({ features, family }: ModelFrame, { set, surfaces, ...score }: SearchedModel): NamedModel {
  const name = (j: number): string => features[j]!.name;
  return {
    features: set.map(name),
    interactions: surfaces.map(([a, b]): [string, string] => [name(a), name(b)]),
    d2: score.d2,
    adjusted: score.adjusted,
    edf: score.edf,
    complexity: score.edf + (family === "gaussian" ? 1 : 0),
    converged: score.converged,
  };
}

function isCopy({ column }: Feature, label: Label): boolean {
  return column.kind === "numeric" && column.values.every((value, i) => Object.is(value, label.values[i]));
}

function searchNotes(models: readonly SearchedModel[], kind: "powerset" | "best-first"): Diagnostic[] {
  const made: Diagnostic[] = [];
  const failed = models.filter(({ fault }) => fault !== undefined);
  if (failed.length > 0) {
    const message = `${failed.length} of ${models.length} models have no fit: ${failed[0]!.fault}`;
    made.push(warning("ModelsWithoutFit", message, "name fewer features, or lower k."));
  }
  if (kind === "best-first") {
    const message = "there are too many candidates for all their sets; the best sets of each size were followed.";
    made.push(note("BestFirst", message, "name at most 12 candidates to have every set tried."));
  }
  return made;
}

function noModel(label: string, models: readonly SearchedModel[]): StatError {
  const message = `no model of ${label} could be fitted: ${models[0]?.fault ?? "there is no candidate."}`;
  return new StatError("NoModel", message, "check the candidates for extreme values, or name fewer.");
}

interface Evidence {
  readonly explained: number;
  readonly nullification: Nullification | undefined;
  readonly closeness: number;
}

function judge({ explained, nullification, closeness }: Evidence): { verdict: CircularityVerdict; reason: string } {
  const left = nullification?.features.filter(({ state }) => state !== "nullified") ?? [];
  const kept = left.filter(({ state }) => state === "kept");
  const names = (some: typeof left): string => some.map(({ feature }) => feature).join(", ");
  if (explained >= Math.max(closeness, COMPLETE) || (explained >= closeness && left.length === 0)) {
    return {
      verdict: "circular",
      reason: "the set determines the label, and nothing is left for other features to say",
    };
  }
  if (explained >= closeness) {
    return kept.length === 0
      ? { verdict: "circular", reason: `the set explains nearly all of the label; little is left for ${names(left)}` }
      : {
          verdict: "partially circular",
          reason: `the set explains most of the label, but ${names(kept)} keep their part`,
        };
  }
  if (explained >= PARTIAL && nullification !== undefined && left.length === 0) {
    return {
      verdict: "partially circular",
      reason:
        "the set explains much of the label and leaves the others nothing to add: part of a rule, or a strong honest relation",
    };
  }
  return { verdict: "not circular", reason: "no set of candidates comes close to determining the label" };
}
