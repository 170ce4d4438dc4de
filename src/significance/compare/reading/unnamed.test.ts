import { describe, expect, it } from "vitest";
import { importFiles } from "../../../io/import.ts";
import { compare } from "../compare.ts";

const ITEMS = 16;
/** Three raters, one of whom is far fonder of the new system than the others. */
const rate = (item: number, system: number): number[] => {
  const base = 2 + ((item * 7) % 3);
  const noise = (item * 5 + system * 3) % 4 === 0 ? -1 : 0;
  return [base + 2 * system, base + (item % 5 === 0 ? system : 0), base + noise + (item % 2) * system].map((value) =>
    Math.min(5, Math.max(1, value)),
  );
};
const cells = Array.from({ length: ITEMS }, (_, item) =>
  ["base", "ours"].map((name, system) => ({ item: `q${item}`, system: name, ratings: rate(item, system) })),
).flat();

const read = (rows: readonly object[]) =>
  importFiles([{ name: "ratings.json", bytes: new TextEncoder().encode(JSON.stringify(rows)) }]);

describe("ratings of unnamed raters listed in a cell", () => {
  it("claimed more than the same ratings with their raters named", async () => {
    const named = await read(
      cells.flatMap(({ item, system, ratings }) =>
        ratings.map((rating, k) => ({ item, system, rater: `r${k + 1}`, rating })),
      ),
    );
    const [places, people] = [compare(await read(cells)), compare(named)];
    expect(places.main.p).toBe(people.main.p);
    expect(places.main.ci).toEqual(people.main.ci);
    expect(places.main.verdict).toBe("INCONCLUSIVE");
    expect(JSON.stringify(places.toJSON())).toMatch(/k-th rating of each list counts as the same rater's/);
    // what the old reading said of them, which has to be asked for
    expect(compare(await read(cells), { rater: "none" }).main.verdict).toBe("BETTER");
  });

  it("of several lengths were analysed by items without a word", async () => {
    const some = cells.map((cell, k) => (k % 8 < 2 ? { ...cell, ratings: cell.ratings.slice(0, 2) } : cell));
    const found = compare(await read(some));
    expect(found.diagnostics.map(({ code }) => code)).toContain("UnnamedRaters");
    expect(JSON.stringify(found.toJSON())).not.toMatch(/same rater's/);
  });

  it("in the order of their values have no places to be raters", async () => {
    const sorted = cells.map((cell) => ({ ...cell, ratings: [...cell.ratings].sort((a, b) => a - b) }));
    expect(compare(await read(sorted)).diagnostics.map(({ code }) => code)).toContain("UnnamedRaters");
  });

  it.each([
    ["4;5;3", (own: number[]) => own.join(";")],
    ["4|5|3", (own: number[]) => own.join(" | ")],
    ["[4 5 3]", (own: number[]) => `[${own.join(" ")}]`],
  ])("as %s were no score", async (_, write) => {
    const lines = cells.map(({ item, system, ratings }) => `${item},${system},${write(ratings)}`);
    const bytes = new TextEncoder().encode(["item,system,ratings", ...lines].join("\n"));
    const found = compare(await importFiles([{ name: "ratings.csv", bytes }]));
    expect(found.main.p).toBe(compare(await read(cells)).main.p);
  });
});
