/** Items that are numbered anew within a column of any name, each test named after what went wrong. */
import { describe, expect, it } from "vitest";
import { type CompareOptions, compare, makeRng } from "../src/index.ts";
import { lines, readText, times } from "./support/read-text.ts";

const SOURCES = ["wiki", "news", "reddit", "web", "books", "law", "med", "code"];
const LEVELS: Readonly<Record<string, (part: number) => string>> = {
  words: (part) => SOURCES[part]!,
  codes: (part) => `s${part + 1}`,
  numbers: (part) => String(part + 1),
};

interface Layout {
  readonly seed: string;
  readonly name?: string;
  readonly level?: string;
  readonly text?: boolean;
  /** What items differ by, and whether id 3 is the same item under every part. */
  readonly spread?: number;
  readonly same?: boolean;
}

/** Ten items in each of eight parts, each of which leans to one of two systems; neither is better. */
function parts({ seed, name = "part", level = "numbers", text = false, spread = 1.5, same = false }: Layout) {
  const rng = makeRng(seed);
  const shared = times(10, () => spread * rng.normal());
  const rows = times(8, (part) => {
    const [ease, lean] = [rng.normal(), rng.normal()];
    const own = LEVELS[level]!(part);
    return times(10, (k) => {
      const item = same ? shared[k]! : spread * rng.normal();
      return ["A", "B"].map((system) => {
        const score = ease + item + (system === "A" ? lean : -lean) / 2 + rng.normal();
        return `${own},${k + 1},${system}${text ? `,what is ${k * 7} of ${own} called` : ""},${score.toFixed(3)}`;
      });
    }).flat();
  }).flat();
  return readText("data.csv", lines([`${name},id,system${text ? ",prompt" : ""},score`, ...rows]));
}

const countOf = async (layout: Layout, options: CompareOptions = {}) => {
  const { n, clusters } = compare(await parts(layout), options);
  return [n, clusters];
};

describe("ids that start again under every value of a column", () => {
  it.each(["src", "part", "blk"].flatMap((name) => Object.keys(LEVELS).map((level) => [name, level] as const)))(
    "were ten items under %s in %s",
    async (name, level) => {
      expect(await countOf({ seed: "anew", name, level })).toEqual([80, 8]);
      expect(await countOf({ seed: "anew", name, level, text: true })).toEqual([80, 8]);
    },
  );

  it("were eight items, or tries of a prompt, under nr, which is a number too", async () => {
    expect(await countOf({ seed: "anew", name: "nr", text: true })).toEqual([80, 8]);
    const { assumptions } = (await parts({ seed: "anew", name: "nr", text: true })).imported;
    expect(assumptions.join(" ")).not.toContain("tries");
  });

  it("got verdicts where the parts lean to either system and neither is better", async () => {
    const claimed = await Promise.all(
      times(60, async (k) => {
        const data = await parts({ seed: `null ${k}`, text: k % 2 === 0 });
        try {
          return compare(data, { details: false }).main.p < 0.05 ? "claimed" : "not claimed";
        } catch (error) {
          return String(error).includes("is id the item?") ? "asked" : String(error);
        }
      }),
    );
    const count = (what: string): number => claimed.filter((own) => own === what).length;
    // 3 of 60 are expected by chance, 8 or more once in 60 tries
    expect(count("claimed")).toBeLessThanOrEqual(7);
    expect(count("asked") + count("claimed") + count("not claimed")).toBe(60);
    expect(count("asked")).toBeLessThanOrEqual(20);
  });

  it("are the same items where their scores say so", async () => {
    expect(await countOf({ seed: "anew", same: true })).toEqual([10, undefined]);
  });

  it("were taken for the same items where nothing tells", async () => {
    const data = await parts({ seed: "noise", spread: 0 });
    expect(() => compare(data)).toThrow("is id the item?");
    expect(compare(data, { item: "id" }).n).toBe(10);
    expect(compare(data, { item: "part,id" }).n).toBe(80);
    expect(compare(data, { item: "part,id" }).clusters).toBe(8);
  });
});
