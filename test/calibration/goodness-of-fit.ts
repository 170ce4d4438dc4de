/** P-values for judging random draws, written apart from src/numeric/dist so that neither can hide the other's fault. */

/** Upper tail of chi-square: Q(df/2, x/2), by series below the mean and continued fraction above it. */
export function chiSquareTail(x: number, df: number): number {
  const a = df / 2;
  const z = x / 2;
  if (!(z > 0)) return 1;
  const front = Math.exp(a * Math.log(z) - z - logGamma(a));
  if (z < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let k = 1; term > sum * 1e-16; k++) sum += term *= z / (a + k);
    return 1 - front * sum;
  }
  let b = z + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let k = 1; k < 10_000; k++) {
    const step = -k * (k - a);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * h;
}

/** Stirling's series after shifting the argument above 10. */
export function logGamma(x: number): number {
  let shift = 0;
  while (x < 10) shift -= Math.log(x++);
  const z = 1 / (x * x);
  const series = (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z / 1680))) / x;
  return shift + (x - 0.5) * Math.log(x) - x + 0.9189385332046728 + series;
}

/** P(Z > z) for a standard normal Z. */
export function normalTail(z: number): number {
  return z < 0 ? 1 - normalTail(-z) : chiSquareTail(z * z, 1) / 2;
}

/** Pearson's test of counts against probabilities; neighbouring cells are pooled until they expect at least 5. */
export function chiSquareTest(counts: ArrayLike<number>, probabilities: ArrayLike<number>): number {
  let n = 0;
  for (let j = 0; j < counts.length; j++) n += counts[j]!;
  const cells: { observed: number; expected: number }[] = [];
  let observed = 0;
  let expected = 0;
  for (let j = 0; j < counts.length; j++) {
    if (probabilities[j] === 0 && counts[j]! > 0) return 0;
    observed += counts[j]!;
    expected += n * probabilities[j]!;
    if (expected >= 5) {
      cells.push({ observed, expected });
      observed = 0;
      expected = 0;
    }
  }
  if (cells.length < 2) throw new Error("a chi-square test needs two cells that expect 5 or more");
  cells[cells.length - 1]!.observed += observed;
  cells[cells.length - 1]!.expected += expected;
  let statistic = 0;
  for (const cell of cells) statistic += (cell.observed - cell.expected) ** 2 / cell.expected;
  return chiSquareTail(statistic, cells.length - 1);
}

export function uniformChiSquareTest(counts: ArrayLike<number>): number {
  return chiSquareTest(counts, new Float64Array(counts.length).fill(1 / counts.length));
}

export function twoSidedNormalTest(z: number): number {
  return 2 * normalTail(Math.abs(z));
}

/** Two-sided: twice the smaller tail of Poisson(mean) at an observed count, at most 1. */
export function poissonTest(count: number, mean: number): number {
  // P(X >= k) = P(chi-square with 2k df < 2 mean)
  const atLeast = count === 0 ? 1 : 1 - chiSquareTail(2 * mean, 2 * count);
  const atMost = chiSquareTail(2 * mean, 2 * (count + 1));
  return Math.min(1, 2 * Math.min(atLeast, atMost));
}

/** Kolmogorov-Smirnov test that the values, already sent through their distribution function, are uniform. */
export function kolmogorovSmirnovTest(values: Float64Array): number {
  const sorted = values.slice().sort();
  const n = sorted.length;
  let distance = 0;
  for (let i = 0; i < n; i++) {
    distance = Math.max(distance, (i + 1) / n - sorted[i]!, sorted[i]! - i / n);
  }
  // Stephens' correction for finite n.
  const lambda = (Math.sqrt(n) + 0.12 + 0.11 / Math.sqrt(n)) * distance;
  if (lambda < 0.3) return 1;
  let sum = 0;
  for (let k = 1; k <= 100; k++) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda);
  return Math.min(1, Math.max(0, sum));
}
