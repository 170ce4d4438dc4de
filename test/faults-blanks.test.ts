/** What is missing from a sheet: ratings that some raters left out, outcomes of one of several systems, answers of one of two files. */
import { describe, expect, it } from "vitest";
import { compare } from "../src/index.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { lines, readText, times } from "./support/read-text.ts";

/** 3 raters x 30 items; `blank` says which ratings are not there. */
function sheet(seed: string, blank: (rater: number, system: number, u: number) => boolean, strict = 0): string {
  const rng = makeRng(seed);
  const rows = times(30, (i) => {
    const base = 3 + 0.6 * rng.normal();
    return [0, 1, 2].flatMap((r) =>
      [0, 1].flatMap((s) => {
        const score = base + 0.5 * s + r * strict + 0.2 * s * r + 0.8 * rng.normal();
        return blank(r, s, rng.uniform()) ? [] : [`${i},${"AB"[s]},ann${r},${score.toFixed(4)}`];
      }),
    );
  }).flat();
  return lines(["item,system,rater,rating", ...rows]);
}

describe("ratings that raters left out", () => {
  it("of a strict rater do not count against the system that he rated more often", async () => {
    const blank = (r: number, s: number, u: number): boolean => r === 2 && s === 1 && u < 0.8;
    const [plain, strict] = await Promise.all(
      [0, -1.5].map(async (own) => compare(await readText("r.csv", sheet("strict", blank, own)))),
    );
    const [check, other] = [plain, strict].map((own) => own!.main.facets![0]!);
    expect(other!.p).toBeCloseTo(check!.p, 6);
    expect(other!.difference).toBeCloseTo(check!.difference, 6);
  });

  it("are told, with what is done about them, and p and interval agree", async () => {
    const result = compare(
      await readText(
        "r.csv",
        sheet("told", (_, __, u) => u < 0.2),
      ),
    );
    expect(result.testChoice).toMatch(/Of 180 ratings.*\d+ are not there.*nothing is filled in/);
    const { ci, p } = result.main;
    expect(ci.lower > 0 || ci.upper < 0).toBe(p < 0.05);
    expect(
      compare(
        await readText(
          "r.csv",
          sheet("whole", () => false),
        ),
      ).testChoice,
    ).not.toContain("not there");
  });
});

describe("several systems of which some outcomes are missing", () => {
  /** b gains 20 and loses 4 of 100; c is as a, but lacks outcomes. */
  const rows = (missing: number): string =>
    lines([
      "item,system,correct",
      ...times(100, (i) => {
        const a = i < 54 ? 1 : 0;
        const b = i < 50 || (i >= 54 && i < 74) ? 1 : 0;
        return [`${i},a,${a}`, `${i},b,${b}`, `${i},c,${i >= 100 - missing ? "" : a}`];
      }).flat(),
    ]);

  it("are judged pair by pair as two systems are: those that lack none keep their verdict", async () => {
    const { pairs } = compare(await readText("r.csv", rows(20)));
    const of = (a: string, b: string) => pairs.find((own) => own.a === a && own.b === b)!;
    expect(of("a", "b").verdict).toBe("BETTER");
    expect(of("b", "c").verdict).toBe("INCONCLUSIVE");
  });

  it("and a few missing ones overturn nothing", async () => {
    const { pairs } = compare(await readText("r.csv", rows(2)));
    expect(pairs.map(({ verdict }) => verdict)).toEqual(["BETTER", "INCONCLUSIVE", "WORSE"]);
    const held = pairs.find(({ a, b }) => a === "b" && b === "c")!;
    expect(held.bounds?.holds).toBe(true);
  });
});

describe("answers that are empty in one of two files", () => {
  const file = (empty: (i: number) => boolean): string =>
    lines(["id,output,correct", ...times(60, (i) => `q${i},${empty(i) ? "" : "words"},${empty(i) ? 0 : (i % 3) % 2}`)]);

  it("are seen as in one file with a column of systems", async () => {
    const files = [
      await readText(
        "old.csv",
        file(() => false),
      ),
      await readText(
        "new.csv",
        file((i) => i % 6 === 0),
      ),
    ];
    const told = compare(files).diagnostics.find(({ code }) => code === "Errored");
    expect(told?.message).toContain("rows that ended without an answer (output: 10 of new)");
  });
});

describe("a measure of repeated tries", () => {
  it.each(["pass@k", "pass^k", "maj@k", "pass@"])("%s without a number asks for one", async (metric) => {
    const text = lines(["id,system,seed,correct", ...times(10, (i) => [`${i},a,1,1`, `${i},b,1,0`]).flat()]);
    const own = await readText("r.csv", text);
    expect(() => compare(own, { metric })).toThrow(/needs a number of tries/);
  });
});
