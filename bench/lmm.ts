/** Linear mixed models beside lme4 and pbkrtest; bench/lmm.R does the same work. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { factorColumn, makeTable, numericColumn, type Table } from "../src/data/table.ts";
import { buildDesign } from "../src/formula/design.ts";
import { readCsv } from "../src/io/csv/csv.ts";
import { prepareKenwardRoger } from "../src/models/lmm/kenward-roger.ts";
import { fitLmm } from "../src/models/lmm/lmm.ts";
import { prepareLmm } from "../src/models/lmm/problem.ts";
import { prepareSatterthwaite, satterthwaiteDf } from "../src/models/lmm/satterthwaite.ts";
import { simulateInto } from "../src/models/lmm/simulate.ts";
import { solveLmm } from "../src/models/lmm/solve.ts";
import { identity } from "../src/numeric/linalg/matrix.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { best, report, warmUp } from "./support/stopwatch.ts";

const rng = makeRng("lmm-bench");
const CELL = "y ~ model + (1 + model || worker) + (1 + model || item)";

/** Card's simulated evaluation: every worker rates every item under both systems. */
function cell(workers: number, items: number): Table {
  const [worker, item, model] = [[] as string[], [] as string[], [] as number[]];
  for (const m of [-1, 1]) {
    for (let i = 0; i < items; i++) {
      for (let w = 0; w < workers; w++) {
        worker.push(`w${w}`);
        item.push(`i${i}`);
        model.push(m);
      }
    }
  }
  const columns = [
    ["worker", factorColumn(worker)],
    ["item", factorColumn(item)],
    ["model", numericColumn(model)],
  ] as const;
  return makeTable([...columns, ["y", numericColumn(simulated(worker, item, model))]]);
}

function simulated(worker: readonly string[], item: readonly string[], model: readonly number[]): number[] {
  const effects = new Map<string, readonly [number, number]>();
  const draw = (key: string, sd: number, slope: number): readonly [number, number] => {
    if (!effects.has(key)) effects.set(key, [sd * rng.normal(), slope * rng.normal()]);
    return effects.get(key)!;
  };
  return model.map((m, k) => {
    const [w0, w1] = draw(worker[k]!, 0.05, 0.11);
    const [i0, i1] = draw(item[k]!, 0.1, 0.14);
    return 0.5 + 0.03 * m + w0 + w1 * m + i0 + i1 * m + 0.26 * rng.normal();
  });
}

function refits(workers: number, items: number, sets: number): void {
  const table = cell(workers, items);
  const fitted = () => fitLmm(CELL, table, { criterion: "ML", ddf: "none" });
  warmUp(fitted);
  report(`Card cell ${workers} x ${items}: one fit`, best(fitted, 20));
  const problem = prepareLmm(buildDesign(CELL, table), { criterion: "ML" });
  const at = { theta: [0.04, 0.42, 0.15, 0.54], beta: [0.5, 0.03], sigma: 0.26 };
  const theta = problem.structure.terms.map(({ group, names }) => {
    const slope = names[0] !== "(Intercept)";
    return group === "worker" ? (slope ? 0.42 : 0.04) : slope ? 0.54 : 0.15;
  });
  const responses = Array.from({ length: sets }, (_, s) => {
    const y = new Float64Array(table.rows);
    simulateInto(y, problem, { ...at, theta }, makeRng("cell", s));
    return y;
  });
  warmUp(() => solveLmm(problem, responses[0]!));
  const all = best(() => {
    for (const y of responses) solveLmm(problem, y);
  }, 3);
  report(`Card cell ${workers} x ${items}: a refit`, all / sets, { sets });
}

function degreesOfFreedom(workers: number, items: number): void {
  const table = cell(workers, items);
  const design = buildDesign(CELL, table);
  const problem = prepareLmm(design, { criterion: "REML" });
  const solution = solveLmm(problem, design.y);
  const L = identity(2);
  warmUp(() => satterthwaiteDf(prepareSatterthwaite(problem, solution), L), 0.5);
  warmUp(() => prepareKenwardRoger(problem, solution), 0.5);
  report(
    `Card cell ${workers} x ${items}: Satterthwaite df`,
    best(() => satterthwaiteDf(prepareSatterthwaite(problem, solution), L), 10),
  );
  report(
    `Card cell ${workers} x ${items}: Kenward-Roger`,
    best(() => prepareKenwardRoger(problem, solution), 10),
  );
}

function publicData(): void {
  const folder = "oracle/reference/data";
  const read = (name: string, factors: string[]): Table => {
    const bytes = readFileSync(`${folder}/${name}`);
    return readCsv(name.endsWith(".gz") ? gunzipSync(bytes) : bytes, { name, factors }).table;
  };
  const timed = (problem: string, formula: string, table: Table, runs: number): void => {
    const run = () => fitLmm(formula, table, { ddf: "none" });
    warmUp(run);
    report(problem, best(run, runs), { rssMb: process.memoryUsage().rss / 1e6 });
  };
  timed("sleepstudy: one fit", "Reaction ~ Days + (Days | Subject)", read("sleepstudy.csv", ["Subject"]), 30);
  timed("Penicillin: one fit", "diameter ~ 1 + (1 | plate) + (1 | sample)", read("Penicillin.csv", []), 30);
  const insteval = "y ~ 1 + service + (1 | s) + (1 | d) + (1 | dept)";
  timed("InstEval: one fit", insteval, read("InstEval.csv.gz", ["s", "d", "dept", "service"]), 2);
}

/** Cost against rows at a fixed number of levels. */
function growth(): void {
  for (const n of [1e3, 1e4, 1e5, 1e6]) {
    const g = factorColumn(Array.from({ length: n }, (_, i) => `g${i % 50}`));
    const h = factorColumn(Array.from({ length: n }, (_, i) => `h${Math.floor(i / 7) % 20}`));
    const y = Float64Array.from(
      { length: n },
      (_, i) => Math.sin(i % 50) + 0.5 * Math.cos(Math.floor(i / 7) % 20) + rng.normal(),
    );
    const x = Float64Array.from({ length: n }, () => rng.normal());
    const table = makeTable([
      ["y", numericColumn(y)],
      ["x", numericColumn(x)],
      ["g", g],
      ["h", h],
    ]);
    const run = () => fitLmm("y ~ x + (1 | g) + (1 | h)", table, { ddf: "none" });
    report(`growth: ${n} rows, 50 x 20 levels, one fit`, best(run, n > 1e5 ? 2 : 5));
  }
}

publicData();
refits(3, 100, 200);
refits(10, 500, 50);
degreesOfFreedom(3, 100);
degreesOfFreedom(10, 100);
growth();
