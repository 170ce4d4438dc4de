/** `npm run calibrate [file …]`: the slow statistical checks, judged by binomial tests at fixed seeds.
 *  `npm run calibrate compare [cell …] [--sets 1000]`: the bank of comparisons with known truth, on all cores; what was measured with the same
 *  code is not measured again, so that an ended run goes on where it stopped. Writes docs/calibration.md when every cell is complete;
 *  `npm run calibrate compare report` writes the rows that this code has measured so far and leaves the others as they are. */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { install, root, runTool } from "./project.mjs";

const PIECE = 50;
/** Fewer data sets tell nothing of a rate. */
const FEWEST = 200;
const [target, ...rest] = process.argv.slice(2);
install();
if (target === "compare") await runBank(rest);
else {
  const files = [target, ...rest].filter(Boolean);
  runTool("vitest", ["run", "--config", "vitest.calibrate.config.ts", ...files]);
}

async function runBank(words) {
  if (words[0] === "report") return reportBank();
  const at = words.indexOf("--sets");
  const sets = at < 0 ? 1000 : Number(words.splice(at, 2)[1]);
  if (!Number.isInteger(sets) || sets < 1) return refuse("--sets takes a whole number from 1 on.");
  const { bank, bundle } = await bundleBank();
  const { CELLS, add, EMPTY, judge, writeReport, GOSSET_VERSION } = bank;
  const chosen = words.length === 0 ? CELLS : CELLS.filter(({ id }) => words.some((word) => id.includes(word)));
  if (chosen.length === 0)
    return refuse(`no cell is called like ${words.join(", ")}; there are ${CELLS.map(({ id }) => id).join(", ")}.`);
  const store = storeOf(bundle);
  mkdirSync(`${root}node_modules/.cache/gosset`, { recursive: true });
  const known = new Map(readLines(store).map((piece) => [`${piece.cell} ${piece.from} ${piece.to}`, piece.tally]));
  const pieces = chosen.flatMap(({ id }) =>
    Array.from({ length: Math.ceil(sets / PIECE) }, (_, k) => ({
      cell: id,
      from: k * PIECE,
      to: Math.min(sets, (k + 1) * PIECE),
    })),
  );
  const open = pieces.filter(({ cell, from, to }) => !known.has(`${cell} ${from} ${to}`));
  process.stdout.write(`${pieces.length - open.length} of ${pieces.length} pieces are known\n`);
  const show = (id) => {
    const own = pieces.filter(({ cell }) => cell === id);
    if (own.some(({ cell, from, to }) => !known.has(`${cell} ${from} ${to}`))) return;
    const tally = own.reduce((sum, { cell, from, to }) => add(sum, known.get(`${cell} ${from} ${to}`)), EMPTY);
    const cell = CELLS.find((one) => one.id === id);
    process.stdout.write(
      `${id}: counted ${tally.counted} of ${tally.sets}, covered ${tally.covered}, inconclusive ${tally.inconclusive}, none ${tally.none}: ${judge(cell, tally)}\n`,
    );
    return [id, tally];
  };
  const tallies = new Map(chosen.map(({ id }) => show(id)).filter(Boolean));
  await work(open, bundle.worker, (piece) => {
    known.set(`${piece.cell} ${piece.from} ${piece.to}`, piece.tally);
    appendFileSync(store, `${JSON.stringify(piece)}\n`);
    const done = show(piece.cell);
    if (done) tallies.set(...done);
  });
  if (chosen.length === CELLS.length && sets >= FEWEST)
    writeFileSync(`${root}docs/calibration.md`, writeReport(tallies, GOSSET_VERSION));
  const faults = chosen.filter((cell) => ["too many", "too little power"].includes(judge(cell, tallies.get(cell.id))));
  process.stdout.write(`${chosen.length - faults.length} passed, ${faults.length} failed\n`);
  for (const { id } of faults) process.stdout.write(`  ${id}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

async function reportBank() {
  const { bank, bundle } = await bundleBank();
  const tallies = new Map();
  const pieces = new Map(readLines(storeOf(bundle)).map((piece) => [`${piece.cell} ${piece.from} ${piece.to}`, piece]));
  for (const { cell, tally } of pieces.values()) tallies.set(cell, bank.add(tallies.get(cell) ?? bank.EMPTY, tally));
  const page = `${root}docs/calibration.md`;
  const before = readFileSync(page, "utf8");
  // a row stays where it rests on more
  const needed = (cell) => Number(bank.findRow(before, cell)[0]?.split("|")[2] ?? FEWEST);
  const thin = bank.CELLS.filter((cell) => (tallies.get(cell.id)?.sets ?? 0) < needed(cell));
  for (const { id } of thin) tallies.delete(id);
  const unknown = thin.filter((cell) => bank.findRow(before, cell).length === 0).map(({ id }) => id);
  if (unknown.length > 0)
    process.stdout.write(`fewer than ${FEWEST} data sets, and no row yet: ${unknown.join(", ")}\n`);
  writeFileSync(page, bank.writeReport(tallies, bank.GOSSET_VERSION, before));
}

function storeOf({ hash }) {
  return `${root}node_modules/.cache/gosset/calibration-${hash}.jsonl`;
}

/** The bank as one file that threads can load, and a hash of all of its code. */
async function bundleBank() {
  const { build } = await import("esbuild");
  const folder = `${root}node_modules/.cache/gosset/bank`;
  await build({
    absWorkingDir: root,
    stdin: {
      contents: [
        'export { CELLS } from "./cells.ts";',
        'export { add, EMPTY } from "./measure.ts";',
        'export { findRow, judge, writeReport } from "./report.ts";',
        'export { GOSSET_VERSION } from "../../../src/result/version.ts";',
      ].join("\n"),
      resolveDir: `${root}test/calibration/compare`,
      loader: "ts",
      sourcefile: "bank.ts",
    },
    outfile: `${folder}/bank.mjs`,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
  });
  await build({
    absWorkingDir: root,
    entryPoints: ["test/calibration/compare/worker.ts"],
    outfile: `${folder}/worker.mjs`,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
  });
  const worker = `${folder}/worker.mjs`;
  const hash = createHash("sha256").update(readFileSync(worker)).digest("hex").slice(0, 16);
  return { bank: await import(`${folder}/bank.mjs`), bundle: { worker, hash } };
}

function work(open, worker, onPiece) {
  let next = 0;
  const thread = () =>
    new Promise((resolve, reject) => {
      const own = new Worker(worker);
      const ask = () => (next < open.length ? own.postMessage(open[next++]) : own.terminate().then(resolve, reject));
      own.on("message", (piece) => {
        onPiece(piece);
        ask();
      });
      own.on("error", reject);
      ask();
    });
  return Promise.all(Array.from({ length: Math.min(availableParallelism(), Math.max(1, open.length)) }, thread));
}

function readLines(path) {
  if (!existsSync(path)) return [];
  // a line that a killed run left unfinished is measured again
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
