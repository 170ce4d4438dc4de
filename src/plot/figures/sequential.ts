/** A test that is looked at several times: the bounds of z over the information, and what each look spends and finds. */
import type { LooksJson } from "../../significance/sequential/looks.ts";
import type { Figure, PanelMark } from "../charts/figure.ts";
import type { Axis } from "../charts/scale.ts";
import { join, percentOf, say } from "./words.ts";

export function looksFigures(json: LooksJson): Figure[] {
  return json.information.length < 2 ? [] : [boundsFigure(json), chancesFigure(json)];
}

const round = (value: number, decimals: number): string => say(Number(value.toFixed(decimals)));

/** More bounds than this are named at the first and the last look only. */
const MOST_NAMED = 6;

const informationAxis = (information: readonly number[]): Axis => ({
  title: "information (proportion of the planned items)",
  format: "percent",
  domain: [Math.max(0, information[0]! - AIR), information.at(-1)! + AIR],
  ticks: information.length <= MOST_NAMED ? information : [0, 0.2, 0.4, 0.6, 0.8, 1],
});
const SPENDING: Readonly<Record<string, string>> = {
  "obrien-fleming": "O’Brien and Fleming",
  pocock: "Pocock",
  "lan-demets-of": "Lan and DeMets, like O’Brien and Fleming",
  "lan-demets-pocock": "Lan and DeMets, like Pocock",
};
/** Of the information, to both sides of the first and the last look. */
const AIR = 0.08;

function boundsFigure(json: LooksJson): Figure {
  const { information, z, sides, alpha, spending, stopped } = json;
  const upper = information.map((at, k) => [at, z[k]!] as const);
  const lower = upper.map(([at, bound]) => [at, -bound] as const);
  const named = upper.filter((_, k) => upper.length <= MOST_NAMED || k === 0 || k === upper.length - 1);
  const taken: PanelMark[] =
    stopped === undefined
      ? []
      : [
          {
            ...({ mark: "dots", tone: "k1", size: 5, symbol: stopped.rejected ? "circle" : "ring" } as const),
            points: [[information[stopped.look - 1]!, stopped.z]],
          },
        ];
  const found = stopped === undefined ? "" : ` Look ${stopped.look} has z ${round(stopped.z, 2)}: ${verdictOf(json)}.`;
  return {
    name: "bounds",
    title:
      stopped === undefined
        ? `A first look needs ${sides === 2 ? "|z|" : "z"} above ${round(z[0]!, 2)}, the last above ${round(z.at(-1)!, 2)}`
        : `Look ${stopped.look}: z of ${round(stopped.z, 2)} ${verdictOf(json)}`,
    subtitle: `Bounds of z at ${information.length} looks that keep the error at ${say(alpha)} (${SPENDING[spending] ?? spending}, ${sides === 2 ? "two-sided" : "one-sided"})${stopped === undefined ? "" : `; ${stopped.rejected ? "filled" : "ring"}: what was seen`}`,
    description: `Bounds of ${sides === 2 ? "|z|" : "z"}: ${upper.map(([at, bound]) => `${round(bound, 2)} at ${percentOf(at)} of the information`).join(", ")}.${found}`,
    chart: {
      kind: "panels",
      x: informationAxis(information),
      y: { title: "z", format: "signed" },
      height: sides === 2 ? 260 : 220,
      panels: [
        {
          marks: [
            { mark: "rule", axis: "y", at: 0, style: "zero" },
            { mark: "line", points: upper, tone: "k0", symbol: "square" },
            ...(sides === 2 ? [{ mark: "line", points: lower, tone: "k0", symbol: "square" } as const] : []),
            ...named.map(
              ([at, bound]): PanelMark => ({
                ...({ mark: "label", anchor: "middle", dy: -10 } as const),
                ...{ at: [at, bound], text: round(bound, 2) },
              }),
            ),
            ...taken,
          ],
        },
      ],
    },
    data: {
      head: ["look", "information", "z", "p", "spent"],
      rows: information.map((at, k) => [k + 1, at, z[k]!, json.p[k]!, json.spent[k]!]),
    },
  };
}

const verdictOf = ({ stopped, z }: LooksJson): string =>
  stopped!.rejected
    ? `crosses the bound of ${round(z[stopped!.look - 1]!, 2)}`
    : `stays within the bound of ${round(z[stopped!.look - 1]!, 2)}`;

function chancesFigure({ information, spent, power, drift, alpha }: LooksJson): Figure {
  const line = (values: readonly number[]): readonly (readonly [number, number])[] =>
    information.map((at, k) => [at, values[k]!]);
  const half = Math.ceil(information.length / 2) - 1;
  return {
    name: "chances",
    title:
      power === undefined
        ? `Of an error of ${say(alpha)}, ${percentOf(spent[half]! / alpha)} is spent at ${percentOf(information[half]!)} of the information`
        : `With a drift of ${say(drift!)}, ${percentOf(power[half]!)} of tests end at ${percentOf(information[half]!)} of the information or before`,
    subtitle: `Chance to have stopped for a difference by each look${power === undefined ? "" : ": where the drift is real, and"} where there is none`,
    description: `Stopped by each look where there is no difference: ${join(spent.map((own) => percentOf(own, 2)))}${power === undefined ? "" : `; with a drift of ${say(drift!)}: ${join(power.map((own) => percentOf(own, 1)))}`}.`,
    chart: {
      kind: "panels",
      x: informationAxis(information),
      y:
        power === undefined
          ? { title: "stopped so far", format: "percent", domain: [0, 1.1 * alpha] }
          : { title: "stopped so far", format: "percent", domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
      height: 200,
      panels: [
        {
          marks: [
            { mark: "rule", axis: "y", at: alpha, style: "ref" },
            ...(power === undefined
              ? []
              : [{ mark: "line", points: line(power), tone: "k1", symbol: "circle", name: "drift is real" } as const]),
            { mark: "line", points: line(spent), tone: "k0", symbol: "square", name: "no difference" },
          ],
        },
      ],
    },
    data: {
      head: ["look", "information", "spent", "power"],
      rows: information.map((at, k) => [k + 1, at, spent[k]!, power?.[k] ?? Number.NaN]),
    },
  };
}
