/** May the judge stand in for one of the people? The alternative annotator test.
 *      of annotator j on item i: W^f = 1 if the judge agrees with the other annotators at least as well as j does, W^h the reverse
 *      H0: mean(W^h - W^f) ≥ ε, one-sided t over items (clusters: their sums, CR2), adjusted by Benjamini and Yekutieli at q
 *      winning rate: share of annotators for whom H0 is rejected; the judge passes from ½ on
 *  Agreement with the others is the share of equal labels, of numbers minus the root mean squared difference.
 *  Reference: Calderon, Reichart & Dror (2025), ACL.
 *  Oracle:    oracle/next/judges.json (the authors' code).
 *  Limits:    at least 3 annotators and 30 items each; ε .2 for experts, .15 for skilled annotators, .1 for crowds, as the authors advise. */
import { tCdf } from "../../numeric/dist/t.ts";
import { adjustP } from "../../significance/multiplicity.ts";
import type { Voice } from "../../study/judged.ts";
import { rectifiedMean } from "./rectified.ts";

export interface AlternativeOptions {
  readonly epsilon?: number | undefined;
  readonly q?: number | undefined;
  /** Numbers, whose distance counts; default: labels are equal or not. */
  readonly numeric?: boolean | undefined;
  readonly cluster?: Int32Array | undefined;
  readonly fewestItems?: number | undefined;
}

export interface AnnotatorAgainst {
  readonly annotator: string;
  readonly n: number;
  /** How often the judge, and the annotator, does at least as well as the other. */
  readonly judge: number;
  readonly human: number;
  readonly difference: number;
  readonly t: number;
  readonly df: number;
  readonly p: number;
  readonly adjusted: number;
  readonly won: boolean;
}

export interface AlternativeAnnotators {
  readonly epsilon: number;
  readonly q: number;
  readonly winningRate: number;
  /** Mean of how often the judge does at least as well. */
  readonly advantage: number;
  readonly passes: boolean;
  readonly annotators: readonly AnnotatorAgainst[];
}

const FEWEST_ITEMS = 30;

export function testAlternativeAnnotators(
  judge: Float64Array,
  annotators: readonly Voice[],
  options: AlternativeOptions = {},
): AlternativeAnnotators {
  const { epsilon = 0.2, q = 0.05, numeric = false, cluster, fewestItems = FEWEST_ITEMS } = options;
  const agree = numeric ? closeness : equality;
  const against = annotators.map(({ name, values }, j) => {
    const others = annotators.filter((_, k) => k !== j).map((own) => own.values);
    const gap = new Float64Array(judge.length).fill(Number.NaN);
    let [n, byJudge, byHuman] = [0, 0, 0];
    for (let i = 0; i < judge.length; i++) {
      if (Number.isNaN(values[i]!) || others.every((own) => Number.isNaN(own[i]!))) continue;
      const [f, h] = [agree(judge[i]!, others, i), agree(values[i]!, others, i)];
      n += 1;
      byJudge += f >= h ? 1 : 0;
      byHuman += h >= f ? 1 : 0;
      gap[i] = (h >= f ? 1 : 0) - (f >= h ? 1 : 0);
    }
    const { value, se, df } = rectifiedMean({ human: gap, judge, cluster, labelsAlone: true });
    // equal on every item: a difference of zero without an error
    const t =
      n < 2
        ? Number.NaN
        : Number.isNaN(se)
          ? Math.sign(value - epsilon) * Number.POSITIVE_INFINITY
          : (value - epsilon) / se;
    const p = Number.isFinite(t) ? tCdf(t, df) : t < 0 ? 0 : 1;
    return { annotator: name, n, judge: byJudge / n, human: byHuman / n, difference: value, t, df, p };
  });
  const tested = against.filter(({ n }) => n >= fewestItems);
  const adjusted = adjustP(
    tested.map(({ p }) => p),
    "BY",
  );
  const told = tested.map((own, k) => ({ ...own, adjusted: adjusted[k]!, won: adjusted[k]! <= q }));
  const winningRate = told.filter(({ won }) => won).length / told.length;
  const advantage = told.reduce((sum, own) => sum + own.judge, 0) / told.length;
  return { epsilon, q, winningRate, advantage, passes: winningRate >= 0.5, annotators: told };
}

function equality(value: number, others: readonly Float64Array[], i: number): number {
  let [same, said] = [0, 0];
  for (const own of others) {
    if (Number.isNaN(own[i]!)) continue;
    said += 1;
    if (own[i] === value) same += 1;
  }
  return same / said;
}

function closeness(value: number, others: readonly Float64Array[], i: number): number {
  let [squares, said] = [0, 0];
  for (const own of others) {
    if (Number.isNaN(own[i]!)) continue;
    said += 1;
    squares += (own[i]! - value) ** 2;
  }
  return -Math.sqrt(squares / said);
}
