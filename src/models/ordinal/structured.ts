/** Ordinal models with another structure than the cumulative one, or with effects on its thresholds (nominal) or its spread (scale).
 *    cumulative    P(Y ≤ j) = F((τ_j + wγ_j - xβ)/exp(zζ))          scaled.ts; SEs from the observed information, as ordinal (R)
 *    adjacent, continuation, stopping    η_j = α_j + wγ_j + xβ      ratios.ts; SEs from the expected information, as VGAM (R), or the observed one
 *  Signs are those of these packages: an effect of the cumulative, adjacent and continuation models moves ratings up where it is positive, one of the
 *  stopping model moves them down; `reverse` turns the last three round.
 *  Reference: Agresti (2010), Analysis of Ordinal Categorical Data, 4 and 5.4; Christensen (2018); Yee (2010), J. Stat. Softw. 32(10).
 *  Oracle:    VGAM, ordinal (R), oracle/next/ordinal-families.json — log-likelihood 1e-9, estimates and SEs 1e-6.
 *  Limits:    fixed effects only; nominal and scale effects take flexible thresholds; scale effects are the cumulative model's alone. */

import { fingerprint } from "../../data/fingerprint.ts";
import { selectColumns as columnsOf, selectRows as rowsOf, type Table } from "../../data/table.ts";
import { buildDesign, type Design, aliasedColumns as noteAliased } from "../../formula/design.ts";
import { parseFormula } from "../../formula/parse/parse.ts";
import type { SchemaOptions } from "../../formula/schema.ts";
import { SCHEMA_OPTIONS } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { type Matrix, selectColumns, selectRows, zeros } from "../../numeric/linalg/matrix.ts";
import { aliasedColumns, qr } from "../../numeric/linalg/qr.ts";
import { minimizeNewton, type NewtonMinimum } from "../../numeric/optim/newton.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { StatError } from "../../result/error.ts";
import { present } from "../../result/present.ts";
import { type Diagnostic, makeResult } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { type FieldsOf, informationCriteria, waldEstimates } from "../fit.ts";
import { notConverged } from "../glm/input-checks.ts";
import { invertInformation, separation, subMatrix } from "./clm.ts";
import { clmStart } from "./clm-solve.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import {
  frameDiagnostics,
  type OrdinalFrame,
  ordinalDesign,
  ordinalFrame,
  refuseOneCategory,
  type UsedCategories,
  usedCategories,
} from "./ordinal.ts";
import { makeRatioLikelihood, type OrdinalLikelihood, ratioStart } from "./ratios.ts";
import { makeScaledLikelihood } from "./scaled.ts";
import { displayStructured, type OrdinalStructure, type StructuredFit, structuredJson } from "./structured-fit.ts";
import { makeThresholds, type ThresholdKind } from "./thresholds.ts";

export interface StructuredOptions extends SchemaOptions {
  /** Default cumulative. */
  readonly structure?: OrdinalStructure | undefined;
  /** Of adjacent, continuation and stopping models: from the highest level down. */
  readonly reverse?: boolean | undefined;
  /** Default logit. */
  readonly link?: CumulativeLink | undefined;
  /** Default flexible. */
  readonly threshold?: ThresholdKind | undefined;
  /** Terms with an effect of their own on every threshold or step: "~ system". */
  readonly nominal?: string | undefined;
  /** Terms with an effect on the spread of the latent scale: "~ system". */
  readonly scale?: string | undefined;
  /** Behind the standard errors; default: observed for the cumulative structure, else expected. */
  readonly information?: "observed" | "expected" | undefined;
  readonly confidence?: number | undefined;
}

/** Parts of the model beside the location. */
interface Sides {
  readonly nominal: OrdinalFrame | undefined;
  readonly scale: OrdinalFrame | undefined;
}

const ORDINAL_OPTIONS = {
  ...SCHEMA_OPTIONS,
  ...{ structure: true, reverse: true, link: true, threshold: true, nominal: true, scale: true },
  ...{ information: true, confidence: true, maxMemory: true },
} as const satisfies Record<keyof StructuredOptions | "maxMemory", true>;

export function fitOrdinal(formula: string | Formula, given: Table, options: StructuredOptions = {}): StructuredFit {
  refuseUnknownNames("fitOrdinal", options, ORDINAL_OPTIONS);
  const { structure = "cumulative", link = "logit", threshold = "flexible" } = options;
  checkOptions(options);
  const table = completeRows(formula, given, options);
  const whole = { ...options, confidence: options.confidence ?? 0.95 };
  const { design, levels, diagnostics } = ordinalDesign("clm", formula, table, whole);
  const sides: Sides = {
    nominal: sideFrame("nominal", table, design, options),
    scale: sideFrame("scale", table, design, options),
  };
  const plain = ordinalFrame(design, levels);
  const { frame, notes } = withoutNominal(plain, sides.nominal);
  const used = usedCategories(frame, design.y);
  refuseOneCategory(frame, used);
  const thresholds = makeThresholds(threshold, used.levels);
  const { rows } = frame;
  const W = columnsFor(sides.nominal, rows.length);
  const Z = columnsFor(sides.scale, rows.length);
  const shared = { link, y: used.y, X: frame.X, W, weights: frame.weights, offset: frame.offset };
  const steps = used.levels.length - 1;
  const likelihood =
    structure === "cumulative"
      ? makeScaledLikelihood({ ...shared, A: thresholds.A, Z })
      : makeRatioLikelihood({ ...shared, structure, reverse: options.reverse === true, steps });
  const start = new Float64Array(likelihood.size);
  if (structure === "cumulative") start.set(clmStart(used.y, thresholds, link, likelihood.size));
  else start.set(ratioStart(used.y, steps, options));
  const found = solve(likelihood, start);
  const names = parameterNames({ structure, thresholds, used, sides });
  return makeFit({
    table: given,
    frame,
    used,
    sides,
    likelihood,
    found,
    names,
    options,
    diagnostics: [...diagnostics, ...notes],
  });
}

const solve = (likelihood: OrdinalLikelihood, start: Float64Array): NewtonMinimum =>
  minimizeNewton(
    {
      evaluate: (phi, gradient) => likelihood.evaluate(phi, gradient),
      hessianInto: (H, phi) => likelihood.informationInto(H, phi, false),
    },
    start,
  );

function checkOptions({
  structure = "cumulative",
  link = "logit",
  threshold = "flexible",
  ...more
}: StructuredOptions): void {
  const refuse = (found: string, fix: string): StatError => new StatError("UnsupportedModel", found, fix);
  const cumulative = structure === "cumulative";
  if (!["cumulative", "adjacent", "continuation", "stopping"].includes(structure)) {
    throw refuse(`structure = ${structure}.`, "choose cumulative, adjacent, continuation or stopping.");
  }
  if (structure === "adjacent" && link !== "logit") {
    throw refuse(`the adjacent structure has no ${link} link.`, "leave `link` out: its link is the logit.");
  }
  if (!cumulative && more.scale !== undefined) {
    throw refuse(`the ${structure} structure has no scale effects.`, "leave `scale` out, or take the cumulative one.");
  }
  if (!cumulative && threshold !== "flexible") {
    throw refuse(`the ${structure} structure has no ${threshold} thresholds.`, "leave `threshold` out.");
  }
  if (threshold !== "flexible" && more.nominal !== undefined) {
    throw refuse(
      `nominal effects with ${threshold} thresholds.`,
      "leave `threshold` out: nominal effects move each threshold by itself.",
    );
  }
  if (cumulative && more.reverse === true) {
    throw refuse("the cumulative structure is the same from either end.", "leave `reverse` out.");
  }
  if (cumulative && more.information === "expected") {
    throw refuse("the cumulative structure has the observed information.", "leave `information` out.");
  }
}

/** A one-sided formula. */
function parseSide(text: string, name: "nominal" | "scale"): Formula {
  const parsed = parseFormula(text.includes("~") ? text : `~ ${text}`);
  const special = parsed.random[0] ?? parsed.smooth[0];
  if (parsed.response !== undefined) {
    throw new StatError("UnsupportedTerm", `${name} = "${text}" has a response.`, 'write it as "~ terms".');
  }
  if (special !== undefined || parsed.offsets.length > 0) {
    throw new StatError("UnsupportedTerm", `${name} = "${text}" holds more than fixed terms.`, "leave the rest out.");
  }
  if (parsed.fixed.length === 0) {
    throw new StatError("UnsupportedTerm", `${name} = "${text}" has no terms.`, 'name columns: "~ system".');
  }
  return parsed;
}

/** Without weights and offset, which belong to the location, and without options on columns that it does not have. */
function sideOptions(
  formula: Formula,
  { levels, ordered, factors, contrasts, reference }: SchemaOptions,
): SchemaOptions {
  const text = formula.text;
  const has = (name: string): boolean => text.includes(name);
  const own = <T>(given: ReadonlyMap<string, T> | Readonly<Record<string, T>>): Map<string, T> =>
    new Map(
      [...(given instanceof Map ? given : Object.entries(given))].filter(([name]) => has(name as string)) as [
        string,
        T,
      ][],
    );
  const isList = Array.isArray(ordered);
  return {
    ...(levels === undefined ? {} : { levels: own(levels) }),
    ...(reference === undefined ? {} : { reference: own(reference) }),
    ...(factors === undefined ? {} : { factors: factors.filter(has) }),
    ...(ordered === undefined
      ? {}
      : {
          ordered: isList
            ? (ordered as readonly string[]).filter(has)
            : own(ordered as Record<string, readonly string[]>),
        }),
    ...(contrasts === undefined ? {} : { contrasts: typeof contrasts === "string" ? contrasts : own(contrasts) }),
  };
}

/** Rows in which every part of the model is present. */
function completeRows(formula: string | Formula, table: Table, options: StructuredOptions): Table {
  const sides = (["nominal", "scale"] as const).flatMap((name) => {
    const text = options[name];
    if (text === undefined) return [];
    const parsed = parseSide(text, name);
    return [buildDesign(parsed, table, sideOptions(parsed, options))];
  });
  if (sides.every(({ dropped }) => dropped.rows === 0)) return table;
  const parsed = typeof formula === "string" ? parseFormula(formula) : formula;
  const main = buildDesign(parsed, table, options);
  const kept = sides.reduce((rows, side) => rows.filter((row) => side.rowsUsed.includes(row)), main.rowsUsed);
  return rowsOf(table, kept);
}

function sideFrame(
  name: "nominal" | "scale",
  table: Table,
  main: Design,
  options: StructuredOptions,
): OrdinalFrame | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const parsed = parseSide(text, name);
  const side = buildDesign(parsed, table, sideOptions(parsed, options));
  // rows that the main formula leaves out
  const at = Int32Array.from(main.rowsUsed, (row) => side.rowsUsed.indexOf(row));
  const own: Design = { ...side, X: selectRows(side.X, at), y: main.y, rowsUsed: main.rowsUsed };
  return ordinalFrame(main.weights === undefined ? own : { ...own, weights: main.weights }, []);
}

const columnsFor = (frame: OrdinalFrame | undefined, rows: number): Matrix => frame?.X ?? zeros(rows, 0);

/** Columns of the location that the nominal ones determine have no effect of their own. */
function withoutNominal(
  frame: OrdinalFrame,
  nominal: OrdinalFrame | undefined,
): { readonly frame: OrdinalFrame; readonly notes: readonly Diagnostic[] } {
  if (nominal === undefined || frame.X.cols === 0) return { frame, notes: [] };
  const n = frame.rows.length;
  const both = zeros(n, 1 + nominal.X.cols + frame.X.cols);
  both.data.fill(1, 0, n);
  both.data.set(nominal.X.data, n);
  both.data.set(frame.X.data, n * (1 + nominal.X.cols));
  const aliased = new Set(Array.from(aliasedColumns(qr(both, { tol: 1e-7 })), (k) => k - 1 - nominal.X.cols));
  const keep = Array.from(frame.kept.keys()).filter((k) => !aliased.has(k));
  if (keep.length === frame.kept.length) return { frame, notes: [] };
  const gone = Int32Array.from(
    Array.from(frame.kept.keys()).filter((k) => aliased.has(k)),
    (k) => frame.kept[k]!,
  );
  return {
    frame: {
      ...frame,
      X: selectColumns(frame.X, Int32Array.from(keep)),
      names: keep.map((k) => frame.names[k]!),
      kept: Int32Array.from(keep, (k) => frame.kept[k]!),
      dropped: Int32Array.of(...frame.dropped, ...gone),
    },
    notes: [noteAliased(frame.design.names, gone)],
  };
}

interface Named {
  readonly structure: OrdinalStructure;
  readonly thresholds: ReturnType<typeof makeThresholds>;
  readonly used: UsedCategories;
  readonly sides: Sides;
}

/** As ordinal and VGAM name them: "1|2", "1|2.systemB"; "(Intercept):1", "systemB:1". */
function parameterNames({ structure, thresholds, used, sides: { nominal } }: Named): string[] {
  const steps = used.levels.slice(1).map((_, j) => j + 1);
  const columns = nominal?.names ?? [];
  if (structure !== "cumulative")
    return ["(Intercept)", ...columns].flatMap((name) => steps.map((j) => `${name}:${j}`));
  if (nominal === undefined) return [...thresholds.names];
  return ["(Intercept)", ...columns].flatMap((name) => thresholds.cuts.map((cut) => `${cut}.${name}`));
}

interface Parts {
  readonly table: Table;
  readonly frame: OrdinalFrame;
  readonly used: UsedCategories;
  readonly sides: Sides;
  readonly likelihood: OrdinalLikelihood;
  readonly found: NewtonMinimum;
  readonly names: readonly string[];
  readonly options: StructuredOptions;
  readonly diagnostics: readonly Diagnostic[];
}

function makeFit({ table, frame, used, sides, likelihood, found, names, options, diagnostics }: Parts): StructuredFit {
  const { structure = "cumulative", link = "logit", threshold = "flexible", confidence = 0.95 } = options;
  const { information = structure === "cumulative" ? "observed" : "expected" } = options;
  const size = likelihood.size;
  const covariance = (expected: boolean): Matrix => {
    const H = new Float64Array(size * size);
    likelihood.informationInto(H, found.x, expected);
    return invertInformation(H, size);
  };
  const vcov = covariance(information === "expected");
  const p0 = names.length;
  const all = waldEstimates({
    names: [...names, ...frame.names, ...(sides.scale?.names ?? [])],
    values: found.x,
    vcov,
    df: Number.POSITIVE_INFINITY,
    confidence,
  });
  const end = p0 + frame.names.length;
  const nobs = frame.weights?.reduce((a, b) => a + b, 0) ?? frame.rows.length;
  const logLik = -found.value;
  const away = separation(frame, vcov, p0);
  const fields: FieldsOf<StructuredFit> = {
    signature: {
      method: "clm",
      version: GOSSET_VERSION,
      options: { formula: frame.design.schema.formula.text, ...plainOptions(options) },
      data: fingerprint(columnsOf(table, usedColumns(frame, sides))),
    },
    diagnostics: [
      ...diagnostics,
      ...frameDiagnostics(frame, used),
      ...away,
      ...(found.converged || away.length > 0 ? [] : notConverged(found.iterations)),
    ],
    structure,
    reverse: options.reverse === true,
    link,
    threshold,
    information,
    ...present({ nominal: options.nominal, scaleFormula: options.scale }),
    design: frame.design,
    levels: used.levels,
    thresholds: all.slice(0, p0),
    coefficients: all.slice(p0, end),
    scale: all.slice(end),
    vcov: leading(subMatrix(vcov, p0), frame.names.length),
    parameterVcov: vcov,
    probabilities: likelihood.probabilities(found.x),
    dropped: Array.from(frame.dropped, (j) => frame.design.names[j]!),
    nobs,
    df: size,
    logLik,
    ...informationCriteria(logLik, size, nobs),
    converged: found.converged && away.length === 0,
    confidence,
    ...locationTest({ frame, used, sides, options, logLik, size }),
  };
  return makeResult("clm", fields, { display: displayStructured, json: structuredJson });
}

const plainOptions = (options: StructuredOptions): object =>
  Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value]),
  );

const usedColumns = (frame: OrdinalFrame, { nominal, scale }: Sides): string[] => [
  ...new Set([frame, nominal, scale].flatMap((part) => [...(part?.design.schema.columns.keys() ?? [])])),
];

function leading(A: Matrix, size: number): Matrix {
  const out = zeros(size, size);
  for (let j = 0; j < size; j++) for (let i = 0; i < size; i++) out.data[i + j * size] = A.data[i + j * A.rows]!;
  return out;
}

interface Tested {
  readonly frame: OrdinalFrame;
  readonly used: UsedCategories;
  readonly sides: Sides;
  readonly options: StructuredOptions;
  readonly logLik: number;
  readonly size: number;
}

/** Likelihood-ratio test against the model with the nominal terms as ordinary ones and no scale part. */
function locationTest({ frame, used, sides, options, logLik, size }: Tested): Pick<StructuredFit, "locationOnly"> {
  const { structure = "cumulative", link = "logit", threshold = "flexible" } = options;
  if (structure !== "cumulative" || (sides.nominal === undefined && sides.scale === undefined)) return {};
  const n = frame.rows.length;
  const W = columnsFor(sides.nominal, n);
  const X = zeros(n, W.cols + frame.X.cols);
  X.data.set(W.data);
  X.data.set(frame.X.data, W.data.length);
  const thresholds = makeThresholds(threshold, used.levels);
  const none = zeros(n, 0);
  const shared = { link, y: used.y, X, W: none, Z: none, weights: frame.weights, offset: frame.offset };
  const likelihood = makeScaledLikelihood({ ...shared, A: thresholds.A });
  const found = solve(likelihood, clmStart(used.y, thresholds, link, likelihood.size));
  const chisq = Math.max(0, 2 * (logLik + found.value));
  const df = size - likelihood.size;
  return { locationOnly: { chisq, df, p: chiSquareSf(chisq, df), logLik: -found.value } };
}
