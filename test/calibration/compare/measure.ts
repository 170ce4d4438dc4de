/** One data set of a cell through `compare`, the function that users call, and what came of it. */
import { makeRng, type Rng } from "../../../src/numeric/rng.ts";
import { StatError } from "../../../src/result/error.ts";
import { compare } from "../../../src/significance/compare/compare.ts";
import { Question } from "../../../src/study/tell.ts";
import type { Cell } from "./cells.ts";

export interface Tally {
  readonly sets: number;
  /** BETTER, WORSE, HIGHER or LOWER, of any pair; for "margin" EQUIVALENT; for "mde" found in the right direction. */
  readonly counted: number;
  /** The true difference lies in the main pair's interval; intervals that are undefined cover. */
  readonly covered: number;
  readonly inconclusive: number;
  /** No verdict: NONE, or refused in one line. */
  readonly none: number;
  /** Data sets with a warning of each code. */
  readonly warned: Readonly<Record<string, number>>;
}

export const EMPTY: Tally = { sets: 0, counted: 0, covered: 0, inconclusive: 0, none: 0, warned: {} };
const DECIDED = new Set(["BETTER", "WORSE", "HIGHER", "LOWER"]);

export function add(a: Tally, b: Tally): Tally {
  const codes = new Set([...Object.keys(a.warned), ...Object.keys(b.warned)]);
  return {
    sets: a.sets + b.sets,
    counted: a.counted + b.counted,
    covered: a.covered + b.covered,
    inconclusive: a.inconclusive + b.inconclusive,
    none: a.none + b.none,
    warned: Object.fromEntries([...codes].sort().map((code) => [code, (a.warned[code] ?? 0) + (b.warned[code] ?? 0)])),
  };
}

/** Data set `index` of a cell: the same whoever computes it. */
export async function measure(cell: Cell, index: number): Promise<Tally> {
  const rng = makeRng(`calibration ${cell.id}`).stream(index);
  try {
    if (cell.measure !== undefined) return await cell.measure(rng);
    if (cell.asks === "mde") return await measurePower(cell, rng);
    const truth = cell.asks === "margin" ? cell.margin! : 0;
    const options = {
      ...cell.options,
      ...(cell.margin === undefined ? {} : { margin: cell.margin }),
      rng: rng.stream(1),
    };
    const result = compare(await cell.draw(rng.stream(0), truth), options);
    const verdicts = result.pairs.map(({ verdict }) => verdict as string);
    const main = result.main;
    const counted =
      cell.counts?.(result) ??
      (cell.asks === "margin" ? verdicts.includes("EQUIVALENT") : verdicts.some((v) => DECIDED.has(v)));
    const missed = main.ci.lower > truth || main.ci.upper < truth;
    const warnings = result.diagnostics.filter(({ severity }) => severity === "warning").map(({ code }) => code);
    return {
      sets: 1,
      counted: counted ? 1 : 0,
      covered: missed ? 0 : 1,
      inconclusive: verdicts.every((v) => v === "INCONCLUSIVE") ? 1 : 0,
      none: verdicts.every((v) => v === "NONE") ? 1 : 0,
      warned: Object.fromEntries(warnings.map((code) => [code, 1])),
    };
  } catch (error) {
    // a bank that is asked back measures nothing
    if (error instanceof StatError && !(error instanceof Question))
      return { ...EMPTY, sets: 1, covered: 1, none: 1, warned: { [error.code]: 1 } };
    throw error;
  }
}

/** A first evaluation states its mde80; a second one, with an effect of that size, should find it 80 times in 100. */
async function measurePower(cell: Cell, rng: Rng): Promise<Tally> {
  const first = compare(await cell.draw(rng.stream(0), 0), { ...cell.options, rng: rng.stream(1) });
  const { mde80 } = first.main;
  if (!Number.isFinite(mde80)) return { ...EMPTY, sets: 1, none: 1 };
  const second = compare(await cell.draw(rng.stream(2), mde80), { ...cell.options, rng: rng.stream(3) });
  const main = second.main;
  const found = DECIDED.has(main.verdict) && main.difference > 0;
  return { ...EMPTY, sets: 1, counted: found ? 1 : 0, covered: 1, inconclusive: found ? 0 : 1 };
}
