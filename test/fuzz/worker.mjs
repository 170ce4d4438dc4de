/** One target, fuzzed in a thread of its own: an input that reaches code which no input before it reached is kept and changed
 *  further. Which code that is V8 says itself (precise coverage by blocks, through the inspector). The input under way lies in
 *  memory shared with the thread that started this one, which ends it if it hangs. */
import { Session } from "node:inspector";
import { parentPort, workerData } from "node:worker_threads";
import { makeRandom, mutate } from "./mutate.mjs";
import { TARGETS, Violation } from "./targets.mjs";

const { target, seed, seconds, corpus, current } = workerData;
/** Inputs between two looks at the coverage, which costs more than an input does. */
const BATCH = 24;
const LARGEST = 20_000;
const SLOW_MS = 2000;

const header = new Int32Array(current, 0, 2);
const room = new Uint8Array(current, 8);
const { seeds, make, largest = LARGEST } = TARGETS[target];
const run = await make();
const natives = Object.getOwnPropertyNames(Object.prototype).length;

/** How one input ended: undefined where all is well. */
async function judge(bytes) {
  room.set(bytes);
  Atomics.store(header, 0, bytes.length);
  Atomics.add(header, 1, 1);
  const start = process.cpuUsage();
  let fault;
  try {
    await run(bytes);
  } catch (error) {
    if (error instanceof Violation || typeof error?.fix !== "string") fault = `${error?.stack ?? error}`;
  }
  if (Object.getOwnPropertyNames(Object.prototype).length !== natives) fault = "Object.prototype has new names";
  // processor time, since others may be at work
  const ms = process.cpuUsage(start).user / 1000;
  if (fault === undefined && ms > SLOW_MS) fault = `slow: ${target}`;
  return fault;
}

const session = new Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => {
    if (error) throw new Error(error.message);
    answer = result;
  });
  return answer;
};
post("Profiler.enable");
post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/** Blocks of our code that were run since the last look. */
function takeHits() {
  const hits = new Set();
  for (const { url, functions } of post("Profiler.takePreciseCoverage").result) {
    if (!url.includes("/dist/")) continue;
    const file = url.slice(url.lastIndexOf("/dist/"));
    for (const { ranges } of functions) {
      for (const { startOffset, endOffset, count } of ranges)
        if (count > 0) hits.add(`${file} ${startOffset} ${endOffset}`);
    }
  }
  return hits;
}

const edges = new Set();
/** Of a batch that reached new code, the inputs that reach it by themselves: found by running each again. */
async function keepThoseOf(batch) {
  const fresh = new Set([...takeHits()].filter((hit) => !edges.has(hit)));
  for (const hit of fresh) edges.add(hit);
  for (const bytes of fresh.size === 0 ? [] : batch) {
    await judge(bytes);
    let own = 0;
    for (const hit of takeHits()) own += fresh.delete(hit) ? 1 : 0;
    if (own === 0) continue;
    kept.push(bytes);
    parentPort.postMessage({ kept: bytes });
  }
}

const kept = [];
const random = makeRandom(seed);
let inputs = 0;
const report = (fault, bytes) => parentPort.postMessage({ fault, bytes });

for (const bytes of [...(await seeds()), ...corpus]) {
  const fault = await judge(bytes);
  inputs += 1;
  if (fault !== undefined) report(fault, bytes);
  kept.push(bytes);
}
for (const hit of takeHits()) edges.add(hit);
const until = performance.now() + seconds * 1000;
while (performance.now() < until) {
  const batch = [];
  while (batch.length < BATCH && performance.now() < until) {
    // late finds are changed more often than the first ones
    const from = random.next() < 0.5 ? random.pick(kept) : kept[kept.length - 1 - random.int(Math.min(8, kept.length))];
    const bytes = mutate(from, random, random.pick(kept)).slice(0, largest);
    const fault = await judge(bytes);
    inputs += 1;
    if (fault === undefined) batch.push(bytes);
    else report(fault, bytes);
  }
  await keepThoseOf(batch);
}

parentPort.postMessage({ done: true, inputs, edges: edges.size });
