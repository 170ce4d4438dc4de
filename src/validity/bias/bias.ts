/** Dataset bias test: does a feature go with the label in one domain and not, or the other way round, in another?
 *    R(x_k, y, D_ID) - R(x_k, y, D_OOD)   for every feature x_k, out-of-domain data set and kind of label (gold, predicted)
 *  with an interval, a p value adjusted over all features and domains, and a bound below which a difference does not count. A model
 *  inherits a bias where its predictions out of domain keep the in-domain association that the gold labels there no longer have.
 *  Reference: Riezler & Hagmann (2021), Definition 2.2 and section 2.4.1. The measures are in association.ts, the test of their
 *             difference in contrast.ts, n-grams in ngrams.ts.
 *  Oracle:    R, oracle/r/bias.json; closed forms; simulated type-I error and coverage (docs/methods/bias-features.md).
 *  Limits:    a difference between domains is no proof of a spurious feature, nor is its absence one of a causal feature. */

import { fingerprint } from "../../data/fingerprint.ts";
import { column, selectColumns, type Table } from "../../data/table.ts";
import { cellTexts } from "../../metrics/score-table.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { present } from "../../result/present.ts";
import { makeResult, type Published, type Result, type ResultJson } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { adjustP, type PAdjustment } from "../../significance/multiplicity.ts";
import type { BiasMeasure } from "./association.ts";
import { biasDiagnostics, biasVerdict, ngramDiagnostics } from "./conclusions.ts";
import { type BiasInterval, bySize, type Units } from "./contrast.ts";
import {
  type BiasColumns,
  type Domains,
  findClusters,
  type Labels,
  readDomains,
  readFeatures,
  readLabels,
  readUnits,
} from "./data.ts";
import { displayBias } from "./differences-display.ts";
import { compareEntries, entriesOf, inheritBias, measureEntries, withAdjustment } from "./entries.ts";
import { compareNgrams, type NgramOptions, type NgramPair } from "./ngrams.ts";
import { type BiasPerformance, measurePerformance } from "./performance.ts";

export interface BiasOptions extends BiasColumns {
  /** "auto": r, η or Cramér's V, as the columns are; "nmi": normalised mutual information for all. */
  readonly measure?: "auto" | "nmi" | undefined;
  /** Of r; the other measures are always drawn. */
  readonly interval?: BiasInterval | undefined;
  /** A feature that does not vary in a domain has no correlation there; "zero" takes it as 0, as its covariance is. */
  readonly constant?: "undefined" | "zero" | undefined;
  /** Differences below this do not count, however significant. */
  readonly threshold?: number | undefined;
  readonly alpha?: number | undefined;
  readonly adjust?: PAdjustment | undefined;
  readonly confidence?: number | undefined;
  readonly replicates?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly ngrams?: NgramOptions | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export interface DomainAssociation {
  readonly domain: string;
  readonly n: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

export type BiasPattern = "same" | "reverses" | "vanishes" | "appears" | "weaker" | "stronger" | "undefined";

export interface BiasComparison {
  readonly feature: string;
  readonly labels: "gold" | "predicted";
  readonly measure: BiasMeasure;
  readonly inDomain: DomainAssociation;
  readonly outOfDomain: DomainAssociation;
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  readonly statistic: number;
  /** ∞ (a z test) where rows are the units. */
  readonly df: number;
  readonly p: number;
  readonly adjustedP: number;
  readonly biased: boolean;
  readonly pattern: BiasPattern;
}

export interface BiasInheritance {
  readonly feature: string;
  readonly domain: string;
  /** Association out of domain with the gold and with the predicted labels, and that with gold labels in-domain. */
  readonly gold: number;
  readonly predicted: number;
  readonly learned: number;
  /** How far the predictions keep to what was learned: 0 as gold is there, 1 as gold was in-domain. */
  readonly share: number;
  /** predicted - gold. */
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  readonly p: number;
  readonly adjustedP: number;
  readonly inherited: boolean;
}

export interface NgramBias extends NgramPair {
  readonly adjustedP: number;
  readonly biased: boolean;
}

export interface BiasVerdict {
  readonly biased: readonly string[];
  readonly inherited: readonly string[];
  readonly text: string;
}

export interface BiasResult extends Result<"bias"> {
  readonly label: string;
  readonly predicted?: string;
  /** Class that counts as 1, where the label has two. */
  readonly positive?: string;
  readonly domains: { readonly inDomain: string; readonly outOfDomain: readonly string[] };
  /** Sorted by the size of the difference, undefined ones last. */
  readonly features: readonly BiasComparison[];
  readonly predictions: readonly BiasComparison[];
  readonly inheritance: readonly BiasInheritance[];
  readonly ngrams: readonly NgramBias[];
  readonly settings: {
    readonly interval: BiasInterval;
    readonly threshold: number;
    readonly alpha: number;
    readonly adjust: PAdjustment;
    readonly confidence: number;
    readonly replicates: number;
  };
  readonly verdict: BiasVerdict;
  /** Where predictions are given. */
  readonly performance?: BiasPerformance;
}

export interface BiasJson extends ResultJson<"bias">, Omit<BiasResult, keyof Result<"bias">> {
  /** One point per feature, kind of labels and domain. */
  readonly plot: { readonly x: string; readonly y: string; readonly points: readonly BiasPointJson[] };
}

export interface BiasPointJson {
  readonly feature: string;
  readonly labels: BiasComparison["labels"];
  readonly domain: string;
  readonly x: number;
  readonly y: number;
  readonly biased: boolean;
}

type Setting = "measure" | "interval" | "constant" | "threshold" | "alpha" | "adjust" | "confidence" | "replicates";

export type BiasSettings = { readonly [K in Setting]: NonNullable<BiasOptions[K]> };

function settingsOf(options: BiasOptions): BiasSettings {
  const { measure = "auto", interval = "robust", constant = "undefined", threshold = 0.1 } = options;
  const { alpha = 0.05, adjust = "holm", confidence = 0.95, replicates = 1000 } = options;
  return { measure, interval, constant, threshold, alpha, adjust, confidence, replicates };
}

export function testBias(table: Table, given: BiasOptions): BiasResult {
  const settings = settingsOf(given);
  const { rng = makeRng(1) } = given;
  const found = findClusters(table, given);
  const options = { ...given, cluster: found.cluster };
  if (settings.interval === "fisher" && options.cluster !== undefined)
    throw new StatError(
      "BadOption",
      "`interval: fisher` takes the rows for independent, and option `cluster` says that they are not.",
      "Leave one of them out.",
    );
  const classes = settings.measure === "nmi";
  const domains = readDomains(table, options);
  const labels = readLabels(table, options, classes);
  const read = readFeatures(table, options, classes);
  const ngrams = ngramTable(table, { options, domains, labels: labels.gold, settings });
  if (read.features.length === 0 && ngrams.pairs.length === 0) throw noFeatures(options);
  const entries = entriesOf(read.features, labels, { domains, settings });
  const { unit } = readUnits(table, options.cluster);
  const units: Units = { unit, clustered: options.cluster !== undefined };
  const random = options.onProgress === undefined ? { rng } : { rng, onProgress: options.onProgress };
  const measured = measureEntries(entries, domains, { settings, units, ...random });
  const compared = compareEntries(entries, measured, { domains, units });
  const { features, predictions, inheritance } = withAdjustment(
    compared,
    (biased) => inheritBias(biased, measured, { domains, settings, units }),
    settings,
  );
  const fields = {
    signature: signatureOf(table, options, { settings, seed: rng.seed }),
    diagnostics: [
      ...found.diagnostics,
      ...domains.diagnostics,
      ...read.diagnostics,
      ...biasDiagnostics([...features, ...predictions], settings),
      ...ngramDiagnostics(ngrams),
    ],
    label: options.label,
    ...present({ predicted: options.predicted, positive: labels.gold.positive }),
    domains: { inDomain: domains.inside.name, outOfDomain: domains.outside.map(({ name }) => name) },
    features,
    predictions,
    inheritance,
    ngrams: ngrams.pairs,
    settings: pickSettings(settings),
    verdict: biasVerdict(features, inheritance, ngrams.pairs),
    ...(options.predicted === undefined
      ? {}
      : {
          performance: measurePerformance(
            table,
            { label: options.label, predicted: options.predicted },
            { domains, units, confidence: settings.confidence },
          ),
        }),
  };
  return makeResult("bias", fields, { display: displayBias, json: biasJson });
}

const pickSettings = ({ interval, threshold, alpha, adjust, confidence, replicates }: BiasSettings) => ({
  interval,
  threshold,
  alpha,
  adjust,
  confidence,
  replicates,
});

function noFeatures({ features }: BiasOptions): StatError {
  const found = features === undefined ? "no column is left that could be a feature." : "no feature is named.";
  return new StatError(
    "NoFeatures",
    found,
    "name columns with `features`, texts with `premise` and `hypothesis`, or `text`.",
  );
}

interface NgramContext {
  readonly options: BiasOptions;
  readonly domains: Domains;
  readonly labels: Labels;
  readonly settings: BiasSettings;
}

export interface NgramTable {
  readonly pairs: readonly NgramBias[];
  readonly candidates: number;
  readonly kept: number;
  readonly asked: boolean;
}

/** n-grams are many: the share of false finds is bounded (BH), not the chance of any. */
const NGRAM_ADJUSTMENT = "BH";

function ngramTable(table: Table, { options, domains, labels, settings }: NgramContext): NgramTable {
  const text = options.text ?? (options.ngrams === undefined ? undefined : options.hypothesis);
  if (text === undefined) return { pairs: [], candidates: 0, kept: 0, asked: false };
  const { unit } = readUnits(table, options.cluster);
  const { codes, classes } = labelClasses(labels, options.label);
  const input = {
    texts: cellTexts(column(table, text)),
    codes,
    classes,
    inside: domains.inside.rows,
    outside: domains.outside,
    units: { unit, clustered: options.cluster !== undefined },
    confidence: settings.confidence,
  };
  const found = compareNgrams(input, options.ngrams ?? {});
  const adjusted = adjustP(
    found.pairs.map(({ p }) => p),
    NGRAM_ADJUSTMENT,
  );
  const pairs = found.pairs.map((own, i): NgramBias => {
    const biased = adjusted[i]! < settings.alpha && Math.abs(own.difference) >= settings.threshold;
    return { ...own, adjustedP: adjusted[i]!, biased };
  });
  pairs.sort((a, b) => bySize(a.difference, b.difference));
  return { ...found, pairs, asked: true };
}

/** Numbers with more values are no classes. */
const MOST_CLASSES = 20;

function labelClasses(
  { variable, classes, positive }: Labels,
  name: string,
): { codes: Int32Array; classes: readonly string[] } {
  if (variable.kind === "classes") return { codes: variable.codes, classes: classes ?? [] };
  const values = [...new Set(variable.values.filter((value) => !Number.isNaN(value)))].sort((a, b) => a - b);
  if (values.length > MOST_CLASSES) {
    const message = `the label "${name}" has ${values.length} different numbers: n-grams need classes.`;
    throw new StatError("NoClasses", message, "give a label with few values, or leave `text` out.");
  }
  const names = positive === undefined ? values.map(String) : [`not ${positive}`, positive];
  const codes = Int32Array.from(variable.values, (value) => (Number.isNaN(value) ? -1 : values.indexOf(value)));
  return { codes, classes: names };
}

function signatureOf(table: Table, options: BiasOptions, { settings, seed }: { settings: BiasSettings; seed: string }) {
  // the settings are the options with every default filled in
  const { rng: _rng, onProgress: _progress, ...given } = { ...options, ...settings };
  const { label, predicted, domain, cluster, premise, hypothesis, text, features } = options;
  const named = [label, predicted, domain, cluster, premise, hypothesis, text, ...(features ?? [])];
  const names = features === undefined ? [...table.columns.keys()] : named.filter((name) => name !== undefined);
  return {
    method: "bias",
    version: GOSSET_VERSION,
    options: given,
    data: fingerprint(selectColumns(table, [...new Set(names)])),
    seed,
  };
}

function biasJson({ signature: _, diagnostics: __, ...own }: FieldsOf<BiasResult>): Published<BiasJson> {
  const points = [...own.features, ...own.predictions].map(
    ({ feature, labels, inDomain, outOfDomain, biased }): BiasPointJson => ({
      feature,
      labels,
      domain: outOfDomain.domain,
      x: inDomain.value,
      y: outOfDomain.value,
      biased,
    }),
  );
  const axes = { x: `association in ${own.domains.inDomain}`, y: "association out of domain" };
  return { ...own, plot: { ...axes, points } };
}
