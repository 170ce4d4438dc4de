/** Statistical battery for the random streams. Every entry is a p-value that is uniform if the draws are right.
 *  `scale` multiplies the sample sizes: 1 takes about a second, 50 a minute. */
import type { Rng } from "../../src/numeric/rng.ts";
import {
  chiSquareTail,
  chiSquareTest,
  kolmogorovSmirnovTest,
  logGamma,
  normalTail,
  poissonTest,
  twoSidedNormalTest,
  uniformChiSquareTest,
} from "./goodness-of-fit.ts";

export interface BatteryEntry {
  readonly name: string;
  readonly p: number;
}

export function rngBattery(root: Rng, scale = 1): BatteryEntry[] {
  const parts = [bitTests, sequenceTests, spacingTests, continuousTests, normalTests, signTests];
  const more = [integerTests, binomialTests, multinomialTests, orderTests, streamTests];
  return [...parts, ...more].flatMap((part, i) => part(root.stream(i), scale));
}

/** What the battery says as a whole. With m tests the smallest p-value may be as low as alpha/m, and the p-values must
 *  look uniform together. */
export function judgeBattery(entries: readonly BatteryEntry[], alpha: number): string[] {
  const faults = entries
    .filter(({ p }) => !(p >= alpha / entries.length))
    .map(({ name, p }) => `${name}: p = ${p.toExponential(2)}`);
  const together = kolmogorovSmirnovTest(Float64Array.from(entries, (entry) => entry.p));
  if (!(together >= alpha)) faults.push(`the p-values are not uniform: p = ${together.toExponential(2)}`);
  return faults;
}

function bitTests(rng: Rng, scale: number): BatteryEntry[] {
  const n = 65_536 * scale;
  const bytes = [0, 1, 2, 3].map(() => new Int32Array(256));
  const pairs = new Int32Array(4096);
  const lowPairs = new Int32Array(4096);
  for (let i = 0; i < n; i++) {
    const first = rng.bits();
    const second = rng.bits();
    for (let j = 0; j < 4; j++) bytes[j]![(first >>> (8 * j)) & 255]! += 1;
    pairs[((first >>> 26) << 6) | (second >>> 26)]! += 1;
    lowPairs[((first & 63) << 6) | (second & 63)]! += 1;
  }
  return [
    ...bytes.map((counts, j) => ({ name: `byte ${j}`, p: uniformChiSquareTest(counts) })),
    { name: "pairs of high bits", p: uniformChiSquareTest(pairs) },
    { name: "pairs of low bits", p: uniformChiSquareTest(lowPairs) },
  ];
}

function sequenceTests(rng: Rng, scale: number): BatteryEntry[] {
  const n = 100_000 * scale;
  const u = new Float64Array(n);
  rng.fillUniform(u);
  const entries = [1, 2, 3, 7, 8, 16].map((lag) => {
    let sum = 0;
    for (let i = 0; i + lag < n; i++) sum += (u[i]! - 0.5) * (u[i + lag]! - 0.5);
    return { name: `serial correlation, lag ${lag}`, p: twoSidedNormalTest((12 * sum) / Math.sqrt(n - lag)) };
  });
  let runs = 1;
  let above = u[0]! >= 0.5 ? 1 : 0;
  for (let i = 1; i < n; i++) {
    if (u[i]! >= 0.5 !== u[i - 1]! >= 0.5) runs += 1;
    if (u[i]! >= 0.5) above += 1;
  }
  const expected = (2 * above * (n - above)) / n + 1;
  const sd = Math.sqrt(((expected - 1) * (expected - 2)) / (n - 1));
  return [...entries, { name: "runs about the median", p: twoSidedNormalTest((runs - expected) / sd) }, gaps(u)];
}

/** Lengths of the gaps between visits to [0, 0.1) are geometric. */
function gaps(u: Float64Array): BatteryEntry {
  const longest = 60;
  const counts = new Int32Array(longest + 1);
  const probabilities = Float64Array.from({ length: longest + 1 }, (_, k) =>
    k < longest ? 0.1 * 0.9 ** k : 0.9 ** longest,
  );
  let gap = 0;
  for (const value of u) {
    if (value >= 0.1) gap += 1;
    else {
      counts[Math.min(gap, longest)]! += 1;
      gap = 0;
    }
  }
  return { name: "gaps", p: chiSquareTest(counts, probabilities) };
}

/** Marsaglia's birthday spacings: 512 birthdays in a year of 2^24 days; repeated spacings are Poisson(512³/2^26 = 2). */
function spacingTests(rng: Rng, scale: number): BatteryEntry[] {
  const days = new Float64Array(512);
  const probabilities = Float64Array.from({ length: 12 }, (_, k) => Math.exp(k * Math.log(2) - 2 - logGamma(k + 1)));
  probabilities[11] = 1 - probabilities.slice(0, 11).reduce((a, b) => a + b);
  return [8, 4, 0].map((shift) => {
    const counts = new Int32Array(12);
    for (let year = 0; year < 500 * scale; year++) {
      for (let i = 0; i < days.length; i++) days[i] = (rng.bits() >>> shift) & 0xffffff;
      days.sort();
      const spacings = days.map((day, i) => (i === 0 ? day : day - days[i - 1]!)).sort();
      let repeated = 0;
      for (let i = 1; i < spacings.length; i++) if (spacings[i] === spacings[i - 1]) repeated += 1;
      counts[Math.min(repeated, 11)]! += 1;
    }
    return { name: `birthday spacings of bits ${shift}-${shift + 23}`, p: chiSquareTest(counts, probabilities) };
  });
}

function continuousTests(rng: Rng, scale: number): BatteryEntry[] {
  const n = 50_000 * scale;
  const draw = (f: () => number): number => kolmogorovSmirnovTest(Float64Array.from({ length: n }, f));
  const laplace = (): number => {
    const x = (rng.laplace(3, 2) - 3) / 2;
    return x < 0 ? Math.exp(x) / 2 : 1 - Math.exp(-x) / 2;
  };
  return [
    { name: "uniform, Kolmogorov-Smirnov", p: draw(() => rng.uniform()) },
    { name: "exponential, Kolmogorov-Smirnov", p: draw(() => Math.exp(-rng.exponential())) },
    { name: "Laplace, Kolmogorov-Smirnov", p: draw(laplace) },
    { name: "normal, Kolmogorov-Smirnov", p: draw(() => normalTail(rng.normal())) },
  ];
}

/** Moments, cells, and the tail: its counts, and its shape beyond the last ziggurat layer. */
function normalTests(rng: Rng, scale: number): BatteryEntry[] {
  const n = 2_000_000 * scale;
  const limits = [2, 3, 3.6541528853610088, 4, 4.5, 5];
  const beyond = limits.map(() => 0);
  const cells = new Int32Array(400);
  const tail: number[] = [];
  const power = [0, 0, 0, 0, 0];
  let negative = 0;
  for (let i = 0; i < n; i++) {
    const x = rng.normal();
    const size = Math.abs(x);
    if (x < 0) negative += 1;
    power[1]! += x;
    power[2]! += x * x;
    power[3]! += x * x * x;
    power[4]! += x * x * x * x;
    if (size > limits[2]!) tail.push(normalTail(size) / normalTail(limits[2]!));
    if (size > 2) for (let j = 0; j < limits.length; j++) if (size > limits[j]!) beyond[j]! += 1;
    if (size < 4) cells[Math.floor((x + 4) * 50)]! += 1;
  }
  const inside = 1 - 2 * normalTail(4);
  const widths = Float64Array.from(
    { length: 400 },
    (_, j) => (normalTail(j / 50 - 4) - normalTail((j + 1) / 50 - 4)) / inside,
  );
  return [
    { name: "normal, mean", p: twoSidedNormalTest(power[1]! / Math.sqrt(n)) },
    { name: "normal, variance", p: twoSidedNormalTest((power[2]! - n) / Math.sqrt(2 * n)) },
    { name: "normal, third moment", p: twoSidedNormalTest(power[3]! / Math.sqrt(15 * n)) },
    { name: "normal, fourth moment", p: twoSidedNormalTest((power[4]! - 3 * n) / Math.sqrt(96 * n)) },
    { name: "normal, sign", p: twoSidedNormalTest((2 * negative - n) / Math.sqrt(n)) },
    { name: "normal, cells of width 0.02", p: chiSquareTest(cells, widths) },
    { name: "normal, shape of the tail", p: kolmogorovSmirnovTest(Float64Array.from(tail)) },
    ...limits.map((limit, j) => ({
      name: `normal, beyond ${limit}`,
      p: poissonTest(beyond[j]!, 2 * n * normalTail(limit)),
    })),
  ];
}

function signTests(rng: Rng, scale: number): BatteryEntry[] {
  const n = 20_000 * scale;
  const ones = new Float64Array(32);
  const both = new Float64Array(32 * 32);
  for (let i = 0; i < n; i++) {
    const signs = rng.signBits();
    for (let a = 0; a < 32; a++) {
      const sa = (signs >>> a) & 1 ? 1 : -1;
      ones[a]! += sa;
      for (let b = 0; b < a; b++) both[a * 32 + b]! += (signs >>> b) & 1 ? sa : -sa;
    }
  }
  const sumOfSquares = (sums: Float64Array): number => sums.reduce((total, sum) => total + (sum * sum) / n, 0);
  return [
    { name: "signs, balance of each bit", p: chiSquareTail(sumOfSquares(ones), 32) },
    { name: "signs, correlation of each pair of bits", p: chiSquareTail(sumOfSquares(both), 496) },
  ];
}

/** The awkward sizes: 3 * 2^30 would favour a third of its values by 2 : 1 under a plain modulus. */
function integerTests(rng: Rng, scale: number): BatteryEntry[] {
  return [2, 3, 6, 1000, 3 * 2 ** 20 + 1, 3 * 2 ** 30, 2 ** 32, 2 ** 32 + 1, 3 * 2 ** 51].map((n) => {
    const cells = Math.min(n, 1002);
    const counts = new Int32Array(cells);
    for (let i = 0; i < 30_000 * scale; i++) counts[Math.floor((rng.int(n) / n) * cells)]! += 1;
    return { name: `int(${n})`, p: uniformChiSquareTest(counts) };
  });
}

/** n p from far below to far above the border at 10 between inversion and rejection. */
export const BINOMIAL_GRID: readonly (readonly [n: number, p: number])[] = [
  [1, 0.3],
  [7, 0.5],
  [10, 0.97],
  [20, 0.499],
  [20, 0.5],
  [20, 0.501],
  [99, 0.1],
  [100, 0.1],
  [101, 0.1],
  [1000, 0.0099],
  [1000, 0.0101],
  [1000, 0.99],
  [40, 0.3],
  [500, 0.5],
  [5000, 0.02],
  [100_000, 0.9],
  [2_000_000_000, 1e-9],
  [2_000_000_000, 2e-8],
];

function binomialTests(rng: Rng, scale: number): BatteryEntry[] {
  return BINOMIAL_GRID.map(([n, p]) => {
    const sd = Math.sqrt(n * p * (1 - p));
    const low = Math.max(0, Math.floor(n * p - 8 * sd - 8));
    const high = Math.min(n, Math.ceil(n * p + 8 * sd + 8));
    const counts = new Int32Array(high - low + 1);
    for (let i = 0; i < 20_000 * scale; i++) {
      const k = rng.binomial(n, p);
      // A draw beyond eight standard deviations is counted at the edge, where it fails the test.
      counts[Math.min(Math.max(k, low), high) - low]! += 1;
    }
    const exact = Float64Array.from(counts, (_, j) => binomialProbability(low + j, n, p));
    return { name: `binomial(${n}, ${p})`, p: chiSquareTest(counts, exact) };
  });
}

export function binomialProbability(k: number, n: number, p: number): number {
  const choose = logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
  return Math.exp(choose + k * Math.log(p) + (n - k) * Math.log1p(-p));
}

function multinomialTests(rng: Rng, scale: number): BatteryEntry[] {
  const weights = [2, 0, 3, 5];
  const target = new Int32Array(4);
  const joint = new Int32Array(64);
  const wide = new Int32Array(61);
  const picks = new Int32Array(4);
  for (let i = 0; i < 20_000 * scale; i++) {
    rng.multinomialInto(target, 3, weights);
    joint[target[0]! * 16 + target[2]! * 4 + target[3]!]! += 1;
    rng.multinomialInto(target, 60, weights);
    wide[target[2]!]! += 1;
    picks[rng.categorical([2, 2, 5, 10])]! += 1;
  }
  const factorial = [1, 1, 2, 6];
  const exact = Float64Array.from(joint, (_, cell) => {
    const [a, b, c] = [cell >> 4, (cell >> 2) & 3, cell & 3];
    if (a + b + c !== 3) return 0;
    return (6 * 0.2 ** a * 0.3 ** b * 0.5 ** c) / (factorial[a]! * factorial[b]! * factorial[c]!);
  });
  const marginal = Float64Array.from(wide, (_, k) => binomialProbability(k, 60, 0.3));
  return [
    { name: "multinomial(3), joint", p: chiSquareTest(joint, exact) },
    { name: "multinomial(60), one category", p: chiSquareTest(wide, marginal) },
    { name: "categorical", p: chiSquareTest(picks, [0.2, 0, 0.3, 0.5]) },
  ];
}

function orderTests(rng: Rng, scale: number): BatteryEntry[] {
  const orders = new Int32Array(256);
  const subsets = new Int32Array(36);
  const resamples = new Int32Array(7);
  const four = new Int32Array(4);
  const two = new Int32Array(2);
  for (let i = 0; i < 20_000 * scale; i++) {
    four.set([0, 1, 2, 3]);
    rng.shuffleInto(four);
    orders[four[0]! * 64 + four[1]! * 16 + four[2]! * 4 + four[3]!]! += 1;
    rng.sampleWithoutReplacementInto(two, 6);
    subsets[two[0]! * 6 + two[1]!]! += 1;
    rng.sampleWithReplacementInto(two, 7);
    resamples[two[1]!]! += 1;
  }
  const isOrder = (_: number, cell: number): number =>
    new Set([cell >> 6, (cell >> 4) & 3, (cell >> 2) & 3, cell & 3]).size === 4 ? 1 / 24 : 0;
  const isSubset = (_: number, cell: number): number => (Math.floor(cell / 6) < cell % 6 ? 1 / 15 : 0);
  return [
    { name: "orders of four", p: chiSquareTest(orders, Float64Array.from(orders, isOrder)) },
    { name: "pairs out of six", p: chiSquareTest(subsets, Float64Array.from(subsets, isSubset)) },
    { name: "draws out of seven", p: uniformChiSquareTest(resamples) },
  ];
}

/** Neighbouring streams: are their draws independent of each other, and is the draw of a fixed place random over streams? */
function streamTests(rng: Rng, scale: number): BatteryEntry[] {
  const length = 100;
  const count = 1000 * scale;
  const pairs = new Int32Array(1024);
  const bytes = new Int32Array(256);
  const nestedBytes = new Int32Array(256);
  let cross = 0;
  let shifted = 0;
  let crossSquares = 0;
  let previous = new Float64Array(length);
  rng.stream(0).fillNormal(previous);
  for (let i = 1; i <= count; i++) {
    const stream = rng.stream(i);
    const current = new Float64Array(length);
    stream.fillNormal(current);
    let sum = 0;
    for (let j = 0; j < length; j++) sum += current[j]! * previous[j]!;
    for (let j = 1; j < length; j++) shifted += current[j]! * previous[j - 1]!;
    cross += sum;
    crossSquares += (sum * sum) / length;
    previous = current;
    for (let place = 0; place < 20; place++) {
      const a = rng.stream(40 * i + 2 * place).bits();
      const b = rng.stream(40 * i + 2 * place + 1).bits();
      pairs[((a >>> 27) << 5) | (b >>> 27)]! += 1;
      bytes[a & 255]! += 1;
      nestedBytes[stream.stream(place).bits() & 255]! += 1;
    }
  }
  // Var(sum²/length) of a sum of `length` products of independent normals is 2 + 6/length; neighbouring terms share a
  // stream, which adds a covariance of 2/length on either side.
  const spread = Math.sqrt(count * (2 + 10 / length));
  return [
    { name: "streams, cross-correlation", p: twoSidedNormalTest(cross / Math.sqrt(count * length)) },
    { name: "streams, squared cross-correlation", p: twoSidedNormalTest((crossSquares - count) / spread) },
    { name: "streams, shifted correlation", p: twoSidedNormalTest(shifted / Math.sqrt(count * (length - 1))) },
    { name: "streams, pairs of first draws", p: uniformChiSquareTest(pairs) },
    { name: "streams, byte of first draws", p: uniformChiSquareTest(bytes) },
    { name: "nested streams, byte of first draws", p: uniformChiSquareTest(nestedBytes) },
  ];
}
