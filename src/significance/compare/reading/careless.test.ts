import { describe, expect, it } from "vitest";
import { table as makeRows } from "../../../io/table.ts";
import { makeRng } from "../../../numeric/rng.ts";
import { compare } from "../compare.ts";
import { tellCareless } from "./careless.ts";

const columns = { item: "item", system: "system", rater: "rater", score: "rating" } as const;

function sheet(grade: (rater: number, at: number, noise: number) => number, items = 20) {
  const rng = makeRng("careless");
  return makeRows(
    Array.from({ length: items }, (_, i) => i).flatMap((i) =>
      ["A", "B"].flatMap((system) => {
        const at = rng.normal();
        return [0, 1, 2, 3].map((r) => ({ item: `i${i}`, system, rater: `r${r}`, rating: grade(r, at, rng.normal()) }));
      }),
    ),
  );
}

const step = (value: number): number => Math.max(1, Math.min(5, Math.round(value)));

describe("raters who look careless", () => {
  const data = sheet((r, at, noise) => (r === 3 ? 3 : step(r === 2 ? 3 - at + 0.4 * noise : 3 + at + 0.4 * noise)));

  it("are named beside a comparison: one grade to everything, and an order against the others", () => {
    const found = compare(data, { higherIsBetter: true }).diagnostics.filter(({ code }) => code === "CarelessRater");
    expect(found.map(({ message }) => message.replace(/r = -0\.\d+/, "r = -0.xx"))).toEqual([
      "rater r2 rates against the others (r = -0.xx over 40 outputs): the scale may be reversed.",
      "rater r3 gave 3 to all 40 outputs that others rated too.",
    ]);
  });

  it("are not those who differ by chance, are strict, or rated too little", () => {
    const fair = sheet((r, at, noise) => step(3 + at + 0.7 * noise - (r === 0 ? 1 : 0)));
    expect(tellCareless(fair, columns)).toEqual([]);
    expect(
      tellCareless(
        sheet((r, at) => (r === 3 ? 3 : step(3 + at)), 4),
        columns,
      ),
    ).toEqual([]);
  });

  it("raters without any agreement are named in about 1 of 100 sheets", () => {
    const named = Array.from({ length: 300 }, (_, k) => {
      const rng = makeRng(`none ${k}`);
      return (
        tellCareless(
          sheet(() => rng.normal()),
          columns,
        ).length > 0
      );
    }).filter(Boolean).length;
    expect(named).toBeLessThanOrEqual(12);
  });
});
