import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeBattery, rngBattery } from "../../test/calibration/rng.calibration.ts";
import type { Rng } from "./rng.ts";
import { makeRng, resumeRng } from "./rng.ts";

const take = (rng: Rng, n: number): number[] => Array.from({ length: n }, () => rng.bits());

describe("draws follow their distributions", () => {
  // Fixed seeds: three families of about 80 tests, each allowed a false alarm in a thousand.
  it.each(["gosset", "2024", "stream of streams/7"])("battery at seed %s", (seed) => {
    expect(judgeBattery(rngBattery(makeRng(seed)), 1e-3)).toEqual([]);
  });

  it("the battery sees a stuck bit, twelve uniforms for a normal, and a rounded normal for a binomial", () => {
    const stuck = rngBattery(
      spoil(makeRng("gosset"), "bits", (rng) => (rng.bits() | 1) >>> 0),
      0.25,
    );
    expect(judgeBattery(stuck, 1e-3).join()).toMatch(/byte 0/);
    const sum = (rng: Rng): number => Array.from({ length: 12 }, () => rng.uniform()).reduce((a, b) => a + b) - 6;
    const light = rngBattery(spoil(makeRng("gosset"), "normal", sum), 0.25);
    expect(judgeBattery(light, 1e-3).join()).toMatch(/normal, fourth moment.*normal, beyond 3/);
    const round = (rng: Rng, n = 0, p = 0): number => Math.round(n * p + Math.sqrt(n * p * (1 - p)) * rng.normal());
    const rounded = rngBattery(spoil(makeRng("gosset"), "binomial", round), 0.25);
    expect(judgeBattery(rounded, 1e-3).join()).toMatch(/binomial\(1000, 0.99\)/);
  });
});

/** The same streams with one draw replaced. */
function spoil(rng: Rng, method: keyof Rng, draw: (rng: Rng, ...args: number[]) => number): Rng {
  return new Proxy(rng, {
    get(target, key) {
      if (key === "stream") return (i: number) => spoil(target.stream(i), method, draw);
      if (key === method) return (...args: number[]) => draw(target, ...args);
      const member = target[key as keyof Rng];
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

describe("pinned sequences: a change here moves every published Monte Carlo number", () => {
  it("words, uniforms and normals of seed 42", () => {
    expect(take(makeRng(42), 5)).toMatchInlineSnapshot(`
      [
        1166990474,
        1751928868,
        1495974701,
        1148417059,
        11432352,
      ]
    `);
    const rng = makeRng(42);
    expect([rng.uniform(), rng.normal(), rng.laplace(0, 1), rng.exponential()]).toMatchInlineSnapshot(`
      [
        0.27171114329432666,
        0.8192107710915615,
        -5.928751904208897,
        0.3335713324341742,
      ]
    `);
    expect([rng.int(10), rng.binomial(5, 0.4), rng.binomial(1000, 0.4), rng.state().position]).toMatchInlineSnapshot(`
      [
        4,
        2,
        404,
        15,
      ]
    `);
    expect(take(makeRng(42, 3, 5), 2)).toMatchInlineSnapshot(`
      [
        1830498437,
        589910161,
      ]
    `);
  });

  it("a million normals, tails and wedges included, sum to the same bits", () => {
    const rng = makeRng("normals");
    let sum = 0;
    for (let i = 0; i < 1_000_000; i++) sum += rng.normal();
    expect(sum).toMatchInlineSnapshot(`1369.905357417711`);
  });
});

describe("streams", () => {
  it("depend on seed and number alone, not on what was drawn before", () => {
    const fresh = makeRng("s").stream(9);
    const used = makeRng("s");
    take(used, 37);
    used.stream(8).normal();
    expect(take(used.stream(9), 40)).toEqual(take(fresh, 40));
  });

  it("have one name, however they are reached", () => {
    const expected = take(makeRng("a").stream(3).stream(5), 20);
    expect(take(makeRng("a", 3, 5), 20)).toEqual(expected);
    expect(take(makeRng("a/3/5"), 20)).toEqual(expected);
    expect(take(makeRng(makeRng("a", 3).stream(5).seed), 20)).toEqual(expected);
    expect(makeRng("a", 3).stream(5).seed).toBe("a/3/5");
  });

  it("a number and its text are the same seed", () => {
    expect(take(makeRng(42), 4)).toEqual(take(makeRng("42"), 4));
    expect(take(makeRng(0), 4)).not.toEqual(take(makeRng(""), 4));
  });

  it("differ for different seeds and paths, look-alikes included", () => {
    const seeds = [
      "",
      "0",
      "a",
      "a\0",
      "\0a",
      "aaaa",
      "aaaaa",
      "a/03",
      "a/3",
      "a/3/0",
      "a/0/3",
      "a/30",
      "a3",
      "ä",
      "a\u0308",
    ];
    for (let i = 0; i < 500; i++)
      seeds.push(`n${i}`, `a/${i + 100}`, `b/7/${i}`, `${2 ** 32 * i + 1000}`, `c/${2 ** 32 * (i + 1)}`);
    const starts = seeds.map((seed) => take(makeRng(seed), 4).join());
    expect(new Set(starts).size).toBe(seeds.length);
    expect(new Set(starts.map((start) => start.split(",")[0])).size).toBeGreaterThan(seeds.length - 3);
  });

  it("refuse a number that is not a stream's", () => {
    for (const i of [-1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
      expect(() => makeRng(1).stream(i)).toThrow(RangeError);
    }
    expect(take(makeRng(1).stream(2 ** 53 - 1), 2)).toEqual(take(makeRng(`1/${2 ** 53 - 1}`), 2));
    // One more digit than a stream number has: part of the seed's own text.
    expect(makeRng("1/99999999999999999").seed).toBe("1/99999999999999999");
  });
});

describe("state", () => {
  it("resumes every draw where it stood", () => {
    fc.assert(
      // past the first runs of words, and into the middle of one
      fc.property(fc.string(), fc.nat(1200), fc.nat(3), (seed, words, streams) => {
        let rng = makeRng(seed);
        for (let i = 0; i < streams; i++) rng = rng.stream(i);
        take(rng, words);
        const state = JSON.parse(JSON.stringify(rng.state()));
        const resumed = resumeRng(state);
        expect(state.position).toBe(words);
        expect([resumed.normal(), resumed.int(7), resumed.uniform()]).toEqual([
          rng.normal(),
          rng.int(7),
          rng.uniform(),
        ]);
        expect(resumed.state()).toEqual(rng.state());
        expect(resumed.stream(1).bits()).toBe(rng.stream(1).bits());
      }),
    );
  });

  it("carries into the upper counter word beyond 2^34 words", () => {
    const before = resumeRng({ seed: "far", position: 2 ** 34 - 2 });
    const [a, b, c] = take(before, 3);
    const after = resumeRng({ seed: "far", position: 2 ** 34 });
    expect(after.bits()).toBe(c);
    expect(resumeRng({ seed: "far", position: 2 ** 34 - 2 }).bits()).toBe(a);
    expect([a, b, c]).not.toContain(makeRng("far").bits());
    expect(() => resumeRng({ seed: "far", position: -1 })).toThrow(RangeError);
  });
});

describe("fills give what single draws give", () => {
  it("bits, uniforms, normals", () => {
    for (const [length, odd] of [
      [101, 0],
      [3001, 0],
      [3001, 1],
    ] as const) {
      const opened = (): Rng => {
        const rng = makeRng("f");
        take(rng, odd);
        return rng;
      };
      const u = new Float64Array(length);
      const z = new Float64Array(length);
      const w = new Uint32Array(length);
      opened().fillUniform(u);
      const filled = opened();
      filled.fillNormal(z);
      opened().fillBits(w);
      const [a, b, c] = [opened(), opened(), opened()];
      expect([...u]).toEqual(Array.from(u, () => a.uniform()));
      expect([...z]).toEqual(Array.from(z, () => b.normal()));
      expect([...w]).toEqual(Array.from(w, () => c.bits()));
      expect(filled.state()).toEqual(b.state());
    }
  });
});

describe("edges", () => {
  it("uniform stays inside (0, 1) on its grid", () => {
    const rng = makeRng("u");
    for (let i = 0; i < 20_000; i++) {
      const u = rng.uniform();
      expect(u > 0 && u < 1 && Number.isInteger(u * 2 ** 53)).toBe(true);
    }
  });

  it("wrong arguments give NaN, -1 or false", () => {
    const rng = makeRng(1);
    for (const n of [0, -3, 1.5, Number.NaN, 2 ** 53 + 2]) expect(rng.int(n)).toBeNaN();
    for (const [n, p] of [
      [-1, 0.5],
      [1.5, 0.5],
      [10, -0.1],
      [10, 1.1],
      [10, Number.NaN],
    ] as const) {
      expect(rng.binomial(n, p)).toBeNaN();
    }
    expect(rng.laplace(0, -1)).toBeNaN();
    expect(rng.categorical([])).toBe(-1);
    expect(rng.categorical([0, 0])).toBe(-1);
    const two = new Int32Array(2);
    expect(rng.multinomialInto(two, 5, [0.5, -0.5])).toBe(false);
    expect(rng.multinomialInto(two, 5, [0, 0])).toBe(false);
    expect(rng.multinomialInto(two, 5, [1, 1, 1])).toBe(false);
    expect(rng.multinomialInto(two, -1, [1, 1])).toBe(false);
    expect(rng.sampleWithReplacementInto(two, 0)).toBe(false);
    expect(rng.sampleWithoutReplacementInto(two, 1)).toBe(false);
  });

  it("degenerate draws are certain", () => {
    const rng = makeRng(2);
    expect([rng.int(1), rng.binomial(9, 0), rng.binomial(9, 1), rng.binomial(0, 0.4)]).toEqual([0, 0, 9, 0]);
    const target = new Int32Array(3);
    expect(rng.multinomialInto(target, 1000, [0, 1e-300, 0])).toBe(true);
    expect([...target]).toEqual([0, 1000, 0]);
    expect(rng.categorical([0, 0, 3, 3])).toBe(2);
    const all = new Int32Array(5);
    expect(rng.sampleWithoutReplacementInto(all, 5)).toBe(true);
    expect([...all]).toEqual([0, 1, 2, 3, 4]);
    expect(rng.laplace(5, 0)).toBe(5);
  });

  it("multinomial counts sum to n, and never fall on a weight of zero", () => {
    const weights = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-12, max: 1e6, noNaN: true })), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(weights, fc.nat(10_000), fc.nat(), (p, n, seed) => {
        fc.pre(p.some((w) => w > 0));
        const target = new Float64Array(p.length);
        expect(makeRng(seed).multinomialInto(target, n, p)).toBe(true);
        expect(target.reduce((a, b) => a + b)).toBe(n);
        p.forEach((w, j) => {
          expect(w > 0 ? target[j]! >= 0 : target[j] === 0).toBe(true);
        });
      }),
    );
  });

  it("a shuffle keeps the elements", () => {
    const values = Int32Array.from({ length: 1000 }, (_, i) => i * i);
    const shuffled = values.slice();
    makeRng(3).shuffleInto(shuffled);
    expect(shuffled).not.toEqual(values);
    expect(shuffled.sort()).toEqual(values);
  });

  it("binomial stays in range and centred for n as large as 2^52", () => {
    const rng = makeRng(4);
    const n = 2 ** 52;
    const reps = 2000;
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < reps; i++) {
      const z = (rng.binomial(n, 0.3) - 0.3 * n) / Math.sqrt(n * 0.21);
      sum += z;
      squares += z * z;
    }
    expect(Math.abs(sum) / Math.sqrt(reps)).toBeLessThan(4);
    expect(Math.abs(squares - reps) / Math.sqrt(2 * reps)).toBeLessThan(4);
  });
});
