/** Power over a grid, and what money buys. Redraws the curves of Card et al. (2020, Fig. 3, 4, 6-8, 17) and Howcroft & Rieser (2021). */

import type { CurveJson } from "../../power/solve/curve.ts";
import type { DesignJson } from "../../power/solve/design.ts";
import type { SeedDesignJson } from "../../power/solve/seeds-design.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { present } from "../../result/present.ts";
import { CATEGORIES, type Figure, type Panel, type PanelMark } from "../charts/figure.ts";
import { axisOf, nounOf, saidAt } from "./parameters.ts";
import { capital, count, join, percentOf, say } from "./words.ts";

/** A 95 % Monte-Carlo interval is so many standard errors to each side. */
const NORMAL = 1.96;
const TARGET = 0.8;
/** More lines in one panel are not distinguished. */
const MOST_LINES = 6;

type Point = CurveJson["points"][number];
type AxisValues = CurveJson["axes"][number];

/** Which axis runs along x, which tells lines apart, which panels. */
interface Roles {
  readonly across: AxisValues;
  readonly lines?: AxisValues;
  readonly panels: readonly AxisValues[];
}

export function curveFigures(json: CurveJson): Figure[] {
  const roles = rolesOf(json.axes);
  if (roles === undefined) return [];
  return [powerFigure(json, roles), ...exaggerationFigures(json, roles)];
}

function rolesOf(axes: readonly AxisValues[]): Roles | undefined {
  const numeric = axes.filter(({ values }) => values.length > 1 && values.every((value) => typeof value === "number"));
  const [across] = [...numeric].sort((a, b) => b.values.length - a.values.length);
  if (across === undefined) return undefined;
  const others = axes.filter((axis) => axis !== across);
  const lines = others.find(({ values }) => values.length > 1 && values.length <= MOST_LINES);
  return { across, ...present({ lines }), panels: others.filter((axis) => axis !== lines) };
}

interface Measure {
  readonly of: (point: Point) => number;
  readonly se?: (point: Point) => number;
  readonly ends: readonly [number, number];
}

function panelsOf(json: CurveJson, roles: Roles, { of, se, ends }: Measure): Panel[] {
  const { points } = json;
  const labelOf = ({ at }: Point): string => roles.panels.map(({ name }) => saidAt(json, name, at[name]!)).join(", ");
  const labels = [...new Set(points.map(labelOf))];
  return labels.map((label) => {
    const own = points.filter((point) => labelOf(point) === label);
    const lines = roles.lines?.values ?? [undefined];
    const marks = lines.flatMap((value, k): PanelMark[] => {
      const line = own.filter(({ at }) => value === undefined || at[roles.lines!.name] === value);
      const { tone, dash, symbol } = CATEGORIES[k]!;
      const x = (point: Point): number => point.at[roles.across.name] as number;
      const sorted = line.filter((point) => Number.isFinite(of(point))).sort((a, b) => x(a) - x(b));
      const clip = (share: number): number => Math.max(ends[0], Math.min(ends[1], share));
      const band =
        se === undefined
          ? []
          : sorted.map((p) => [x(p), clip(of(p) - NORMAL * se(p)), clip(of(p) + NORMAL * se(p))] as const);
      return [
        ...(band.some(([, a, b]) => b > a) ? [{ mark: "band", points: band, tone } as const] : []),
        {
          mark: "line",
          points: sorted.map((point) => [x(point), of(point)]),
          tone,
          symbol,
          ...present({ dash }),
          ...(value === undefined ? {} : { name: saidAt(json, roles.lines!.name, value) }),
        },
      ];
    });
    return { ...(label === "" ? {} : { label }), marks };
  });
}

function powerFigure(json: CurveJson, roles: Roles): Figure {
  const { points, title } = json;
  const simulated = points.some(({ method }) => method === "simulation");
  const panels = panelsOf(json, roles, {
    of: ({ power }) => power,
    ...(simulated ? { se: ({ se }: Point) => se } : {}),
    ends: [0, 1],
  }).map(
    (panel): Panel => ({ ...panel, marks: [{ mark: "rule", axis: "y", at: TARGET, style: "ref" }, ...panel.marks] }),
  );
  const { across } = roles;
  const noun = nounOf(json, across.name);
  const reached = reachedBy(json, roles);
  const at = (value: number): string => saidAt(json, across.name, value);
  return {
    name: "power",
    title: powerTitle(reached, at),
    subtitle: `Power of ${title} by ${noun}${roles.panels.length === 0 ? "" : `, panels by ${join(roles.panels.map(({ name }) => nounOf(json, name)))}`}${simulated ? "; bands: 95 % Monte-Carlo intervals" : ""}. Dashed: 80 %`,
    description: `Power by ${noun}. ${reached.map((own) => reachedSentence(own, at)).join(" ")}`,
    chart: {
      kind: "panels",
      x: { title: axisOf(json, across.name), domain: extent(across.values as number[]) },
      y: { title: "power", domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], format: "percent" },
      panels,
    },
    data: curveData(json),
  };
}

interface Reached {
  readonly name: string;
  readonly from?: number;
  readonly best: number;
  readonly bestAt: number;
}

/** Of each curve: the smallest value tried from which on the target is kept. */
function reachedBy(json: CurveJson, { across, lines, panels }: Roles): Reached[] {
  const { points } = json;
  const others = [...panels, ...(lines === undefined ? [] : [lines])];
  const nameOf = ({ at }: Point): string => others.map(({ name }) => saidAt(json, name, at[name]!)).join(", ");
  const x = (point: Point): number => point.at[across.name] as number;
  return [...new Set(points.map(nameOf))].map((name) => {
    const own = points.filter((point) => nameOf(point) === name).sort((a, b) => x(a) - x(b));
    const short = own.findLastIndex(({ power }) => !(power >= TARGET));
    const from = own[short + 1];
    const best = own.reduce((a, b) => (b.power > a.power ? b : a), own[0]!);
    return { name, best: best.power, bestAt: x(best), ...(from === undefined ? {} : { from: x(from) }) };
  });
}

function powerTitle(reached: readonly Reached[], at: (value: number) => string): string {
  const there = reached.filter(({ from }) => from !== undefined);
  if (there.length === 0) return `80 % power is not reached anywhere on this grid`;
  if (reached.length === 1) return `80 % power is reached from ${at(there[0]!.from!)} on, of the values tried`;
  if (there.length === reached.length) {
    const first = there.reduce((a, b) => (b.from! < a.from! ? b : a));
    return `80 % power is reached by every curve, first with ${first.name} (${at(first.from!)})`;
  }
  return `80 % power is reached by ${there.length} of ${reached.length} curves`;
}

const reachedSentence = ({ name, from, best, bestAt }: Reached, at: (value: number) => string): string => {
  const which = name === "" ? "it" : `with ${name} it`;
  const text =
    from === undefined
      ? `${which} does not keep to 80 percent: at most ${percentOf(best, 1)}, at ${at(bestAt)}.`
      : `${which} is at least 80 percent from ${at(from)} on.`;
  return capital(text);
};

function exaggerationFigures(json: CurveJson, roles: Roles): Figure[] {
  const { points, title } = json;
  const { across } = roles;
  const noun = nounOf(json, across.name);
  const x = { title: axisOf(json, across.name), domain: extent(across.values as number[]) };
  const finite = (values: readonly number[]): number[] => values.filter(Number.isFinite);
  const typeM = finite(points.map((point) => point.typeM));
  const typeS = finite(points.map((point) => point.typeS));
  const figures: Figure[] = [];
  if (typeM.length > 1 && mostOf(typeM) > 1.01) {
    figures.push({
      name: "type-m",
      title: `A significant difference looks ${say(Number(leastOf(typeM).toFixed(2)))} to ${say(Number(mostOf(typeM).toFixed(2)))} times as large as it is`,
      subtitle: `Type-M error of ${title}: mean size of a significant difference over the true one, by ${noun}`,
      description: `Type-M error by ${noun}: from ${say(leastOf(typeM))} to ${say(mostOf(typeM))} over the grid; 1 would be no exaggeration.`,
      chart: {
        kind: "panels",
        x,
        y: {
          title: "times too large (log scale)",
          kind: "log",
          domain: [Math.min(1, leastOf(typeM)), Math.max(1.5, mostOf(typeM))],
        },
        panels: panelsOf(json, roles, { of: (point) => point.typeM, ends: [1, Number.POSITIVE_INFINITY] }),
      },
      data: curveData(json),
    });
  }
  if (typeS.length > 1 && mostOf(typeS) > 0.005) {
    figures.push({
      name: "type-s",
      title: `Up to ${percentOf(mostOf(typeS), 1)} of the significant differences have the wrong sign`,
      subtitle: `Type-S error of ${title}: proportion of significant differences that point the wrong way, by ${noun}`,
      description: `Type-S error by ${noun}: from ${percentOf(leastOf(typeS), 2)} to ${percentOf(mostOf(typeS), 2)} over the grid.`,
      chart: {
        kind: "panels",
        x,
        y: {
          title: "wrong sign",
          domain: [0, Math.max(0.05, Math.min(0.5, mostOf(typeS) * 1.1))],
          format: "percent",
        },
        panels: panelsOf(json, roles, { of: (point) => point.typeS, ends: [0, 1] }),
      },
      data: curveData(json),
    });
  }
  return figures;
}

const extent = (values: readonly number[]): readonly [number, number] => [leastOf(values), mostOf(values)];

function curveData({ axes, points }: CurveJson): Figure["data"] {
  return {
    head: [...axes.map(({ name }) => name), "power", "se", "typeM", "typeS", "method"],
    rows: points.map(({ at, power, se, typeM, typeS, method }) => [
      ...axes.map(({ name }) => at[name]!),
      power,
      se,
      typeM,
      typeS,
      method,
    ]),
  };
}

/** Card et al. choose one design; here is what each amount of money buys. */
export function designFigures(json: DesignJson): Figure[] {
  const { frontier, best, target, budget } = json;
  if (frontier.length < 2) return [];
  const points = frontier.map(({ cost, power }) => [cost, power] as const);
  const words = `${count(best.items, "items")} and ${count(best.raters, "raters")}`;
  const level = target ?? TARGET;
  const simulated = Number.isFinite(best.simulatedPower);
  const found = simulated ? best.simulatedPower : best.power;
  return [
    {
      name: "frontier",
      title: `${words} for ${say(best.cost)} find the difference in ${percentOf(found)} of evaluations`,
      subtitle: `Power of the best design at each cost (approximation); the chosen one is marked${budget === undefined ? "" : `, budget ${say(budget)}`}${simulated ? `. Simulated power of the chosen one: ${percentOf(found, 1)}` : ""}`,
      description: `Power rises from ${percentOf(points[0]![1])} at a cost of ${say(points[0]![0])} to ${percentOf(points.at(-1)![1])} at ${say(points.at(-1)![0])}; the chosen design, ${words}, costs ${say(best.cost)} and has ${percentOf(found)}${simulated ? " by simulation" : ""}.`,
      chart: {
        kind: "panels",
        x: { title: "cost" },
        y: { title: "power", domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], format: "percent" },
        panels: [
          {
            marks: [
              { mark: "rule", axis: "y", at: level, style: "ref" },
              { mark: "line", points, tone: "k0", symbol: "circle" },
              { mark: "segment", from: [best.cost, 0], to: [best.cost, best.power], style: "lead" },
              { mark: "dots", points: [[best.cost, best.power]], tone: "k1", size: 5 },
              {
                mark: "label",
                at: [best.cost, best.power],
                text: words,
                tone: "k1",
                bold: true,
                anchor: "end",
                dx: -9,
                dy: -9,
              },
            ],
          },
        ],
      },
      data: {
        head: ["cost", "items", "raters", "ratings", "totalRatings", "power"],
        rows: frontier.map((own) => [own.cost, own.items, own.raters, own.ratings, own.totalRatings, own.power]),
      },
    },
  ];
}

/** Runs against items: the cheapest plan for each number of runs, or the power that the budget buys with it. */
export function seedDesignFigures({ best, plans, target, budget }: SeedDesignJson): Figure[] {
  if (plans.length < 2) return [];
  const words = `${count(best.seeds, "runs")} of each on ${count(best.items, "items")}`;
  const bought = target === undefined;
  const points = plans.map((own) => [own.seeds, bought ? own.power : own.cost] as const);
  const chosen = [best.seeds, bought ? best.power : best.cost] as const;
  const price = say(Number(best.cost.toPrecision(6)));
  const late = 2 * best.seeds > plans[0]!.seeds + plans.at(-1)!.seeds;
  return [
    {
      name: "frontier",
      title: bought
        ? `A budget of ${say(budget!)} buys ${percentOf(best.power)} power: ${words}`
        : `${percentOf(target)} power costs ${price}: ${words}`,
      subtitle: bought
        ? `Power for each number of training runs, with the items that are left in the budget; the best is marked`
        : `Cost of the fewest items with ${percentOf(target)} power for each number of training runs; the cheapest is marked`,
      description: `${plans.length > MOST_PLANS ? `From ${plans[0]!.seeds} to ${plans.at(-1)!.seeds} runs` : plans.map((own) => `${own.seeds} runs and ${say(own.items)} items: ${bought ? percentOf(own.power) : say(own.cost)}`).join("; ")}; best: ${words}, ${bought ? percentOf(best.power) : `a cost of ${price}`}.`,
      chart: {
        kind: "panels",
        x: { title: "training runs of each procedure" },
        y: bought
          ? { title: "power", domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], format: "percent" }
          : { title: "cost", domain: [0, 1.1 * mostOf(plans.map(({ cost }) => cost))] },
        height: 220,
        panels: [
          {
            marks: [
              ...(bought ? [{ mark: "rule", axis: "y", at: TARGET, style: "ref" } as const] : []),
              { mark: "line", points, tone: "k0", symbol: "circle" },
              { mark: "segment", from: [chosen[0], 0], to: chosen, style: "lead" },
              { mark: "dots", points: [chosen], tone: "k1", size: 5 },
              {
                ...({ mark: "label", tone: "k1", bold: true } as const),
                // beside the line down to the axis, below the curve
                ...{
                  at: [chosen[0], 0.4 * chosen[1]],
                  text: `${count(best.seeds, "runs")}, ${count(best.items, "items")}`,
                },
                ...(late ? { anchor: "end" as const, dx: -9 } : { dx: 9 }),
              },
            ],
          },
        ],
      },
      data: {
        head: ["runs", "items", "cost", "power"],
        rows: plans.map((own) => [own.seeds, own.items, own.cost, own.power]),
      },
    },
  ];
}

/** More than this are not read out one by one. */
const MOST_PLANS = 8;
