/** Ordinal and logistic mixed models beside ordinal::clmm and lme4::glmer; bench/ordinal.R fits the same data, which are written
 *  to dist/bench for it. Seconds are processor time of a whole fit, standard errors included.
 *  R takes minutes for the larger cells: `npm run bench ordinal --full` runs them too. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { factorColumn, makeTable, numericColumn, type Table } from "../src/data/table.ts";
import { readCsv } from "../src/io/csv/csv.ts";
import { fitGlmm } from "../src/models/glmm/glmm.ts";
import { fitClmm } from "../src/models/ordinal/clmm.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { report, warmUp } from "./support/stopwatch.ts";

const FORMULA = "rating ~ model + (model | participant) + (model | item)";
const CUTS = [-1.6, -0.8, -0.1, 0.7, 1.6];
const FOLDER = "dist/bench/ordinal-data";

interface Rating {
  readonly participant: number;
  readonly item: number;
  readonly model: number;
}

/** Every participant rates both systems on 25 items. */
function pairedDesign(items: number, ratings: number): Rating[] {
  return [-0.5, 0.5].flatMap((model) =>
    Array.from({ length: items * ratings }, (_, k) => ({ participant: Math.floor(k / 25), item: k % items, model })),
  );
}

/** Lists of four texts, systems balanced over lists; each rating of an item comes from a new set of items/10 participants,
 *  none of whom sees an item under both systems. */
function listDesign(items: number, ratings: number): Rating[] {
  const panel = items / 10;
  const lists: { item: number; model: number }[][] = [];
  for (const swap of [0, 1]) {
    for (let k = 0; k < items; k += 4) {
      const length = Math.min(4, items - k);
      lists.push(Array.from({ length }, (_, j) => ({ item: k + j, model: (j + swap) % 2 })));
    }
  }
  return Array.from({ length: ratings }, (_, r) =>
    lists.flatMap((list, l) => list.map((text) => ({ ...text, participant: r * panel + (l % panel) }))),
  ).flat();
}

function simulate(rows: readonly Rating[], seed: string): number[] {
  const rng = makeRng(seed);
  const draw = (levels: number, sd: number, slope: number) =>
    Array.from({ length: levels }, () => [sd * rng.normal(), slope * rng.normal()] as const);
  const u = draw(1 + Math.max(...rows.map((row) => row.participant)), 0.5, 0.25);
  const v = draw(1 + Math.max(...rows.map((row) => row.item)), 0.4, 0.3);
  return rows.map(({ participant, item, model }) => {
    const [u0, u1] = u[participant]!;
    const [v0, v1] = v[item]!;
    const latent = 0.3 * model + u0 + u1 * model + v0 + v1 * model + rng.normal();
    return 1 + CUTS.filter((cut) => cut <= latent).length;
  });
}

/** Least processor seconds of several runs: a shared machine stretches wall time, not this. */
function leastCpu(run: () => void, repetitions: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repetitions; i++) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}

function ratings(name: string, rows: readonly Rating[], runs: number): void {
  const rating = simulate(rows, name);
  const header = "rating,participant,item,model";
  const lines = rows.map((row, k) => `${rating[k]},p${row.participant},i${row.item},${row.model}`);
  writeFileSync(`${FOLDER}/${name.replaceAll(" ", "-")}.csv`, `${[header, ...lines].join("\n")}\n`);
  const table = makeTable([
    ["rating", factorColumn(rating.map(String), { levels: ["1", "2", "3", "4", "5", "6"], ordered: true })],
    ["participant", factorColumn(rows.map((row) => `p${row.participant}`))],
    ["item", factorColumn(rows.map((row) => `i${row.item}`))],
    ["model", numericColumn(rows.map((row) => row.model))],
  ]);
  const run = () => fitClmm(FORMULA, table, { link: "probit" });
  warmUp(run);
  const { logLik, converged, optimum } = run();
  const { evaluations } = optimum;
  report(`clmm ${name}`, leastCpu(run, runs), { rows: rows.length, logLik, converged, evaluations });
}

function verbalAggression(): void {
  const file = "oracle/reference/data/VerbAgg.csv.gz";
  const table: Table = readCsv(gunzipSync(readFileSync(file)), {
    name: "VerbAgg",
    factors: ["id", "item", "r2"],
  }).table;
  const timed = (problem: string, fixed: string): void => {
    const run = () => fitGlmm(`r2 ~ ${fixed} + (1 | id) + (1 | item)`, table, { family: "binomial" });
    warmUp(run);
    const { logLik, converged, optimum } = run();
    report(problem, leastCpu(run, 5), { rows: table.rows, logLik, converged, evaluations: optimum.evaluations });
  };
  timed("glmer VerbAgg main effects", "Anger + Gender + btype + situ");
  timed("glmer VerbAgg two-way", "(Anger + Gender + btype + situ)^2");
}

mkdirSync(FOLDER, { recursive: true });
for (const items of [50, 100, 500]) {
  for (const count of [3, 10]) {
    const runs = items * count > 1000 ? 5 : 20;
    ratings(`paired ${items} items x ${count}`, pairedDesign(items, count), runs);
    ratings(`lists ${items} items x ${count}`, listDesign(items, count), runs);
  }
}
verbalAggression();
