/** Colours by their role, in the light and the dark theme. Plots, reports and pages share these names as CSS variables. */

export const LIGHT = {
  paper: "#ffffff",
  tint: "#f6f5f3",
  "tint-2": "#ecebe7",
  line: "#e3e0db",
  "line-2": "#8f8981",
  ink: "#1b1917",
  "ink-2": "#524d47",
  "ink-3": "#6f6a63",
  better: "#0d52a6",
  worse: "#c24a0f",
  equivalent: "#00837a",
  inconclusive: "#45403a",
  directed: "#1b1917",
  c1: "#267dcb",
  c2: "#c97f16",
  c3: "#5d0f71",
  c4: "#005746",
  c5: "#b3627f",
  c6: "#746b17",
  "c1-t": "#1c69b0",
  "c2-t": "#8f5a08",
  "c3-t": "#5d0f71",
  "c4-t": "#005746",
  "c5-t": "#a04e6d",
  "c6-t": "#6a610f",
  s1: "#eef4fb",
  s2: "#cbe1f8",
  s3: "#9cc5f0",
  s4: "#6aa6e4",
  s5: "#3684cd",
  s6: "#0260a6",
  s7: "#003c6c",
  d1: "#872f00",
  d2: "#b7531c",
  d3: "#d98854",
  d4: "#edc09d",
  d5: "#f1f0ed",
  d6: "#b5d5f4",
  d7: "#79ace1",
  d8: "#397dc4",
  d9: "#0b4c92",
} as const;

export type Colour = keyof typeof LIGHT;
export type Palette = Readonly<Record<Colour, string>>;

export const DARK: Palette = {
  paper: "#161412",
  tint: "#201d1a",
  "tint-2": "#2a2622",
  line: "#34302b",
  "line-2": "#776f66",
  ink: "#efeae1",
  "ink-2": "#bdb6aa",
  "ink-3": "#958e83",
  better: "#5ca1f3",
  worse: "#f58b4b",
  equivalent: "#65ccbc",
  inconclusive: "#e9e4da",
  directed: "#efeae1",
  c1: "#6aa6f0",
  c2: "#f7b955",
  c3: "#b560a6",
  c4: "#a0ecd6",
  c5: "#e58ba4",
  c6: "#8f8d3a",
  "c1-t": "#6aa6f0",
  "c2-t": "#f7b955",
  "c3-t": "#c778b9",
  "c4-t": "#a0ecd6",
  "c5-t": "#e58ba4",
  "c6-t": "#a09e49",
  s1: "#1a222b",
  s2: "#21374e",
  s3: "#255079",
  s4: "#2d6ca8",
  s5: "#488dd1",
  s6: "#7fb6ee",
  s7: "#c6e1ff",
  d1: "#f8bc90",
  d2: "#e78951",
  d3: "#ad5b33",
  d4: "#693923",
  d5: "#2d2b28",
  d6: "#2d4c6f",
  d7: "#4077b3",
  d8: "#66a6ea",
  d9: "#acd6fd",
};

/** Opacity of bands: a dark ground swallows more. */
export const BANDS = { light: { band: 0.16, "band-2": 0.3 }, dark: { band: 0.22, "band-2": 0.38 } } as const;

export const SANS =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", "Liberation Sans", Arial, sans-serif';

/** The palette as CSS declarations. */
export function tokenCss(palette: Palette, bands: { readonly band: number; readonly "band-2": number }): string {
  const colours = Object.entries(palette).map(([name, value]) => `--${name}:${value}`);
  return [...colours, `--band:${bands.band}`, `--band-2:${bands["band-2"]}`].join(";");
}
