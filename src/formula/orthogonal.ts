/** Orthonormal polynomials over a set of points, by Forsythe's three-term recurrence:
 *    p0 = 1,  p1 = x - a0,  p(j+1) = (x - aj) pj - (Nj / N(j-1)) p(j-1),   aj = Σ x pj² / Nj,  Nj = Σ pj²
 *  Column j is pj / √Nj. The numbers aj and Nj are all that new points need, so predictions use the same polynomials.
 *  Reference: Forsythe (1957), J. SIAM 5:74; Kennedy & Gentle (1980), Statistical Computing, p. 343.
 *  Oracle:    R's poly() and contr.poly(), oracle/r/design.json.
 *  Limits:    meant for low degrees; orthogonality fades beyond about degree 15. */
export interface OrthogonalBasis {
  /** a0 … a(d-1). */
  readonly alpha: readonly number[];
  /** N0 … Nd. */
  readonly norm2: readonly number[];
}

/** Learns the recurrence from the points that are not missing; undefined if they are too few for the degree. */
export function learnOrthogonal(x: Float64Array, degree: number): OrthogonalBasis | undefined {
  const points = x.filter((value) => !Number.isNaN(value));
  if (!hasMoreThan(points, degree)) return undefined;
  const alpha: number[] = [];
  const norm2: number[] = [points.length];
  let before: Float64Array = new Float64Array(points.length);
  let current: Float64Array = new Float64Array(points.length).fill(1);
  for (let j = 0; j < degree; j += 1) {
    alpha.push(weightedMean(points, current));
    const next = stepOf(points, current, { before, alpha: alpha[j]!, ratio: ratioAt(norm2, j) });
    // One more pass against the two predecessors restores what cancellation took.
    removeComponent(next, current);
    if (j > 0) removeComponent(next, before);
    norm2.push(sumOfSquares(next));
    before = current;
    current = next;
  }
  return { alpha, norm2 };
}

/** Whether the points take more than so many different values. */
function hasMoreThan(points: Float64Array, count: number): boolean {
  const seen = new Set<number>();
  for (let i = 0; i < points.length && seen.size <= count; i += 1) seen.add(points[i]!);
  return seen.size > count;
}

/** Columns 1 … degree at the given points; missing stays missing. */
export function orthogonalColumns(x: Float64Array, { alpha, norm2 }: OrthogonalBasis): Float64Array[] {
  let before: Float64Array = new Float64Array(x.length);
  let current: Float64Array = new Float64Array(x.length).fill(1);
  return alpha.map((a, j) => {
    const next = stepOf(x, current, { before, alpha: a, ratio: ratioAt(norm2, j) });
    before = current;
    current = next;
    const scale = Math.sqrt(norm2[j + 1]!);
    return next.map((value) => value / scale);
  });
}

function ratioAt(norm2: readonly number[], j: number): number {
  return j === 0 ? 0 : norm2[j]! / norm2[j - 1]!;
}

function stepOf(
  x: Float64Array,
  current: Float64Array,
  { before, alpha, ratio }: { before: Float64Array; alpha: number; ratio: number },
): Float64Array {
  const next = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += 1) next[i] = (x[i]! - alpha) * current[i]! - ratio * before[i]!;
  return next;
}

/** Σ x p² / Σ p², about the first point so that a distant origin costs no digits. */
function weightedMean(x: Float64Array, p: Float64Array): number {
  const origin = x[0]!;
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < x.length; i += 1) {
    const square = p[i]! * p[i]!;
    sum += (x[i]! - origin) * square;
    weight += square;
  }
  return origin + sum / weight;
}

function removeComponent(target: Float64Array, p: Float64Array): void {
  let dot = 0;
  for (let i = 0; i < p.length; i += 1) dot += target[i]! * p[i]!;
  const factor = dot / sumOfSquares(p);
  for (let i = 0; i < p.length; i += 1) target[i]! -= factor * p[i]!;
}

function sumOfSquares(p: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < p.length; i += 1) sum += p[i]! * p[i]!;
  return sum;
}
