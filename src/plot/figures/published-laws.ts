/** Published figures of shapes and laws redrawn: smooths of several models side by side, and frequencies or densities with the part that
 *  matters filled. */
import { leastOf, mostOf } from "../../result/extremes.ts";
import { present } from "../../result/present.ts";
import type { Figure, Panel, PanelMark } from "../charts/figure.ts";
import { CUT_BANDS, curveMarks, frameOf } from "./gam.ts";
import type { ReplicatedAbout } from "./replications.ts";
import { join, say } from "./words.ts";

/** One row of panels a feature, one column a model. */
export interface ReplicatedShapes {
  readonly kind: "shapes";
  readonly name: string;
  /** What the effects are on. */
  readonly effect: string;
  readonly models: readonly {
    readonly label: string;
    readonly curves: readonly {
      readonly feature: string;
      readonly at: readonly number[];
      readonly effect: readonly number[];
      readonly lower: readonly number[];
      readonly upper: readonly number[];
      readonly rug?: readonly number[];
    }[];
  }[];
}

/** Panels with axes of their own. */
export interface ReplicatedDistributions {
  readonly kind: "distributions";
  readonly name: string;
  /** One line: what is drawn. */
  readonly about: string;
  readonly panels: readonly {
    readonly label: string;
    readonly x: string;
    readonly y: string;
    /** Of x, where they are few and known. */
    readonly ticks?: readonly number[];
    readonly bars?: readonly { readonly from: number; readonly to: number; readonly high: number }[];
    readonly density?: readonly (readonly [x: number, density: number])[];
    /** Ranges of x below which the density is filled. */
    readonly filled?: readonly (readonly [from: number, to: number])[];
    readonly rules?: readonly {
      readonly at: number;
      readonly label?: string;
      /** What was seen, and what it is held against. */
      readonly observed?: boolean;
    }[];
    /** Names of what lies between, at the top. */
    readonly names?: readonly { readonly at: number; readonly text: string }[];
  }[];
}

export function publishedShapes({ name, effect, models }: ReplicatedShapes, about: ReplicatedAbout): Figure[] {
  const features = [...new Set(models.flatMap(({ curves }) => curves.map(({ feature }) => feature)))];
  const spanOf = ({ effect: values }: { readonly effect: readonly number[] }): number =>
    mostOf(values) - leastOf(values);
  const largest = mostOf(models.flatMap(({ curves }) => curves.map(spanOf)));
  // rounding is nothing
  const heightOf = (curve: { readonly effect: readonly number[] }): string =>
    say(spanOf(curve) < 1e-9 * largest ? 0 : Number(spanOf(curve).toPrecision(2)));
  const cells = features.flatMap((feature) =>
    models.flatMap(({ label, curves }, k) =>
      curves.filter((own) => own.feature === feature).map((curve) => ({ feature, label, curve, first: k === 0 })),
    ),
  );
  // the models of one feature are looked at side by side
  const frames = new Map(
    features.map((name) => [name, frameOf(cells.flatMap(({ feature, curve }) => (feature === name ? [curve] : [])))]),
  );
  const cut = [...frames.values()].some((own) => own.cut);
  return [
    {
      name: `${about.id}-${name}`,
      title: `${about.where}: ${about.shows}`,
      subtitle: `Shape of each feature’s effect on ${effect} with its band, the data as marks at the foot; one column a model: ${join(models.map(({ label }) => label))}${cut ? CUT_BANDS : ""}`,
      description: `Heights of the effects on ${effect}. ${cells.map(({ feature, label, curve }) => `${feature}, ${label}: ${heightOf(curve)}`).join("; ")}.`,
      chart: {
        kind: "panels",
        x: { title: "" },
        y: { title: `effect on ${effect}`, format: "signed" },
        across: models.length,
        height: 150,
        panels: cells.map(({ feature, label, curve, first }): Panel => {
          const { at, rug = [] } = curve;
          const { range } = frames.get(feature)!;
          return {
            label: `${label}: height ${heightOf(curve)}`,
            x: { title: feature, domain: [leastOf(at), mostOf(at)] },
            y: { title: "", format: "signed", domain: range },
            marks: [
              { mark: "rule", axis: "y", at: 0, style: "zero" },
              ...curveMarks(at, curve, { tone: first ? "k0" : "k1", range }),
              { mark: "rug", at: rug },
            ],
          };
        }),
      },
      data: {
        head: ["model", "feature", "at", "effect", "lower", "upper"],
        rows: cells.flatMap(({ feature, label, curve }) =>
          curve.at.map((x, k) => [label, feature, x, curve.effect[k]!, curve.lower[k]!, curve.upper[k]!]),
        ),
      },
    },
  ];
}

type Law = ReplicatedDistributions["panels"][number];

export function publishedDistributions(
  { name, about: drawn, panels }: ReplicatedDistributions,
  about: ReplicatedAbout,
): Figure[] {
  return [
    {
      name: `${about.id}-${name}`,
      title: `${about.where}: ${about.shows}`,
      subtitle: drawn,
      description: `${drawn}. ${panels.map(describeLaw).join("; ")}.`,
      chart: {
        kind: "panels",
        x: { title: "" },
        y: { title: join([...new Set(panels.map(({ y }) => y))]) },
        across: 3,
        height: 200,
        panels: panels.map((panel): Panel => {
          const top = 1.2 * topOf(panel);
          return {
            label: panel.label,
            x: {
              ...{ title: panel.x, domain: rangeOfLaw(panel) },
              ...present({ ticks: panel.ticks }),
            },
            y: { title: panel.y, domain: [0, top] },
            marks: lawMarks(panel, top),
          };
        }),
      },
      data: {
        head: ["panel", "part", "from", "to", "height"],
        rows: panels.flatMap(({ label, bars = [], density = [], rules = [] }) => [
          ...bars.map(({ from, to, high }) => [label, "bar", from, to, high]),
          ...density.map(([x, height]) => [label, "density", x, x, height]),
          ...rules.map(({ at, label: text = "line" }) => [label, text, at, at, Number.NaN]),
        ]),
      },
    },
  ];
}

const topOf = ({ bars = [], density = [] }: Law): number =>
  Math.max(mostOf(bars.map(({ high }) => high)), mostOf(density.map(([, height]) => height)));

function rangeOfLaw({ bars = [], density = [] }: Law): readonly [number, number] {
  const places = [...bars.flatMap(({ from, to }) => [from, to]), ...density.map(([x]) => x)];
  return [leastOf(places), mostOf(places)];
}

function lawMarks({ bars = [], density = [], filled = [], rules = [], names = [] }: Law, top: number): PanelMark[] {
  const areas = filled.map(([from, to]): PanelMark => {
    const part = density.filter(([x]) => x >= from && x <= to);
    return { mark: "band", points: part.map(([x, height]) => [x, 0, height]), tone: "k1", strong: true };
  });
  return [
    ...(bars.length === 0 ? [] : [{ mark: "bars", bars, tone: "k0" } as const]),
    ...areas,
    ...(density.length === 0 ? [] : [{ mark: "line", points: density, tone: "ki", thin: true } as const]),
    ...rules.map(
      ({ at, label, observed = false }): PanelMark => ({
        ...({ mark: "rule", axis: "x", at, style: observed ? "zero" : "ref" } as const),
        ...present({ label }),
      }),
    ),
    ...names.map(
      ({ at, text }): PanelMark => ({
        ...({ mark: "label", at: [at, top], text, anchor: "middle", bold: true, dy: 12 } as const),
      }),
    ),
  ];
}

function describeLaw({ label, bars = [], rules = [] }: Law): string {
  const heights = bars.map(({ high }) => say(Number(high.toPrecision(3))));
  const lines = rules.map(({ at, label: text }) => `${text ?? "line"} at ${say(Number(at.toPrecision(3)))}`);
  const parts = [...(heights.length === 0 ? [] : [`heights ${join(heights)}`]), ...lines];
  return `${label}: ${parts.length === 0 ? "a density" : join(parts)}`;
}
