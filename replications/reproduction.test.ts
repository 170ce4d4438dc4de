import { describe, expect, it } from "vitest";
import { REPRODUCTIONS } from "./catalogue.ts";
import {
  agreesWithPrint,
  agreesWithR,
  compareWith,
  explain,
  type ReproductionRow,
  shareError,
} from "./reproduction.ts";

const row = (ours: number, more: Partial<ReproductionRow> = {}): ReproductionRow => ({
  name: "x",
  ours,
  tolerance: 0,
  ...more,
});

describe("agreement with the print", () => {
  it.each([
    [1.2349, "1.23", true],
    [1.2351, "1.23", false],
    [6.714e-6, "6.70e-6", false],
    [6.7049e-6, "6.70e-6", true],
    [81.95, "82", true],
    [81.4, "82", false],
    [9e-5, "<0.0001", true],
    [2e-4, "<0.0001", false],
    [-0.0705, "-0.07", true],
    [1.725, "1.72", true],
  ])("%s printed as %s: %s", (ours, published, same) => {
    expect(agreesWithPrint(row(ours, { published }))).toBe(same);
  });

  it("has no answer where nothing was printed", () => {
    expect(agreesWithPrint(row(1))).toBeUndefined();
  });

  it("gives a simulated figure four of its standard errors", () => {
    const at = (errors: number): ReproductionRow => {
      const ours = 0.8 + errors * shareError(0.8, 500);
      return compareWith("x", { published: "0.8", r: ours, ours }, { trials: 500 });
    };
    const [near, far] = [at(3.9), at(4.1)];
    expect([agreesWithPrint(near), agreesWithPrint(far)]).toEqual([true, false]);
    // 2 of 204 where all 200 agree
    expect(shareError(1, 200)).toBeCloseTo(Math.sqrt(((202 / 204) * (2 / 204)) / 200), 15);
  });

  it("is explained only where it fails", () => {
    expect(explain(row(1.2, { published: "1.2" }), "why").note).toBeUndefined();
    expect(explain(row(1.3, { published: "1.2" }), "why").note).toBe("why");
  });
});

describe("agreement with R", () => {
  it("is a matter of the tolerance; none agrees with none only", () => {
    expect(agreesWithR(row(1 + 2e-7, { r: 1, tolerance: 1e-7 }))).toBe(false);
    expect(agreesWithR(row(1 + 5e-8, { r: 1, tolerance: 1e-7 }))).toBe(true);
    expect(agreesWithR(row(Number.NaN, { r: Number.NaN }))).toBe(true);
    expect(agreesWithR(row(1, { r: Number.NaN, tolerance: 9 }))).toBe(false);
    expect(agreesWithR(row(Number.NaN, { r: 1, tolerance: 9 }))).toBe(false);
  });

  it("asks for a proportion of R's figure, or for a distance", () => {
    const share = (ours: number): boolean => agreesWithR(compareWith("x", { r: 1e-3, ours }, { relative: 1e-4 }));
    expect([share(1e-3 + 0.9e-7), share(1e-3 + 1.1e-7)]).toEqual([true, false]);
    const distance = (ours: number): boolean => agreesWithR(compareWith("x", { r: 1e-3, ours }, { tolerance: 1e-4 }));
    expect([distance(1e-3 + 0.9e-4), distance(1e-3 + 1.1e-4)]).toEqual([true, false]);
  });
});

describe("the catalogue", () => {
  it("names every result once, in a form that a shell takes without quotes", () => {
    const ids = REPRODUCTIONS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^(card|book|howcroft)-[a-z0-9.-]+$/);
  });
});
