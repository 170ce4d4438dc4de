/** `npm run demo`: what Assay does so far, on example data of its own, with every command shown and its output explained. */
import { spawnSync } from "node:child_process";
import { build, install, root } from "./setup.mjs";

install();
build();

const say = (text) => process.stdout.write(`${text}\n`);
const heading = (text) => say(`\n${"=".repeat(78)}\n${text}\n${"=".repeat(78)}\n`);

/** Prints the command as a user would type it, then runs it. */
function show(...args) {
  say(`$ npx assay ${args.map((word) => (/^[\w./=-]+$/.test(word) ? word : `"${word}"`)).join(" ")}\n`);
  const { status } = spawnSync(process.execPath, [`${root}dist/bin/assay.js`, ...args], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

const SUMMARIES = "examples/data/summaries.csv";
const QUESTIONS = "examples/data/questions.jsonl";

heading("1. What is in this file, and what can it tell me?");
show("describe", SUMMARIES);
say(`
Assay found the systems, the items, the raters and the score by name and by content, and lists the questions that
these ratings can answer. The file never leaves this machine.`);

heading("2. Do the systems differ, given the length of the article?");
show("fit", "lm", "rating ~ system + scale(words)", SUMMARIES, "--cluster", "article");
say(`
Every article was rated nine times, and ratings of one article go up and down together. --cluster article makes the
standard errors honest about that: each row has its own degrees of freedom. "systemretrieval" is the mean difference
from the first system in alphabetical order, baseline, in rating points, with its 95% interval.`);

heading("3. Is the gain larger for science articles? Compare two nested models.");
show("anova", "rating ~ system + domain", "rating ~ system * domain", SUMMARIES);
say(`
A large p means that these data show no sign of an interaction; it does not mean that there is none.`);

heading("4. Right or wrong answers: a logistic model, clustered by passage.");
show(
  "fit",
  "glm",
  "correct ~ system",
  QUESTIONS,
  "--family",
  "binomial",
  "--levels",
  "system=small,large",
  "--cluster",
  "passage",
);
say(`
"systemlarge" is a log odds ratio; exp() of it is the odds ratio. Five questions share a passage, so the passage is
the cluster.`);

heading("5. The same answer for a paper, and for a program.");
show("fit", "lm", "rating ~ system", SUMMARIES, "--cluster", "article", "--format", "latex");
say("");
show("anova", "rating ~ 1", "rating ~ system", SUMMARIES, "--json");
say(`
Every command takes --format text|md|latex|csv|html and --json. JSON keeps full precision.`);
