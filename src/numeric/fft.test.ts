import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convolve, convolveDirect, convolveProbabilities, fftInto, inverseFftInto, makeFftPlan } from "./fft.ts";

const wave = (n: number, a: number) => Float64Array.from({ length: n }, (_, k) => Math.sin(a * k * k + 1));

/** Binomial(n, p) probabilities by products of ratios from the mode outward, then normalised. */
function binomial(n: number, p: number): Float64Array {
  const pmf = new Float64Array(n + 1);
  const mode = Math.min(n, Math.floor((n + 1) * p));
  pmf[mode] = 1;
  for (let k = mode; k < n; k++) pmf[k + 1] = (pmf[k]! * (n - k) * p) / ((k + 1) * (1 - p));
  for (let k = mode; k > 0; k--) pmf[k - 1] = (pmf[k]! * k * (1 - p)) / ((n - k + 1) * p);
  const total = pmf.reduce((s, v) => s + v, 0);
  return pmf.map((v) => v / total);
}

describe("transform", () => {
  it.each([1, 2, 4, 8, 16, 32, 64, 256, 512])("n = %i is the sum of its definition", (n) => {
    const re = wave(n, 0.7);
    const im = wave(n, 1.3);
    const [X, Y] = [re.slice(), im.slice()];
    expect(fftInto(X, Y)).toBe(true);
    for (let j = 0; j < n; j++) {
      let a = 0;
      let b = 0;
      for (let k = 0; k < n; k++) {
        const angle = (-2 * Math.PI * ((j * k) % n)) / n;
        a += re[k]! * Math.cos(angle) - im[k]! * Math.sin(angle);
        b += re[k]! * Math.sin(angle) + im[k]! * Math.cos(angle);
      }
      // The sum's own rounding: n terms, each with an angle rounded at 2π.
      expect(Math.abs(X[j]! - a)).toBeLessThan(5e-16 * n);
      expect(Math.abs(Y[j]! - b)).toBeLessThan(5e-16 * n);
    }
  });
  it.each([2 ** 11, 2 ** 16])("n = %i: inverse returns the input, Parseval holds", (n) => {
    const re = wave(n, 0.7);
    const im = wave(n, 1.3);
    const [X, Y] = [re.slice(), im.slice()];
    fftInto(X, Y);
    const energy = (a: Float64Array, b: Float64Array) => a.reduce((s, v, k) => s + v * v + b[k]! * b[k]!, 0);
    expect(Math.abs(energy(X, Y) / (n * energy(re, im)) - 1)).toBeLessThan(1e-14);
    inverseFftInto(X, Y);
    let worst = 0;
    for (let k = 0; k < n; k++) worst = Math.max(worst, Math.abs(X[k]! - re[k]!), Math.abs(Y[k]! - im[k]!));
    expect(worst).toBeLessThan(2e-15);
  });
  it("twiddles are on the unit circle to rounding and exact at the eighths", () => {
    const { cos, sin, n } = makeFftPlan(4096)!;
    for (let k = 0; k < n; k++) expect(Math.abs(cos[k]! ** 2 + sin[k]! ** 2 - 1)).toBeLessThan(4.5e-16);
    expect([cos[0], cos[n / 4], cos[n / 2], -sin[n / 4]!]).toEqual([1, 0, -1, 1]);
    expect(cos[n / 8]).toBe(Math.SQRT1_2);
    expect(-sin[1]!).toBe(Math.sin((2 * Math.PI) / n));
  });
  it("other lengths are refused", () => {
    expect(fftInto(new Float64Array(6), new Float64Array(6))).toBe(false);
    expect(fftInto(new Float64Array(8), new Float64Array(4))).toBe(false);
    expect(fftInto(new Float64Array(0), new Float64Array(0))).toBe(false);
  });
});

describe("convolve", () => {
  it("polynomial products by hand", () => {
    expect(Array.from(convolve(Float64Array.of(1, 2, 3), Float64Array.of(4, 5)))).toEqual([4, 13, 22, 15]);
    expect(convolve(new Float64Array(0), Float64Array.of(1)).length).toBe(0);
  });
  it("by transform equals direct summation for any lengths and any ratio of sizes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 900 }),
        fc.integer({ min: 40, max: 900 }),
        fc.integer({ min: -40, max: 40 }),
        (n, m, e) => {
          const a = wave(n, 0.31);
          const b = wave(m, 0.77).map((v) => v * 10 ** e);
          const fast = convolve(a, b);
          const slow = convolveDirect(a, b);
          const scale = Math.hypot(...a) * Math.hypot(...b);
          return fast.every((v, k) => Math.abs(v - slow[k]!) <= 2e-15 * scale) && fast.length === n + m - 1;
        },
      ),
      { numRuns: 60, seed: 37 },
    );
  });
  it("commutes, and leaves a shifted spike's partner shifted", () => {
    const a = wave(700, 0.3);
    const spike = new Float64Array(500);
    spike[123] = 1;
    const shifted = convolve(a, spike);
    for (let k = 0; k < 700; k++) expect(Math.abs(shifted[k + 123]! - a[k]!)).toBeLessThan(2e-14);
    const b = wave(600, 0.9);
    const [ab, ba] = [convolve(a, b), convolve(b, a)];
    for (let k = 0; k < ab.length; k++) expect(Math.abs(ab[k]! - ba[k]!)).toBeLessThan(1e-12);
  });
  it("zeros, infinities and NaN are not smeared by the transform", () => {
    const zero = convolve(new Float64Array(400), wave(400, 1));
    expect(zero.every((v) => v === 0)).toBe(true);
    const spoiled = wave(400, 1);
    spoiled[399] = Number.NaN;
    expect(convolve(spoiled, wave(400, 2))[0]).not.toBeNaN();
  });
});

describe("convolveProbabilities", () => {
  const cases = [
    { n: 30, m: 50, p: 0.3 },
    { n: 800, m: 1500, p: 0.42 },
    { n: 5000, m: 3000, p: 0.07 },
  ];
  it.each(cases)("Binomial($n) * Binomial($m) = Binomial(n + m), within the stated error", ({ n, m, p }) => {
    const { values, absoluteError } = convolveProbabilities(binomial(n, p), binomial(m, p));
    const exact = binomial(n + m, p);
    let worst = 0;
    for (let k = 0; k <= n + m; k++) worst = Math.max(worst, Math.abs(values[k]! - exact[k]!));
    // The three reference vectors are themselves rounded, by some 1e-15 relative.
    const largest = Math.max(...exact);
    expect(worst).toBeLessThanOrEqual(absoluteError + 2e-14 * largest);
    expect(values.every((v) => v >= 0)).toBe(true);
    expect(Math.abs(values.reduce((s, v) => s + v, 0) - 1)).toBeLessThan(1e-13);
    expect(absoluteError).toBeLessThan(1e-14);
  });
  it("exact: tails keep their relative accuracy at 1e-200", () => {
    const { values } = convolveProbabilities(binomial(300, 0.4), binomial(300, 0.4), { exact: true });
    const exact = binomial(600, 0.4);
    for (let k = 0; k <= 600; k += 50) expect(Math.abs(values[k]! / exact[k]! - 1)).toBeLessThan(1e-12);
    expect(exact[600]).toBeLessThan(1e-200);
  });
  it("the stated error covers the transform's, for flat, peaked and spiky vectors", () => {
    const normalize = (v: Float64Array) => {
      const total = v.reduce((s, x) => s + x, 0);
      return v.map((x) => x / total);
    };
    const shapes = [
      new Float64Array(1500).fill(1),
      Float64Array.from({ length: 1500 }, (_, k) => Math.exp(-k / 3)),
      Float64Array.from({ length: 1500 }, (_, k) => (k % 97 === 0 ? 1 : 1e-9)),
      wave(1500, 0.123).map(Math.abs),
    ].map(normalize);
    for (const a of shapes)
      for (const b of shapes) {
        const fast = convolveProbabilities(a, b);
        const slow = convolveDirect(a, b);
        let worst = 0;
        for (let k = 0; k < slow.length; k++) worst = Math.max(worst, Math.abs(fast.values[k]! - slow[k]!));
        expect(worst).toBeLessThanOrEqual(fast.absoluteError);
      }
  });
});
