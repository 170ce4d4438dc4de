/** Edit distance between a hypothesis and a reference in a band around the diagonal, and what one shift of a block would make
 *  of it.   D[i][j]: cheapest way from i words of the hypothesis to j words of the reference
 *  A shift changes the words p … q-1 only. With D of the rows up to p and the cheapest ways to the end E from row q on, the new
 *  distance is min_j D'[q][j] + E[q][j], so that only the rows p+1 … q are computed again.
 *  The band, the preference among equal ways (match or substitution, then dropping a word of the hypothesis, then adding one of
 *  the reference) and all limits are tercom's, since the alignment decides which shifts are tried.
 *  Reference: Snover et al. (2006), AMTA; tercom 0.7.25. */

const BEAM = 25;
const FAR = 1 << 29;
const SAME = 0;
const SUBSTITUTE = 1;
const DROP = 2;
const ADD = 3;

export class BandedDistance {
  private reference: Int32Array = new Int32Array(0);
  private hypothesis: Int32Array = new Int32Array(0);
  private n = 0;
  private m = 0;
  /** Row i covers the columns low[i] … high[i] - 1 and lies at start[i] of the tables. */
  private low = new Int32Array(0);
  private high = new Int32Array(0);
  private start = new Int32Array(0);
  private forward = new Int32Array(0);
  private backward = new Int32Array(0);
  private way = new Uint8Array(0);
  private row = new Int32Array(0);
  private nextRow = new Int32Array(0);
  /** Hypothesis position to which each reference word is aligned; -1 before the first. */
  alignment = new Int32Array(0);
  /** 1 where a word is part of an error. */
  hypothesisErrors = new Uint8Array(0);
  referenceErrors = new Uint8Array(0);

  /** Sets the pair and its band. The hypothesis may be rearranged later, but keeps its length. */
  open(hypothesis: Int32Array, reference: Int32Array): void {
    const n = hypothesis.length;
    const m = reference.length;
    this.hypothesis = hypothesis;
    this.reference = reference;
    this.n = n;
    this.m = m;
    if (this.low.length < n + 1) {
      this.low = new Int32Array(2 * n + 2);
      this.high = new Int32Array(2 * n + 2);
      this.start = new Int32Array(2 * n + 2);
      this.hypothesisErrors = new Uint8Array(2 * n + 2);
    }
    if (this.row.length < m + 2) {
      this.row = new Int32Array(2 * m + 2);
      this.nextRow = new Int32Array(2 * m + 2);
      this.alignment = new Int32Array(2 * m + 2);
      this.referenceErrors = new Uint8Array(2 * m + 2);
    }
    const cells = this.setBand();
    if (this.forward.length < cells) {
      this.forward = new Int32Array(2 * cells);
      this.backward = new Int32Array(2 * cells);
      this.way = new Uint8Array(2 * cells);
    }
  }

  private setBand(): number {
    const n = this.n;
    const m = this.m;
    const ratio = n > 0 ? m / n : 1;
    // a reference so much longer that bands of neighbouring rows would not meet
    const beam = BEAM < ratio / 2 ? Math.ceil(ratio / 2 + BEAM) : BEAM;
    let cells = 0;
    for (let i = 0; i <= n; i++) {
      const diagonal = Math.floor(i * ratio);
      this.low[i] = i === 0 ? 0 : Math.max(0, diagonal - beam);
      this.high[i] = i === 0 || i === n ? m + 1 : Math.min(m + 1, diagonal + beam);
      this.start[i] = cells;
      cells += Math.max(0, this.high[i]! - this.low[i]!);
    }
    return cells;
  }

  /** The distance of the pair as it stands; also fills the alignment and what `distanceAfter` needs. */
  measure(): number {
    this.fillForward();
    this.traceAlignment();
    this.fillBackward();
    return this.forward[this.start[this.n]! + this.m - this.low[this.n]!]!;
  }

  private fillForward(): void {
    const forward = this.forward;
    const way = this.way;
    for (let j = 0; j <= this.m; j++) {
      forward[j] = j;
      way[j] = ADD;
    }
    for (let i = 1; i <= this.n; i++) {
      const word = this.hypothesis[i - 1]!;
      const above = this.start[i - 1]! - this.low[i - 1]!;
      const here = this.start[i]! - this.low[i]!;
      const [aboveLow, aboveHigh] = [this.low[i - 1]!, this.high[i - 1]!];
      let left = FAR;
      for (let j = this.low[i]!; j < this.high[i]!; j++) {
        let best = FAR;
        let op = SAME;
        if (j > aboveLow && j <= aboveHigh) {
          const same = this.reference[j - 1] === word;
          best = forward[above + j - 1]! + (same ? 0 : 1);
          op = same ? SAME : SUBSTITUTE;
        }
        if (j >= aboveLow && j < aboveHigh && forward[above + j]! + 1 < best) {
          best = forward[above + j]! + 1;
          op = DROP;
        }
        if (left + 1 < best) {
          best = left + 1;
          op = ADD;
        }
        forward[here + j] = left = best;
        way[here + j] = op;
      }
    }
  }

  private fillBackward(): void {
    const backward = this.backward;
    const n = this.n;
    const m = this.m;
    for (let j = this.low[n]!; j <= m; j++) backward[this.start[n]! + j - this.low[n]!] = m - j;
    for (let i = n - 1; i >= 0; i--) {
      const word = this.hypothesis[i]!;
      const below = this.start[i + 1]! - this.low[i + 1]!;
      const here = this.start[i]! - this.low[i]!;
      const [belowLow, belowHigh] = [this.low[i + 1]!, this.high[i + 1]!];
      let right = FAR;
      for (let j = this.high[i]! - 1; j >= this.low[i]!; j--) {
        let best = right + 1;
        if (j >= belowLow && j < belowHigh) best = Math.min(best, backward[below + j]! + 1);
        if (j + 1 >= belowLow && j + 1 < belowHigh) {
          best = Math.min(best, backward[below + j + 1]! + (this.reference[j] === word ? 0 : 1));
        }
        backward[here + j] = right = Math.min(best, FAR);
      }
    }
  }

  private traceAlignment(): void {
    let i = this.n;
    let j = this.m;
    while (i > 0 || j > 0) {
      const op = this.way[this.start[i]! + j - this.low[i]!]!;
      if (op === DROP) {
        this.hypothesisErrors[--i] = 1;
        continue;
      }
      j--;
      const wrong = op === SAME ? 0 : 1;
      if (op !== ADD) this.hypothesisErrors[--i] = wrong;
      this.referenceErrors[j] = wrong;
      // an added word stands after the hypothesis word before it
      this.alignment[j] = op === ADD ? i - 1 : i;
    }
  }

  /** The distance if the hypothesis had `words` in the places from … from + length - 1; anything above `limit` if it is more
   *  than that. */
  distanceAfter(words: Int32Array, { from, length, limit }: { from: number; length: number; limit: number }): number {
    let row = this.row;
    let next = this.nextRow;
    const offset = this.start[from]! - this.low[from]!;
    for (let j = this.low[from]!; j < this.high[from]!; j++) row[j] = this.forward[offset + j]!;
    for (let k = 0; k < length; k++) {
      const least = this.nextRowInto(next, row, { i: from + k + 1, word: words[k]! });
      if (least > limit) return least;
      [row, next] = [next, row];
    }
    const end = from + length;
    const tail = this.start[end]! - this.low[end]!;
    let best = FAR;
    for (let j = this.low[end]!; j < this.high[end]!; j++) {
      best = Math.min(best, row[j]! + this.backward[tail + j]!);
    }
    return best;
  }

  /** Row i from the row above it; gives its least element, below which the distance cannot fall. */
  private nextRowInto(next: Int32Array, row: Int32Array, { i, word }: { i: number; word: number }): number {
    const reference = this.reference;
    const aboveLow = this.low[i - 1]!;
    const aboveHigh = this.high[i - 1]!;
    const high = this.high[i]!;
    let left = FAR;
    let least = FAR;
    for (let j = this.low[i]!; j < high; j++) {
      let best = left + 1;
      if (j > aboveLow && j <= aboveHigh) {
        const diagonal = row[j - 1]! + (reference[j - 1] === word ? 0 : 1);
        if (diagonal < best) best = diagonal;
      }
      if (j >= aboveLow && j < aboveHigh && row[j]! + 1 < best) best = row[j]! + 1;
      next[j] = left = best;
      if (best < least) least = best;
    }
    return least;
  }
}
