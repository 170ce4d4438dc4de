/** Pictures of results: `gosset/plot`. Apart from the library's main entry, so that who fits a model loads none of it. */
export type {
  ChartRow,
  Figure,
  FigureData,
  LegendEntry,
  Panel,
  PanelChart,
  PanelMark,
  RowChart,
  RowMark,
} from "./plot/charts/figure.ts";
export type { LayoutOptions } from "./plot/charts/layout.ts";
export type { Axis, TickFormat } from "./plot/charts/scale.ts";
export type { MarkSymbol } from "./plot/draw/scene.ts";
export { type Dash, markCss, type Theme, type Tone } from "./plot/draw/style.ts";
export type { ReplicatedBoxes, ReplicatedMeans, ReplicatedScatter } from "./plot/figures/published.ts";
export type { ReplicatedDistributions, ReplicatedShapes } from "./plot/figures/published-laws.ts";
export type { ReplicatedCurves, ReplicatedPicture, ReplicatedTimeline } from "./plot/figures/replications.ts";
export {
  chooseFigure,
  figureCsv,
  PLOTTED_KINDS,
  type PlotOptions,
  plotJson,
  plotResult,
  renderPdf,
  renderSvg,
  renderTikz,
} from "./plot/plot.ts";
