/** The linear model's power in six cells against lmerTest on data sets of its own (oracle/r/howcroft-power.R). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeRng } from "../src/numeric/rng.ts";
import { ordinalFamily, simulatePower } from "../src/power.ts";
import { R_POWER } from "./howcroft.ts";
import { howcroftParameters } from "./ordinal-figures.ts";
import { shareError } from "./reproduction.ts";

interface Cell {
  readonly setting: string;
  readonly items: number;
  readonly ratings: number;
  readonly effect: number;
  readonly power: number;
}
const { sets, cells }: { sets: number; cells: Cell[] } = JSON.parse(
  readFileSync(new URL("../oracle/r/howcroft-power.json", import.meta.url), "utf8"),
);

describe("cells of Howcroft & Rieser's Figure 2", () => {
  it("the replication shows the figures that R gave", () => {
    expect(R_POWER).toEqual(cells.map(({ setting, effect, power }) => [`howcroft-${setting}`, effect, power]));
  });

  it.each(cells)("$setting variance, effect $effect: power within four errors of lmerTest's", async (cell) => {
    const parameters = { ...howcroftParameters({ ...cell, setting: `howcroft-${cell.setting}` }), analysis: "lmm" };
    const [lmm] = (await simulatePower(ordinalFamily, parameters, { replicates: 200, rng: makeRng("1") })).analyses;
    const error = Math.hypot(lmm!.se, shareError(cell.power, sets));
    expect(Math.abs(lmm!.power - cell.power)).toBeLessThan(4 * error);
  });
});
