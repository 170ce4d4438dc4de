/** Exact unconditional McNemar test: the number m of discordant pairs is random too, Binomial(n, ψ), and the p value is the largest
 *  over ψ of    P(Z >= z) = Σ_m Bin(m; n, ψ) g(m),   g(m) = P(X >= (m + z√m)/2 | X ~ Binomial(m, ½)),   z = (b - c)/√(b + c),
 *  two-sided with |Z|. g is worked out once for every m; a table without discordant pairs has Z = 0.
 *  Reference: Suissa & Shuster (1991), Biometrics 47; Fagerland, Lydersen & Laake (2013), BMC Med. Res. Meth. 13, 91.
 *  Oracle:    enumeration of all tables on a fine grid of ψ for n <= 30.
 *  Limits:    the maximum is searched on a grid that is dense at both ends, then refined; cost O(n) for g and O(√n) for each ψ. */
import { binomialPmf, binomialSf } from "../../numeric/dist/binomial.ts";
import { minimizeBrent } from "../../numeric/optim/brent.ts";
import type { Alternative } from "../../resample/permutation.ts";

/** Beyond this many standard deviations a binomial has less than 1e-18 of its mass. */
const REACH = 9;
/** Points per end of the grid, and in the middle. */
const GRID = 160;
/** Peaks of the grid that are refined. */
const REFINED = 6;
/** z√m/2 that should be whole is off by rounding. */
const STEP_ROUNDING = 1e-9;
/** Steps between fresh starts of the recurrence: rounding stays below 1e-13. */
const RESTART = 512;

export function mcnemarUnconditionalP(b: number, c: number, n: number, alternative: Alternative = "two-sided"): number {
  if (b + c === 0) return 1;
  if (alternative === "less") return mcnemarUnconditionalP(c, b, n, "greater");
  const z = (b - c) / Math.sqrt(b + c);
  return unconditionalTail(alternative === "two-sided" ? Math.abs(z) : z, n, alternative === "two-sided");
}

/** The largest P(Z >= z), or P(|Z| >= z), over the discordance rate: the p value as a function of the statistic. */
export function unconditionalTail(z: number, n: number, twoSided: boolean): number {
  const tail = makeTail(z, n, twoSided);
  const at = (psi: number): number => averageTail(psi, n, tail);
  const grid = discordanceGrid(n);
  const values = grid.map(at);
  const peaks = grid
    .map((_, i) => i)
    .filter((i) => values[i]! >= (values[i - 1] ?? 0) && values[i]! >= (values[i + 1] ?? 0))
    .sort((i, j) => values[j]! - values[i]!)
    .slice(0, REFINED);
  let largest = 0;
  for (const i of peaks) {
    const lo = grid[Math.max(0, i - 1)]!;
    const hi = grid[Math.min(grid.length - 1, i + 1)]!;
    const refined = lo < hi ? -minimizeBrent((psi) => -at(psi), lo, hi).value : 0;
    largest = Math.max(largest, values[i]!, refined);
  }
  return Math.min(1, largest);
}

/** g(0), …, g(n). From one m to the next   P(X_{m+1} >= k) = P(X_m >= k) + ½ P(X_m = k - 1),   and a new k takes off one probability:
 *  a few operations each, with a fresh start now and then to keep rounding from adding up. */
function makeTail(z: number, n: number, twoSided: boolean): Float64Array {
  const g = new Float64Array(n + 1);
  g[0] = z <= 0 ? 1 : 0;
  let k = Number.NaN;
  let upper = Number.NaN;
  let below = Number.NaN; // P(X_m = k - 1)
  for (let m = 1; m <= n; m++) {
    const least = Math.ceil((m + z * Math.sqrt(m)) / 2 - STEP_ROUNDING);
    if (least > m || least <= 0) {
      g[m] = least > m ? 0 : 1;
      k = Number.NaN;
      continue;
    }
    const steps = least - k;
    if (m % RESTART === 0 || !(steps === 0 || steps === 1)) {
      upper = binomialSf(least - 1, m, 0.5);
      below = binomialPmf(least - 1, m, 0.5);
    } else {
      upper += below / 2;
      below *= m / (2 * (m - k + 1)); // the same count among one more
      if (steps === 1) {
        const own = (below * (m - k + 1)) / k; // P(X_m = k)
        upper -= own;
        below = own;
      }
    }
    k = least;
    g[m] = twoSided ? (2 * least <= m ? 1 : Math.min(1, 2 * upper)) : upper;
  }
  return g;
}

function averageTail(psi: number, n: number, tail: Float64Array): number {
  if (psi <= 0) return tail[0]!;
  if (psi >= 1) return tail[n]!;
  const mean = n * psi;
  // the skew end of a small mean reaches further
  const reach = REACH * Math.sqrt(mean * (1 - psi)) + 4 * REACH;
  const from = Math.max(0, Math.floor(mean - reach));
  const to = Math.min(n, Math.ceil(mean + reach));
  // neighbours by their ratio, from the mode outwards
  const mode = Math.min(to, Math.max(from, Math.floor((n + 1) * psi)));
  const odds = psi / (1 - psi);
  const top = binomialPmf(mode, n, psi);
  let sum = top * tail[mode]!;
  for (let m = mode + 1, p = top; m <= to; m++) {
    p *= ((n - m + 1) / m) * odds;
    sum += p * tail[m]!;
  }
  for (let m = mode - 1, p = top; m >= from; m--) {
    p *= (m + 1) / (n - m) / odds;
    sum += p * tail[m]!;
  }
  return sum;
}

/** From 0.05/n upwards by equal ratios, the same from 1 downwards, and equal steps between. */
function discordanceGrid(n: number): number[] {
  const points = new Set<number>([0, 1]);
  const ratio = (0.5 / (0.05 / n)) ** (1 / GRID);
  for (let i = 0, psi = 0.05 / n; i <= GRID; i++, psi *= ratio) {
    points.add(psi);
    points.add(1 - psi);
  }
  for (let i = 1; i < GRID; i++) points.add(i / GRID);
  return [...points].filter((psi) => psi >= 0 && psi <= 1).sort((a, b) => a - b);
}
