/** Plans that are carried out: a development set or a pilot gives the spread, `size` (or `mde`) the plan for a stated effect, and `compare` meets
 *  fresh data in which that effect is true. Counted: experiments that find it. Figures: docs/methods/power.md. */
import { describe, it } from "vitest";
import type { Table } from "../../src/data/table.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import { planFromDev } from "../../src/power/from/dev-files.ts";
import { parametersFromPilot } from "../../src/power/from/pilot.ts";
import { findScenario } from "../../src/power/scenarios/scenarios.ts";
import { findMde } from "../../src/power/solve/mde.ts";
import { findSize } from "../../src/power/solve/size.ts";
import { compare } from "../../src/significance/compare/compare.ts";
import { type DifferenceLaw, discordant, pairedScores, ratings } from "./compare/draw.ts";
import { layeredScores } from "./compare/layouts.ts";
import { judgeAtLeast } from "./rate.ts";

const SETS = 400;
/** A plan from an estimated spread is as often too small as too large: on average a little power is lost. */
const PROMISED = 0.75;

const CLAIMS: ReadonlySet<string> = new Set(["BETTER", "HIGHER"]);
const isFound = (table: Table, rng: Rng): boolean => CLAIMS.has(compare(table, { rng }).main.verdict);

async function carryOut(name: string, once: (rng: Rng) => Promise<boolean>, sets = SETS): Promise<void> {
  let found = 0;
  for (let k = 0; k < sets; k++) if (await once(makeRng(name, k))) found += 1;
  judgeAtLeast(name, [found, sets], PROMISED);
}

/** Items, or whole clusters of them, that the development results ask for. */
async function plannedItems(dev: Table, delta: number): Promise<number> {
  const { scenario, params } = planFromDev(dev);
  const { delta: _, ...rest } = params;
  return (await findSize(findScenario(scenario), { ...rest, delta })).n;
}

describe("from-dev, then size, then compare", () => {
  it.each([
    [100, 0.2, 0.1],
    [300, 0.1, 0.05],
  ])("right and wrong answers of %i items", (items, share, delta) =>
    carryOut(`${items} dev items, 0/1, ${share} discordant, effect ${delta}`, async (rng) => {
      const n = await plannedItems(discordant(rng.stream(0), items, share, delta), delta);
      return isFound(discordant(rng.stream(1), n, share, delta), rng.stream(2));
    }),
  );

  it.each<[DifferenceLaw, number]>([
    ["normal", 40],
    ["exponential", 40],
    ["likert", 100],
  ])("%s differences of %i items", (law, items) =>
    carryOut(`${items} dev items, ${law} differences, effect 0.4`, async (rng) => {
      const n = await plannedItems(pairedScores(rng.stream(0), items, law, 0.4), 0.4);
      return isFound(pairedScores(rng.stream(1), n, law, 0.4), rng.stream(2));
    }),
  );

  it("clusters", () =>
    carryOut("20 dev documents of 10 items, effect 0.3", async (rng) => {
      const draw = (own: Rng, documents: number) =>
        layeredScores(own, { items: 10 * documents, documents, documentSd: 0.4 }, 0.3);
      const n = await plannedItems(draw(rng.stream(0), 20), 0.3);
      return isFound(draw(rng.stream(1), Math.ceil(n / 10)), rng.stream(2));
    }));
});

describe("a pilot of ratings, then size, then compare", () => {
  it.each([
    [8, 0.2],
    [12, 0.4],
  ])("%i raters", (raters, raterSd) => {
    const design = { items: 40, raters, who: "crossed", raterSd, likert: false } as const;
    const columns = { score: "score", system: "system", rater: "rater", item: "item" };
    const family = findScenario("likert");
    return carryOut(
      `pilot of 40 items, ${raters} raters, spread of their preferences ${raterSd}: mde of the same design`,
      async (rng) => {
        const { parameters } = parametersFromPilot("likert", ratings(rng.stream(0), design, 0.3), columns);
        const { mde } = await findMde(family, { ...parameters, items: 40, raters }, { method: "approx" });
        return Number.isFinite(mde) && isFound(ratings(rng.stream(1), design, mde), rng.stream(2));
      },
      150,
    );
  });
});
