/** Of the claims that were significant, how many are true? It depends on how many true ones were looked for, and on the power to find them.
 *    PPV = ([1-β]R + uβR) / (R + α - βR + u - uα + uβR)      R prior odds, u the share of null findings reported all the same (bias)
 *    several teams, none biased:  R(1 - βⁿ) / (R + 1 - (1-α)ⁿ - Rβⁿ)      at least one of n finds it significant
 *  Reference: Ioannidis (2005), PLoS Med. 2(8), Tables 1-4; Card et al. (2020), EMNLP, section 1.
 *  Oracle:    Ioannidis's Table 4 and exact fractions, oracle/next/power-metrics.json — 1e-12.
 *  Limits:    one prior for all claims, taken from nowhere but the user. */
import { StatError } from "../result/error.ts";
import { formatNumber } from "../result/number-format.ts";

export interface PpvInput {
  readonly power: number;
  readonly alpha?: number | undefined;
  /** True to false hypotheses among those tested; instead of `prior`. */
  readonly priorOdds?: number | undefined;
  /** Share of the tested hypotheses that are true. */
  readonly prior?: number | undefined;
  readonly bias?: number | undefined;
  readonly teams?: number | undefined;
}

export interface Ppv {
  readonly prior: number;
  readonly priorOdds: number;
  readonly alpha: number;
  readonly power: number;
  readonly bias: number;
  readonly teams: number;
  /** Share of the significant claims that are true, of one team. */
  readonly ppv: number;
  readonly falseReports: number;
  /** Of all hypotheses tested: significant, significant and true, significant and false. */
  readonly claimed: number;
  readonly truePositive: number;
  readonly falsePositive: number;
  /** The same share where several teams try, each without bias. */
  readonly ppvSeveralTeams: number;
}

export function positivePredictiveValue(input: PpvInput): Ppv {
  const { power, alpha = 0.05, bias: u = 0, teams = 1 } = input;
  const R = oddsOf(input);
  checkShare(power, "power");
  checkShare(alpha, "alpha");
  checkShare(u, "bias");
  if (!(Number.isInteger(teams) && teams >= 1)) {
    throw new StatError("BadParameter", `teams = ${teams}.`, "it must be a whole number of at least 1.");
  }
  const beta = 1 - power;
  const [found, wrong] = [power * R + u * beta * R, alpha + u * (1 - alpha)];
  const several = R * (1 - beta ** teams);
  return {
    prior: R / (R + 1),
    priorOdds: R,
    alpha,
    power,
    bias: u,
    teams,
    ppv: found / (found + wrong),
    falseReports: wrong / (found + wrong),
    claimed: (found + wrong) / (R + 1),
    truePositive: found / (R + 1),
    falsePositive: wrong / (R + 1),
    ppvSeveralTeams: several / (several + 1 - (1 - alpha) ** teams),
  };
}

const percent = (share: number): string => `${formatNumber(100 * share)} %`;

/** What the figures say; `where` stands for whose power it is. */
export function ppvSentence({ prior, ppv, bias, teams, ppvSeveralTeams }: Ppv, where = ""): string {
  const biased = bias > 0 ? `, with ${percent(bias)} of the null results reported as findings all the same` : "";
  const several =
    teams > 1 ? ` Where ${teams} teams try the same without bias, it is ${percent(ppvSeveralTeams)}.` : "";
  return `If ${percent(prior)} of the ideas tried are true gains, ${percent(ppv)} of the significant results are${where}${biased}.${several}`;
}

function oddsOf({ prior, priorOdds }: PpvInput): number {
  if ((prior === undefined) === (priorOdds === undefined)) {
    throw new StatError(
      "BadParameter",
      prior === undefined ? "neither prior nor priorOdds is given." : "prior and priorOdds are both given.",
      "give one of them: prior 0.2 says the same as priorOdds 0.25.",
    );
  }
  if (prior !== undefined) {
    if (prior > 0 && prior < 1) return prior / (1 - prior);
    throw new StatError("BadParameter", `prior = ${prior}.`, "it must lie between 0 and 1, such as 0.2.");
  }
  if (priorOdds! > 0 && Number.isFinite(priorOdds!)) return priorOdds!;
  throw new StatError("BadParameter", `priorOdds = ${priorOdds}.`, "it must be a number above 0, such as 0.25.");
}

function checkShare(value: number, name: string): void {
  if (value >= 0 && value <= 1) return;
  throw new StatError("BadParameter", `${name} = ${value}.`, "it must be a number from 0 to 1.");
}
