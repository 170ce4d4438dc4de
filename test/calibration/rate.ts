/** Rates of errors, judged as the bank of comparisons judges its cells: by one-sided binomial tests at 0.1 %. */
import { expect } from "vitest";
import { binomialCdf, binomialSf } from "../../src/numeric/dist/binomial.ts";

const STRICTNESS = 0.001;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** No more errors than `alpha` allows. */
export function judgeAtMost(name: string, [wrong, of]: readonly [wrong: number, of: number], alpha = 0.05): void {
  process.stdout.write(`${name}: ${wrong} of ${of} (${percent(wrong / of)})\n`);
  expect(binomialSf(wrong - 1, of, alpha)).toBeGreaterThan(STRICTNESS);
}

/** No fewer successes than `share` promises. */
export function judgeAtLeast(name: string, [right, of]: readonly [right: number, of: number], share: number): void {
  process.stdout.write(`${name}: ${right} of ${of} (${percent(right / of)})\n`);
  expect(binomialCdf(right, of, share)).toBeGreaterThan(STRICTNESS);
}
