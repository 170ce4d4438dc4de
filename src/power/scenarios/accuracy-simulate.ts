/** One simulated comparison of wins and losses, tested as a user would test it: by the p value, not by a table of critical values. */

import type { Rng } from "../../numeric/rng.ts";
import {
  type CriticalOptions,
  type DiscordantLaw,
  significance,
  unconditionalCriticalZ,
} from "../../significance/tests/mcnemar-power.ts";
import type { Outcome } from "../scenario.ts";

export function simulateDiscordant(
  { n, win, lose }: DiscordantLaw,
  options: CriticalOptions,
): (rng: Rng) => readonly Outcome[] {
  const favours = options.method === "unconditional" ? beyondCriticalZ(options) : significance(options);
  const right = Math.sign(win - lose);
  return (rng) => {
    const m = rng.binomial(n, Math.min(1, win + lose));
    const wins = rng.binomial(m, Math.min(1, win / (win + lose)));
    const [expected, other] = right > 0 ? [wins, m - wins] : [m - wins, wins];
    const significant = favours(expected, other) || (options.twoSided && favours(other, expected));
    return [{ estimate: (2 * wins - m) / n, significant }];
  };
}

/** The unconditional p value takes a search for each table; its critical z takes one, when the first experiment is drawn. */
function beyondCriticalZ({ n, alpha, twoSided }: CriticalOptions): (wins: number, losses: number) => boolean {
  let z: number | undefined;
  return (wins, losses) => {
    z ??= unconditionalCriticalZ(n, alpha, twoSided);
    return wins + losses > 0 && (wins - losses) / Math.sqrt(wins + losses) >= z;
  };
}
