/** One picture as plain data: what is drawn, in the units of the data, and what is said about it. Charts lay it out at a width; nothing in
 *  it was computed for the picture. */

import type { MarkSymbol } from "../draw/scene.ts";
import type { Dash, Tone } from "../draw/style.ts";
import type { Axis } from "./scale.ts";

export interface Figure {
  /** Of the file and of the place on a page: "power", "pairs". */
  readonly name: string;
  /** The finding, or what is shown where nothing is tested. */
  readonly title: string;
  /** One line: n, interval, test, adjustment. */
  readonly subtitle: string;
  /** For those who do not see it: the finding in a sentence with its numbers. */
  readonly description: string;
  readonly chart: PanelChart | RowChart;
  /** What was drawn, one row a mark. */
  readonly data: FigureData;
}

export interface FigureData {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Small multiples over two axes. */
export interface PanelChart {
  readonly kind: "panels";
  readonly x: Axis;
  readonly y: Axis;
  readonly panels: readonly Panel[];
  /** Most panels side by side; default 4. */
  readonly across?: number;
  /** Pixels of one panel's plotting area; default 240, less for many. */
  readonly height?: number;
  /** Lines named once above the panels. */
  readonly legend?: readonly LegendEntry[];
  /** Below the x axis. */
  readonly note?: string;
}

export interface LegendEntry {
  readonly name: string;
  readonly tone: Tone;
  readonly symbol?: MarkSymbol;
  readonly dash?: Dash;
}

export interface Panel {
  readonly label?: string;
  readonly marks: readonly PanelMark[];
  /** Where the panel has axes of its own. */
  readonly x?: Axis;
  readonly y?: Axis;
}

type XY = readonly [x: number, y: number];
type Range = readonly [x: number, lower: number, upper: number];

export type PanelMark =
  | {
      readonly mark: "line";
      readonly points: readonly XY[];
      readonly tone: Tone;
      readonly dash?: Dash;
      readonly symbol?: MarkSymbol;
      readonly thin?: boolean;
      readonly step?: boolean;
      /** Written at its end. */
      readonly name?: string;
      /** Pixels to the side, of all its points. */
      readonly dodge?: number;
    }
  | { readonly mark: "band"; readonly points: readonly Range[]; readonly tone: Tone; readonly strong?: boolean }
  | {
      readonly mark: "dots";
      readonly points: readonly XY[];
      readonly tone: Tone;
      readonly symbol?: MarkSymbol;
      readonly faint?: boolean;
      readonly size?: number;
    }
  | {
      readonly mark: "intervals";
      readonly points: readonly Range[];
      readonly tone: Tone;
      readonly thin?: boolean;
      readonly dodge?: number;
    }
  /** Rectangles from x0 to x1, from 0 or `from` to y. */
  | {
      readonly mark: "bars";
      readonly bars: readonly {
        readonly from: number;
        readonly to: number;
        readonly low?: number;
        readonly high: number;
      }[];
      readonly tone: Tone;
      readonly strong?: boolean;
    }
  /** One dot for each, heaped in their ranges with the number above. */
  | {
      readonly mark: "stacks";
      readonly stacks: readonly {
        readonly from: number;
        readonly to: number;
        readonly count: number;
        readonly tone: Tone;
        readonly hollow?: boolean;
      }[];
    }
  | {
      readonly mark: "rule";
      readonly axis: "x" | "y";
      readonly at: number;
      readonly style: "ref" | "zero" | "lead";
      readonly label?: string;
      /** Named at its beginning, where lines that rise are far below. */
      readonly start?: boolean;
      /** Whether it runs over filled bars. */
      readonly over?: boolean;
      readonly tone?: Tone;
    }
  | {
      readonly mark: "zone";
      readonly axis: "x" | "y";
      readonly from: number;
      readonly to: number;
      readonly label?: string;
    }
  | { readonly mark: "segment"; readonly from: XY; readonly to: XY; readonly style: "ref" | "lead" | "zero" }
  | { readonly mark: "rug"; readonly at: readonly number[] }
  | {
      readonly mark: "tiles";
      readonly tiles: readonly {
        readonly x: number;
        readonly y: number;
        readonly tone: Tone;
        readonly text?: string;
        readonly dark?: boolean;
      }[];
      readonly halfWidth: number;
      readonly halfHeight: number;
    }
  | {
      readonly mark: "label";
      readonly at: XY;
      readonly text: string;
      readonly anchor?: "start" | "middle" | "end";
      readonly tone?: Tone;
      readonly bold?: boolean;
      readonly dx?: number;
      readonly dy?: number;
    };

/** Rows with a name, marks over one axis and columns of text: forest plots, components, caterpillars, distributions. */
export interface RowChart {
  readonly kind: "rows";
  readonly x: Axis;
  readonly rows: readonly ChartRow[];
  /** Heads of the columns of text. */
  readonly columns: readonly { readonly title: string; readonly align?: "start" | "end" }[];
  /** A line through all rows: no difference, chance. */
  readonly zero?: number;
  /** A shaded range with dashed ends, and what it means. */
  readonly zone?: { readonly from: number; readonly to: number; readonly label: string };
  readonly refs?: readonly { readonly at: number; readonly label: string }[];
  /** What lies left and right of zero. */
  readonly sides?: readonly [left: string, right: string];
  /** Pixels between rows; default 30. */
  readonly step?: number;
  readonly legend?: readonly LegendEntry[];
}

export interface ChartRow {
  readonly label: string;
  /** Small print under the label. */
  readonly remark?: string;
  /** A heading of the rows below it. */
  readonly heading?: boolean;
  readonly bold?: boolean;
  readonly marks?: readonly RowMark[];
  /** One text a column. */
  readonly cells?: readonly { readonly text: string; readonly tone?: Tone; readonly bold?: boolean }[];
}

export type RowMark =
  | {
      readonly mark: "estimate";
      readonly value: number;
      readonly lower?: number;
      readonly upper?: number;
      readonly tone: Tone;
      readonly symbol?: MarkSymbol;
      readonly small?: boolean;
      readonly shift?: number;
    }
  | {
      readonly mark: "bar";
      readonly from: number;
      readonly to: number;
      readonly tone: Tone;
      readonly text?: string;
      readonly solid?: boolean;
      readonly dark?: boolean;
    }
  | { readonly mark: "stripe"; readonly from: number; readonly to: number; readonly tone: Tone }
  | { readonly mark: "spread"; readonly from: number; readonly to: number; readonly tone: Tone }
  | { readonly mark: "dots"; readonly at: readonly number[]; readonly tone: Tone }
  | { readonly mark: "tick"; readonly at: number; readonly tone: Tone };

/** Categories in their fixed order: colour, pattern and mark together, so that none carries the meaning alone. */
export const CATEGORIES: readonly { readonly tone: Tone; readonly dash?: Dash; readonly symbol: MarkSymbol }[] = [
  { tone: "k1", symbol: "circle" },
  { tone: "k2", dash: "dash2", symbol: "square" },
  { tone: "k3", symbol: "triangle" },
  { tone: "k4", dash: "dash4", symbol: "diamond" },
  { tone: "k5", dash: "dash3", symbol: "ring" },
  { tone: "k6", dash: "dash2", symbol: "box" },
];
