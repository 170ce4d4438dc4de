/** Levels of the eliminated factor, and which of them share their cross products: every item of a crossed design does.
 *
 *  Limits: levels are one pattern when their numbers agree to 1e-13, which is what another order of summing may change. */

/** The eliminated factor by patterns: q its size, p the number of columns of X. */
export interface LevelCross {
  readonly patterns: number;
  readonly size: number;
  /** Pattern of each level. */
  readonly patternOf: Int32Array;
  /** Levels per pattern. */
  readonly count: Float64Array;
  /** q × q blocks. */
  readonly A11: Float64Array;
  /** Entries start[p] … start[p+1]: column index[t] of Z2, ascending, and the q numbers A12[t·q …]. */
  readonly start: Int32Array;
  readonly index: Int32Array;
  readonly A12: Float64Array;
  /** q × p blocks. */
  readonly A1x: Float64Array;
}

/** Levels with equal blocks become one pattern, represented by the first of them. */
export function mergePatterns(all: LevelCross): LevelCross {
  const { size: q } = all;
  const p = all.A1x.length / (all.patterns * q);
  const known = new Map<number, number[]>();
  const patternOf = new Int32Array(all.patterns);
  const representative: number[] = [];
  const count: number[] = [];
  for (let level = 0; level < all.patterns; level++) {
    const key = levelHash(all, level, p);
    const candidates = known.get(key) ?? [];
    let pattern = candidates.find((c) => sameLevel(all, representative[c]!, level, p)) ?? -1;
    if (pattern < 0) {
      pattern = representative.length;
      known.set(key, [...candidates, pattern]);
      representative.push(level);
      count.push(0);
    }
    patternOf[level] = pattern;
    count[pattern]!++;
  }
  return {
    patterns: representative.length,
    size: q,
    patternOf,
    count: Float64Array.from(count),
    A11: pickBlocks(all.A11, representative, q * q),
    ...pickEntries(all, representative),
    A1x: pickBlocks(all.A1x, representative, q * p),
  };
}

function pickEntries({ size: q, start, index, A12 }: LevelCross, levels: readonly number[]) {
  const picked = new Int32Array(levels.length + 1);
  levels.forEach((l, r) => {
    picked[r + 1] = picked[r]! + start[l + 1]! - start[l]!;
  });
  const columns = new Int32Array(picked[levels.length]!);
  const values = new Float64Array(columns.length * q);
  levels.forEach((l, r) => {
    columns.set(index.subarray(start[l]!, start[l + 1]!), picked[r]!);
    values.set(A12.subarray(start[l]! * q, start[l + 1]! * q), picked[r]! * q);
  });
  return { start: picked, index: columns, A12: values };
}

function pickBlocks(values: Float64Array, blocks: readonly number[], size: number): Float64Array {
  const out = new Float64Array(blocks.length * size);
  blocks.forEach((b, r) => {
    out.set(values.subarray(b * size, (b + 1) * size), r * size);
  });
  return out;
}

/** Of numbers rounded to single precision: equal up to rounding gives the same key, save for rare ties, which only cost time. */
function levelHash(all: LevelCross, level: number, p: number): number {
  const { size: q, start } = all;
  let hash = 17;
  for (let t = start[level]!; t < start[level + 1]!; t++) hash = mix(hash, all.index[t]!);
  for (let t = start[level]! * q; t < start[level + 1]! * q; t++) hash = mix(hash, all.A12[t]!);
  for (let t = level * q * q; t < (level + 1) * q * q; t++) hash = mix(hash, all.A11[t]!);
  for (let t = level * q * p; t < (level + 1) * q * p; t++) hash = mix(hash, all.A1x[t]!);
  return hash;
}

/** Spreads neighbouring numbers over the keys; a power of two, so that the product is exact. */
const KEY_SCALE = 4096;

function mix(hash: number, value: number): number {
  const scaled = Math.fround(value) * KEY_SCALE;
  return (Math.imul(hash, 31) + (scaled | 0) + ((scaled / 2 ** 32) | 0)) | 0;
}

function sameLevel(all: LevelCross, a: number, b: number, p: number): boolean {
  const { size: q, start, index } = all;
  const k = start[a + 1]! - start[a]!;
  if (k !== start[b + 1]! - start[b]!) return false;
  for (let t = 0; t < k; t++) if (index[start[a]! + t] !== index[start[b]! + t]) return false;
  return (
    sameRun(all.A12, start[a]! * q, start[b]! * q, k * q) &&
    sameRun(all.A11, a * q * q, b * q * q, q * q) &&
    sameRun(all.A1x, a * q * p, b * q * p, q * p)
  );
}

/** Numbers that differ by less than this share of the largest beside them may come from one sum taken in another order. */
const SAME = 1e-13;

function sameRun(values: Float64Array, a: number, b: number, length: number): boolean {
  let scale = 0;
  for (let t = 0; t < length; t++) scale = Math.max(scale, Math.abs(values[a + t]!));
  for (let t = 0; t < length; t++) if (!(Math.abs(values[a + t]! - values[b + t]!) <= SAME * scale)) return false;
  return true;
}

/** Where each random effect of the other factors stands in the patterns: entry t of `index`, and the pattern that it belongs to. */
export interface ColumnEntries {
  readonly start: Int32Array;
  readonly entry: Int32Array;
  readonly pattern: Int32Array;
}

export function columnEntries({ patterns, start, index }: LevelCross, m: number): ColumnEntries {
  const from = new Int32Array(m + 1);
  for (const c of index) from[c + 1]!++;
  for (let c = 0; c < m; c++) from[c + 1]! += from[c]!;
  const next = from.slice();
  const entry = new Int32Array(index.length);
  const pattern = new Int32Array(index.length);
  for (let p = 0; p < patterns; p++) {
    for (let t = start[p]!; t < start[p + 1]!; t++) {
      const at = next[index[t]!]!++;
      entry[at] = t;
      pattern[at] = p;
    }
  }
  return { start: from, entry, pattern };
}
