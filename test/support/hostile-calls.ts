/** One call at least of every kind of result that prints names out of data, on files whose names of systems, columns, items, raters and
 *  classes would be markup, commands or links if they were more than text. Small, so that all run together in a few seconds. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRng } from "../../src/numeric/rng.ts";
import { GOSSET_VERSION } from "../../src/result/version.ts";
import { writeHeader, writePiece } from "../../src/run/journal.ts";
import { makeSharedFolder } from "./folder.ts";

const folder = makeSharedFolder("names");

export const IMAGE = "<img src=x onerror=alert(1)>";
const SCRIPT = "</script><script>alert(1)</script>";
const INPUT = "\\input{/etc/passwd}$%&#_{}";
const LINK = "|[x](javascript:alert(1))";

/** Of files: what a file system takes. */
const FILE_NAME = `${IMAGE} ${SCRIPT.replaceAll("/", "")} \\input{x}$%&#_{} ${LINK} \`x\` \u202e`;

const rng = makeRng(23);
const quoted = (value: string | number): string =>
  typeof value === "number" ? String(value) : `"${value.replaceAll('"', '""')}"`;

function text(name: string, lines: readonly string[]): string {
  const path = join(folder, `${FILE_NAME} ${name}`);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

const csv = (name: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  text(
    `${name}.csv`,
    [head, ...rows].map((row) => row.map(quoted).join(",")),
  );

const column = {
  item: `${LINK} item`,
  system: `${IMAGE} system`,
  rater: `${SCRIPT} rater`,
  score: `${INPUT} score`,
  domain: `${IMAGE} domain`,
  x: `${IMAGE} x`,
  y: `${SCRIPT} y`,
  label: `${INPUT} label`,
};
const SYSTEMS = [IMAGE, SCRIPT, `${INPUT}${LINK}`];
const RATERS = ["`r1` ```", "r\u202e2", "r\n3", `${IMAGE} r4`];
const DOMAINS = [`${LINK} domain`, `${INPUT} domain`];
const ITEMS = Array.from({ length: 12 }, (_, i) => `${[IMAGE, SCRIPT, INPUT, LINK, "```", "a\nb"][i % 6]} ${i}`);

/** Every rater on every item of every system. */
const RATED = csv(
  "rated",
  [column.item, column.domain, column.system, column.rater, column.score],
  ITEMS.flatMap((item, i) =>
    SYSTEMS.flatMap((system, s) =>
      RATERS.map((rater, r) => [
        item,
        DOMAINS[i % 2]!,
        system,
        rater,
        1 + ((i * 7 + s * 5 + r * 3 + ((i * s * r) % 4)) % 5),
      ]),
    ),
  ),
);

/** Two systems, right or wrong on each item. */
const answers = (share: number): number => (rng.uniform() < share ? 1 : 0);
const ANSWERED = csv(
  "answered",
  [column.item, column.system, "correct"],
  Array.from({ length: 40 }, (_, i) => `${ITEMS[i % 12]} ${i}`).flatMap((item) => [
    [item, IMAGE, answers(0.6)],
    [item, SCRIPT, answers(0.8)],
  ]),
);

/** What a judge says of all answers, and people of the first of them. */
const GRADED = csv(
  "graded",
  [column.item, column.system, column.x, column.label],
  Array.from({ length: 60 }, (_, i) => `${ITEMS[i % 12]} ${i}`).flatMap((item, i) =>
    [IMAGE, SCRIPT].map((name) => {
      const right = answers(0.7);
      return [item, name, rng.uniform() < 0.8 ? right : 1 - right, i % 2 === 0 ? right : ""];
    }),
  ),
);
const GRADES = ["--judge", column.x, "--human", column.label, "--item", column.item, "--system", column.system];

/** The same system run twice. */
const [FIRST, AGAIN] = ["first", "again"].map((name) =>
  csv(
    name,
    [column.item, "correct"],
    ITEMS.map((item) => [item, answers(0.7)]),
  ),
);

/** Right labels, two systems' labels, features of the items, and where they come from. */
const CLASSES = [IMAGE, SCRIPT, INPUT];
const LABELLED = csv(
  "labelled",
  [column.item, column.label, column.x, column.y, column.domain, column.score],
  Array.from({ length: 60 }, (_, i) => {
    const gold = rng.int(3);
    const guess = (share: number): string => CLASSES[rng.uniform() < share ? gold : rng.int(3)]!;
    return [
      `${ITEMS[i % 12]} ${i}`,
      CLASSES[gold]!,
      guess(0.5),
      guess(0.7),
      DOMAINS[i % 2]!,
      gold + 0.2 * rng.normal(),
    ];
  }),
);

/** Numbers of which one predictor is the label in disguise. */
const numbers = (rows: number): (readonly number[])[] =>
  Array.from({ length: rows }, (_, i) => {
    const [noise, same] = [rng.normal(), rng.normal()];
    return [i % 7, noise, same, 2 * same + 0.1 * rng.normal()].map((value) => Number(value.toFixed(3)));
  });
const NUMBERS = [column.item, column.x, column.y, column.label];
const TRAIN = csv("train", NUMBERS, numbers(60));
const TEST = csv("test", NUMBERS, numbers(30));

/** Two metrics and people's scores of the same items. */
const JUDGED = csv(
  "judged",
  [column.item, column.system, column.x, column.y, column.score],
  ITEMS.flatMap((item, i) =>
    SYSTEMS.map((system, s) => [item, system, 30 + i + s + rng.normal(), s - rng.uniform(), 50 + 3 * i + 5 * s]),
  ),
);

const VOTES = csv(
  "votes",
  ["model_a", "model_b", "winner"],
  Array.from({ length: 40 }, (_, i) => [IMAGE, SCRIPT, ["model_a", "model_b", "model_b", "tie"][i % 4]!]),
);
const TOTALS = csv(
  "totals",
  ["model", "accuracy", "accuracy_stderr"],
  SYSTEMS.map((system, s) => [system, 0.7 + s / 20, 0.01]),
);
const CLAIMS = csv(
  "claims",
  ["paper", "task", "n", "baseline", "score", "year"],
  Array.from({ length: 10 }, (_, i) => [
    `${LINK} ${i}`,
    SYSTEMS[i % 2]!,
    500 + 150 * i,
    80 + i / 2,
    81 + i / 2,
    2010 + i,
  ]),
);
const HISTORY = csv(
  "history",
  [column.x, column.y, column.score],
  [0, 1, 2, 3, 4, 5].map((i) => [80 + 2 * i, 83 + 1.7 * i + (i % 2) / 5, 86 + 1.5 * i]),
);
const RUNS = csv(
  "runs",
  [column.system, column.x, column.rater, column.item, column.score],
  SYSTEMS.slice(0, 2).flatMap((system) =>
    DOMAINS.flatMap((rate, k) =>
      [1, 2, 3].flatMap((seed) =>
        ITEMS.slice(0, 5).map((item, i) => [system, rate, `${LINK} ${seed}`, item, rng.normal() + i / 4 + k]),
      ),
    ),
  ),
);

const WORDS = "the cat saw one small dog on two red mats".split(" ");
const SENTENCES = Array.from({ length: 12 }, () => Array.from({ length: 8 }, () => WORDS[rng.int(10)]!).join(" "));
const spoilt = (step: number): string[] =>
  SENTENCES.map((line) =>
    line
      .split(" ")
      .map((word, k) => (k % step === 0 ? WORDS[rng.int(10)]! : word))
      .join(" "),
  );
const REFERENCE = text("reference.txt", SENTENCES);
const OUTPUTS = [text("old.txt", spoilt(2)), text("new.txt", spoilt(3))];

const PLAN = text("plan.yaml", [
  `systems: ${JSON.stringify([IMAGE, SCRIPT])}`,
  "metric: correct",
  "items: 40",
  "smallest-effect: 0.3",
  "cluster: none",
  "looks: { at: [0.5, 1] }",
  "expected: { agreement: 0.7 }",
]);

/** A journal of a scenario that somebody named. */
const JOURNAL = join(folder, `${FILE_NAME} journal`);
mkdirSync(JOURNAL);
writeFileSync(
  join(JOURNAL, "one.jsonl"),
  [
    writeHeader({ gosset: GOSSET_VERSION }),
    JSON.stringify({
      set: "9f3c",
      task: "power/replicates",
      scenario: IMAGE,
      params: { n: 60, test: SCRIPT },
      seed: "5",
    }),
    writePiece({ set: "9f3c", from: 0, count: 50, out: [], ms: 500 }),
  ].join("\n"),
);

/** A column in a formula. */
const own = (name: string): string => `\`${name.replaceAll("\\", "\\\\")}\``;
const { item, system, rater, score, domain, x, y, label } = column;
const RATINGS = ["--metric", score, "--item", item, "--system", system, "--rater", rater];
const CORRECT = ["--metric", "correct", "--item", item, "--system", system, "--cluster", "none"];
const HIGH = `I(${own(score)} > 3)`;
const few = (n: number): string[] => ["--replicates", String(n)];

/** By the name of what they ask; several where one kind prints names in several places. */
export const HOSTILE_CALLS: Readonly<Record<string, readonly string[]>> = {
  describe: ["describe", RATED],
  "describe labels": ["describe", LABELLED],
  compare: ["compare", RATED, ...RATINGS],
  "compare by": ["compare", RATED, ...RATINGS, "--by", domain],
  "compare slices": ["compare", RATED, ...RATINGS.slice(0, 6), "--rater", "none", "--slice", domain],
  "compare classes": ["compare", LABELLED, "--gold", label, "--pred", `${x},${y}`, "--item", item, "--cluster", "none"],
  "compare votes": ["compare", VOTES],
  "compare totals": ["compare", TOTALS],
  "compare outputs": ["compare", ...OUTPUTS, "--ref", REFERENCE, ...few(50)],
  "compare by a plan": ["compare", ANSWERED, "--item", item, "--system", system, "--plan", PLAN, "--look", "2"],
  ranking: ["rank", ANSWERED, ...CORRECT, "--systems", `${IMAGE},${SCRIPT}`],
  next: ["next", ANSWERED, ...CORRECT, "--systems", `${IMAGE},${SCRIPT}`],
  gate: ["gate", ANSWERED, ...CORRECT, "--baseline", IMAGE, "--margin", "0.05"],
  "gate check": ["gate", "check", ANSWERED, ...CORRECT, "--baseline", IMAGE, "--margin", "0.2", ...few(10)],
  "gate aa": ["gate", "aa", FIRST!, AGAIN!, "--metric", "correct", "--item", item],
  "plan check": ["plan", "check", PLAN],
  "score classes": ["score", LABELLED, "--gold", label, "--pred", y, "--metric", "macro-f1"],
  "score outputs": ["score", ...OUTPUTS, "--ref", REFERENCE, "--metric", "chrf", "--sentence"],
  reliability: ["reliability", RATED, "--score", score, "--object", item, "--facets", rater, ...few(20)],
  agreement: ["agreement", RATED, "--item", `${item},${system}`, "--rater", rater, "--label", score, ...few(20)],
  "agreement of labels": ["agreement", LABELLED, "--item", item, "--raters", `${x},${y}`, ...few(20)],
  "dawid-skene": [
    "agreement",
    LABELLED,
    "--item",
    item,
    "--raters",
    `${label},${x},${y}`,
    "--model",
    "dawid-skene",
  ].concat(few(50)),
  importance: ["importance", RUNS, "--score", score, "--parameters", `${system},${x}`, "--object", item, ...few(10)],
  budget: ["budget", RUNS, "--score", score, "--system", system, "--configuration", `${x},${rater}`, ...few(50)],
  lm: ["fit", "lm", `${own(score)} ~ ${own(system)} * ${own(domain)}`, RATED],
  "lm line": ["fit", "lm", `${own(label)} ~ ${own(y)}`, TRAIN, "--loo"],
  glm: ["fit", "glm", `${HIGH} ~ ${own(system)}`, RATED, "--family", "binomial", "--intervals", "profile"],
  lmm: ["fit", "lmm", `${own(score)} ~ ${own(system)} + (1 | ${own(item)})`, RATED, "--modes", "--terms"],
  glmm: ["fit", "glmm", `${HIGH} ~ ${own(system)} + (1 | ${own(item)})`, RATED, "--family", "binomial"],
  clm: ["fit", "clm", `${own(score)} ~ ${own(system)}`, RATED],
  clmm: ["fit", "clmm", `${own(score)} ~ ${own(system)} + (1 | ${own(item)})`, RATED],
  gam: ["fit", "gam", `${own(label)} ~ s(${own(x)}, k = 4) + te(${own(x)}, ${own(y)}, k = 3)`, TRAIN],
  lrt: ["anova", `${own(score)} ~ 1`, `${own(score)} ~ ${own(system)}`, RATED],
  emmeans: ["emmeans", `${own(score)} ~ ${own(system)} * ${own(domain)}`, RATED, "--by", system, "--within", domain],
  "test of groups": ["test", "anova", RATED, "--score", score, "--by", system],
  "test of ranks": ["test", "friedman", TRAIN, "--columns", `${x},${y},${label}`],
  "test of a line": ["test", "pearson", TRAIN, "--x", x, "--y", y],
  "power from-dev": ["power", "from-dev", ANSWERED, ...CORRECT],
  "power from-dev of ratings": ["power", "from-dev", RATED, ...RATINGS, "--systems", `${IMAGE},${SCRIPT}`],
  "power from-history": ["power", "from-history", HISTORY, "--baseline", x, "--new", y, "--at", "89"],
  "power from-outputs": ["power", "from-outputs", ...OUTPUTS, "--ref", REFERENCE, ...few(20), "--n", "20"],
  survey: ["survey", CLAIMS, "--prior", "0.2"],
  "judge check": ["judge", "check", GRADED, ...GRADES, "--replicates", "20"],
  "judge correct": ["judge", "correct", GRADED, ...GRADES],
  "judge sample": ["judge", "sample", GRADED, "--n", "8", "--show", column.x].concat([
    "--judge",
    column.x,
    "--item",
    column.item,
    "--system",
    column.system,
  ]),
  "judge next": ["judge", "next", GRADED, ...GRADES],
  "judge audit": ["judge", "audit", GRADED, ...GRADES, "--from", IMAGE, "--margin", "0.2"],
  "validity metrics": ["validity", "metrics", JUDGED, ...few(20)].concat([
    "--item",
    item,
    "--system",
    system,
    "--metrics",
    `${x},${y}`,
    "--human",
    score,
  ]),
  "validity bias": ["validity", "bias", LABELLED, "--label", label, "--domain", domain, "--in", DOMAINS[0]!].concat(
    ["--pred", y, "--features", score, "--positive", IMAGE],
    few(20),
  ),
  "validity invariance": ["validity", "invariance", TRAIN, "--test", TEST, "--label", label].concat([
    "--scales",
    `${item}=nominal,${y}=interval`,
    "--transforms",
    "2",
  ]),
  "validity circularity": ["validity", "circularity", TRAIN, "--label", label, "--features", `${x},${y}`, "--k", "4"],
  "validity audit": ["validity", "audit", TRAIN, "--label", label, "--features", `${x},${y}`],
  runs: ["runs", JOURNAL],
};
