/** A drawing as plain data: shapes in pixels, each with its style and tone by name. Every output format is made of it, so that SVG, PNG,
 *  PDF and TikZ show the same. Nothing here knows what a statistic is. */
import type { Dash, MarkStyle, TextStyle, Tone } from "./style.ts";

export type Point = readonly [x: number, y: number];

interface Marked {
  readonly style: MarkStyle;
  readonly tone?: Tone;
  readonly dash?: Dash;
}

/** Straight lines; closed ones are filled. */
export interface PathShape extends Marked {
  readonly type: "path";
  readonly lines: readonly (readonly Point[])[];
  readonly closed?: boolean;
}

export interface RectShape extends Marked {
  readonly type: "rect";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface CircleShape extends Marked {
  readonly type: "circle";
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

export type Anchor = "start" | "middle" | "end";

export interface TextShape {
  readonly type: "text";
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly text: string;
  readonly style: TextStyle;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly size?: 11 | 12 | 13;
  readonly anchor?: Anchor;
  /** A rim of paper, where text crosses lines. */
  readonly halo?: boolean;
  /** The whole text, where `text` is cut short. */
  readonly whole?: string;
}

export type Shape = PathShape | RectShape | CircleShape | TextShape;

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

export function textShape(
  x: number,
  y: number,
  text: string,
  more: Omit<TextShape, "type" | "x" | "y" | "text">,
): TextShape {
  return { type: "text", x, y, text, ...more };
}

/** A straight line. */
export function lineShape(from: Point, to: Point, style: MarkStyle, tone?: Tone): PathShape {
  return { type: "path", lines: [[from, to]], style, ...(tone === undefined ? {} : { tone }) };
}

export type MarkSymbol = "circle" | "square" | "triangle" | "diamond" | "ring" | "box" | "right" | "left";

/** A mark at a point, of about the same weight whatever its form. */
export function symbolShape(symbol: MarkSymbol, [x, y]: Point, r: number, tone: Tone): Shape {
  const polygon = (points: readonly Point[], style: MarkStyle): Shape => ({
    type: "path",
    lines: [points],
    closed: true,
    style,
    tone,
  });
  switch (symbol) {
    case "circle":
      return { type: "circle", x, y, r, style: "fi", tone };
    case "ring":
      return { type: "circle", x, y, r, style: "ho", tone };
    case "square":
    case "box": {
      const half = 0.9 * r;
      const style = symbol === "box" ? "ho" : "fi";
      return { type: "rect", x: x - half, y: y - half, width: 2 * half, height: 2 * half, style, tone };
    }
    case "triangle":
      return polygon([[x, y - 1.3 * r], [x + 1.23 * r, y + 0.85 * r], [x - 1.23 * r, y + 0.85 * r]], "fi"); // biome-ignore format: one line
    case "diamond":
      return polygon([[x, y - 1.3 * r], [x + 1.3 * r, y], [x, y + 1.3 * r], [x - 1.3 * r, y]], "fi"); // biome-ignore format: one line
    case "right":
      return polygon([[x - r, y - r], [x + 1.2 * r, y], [x - r, y + r]], "ho"); // biome-ignore format: one line
    case "left":
      return polygon([[x + r, y - r], [x - 1.2 * r, y], [x + r, y + r]], "ho"); // biome-ignore format: one line
  }
}
