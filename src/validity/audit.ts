/** Validity audit: every test of this folder that a table allows, in one report.
 *
 *  Circularity needs a label or predictions and features; bias needs a label and a column that names two or more domains; invariance
 *  needs a label and features whose scale is declared, or numbers whose name says that they are identifiers. What cannot be run is
 *  listed with what it lacks; a table that allows no test at all is refused.
 *  Limits: columns are found by name; rows are halved by turns for invariance where no column says which are for training. */

import { fingerprint } from "../data/fingerprint.ts";
import { type Column, column, selectRows, type Table } from "../data/table.ts";
import type { FieldsOf } from "../models/fit.ts";
import { makeRng, type Rng } from "../numeric/rng.ts";
import { refuseUnknownNames } from "../question/refuse.ts";
import type { Display, DisplaySection } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { present } from "../result/present.ts";
import { type Diagnostic, makeResult, type NestedJson, type Result, type ResultJson } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import type { Runner } from "../run/task.ts";
import { isDomainName, isNumberName, isPredictedName, isSplitName, isTargetName } from "../study/lexicon/others.ts";
import { type BiasJson, type BiasResult, testBias } from "./bias/bias.ts";
import { type CircularityResult, excludedBeside, testCircularity } from "./circularity/circularity.ts";
import { countDistinct } from "./circularity/data.ts";
import type { CircularityJson } from "./circularity/findings-json.ts";
import { type InvarianceJson, type InvarianceResult, testInvariance } from "./invariance/invariance.ts";
import type { Scales } from "./invariance/scales.ts";

export interface AuditOptions {
  readonly label?: string | undefined;
  readonly predictions?: readonly string[] | undefined;
  readonly domain?: string | undefined;
  readonly features?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly scales?: Scales | undefined;
  /** Of all intervals. */
  readonly confidence?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly runner?: Runner | undefined;
  readonly onProgress?: ((stage: string, done: number, total: number) => void) | undefined;
}

export interface SkippedTest {
  readonly test: "circularity" | "bias" | "invariance";
  readonly why: string;
}

export interface AuditResult extends Result<"audit"> {
  readonly columns: {
    readonly label?: string;
    readonly predictions: readonly string[];
    readonly domain?: string;
    readonly scales: Scales;
  };
  readonly circularity?: CircularityResult;
  readonly bias?: BiasResult;
  readonly invariance?: InvarianceResult;
  readonly skipped: readonly SkippedTest[];
  /** One line per test that was run. */
  readonly verdict: readonly string[];
}

export interface AuditJson
  extends ResultJson<"audit">,
    Omit<AuditResult, keyof Result<"audit"> | "circularity" | "bias" | "invariance"> {
  readonly circularity?: NestedJson<CircularityJson>;
  readonly bias?: NestedJson<BiasJson>;
  readonly invariance?: NestedJson<InvarianceJson>;
}

const MOST_DOMAINS = 20;
/** Rows for the refits of the invariance test, of which there are dozens. */
const INVARIANCE_ROWS = 4000;

const AUDIT_VALIDITY_OPTIONS = {
  label: true,
  predictions: true,
  domain: true,
  features: true,
  exclude: true,
  scales: true,
  confidence: true,
  rng: true,
  runner: true,
  onProgress: true,
} as const satisfies Record<keyof AuditOptions, true>;

export async function auditValidity(table: Table, options: AuditOptions = {}): Promise<AuditResult> {
  refuseUnknownNames("auditValidity", options, AUDIT_VALIDITY_OPTIONS);
  if (options.features !== undefined && (options.exclude ?? []).length > 0) throw excludedBeside();
  const found = findColumns(table, options);
  const skipped: SkippedTest[] = [];
  const attempt = async <R>(test: SkippedTest["test"], run: () => R | Promise<R>): Promise<R | undefined> => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StatError)) throw error;
      skipped.push({ test, why: error.message });
      return undefined;
    }
  };
  const circularity = await attempt("circularity", () => runCircularity(table, found, options));
  const bias = await attempt("bias", () => runBias(table, found, options));
  const invariance = await attempt("invariance", () => runInvariance(table, found, options));
  const { runner: _runner, rng: _rng, onProgress: _progress, ...given } = options;
  const rng = options.rng ?? makeRng(1);
  const done = [circularity, bias, invariance].filter((result) => result !== undefined);
  if (done.length === 0) throw nothingToTest(table, found, skipped);
  const fields = {
    signature: {
      method: "audit",
      version: GOSSET_VERSION,
      options: given,
      data: fingerprint(table),
      seed: rng.seed,
    },
    diagnostics: uniqueDiagnostics(done.flatMap(({ diagnostics }) => diagnostics)),
    columns: found,
    ...present({ circularity, bias, invariance }),
    skipped,
    verdict: [
      ...(circularity?.findings.map(({ label, verdict, chosen }) =>
        verdict === "not circular"
          ? `Circularity: ${label} is not circular.`
          : `Circularity: ${label} is ${verdict} ${verdict === "dominated" ? "by" : "in"} ${chosen.features.join(", ")}.`,
      ) ?? []),
      ...(bias === undefined ? [] : [`Bias: ${bias.verdict.text}`]),
      ...(invariance === undefined ? [] : [`Invariance: ${invariance.verdict.text}`]),
    ],
  };
  return makeResult("audit", fields, displayAudit);
}

function findColumns(table: Table, options: AuditOptions): AuditResult["columns"] {
  const names = [...table.columns.keys()];
  const byName = (is: (name: string) => boolean): string[] => names.filter(is);
  for (const name of [options.label, options.domain, ...(options.predictions ?? [])]) {
    if (name !== undefined) column(table, name); // an unknown name is a mistake, not a missing role
  }
  const label = options.label ?? byName(isTargetName)[0];
  const predictions = options.predictions ?? byName(isPredictedName).filter((name) => name !== label);
  const domain = options.domain ?? byName(isDomainName).find((name) => name !== label && isDomain(column(table, name)));
  const numbered = byName(isNumberName).filter(
    (name) => column(table, name).kind === "numeric" && name !== label && !predictions.includes(name),
  );
  return {
    label,
    predictions,
    ...present({ domain }),
    scales: options.scales ?? Object.fromEntries(numbered.map((name) => [name, "nominal" as const])),
  };
}

function isDomain(cells: Column): boolean {
  return cells.kind === "factor" && cells.levels.length > 1 && cells.levels.length <= MOST_DOMAINS;
}

/** Neither names of things nor columns without values. */
function canVary(cells: Column): boolean {
  const distinct = countDistinct(cells);
  return distinct > 1 && (cells.kind === "numeric" || distinct <= MOST_DOMAINS);
}

type Found = AuditResult["columns"];

const confidenceOf = ({ confidence }: AuditOptions) => (confidence === undefined ? {} : { confidence });

function runCircularity(table: Table, found: Found, options: AuditOptions): Promise<CircularityResult> {
  const { label, predictions, domain } = found;
  if (label === undefined && predictions.length === 0) throw lacking("no column is named as label or predictions");
  const aside = [...(domain === undefined ? [] : [domain]), ...(options.exclude ?? [])];
  return testCircularity(table, {
    label,
    predictions: predictions.filter((name) => column(table, name).kind === "numeric"),
    ...(options.features === undefined ? { exclude: aside } : { features: options.features }),
    ...confidenceOf(options),
    runner: options.runner,
    onProgress: options.onProgress,
  });
}

function runBias(table: Table, { label, predictions, domain }: Found, options: AuditOptions): BiasResult {
  if (label === undefined) throw lacking("no column is named as label");
  if (domain === undefined) throw lacking("no column names two or more domains");
  const predicted = predictions[0];
  const aside = [label, domain, ...predictions, ...(options.exclude ?? [])];
  const rest = [...table.columns.keys()].filter((name) => !aside.includes(name) && canVary(column(table, name)));
  return testBias(table, {
    label,
    domain,
    predicted,
    features: options.features ?? rest,
    ...confidenceOf(options),
    rng: options.rng,
    onProgress: (done, total) => options.onProgress?.("Bias", done, total),
  });
}

async function runInvariance(table: Table, found: Found, options: AuditOptions): Promise<InvarianceResult> {
  const { label, predictions, scales } = found;
  if (label === undefined) throw lacking("no column is named as label");
  if (Object.keys(scales).length === 0) throw lacking("no scale is declared, and no number is named as an identifier");
  const { train, test } = splitRows(table);
  const aside = [label, ...predictions, found.domain, ...(options.exclude ?? [])];
  const numeric = [...table.columns].filter(([name, cells]) => cells.kind === "numeric" && !aside.includes(name));
  const features = options.features ?? numeric.map(([name]) => name);
  return testInvariance(train, test, {
    label,
    scales,
    features: [...new Set([...features, ...Object.keys(scales)])],
    learner: "stumps",
    ...confidenceOf(options),
    rng: options.rng,
    onProgress: (done, total) => options.onProgress?.("Invariance", done, total),
  });
}

/** By a column that says train and test, else by turns. */
function splitRows(table: Table): { train: Table; test: Table } {
  const every = Math.max(1, Math.ceil(table.rows / INVARIANCE_ROWS));
  const thinned = every === 1 ? table : selectRows(table, (i) => i % every === 0);
  for (const [name, cells] of thinned.columns) {
    if (!isSplitName(name) || cells.kind !== "factor") continue;
    const codes = ["train", "test"].map((level) => cells.levels.findIndex((own) => own.toLowerCase() === level));
    if (codes.some((code) => code < 0)) continue;
    const [train, test] = codes.map((code) => selectRows(thinned, (i) => cells.codes[i] === code)) as [Table, Table];
    if (train.rows > 0 && test.rows > 0) return { train, test };
  }
  return { train: selectRows(thinned, (i) => i % 2 === 0), test: selectRows(thinned, (i) => i % 2 === 1) };
}

const lacking = (what: string): StatError => new StatError("NotAllowed", `${what}.`, "name it.");

/** Columns that are named in a message. */
const NAMED_COLUMNS = 8;

function nothingToTest(table: Table, { label, predictions }: Found, skipped: readonly SkippedTest[]): StatError {
  const code = "NothingToTest";
  if (label === undefined && predictions.length === 0) {
    const names = [...table.columns.keys()];
    const shown = names.slice(0, NAMED_COLUMNS).join(", ") + (names.length > NAMED_COLUMNS ? ", …" : "");
    return new StatError(
      code,
      `nothing can be tested: no column is named as a label or as predictions (columns: ${shown}).`,
      "say which they are: `label: <col>`, `predictions: <col>`; `domain: <col>` adds the bias test, `scales: <col>=nominal` the invariance test.",
    );
  }
  const reasons = skipped.map(({ test, why }) => `${test}: ${why.replace(/\.$/, "")}`).join("; ");
  return new StatError(
    code,
    `nothing can be tested. ${reasons.charAt(0).toUpperCase()}${reasons.slice(1)}.`,
    "correct one of these; `label`, `predictions`, `features`, `domain` and `scales` say what the columns are.",
  );
}

function uniqueDiagnostics(all: readonly Diagnostic[]): Diagnostic[] {
  return all.filter((one, i) => all.findIndex(({ message }) => message === one.message) === i);
}

function displayAudit(made: FieldsOf<AuditResult>): Display {
  const { circularity, bias, invariance, skipped, verdict } = made;
  const parts = [circularity, bias, invariance].flatMap((result) => (result === undefined ? [] : [result.display()]));
  const sections: DisplaySection[] = parts.flatMap(({ sections: own }) => own ?? []);
  if (skipped.length > 0) {
    sections.push({ heading: "Not run", items: skipped.map(({ test, why }) => ({ text: `${test}: ${why}` })) });
  }
  return {
    title: "Validity audit",
    summary: verdict,
    tables: parts.flatMap(({ title, tables }) =>
      tables.map((table, t) => (t === 0 ? { ...table, caption: captionOf(title, table.caption) } : table)),
    ),
    notes: parts.flatMap(({ notes }) => notes),
    sections,
  };
}

const captionOf = (title: string, caption: string | undefined): string =>
  caption === undefined ? title : `${title}: ${caption.charAt(0).toLowerCase()}${caption.slice(1)}`;
