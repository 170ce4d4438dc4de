/** Standard normal draws by the ziggurat: 256 layers of equal area v under exp(-x²/2), the lowest with the tail.
 *
 *  Layer i spans 0 <= x < x[i]; a draw below x[i+1] lies wholly under the curve and is accepted at once (99 %).
 *  Otherwise the wedge is tested against the curve, or, in layer 0, the tail beyond r is drawn by Marsaglia's method.
 *  Reference: Marsaglia & Tsang (2000), J. Stat. Softw. 5(8); the defects of its 32-bit form are those of Doornik
 *             (2005), "An improved ziggurat method": here layer, sign and a 53-bit mantissa use different bits.
 *  Limits:    |x| has spacing 2^-53 x[i]; the tail is exact out to 2^-53 in probability beyond r. */
import { portableExp, portableLog } from "./portable-math.ts";

export const LAYERS = 256;
/** Start of the tail and area of a layer, the root of "the 256th layer ends at height 1", from 40-digit arithmetic. */
export const TAIL_START = 3.654152885361009;
const LAYER_AREA = 0.004928673233974655;

/** Edges x[0] … x[256] with x[0] = v / f(r) the width of the lowest layer as if it were a rectangle. */
const EDGE = makeEdges();
const HEIGHT = EDGE.map((x) => portableExp(-0.5 * x * x));
/** By 9 bits, the ninth being the sign: share of the layer that is accepted at once, and its signed width. */
export const ACCEPT = Float64Array.from({ length: 2 * LAYERS }, (_, j) => EDGE[(j % LAYERS) + 1]! / EDGE[j % LAYERS]!);
export const WIDTH = Float64Array.from({ length: 2 * LAYERS }, (_, j) => (j < LAYERS ? EDGE[j]! : -EDGE[j - LAYERS]!));

function makeEdges(): Float64Array {
  const edge = new Float64Array(LAYERS + 1);
  edge[0] = LAYER_AREA / portableExp(-0.5 * TAIL_START * TAIL_START);
  edge[1] = TAIL_START;
  for (let i = 2; i < LAYERS; i++) {
    const x = edge[i - 1]!;
    edge[i] = Math.sqrt(-2 * portableLog(LAYER_AREA / x + portableExp(-0.5 * x * x)));
  }
  return edge; // edge[256] = 0
}

/** Whether a point of layer `layer` (not the lowest) at |x|, at a uniform height within the layer, is under the curve. */
export function isUnderCurve(layer: number, x: number, uniform: number): boolean {
  const bottom = HEIGHT[layer]!;
  return bottom + uniform * (HEIGHT[layer + 1]! - bottom) < portableExp(-0.5 * x * x);
}

/** A draw from the tail |x| > r, or NaN if this pair of uniforms is rejected. */
export function tryTail(uniform1: number, uniform2: number): number {
  const beyond = -portableLog(uniform1) / TAIL_START;
  return -2 * portableLog(uniform2) > beyond * beyond ? TAIL_START + beyond : Number.NaN;
}
