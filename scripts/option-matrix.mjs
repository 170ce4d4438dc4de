/** Commands x declared options, each tried on the built program: an option changes the answer, or is refused. What only identifies a run does not
 *  count as an answer. Of the others it tells
 *      as it is   says what holds anyway, and the opposite, another column or another choice is used or refused
 *      unfit      looked at and refused for each value tried, since none fits the call
 *      idle       taken and ignored: exit code 1 if there are any
 *      node scripts/option-matrix.mjs [part of a name of a call [part of a name of an option]]
 *  A further call or option is tried as soon as it is declared: values are found by what the option is called. `compare` has a matrix over five kinds
 *  of data in test/cli-options.test.ts, which runs with the tests; this one takes minutes. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { makeProgram } from "../dist/cli/program.js";
import {
  CALLS,
  GUESSES,
  KEEPING,
  LIMITS,
  ODD_FILES,
  OTHER_FILES,
  OTHER_VALUES,
  READING,
  SEARCHED,
  VALUES,
} from "./option-matrix-calls.mjs";
import { dev, root, roundedStored, rows, stored, trustedStored } from "./option-matrix-data.mjs";

/** The program in a thread, as test/support/cli-thread.mjs runs it. */
const { port1, port2 } = new MessageChannel();
const done = new Int32Array(new SharedArrayBuffer(4));
const thread = new Worker(new URL("../test/support/cli-thread.mjs", import.meta.url), {
  workerData: { program: join(root, "dist/bin/gosset.js"), port: port2, done },
  transferList: [port2],
});
let answered;
port1.on("message", (message) => answered(message));
const gosset = (args) =>
  new Promise((resolve) => {
    answered = resolve;
    port1.postMessage(args);
  });

const program = makeProgram();
const GLOBAL = new Set(program.options.map(({ long }) => long));
/** A command in another one takes its options too. */
function optionsOf(call) {
  const first = program.commands.find((command) => command.name() === call[0]);
  const second = first.commands.find((command) => command.name() === call[1]);
  return [...(second?.options ?? []), ...first.options];
}
const scenarioValues = ["0.3", "7", "60", "0.9", "3", "0.02"];

const columnsOf = (call) => {
  const path = call.find((word) => /\.csv$/.test(word) && existsSync(word));
  return path === undefined ? [] : readFileSync(path, "utf8").split("\n")[0].split(",");
};

/** Conditions and columns of other files only take time. */
function fitting(values, call) {
  const names = columnsOf(call);
  if (names.length === 0 || values === undefined) return values;
  const own = values.filter((value) => value === "none" || names.includes(/^\w+/.exec(value)?.[0]));
  return own.length > 0 ? own : values;
}

function valuesOf(option, call) {
  const listed = VALUES[option.long];
  const own = ["--where", "--mutate", "--ordered", "--factor", "--cluster"].includes(option.long)
    ? fitting(listed, call)
    : listed;
  const choices = option.argChoices?.map(String);
  if (choices !== undefined) return choices;
  if (call[0] === "design" && SEARCHED.has(option.long)) return ["6,9", "12,30"];
  if (option.long === "--items" && ["lock", "schedule"].includes(call[1])) return [dev];
  if (!option.required && !option.optional) return [undefined];
  // a small effect takes thousands of fits, each of thousands of ratings
  if (option.long === "--effect" && call.includes("simulation")) return ["1.7"];
  const scenario = ["power", "mde", "size", "curve", "design", "plan"].includes(call[0]);
  return [
    ...(own ?? []),
    ...(option.long === "--relative-precision" ? ["0.001"] : []),
    ...(own === undefined ? (scenario ? [...scenarioValues, ...GUESSES.slice(0, 2)] : GUESSES) : []),
    ...(own === undefined || option.long === "--metric" ? columnsOf(call) : []),
    ...(own !== undefined && scenario ? scenarioValues : []),
  ];
}

const SAME = new Set([
  "command",
  "signature",
  "run",
  "version",
  "seed",
  "parameters",
  "options",
  "columns",
  "dataHash",
]);
/** Without what only says how the run was called. */
function strip(value) {
  if (Array.isArray(value)) return value.map(strip);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, own]) => (SAME.has(key) ? [] : [[key, strip(own)]])));
}

let asked = 0;
async function answer(given, format = "json") {
  asked += 1;
  // a plan is not written over another
  const call = given.map((word) => word.replace("other-#", `other-${asked}`));
  const hasNone = ["show", "plot", "report", "cite", "schema", "bundle", "serve"].includes(call[0]);
  const { status, stdout, stderr } = await gosset([
    ...call,
    ...(format === "json" && !hasNone ? ["--json"] : []),
    "--quiet",
  ]);
  const seen = stdout.startsWith("{") ? JSON.stringify(strip(JSON.parse(stdout))) : stdout;
  return { status, seen, stderr };
}

/** What a text says, however it is laid out: its words and numbers, without what is said of the run and of the program's options. */
const saidIn = (text) =>
  new Set(
    text
      .split("\n")
      .filter((line) => !/^(More: |gosset \d|seed )/.test(line))
      .join(" ")
      .match(/[\p{L}\p{N}][\p{L}\p{N}.-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu),
  );

/** What they ask for is in the JSON anyway: the text must say more. */
const SHOWING = new Set(["--details"]);

/** Whether the option changes the answer; a note that it does nothing is a refusal. */
async function changes(words, before, own) {
  const given = await answer(words);
  if (given.status === 2 && before.status !== 2) return { kind: "refused", why: given.stderr };
  if (given.status !== before.status || given.seen !== before.seen) {
    const told = /"[^"]*does nothing[^"]*"/.exec(given.seen)?.[0];
    return told === undefined || before.seen.includes(told) ? { kind: "used" } : { kind: "refused", why: told };
  }
  if (!words.some((word) => SHOWING.has(word))) return { kind: "idle" };
  before.text ??= saidIn((await answer(own, "text")).seen);
  const text = saidIn((await answer(words, "text")).seen);
  const same = text.size === before.text.size && [...text].every((word) => before.text.has(word));
  return { kind: same ? "idle" : "used" };
}

/** Alone the answer may be the same by chance of the data: the next value is tried. "unfit": refused only for its values, none of which fits. */
async function tryOption(option, call, plain, { given, bare = false } = {}) {
  const other = OTHER_FILES[option.long] ?? new Map();
  const swapped = call.some((word) => other.has(word));
  const own = call.map((word) => other.get(word) ?? word);
  // a switch that the call has already is held against the call without it
  const before = swapped || bare ? await answer(own) : plain;
  // what the call has already is used where the call without it says something else, or nothing
  if (given !== undefined) {
    const without = await answer(own);
    if (without.status !== plain.status || without.seen !== plain.seen) return "used";
  }
  let values = (swapped ? OTHER_VALUES[option.long] : undefined) ?? valuesOf(option, call);
  const taken = [];
  const refusals = [];
  const refusedNames = [];
  const tried = new Set([given ?? ""]);
  while (values.length > 0) {
    const [value, ...rest] = values;
    values = rest;
    if (tried.has(value)) continue;
    tried.add(value);
    const known = value !== undefined && existsSync(value);
    const { kind, why = "" } = await changes(
      [...own, option.long, ...(value === undefined ? [] : [value])],
      before,
      own,
    );
    // what it writes is its answer
    if (kind === "used" || (!known && value !== undefined && existsSync(value))) return "used";
    if (kind === "idle") taken.push(value);
    else {
      const first = why.trim().split("\n")[0];
      refusedNames.push(value);
      refusals.push(`${value ?? ""}: ${first}`);
      if (isRefusal(option, first)) return "refused";
      // a table that is read otherwise may have nothing to say on the question
      if (READING.includes(option.long)) return "used";
      values = choicesIn(first) ?? values;
    }
  }
  const kind = await kindOf(option, { taken, refusedNames }, call, plain);
  if (process.env.WHY !== undefined && ["unfit", "idle"].includes(kind))
    console.log(`  ${option.long}: taken ${taken.join(" ")}; ${refusals.slice(-3).join("; ")}`);
  return kind;
}

async function kindOf(option, { taken, refusedNames }, call, plain) {
  if (taken.length === 0) return "unfit";
  // the choice or the column that is taken anyway may be named, where others are looked at and refused
  const others = option.argChoices ?? columnsOf(call);
  const isName = taken.length === 1 && /^[a-z]/i.test(taken[0] ?? "");
  if (isName && refusedNames.some((name) => others.includes(name))) return "as it is";
  return (await holdsAnyway(option, call, plain)) || LIMITS.has(option.long) ? "as it is" : "idle";
}

/** Of the option itself, whatever its value: it is to be left out, or takes another one that is not given. */
const isRefusal = ({ long }, first) =>
  new RegExp(`does nothing|does not take|Leave (it|one|${long})( of them)? out|Leave .* and ${long} out`).test(first) ||
  /leave it out|Leave .{1,40} out|Give one of them|Name it: --|none is named|together|exclude each other|both given|belongs to|at once|Give both|no file is given|parts of/.test(
    first,
  ) ||
  / needs? | is for | without | beside |of which text|takes both|for 0 predictions|Compare them by|computes nothing/.test(
    first,
  ) ||
  first.includes(`(${long})`);

/** A refusal may name what there is. */
const choicesIn = (refusal) =>
  /(?:Choose(?: one of| from)?|must be one of|The labels are) ([^.]+)\./.exec(refusal)?.[1].split(/,? (?:and|or) |, /);

/** What holds anyway may be said, where its opposite is used. */
const OPPOSITES = [["--list", "--all"]];
async function holdsAnyway({ long }, call, plain) {
  const opposite = OPPOSITES.find((pair) => pair.includes(long))?.find((one) => one !== long);
  if (opposite === undefined) return false;
  const { kind, why } = await changes([...call, opposite], plain, call);
  return kind === "used" || (kind === "refused" && why.includes(long));
}

await gosset(["compare", rows, "--metric", "y", "--cluster", "doc", "--out", stored, "--quiet"]);
const whole = readFileSync(stored, "utf8");
writeFileSync(
  roundedStored,
  whole.replace(/"difference":(-?[\d.]+)/, (_, own) => `"difference":${Number(own).toPrecision(2)}`),
);
const { command, ...others } = JSON.parse(whole);
writeFileSync(trustedStored, JSON.stringify({ ...others, command: [...command, "--max-memory", "4G"] }));
const wanted = new RegExp(process.argv[2] ?? "");
const options = new RegExp(process.argv[3] ?? "");
const KINDS = ["used", "refused", "as it is", "unfit", "idle"];
const counts = { calls: 0, pairs: 0, ...Object.fromEntries(KINDS.map((kind) => [kind, 0])) };
for (const [name, call] of CALLS) {
  if (!wanted.test(name)) continue;
  const started = performance.now();
  const plain = await answer(call);
  // a gate ends with its verdict
  if (plain.status === 2 || plain.status === null) {
    console.log(`${name}: does not run: ${plain.stderr.trim().split("\n")[0]}`);
    counts.idle += 1;
    continue;
  }
  counts.calls += 1;
  const given = new Set(call);
  const found = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  for (const option of optionsOf(call)) {
    if (GLOBAL.has(option.long) || KEEPING.has(option.long) || !options.test(option.long)) continue;
    // what a reading option is about is in the files made of `rows`, and all commands read alike
    if (ODD_FILES.includes(option.long) && !call.includes(rows) && call.some((word) => /\.(csv|jsonl)$/.test(word)))
      continue;
    const bare = given.has(option.long) && !option.required;
    const replaced = given.has(option.long) && option.required && option.variadic !== true;
    const i = call.indexOf(option.long);
    const own = bare
      ? call.filter((word) => word !== option.long)
      : replaced
        ? [...call.slice(0, i), ...call.slice(i + 2)]
        : call;
    found[await tryOption(option, own, plain, { bare, given: replaced ? call[i + 1] : undefined })].push(option.long);
  }
  for (const kind of KINDS) {
    counts[kind] += found[kind].length;
    counts.pairs += found[kind].length;
  }
  const named = KINDS.slice(2).map((kind) => `${kind}: ${found[kind].join(" ") || "none"}`);
  const refused = found.refused.filter((own) => !READING.includes(own)).join(" ");
  console.log(
    `${name}: ${found.used.length} used, ${found.refused.length} refused (${refused}), ${named.join(", ")}  [${Math.round((performance.now() - started) / 100) / 10} s]`,
  );
}
console.log(JSON.stringify(counts));
await thread.terminate();
port1.close();
process.exitCode = counts.idle > 0 ? 1 : 0;
