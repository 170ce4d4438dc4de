/** Commands x declared options, each tried on the built program: an option changes the answer, or is refused. What only identifies a run does not
 *  count as an answer. Prints the counts, and every option that was taken and did nothing; exit code 1 if there are any.
 *      node scripts/option-matrix.mjs [part of a name of a call [part of a name of an option]]
 *  A further call or option is tried as soon as it is declared: values are found by what the option is called. `compare` has a matrix over five kinds
 *  of data in test/cli-options.test.ts, which runs with the tests; this one takes minutes. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
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
  longReference,
  newRun,
  oldRun,
  ours,
  planFile,
  policy,
  quoted,
  reference,
  root,
  roundedStored,
  rows,
  runs,
  stored,
  three,
  tokenised,
  train,
  trustedStored,
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
    "gold == predicted",
  ],
  "--mutate": [
    "y = y * 2",
    "rating = 6 - rating",
    "bin = 1 - bin",
    "score = score * score",
    "words = words * words",
    "accuracy = accuracy + 0.01",
    "acc = 1 - acc",
    "acc = acc * 0",
    "f1 = f1 * f1",
    "model_a = label",
    "gold = predicted",
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
  "--cluster": ["doc", "topic", "id", "premise", "none"],
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
  "--on": ["slurm"],
  "--ratings": ["2", "6"],
  "--per-rater": ["8", "30", "300"],
  "--list-length": ["4"],
  "--cells": ["pos>pos>neg:12; neg>neg>neg:30; pos>neg>pos:20"],
  "--agreement": ["0.95", "0.7", "agree", "same"],
  "--overlap": ["squad"],
  "--odds-ratio": ["2"],
  "--n2": ["60", "301"],
  "--cluster-size": ["4"],
  "--ignore": ["case"],
  "--at": ["words=30"],
  "--raters": ["rating,extra", "7", "3", "60"],
  "--weighting": ["quadratic"],
  "--categories": ["1,2,3,4,5,6"],
  "--interactions": ["item:rater", "lr:depth"],
  "--n": ["rater=7", "77", "301", "90,80", "other"],
  "--bias": ["0.1"],
  "--teams": ["3"],
  "--in": ["tricky", "plain", "news", "blog"],
  "--out-domains": ["tricky", "plain", "news", "blog"],
  "--ngrams": ["2"],
  "--smoothing": ["3"],
  "--positive": ["other", "entailment", "yes", "no", "ham", "spam", "0.3", "0.6"],
  "--scales": ["age=interval", "plt=ordinal"],
  "--knots": ["bili=7"],
  "--information": ["0.5,1"],
  "--spending": ["pocock"],
  "--looks": ["3", "0.5,1"],
  "--look": ["1"],
  "--range": ["0,7"],
  "--margin": ["0.3", "0.9", "0.05"],
  "--plan": [planFile],
  "--z": ["2.2"],
  "--prior-columns": ["old,new"],
  "--prior-for": ["sst"],
  "--policy": [policy],
  "--repeats": ["3"],
  "--test": ["permutation", "normal", circular, again],
  "--table": ["20,15,4,40"],
  "--export": [at("other.html")],
  "--timeout": ["0.001"],
  "--tolerance": ["0"],
  "--structure": ["adjacent"],
  "--features": ["age,code,grade", "bili", "words", "hypothesis", "predicted"],
  "--time": ["topic", "when"],
  "--items": ["20", "2000", "6,9"],
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
  "--bad-rows": new Map([[rows, faulty]]),
  "--no-quote": new Map([[rows, quoted]]),
  "--encoding": new Map([[rows, latin]]),
  "--decimal": new Map([[rows, comma]]),
  "--shape": new Map([[rows, voted]]),
  "--systems": new Map([[dev, three]]),
  "--prior": new Map([[dev, dev]]),
  "--tolerance": new Map([[stored, roundedStored]]),
  "--trust": new Map([[stored, trustedStored]]),
  "--force": new Map([
    [base, tokenised],
    [reference, longReference],
  ]),
};
const ODD_FILES = ["--bad-rows", "--no-quote", "--encoding", "--decimal", "--shape", "--missing"];
const OTHER_VALUES = {
  "--bad-rows": ["skip"],
  "--encoding": ["latin1"],
  "--decimal": [","],
  "--systems": ["old,new"],
  "--prior": [history],
  "--tolerance": ["0.2"],
};

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
  ["next", ["next", dev, "--metric", "acc", "--systems", "old,new"]],
  ["next sequence", ["next", dev, "--metric", "f1", "--method", "sequence"]],
  ["validity metrics", ["validity", "metrics", rows, "--human", "rating", "--metrics", "y,words", "--item", "item"]],
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
  const hasNone = ["plot", "report", "cite", "schema", "bundle", "serve"].includes(call[0]);
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
const OPPOSITES = [
  ["--list", "--all"],
  ["--higher-is-better", "--lower-is-better"],
  ["--maximise", "--minimise"],
];
async function holdsAnyway({ long }, call, plain) {
  const opposite = OPPOSITES.find((pair) => pair.includes(long))?.find((one) => one !== long);
  if (opposite === undefined) return false;
  const { kind, why } = await changes([...call, opposite], plain, call);
  return kind === "used" || (kind === "refused" && why.includes(long));
}

await gosset(["compare", rows, "--metric", "y", "--out", stored, "--quiet"]);
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
