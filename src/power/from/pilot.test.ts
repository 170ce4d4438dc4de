import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { layOutDesign, planDesign } from "../designs/designs.ts";
import { LIKERT_SETTINGS } from "../published-settings.ts";
import { headToHeadFamily } from "../scenarios/head-to-head.ts";
import { likertFamily } from "../scenarios/likert.ts";
import { ordinalFamily } from "../scenarios/ordinal.ts";
import { parametersFromPilot, preferencesFromPilot } from "./pilot.ts";

const columns = { score: "score", system: "model", rater: "who", item: "text" };
const high = LIKERT_SETTINGS["card-high"]!;

/** Ratings drawn from known parameters; systems "base" and "ours". */
function ratings(levels: number | undefined, request: Parameters<typeof planDesign>[0]): Table {
  const { item, rater, system } = layOutDesign(planDesign(request));
  const rng = makeRng("pilot");
  const draw = (sd: number) => Array.from({ length: 500 }, () => sd * rng.normal());
  const [w0, w1, i0, i1] =
    levels === undefined
      ? [draw(high.raterIntercept), draw(high.raterSlope), draw(high.itemIntercept), draw(high.itemSlope)]
      : [draw(0.5), draw(0.3), draw(0.6), draw(0.5)];
  const y = Float64Array.from(item, (i, k) => {
    const w = rater[k]!;
    if (levels === undefined) {
      const x = system[k] === 0 ? -1 : 1;
      return 0.5 + 0.05 * x + w0[w]! + i0[i]! + x * (w1[w]! + i1[i]!) + high.residual * rng.normal();
    }
    const latent = w0[w]! + i0[i]! + (system[k] === 0 ? 0 : 0.4 + w1[w]! + i1[i]!) + rng.normal();
    return 1 + [-1, 0, 1].filter((cut) => cut < latent).length;
  });
  return makeTable([
    ["score", numericColumn(y)],
    ["model", factorColumn(Array.from(system, (s) => (s === 0 ? "base" : "ours")))],
    ["who", factorColumn(Array.from(rater, (w) => `w${w}`))],
    ["text", factorColumn(Array.from(item, String))],
  ]);
}

describe("parameters from pilot ratings", () => {
  it("are those that the ratings were drawn with, within their errors: linear", () => {
    const { parameters, difference, se, systems, raters, items } = parametersFromPilot(
      "likert",
      ratings(undefined, { items: 60, raters: 40 }),
      columns,
    );
    expect([systems, raters, items]).toEqual([["base", "ours"], 40, 60]);
    const off = (name: keyof typeof high, levels: number) =>
      (parameters[name] as number) / high[name] - 1 < 4 / Math.sqrt(2 * levels);
    expect(off("raterSlope", 40) && off("itemSlope", 60) && off("residual", 4000)).toBe(true);
    expect(Math.abs(difference - 0.1)).toBeLessThan(4 * se);
    const planned = likertFamily.make({ ...parameters, items: 100, raters: 10, effect: 0.2 }).approximatePower!().power;
    const truth = likertFamily.make({ setting: "card-high", items: 100, raters: 10, effect: 0.2 }).approximatePower!()
      .power;
    expect(Math.abs(planned - truth)).toBeLessThan(0.2);
  });

  it("change their sign with the order of the systems, not their size", () => {
    const table = ratings(undefined, { items: 30, raters: 12 });
    const there = parametersFromPilot("likert", table, columns);
    const back = parametersFromPilot("likert", table, { ...columns, systems: ["ours", "base"] });
    expect(back.difference).toBeCloseTo(-there.difference, 6);
    expect(back.parameters["raterSlope"]).toBeCloseTo(there.parameters["raterSlope"] as number, 5);
  });

  it("bring the thresholds of an ordinal scale along", () => {
    const { parameters, difference, se } = parametersFromPilot(
      "ordinal",
      ratings(4, { items: 60, raters: 30, ratings: 10, design: "k-of-m" }),
      columns,
    );
    const cuts = String(parameters["thresholds"]).split(",").map(Number);
    expect(cuts).toHaveLength(3);
    // levels of raters and items move all thresholds together
    expect(Math.abs(cuts[2]! - cuts[0]! - 2)).toBeLessThan(0.25);
    expect(Math.abs(difference - 0.4)).toBeLessThan(4 * se);
    expect(
      ordinalFamily.make({ ...parameters, items: 50, ratings: 3, raters: 12, design: "lists", effect: 0.4 })
        .approximatePower!().power,
    ).toBeGreaterThan(0.2);
  });

  it("say what the observed effect is not for, and that few raters say little", () => {
    const { diagnostics } = parametersFromPilot("likert", ratings(undefined, { items: 30, raters: 4 }), columns);
    const codes = diagnostics.map(({ code }) => code);
    expect(codes).toContain("ObservedEffect");
    expect(codes).toContain("SmallPilot");
  });

  it("need two systems", () => {
    const table = ratings(undefined, { items: 5, raters: 3 });
    expect(() => parametersFromPilot("likert", table, { ...columns, system: "who" })).toThrow(
      expect.objectContaining({ code: "NotTwoSystems" }),
    );
    expect(() => parametersFromPilot("likert", table, { ...columns, systems: ["base", "others"] })).toThrow(
      expect.objectContaining({ code: "UnknownLevel" }),
    );
  });
});

describe("votes of a pairwise sheet were planned for as ratings", () => {
  /** Drawn with SDs of raters 0.6 and items 1, log odds 0.4 and one tie in five; two rows a vote. */
  const votes = (): Table => {
    const rng = makeRng("votes");
    const draw = (sd: number, n: number) => Array.from({ length: n }, () => sd * rng.normal());
    const [raters, items] = [draw(0.6, 30), draw(1, 60)];
    const rows = items.flatMap((i, text) =>
      raters.flatMap((r, who) => {
        const tie = rng.uniform() < 0.2;
        const won = tie ? 0.5 : rng.uniform() < 1 / (1 + Math.exp(-(0.4 + i + r))) ? 1 : 0;
        const vote = { text, who, vote: text * 100 + who };
        return [
          { ...vote, model: "ours", other: "base", score: won },
          { ...vote, model: "base", other: "ours", score: 1 - won },
        ];
      }),
    );
    const text = (name: "text" | "who" | "vote" | "model" | "other") =>
      [name, factorColumn(rows.map((row) => String(row[name])))] as const;
    return makeTable([
      ...(["text", "who", "vote", "model", "other"] as const).map(text),
      ["score", numericColumn(rows.map(({ score }) => score))],
    ]);
  };

  it("gives the spreads that they were drawn with, each vote counted once", () => {
    const found = preferencesFromPilot(votes(), { ...columns, opponent: "other", cluster: "vote" });
    expect(found).toMatchObject({ ratings: 1800, raters: 30, items: 60, systems: ["base", "ours"] });
    const { raterSd, itemSd, tie } = found.parameters as Record<string, number>;
    expect(Math.abs(raterSd! / 0.6 - 1)).toBeLessThan(4 / Math.sqrt(2 * 30));
    expect(Math.abs(itemSd! - 1)).toBeLessThan(4 / Math.sqrt(2 * 60));
    expect(Math.abs(tie! - 0.2)).toBeLessThan(4 * Math.sqrt(0.16 / 1800));
    expect(Math.abs(found.difference - 0.4)).toBeLessThan(4 * found.se);
    expect(found.diagnostics.at(-1)!.code).toBe("ObservedEffect");
    const ties = Math.round(tie! * 1800);
    const told = found.diagnostics.find(({ code }) => code === "PilotTies")!;
    expect(told.message).toContain(`${ties} of the pilot's 1800 votes are ties`);
    expect(told.fix).toContain(String(Number((1 - ties / 1800).toPrecision(4))));
    const planned = headToHeadFamily.make({ items: 40, raters: 6, win: 0.6, tie: 0.25, raterSd: 0.5, itemSd: 0.5 });
    expect(planned.effectWords).toMatch(/^preference of 60 % wins, 25 % ties and 15 % losses/);
    expect(planned.parameters.find(({ name }) => name === "loss")!.value).toBeCloseTo(0.15, 12);
  });
});
