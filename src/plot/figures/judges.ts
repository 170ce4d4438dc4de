/** Judges: what the judge says, what the labels say and what both say together; where the judge errs; what an interval costs. */
import type { JudgeCheckJson } from "../../validity/judge/check.ts";
import type { JudgeCorrectionJson } from "../../validity/judge/judge.ts";
import type { JudgePlanJson } from "../../validity/judge/plan.ts";
import type { ChartRow, Figure } from "../charts/figure.ts";
import { interval, level, pText, styleFor, write } from "./words.ts";

const MOST_ROWS = 20;

interface Drawn {
  readonly label: string;
  readonly judge: Estimate;
  readonly labelsAlone: Estimate;
  readonly corrected: Estimate;
}
interface Estimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** Judge, labels and corrected value of each system, then of each difference. */
export function judgeCorrectionFigures({
  systems,
  differences,
  confidence,
  pairConfidence,
}: JudgeCorrectionJson): Figure[] {
  const pairs = differences.map((own) => ({ ...own, label: `${own.b} - ${own.a}` }));
  const scores = systems.map((own) => ({ ...own, label: own.system }));
  const [main] = differences;
  return [
    ...sideBySide("scores", scores, {
      title: "What the judge says, what the labels say, and both together",
      axis: "score",
      confidence,
    }),
    ...sideBySide("differences", pairs, {
      title:
        main === undefined
          ? ""
          : main.judge.verdict === main.corrected.verdict
            ? `Judge and people agree on ${main.b} against ${main.a}: ${main.corrected.verdict}`
            : `The judge says ${main.judge.verdict} of ${main.b} against ${main.a}; corrected by labels it is ${main.corrected.verdict}`,
      axis: "difference",
      confidence: pairConfidence,
    }),
  ];
}

function sideBySide(
  name: string,
  all: readonly Drawn[],
  { title, axis, confidence }: { readonly title: string; readonly axis: string; readonly confidence: number },
): Figure[] {
  const shown = all.filter(({ corrected }) => Number.isFinite(corrected.value)).slice(0, MOST_ROWS);
  if (shown.length === 0) return [];
  const signed = axis === "difference";
  const style = styleFor(shown.map(({ corrected }) => (corrected.upper - corrected.lower) / 4));
  const rows = shown.map(
    ({ label, judge, labelsAlone, corrected }): ChartRow => ({
      label,
      marks: [
        { mark: "estimate", ...pick(judge), tone: "k0", symbol: "ring", shift: -8 },
        { mark: "estimate", ...pick(labelsAlone), tone: "k0", symbol: "square", shift: 0 },
        { mark: "estimate", ...pick(corrected), tone: "k1", symbol: "circle", shift: 8 },
      ],
      cells: [
        { text: write(judge.value, style, signed) },
        { text: write(labelsAlone.value, style, signed) },
        { text: write(corrected.value, style, signed), bold: true },
        { text: interval(corrected.lower, corrected.upper, style, signed) },
      ],
    }),
  );
  return [
    {
      name,
      title,
      subtitle: `Ring: the judge alone; square: people's labels alone; disk: corrected; ${level(confidence)} intervals`,
      description: `${shown.map(({ label, judge, corrected }) => `${label}: judge ${write(judge.value, style, signed)}, corrected ${write(corrected.value, style, signed)} (${interval(corrected.lower, corrected.upper, style, signed)})`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: axis, ...(signed ? { format: "signed" as const } : {}) },
        ...(signed ? { zero: 0 } : {}),
        step: 42,
        columns: [{ title: "judge" }, { title: "labels" }, { title: "corrected" }, { title: "interval" }],
        rows,
      },
      data: {
        head: ["of", "judge", "labels", "corrected", "lower", "upper"],
        rows: shown.map(({ label, judge, labelsAlone, corrected }) => [
          label,
          judge.value,
          labelsAlone.value,
          corrected.value,
          corrected.lower,
          corrected.upper,
        ]),
      },
    },
  ];
}

const pick = ({ value, lower, upper }: Estimate): Estimate => ({ value, lower, upper });

/** The judge's error of each system, and whom it favors. */
export function judgeCheckFigures({ accuracy, favors, confidence }: JudgeCheckJson): Figure[] {
  const shown = accuracy.filter(({ error }) => Number.isFinite(error.lower)).slice(0, MOST_ROWS);
  if (shown.length === 0) return [];
  const style = styleFor(shown.map(({ error }) => (error.upper - error.lower) / 4));
  const strong = favors.filter(({ adjusted }) => adjusted < 0.05);
  return [
    {
      name: "error",
      title:
        strong.length === 0
          ? "No significant difference of the judge's errors"
          : `The judge's errors differ: ${strong.map(({ name, against, adjusted }) => `${name}${against === "" ? "" : ` against ${against}`}, ${pText(adjusted)}`).join("; ")}`,
      subtitle: `The judge's score minus people's; ${level(confidence)} intervals`,
      description: `${shown.map(({ of, error }) => `${of}: ${write(error.value, style, true)} (${interval(error.lower, error.upper, style, true)})`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: "judge minus people", format: "signed" },
        zero: 0,
        columns: [{ title: "error" }, { title: "interval" }, { title: "labels" }],
        rows: shown.map(({ of, labels, error }) => ({
          label: of,
          marks: [{ mark: "estimate", ...pick(error), tone: "k1" }],
          cells: [
            { text: write(error.value, style, true), bold: true },
            { text: interval(error.lower, error.upper, style, true) },
            { text: String(labels) },
          ],
        })),
      },
      data: {
        head: ["of", "labels", "error", "lower", "upper"],
        rows: shown.map(({ of, labels, error }) => [of, labels, error.value, error.lower, error.upper]),
      },
    },
  ];
}

/** What mixes of equal precision cost. */
export function judgePlanFigures({ curve, labelsAlone, cheapest, halfWidth }: JudgePlanJson): Figure[] {
  const mixes = [...curve].sort((a, b) => a.outputs - b.outputs);
  if (mixes.length < 2) return [];
  return [
    {
      name: "cost",
      title: `${cheapest.labels} labels and ${cheapest.outputs} judged outputs are cheapest`,
      subtitle: `Cost of mixes whose interval has half-width ${halfWidth}; the line: labels without a judge`,
      description: `${mixes.map(({ labels, outputs, cost }) => `${labels} labels and ${outputs} outputs cost ${Math.round(cost)}`).join("; ")}; ${labelsAlone.labels} labels alone cost ${Math.round(labelsAlone.cost)}.`,
      chart: {
        kind: "panels",
        x: { title: "judged outputs" },
        y: { title: "cost" },
        panels: [
          {
            marks: [
              {
                mark: "line",
                points: mixes.map(({ outputs, cost }) => [outputs, cost] as const),
                tone: "k1",
                symbol: "circle",
              },
              { mark: "rule", axis: "y", at: labelsAlone.cost, style: "ref", label: "labels alone" },
            ],
          },
        ],
      },
      data: {
        head: ["labels", "outputs", "cost"],
        rows: mixes.map(({ labels, outputs, cost }) => [labels, outputs, cost]),
      },
    },
  ];
}
