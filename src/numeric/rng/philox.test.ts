import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GROUP_WORDS, mulHigh, philoxGroupInto, philoxInto } from "./philox.ts";
import { philoxRunInto, RUN_WORDS } from "./philox-run.ts";
import { childId, hashSeed, splitSeed } from "./stream-id.ts";

const hex = (words: Iterable<number>): string =>
  [...words].map((w) => (w >>> 0).toString(16).padStart(8, "0")).join(" ");

describe("Philox4x32-10", () => {
  // The known answers of Random123 (kat_vectors): counter, key, output.
  it.each([
    ["00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"],
    ["ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"],
    ["243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"],
  ])("counter %s, key %s", (counter, key, expected) => {
    const block = Int32Array.from(counter.split(" "), (w) => Number.parseInt(w, 16));
    const [k0, k1] = key.split(" ").map((w) => Number.parseInt(w, 16) | 0) as [number, number];
    philoxInto(block, k0, k1);
    expect(hex(block)).toBe(expected);
  });

  it("the group kernel starts with the published answer too", () => {
    const out = new Int32Array(GROUP_WORDS);
    philoxGroupInto(out, { k0: 0, k1: 0, c2: 0, c3: 0 }, 0, 0);
    expect(hex(out.subarray(0, 4))).toBe("6627e8d5 e169c58d bc57ac4c 9b00dbd8");
  });

  it("the group kernel is four single blocks", () => {
    const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(word, word, word, word, word, word, (k0, k1, c0, c1, c2, c3) => {
        const out = new Int32Array(GROUP_WORDS);
        const first = c0 & ~3;
        philoxGroupInto(out, { k0, k1, c2, c3 }, first, c1);
        for (let j = 0; j < 4; j++) {
          const block = Int32Array.of(first + j, c1, c2, c3);
          philoxInto(block, k0, k1);
          expect(hex(out.subarray(4 * j, 4 * j + 4))).toBe(hex(block));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("a run in WebAssembly is the groups one after the other", () => {
    const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(word, word, word, word, word, word, (k0, k1, c0, c1, c2, c3) => {
        const run = new Int32Array(RUN_WORDS);
        const group = new Int32Array(GROUP_WORDS);
        const first = c0 & -(RUN_WORDS / 4);
        expect(philoxRunInto(run, { k0, k1, c2, c3 }, first, c1)).toBe(true);
        for (let at = 0; at < RUN_WORDS; at += GROUP_WORDS) {
          philoxGroupInto(group, { k0, k1, c2, c3 }, (first + at / 4) | 0, c1);
          expect(hex(run.subarray(at, at + GROUP_WORDS))).toBe(hex(group));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("mulHigh is the high half of the product, exactly", () => {
    const edge = fc.constantFrom(0, 1, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff);
    const word = fc.oneof(edge, fc.integer({ min: 0, max: 0xffffffff }));
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(mulHigh(a | 0, b | 0) >>> 0).toBe(Number((BigInt(a) * BigInt(b)) >> 32n));
      }),
      { numRuns: 5000 },
    );
  });
});

describe("stream identities", () => {
  it("a seed splits into root and path in one way", () => {
    expect(splitSeed("a/3/5")).toEqual({ root: "a", path: [3, 5] });
    expect(splitSeed("a/03")).toEqual({ root: "a/03", path: [] });
    expect(splitSeed("/0")).toEqual({ root: "", path: [0] });
    expect(splitSeed("x/9007199254740993")).toEqual({ root: "x/9007199254740993", path: [] });
    fc.assert(
      fc.property(fc.string(), fc.array(fc.maxSafeNat()), (text, steps) => {
        const { root, path } = splitSeed([text, ...steps].join("/"));
        expect([root, ...path].join("/")).toBe([text, ...steps].join("/"));
        expect(splitSeed(root).path).toEqual([]);
      }),
    );
  });

  it("siblings and seeds never coincide in 40,000 of each", () => {
    const parent = hashSeed("parent");
    const seen = new Set<string>();
    for (let i = 0; i < 20_000; i++) {
      seen.add(hex(Object.values(childId(parent, i))));
      seen.add(hex(Object.values(childId(parent, i * 2 ** 32 + 20_000))));
      seen.add(hex(Object.values(hashSeed(String(i)))));
      seen.add(hex(Object.values(hashSeed(`seed ${i}`))));
    }
    expect(seen.size).toBe(80_000);
  });

  it("one changed character changes half of the 128 bits", () => {
    let changed = 0;
    for (let i = 0; i < 200; i++) {
      const a = Object.values(hashSeed(`experiment ${i}`));
      const b = Object.values(hashSeed(`experimenT ${i}`));
      for (let j = 0; j < 4; j++) for (let bits = a[j]! ^ b[j]!; bits !== 0; bits &= bits - 1) changed += 1;
    }
    // Binomial(25600, 1/2): four standard errors are 320.
    expect(Math.abs(changed - 12_800)).toBeLessThan(320);
  });
});
