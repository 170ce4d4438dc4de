import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { didYouMean, editDistance, nearest } from "./suggest.ts";

/** Shortest path over single edits among strings of a small alphabet: the definition, by brute force. */
function distanceBySearch(from: string, to: string): number {
  const alphabet = [...new Set(from + to)];
  const limit = Math.max(from.length, to.length) + 1;
  let frontier = new Set([from]);
  const seen = new Set(frontier);
  for (let distance = 0; ; distance++) {
    if (frontier.has(to)) return distance;
    const next = new Set<string>();
    for (const s of frontier) {
      for (let i = 0; i <= s.length; i++) {
        const edits = [s.slice(0, i) + s.slice(i + 1)];
        if (i + 1 < s.length) edits.push(s.slice(0, i) + s[i + 1] + s[i] + s.slice(i + 2));
        for (const c of alphabet) edits.push(s.slice(0, i) + c + s.slice(i), s.slice(0, i) + c + s.slice(i + 1));
        for (const edit of edits) if (edit.length <= limit && !seen.has(edit)) next.add(edit);
      }
    }
    for (const s of next) seen.add(s);
    frontier = next;
  }
}

describe("edit distance", () => {
  it.each([
    ["", "", 0],
    ["sytem", "system", 1],
    ["sysetm", "system", 1],
    ["ca", "abc", 2],
    ["kitten", "sitting", 3],
    ["a cat", "an act", 2],
    ["👍", "", 1],
  ])("%s to %s is %d", (from, to, expected) => {
    expect(editDistance(from, to)).toBe(expected);
    expect(editDistance(to, from)).toBe(expected);
  });

  it("is the fewest edits, by exhaustive search", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 4 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(distanceBySearch(a, b));
      }),
      { numRuns: 60 },
    );
  });

  it("is a metric", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 9 });
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
        expect(editDistance(a, b) === 0).toBe(a === b);
      }),
    );
  });
});

describe("nearest", () => {
  const columns = ["item", "system", "score", "worker_id"];
  it.each([
    ["sytem", "system"],
    ["SYSTEM", "system"],
    ["scroe", "score"],
    ["workerid", "worker_id"],
    ["work", "worker_id"],
    ["items", "item"],
    ["rating", undefined],
    ["x", undefined],
    ["", undefined],
    ["s", undefined],
  ])("%s means %s", (name, expected) => {
    expect(nearest(name, columns)).toBe(expected);
  });

  it("says so", () => {
    expect(didYouMean("sytem", columns)).toBe('did you mean "system"?');
    expect(didYouMean("rating", columns)).toBe("");
    expect(nearest("a", ["b"])).toBeUndefined();
    expect(nearest("acc", ["accuracy", "acceptance"])).toBeUndefined();
  });
});
