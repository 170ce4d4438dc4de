/** Gates: what each task lost against what it may lose, and what the gate would do at no loss, one margin and two. */
import type { GateCheckJson } from "../../plan/gate/check.ts";
import type { GateJson } from "../../plan/gate/gate.ts";
import { present } from "../../result/present.ts";
import { GATE_WORDS, markOf } from "../../result/verdict.ts";
import { CATEGORIES, type Figure, type Panel, type PanelMark } from "../charts/figure.ts";
import { count, interval, join, percentOf, say, styleFor, write } from "./words.ts";

const MOST_ROWS = 60;
/** More small pictures are not looked at one by one. */
const MOST_PANELS = 12;
/** A 95 % Monte-Carlo interval is so many standard errors to each side. */
const NORMAL = 1.96;

export function gateFigures({ tasks, metric, higherIsBetter, alpha }: GateJson): Figure[] {
  const shown = tasks.filter(({ difference }) => Number.isFinite(difference));
  if (shown.length === 0 || shown.length > MOST_ROWS) return [];
  const style = styleFor(shown.map(({ lower, upper }) => (upper - lower) / 4));
  const loss = higherIsBetter === false ? 1 : -1;
  const counted = (["pass", "fail", "inconclusive"] as const).flatMap((own) => {
    const found = shown.filter(({ outcome }) => outcome === own).length;
    return found === 0 ? [] : [`${say(found)} ${own}`];
  });
  return [
    {
      name: "tasks",
      title: `Of ${count(shown.length, "tasks")}: ${join(counted)}`,
      subtitle: `Candidate minus baseline in ${metric}, with one-sided bounds at ${say(alpha)} to either side; the short line is the loss that is allowed`,
      description: `${shown.map((own) => `${own.task}: ${write(own.difference, style, true)} (${interval(own.lower, own.upper, style, true)}), margin ${write(own.margin, style)}, ${own.outcome}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: `difference in ${metric}`, format: "signed" },
        zero: 0,
        columns: [{ title: "difference" }, { title: "margin" }, { title: "outcome", align: "start" }],
        rows: shown.map((own) => {
          const { word, as } = GATE_WORDS[own.outcome];
          const { tone, symbol } = markOf(as);
          const { difference: value, lower, upper } = own;
          return {
            label: own.task,
            ...(own.reason === null ? {} : { remark: own.reason }),
            marks: [
              { mark: "tick", at: loss * own.margin, tone: "ki" },
              { mark: "estimate", value, lower, upper, tone, symbol },
            ],
            cells: [
              { text: write(value, style, true), bold: true },
              { text: write(own.margin, style) },
              { text: word, tone, bold: true },
            ],
          };
        }),
      },
      data: {
        head: ["task", "tier", "difference", "lower", "upper", "margin", "outcome"],
        rows: shown.map((own) => [
          ...[own.task, own.tier, own.difference, own.lower, own.upper, own.margin],
          own.outcome,
        ]),
      },
    },
  ];
}

type Scenario = GateCheckJson["scenarios"][number];

export function gateCheckFigures({ scenarios, replicates, alpha }: GateCheckJson): Figure[] {
  const suite = scenarios.filter(({ task }) => task === undefined);
  const [none] = suite;
  const twice = suite.at(-1);
  if (none === undefined || twice === undefined || suite.length < 2) return [];
  const names = [...new Set(scenarios.flatMap(({ task }) => task ?? []))];
  const alone =
    names.length < MOST_PANELS
      ? names.map((name) =>
          panelOf([none, ...scenarios.filter(({ task }) => task === name)], replicates, `${name} alone`),
        )
      : [];
  return [
    {
      name: "operating",
      title: `An unchanged candidate passes in ${percentOf(none.pass)} of runs; one that loses two margins fails in ${percentOf(twice.fail)}`,
      subtitle: `What the whole gate does, by the number of margins that are lost${alone.length === 0 ? "" : ": on all tasks, and on one alone"}; ${say(replicates)} runs drawn from the pilot, bars: 1.96 standard errors of the simulation to both sides. Dashed: ${percentOf(alpha)}`,
      description: `${scenarios.map((own) => `${own.scenario}: passes ${percentOf(own.pass, 1)}, fails ${percentOf(own.fail, 1)}, inconclusive ${percentOf(own.inconclusive, 1)}`).join("; ")}.`,
      chart: {
        kind: "panels",
        x: { title: "margins lost", domain: [0, 2], ticks: [0, 1, 2] },
        y: { title: "proportion of runs", domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], format: "percent" },
        legend: RATES.map(({ name, tone, symbol, dash }) => ({
          name,
          tone,
          symbol,
          ...present({ dash }),
        })),
        panels: [panelOf(suite, replicates, alone.length === 0 ? undefined : "all tasks"), ...alone].map((panel) => ({
          ...panel,
          marks: [{ mark: "rule", axis: "y", at: alpha, style: "ref" }, ...panel.marks],
        })),
      },
      data: {
        head: ["scenario", "margins", "pass", "fail", "inconclusive", "se"],
        rows: scenarios.map((own) => [
          ...[own.scenario, own.margins, own.pass, own.fail],
          ...[own.inconclusive, own.se],
        ]),
      },
    },
  ];
}

const RATES = [
  { of: "pass", name: "passes", ...CATEGORIES[0]! },
  { of: "fail", name: "fails", ...CATEGORIES[1]! },
  { of: "inconclusive", name: "inconclusive", ...CATEGORIES[4]! },
] as const;

function panelOf(points: readonly Scenario[], replicates: number, label: string | undefined): Panel {
  const errorOf = (share: number): number => Math.sqrt((share * (1 - share)) / replicates);
  const clip = (share: number): number => Math.max(0, Math.min(1, share));
  const marks = RATES.flatMap(({ of, tone, symbol, dash }): PanelMark[] => [
    {
      mark: "intervals",
      thin: true,
      tone,
      points: points.map((own) => [
        own.margins,
        clip(own[of] - NORMAL * errorOf(own[of])),
        clip(own[of] + NORMAL * errorOf(own[of])),
      ]),
    },
    {
      mark: "line",
      points: points.map((own) => [own.margins, own[of]]),
      tone,
      symbol,
      ...present({ dash }),
    },
  ]);
  return { ...present({ label }), marks };
}
