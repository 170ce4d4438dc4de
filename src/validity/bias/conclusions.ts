/** What the bias test concludes, and what its reader must know. */
import { note, warning } from "../../result/diagnostic.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { BiasComparison, BiasInheritance, BiasSettings, BiasVerdict, NgramBias, NgramTable } from "./bias.ts";
import { listShort } from "./data.ts";
import { MOST_NGRAMS } from "./ngrams.ts";

const unique = (names: readonly string[]): string[] => [...new Set(names)];

export function biasVerdict(
  features: readonly BiasComparison[],
  inheritance: readonly BiasInheritance[],
  ngrams: readonly NgramBias[],
): BiasVerdict {
  const biased = unique(features.filter((own) => own.biased).map(({ feature }) => feature));
  const inherited = unique(inheritance.filter((own) => own.inherited).map(({ feature }) => feature));
  const words = unique(ngrams.filter((own) => own.biased).map(({ ngram }) => ngram));
  const given = unique(features.map(({ feature }) => feature)).length;
  // a feature or label that does not vary has no p, and shows nothing either way
  const tested = unique(
    features.filter(({ p, biased: own }) => own || !Number.isNaN(p)).map(({ feature }) => feature),
  ).length;
  const parts = [
    ...(given === 0 ? [] : [biasSentence(biased, { tested, given })]),
    ...(ngrams.length === 0 ? [] : [ngramSentence(words)]),
    ...(inheritance.length === 0 ? [] : [inheritedSentence(inherited)]),
  ];
  return { biased: [...biased, ...words], inherited, text: parts.join(" ") };
}

function biasSentence(
  biased: readonly string[],
  { tested, given }: { readonly tested: number; readonly given: number },
): string {
  if (tested === 0)
    return given === 1 ? "The feature cannot be tested." : `None of the ${given} features can be tested.`;
  if (biased.length === 0) {
    const left = tested < given ? ` that can be tested (of ${given})` : "";
    return tested === 1
      ? `The feature${left} shows no dataset bias.`
      : `None of the ${tested} features${left} shows a dataset bias.`;
  }
  return `Dataset bias in ${biased.length} of ${tested} feature${tested === 1 ? "" : "s"}: ${listShort(biased)}.`;
}

function ngramSentence(words: readonly string[]): string {
  if (words.length === 0) return "No n-gram shows a dataset bias.";
  return `Biased n-gram${words.length === 1 ? "" : "s"}: ${listShort(words.map((word) => `"${word}"`))}.`;
}

function inheritedSentence(inherited: readonly string[]): string {
  if (inherited.length === 0) return "It is not shown that the predictions inherit it.";
  return `The predictions inherit it for ${listShort(inherited)}.`;
}

/** Below this many rows a difference of correlations is hardly seen. */
const FEW_ROWS = 30;
/** Correlations this close to 1 are 1 but for rounding. */
const PERFECT = 1 - 1e-12;

export function biasDiagnostics(
  compared: readonly BiasComparison[],
  { constant }: Pick<BiasSettings, "constant">,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  const perfect = unique(compared.filter(isLabel).map(({ feature }) => feature));
  if (perfect.length > 0) {
    const message = `${listShort(perfect)}: the feature determines the label in both domains, so that no difference can be tested.`;
    found.push(warning("FeatureIsLabel", message, "is it a copy of the label? See `testCircularity`."));
  }
  for (const which of ["inDomain", "outOfDomain"] as const) {
    const flat = compared.filter((own) => Number.isNaN(own[which].value) && own[which].n > 0);
    const empty = compared.filter((own) => own[which].n === 0);
    const places = (list: readonly BiasComparison[]): string =>
      listShort(unique(list.map((own) => `${own.feature} in ${own[which].domain}`)));
    if (flat.length > 0) {
      const message = `no correlation is defined where feature or label does not vary: ${places(flat)}.`;
      found.push(
        warning("ConstantInDomain", message, "count it as 0 with `constant: zero`, or leave the feature out."),
      );
    }
    if (empty.length > 0) {
      found.push(warning("MissingInDomain", `no row has a value: ${places(empty)}.`, "give values or leave it out."));
    }
  }
  const hanging = compared.filter((own) => Number.isFinite(own.difference) && Number.isNaN(own.p) && !isExact(own));
  if (hanging.length > 0) {
    const names = listShort(unique(hanging.map(({ feature }) => feature)));
    const message = `${names}: no test over clusters, because in a domain there is one cluster only, or all the variation is in one.`;
    found.push(warning("OneCluster", message, "add clusters, or leave the feature out."));
  }
  if (constant === "zero") {
    found.push(note("ConstantIsZero", "where a feature does not vary its correlation counts as 0.", "see `constant`."));
  }
  const few = compared
    .flatMap(({ inDomain, outOfDomain }) => [inDomain, outOfDomain])
    .filter(({ n }) => n > 0 && n < FEW_ROWS);
  if (few.length > 0) {
    const names = listShort(unique(few.map(({ domain, n }) => `${domain} (${n} rows)`)));
    found.push(warning("FewRows", `few rows in ${names}: only large differences can be seen.`, "add rows."));
  }
  return found;
}

const isLabel = ({ labels, inDomain, outOfDomain }: BiasComparison): boolean =>
  labels === "gold" && Math.abs(inDomain.value) > PERFECT && Math.abs(outOfDomain.value) > PERFECT;

const isExact = ({ inDomain, outOfDomain }: BiasComparison): boolean =>
  [inDomain, outOfDomain].some(({ value, lower, upper }) => lower === value && upper === value);

export function ngramDiagnostics({ asked, candidates, kept }: NgramTable): Diagnostic[] {
  if (!asked) return [];
  if (kept === 0) {
    return [
      warning("NoNgrams", "no n-gram occurs often enough in-domain.", "lower `ngrams.fewest`, or give more rows."),
    ];
  }
  if (candidates <= kept) return [];
  const message = `of ${candidates} n-grams the ${MOST_NGRAMS} most frequent were tested.`;
  return [note("NgramsCut", message, "raise `ngrams.fewest` to choose fewer.")];
}
