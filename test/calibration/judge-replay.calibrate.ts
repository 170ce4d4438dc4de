/** Coverage on published data with complete human labels: all but some are hidden, and the interval is to hold the value of all labels, of which the
 *  visible ones are part. Needs the files of ../shared/trials; rewrites the replays of docs/calibration-judges.md.
 *      npm run calibrate judge-replay */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../src/data/table.ts";
import { importFiles } from "../../src/io/import.ts";
import { makeRng } from "../../src/numeric/rng.ts";
import { correctJudge, type JudgeEstimate } from "../../src/validity/judge/judge.ts";
import { sharedPath } from "../support/oracle.ts";
import { drawRows } from "./judge/bank.ts";
import { type Replay, withReplays } from "./judge/page.ts";

const DRAWS = 1000;
const VISIBLE = [50, 100];
const PAGE = "docs/calibration-judges.md";

interface Outputs {
  readonly item: readonly string[];
  readonly system: readonly string[];
  readonly human: Float64Array;
  readonly judges: ReadonlyMap<string, Float64Array>;
}

const PANEL = sharedPath("trials/real3/judgebench_panel/judge_matrix.parquet");
const FRANK = ["human_annotations", "baseline_factuality_metrics_outputs"].map((name) =>
  sharedPath(`trials/real/frank/${name}.json`),
);

/** The verdicts of four models on pairs of answers, and which answer is right. */
async function panel(): Promise<Outputs> {
  const { table } = await importFiles([{ name: "panel.parquet", bytes: readFileSync(PANEL) }], { guessRoles: false });
  const names = ["deepseek-r1-distill-qwen-14b", "qwen2-5-7b-instruct", "mistral-7b-instruct-v0-3", "gemma-2-9b-it"];
  const gold = table.columns.get("label")!;
  if (gold.kind !== "factor") throw new Error("labels are words");
  return {
    item: Array.from({ length: table.rows }, (_, i) => `q${i}`),
    system: Array.from({ length: table.rows }, () => "all"),
    human: Float64Array.from(gold.codes, (code) => (gold.levels[code] === "A>B" ? 1 : 0)),
    judges: new Map(
      names.map((name) => {
        const cells = table.columns.get(name)!;
        if (cells.kind !== "numeric") throw new Error("verdicts are numbers");
        return [name, cells.values];
      }),
    ),
  };
}

type Entry = Readonly<Record<string, string | number>>;

/** Summaries by five systems, the share of raters who call them factual, and automatic metrics of factuality. */
function frank(): Outputs {
  const [people, metrics] = FRANK.map((path) => JSON.parse(readFileSync(path, "utf8")) as Entry[]) as [
    Entry[],
    Entry[],
  ];
  const keyOf = ({ hash, model_name }: Entry): string => `${hash} ${model_name}`;
  const scores = new Map(metrics.map((own) => [keyOf(own), own]));
  const judged = people.filter((own) => scores.has(keyOf(own)));
  const names = ["FactCC", "QAGS", "BertScore P Art", "FEQA"];
  return {
    item: judged.map(({ hash }) => String(hash)),
    system: judged.map(({ model_name }) => String(model_name)),
    human: Float64Array.from(judged, (own) => Number(own["Factuality"])),
    judges: new Map(
      names.map((name) => [name, Float64Array.from(judged, (own) => Number(scores.get(keyOf(own))![name]))]),
    ),
  };
}

interface Asked {
  readonly data: string;
  readonly judges: readonly string[];
  readonly visible: number;
}

function tableOf({ item, system, judges }: Outputs, human: Float64Array, names: readonly string[]): Table {
  return makeTable([
    ["item", factorColumn(item)],
    ["system", factorColumn(system)],
    ["human", numericColumn(human)],
    ...names.map((name) => [name, numericColumn(judges.get(name)!)] as const),
  ]);
}

const holds = ({ lower, upper }: JudgeEstimate, truth: number): boolean => lower <= truth && truth <= upper;
const width = ({ lower, upper }: JudgeEstimate): number => upper - lower;

function tally(
  about: Asked & { readonly of: string },
  draws: readonly (readonly [JudgeEstimate, JudgeEstimate])[],
  truth: number,
): Replay {
  const mean = (of: (own: readonly [JudgeEstimate, JudgeEstimate]) => number): number =>
    draws.reduce((sum, own) => sum + of(own), 0) / draws.length;
  return {
    name: `${about.data}, ${about.of}, ${about.judges.length > 1 ? `all ${about.judges.length} judges` : about.judges[0]}, ${about.visible} labels`,
    coverage: mean(([corrected]) => (holds(corrected, truth) ? 1 : 0)),
    alone: mean(([, alone]) => (holds(alone, truth) ? 1 : 0)),
    width: mean(([corrected]) => width(corrected)) / mean(([, alone]) => width(alone)),
  };
}

/** The mean of all outputs. */
function replayMean(outputs: Outputs, asked: Asked): Replay {
  const all = outputs.human.length;
  const truth = outputs.human.reduce((sum, own) => sum + own, 0) / all;
  const draws = Array.from({ length: DRAWS }, (_, k) => {
    const seen = drawRows(makeRng(`replay ${asked.data} mean ${asked.visible}`, k), asked.visible, all);
    const human = outputs.human.map((own, u) => (seen[u] === 1 ? own : Number.NaN));
    const table = tableOf({ ...outputs, item: outputs.item.map((_, u) => `o${u}`) }, human, asked.judges);
    const [own] = correctJudge(table, {
      judge: asked.judges,
      human: "human",
      item: "item",
      system: "none",
      cluster: "none",
      drawn: "random",
    }).systems;
    return [own!.corrected, own!.labelsAlone] as const;
  });
  return tally({ ...asked, of: "mean" }, draws, truth);
}

/** The difference of two systems, by items of which both outputs are seen. */
function replayDifference(outputs: Outputs, [a, b]: readonly [string, string], asked: Asked): Replay {
  const rows = outputs.system.flatMap((name, u) => (name === a || name === b ? [u] : []));
  const items = [...new Set(rows.map((u) => outputs.item[u]!))];
  const place = new Map(items.map((name, i) => [name, i]));
  const pick = <T>(of: ArrayLike<T>): T[] => rows.map((u) => of[u]!);
  const own: Outputs = {
    item: pick(outputs.item),
    system: pick(outputs.system),
    human: Float64Array.from(pick(outputs.human)),
    judges: new Map([...outputs.judges].map(([name, values]) => [name, Float64Array.from(pick(values))])),
  };
  const meanOf = (name: string): number => {
    const said = own.human.filter((_, u) => own.system[u] === name);
    return said.reduce((sum, y) => sum + y, 0) / said.length;
  };
  const draws = Array.from({ length: DRAWS }, (_, k) => {
    const seen = drawRows(makeRng(`replay ${asked.data} ${a} ${b} ${asked.visible}`, k), asked.visible, items.length);
    const human = own.human.map((y, u) => (seen[place.get(own.item[u]!)!] === 1 ? y : Number.NaN));
    const table = tableOf(own, human, asked.judges);
    const [pair] = correctJudge(table, {
      judge: asked.judges,
      human: "human",
      item: "item",
      system: "system",
      systems: [a, b],
      cluster: "none",
      drawn: "random",
    }).differences;
    return [pair!.corrected, pair!.labelsAlone] as const;
  });
  return tally({ ...asked, of: `${b} - ${a}` }, draws, meanOf(b) - meanOf(a));
}

const present = existsSync(PANEL) && FRANK.every((path) => existsSync(path));

it.runIf(present)("hold the value of all labels in at least 93 % of draws", async () => {
  const rows: Replay[] = [];
  const both = [
    ["JudgeBench panel", await panel()],
    ["FRANK", frank()],
  ] as const;
  for (const [data, outputs] of both) {
    const names = [...outputs.judges.keys()];
    for (const judges of [...names.map((name) => [name]), names])
      for (const visible of VISIBLE) rows.push(replayMean(outputs, { data, judges, visible }));
  }
  const [, [data, outputs]] = both;
  for (const pair of [
    ["bart", "bert_sum"],
    ["pgn", "s2s"],
  ] as const)
    for (const judges of [["FactCC"], ["BertScore P Art"], [...outputs.judges.keys()]])
      for (const visible of VISIBLE) rows.push(replayDifference(outputs, pair, { data, judges, visible }));
  writeFileSync(PAGE, withReplays(readFileSync(PAGE, "utf8"), rows));
  expect(rows.filter(({ coverage }) => coverage < 0.93)).toEqual([]);
});
