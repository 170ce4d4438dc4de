/** Whole commands in fresh processes, from the shell's line to the printed answer: processor seconds and peak memory, medians of alternating
 *  runs, next to R and Python that answer the same question from the same file, and how both grow with the file.
 *  Needs python3 for the measuring. `UPDATE_DOCS=1 npm run bench whole` writes docs/benchmarks.md. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { makeRng } from "../src/numeric/rng.ts";

const CLI = "dist/bin/gosset.js";
const RUNS = 5;
const SIZES = [10_000, 100_000, 1_000_000];
const SYSTEMS = [2, 10, 50];
const RATINGS = [1000, 10_000, 100_000];

interface Measured {
  readonly seconds: number;
  readonly bytes: number;
}

interface Job {
  readonly problem: string;
  readonly tool?: string;
  readonly command: readonly string[];
}

interface Answer extends Job {
  readonly runs: readonly Measured[];
}

const folder = mkdtempSync(join(tmpdir(), "gosset-bench-"));

function written(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

/** system,item,score with 0 and 1: each system on each item. */
function scoreFile(rows: number, systems: number): string {
  const rng = makeRng(`whole ${rows} ${systems}`);
  const lines = ["system,item,score"];
  for (let s = 0; s < systems; s++)
    for (let i = 0; i < rows / systems; i++) lines.push(`s${s},q${i},${rng.uniform() < 0.6 + 0.005 * (s % 3) ? 1 : 0}`);
  return written(`scores-${rows}-${systems}.csv`, lines);
}

/** item,rater,label: three raters of each item. */
function labelFile(ratings: number): string {
  const rng = makeRng(`labels ${ratings}`);
  const lines = ["item,rater,label"];
  for (let i = 0; i < ratings / 3; i++) {
    const own = rng.int(4);
    for (const rater of ["anna", "ben", "cleo"])
      lines.push(`t${i},${rater},${"abcd"[rng.uniform() < 0.7 ? own : rng.int(4)]}`);
  }
  return written(`labels-${ratings}.csv`, lines);
}

function measure(command: readonly string[]): Measured | undefined {
  const { stdout, status } = spawnSync("python3", ["bench/support/measure.py", ...command], { encoding: "utf8" });
  if (status !== 0) return undefined;
  const { seconds, bytes, code } = JSON.parse(stdout) as Measured & { readonly code: number };
  return code === 0 ? { seconds, bytes } : undefined;
}

/** Alternating, so that a busy minute of the machine meets all of them. */
function measureAll(jobs: readonly Job[]): Answer[] {
  const runs = jobs.map((): Measured[] => []);
  for (let k = 0; k < RUNS; k++)
    for (const [j, { command }] of jobs.entries()) {
      const own = measure(command);
      if (own !== undefined) runs[j]!.push(own);
    }
  return jobs.flatMap((job, j) => (runs[j]!.length === RUNS ? [{ ...job, runs: runs[j]! }] : []));
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const median = (values: readonly number[]): number => sorted(values)[Math.floor(values.length / 2)]!;
const secondsOf = ({ runs }: Answer): number => median(runs.map(({ seconds }) => seconds));
const megabytesOf = ({ runs }: Answer): number => median(runs.map(({ bytes }) => bytes)) / 2 ** 20;

/** Slope of log seconds over log size, between the two largest sizes: start-up counts for little there. */
function exponent(sizes: readonly number[], seconds: readonly number[]): number {
  const k = sizes.length;
  return Math.log(seconds[k - 1]! / seconds[k - 2]!) / Math.log(sizes[k - 1]! / sizes[k - 2]!);
}

const gosset = (...words: readonly string[]): string[] => [process.execPath, CLI, ...words];
const text = (rows: number): string => rows.toLocaleString("en");
const rowsProblem = (rows: number): string => `compare: ${text(rows)} rows, 0/1 scores of two systems`;
const systemsProblem = (systems: number): string => `compare: 100,000 rows of ${systems} systems`;
const ratingsProblem = (ratings: number): string => `agreement: ${text(ratings)} labels of three raters`;

function jobs(): Job[] {
  const scores = SIZES.map((rows) => scoreFile(rows, 2));
  return [
    { problem: "node itself", command: [process.execPath, "-e", "0"] },
    { problem: "--help", command: gosset("--help") },
    { problem: "compare: a small log", command: gosset("compare", "examples/data/questions.jsonl") },
    { problem: "describe: a small log", command: gosset("describe", "examples/data/questions.jsonl") },
    ...SIZES.flatMap((rows, k): Job[] => [
      { problem: rowsProblem(rows), command: gosset("compare", scores[k]!) },
      { problem: rowsProblem(rows), tool: "R", command: ["Rscript", "bench/support/paired.R", scores[k]!] },
      { problem: rowsProblem(rows), tool: "Python", command: ["python3", "bench/support/paired.py", scores[k]!] },
    ]),
    ...SYSTEMS.slice(1).map((systems) => ({
      problem: systemsProblem(systems),
      command: gosset("compare", scoreFile(100_000, systems)),
    })),
    ...RATINGS.map((ratings) => ({
      problem: ratingsProblem(ratings),
      command: gosset("agreement", labelFile(ratings)),
    })),
  ];
}

interface Growth {
  readonly job: string;
  readonly exponents: readonly (readonly [tool: string, exponent: number])[];
}

function growth(answers: readonly Answer[]): Growth[] {
  const of = (tool: string | undefined, problems: readonly string[], sizes: readonly number[]): number => {
    const found = problems.map((problem) => answers.find((own) => own.problem === problem && own.tool === tool));
    return found.every((own) => own !== undefined) ? exponent(sizes, found.map(secondsOf)) : Number.NaN;
  };
  return [
    {
      job: "compare, rows",
      exponents: [undefined, "R", "Python"].map((tool) => [tool ?? "Gosset", of(tool, SIZES.map(rowsProblem), SIZES)]),
    },
    { job: "agreement, labels", exponents: [["Gosset", of(undefined, RATINGS.map(ratingsProblem), RATINGS)]] },
  ];
}

function versions(): string {
  const of = (command: string, args: readonly string[], pattern: RegExp): string => {
    const { stdout = "", stderr = "" } = spawnSync(command, [...args], { encoding: "utf8" });
    return pattern.exec(`${stdout}${stderr}`)?.[1] ?? "absent";
  };
  return [
    `Node ${process.versions.node}`,
    `R ${of("Rscript", ["--version"], /(\d+\.\d+\.\d+)/)}`,
    `Python ${of("python3", ["--version"], /(\d+\.\d+\.\d+)/)}`,
    `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${cpus().length} processors`,
  ].join(", ");
}

const PAGE = "docs/benchmarks.md";

function page(answers: readonly Answer[], grown: readonly Growth[]): string {
  const cell = (own: Answer | undefined): string => {
    if (own === undefined) return "";
    const all = sorted(own.runs.map(({ seconds }) => seconds));
    return `${secondsOf(own).toFixed(2)} (${all[0]!.toFixed(2)}–${all.at(-1)!.toFixed(2)}), ${megabytesOf(own).toFixed(0)} MB`;
  };
  const problems = [...new Set(answers.map(({ problem }) => problem))];
  const find = (problem: string, tool?: string): Answer | undefined =>
    answers.find((own) => own.problem === problem && own.tool === tool);
  const rows = problems.map(
    (problem) =>
      `| ${problem} | ${cell(find(problem))} | ${cell(find(problem, "R"))} | ${cell(find(problem, "Python"))} |`,
  );
  const told = grown.flatMap(({ job, exponents }) =>
    exponents.map(([tool, value]) => `| ${job} | ${tool} | ${Number.isNaN(value) ? "" : value.toFixed(2)} |`),
  );
  return `# Benchmarks of whole commands

Each number is one whole command in a fresh process: start, reading the file, the test, the printed answer. Processor seconds of all threads
(median of ${RUNS} alternating runs, smallest and largest) and peak memory. \`UPDATE_DOCS=1 npm run bench whole\` writes this page.
${versions()}.

R reads the file with \`read.csv\`, reshapes it and runs \`t.test\` and \`mcnemar.test\` (\`bench/support/paired.R\`). Python uses its standard
library only (\`bench/support/paired.py\`). Both print means, difference, interval and p. \`gosset compare\` also checks the rows (copies, codes,
scales, missing items), plans the next experiment, and prints what its verdict rests on.

| command | Gosset | R | Python |
| --- | --- | --- | --- |
${rows.join("\n")}

Growth: the exponent of seconds over size, between the two largest sizes; 1 is proportional. Below 1, start-up and code that is not yet
compiled still take a good part of the time.

| job | tool | exponent |
| --- | --- | --- |
${told.join("\n")}
`;
}

try {
  const answers = measureAll(jobs());
  if (answers.length === 0) process.stderr.write("bench: whole needs python3 and a build (npm run build)\n");
  for (const own of answers) {
    const { problem, tool, runs } = own;
    const all = sorted(runs.map(({ seconds }) => seconds));
    const line = { problem, seconds: secondsOf(own), from: all[0], to: all.at(-1), megabytes: megabytesOf(own) };
    process.stdout.write(`${JSON.stringify(tool === undefined ? line : { ...line, tool })}\n`);
  }
  const grown = growth(answers);
  for (const { job, exponents } of grown)
    process.stderr.write(`${job}: ${exponents.map((own) => own.join(" ")).join(", ")}\n`);
  if (process.env["UPDATE_DOCS"] !== undefined) writeFileSync(PAGE, page(answers, grown));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
