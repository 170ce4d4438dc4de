/** The bias test cell by cell: every feature, kind of label and domain measured once, then compared with its in-domain cell. */
import type { Rng } from "../../numeric/rng.ts";
import { adjustP } from "../../significance/multiplicity.ts";
import { fittingMeasure, type Pair, pairVariables } from "./association.ts";
import type { BiasComparison, BiasInheritance, BiasPattern, BiasSettings, DomainAssociation } from "./bias.ts";
import {
  bySize,
  compareMeasured,
  constantAsZero,
  type Measured,
  measureByDrawing,
  measurePearson,
  type Units,
} from "./contrast.ts";
import type { Domains, Feature, Labels } from "./data.ts";

/** Entries of one feature stand together: gold in-domain, gold in every other domain, then the same of predictions. */
export interface Entry {
  readonly feature: Feature;
  readonly labels: "gold" | "predicted";
  /** 0 is in-domain. */
  readonly domain: number;
  readonly pair: Pair;
}

interface Context {
  readonly domains: Domains;
  readonly settings: BiasSettings;
  readonly units: Units;
}

export function entriesOf(
  features: readonly Feature[],
  { gold, predicted }: { readonly gold: Labels; readonly predicted?: Labels },
  { domains, settings }: Omit<Context, "units">,
): Entry[] {
  const all = [domains.inside, ...domains.outside];
  const kinds = [
    { labels: "gold" as const, own: gold },
    ...(predicted === undefined ? [] : [{ labels: "predicted" as const, own: predicted }]),
  ];
  return features.flatMap((feature) =>
    kinds.flatMap(({ labels, own }) => {
      const fitting = fittingMeasure(feature.variable, own.variable);
      const measure = settings.measure === "nmi" && fitting === "cramer" ? "nmi" : fitting;
      return all.map(({ rows }, domain) => ({
        feature,
        labels,
        domain,
        pair: pairVariables(feature.variable, own.variable, rows, measure),
      }));
    }),
  );
}

export interface MeasureOptions {
  readonly settings: BiasSettings;
  readonly units: Units;
  readonly rng: Rng;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export function measureEntries(
  entries: readonly Entry[],
  domains: Domains,
  { settings, units, rng, ...progress }: MeasureOptions,
): Measured[] {
  const { interval, replicates, confidence } = settings;
  const isDrawn = ({ pair }: Entry): boolean => pair.measure !== "pearson" || interval === "bootstrap";
  const rows = [domains.inside, ...domains.outside].map((own) => own.rows);
  const drawing = { replicates, confidence, units, rng, ...progress };
  const wanted = entries.filter(isDrawn);
  const drawn = wanted.length === 0 ? [] : measureByDrawing(wanted, rows, drawing);
  let next = 0;
  return entries.map((entry) => {
    const own = isDrawn(entry) ? drawn[next++]! : measurePearson(entry.pair, units, { interval, confidence });
    return settings.constant === "zero" && Number.isNaN(own.value) && own.n > 0 ? constantAsZero(own) : own;
  });
}

/** `at` is the place of the out-of-domain entry. */
type Compared = Omit<BiasComparison, "adjustedP" | "biased" | "pattern"> & { readonly at: number };

export function compareEntries(
  entries: readonly Entry[],
  measured: readonly Measured[],
  { domains, units }: Omit<Context, "settings">,
): Compared[] {
  const names = [domains.inside, ...domains.outside].map(({ name }) => name);
  const shown = (i: number): DomainAssociation => {
    const { n, value, lower, upper } = measured[i]!;
    return { domain: names[entries[i]!.domain]!, n, value, lower, upper };
  };
  return entries.flatMap(({ feature, labels, domain, pair }, at) => {
    if (domain === 0) return [];
    const inside = at - domain;
    const { value, ...rest } = compareMeasured(measured[inside]!, measured[at]!, { units });
    return [
      {
        feature: feature.positive === undefined ? feature.name : `${feature.name} = ${feature.positive}`,
        labels,
        measure: pair.measure,
        inDomain: shown(inside),
        outOfDomain: shown(at),
        difference: value,
        ...rest,
        at,
      },
    ];
  });
}

/** Gold and predicted labels are families of their own; what is biased by gold is asked of the predictions. */
export function withAdjustment(
  compared: readonly Compared[],
  inherit: (biased: readonly Compared[]) => BiasInheritance[],
  settings: BiasSettings,
): {
  readonly features: BiasComparison[];
  readonly predictions: BiasComparison[];
  readonly inheritance: BiasInheritance[];
} {
  const [gold, predicted] = (["gold", "predicted"] as const).map((labels) =>
    judge(
      compared.filter((own) => own.labels === labels),
      settings,
    ),
  );
  const bare = (judged: readonly Judged[]): BiasComparison[] => judged.map(({ at: _at, ...own }) => own);
  const biased = predicted!.length === 0 ? [] : gold!.filter((own) => own.biased);
  return { features: bare(gold!), predictions: bare(predicted!), inheritance: inherit(biased) };
}

type Judged = BiasComparison & { readonly at: number };

function judge(compared: readonly Compared[], { adjust, alpha, threshold }: BiasSettings): Judged[] {
  const adjusted = adjustP(
    compared.map(({ p }) => p),
    adjust,
  );
  return compared
    .map((own, i): Judged => {
      const biased = adjusted[i]! < alpha && Math.abs(own.difference) >= threshold;
      return { ...own, adjustedP: adjusted[i]!, biased, pattern: patternOf(own, biased) };
    })
    .sort((a, b) => bySize(a.difference, b.difference));
}

/** -1, 0 or 1: what the interval leaves no doubt about. */
function signOf({ lower, upper }: DomainAssociation): number {
  if (lower > 0) return 1;
  return upper < 0 ? -1 : 0;
}

function patternOf({ inDomain, outOfDomain, difference }: Compared, biased: boolean): BiasPattern {
  if (Number.isNaN(difference)) return "undefined";
  if (!biased) return "same";
  const [inside, outside] = [signOf(inDomain), signOf(outOfDomain)];
  if (inside * outside < 0) return "reverses";
  if (inside !== 0 && outside === 0) return "vanishes";
  if (inside === 0 && outside !== 0) return "appears";
  return Math.abs(outOfDomain.value) < Math.abs(inDomain.value) ? "weaker" : "stronger";
}

/** Of features whose gold association differs: do the predictions out of domain keep the in-domain one? */
export function inheritBias(
  biased: readonly Compared[],
  measured: readonly Measured[],
  { domains, settings, units }: Context,
): BiasInheritance[] {
  const toPredicted = domains.outside.length + 1;
  // where a feature does not vary, predictions cannot follow it
  const asked = biased.filter(({ at }) => !(measured[at]!.se === 0 && measured[at + toPredicted]!.se === 0));
  const found = asked.map(({ at, feature, inDomain, outOfDomain }) => {
    const [gold, predicted] = [measured[at]!, measured[at + toPredicted]!];
    const { value, lower, upper, p } = compareMeasured(predicted, gold, { units, sameRows: true });
    return {
      feature,
      domain: outOfDomain.domain,
      gold: gold.value,
      predicted: predicted.value,
      learned: inDomain.value,
      share: value / (inDomain.value - gold.value),
      difference: value,
      lower,
      upper,
      p,
    };
  });
  const adjusted = adjustP(
    found.map(({ p }) => p),
    settings.adjust,
  );
  return found.map((own, i) => ({
    ...own,
    adjustedP: adjusted[i]!,
    inherited: adjusted[i]! < settings.alpha && own.share > 0,
  }));
}
