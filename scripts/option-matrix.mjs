/** Commands x declared options, each tried on the built program: an option changes the answer, or is refused. What only identifies a run does not
 *  count as an answer. Prints the counts, and every option that was taken and did nothing; exit code 1 if there are any.
 *      node scripts/option-matrix.mjs [part of a name of a call [part of a name of an option]]
 *  A further call or option is tried as soon as it is declared: values are found by what the option is called. `compare` has a matrix over five kinds
 *  of data in test/cli-options.test.ts, which runs with the tests; this one takes minutes. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { EXAMPLES } from "../dist/cli/power/examples.js";
import { makeProgram } from "../dist/cli/program.js";
import {
  again,
  at,
  base,
  circular,
  claims,
  comma,
  dev,
  exam,
  faulty,
  history,
  ids,
  inference,
  latin,
  newRun,
  oldRun,
  ours,
  planFile,
  quoted,
  reference,
  root,
  rows,
  runs,
  stored,
  train,
  voted,
  words,
} from "./option-matrix-data.mjs";

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

/** By what an option is called; several are tried in turn. */
const VALUES = {
  "--structure": ["adjacent"],
  "--analysis": ["lmm", "clmm"],
  "--alpha": ["0.3", "0.01"],
  "--confidence": ["0.5"],
  "--replicates": ["77"],
  "--where": [
    "words > 30",
    "depth > 1",
    "year > 2013",
    "topic == 't1'",
    "age > 30",
    "bili > 1",
    "old > 0.75",
    "source == 'plain'",
    "message != 'm1'",
  ],
  "--mutate": [
    "y = y * 2",
    "rating = 6 - rating",
    "bin = 1 - bin",
    "score = score * score",
    "words = words * words",
    "accuracy = accuracy + 0.01",
    "acc = 1 - acc",
    "target = 1 - target",
    "old = old - 0.01",
  ],
  "--missing": ["20,3,0.01,0.83,1.67,spam,t1,sst,1,A"],
  "--delimiter": [";"],
  "--encoding": ["utf-16le"],
  "--input-format": ["jsonl"],
  "--decimal": [","],
  "--max-memory": ["1"],
  "--levels": ["system=B,A"],
  "--factor": ["words", "count"],
  "--ordered": ["system=B,A", "rating=5,4,3,2,1", "depth=3,2,1", "lab=z,x"],
  "--contrasts": ["sum"],
  "--weights": ["words"],
  "--offset": ["words"],
  "--cluster": ["doc", "topic", "id", "none"],
  "--predict": [again],
  "--systems": ["B,A", "new,old", "A,B"],
  "--columns": ["score=words", "rating,y", "words,count"],
  "--pilot": [rows],
  "--ref": [reference, ids],
  "--metric": ["chrf", "acc", "f1", "mcc", "accuracy", "ter"],
  "--setting": ["card-low", "howcroft-general", "card-high"],
  "--thresholds": ["-1,0,0.7,2"],
  "--prior": ["0.2"],
  "--over": ["alpha=0.01,0.2"],
  "--min-count": ["60"],
};
/** Ranges that a search goes through. */
const SEARCHED = new Set(["--raters", "--ratings", "--items", "--seeds"]);
/** Where they are kept, or say what another option says already, they change nothing; otherwise they are refused. */
const LIMITS = new Set(["--per-rater", "--beta"]);
/** Keep what was drawn; the answer must not depend on them. */
const KEEPING = new Set(["--checkpoint", "--journal"]);
const GUESSES = ["system", "domain", "words", "0.3", "7", "1,4", "topic", "depth", "devacc", "sum"];
const READING = [
  "--input-format",
  "--bad-rows",
  "--delimiter",
  "--decimal",
  "--missing",
  "--no-quote",
  "--shape",
  "--encoding",
  "--max-memory",
];
/** The same file with what an option is about. */
const OTHER_FILES = {
  "--bad-rows": faulty,
  "--no-quote": quoted,
  "--encoding": latin,
  "--decimal": comma,
  "--shape": voted,
};
const ODD_FILES = [...Object.keys(OTHER_FILES), "--missing"];
const OTHER_VALUES = { "--bad-rows": ["skip"], "--encoding": ["latin1"], "--decimal": [","] };

const sim = (text) => words(`${text} --replicates 20 --workers 1`);
/** The examples of mde, size and curve take the approximation where there is one; small studies, drawn. */
const SIMULATED = {
  likert: [
    "--items 12 --raters 5 --setting card-high",
    "--raters 5 --effect 0.8 --setting card-high",
    "--over items=10,14 --raters 5 --effect 0.6 --setting card-high",
  ],
  ordinal: [
    "--items 10 --raters 5 --setting howcroft-general",
    "--raters 5 --effect 2 --setting howcroft-general",
    "--over items=8,10 --raters 5 --effect 0.9 --setting howcroft-general",
  ],
  "head-to-head": [
    "--items 12 --raters 5 --rater-sd 0.3 --item-sd 0.8",
    "--raters 5 --win 0.85 --rater-sd 0.3 --item-sd 0.8",
    "--over items=10,14 --raters 5 --win 0.75 --rater-sd 0.3 --item-sd 0.8",
  ],
  bleu: ["--n 200", "--delta 4", "--over n=100,200 --delta 3"],
  f1: [
    "--n 200 --positive 0.4 --recall 0.7 --fpr 0.1 --positive-disagreement 0.2 --negative-disagreement 0.1",
    "--positive 0.4 --recall 0.6 --fpr 0.1 --recall-gain 0.2 --positive-disagreement 0.3 --negative-disagreement 0.1",
    "--over n=100,200 --positive 0.4 --recall 0.6 --fpr 0.1 --recall-gain 0.2 --positive-disagreement 0.3 --negative-disagreement 0.1",
  ],
};
const CALLS = [
  ["describe", ["describe", rows]],
  ["score labels", words("score examples/data/labels.csv --gold label --pred model_a --metric f1 --positive spam")],
  ["score column", ["score", rows, "--score", "y"]],
  ["score texts", ["score", base, "--ref", reference]],
  ...["t", "permutation", "wilcoxon", "sign", "bootstrap"].map((test) => [
    `test ${test}`,
    ["test", test, rows, "--score", "y", "--by", "system", "--item", "item"],
  ]),
  ["test mcnemar", words("test mcnemar --table 30,12,4,40")],
  ["test mcnemar columns", ["test", "mcnemar", rows, "--x", "bin", "--y", "bin"]],
  ["test proportions", words("test proportions --x 45,56 --n 100,100")],
  ["test z", words("test z --x 15 --n 100 --mu 25 --sd 50")],
  ["test cv", words("test cv --x .01,.02,-.01,.03,.02 --n-train 800 --n-test 200")],
  ["test t numbers", words("test t --x 1,2,3,5 --y 2,3,4,4")],
  ["fit lm", ["fit", "lm", "y ~ system + words", rows]],
  ["fit glm", ["fit", "glm", "bin ~ system + words", rows, "--family", "binomial"]],
  ["fit lmm", ["fit", "lmm", "y ~ system + words + (1 | item) + (1 | rater)", rows]],
  ["fit glmm", ["fit", "glmm", "bin ~ system + words + (1 | item)", rows, "--family", "binomial"]],
  ["fit clm", ["fit", "clm", "rating ~ system + words", rows, "--factor", "rating"]],
  ["fit clmm", ["fit", "clmm", "rating ~ system + words + (1 | item)", rows, "--factor", "rating"]],
  ["fit gam", ["fit", "gam", "y ~ system + s(words, k = 5)", rows]],
  ["anova", ["anova", "y ~ words", "y ~ words + system", rows]],
  ["anova mixed", ["anova", "y ~ words + (1 | item)", "y ~ words + system + (1 | item)", rows]],
  ["emmeans", ["emmeans", "y ~ system + words", rows, "--by", "system"]],
  ["agreement", ["agreement", rows, "--item", "item,system", "--rater", "rater", "--label", "rating"]],
  [
    "agreement dawid-skene",
    [
      "agreement",
      rows,
      "--item",
      "item,system",
      "--rater",
      "rater",
      "--label",
      "rating",
      "--model",
      "dawid-skene",
      "--replicates",
      "0",
    ],
  ],
  ["reliability", ["reliability", rows, "--score", "y", "--object", "item", "--facets", "rater"]],
  ["importance", ["importance", runs, "--score", "score", "--parameters", "lr,depth"]],
  ["budget", ["budget", runs, "--score", "score"]],
  ["survey accuracy", ["survey", claims, "--n", "items", "--baseline", "sota", "--score", "accuracy"]],
  ["survey effects", ["survey", claims, "--effect", "yi", "--variance", "vi"]],
  [
    "validity bias",
    [
      "validity",
      "bias",
      inference,
      "--label",
      "gold",
      "--domain",
      "source",
      "--text",
      "hypothesis",
      "--replicates",
      "50",
    ],
  ],
  [
    "validity bias features",
    [
      "validity",
      "bias",
      rows,
      "--label",
      "flag",
      "--domain",
      "domain",
      "--features",
      "words,count",
      "--replicates",
      "50",
    ],
  ],
  [
    "validity invariance",
    ["validity", "invariance", train, "--test", exam, "--label", "y", "--scales", "code=nominal,age=ratio"],
  ],
  [
    "validity circularity",
    ["validity", "circularity", circular, "--label", "target", "--features", "bili,plt,noise", "--k", "5"],
  ],
  ["validity audit", ["validity", "audit", circular, "--label", "lab", "--domain", "target", "--features", "bili,plt"]],
  ["plan looks", words("plan looks --looks 4")],
  ["plan looks stopped", words("plan looks --looks 4 --look 2 --z 2.9")],
  ["power from-dev", ["power", "from-dev", dev, "--metric", "acc", "--n", "400"]],
  [
    "power from-history",
    ["power", "from-history", history, "--baseline", "old", "--new", "new", "--at", "0.82", "--n", "900"],
  ],
  ["power no-prior", words("power no-prior --n 900 --baseline 0.85 --delta 0.02")],
  ["power from-outputs", ["power", "from-outputs", base, ours, "--ref", reference, "--n", "40", "--replicates", "40"]],
  [
    "design likert",
    words(
      "design likert --effect 0.2 --setting card-low --power 0.8 --cost-item 1 --cost-rater 5 --cost-rating 0.2 --replicates 20 --raters 5,40 --ratings 2,5",
    ),
  ],
  [
    "design likert pilot",
    [
      "design",
      "likert",
      "--effect",
      "0.5",
      "--pilot",
      rows,
      "--columns",
      "score=y",
      "--power",
      "0.8",
      "--cost-rating",
      "0.2",
      "--cost-rater",
      "5",
      "--replicates",
      "20",
      "--raters",
      "5,40",
      "--ratings",
      "2,5",
    ],
  ],
  [
    "design ordinal",
    words(
      "design ordinal --effect 0.31 --setting howcroft-general --power 0.8 --cost-rating 0.2 --cost-rater 5 --replicates 5 --raters 5,40 --ratings 2,5",
    ),
  ],
  [
    "design head-to-head",
    words(
      "design head-to-head --win 0.6 --rater-sd 0.3 --item-sd 0.8 --budget 300 --cost-item 1 --cost-rater 5 --cost-rating 0.2 --replicates 20",
    ),
  ],
  [
    "design seeds",
    words(
      "design seeds --delta 0.03 --seed-sd 0.01 --item-sd 0.3 --run-item-sd 0.2 --power 0.8 --cost-run 20 --cost-item 1",
    ),
  ],
  ...Object.entries(EXAMPLES).flatMap(([name, lines]) =>
    ["power", "mde", "size", "curve"].map((verb, k) => {
      const simulated = ["likert", "ordinal", "head-to-head", "bleu", "f1"].includes(name) && !/approx/.test(lines[k]);
      const own = lines[k].replace(/--replicates \d+/, "");
      return [`${verb} ${name}`, [verb, name, ...(simulated ? sim(own) : words(own))]];
    }),
  ),
  ...Object.entries(SIMULATED).flatMap(([name, lines]) =>
    ["mde", "size", "curve"].map((verb, k) => [
      `${verb} ${name} simulated`,
      [verb, name, ...sim(`${lines[k]} --method simulation`)],
    ]),
  ),
  ["bundle", ["bundle", stored, rows, "--out", at("study.zip")]],
  ["verify", ["verify", stored]],
  ["plot", ["plot", stored]],
  ["report", ["report", stored]],
  ["cite", ["cite", stored]],
  ["schema", ["schema", "compare"]],
  ["replicate", ["replicate", "--list"]],
  ["gate", ["gate", dev, "--baseline", "old", "--margin", "0.2", "--metric", "acc"]],
  [
    "gate check",
    ["gate", "check", dev, "--baseline", "old", "--margin", "0.2", "--metric", "acc", "--replicates", "20"],
  ],
  ["gate aa", ["gate", "aa", oldRun, newRun]],
  [
    "plan new",
    words(
      `plan new ${at("other-#.yaml")} --systems old,new --metric acc --items 400 --smallest-effect 0.05 --agreement 0.8`,
    ),
  ],
  ["plan check", ["plan", "check", planFile]],
  ["plan lock", ["plan", "lock", planFile]],
  ["plan schedule", ["plan", "schedule", planFile, "--items", ids, "--to", at("schedule.csv")]],
  ["serve", ["serve", "--export", at("app.html")]],
];

const program = makeProgram();
const GLOBAL = new Set(program.options.map(({ long }) => long));
const commandOf = (call) => {
  const first = program.commands.find((command) => command.name() === call[0]);
  return first.commands.find((command) => command.name() === call[1]) ?? first;
};
const scenarioValues = ["0.3", "7", "60", "0.9", "3", "0.02"];

/** Conditions and columns of other files only take time. */
function fitting(values, call) {
  const path = call.find((word) => /\.(csv|jsonl)$/.test(word));
  if (path === undefined || values === undefined) return values;
  const names = readFileSync(path, "utf8").split("\n")[0].split(",");
  const own = values.filter((value) => value === "none" || names.includes(/^\w+/.exec(value)?.[0]));
  return own.length > 0 ? own : values;
}

function valuesOf(option, call) {
  const listed = VALUES[option.long];
  const own = ["--where", "--mutate", "--ordered", "--factor", "--cluster"].includes(option.long)
    ? fitting(listed, call)
    : listed;
  const choices = option.argChoices?.map(String);
  // the others are refused, also where there is one only
  if (choices !== undefined) return [...choices, "another"];
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
async function answer(given) {
  asked += 1;
  // a plan is not written over another
  const call = given.map((word) => word.replace("other-#", `other-${asked}`));
  const json = ["plot", "report", "cite", "schema", "bundle", "serve"].includes(call[0]) ? [] : ["--json"];
  const { status, stdout, stderr } = await gosset([...call, ...json, "--quiet"]);
  const seen = stdout.startsWith("{") ? JSON.stringify(strip(JSON.parse(stdout))) : stdout;
  return { status, seen, stderr, words: call };
}

/** Alone the answer may be the same by chance of the data: the next value is tried. */
async function tryOption(option, call, plain, { given, bare = false } = {}) {
  const swapped = OTHER_FILES[option.long];
  const readable = call.includes(rows) && swapped !== undefined;
  const own = readable ? call.map((word) => (word === rows ? swapped : word)) : call;
  // a switch that the call has already is held against the call without it
  const before = readable || bare ? await answer(own) : plain;
  const values =
    readable && OTHER_VALUES[option.long] !== undefined ? OTHER_VALUES[option.long] : valuesOf(option, call);
  let refusals = 0;
  let taken = false;
  for (const value of values.filter((one) => one === undefined || one !== given)) {
    const known = value !== undefined && existsSync(value);
    const { status, seen, stderr } = await answer([...own, option.long, ...(value === undefined ? [] : [value])]);
    // what it writes is its answer
    if (!known && value !== undefined && existsSync(value)) return "used";
    if (status === 2 && /does nothing/.test(stderr)) return "refused";
    if (status === 2 && before.status !== 2) refusals += 1;
    else taken = true;
    if (status === 2 && before.status !== 2) continue;
    if (seen !== before.seen || status !== before.status) return "used";
  }
  // of choices the one that holds anyway may be named, the others being refused
  return refusals > 0 && (!taken || option.argChoices !== undefined || LIMITS.has(option.long)) ? "refused" : "idle";
}

/** A direction that the score has anyway may be said, where the other one is used. */
async function holdsAnyway({ long }, call, plain) {
  if (long !== "--higher-is-better") return false;
  const { status, seen } = await answer([...call, "--lower-is-better"]);
  return status !== 2 && seen !== plain.seen;
}

await gosset(["compare", rows, "--metric", "y", "--out", stored, "--quiet"]);
const wanted = new RegExp(process.argv[2] ?? "");
const options = new RegExp(process.argv[3] ?? "");
const counts = { calls: 0, pairs: 0, used: 0, refused: 0, idle: 0 };
for (const [name, call] of CALLS) {
  if (!wanted.test(name)) continue;
  const started = performance.now();
  const plain = await answer(call);
  // a gate ends with its verdict
  if (plain.status === 2 || plain.status === null) {
    console.log(`${name}: does not run: ${plain.stderr.trim().split("\n")[0]}`);
    continue;
  }
  counts.calls += 1;
  const given = new Set(call);
  const found = { used: [], refused: [], idle: [] };
  for (const option of commandOf(call).options) {
    if (GLOBAL.has(option.long) || KEEPING.has(option.long) || !options.test(option.long)) continue;
    // what a reading option is about is in the files made of `rows`, and all commands read alike
    if (ODD_FILES.includes(option.long) && !call.includes(rows) && call.some((word) => /\.(csv|jsonl)$/.test(word)))
      continue;
    if (given.has(option.long) && option.variadic !== true && option.required) {
      const i = call.indexOf(option.long);
      const less = [...call.slice(0, i), ...call.slice(i + 2)];
      found[await tryOption(option, less, plain, { given: call[i + 1] })].push(option.long);
      continue;
    }
    const bare = given.has(option.long) && !option.required;
    const tried = await tryOption(option, bare ? call.filter((word) => word !== option.long) : call, plain, { bare });
    found[tried === "idle" && (await holdsAnyway(option, call, plain)) ? "used" : tried].push(option.long);
  }
  for (const kind of ["used", "refused", "idle"]) counts[kind] += found[kind].length;
  counts.pairs += found.used.length + found.refused.length + found.idle.length;
  console.log(
    `${name}: ${found.used.length} used, ${found.refused.length} refused (${found.refused.filter((own) => !READING.includes(own)).join(" ")}), idle: ${found.idle.join(" ") || "none"}  [${Math.round((performance.now() - started) / 100) / 10} s]`,
  );
}
console.log(JSON.stringify(counts));
await thread.terminate();
port1.close();
process.exitCode = counts.idle > 0 ? 1 : 0;
