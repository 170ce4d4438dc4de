/** `npm run demo`: the main job, on example runs that ship with the project: is the difference real? Then the other three
 *  questions, briefly. Every command is shown as a user types it, and its output is explained. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { build, install, root } from "./project.mjs";

install();
build();

const PROGRAM = `${root}dist/bin/gosset.js`;
const WIDTH = 78;
const say = (text) => process.stdout.write(`${text}\n`);
const heading = (text) => say(`\n${"=".repeat(WIDTH)}\n${text}\n${"=".repeat(WIDTH)}\n`);

/** Prose on lines that fit a terminal. */
function explain(text) {
  const lines = [""];
  for (const word of text.trim().split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== "" && last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  say(`\n${lines.join("\n")}`);
}

/** The command as a user would type it, folded so that it can still be pasted. */
function fold(args) {
  const quoted = args.map((word) => (/^[\w.,/=-]+$/.test(word) ? word : `"${word}"`));
  // an option stays with its value
  const words = quoted
    .join("\0")
    .replace(/(--[\w-]+)\0(?!--)/g, "$1 ")
    .split("\0");
  const lines = ["$ npx --no-install gosset"];
  for (const word of words) {
    const last = lines.at(-1);
    if (last.length + 1 + word.length + 2 > WIDTH) {
      lines[lines.length - 1] = `${last} \\`;
      lines.push(`    ${word}`);
    } else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}

/** Prints the command, then runs it. */
function show(...args) {
  say(`${fold(args)}\n`);
  const { status } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: root,
    stdio: "inherit",
    // as npx would have it, so that the commands offered are those of this checkout
    env: { ...process.env, npm_lifecycle_event: "npx", npm_lifecycle_script: "gosset" },
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Whether this version has the command. */
const has = (command) => spawnSync(process.execPath, [PROGRAM, command, "--help"], { cwd: root }).status === 0;

const BASE = "examples/data/sums/base.json";
const TUNED = "examples/data/sums/tuned.json";
const SUMMARIES = "examples/data/summaries.csv";

heading("Is the difference real?");
say("Two models, 150 word problems, three epochs each: logs as Inspect writes them.\n");
show("compare", BASE, TUNED);
explain(`The tuned model scores higher, and the verdict is still INCONCLUSIVE: with these 150 problems four points are
within the noise. The paragraph says what the problems could have shown, and the next step: how many more problems, or how
many more epochs, and which is cheaper. The three epochs were averaged; counted as 450 items they would have looked surer
than they are. Items are matched by their ids, and the two samples that ended in an error are missing, not wrong.`);

heading("Three systems, human ratings: which differences are real?");
show("compare", SUMMARIES);
explain(`Several raters scored the same articles, so the comparison is a mixed model: articles differ in quality and raters
in severity, and neither is counted as evidence. All pairs are adjusted for their number.`);

/** The other questions. A part is shown once this version has its command; each is quick. */
const OTHERS = [
  {
    question: "Can this evaluation see the difference I care about?",
    command: "power",
    runs: [["power", "accuracy", "--n", "150", "--delta", "0.04", "--agreement", "0.8"]],
    told: `Before the next run: with 150 problems and models that agree on 80 % of them, a true gain of four points would
rarely be found, and a result that happens to be significant would exaggerate it.`,
  },
  {
    question: "Would I see it again?",
    command: "agreement",
    runs: [
      [
        "agreement",
        SUMMARIES,
        "--item",
        "article,system",
        "--rater",
        "rater",
        "--label",
        "rating",
        "--scale",
        "ordinal",
      ],
    ],
    told: `Raters agree better than chance, and not well. "gosset reliability" splits the variance of the scores into
articles, raters and the rest, and says how many raters would be enough.`,
  },
  {
    question: "Does the score measure what it claims to?",
    command: "validity",
    runs: [["validity", "circularity", "examples/data/grades.csv", "--label", "grade"]],
    told: `These grades are a table of lengths: a model that predicts them well has learned to count words. "gosset validity bias"
looks for features that give the labels away in one domain only, "gosset validity invariance" for scales that a learner abuses.`,
  },
  {
    question: "What would people have said, where a model judges?",
    command: "judge",
    runs: [["judge", "correct", "examples/data/judge-labels.csv", "--drawn", "random"]],
    told: `The judge passes more of the tuned system's wrong answers, so by its scores alone the tuned system is better. People labeled
60 questions; corrected by them the difference is open. "gosset judge check" says whom a judge favors, "gosset judge plan" how many
labels to buy.`,
  },
];

for (const { question, command, runs, told } of OTHERS) {
  if (!has(command)) continue;
  heading(question);
  for (const args of runs) show(...args);
  explain(told);
}

heading("The same in a browser");
mkdirSync(`${root}demo`, { recursive: true });
show("serve", "--export", "demo/gosset.html");
say("");
show("compare", BASE, TUNED, "--out", "demo/report.html");
explain(`demo/gosset.html is the whole program as one page, and demo/report.html the report of this comparison. Open either with a
double click, or with your browser's "Open file": they need no server and no network. "npx --no-install gosset serve" serves the page on
this machine.`);

heading("Your own files");
say("  npx --no-install gosset describe FILE          what it holds, and which commands fit it");
say("  npx --no-install gosset compare A B            the logs or tables of two systems");
say("  npx --no-install gosset compare FILE           one file with several systems");
say("  npx --no-install gosset compare A.txt B.txt --ref REFERENCE.txt      translations");
say("  npx --no-install gosset compare A B --margin 0.02    are they equally good, within 2 points?");
say("  npx --no-install gosset compare A B --by COLUMN      does the difference depend on it?");
explain(`Every command takes --json and --format text|md|latex|csv|html. Nothing leaves this machine.`);
