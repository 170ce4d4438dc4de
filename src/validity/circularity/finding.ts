/** The circularity test of one column: candidates, search, refinement, rule, nullification and the verdict. */

import type { Table } from "../../data/table.ts";
import type { GamMethod } from "../../models/gam/problem.ts";
import type { Rng } from "../../numeric/rng.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { Runner } from "../../run/task.ts";
import {
  type CircularityData,
  type CircularityFamily,
  type Feature,
  type Label,
  type LeftOut,
  readCircularityData,
} from "./data.ts";
import type { FoundRule, RuleKind } from "./found-rule.ts";
import {
  chooseFamily,
  isComplete,
  makeFrame,
  mostRows,
  pickCandidates,
  ROWS_PER_FUNCTION,
  thinFrame,
} from "./frame.ts";
import { type Nullification, testNullification } from "./nullification.ts";
import {
  type Choice,
  chooseModel,
  MOST_FOR_POWERSET,
  type PairSearch,
  type Search,
  type SearchContext,
  type SearchedModel,
  scoreSpecs,
  searchPairs,
  searchSets,
} from "./powerset.ts";
import { heldOutCurves, type ModelFrame, type SplineBasis } from "./powerset-model.ts";
import { type RefinedModel, refineModel } from "./refine.ts";
import { chooseRule, type Reproduction } from "./reproduction.ts";
import { findRules, type RuleSearch } from "./rules.ts";
import type { StepRule } from "./step-rule.ts";
import { type CircularityVerdict, judgeCircularity } from "./verdict.ts";

/** D² beyond which interactions are not looked for. */
const ENOUGH = 0.98;
/** Others to look at where the candidates are all in the set. */
const EXTRA_OTHERS = 4;
/** D², corrected for edf, from which curves are asked whether they reproduce the label. */
const LEAST_FOR_CURVES = 0.995;

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
  readonly basis: SplineBasis | undefined;
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

export interface FullModel {
  readonly features: number;
  /** Of how many. */
  readonly of: number;
  readonly d2: number;
  /** Corrected for edf. */
  readonly adjusted: number;
}

export interface Tried {
  /** Features that rules were sought in and that the full model holds. */
  readonly features: number;
  readonly candidates: number;
  readonly sets: number;
  readonly interactions: number;
  readonly rules: readonly RuleKind[];
}

export interface NotTried {
  /** Features that are no candidates of the search by sets. */
  readonly candidates: readonly string[];
  /** Features in neither the search nor the rules, because values are missing. */
  readonly features: readonly string[];
  /** Sets of candidates without a model of their own. */
  readonly sets: number;
  /** Pairs of candidates without a tensor product. */
  readonly interactions: number;
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
  /** Additive curves of all features at once, with few functions each. */
  readonly full: FullModel;
  /** What the verdict rests on: the rule that gives most rows. Absent where none was found. */
  readonly reproduction?: Reproduction;
  readonly tried: Tried;
  readonly notTried: NotTried;
  /** All features by falling correlation with the label. */
  readonly ranking: readonly { readonly feature: string; readonly correlation: number; readonly association: number }[];
  readonly leftOut: readonly LeftOut[];
  readonly candidates: readonly string[];
  readonly search: Search["kind"];
  /** By falling D². */
  readonly models: readonly NamedModel[];
  readonly tolerance: number;
  readonly chosen: NamedModel;
  /** A rule that needs another set than the models choose has the say. */
  readonly chosenBy: "search" | "rule";
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
  const prepared = prepareFrames(data, request);
  const { whole, all, frame } = prepared;
  const context: SearchContext = {
    frame,
    runner: request.runner,
    rng: request.rng,
    onModels: (done, total) => request.onProgress?.(`Models of ${request.label}`, done, total),
  };
  const wide = { ...context, frame: all };
  const full = await fitFull(wide);
  const searched = await searchModels(context, request);
  request.onProgress?.(`Rule of ${request.label}`, 0, 0);
  const names = (set: readonly number[]): string[] => set.map((j) => all.features[j]!.name);
  const sets = [names(searched.choice.chosen.set)];
  const search = findRules(request.label, whole.y, { features: whole.features, sets });
  const ruled = chooseRule(search.rules, search.scale);
  const { choice, models, chosenBy } = await followRule(wide, { searched, ruled });
  const refined = await refineModel(wide, { chosen: choice.chosen, given: request.knots, enough: ENOUGH });
  const set = names(choice.chosen.set);
  const reproduction = bestOf(ruled?.reproduction, () => curveOf(all, { search, refined, set }));
  const tested = await nullify({ all, wanted: frame.features.length, choice, refined, request });
  const nullification = typeof tested === "string" ? undefined : tested;
  const steps = stepsOf(search, set, ruled?.rule);
  const explanation = explainedBy(refined, steps);
  const evidence = { ...explanation, full, set, ...defined({ reproduction, nullification }) };
  const { role, closeness } = request;
  const { tried, notTried } = whatWasTried(data, { prepared, searched, search });
  const named = (model: SearchedModel): NamedModel => nameModel(all, model);
  return {
    diagnostics: [
      ...data.diagnostics,
      ...prepared.diagnostics,
      ...(typeof tested === "string" ? [noNullification(tested)] : []),
      ...searchNotes(searched.additive, notTried),
    ],
    finding: {
      label: request.label,
      role,
      family: all.family,
      ...judgeCircularity({ role, closeness, rows: whole.y.length, ...evidence }),
      nobs: whole.y.length,
      searchedRows: all.y.length,
      full,
      ...defined({ reproduction }),
      tried,
      notTried,
      ranking: data.features.map(({ name, correlation, association }) => ({ feature: name, correlation, association })),
      leftOut: data.leftOut,
      candidates: frame.features.map(({ name }) => name),
      search: searched.kind,
      models: models.map(named).sort((u, v) => v.d2 - u.d2 || u.edf - v.edf),
      tolerance: choice.tolerance,
      chosen: named(choice.chosen),
      chosenBy,
      equivalents: choice.equivalents.map((other) => names(other.set)),
      refined,
      ...explanation,
      ...defined({ rule: steps, nullification }),
      copies: data.features.filter((feature) => isCopy(feature, data.label)).map(({ name }) => name),
    },
  };
}

/** Without the fields that are not there. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

const bestOf = (rule: Reproduction | undefined, curve: () => Reproduction | undefined): Reproduction | undefined =>
  rule?.extent === "whole" ? rule : (curve() ?? rule);

interface Prepared {
  /** All rows that have everything, and all features. */
  readonly whole: ModelFrame;
  /** The rows of the search. */
  readonly all: ModelFrame;
  /** The candidates only, which stand first in the others. */
  readonly frame: ModelFrame;
  readonly candidates: readonly Feature[];
  readonly extra: readonly Feature[];
  readonly diagnostics: readonly Diagnostic[];
}

function prepareFrames(data: CircularityData, request: FindingRequest): Prepared {
  const { label, features } = data;
  const family = chooseFamily(label, request.family);
  const candidates = request.features === undefined ? pickCandidates(features, request.candidates) : features;
  const extra = features.filter((feature) => !candidates.includes(feature) && isComplete(feature, label));
  const basis = request.basis ?? (candidates.length <= MOST_FOR_POWERSET[family] ? "tp" : "cr");
  const given = { ...request, family, basis, candidates: candidates.length };
  const { frame: whole, diagnostics } = makeFrame(label, [...candidates, ...extra], given);
  const usable = candidates.filter(({ name }) => whole.features.some((feature) => feature.name === name)).length;
  const all = thinFrame(whole, mostRows(whole, usable));
  const thinned = all.y.length < whole.y.length ? [sampledNote(all.y.length, whole.y.length)] : [];
  const frame = { ...all, features: all.features.slice(0, usable) };
  return { whole, all, frame, candidates, extra, diagnostics: [...diagnostics, ...thinned] };
}

interface Searched {
  readonly kind: Search["kind"];
  readonly additive: readonly SearchedModel[];
  readonly pairs: PairSearch;
  readonly choice: Choice;
}

async function searchModels(context: SearchContext, request: FindingRequest): Promise<Searched> {
  const { kind, models: additive } = await searchSets(context);
  const simple = chooseModel(additive);
  if (simple === undefined) throw noModel(request.label, additive);
  const pairs = await searchPairs(context, { choice: simple, enough: ENOUGH, close: request.closeness });
  return { kind, additive, pairs, choice: chooseModel([...additive, ...pairs.models])! };
}

interface TriedInput {
  readonly prepared: Prepared;
  readonly searched: Searched;
  readonly search: RuleSearch;
}

function whatWasTried(
  { features }: CircularityData,
  { prepared, searched, search }: TriedInput,
): Pick<CircularityFinding, "tried" | "notTried"> {
  const { whole, frame, candidates, extra } = prepared;
  const { additive, pairs } = searched;
  const sets = new Set(additive.map(({ set }) => String(set))).size;
  const nowhere = features.filter((feature) => !candidates.includes(feature) && !extra.includes(feature));
  return {
    tried: {
      features: whole.features.length,
      candidates: frame.features.length,
      sets,
      interactions: pairs.fitted,
      rules: [...new Set(search.sought)],
    },
    notTried: {
      candidates: extra.map(({ name }) => name),
      features: nowhere.map(({ name }) => name),
      sets: 2 ** frame.features.length - 1 - sets,
      interactions: pairs.pairs - pairs.fitted,
    },
  };
}

/** Functions per feature, and rows, of the model of everything. */
const FULL_K = 5;
/** Its time grows with the rows, the square of the features and, in a logistic model, the smoothing parameters: seconds at most. */
const FULL_ROWS: Readonly<Record<CircularityFamily, number>> = { gaussian: 3000, binomial: 1000 };
const MOST_FULL: Readonly<Record<CircularityFamily, number>> = { gaussian: 100, binomial: 24 };

async function fitFull(context: SearchContext): Promise<FullModel> {
  const frame = thinFrame(context.frame, FULL_ROWS[context.frame.family]);
  const places = Array.from(frame.features.keys())
    .filter((j) => frame.features[j]!.distinct > 1)
    .slice(0, MOST_FULL[frame.family]);
  const affordable = Math.floor(frame.y.length / (ROWS_PER_FUNCTION * places.length));
  const k = new Map(places.map((j) => [j, Math.max(3, Math.min(FULL_K, affordable))] as const));
  const [score] = await scoreSpecs({ ...context, frame: { ...frame, basis: "cr" } }, [{ main: places, k }]);
  return { features: places.length, of: frame.features.length, d2: score!.d2, adjusted: score!.adjusted };
}

interface Followed extends Pick<CircularityFinding, "chosenBy"> {
  readonly choice: Choice;
  readonly models: readonly SearchedModel[];
}

/** The set is the rule's where a rule gives the label, in whole or in part, whatever the curves would choose. */
async function followRule(
  context: SearchContext,
  { searched, ruled }: { readonly searched: Searched; readonly ruled: ReturnType<typeof chooseRule> },
): Promise<Followed> {
  const { choice } = searched;
  const models = [...searched.additive, ...searched.pairs.models];
  const asFound: Followed = { choice, models, chosenBy: "search" };
  if (ruled === undefined || ruled.reproduction.extent === "none") return asFound;
  const places = context.frame.features.map(({ name }) => name);
  const set = ruled.rule.features.map((name) => places.indexOf(name)).sort((u, v) => u - v);
  const same = (model: SearchedModel): boolean => String(model.set) === String(set);
  if (same(choice.chosen)) return asFound;
  const byRule = (chosen: SearchedModel): Choice => ({ ...choice, chosen, equivalents: [] });
  const known = models.filter(same).sort((u, v) => v.adjusted - u.adjusted)[0];
  if (known !== undefined) return { choice: byRule(known), models, chosenBy: "rule" };
  const [score] = await scoreSpecs(context, [{ main: set }]);
  if (Number.isNaN(score!.adjusted)) return asFound;
  const chosen = { set, surfaces: [], ...score! };
  return { choice: byRule(chosen), models: [...models, chosen], chosenBy: "rule" };
}

/** The thresholds to show: those of the rule that was chosen, else those on the chosen set. */
function stepsOf({ rules }: RuleSearch, set: readonly string[], chosen: FoundRule | undefined): StepRule | undefined {
  const withSteps = rules.filter(({ steps }) => steps !== undefined);
  const own =
    withSteps.find((rule) => rule === chosen) ??
    withSteps.find(({ features }) => features.every((name) => set.includes(name)));
  return own?.steps;
}

function explainedBy(
  refined: RefinedModel,
  rule: StepRule | undefined,
): Pick<CircularityFinding, "explained" | "explainedBy"> {
  // a table of many cells is no rule: it may stand in for features that are not there
  const ruled = rule === undefined || rule.form === "cells" ? Number.NEGATIVE_INFINITY : rule.heldOut;
  return {
    explained: Math.max(refined.adjusted, ruled),
    explainedBy: ruled > refined.adjusted ? "rule" : refined.finer ? "finer curves" : "curves",
  };
}

/** Curves that leave nothing of a label of many values, judged on rows that they were not fitted to. */
function curveOf(
  all: ModelFrame,
  {
    search,
    refined,
    set,
  }: { readonly search: RuleSearch; readonly refined: RefinedModel; readonly set: readonly string[] },
): Reproduction | undefined {
  if (search.scale.grades.length > 0 || refined.adjusted < LEAST_FOR_CURVES) return undefined;
  const heldOutD2 = heldOutCurves(all, refined.spec);
  const rule: FoundRule = {
    kind: "curve",
    features: set,
    words: [`The label is a sum of curves of ${set.join(" and ")}.`],
    share: Number.NaN,
    heldOutShare: Number.NaN,
    heldOutD2,
    scatter: Number.NaN,
    scatterBy: "rounding",
  };
  const { reproduction } = chooseRule([rule], search.scale)!;
  return reproduction.extent === "whole" ? reproduction : undefined;
}

const sampledNote = (used: number, all: number): Diagnostic =>
  note("RowsThinned", `models were fitted to ${used} of ${all} rows, evenly spread; the rule was sought in all.`, "");

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
  const others = inside.length > 0 ? inside : places.slice(0, EXTRA_OTHERS);
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

const noNullification = (fault: string): Diagnostic =>
  warning("NoNullification", `the other features could not be tested: ${fault}`, "");

function searchNotes(models: readonly SearchedModel[], notTried: NotTried): Diagnostic[] {
  const made: Diagnostic[] = [];
  const failed = models.filter(({ fault }) => fault !== undefined);
  if (failed.length > 0) {
    const message = `${failed.length} of ${models.length} models have no fit: ${failed[0]!.fault}`;
    made.push(warning("ModelsWithoutFit", message, "name fewer features, or lower k."));
  }
  const { candidates, features } = notTried;
  if (candidates.length > 0) {
    const message = `${candidates.length} features are in the full model and in the rules, but no candidates of the search by sets: ${listed(candidates)}.`;
    made.push(note("NotCandidates", message, "name the features that matter, or raise the number of candidates."));
  }
  if (features.length > 0) {
    const message = `${features.length} features were not tried at all, because values are missing: ${listed(features)}.`;
    made.push(warning("FeaturesNotTried", message, "name them to have them tried in the rows that have all values."));
  }
  return made;
}

const MOST_LISTED = 8;

const listed = (names: readonly string[]): string =>
  names.slice(0, MOST_LISTED).join(", ") + (names.length > MOST_LISTED ? ", …" : "");

function noModel(label: string, models: readonly SearchedModel[]): StatError {
  const message = `no model of ${label} could be fitted: ${models[0]?.fault ?? "there is no candidate."}`;
  return new StatError("NoModel", message, "check the candidates for extreme values, or name fewer.");
}
