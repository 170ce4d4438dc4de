/** Marginal means and their contrasts as linear functions of the coefficients, before anything is estimated:
 *  grid rows (or slopes on the grid) → averages over the variables not asked for → contrasts within each level of `within`. */
import type { Table } from "../../data/table.ts";
import { expressionOf, variablesOf } from "../../formula/parse/algebra.ts";
import { columnsIn } from "../../formula/parse/parse.ts";
import { selectRows } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import { didYouMean } from "../../result/suggest.ts";
import { type ContrastMethod, type Contrasts, type CustomContrasts, makeContrasts } from "./contrasts.ts";
import { averageFunctions, type GridWeights } from "./grid-average.ts";
import { slopeFunctions } from "./grid-slopes.ts";
import {
  combineFunctions,
  type Estimability,
  estimability,
  estimateFunctions,
  type LinearFunctions,
} from "./linear-functions.ts";
import type { MarginalModel } from "./marginal-model.ts";
import { cellKey, withOuterFactors } from "./nested-factors.ts";
import { type At, makeReferenceGrid, type ReferenceGrid } from "./reference-grid.ts";

export interface MarginalOptions {
  /** The variables whose combinations of levels have a mean each. */
  readonly by: string | readonly string[];
  /** Variables within whose levels the contrasts are made, each combination a family of its own. */
  readonly within?: string | readonly string[] | undefined;
  readonly contrasts?: ContrastMethod | CustomContrasts | "none" | undefined;
  /** Of "treatment" contrasts: the mean that the others are compared with; default the first. */
  readonly reference?: string | undefined;
  /** Values of covariates, levels of factors; default: the mean, all levels. */
  readonly at?: At | undefined;
  readonly weights?: GridWeights | undefined;
  /** Slopes of this covariate instead of means. */
  readonly slopes?: string | undefined;
  /** Averages and differences of predicted responses (probabilities, counts) instead of the linear predictor. */
  readonly regrid?: boolean | undefined;
}

export type Levels = Readonly<Record<string, string>>;

/** The means that one set of contrasts compares. */
export interface MarginalGroup {
  readonly within: Levels;
  /** Indices of its means. */
  readonly means: readonly number[];
  readonly contrasts: Contrasts;
  readonly functions: LinearFunctions;
}

export interface MarginalFunctions {
  readonly grid: ReferenceGrid;
  readonly by: readonly string[];
  readonly within: readonly string[];
  /** The levels of each mean: `by` first and fastest, then `within`. */
  readonly levels: readonly Levels[];
  readonly names: readonly string[];
  readonly means: LinearFunctions;
  readonly groups: readonly MarginalGroup[];
  readonly isEstimable: Estimability;
}

/** All pairs of more means than this are a flood, not a comparison. */
const MOST_MEANS = 200;

export function makeMarginalFunctions(model: MarginalModel, options: MarginalOptions): MarginalFunctions {
  const { weights = "equal", contrasts = "pairwise" } = options;
  const grid = makeReferenceGrid(model, options.at);
  const wanted = resolveNames(model, grid, options.by);
  const asked = resolveNames(model, grid, options.within ?? []).filter((name) => !wanted.includes(name));
  const within = withOuterFactors(grid.nesting, asked, wanted);
  const by = withOuterFactors(grid.nesting, wanted, within);
  const isEstimable = estimability(model);
  const functions = gridFunctions(model, grid, { ...options, isEstimable });
  const { levels, ...means } = averageFunctions(model, grid, { names: [...by, ...within], weights, functions });
  const families = new Map<string, number[]>();
  levels.forEach((own, m) => {
    const key = cellKey(own, within);
    families.set(key, [...(families.get(key) ?? []), m]);
  });
  const groups = [...families.values()].map((members): MarginalGroup => {
    const labels = members.map((m) => contrastLabel(grid, by, levels[m]!));
    const made = contrasts === "none" ? makeContrasts([], {}) : contrastsOf(labels, contrasts, options.reference);
    return {
      within: pick(levels[members[0]!]!, within),
      means: members,
      contrasts: made,
      functions: combineFunctions(made.weights, takeFunctions(means, members)),
    };
  });
  const names = levels.map((own) => [...by, ...within].map((name) => own[name]).join(" ") || "overall");
  return { grid, by, within, levels, names, means, groups, isEstimable };
}

function contrastsOf(
  labels: readonly string[],
  method: ContrastMethod | CustomContrasts,
  reference: string | undefined,
): Contrasts {
  if (labels.length > MOST_MEANS && (method === "pairwise" || method === "revpairwise")) {
    throw new StatError(
      "TooManyContrasts",
      `${labels.length} means have ${(labels.length * (labels.length - 1)) / 2} pairs.`,
      'ask for contrasts "treatment" or "none", or use within.',
    );
  }
  return makeContrasts(labels, method, reference === undefined ? {} : { reference });
}

function gridFunctions(
  model: MarginalModel,
  grid: ReferenceGrid,
  options: MarginalOptions & { readonly isEstimable: Estimability },
): LinearFunctions {
  if (options.slopes === undefined) {
    return options.regrid ? onResponseScale(model, grid, options.isEstimable) : grid.functions;
  }
  if (options.regrid) {
    throw new StatError("BadOption", "slopes are on the scale of the linear predictor.", "Leave regrid out.");
  }
  return slopeFunctions(model, grid, options.slopes);
}

/** g⁻¹(x'β) by its first-order expansion at the estimate: value g⁻¹(η̂), gradient (dμ/dη) x. */
function onResponseScale(
  model: MarginalModel,
  { functions }: ReferenceGrid,
  isEstimable: Estimability,
): LinearFunctions {
  const { L, constant, offset } = functions;
  const eta = estimateFunctions(model, functions, isEstimable).map(({ estimate }) => estimate);
  const slope = eta.map((e) => (Number.isFinite(e) ? model.scale.slope(e) : Number.NaN));
  return {
    L: { ...L, data: L.data.map((v, k) => v * slope[k % L.rows]!) },
    constant: constant.map((c, i) => c * slope[i]!),
    offset: offset.map((o, i) => model.scale.mu(eta[i]!) - slope[i]! * (eta[i]! - o)),
  };
}

/** Columns of the grid by name; a variable such as factor(x) stands for its column. */
function resolveNames(
  { design }: MarginalModel,
  { variables }: ReferenceGrid,
  names: string | readonly string[],
): string[] {
  const known = variables.map((v) => v.name);
  const resolved = [names].flat().map((name) => {
    if (known.includes(name)) return name;
    const variable = design.schema.formula.fixed.flatMap(variablesOf).find(({ label }) => label === name);
    const columns = variable === undefined ? [] : columnsIn(expressionOf(variable));
    if (columns.length === 1) return columns[0]!;
    throw new StatError(
      "UnknownColumn",
      `the fixed effects do not use "${name}" (they use ${known.join(", ") || "no column"}).`,
      didYouMean(name, known) || "name a variable of the formula, or add it to the formula.",
    );
  });
  return [...new Set(resolved)];
}

/** "A", "A long"; levels that are numbers carry their variable's name: "length10". */
function contrastLabel({ variables }: ReferenceGrid, by: readonly string[], own: Levels): string {
  const parts = by.map((name) => {
    const { levels } = variables.find((v) => v.name === name)!;
    const numeric = levels.every((level) => level.trim() !== "" && Number.isFinite(Number(level)));
    return numeric ? `${name}${own[name]}` : own[name]!;
  });
  return parts.join(" ") || "overall";
}

const pick = (levels: Levels, names: readonly string[]): Levels =>
  Object.fromEntries(names.map((name) => [name, levels[name]!]));

function takeFunctions({ L, constant, offset }: LinearFunctions, rows: readonly number[]): LinearFunctions {
  const take = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
  return { L: selectRows(L, rows), constant: take(constant), offset: take(offset) };
}

/** The request as a signature keeps it: maps as objects, and no table, which is in the fingerprint. */
export function signatureOptions(
  { signature }: MarginalModel,
  { data: _data, ...options }: MarginalOptions & { readonly data?: Table | undefined },
): object {
  const plain = Object.entries(options).map(([key, value]) => [key, value instanceof Map ? fromMap(value) : value]);
  return { model: signature.method, ...signature.options, means: Object.fromEntries(plain) };
}

const fromMap = (map: ReadonlyMap<string, unknown>): object => Object.fromEntries(map);
