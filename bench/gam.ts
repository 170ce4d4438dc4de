/** Additive models of 100,000 and 300,000 rows beside mgcv; bench/gam.R fits the same data, which are written to dist/bench for it.
 *  Every problem runs in a process of its own, so that its peak memory (that of one fit) is its own. `first` is the processor time, of
 *  all threads, of the first fit of that process, with the compilation of the code; `seconds` that of the best of three more. Both
 *  include covariances, edf for AIC, p-values and shapes, which mgcv leaves to summary() and plot().
 *  mgcv's slow engines are run with BENCH_FULL=1 only; BENCH_ONLY=text picks problems by name. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeTable, numericColumn, type Table } from "../src/data/table.ts";
import { fitGam } from "../src/models/gam/gam.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { report } from "./support/stopwatch.ts";

const FOLDER = "dist/bench/gam-data";
const COLUMNS = ["x1", "x2", "x3", "x4", "x5", "y", "z"] as const;

interface Cell {
  readonly rows: number;
  readonly k: number;
  /** What mgcv does in bench/gam.R; the names there are the same. */
  readonly beside: string;
  readonly response: "y" | "z";
}

const CELLS: readonly Cell[] = [
  { rows: 100_000, k: 20, beside: "gam", response: "y" },
  { rows: 100_000, k: 100, beside: "bam", response: "y" },
  { rows: 100_000, k: 100, beside: "bam, discrete", response: "y" },
  { rows: 300_000, k: 100, beside: "bam, discrete", response: "y" },
  { rows: 100_000, k: 100, beside: "logit bam, discrete", response: "z" },
];

const nameOf = ({ rows, k, beside }: Cell): string => `${rows} rows, 5 smooths, k = ${k}: ${beside}`;

/** Five uniform covariates, of which the last has no effect and the fourth a step; z is a coin with the same shapes. */
function writeData(n: number): void {
  const rng = makeRng("gam-bench");
  const data = new Float64Array(COLUMNS.length * n);
  for (let i = 0; i < 5 * n; i++) data[i] = rng.uniform();
  for (let i = 0; i < n; i++) {
    const [x1, x2, x3, x4] = [data[i]!, data[i + n]!, data[i + 2 * n]!, data[i + 3 * n]!];
    const humps = 0.2 * x3 ** 11 * (10 * (1 - x3)) ** 6 + 10 * (10 * x3) ** 3 * (1 - x3) ** 10;
    const mean = 2 * Math.sin(Math.PI * x1) + Math.exp(2 * x2) + humps + (x4 > 0.5 ? 1 : 0);
    data[i + 5 * n] = mean + 2 * rng.normal();
    data[i + 6 * n] = rng.uniform() < 1 / (1 + Math.exp(2 - mean / 4)) ? 1 : 0;
  }
  writeFileSync(`${FOLDER}/${n}.bin`, new Uint8Array(data.buffer));
}

function readData(n: number): Table {
  const bytes = readFileSync(`${FOLDER}/${n}.bin`);
  return makeTable(
    COLUMNS.map((name, j) => [name, numericColumn(new Float64Array(bytes.buffer, bytes.byteOffset + 8 * j * n, n))]),
  );
}

function cpuSeconds(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function measure(cell: Cell): void {
  const table = readData(cell.rows);
  const smooths = [1, 2, 3, 4, 5].map((j) => `s(x${j}, bs = "cr", k = ${cell.k})`).join(" + ");
  const run = () => fitGam(`${cell.response} ~ ${smooths}`, table, cell.response === "z" ? { family: "binomial" } : {});
  let fit = undefined as ReturnType<typeof run> | undefined;
  const start = process.hrtime.bigint();
  const first = cpuSeconds(() => {
    fit = run();
  });
  const wall = Number(process.hrtime.bigint() - start) / 1e9;
  const peakMb = process.resourceUsage().maxRSS / 1000;
  const seconds = Math.min(...[1, 2, 3].map(() => cpuSeconds(run)));
  report(nameOf(cell), seconds, { first, wall, peakMb, edf: fit?.edf, explained: fit?.devianceExplained });
}

const asked = process.argv[2];
if (asked === undefined) {
  mkdirSync(FOLDER, { recursive: true });
  const cells = CELLS.filter((cell) => nameOf(cell).includes(process.env.BENCH_ONLY ?? ""));
  for (const n of new Set(cells.map(({ rows }) => rows))) if (!existsSync(`${FOLDER}/${n}.bin`)) writeData(n);
  for (const cell of cells) {
    const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), nameOf(cell)], { encoding: "utf8" });
    process.stdout.write(child.stdout);
    process.stderr.write(child.stderr);
  }
} else {
  measure(CELLS.find((cell) => nameOf(cell) === asked)!);
}
