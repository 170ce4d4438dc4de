/** One gate decision from a judge's scores and people's labels of some of them: the corrected difference of `correctJudge`, with both one-sided
 *  tails of its t interval. A relative margin is that of candidate - (1 - share)·baseline, whose baseline is scaled before it is corrected. */
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { tCdf, tSf } from "../../numeric/dist/t.ts";
import type { Diagnostic } from "../../result/result.ts";
import { correctJudge, type JudgeCorrection } from "../../validity/judge/judge.ts";
import type { TaskEvidence } from "./evidence.ts";
import { type GateReason, marginOf, type TaskTest, type TestOptions } from "./judge.ts";

export interface CorrectedTask {
  readonly test: TaskTest;
  /** Why the labels carry no outcome. */
  readonly blocked?: GateReason;
  /** What the correction warns of. */
  readonly told: readonly Diagnostic[];
}

export interface CorrectedOptions extends TestOptions {
  readonly auditMargin: number | undefined;
}

export function testCorrected(own: TaskEvidence, options: CorrectedOptions): CorrectedTask {
  const { allowance, higherIsBetter } = options;
  const sign = higherIsBetter ? 1 : -1;
  const found = correctTask(own, options);
  const [a, b] = found.systems as readonly [(typeof found.systems)[0], (typeof found.systems)[0]];
  const [pair] = found.differences as readonly [(typeof found.differences)[0]];
  const { corrected, judge, labels } = pair;
  const baseline = a.corrected.value;
  const margin = marginOf(allowance, baseline);
  const kept =
    allowance.kind === "relative"
      ? correctTask(own, options, 1 - sign * allowance.share).differences[0]!.corrected
      : { ...corrected, value: corrected.value + sign * margin };
  const test: TaskTest = {
    n: pair.items,
    ...{ baseline, candidate: b.corrected.value },
    ...{ difference: corrected.value, lower: corrected.lower, upper: corrected.upper, margin },
    lossP: tCdf((sign * corrected.value) / corrected.se, corrected.df),
    marginP: tSf((sign * kept.value) / kept.se, kept.df),
    people: { labels, judge: { value: judge.value, lower: judge.lower, upper: judge.upper } },
  };
  // of single systems nothing is decided here
  const told = found.diagnostics.filter(({ code }) => code === "FewLabeledItems");
  if (pair.audit === "FAIL") return { test, told, blocked: "judge-changed" };
  return Number.isNaN(corrected.se) ? { test, told, blocked: "labels" } : { test, told };
}

/** Scores and labels of items that both sides have; the baseline's times `scale`. */
function correctTask(
  { items, offsets, scores, labels, weights, clusters }: TaskEvidence,
  { alpha, higherIsBetter, auditMargin }: CorrectedOptions,
  scale = 1,
): JudgeCorrection {
  const [judge, human, chance, item, cluster]: number[][] = [[], [], [], [], []];
  const side: string[] = [];
  for (let i = 0; i < items; i++) {
    const own = [0, 1].map((s) =>
      meansOf(offsets[2 * i + s]!, offsets[2 * i + s + 1]!, { scores, labels: labels!, weights }),
    );
    if (own.some(({ score }) => Number.isNaN(score))) continue;
    for (const [s, { score, label, weight }] of own.entries()) {
      const by = s === 0 ? scale : 1;
      judge!.push(by * score);
      human!.push(by * label);
      chance!.push(1 / weight);
      item!.push(i);
      cluster!.push(clusters?.[i] ?? 0);
      side.push(SIDES[s]!);
    }
  }
  const table = makeTable([
    ["item", factorColumn(item!.map(String))],
    ["side", factorColumn(side)],
    ["judge", numericColumn(judge!)],
    ["human", numericColumn(human!)],
    ["chance", numericColumn(chance!)],
    ["cluster", factorColumn(cluster!.map(String))],
  ]);
  return correctJudge(table, {
    ...{ item: "item", system: "side", judge: "judge", human: "human" },
    cluster: clusters === undefined ? "none" : "cluster",
    // how the labels were drawn was looked at in the files
    drawn: weights === undefined ? "random" : "weights:chance",
    ...{ systems: SIDES, confidence: 1 - 2 * alpha, higherIsBetter, auditMargin },
  });
}

const SIDES = ["baseline", "candidate"];

/** Of the runs of an item, of those with labels, and how many outputs a label stands for. */
function meansOf(
  from: number,
  to: number,
  {
    scores,
    labels,
    weights,
  }: Required<Pick<TaskEvidence, "scores">> & {
    readonly labels: Float64Array;
    readonly weights: Float64Array | undefined;
  },
): { readonly score: number; readonly label: number; readonly weight: number } {
  let [score, scored, label, labeled, weight] = [0, 0, 0, 0, 0];
  for (let at = from; at < to; at++) {
    if (!Number.isNaN(scores[at]!)) {
      score += scores[at]!;
      scored += 1;
    }
    if (Number.isNaN(labels[at]!)) continue;
    label += labels[at]!;
    labeled += 1;
    weight += weights?.[at] ?? 1;
  }
  return { score: score / scored, label: label / labeled, weight: labeled === 0 ? 1 : weight / labeled };
}
