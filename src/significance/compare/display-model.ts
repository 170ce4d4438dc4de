/** The tables of a comparison by a mixed model: likelihood-ratio tests, means by class, pairs within classes. */
import type { DisplayTable } from "../../result/display.ts";
import type { ComparedPair } from "./comparison.ts";
import type { ModelComparison } from "./model.ts";
import { type ScoreStyle, shown, unit } from "./narrate.ts";

export function modelTables(model: ModelComparison, pairs: readonly ComparedPair[], style: ScoreStyle): DisplayTable[] {
  const { systems, interaction, within, by } = model;
  const tests: DisplayTable = {
    caption: "Likelihood-ratio tests (ML)",
    head: ["of", "chi-square", "df", "p"],
    formats: ["text", "statistic", "df", "p"],
    rows: [
      [by === undefined ? "systems" : "systems, in any class", systems.chisq, systems.df, systems.p],
      ...(interaction
        ? [[`difference depends on ${by}`, interaction.chisq, interaction.df, interaction.p] as const]
        : []),
    ],
  };
  if (within === undefined || by === undefined) return [tests];
  return [tests, meansTable(model, style), pairsTable(model, pairs, style)];
}

/** The data of an interaction plot: lines that are parallel mean that the difference does not depend on the class. */
function meansTable({ within, means, by, classes }: ModelComparison, style: ScoreStyle): DisplayTable {
  const systems = means.means.map(({ name }) => name);
  const found = new Map(
    within!.means.map(({ levels, estimate }) => [`${levels[within!.by[0]!]}\0${levels[by!]}`, estimate]),
  );
  return {
    caption: `Means by ${by}${unit(style)}`,
    head: [by!, "items", ...systems],
    formats: ["text", "integer", ...systems.map(() => "number" as const)],
    rows: classes!.map(({ name, items }) => [
      name,
      items,
      ...systems.map((system) => shown(found.get(`${system}\0${name}`) ?? Number.NaN, style)),
    ]),
  };
}

function pairsTable({ within, by }: ModelComparison, pairs: readonly ComparedPair[], style: ScoreStyle): DisplayTable {
  return {
    caption: `Pairs within ${by}${pairs.length > 1 ? ", adjusted within each class" : ""}`,
    head: [by!, "pair", `difference${unit(style)}`, "from", "to", "p"],
    formats: ["text", "text", "number", "number", "number", "p"],
    rows: within!.contrasts.map(({ within: levels, estimate, lower, upper, p }, k) => {
      const { a, b } = pairs[k % pairs.length]!;
      const name = Object.values(levels ?? {}).join(", ");
      return [name, `${b} - ${a}`, shown(estimate, style), shown(lower, style), shown(upper, style), p];
    }),
  };
}
