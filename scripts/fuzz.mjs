/** `npm run fuzz [target|group|all] [seconds] [-- --seed n --keep]`: coverage-guided fuzzing of all that reads strangers' bytes
 *  (test/fuzz/targets.mjs), the seconds shared among the targets. Inputs found before (test/fuzz/corpus, test/fuzz/regressions)
 *  are replayed first. A fault is written to test/fuzz/found and ends with exit code 1; --keep adds the inputs that reached new
 *  code to the corpus. Needs a build. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { TARGETS } from "../test/fuzz/targets.mjs";

const folder = new URL("../test/fuzz/", import.meta.url);
const foundFolder = new URL("found/", folder);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, keep: { type: "boolean" } },
});
const [wanted = "all", given = "60"] = positionals;
const names = Object.keys(TARGETS).filter((name) => ["all", name, TARGETS[name].group].includes(wanted));
const seconds = Number(given);
if (names.length === 0 || !(seconds >= 0)) {
  process.stderr.write(
    `fuzz: no target "${wanted}", or no seconds "${given}". There are ${Object.keys(TARGETS).join(", ")}.\n`,
  );
  process.exit(2);
}

/** A single input may take so much of the processor (or, asleep, so much of the day), and the whole thread so much memory. */
const HANG_MS = 10_000;
const ASLEEP_MS = 120_000;
const HEAP_MB = 1024;
const MOST_BYTES = 1 << 20;
/** What goes into the repository is small. */
const KEPT_BYTES = 1500;
const KEPT_FILES = 60;

const nameOf = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 12);

function stored(target) {
  return ["corpus", "regressions"].flatMap((kind) => {
    const place = new URL(`${kind}/${target}/`, folder);
    if (!existsSync(place)) return [];
    return readdirSync(place)
      .sort()
      .map((name) => new Uint8Array(readFileSync(new URL(name, place))));
  });
}

/** Faults by where they arose, the smallest input of each. */
const faults = new Map();
function note(target, fault, bytes) {
  // the first lines of a stack; what was thrown may hold parts of the input
  const frames = fault.split("\n").filter((line) => /^ +at /.test(line));
  const where = frames.length === 0 ? fault.slice(0, 80) : `${fault.slice(0, 9)} ${frames.slice(0, 2).join(" ")}`;
  const known = faults.get(where);
  if (known !== undefined && known.bytes.length <= bytes.length) return;
  if (known === undefined) process.stdout.write(`${target}: ${fault.split("\n").slice(0, 4).join("\n  ")}\n`);
  else rmSync(known.path);
  mkdirSync(foundFolder, { recursive: true });
  const path = new URL(`${target}-${nameOf(bytes)}`, foundFolder);
  writeFileSync(path, bytes);
  faults.set(where, { target, bytes, path });
}

const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** One thread until its time is over; resolves with what it did, or with what ended it. */
function start(target, { seed, time, kept }) {
  const current = new SharedArrayBuffer(8 + MOST_BYTES);
  const header = new Int32Array(current, 0, 2);
  const input = () => Uint8Array.from(new Uint8Array(current, 8, Atomics.load(header, 0)));
  const worker = new Worker(new URL("worker.mjs", folder), {
    workerData: { target, seed, seconds: time, corpus: [...stored(target), ...kept], current },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise((resolve) => {
    let last = -1;
    let [busy, since] = [0, 0];
    const watch = setInterval(() => {
      const now = Atomics.load(header, 1);
      if (now !== last) [busy, since] = [processorMs(), performance.now()];
      else if (now > 0 && (processorMs() - busy > HANG_MS || performance.now() - since > ASLEEP_MS)) {
        end({ ended: `hang: ${target}`, inputs: now });
      }
      last = now;
    }, 500);
    const end = async (answer) => {
      clearInterval(watch);
      worker.removeAllListeners();
      worker.on("error", () => {});
      await worker.terminate();
      if (answer.ended !== undefined) note(target, answer.ended, input());
      resolve(answer);
    };
    worker.on("message", (message) => {
      if (message.done) end(message);
      else if (message.kept !== undefined) kept.push(message.kept);
      else note(target, message.fault, message.bytes);
    });
    worker.on("error", (error) =>
      end({ ended: `thread: ${error?.code ?? error?.stack}`, inputs: Atomics.load(header, 1) }),
    );
    worker.on("exit", () => end({ ended: `exit: ${target}`, inputs: Atomics.load(header, 1) }));
  });
}

function keep(target, found) {
  const place = new URL(`corpus/${target}/`, folder);
  mkdirSync(place, { recursive: true });
  const room = KEPT_FILES - readdirSync(place).length;
  for (const bytes of found.filter(({ length }) => length <= KEPT_BYTES).slice(0, Math.max(0, room))) {
    writeFileSync(new URL(nameOf(bytes), place), bytes);
  }
}

const seed = Number(values.seed ?? 1);
for (const target of names) {
  const [until, before] = [performance.now() + (seconds * 1000) / names.length, processorMs()];
  const kept = [];
  let [inputs, edges, rounds] = [0, 0, 0];
  do {
    const time = Math.max(0, (until - performance.now()) / 1000);
    const answer = await start(target, { seed: seed + 1000 * rounds++, time, kept });
    inputs += answer.inputs;
    edges = Math.max(edges, answer.edges ?? 0);
    if (answer.done) break;
  } while (performance.now() < until && rounds < 20);
  if (values.keep) keep(target, kept);
  const taken = Math.round((processorMs() - before) / 1000);
  process.stdout.write(`${target}: ${inputs} inputs, ${edges} edges, ${taken} s of processor time\n`);
}
for (const { target, bytes, path } of faults.values()) {
  process.stdout.write(`${target}: ${bytes.length} bytes in test/fuzz/found/${basename(path.pathname)}\n`);
  process.exitCode = 1;
}
process.stdout.write(`${faults.size} faults\n`);
