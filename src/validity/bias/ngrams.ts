/** Words and word sequences as bias features: which n-grams go with which class in-domain, and whether they do so elsewhere.
 *  For every n-gram w that occurs in enough in-domain rows and every class c: the smoothed pointwise mutual information of "w occurs"
 *  and "label is c" in each domain, φ of the same two facts, and the test of the difference of the φ (contrast.ts, robust).
 *  φ and the influence of a row depend on the four cells of w × c alone, so that counts suffice, per cluster where there are clusters
 *  (the delete-one-cluster jackknife of atanh φ, with Student's t).
 *  Reference: Gururangan et al. (2018), NAACL; Church & Hanks (1990), Comput. Linguist. 16; Zou (2007), Psychol. Methods 12.
 *  Oracle:    the same pairs through the general test; closed forms.
 *  Limits:    an n-gram counts once per row; of more than MOST_NGRAMS only the most frequent are kept, which the result says. */
import { criticalValue, jackknifeDeviations, satterthwaiteDf, twoSidedT, type Units } from "./contrast.ts";
import { wordsOf } from "./features.ts";
import { pointwiseInformation } from "./mutual-information.ts";

export interface NgramOptions {
  /** Longest sequence of words. */
  readonly longest?: number | undefined;
  /** In-domain rows that an n-gram must occur in. */
  readonly fewest?: number | undefined;
  /** Added to every cell before the pointwise mutual information. */
  readonly smoothing?: number | undefined;
}

export interface NgramAssociation {
  readonly rows: number;
  /** Rows with the n-gram. */
  readonly count: number;
  /** Smoothed, in bits. */
  readonly pmi: number;
  /** 0 where pmi is negative. */
  readonly positivePmi: number;
  /** φ of n-gram and class. */
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

export interface NgramPair {
  readonly ngram: string;
  readonly label: string;
  readonly domain: string;
  readonly inDomain: NgramAssociation;
  readonly outOfDomain: NgramAssociation;
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  readonly statistic: number;
  readonly p: number;
}

export interface NgramInput {
  readonly texts: readonly (string | null)[];
  readonly codes: Int32Array;
  readonly classes: readonly string[];
  readonly inside: Int32Array;
  readonly outside: readonly { readonly name: string; readonly rows: Int32Array }[];
  readonly units: Units;
  readonly confidence: number;
}

export const LONGEST = 1;
export const FEWEST = 10;
export const SMOOTHING = 1;
/** Keeps tests × rows within some seconds. */
export const MOST_NGRAMS = 20_000;

export function compareNgrams(
  input: NgramInput,
  { longest = LONGEST, fewest = FEWEST, smoothing = SMOOTHING }: NgramOptions,
): { readonly pairs: readonly NgramPair[]; readonly candidates: number; readonly kept: number } {
  const inside = indexNgrams(input, input.inside, { longest });
  const frequent = [...inside.rowsOf].filter(([, rows]) => rows.length >= fewest);
  frequent.sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const kept = frequent.slice(0, MOST_NGRAMS);
  const wanted = new Set(kept.map(([ngram]) => ngram));
  // of two classes the second mirrors the first
  const classes = input.classes.length === 2 ? [1] : input.classes.map((_, c) => c);
  const pairs: NgramPair[] = [];
  for (const { name, rows } of input.outside) {
    const outside = indexNgrams(input, rows, { longest, wanted });
    for (const [ngram, present] of kept) {
      const elsewhere = outside.rowsOf.get(ngram) ?? [];
      for (const c of classes) {
        const a = measureNgram(present, inside, { input, c, smoothing });
        const b = measureNgram(elsewhere, outside, { input, c, smoothing });
        pairs.push({ ngram, label: input.classes[c]!, domain: name, ...differ(a, b) });
      }
    }
  }
  return { pairs, candidates: frequent.length, kept: kept.length };
}

interface NgramIndex {
  /** Rows with a text and a label. */
  readonly rows: readonly number[];
  readonly rowsOf: ReadonlyMap<string, number[]>;
  readonly perClass: Float64Array;
  /** Unit of each row, numbered from 0 within the domain. */
  readonly local: ReadonlyMap<number, number>;
  /** Rows of each unit by class: unit × classes. */
  readonly perUnit: Float64Array;
}

function indexNgrams(
  { texts, codes, classes, units }: NgramInput,
  domain: Int32Array,
  { longest, wanted }: { readonly longest: number; readonly wanted?: ReadonlySet<string> },
): NgramIndex {
  const rows = Array.from(domain).filter((row) => texts[row] !== null && codes[row]! >= 0);
  const rowsOf = new Map<string, number[]>();
  const perClass = new Float64Array(classes.length);
  const local = new Map<number, number>();
  for (const row of rows) {
    perClass[codes[row]!]! += 1;
    if (!local.has(units.unit[row]!)) local.set(units.unit[row]!, local.size);
    for (const ngram of ngramsOf(texts[row]!, longest)) {
      if (wanted !== undefined && !wanted.has(ngram)) continue;
      const known = rowsOf.get(ngram);
      if (known === undefined) rowsOf.set(ngram, [row]);
      else known.push(row);
    }
  }
  const perUnit = new Float64Array(units.clustered ? local.size * classes.length : 0);
  if (units.clustered) {
    for (const row of rows) perUnit[local.get(units.unit[row]!)! * classes.length + codes[row]!]! += 1;
  }
  return { rows, rowsOf, perClass, local, perUnit };
}

/** All sequences of up to `longest` words, each once. */
export function ngramsOf(text: string, longest: number): Set<string> {
  const words = wordsOf(text);
  const found = new Set<string>();
  for (let length = 1; length <= longest; length++) {
    for (let start = 0; start + length <= words.length; start++)
      found.add(words.slice(start, start + length).join(" "));
  }
  return found;
}

interface MeasuredNgram extends NgramAssociation {
  readonly se: number;
  readonly df: number;
}

function measureNgram(
  present: readonly number[],
  index: NgramIndex,
  { input, c, smoothing }: { readonly input: NgramInput; readonly c: number; readonly smoothing: number },
): MeasuredNgram {
  const n = index.rows.length;
  const both = present.reduce((sum, row) => sum + (input.codes[row] === c ? 1 : 0), 0);
  const label = index.perClass[c]!;
  const counts = { both, feature: present.length, label, total: n, classes: input.classes.length };
  const pmi = pointwiseInformation(counts, smoothing);
  const cells = phiOfCells(both, present.length, { label, n });
  const { clustered } = input.units;
  const squares = clustered
    ? jackknifeVariance(present, index, { input, c })
    : cells.influence.reduce((sum, own, k) => sum + cells.counts[k]! * own * own, 0) / (n * (n - 3));
  const se = Math.sqrt(squares);
  const df = clustered ? index.local.size - 1 : Number.POSITIVE_INFINITY;
  const half = criticalValue(input.confidence, df) * se;
  const z = Math.atanh(cells.r);
  return {
    rows: n,
    count: present.length,
    pmi,
    positivePmi: Math.max(0, pmi),
    value: cells.r,
    lower: Math.tanh(z - half),
    upper: Math.tanh(z + half),
    se,
    df,
  };
}

/** φ, and the influence on atanh φ of a row in each cell: n-gram and class, n-gram only, class only, neither. */
function phiOfCells(
  both: number,
  feature: number,
  { label, n }: { readonly label: number; readonly n: number },
): { readonly r: number; readonly counts: readonly number[]; readonly influence: readonly number[] } {
  const [p, q] = [feature / n, label / n];
  const [sp, sq] = [Math.sqrt(p * (1 - p)), Math.sqrt(q * (1 - q))];
  const r = sp > 0 && sq > 0 ? (both / n - p * q) / (sp * sq) : Number.NaN;
  const influence = [
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ].map(([x, y]) => {
    const [zx, zy] = [(x! - p) / sp, (y! - q) / sq];
    return (zx * zy - (r * (zx * zx + zy * zy)) / 2) / (1 - r * r);
  });
  return { r, counts: [both, feature - both, label - both, n - feature - label + both], influence };
}

function jackknifeVariance(
  present: readonly number[],
  { local, perUnit, rows }: NgramIndex,
  { input, c }: { readonly input: NgramInput; readonly c: number },
): number {
  const width = input.classes.length;
  const count = local.size;
  if (count < 2) return Number.NaN;
  const [both, feature] = [new Float64Array(count), new Float64Array(count)];
  for (const row of present) {
    const g = local.get(input.units.unit[row]!)!;
    feature[g]! += 1;
    if (input.codes[row] === c) both[g]! += 1;
  }
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  const [allBoth, allFeature] = [sum(both), sum(feature)];
  const label = Float64Array.from({ length: count }, (_, g) => perUnit[g * width + c]!);
  const allLabel = sum(label);
  const without = Float64Array.from({ length: count }, (_, g) => {
    const size = perUnit.subarray(g * width, (g + 1) * width).reduce((total, value) => total + value, 0);
    const left = { label: allLabel - label[g]!, n: rows.length - size };
    return Math.atanh(phiOfCells(allBoth - both[g]!, allFeature - feature[g]!, left).r);
  });
  const deviations = jackknifeDeviations(without);
  return (deviations.reduce((total, own) => total + own * own, 0) * count) / (count - 1);
}

/** Clusters are taken to lie within one domain. */
function differ(a: MeasuredNgram, b: MeasuredNgram) {
  const { se: seA, df: _a, ...inDomain } = a;
  const { se: seB, df: _b, ...outOfDomain } = b;
  const difference = a.value - b.value;
  const statistic = (Math.atanh(a.value) - Math.atanh(b.value)) / Math.sqrt(seA ** 2 + seB ** 2);
  return {
    inDomain,
    outOfDomain,
    difference,
    lower: difference - Math.hypot(a.value - a.lower, b.upper - b.value),
    upper: difference + Math.hypot(a.upper - a.value, b.value - b.lower),
    statistic,
    p: twoSidedT(statistic, satterthwaiteDf(a, b)),
  };
}
