/** Edits of TER: insertions, deletions, substitutions, and shifts of whole blocks, each of which costs 1 however far it goes.
 *  Finding the fewest is NP-hard; as tercom does, the best single shift is made as long as it lowers the edit distance.
 *  A shift is tried for a block that occurs in the reference, if the block is misplaced on both sides; of equally good shifts the
 *  longest block wins, then the one that starts first, then the nearest to the front.
 *  Reference: Snover et al. (2006), AMTA, Algorithm 1; limits of tercom 0.7.25.
 *  Limits:    blocks of up to 10 words, moved between positions at most 50 apart; after 1000 shifts tried for a segment the
 *             search ends without the last round. */
import { BandedDistance } from "./distance.ts";

const LONGEST_BLOCK = 10;
const FARTHEST = 50;
const MOST_TRIED = 1000;

interface Shift {
  distance: number;
  length: number;
  start: number;
  target: number;
}

export class EditCounter {
  private readonly distance = new BandedDistance();
  private words = new Int32Array(0);
  private tried = 0;

  /** Edits that turn the hypothesis into the reference. */
  count(hypothesis: Int32Array, reference: Int32Array): number {
    if (reference.length === 0 || hypothesis.length === 0) return hypothesis.length + reference.length;
    const words = Int32Array.from(hypothesis);
    if (this.words.length < words.length) this.words = new Int32Array(2 * words.length);
    this.distance.open(words, reference);
    this.tried = 0;
    let shifts = 0;
    for (;;) {
      const distance = this.distance.measure();
      // nothing to gain: a shift costs what it saves
      if (distance === 0) return shifts;
      const best = this.bestShift(words, reference, distance);
      if (best === undefined) return shifts + distance;
      const { from, length } = this.arrange(words, best);
      words.set(this.words.subarray(0, length), from);
      shifts++;
    }
  }

  /** The shift after which the distance is least; undefined if none lowers it. */
  private bestShift(words: Int32Array, reference: Int32Array, distance: number): Shift | undefined {
    const { alignment, hypothesisErrors, referenceErrors } = this.distance;
    const best: Shift = { distance, length: 0, start: 0, target: 0 };
    const n = words.length;
    const m = reference.length;
    for (let start = 0; start < n; start++) {
      const last = Math.min(m - 1, start + FARTHEST);
      for (let at = Math.max(0, start - FARTHEST); at <= last; at++) {
        let ownErrors = 0;
        let otherErrors = 0;
        const longest = Math.min(LONGEST_BLOCK, n - start, m - at);
        for (let length = 1; length <= longest; length++) {
          if (words[start + length - 1] !== reference[at + length - 1]) break;
          ownErrors += hypothesisErrors[start + length - 1]!;
          otherErrors += referenceErrors[at + length - 1]!;
          const inPlace = alignment[at]! >= start && alignment[at]! < start + length;
          if (ownErrors === 0 || otherErrors === 0 || inPlace) continue;
          this.tryTargets(best, words, { start, at, length });
          if (this.tried >= MOST_TRIED) return undefined;
        }
      }
    }
    return best.distance < distance ? best : undefined;
  }

  /** Puts the block before its place in the reference and after each of its words' places. */
  private tryTargets(best: Shift, words: Int32Array, block: { start: number; at: number; length: number }): void {
    const { alignment } = this.distance;
    const { start, at, length } = block;
    let previous = -1;
    for (let k = at - 1; k < at + length; k++) {
      const target = k < 0 ? 0 : alignment[k]! + 1;
      if (target === previous) continue;
      previous = target;
      this.tried++;
      const shift = { distance: 0, length, start, target };
      const { from, length: changed } = this.arrange(words, shift);
      if (changed === 0) continue;
      // before any gain is found a shift must gain; after that it may also equal the best
      const limit = best.length === 0 ? best.distance - 1 : best.distance;
      shift.distance = this.distance.distanceAfter(this.words, { from, length: changed, limit });
      if (shift.distance <= limit && (best.length === 0 || isBetter(shift, best))) Object.assign(best, shift);
    }
  }

  /** Writes the words that a shift puts into new places; `from` is the first of these places. */
  private arrange(words: Int32Array, { start, length, target }: Shift): { from: number; length: number } {
    const end = start + length;
    const moved = this.words;
    if (target < start) {
      copyInto(moved, 0, words, start, end);
      copyInto(moved, length, words, target, start);
      return { from: target, length: end - target };
    }
    // a target within the block moves it on by as many places as the target lies behind its start
    const stop = target > end ? target : Math.min(words.length, target + length);
    copyInto(moved, 0, words, end, stop);
    copyInto(moved, stop - end, words, start, end);
    return { from: start, length: stop - end === 0 ? 0 : stop - start };
  }
}

function copyInto(target: Int32Array, at: number, words: Int32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) target[at++] = words[i]!;
}

function isBetter(a: Shift, b: Shift): boolean {
  if (a.distance !== b.distance) return a.distance < b.distance;
  if (a.length !== b.length) return a.length > b.length;
  return a.start !== b.start ? a.start < b.start : a.target < b.target;
}
