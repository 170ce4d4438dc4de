/** How marks look: one table, from which the style sheet of an SVG and the literal attributes of PNG, PDF and TikZ are both made.
 *  "tone" stands for the colour of the mark's own tone: a system, a verdict, a step of a ramp. */
import { BANDS, type Colour, type Palette, SANS, tokenCss } from "./tokens.ts";

export type MarkStyle =
  | "grid"
  | "axis"
  | "zero"
  | "ref"
  | "lead"
  | "zone"
  | "rug"
  | "ln"
  | "thin"
  | "iv"
  | "cap"
  | "stripe"
  | "bd"
  | "bd2"
  | "fi"
  | "faint"
  | "ho"
  | "sd"
  | "rim"
  | "paper";

/** Line patterns, distinguished without colour. */
export type Dash = "dash2" | "dash3" | "dash4";

/** k0 is the baseline, k1 to k6 categories, ki ink; v-… verdicts; s… and d… steps of the ramps. */
export type Tone =
  | "k0"
  | "k1"
  | "k2"
  | "k3"
  | "k4"
  | "k5"
  | "k6"
  | "ki"
  | "v-better"
  | "v-worse"
  | "v-equivalent"
  | "v-inconclusive"
  | "v-higher"
  | "v-lower"
  | "s1"
  | "s2"
  | "s3"
  | "s4"
  | "s5"
  | "s6"
  | "s7"
  | "d1"
  | "d2"
  | "d3"
  | "d4"
  | "d5"
  | "d6"
  | "d7"
  | "d8"
  | "d9";

/** t1 strong ink, t0 ink, t2 the usual secondary ink, t3 captions, on: paper on a dark tile. */
export type TextStyle = "t1" | "t0" | "t2" | "t3" | "on";

interface Ink {
  readonly stroke?: Colour | "tone";
  readonly strokeWidth?: number;
  readonly strokeOpacity?: number;
  readonly dash?: readonly number[];
  readonly round?: boolean;
  readonly fill?: Colour | "tone";
  readonly fillOpacity?: number | "band" | "band-2";
}

export const MARKS: Readonly<Record<MarkStyle, Ink>> = {
  grid: { stroke: "line" },
  axis: { stroke: "line-2" },
  zero: { stroke: "ink" },
  ref: { stroke: "ink-2", dash: [3, 3] },
  lead: { stroke: "line-2" },
  zone: { fill: "tint" },
  rug: { stroke: "ink-3", strokeOpacity: 0.35 },
  ln: { stroke: "tone", strokeWidth: 2, round: true },
  thin: { stroke: "tone", strokeWidth: 1.5, round: true },
  iv: { stroke: "tone", strokeWidth: 2.5 },
  cap: { stroke: "tone", strokeWidth: 1.25 },
  sd: { stroke: "tone", strokeWidth: 1, strokeOpacity: 0.6 },
  stripe: { stroke: "tone", strokeWidth: 9, strokeOpacity: 0.22, round: true },
  bd: { fill: "tone", fillOpacity: "band" },
  bd2: { fill: "tone", fillOpacity: "band-2" },
  fi: { fill: "tone" },
  faint: { fill: "tone", fillOpacity: 0.45 },
  ho: { fill: "paper", stroke: "tone", strokeWidth: 2 },
  rim: { stroke: "paper", strokeWidth: 3 },
  paper: { fill: "paper" },
};

/** Pixels of the rim of paper around text that crosses lines: half of them lie outside the letters. */
export const HALO = 4;

export const DASHES: Readonly<Record<Dash, readonly number[]>> = {
  dash2: [7, 4],
  dash3: [1, 5],
  dash4: [9, 4, 1, 4],
};

const TEXT_COLOURS: Readonly<Record<TextStyle, Colour>> = {
  t1: "ink",
  t0: "ink",
  t2: "ink-2",
  t3: "ink-3",
  on: "paper",
};

const VERDICTS: Readonly<Record<string, Colour>> = {
  "v-better": "better",
  "v-worse": "worse",
  "v-equivalent": "equivalent",
  "v-inconclusive": "inconclusive",
  "v-higher": "directed",
  "v-lower": "directed",
};

export function toneColour(tone: Tone): Colour {
  if (tone === "k0") return "ink-3";
  if (tone === "ki") return "ink";
  if (tone.startsWith("k")) return `c${tone.slice(1)}` as Colour;
  return VERDICTS[tone] ?? (tone as Colour);
}

/** Text in a category's colour has a colour of its own, with more contrast. */
export function textColour(style: TextStyle, tone: Tone | undefined): Colour {
  if (tone === undefined) return TEXT_COLOURS[style];
  return /^k[1-6]$/.test(tone) ? (`c${tone.slice(1)}-t` as Colour) : toneColour(tone);
}

/** Paint of one mark in literal colours, for renderers that know no style sheets. */
export interface Paint {
  readonly stroke?: string;
  readonly strokeWidth: number;
  readonly strokeOpacity: number;
  readonly dash: readonly number[];
  readonly round: boolean;
  readonly fill?: string;
  readonly fillOpacity: number;
}

export type Theme = "light" | "dark";

export function paintOf(
  { style, tone = "ki", dash }: { readonly style: MarkStyle; readonly tone?: Tone; readonly dash?: Dash },
  palette: Palette,
  theme: Theme,
): Paint {
  const ink = MARKS[style];
  const colour = (own: Colour | "tone"): string => palette[own === "tone" ? toneColour(tone) : own];
  const { fillOpacity = 1 } = ink;
  return {
    ...(ink.stroke === undefined ? {} : { stroke: colour(ink.stroke) }),
    strokeWidth: ink.strokeWidth ?? 1,
    strokeOpacity: ink.strokeOpacity ?? 1,
    dash: dash === undefined ? (ink.dash ?? []) : DASHES[dash],
    round: ink.round === true,
    ...(ink.fill === undefined ? {} : { fill: colour(ink.fill) }),
    fillOpacity: typeof fillOpacity === "number" ? fillOpacity : BANDS[theme][fillOpacity],
  };
}

/** Rules for the marks within `.gp`, as the report and the page have them too. */
export function markCss(): string {
  const marks = Object.entries(MARKS).map(([name, ink]) => `.gp .${name}{${declarations(ink)}}`);
  const dashes = Object.entries(DASHES).map(([name, dash]) => `.gp .${name}{stroke-dasharray:${dash.join(" ")}}`);
  const texts = Object.entries(TEXT_COLOURS)
    .filter(([name]) => name !== "t2")
    .map(([name, colour]) => `.gp .${name}{fill:var(--${colour})}`);
  const tones = TONES.map((tone) => `.gp .${tone}{color:var(--${toneColour(tone)})}`);
  const toned = TONES.filter((tone) => /^(k|v)/.test(tone)).map(
    (tone) => `.gp text.${tone}{fill:var(--${textColour("t2", tone)})}`,
  );
  return [
    `.gp{font:12px ${SANS};font-variant-numeric:tabular-nums}`,
    ".gp text{fill:var(--ink-2)}",
    ...texts,
    ".gp .t1,.gp .b{font-weight:600}.gp .h{font-size:13px}.gp .s{font-size:11px}.gp .e{text-anchor:end}.gp .m{text-anchor:middle}",
    `.gp .halo{paint-order:stroke;stroke:var(--paper);stroke-width:${HALO}px;stroke-linejoin:round}`,
    ...marks,
    ...dashes,
    ...tones,
    ...toned,
  ].join("\n");
}

const TONES: readonly Tone[] = [
  ...(["k0", "k1", "k2", "k3", "k4", "k5", "k6", "ki"] as const),
  ...(["v-better", "v-worse", "v-equivalent", "v-inconclusive", "v-higher", "v-lower"] as const),
  ...(["s1", "s2", "s3", "s4", "s5", "s6", "s7"] as const),
  ...(["d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9"] as const),
];

function declarations({ stroke, strokeWidth, strokeOpacity, dash, round, fill, fillOpacity }: Ink): string {
  const colour = (own: Colour | "tone"): string => (own === "tone" ? "currentColor" : `var(--${own})`);
  return [
    `fill:${fill === undefined ? "none" : colour(fill)}`,
    ...(fillOpacity === undefined
      ? []
      : [`fill-opacity:${typeof fillOpacity === "number" ? fillOpacity : `var(--${fillOpacity})`}`]),
    ...(stroke === undefined ? [] : [`stroke:${colour(stroke)}`]),
    ...(strokeWidth === undefined ? [] : [`stroke-width:${strokeWidth}`]),
    ...(strokeOpacity === undefined ? [] : [`stroke-opacity:${strokeOpacity}`]),
    ...(dash === undefined ? [] : [`stroke-dasharray:${dash.join(" ")}`]),
    ...(round ? ["stroke-linejoin:round", "stroke-linecap:round"] : []),
  ].join(";");
}

/** The whole sheet of a file that stands alone: variables of both themes, then the rules. */
export function standaloneCss(light: Palette, dark: Palette): string {
  return [
    `.gp{${tokenCss(light, BANDS.light)};background:var(--paper)}`,
    `@media (prefers-color-scheme:dark){.gp{${tokenCss(dark, BANDS.dark)}}}`,
    markCss(),
  ].join("\n");
}
