/** A test that is looked at K times: the bounds at each look, what they spend, what they can see, and what that costs.
 *      drift is the expectation of Z at the last look; E = Σ t_k P(stop at k); inflation = drift_max² / (z_{1-α/s} + z_{1-β})²
 *  The largest drift is the one at which the upper bound alone has the power (as rpact counts).
 *  Reference: Jennison & Turnbull (2000), Group Sequential Methods, chapters 2, 7 and 19; Wassmer & Brannath (2016).
 *  Oracle:    oracle/next/group-sequential.json, with rpact 3.3.4 beside it.
 *  Limits:    bounds for efficacy alone; information is known when a look is taken (items so far over items in all). */
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { expandBracket, findRoot } from "../../numeric/optim/brent.ts";
import type { Display } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatP } from "../../result/number-format.ts";
import { type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { findBoundaries, parseSpending, type Sides, type Spending } from "./boundaries.ts";
import { judgeStopped, type StoppedOptions, type StoppedTest } from "./stopped.ts";
import { type Exits, exitsOf, type LookBounds } from "./walk.ts";

export interface LooksOptions {
  /** Equally spaced looks; or their information fractions, the last of which is 1. */
  readonly looks?: number | undefined;
  readonly information?: readonly number[] | undefined;
  readonly alpha?: number | undefined;
  readonly sides?: number | undefined;
  readonly spending?: string | undefined;
  /** Expectation of Z at the last look, for which power is wanted. */
  readonly drift?: number | undefined;
  /** For the inflation. */
  readonly power?: number | undefined;
  /** A look that was taken, from 1, and its z: what it shows. */
  readonly look?: number | undefined;
  readonly z?: number | undefined;
}

export interface LooksResult extends Result<"looks"> {
  readonly spending: Spending;
  readonly alpha: number;
  readonly sides: Sides;
  readonly information: readonly number[];
  /** Bounds of |Z| (of Z, one-sided) at each look. */
  readonly z: readonly number[];
  /** The p-value, of as many sides as the test, that a look must stay below. */
  readonly p: readonly number[];
  /** Error spent until each look, of both sides together. */
  readonly spent: readonly number[];
  readonly drift?: number;
  /** At `drift`: rejected until each look; by the upper and the lower bound at each look; information used on average. */
  readonly power?: readonly number[];
  readonly exits?: Exits;
  readonly expectedInformation?: number;
  /** Items of the last look over those of a test without looks, for a power of `wantedPower`. */
  readonly inflation: number;
  readonly wantedPower: number;
  readonly driftMax: number;
  /** Items used on average over those of a test without looks: at the effect of the plan, at half of it, at none. */
  readonly stopped?: StoppedTest & { readonly look: number; readonly z: number };
  readonly expectedSize: { readonly effect: number; readonly half: number; readonly none: number };
}

export type LooksJson = JsonOf<LooksResult>;

const MOST_LOOKS = 200;

export function designLooks(options: LooksOptions = {}): LooksResult {
  const { alpha = 0.05, drift, power: wantedPower = 0.8 } = options;
  const sides = checkSides(options.sides ?? 2);
  const spending = parseSpending(options.spending ?? "lan-demets-of");
  const information = informationOf(options);
  checkShare("alpha", alpha, 0.5);
  checkShare("power", wantedPower, 1);
  if (wantedPower <= alpha / sides)
    throw new StatError("BadOption", `power ${wantedPower} is below the error rate.`, "ask for more.");
  if (drift !== undefined && !Number.isFinite(drift))
    throw new StatError("BadOption", `drift ${drift} is not a number.`, "give the expected z at the last look.");
  const bounds = findBoundaries({ information, alpha, sides, spending });
  const none = exitsOf(bounds, 0);
  const fields = {
    ...{ spending, alpha, sides, information, z: bounds.upper },
    p: bounds.upper.map((z) => sides * normalSf(z)),
    spent: cumulated(none),
    ...(drift === undefined ? {} : atDrift(bounds, drift)),
    ...sizeOf(bounds, { alpha, sides, power: wantedPower }),
    wantedPower,
    ...stoppedOf(options, { information, alpha, sides, spending }),
    signature: { method: "looks", version: GOSSET_VERSION, options: { ...options }, data: "" },
    diagnostics: [],
  };
  return makeResult("looks", fields, display);
}

function checkSides(sides: number): Sides {
  if (sides === 1 || sides === 2) return sides;
  throw new StatError("BadOption", `${sides} sides: a test has 1 or 2.`, "give 1 or 2.");
}

function checkShare(name: string, value: number, below: number): void {
  if (!(value > 0 && value < below))
    throw new StatError("BadOption", `${name} ${value} is not between 0 and ${below}.`, "give a proportion.");
}

function informationOf({ looks, information }: LooksOptions): readonly number[] {
  if (looks !== undefined && information !== undefined)
    throw new StatError("BadOption", "looks and information at once.", "give the number of looks or their fractions.");
  if (information === undefined) {
    const count = looks ?? 5;
    if (!(Number.isInteger(count) && count >= 1 && count <= MOST_LOOKS))
      throw new StatError(
        "BadOption",
        `looks ${count} is not a whole number from 1 to ${MOST_LOOKS}.`,
        "give another.",
      );
    return Array.from({ length: count }, (_, k) => (k + 1) / count);
  }
  const rising = information.every((t, k) => t > (information[k - 1] ?? 0) && t <= 1);
  if (information.length === 0 || information.length > MOST_LOOKS || !rising || information.at(-1) !== 1)
    throw new StatError(
      "BadOption",
      `information ${information.join(", ")}: fractions of all items must rise from above 0 to 1.`,
      "give for example 0.5, 1.",
    );
  return information;
}

const cumulated = ({ upper, lower }: Exits): number[] => {
  let sum = 0;
  return upper.map((own, k) => (sum += own + lower[k]!));
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, own) => sum + own, 0);

/** Σ t_k P(stop at k); the last look stops in any case. */
function expectedInformation(information: readonly number[], { upper, lower }: Exits): number {
  return information.reduce((sum, t, k) => sum - (1 - t) * (upper[k]! + lower[k]!), 1);
}

function atDrift(bounds: LookBounds, drift: number) {
  const exits = exitsOf(bounds, drift);
  return { drift, power: cumulated(exits), exits, expectedInformation: expectedInformation(bounds.information, exits) };
}

function stoppedOf({ look, z }: LooksOptions, design: Omit<StoppedOptions, "look" | "z">) {
  if (look === undefined && z === undefined) return {};
  if (look === undefined || z === undefined)
    throw new StatError("BadOption", "a look that was taken has a number and a z.", "give both `look` and `z`.");
  return { stopped: { ...judgeStopped({ ...design, look, z }), look, z } };
}

/** The drift at which the upper bound alone has the power, and what it costs beside a test without looks. */
function sizeOf(bounds: LookBounds, { alpha, sides, power }: { alpha: number; sides: Sides; power: number }) {
  const fixed = normalQuantileUpper(alpha / sides) + normalQuantileUpper(1 - power);
  const short = (drift: number): number => sumOf(exitsOf(bounds, drift).upper) - power;
  const { lo, hi } = expandBracket(short, fixed, fixed * 1.5);
  const driftMax = findRoot(short, lo, hi).root;
  const inflation = (driftMax / fixed) ** 2;
  const at = (drift: number): number => inflation * expectedInformation(bounds.information, exitsOf(bounds, drift));
  return { driftMax, inflation, expectedSize: { effect: at(driftMax), half: at(driftMax / 2), none: at(0) } };
}

const NAMES: Readonly<Record<string, string>> = {
  "obrien-fleming": "O'Brien and Fleming",
  pocock: "Pocock",
  "lan-demets-of": "Lan and DeMets's spending in the manner of O'Brien and Fleming",
  "lan-demets-pocock": "Lan and DeMets's spending in the manner of Pocock",
};
const nameOf = (spending: Spending): string =>
  NAMES[spending] ?? `Hwang, Shih and DeCani's spending, γ = ${spending.slice("hsd:".length)}`;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function display(fields: Omit<LooksResult, "kind" | "display" | "toString" | "toJSON">): Display {
  const { spending, alpha, sides, information, z, p, spent, power, drift, inflation, wantedPower, expectedSize } =
    fields;
  const looks = `${information.length} look${information.length === 1 ? "" : "s"}`;
  const head = ["look", "information", "z", "p", "error spent", ...(power === undefined ? [] : ["power"])];
  const rows = information.map((t, k) => [
    k + 1,
    t,
    z[k]!,
    p[k]!,
    spent[k]!,
    ...(power === undefined ? [] : [power[k]!]),
  ]);
  const stop = sides === 2 ? "|z| reaches the bound (p falls to or below its level)" : "z reaches the bound";
  const at =
    drift === undefined
      ? []
      : [
          `Power: rejected until each look where z is expected to be ${drift} at the last one; ${percent(fields.expectedInformation!)} of the information is used on average.`,
        ];
  return {
    title: `${looks} at ${alpha} (${sides === 2 ? "two-sided" : "one-sided"}): ${nameOf(spending)}`,
    summary: [
      `Stop and reject at the first look at which ${stop}; the overall error rate of all looks is ${alpha}.`,
      `For ${percent(wantedPower)} power the last look needs ${percent(inflation - 1)} more items than a test without looks; on average ${percent(expectedSize.effect)} of that test's items are used if the effect is as planned, ${percent(expectedSize.none)} if there is none.`,
    ],
    tables: [
      {
        head,
        formats: [
          "integer",
          "number",
          "statistic",
          "p",
          "number",
          ...(power === undefined ? [] : (["number"] as const)),
        ],
        rows,
      },
    ],
    notes: [...at, ...(fields.stopped === undefined ? [] : [tellStopped(fields.stopped, information)])],
  };
}

function tellStopped(
  { look, z, rejected, p, drift, level }: NonNullable<LooksResult["stopped"]>,
  information: readonly number[],
): string {
  const last = look === information.length;
  const verdict = rejected
    ? "the bound is reached: stop and reject"
    : last
      ? "the bound is not reached, and there are no more looks"
      : "the bound is not reached: go on";
  if (!rejected && !last) return `Look ${look}, z = ${z}: ${verdict}.`;
  const [estimate, lower, upper] = [drift.estimate, drift.lower, drift.upper].map((own) => own.toFixed(3));
  return `Look ${look}, z = ${z}: ${verdict}. ${formatP(p)} by the stagewise ordering; the expected z at the last look is ${estimate} (median-unbiased, ${percent(level)} interval ${lower} to ${upper}; without regard to the looks ${drift.naive.toFixed(3)}).`;
}
