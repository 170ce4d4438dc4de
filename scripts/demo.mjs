/** `npm run demo`: what Assay does so far, on example data of its own, with every command shown and its output explained. */
import { spawnSync } from "node:child_process";
import { build, install, root } from "./setup.mjs";

install();
build();

const say = (text) => process.stdout.write(`${text}\n`);
const heading = (text) => say(`\n${"=".repeat(78)}\n${text}\n${"=".repeat(78)}\n`);

const WIDTH = 78;

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
  const lines = ["$ npx assay"];
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
  const { status } = spawnSync(process.execPath, [`${root}dist/bin/assay.js`, ...args], {
    cwd: root,
    stdio: "inherit",
    // as npx would have it, so that the commands offered are those of this checkout
    env: { ...process.env, npm_lifecycle_event: "npx", npm_lifecycle_script: "assay" },
  });
  if (status !== 0) process.exit(status ?? 1);
}

const SUMMARIES = "examples/data/summaries.csv";
const QUESTIONS = "examples/data/questions.jsonl";
const MIXED = "rating ~ system + (1 | article) + (1 | rater)";

heading("1. What is in this file, and what can it tell me?");
show("describe", SUMMARIES);
explain(`Assay found the systems, the items, the raters and the score by name and by content, and lists the questions that
these ratings can answer. The file never leaves this machine.`);

heading("2. Do the systems differ, beyond articles and raters?");
show("fit", "lmm", MIXED, SUMMARIES);
explain(`A linear mixed model. Articles differ in quality and raters in severity: both are random effects, and their
standard deviations are in the first table. "systemretrieval" is the mean difference from the first system in
alphabetical order, baseline, in rating points, with its 95% interval.`);

heading("3. Which systems differ from which?");
show("emmeans", MIXED, SUMMARIES, "--by", "system");
explain(`All pairs at once, with p values and intervals adjusted for the number of pairs (Tukey).`);

heading("4. Ratings as ordered categories instead of numbers.");
show("fit", "clmm", MIXED, SUMMARIES, "--link", "probit");
explain(`An ordinal model does not assume that the step from 1 to 2 is as long as that from 4 to 5: the thresholds show how
long each step is on the latent scale.`);

heading("5. Without a model of the raters: least squares with honest errors.");
show("fit", "lm", "rating ~ system + scale(words)", SUMMARIES, "--cluster", "article");
explain(`Every article was rated nine times, and ratings of one article go up and down together. --cluster article makes the
standard errors honest about that: each row has its own degrees of freedom.`);

heading("6. Is the gain larger for science articles? Compare two nested models.");
show("anova", `${MIXED} + domain`, "rating ~ system * domain + (1 | article) + (1 | rater)", SUMMARIES);
explain(`A large p means that these data show no sign of an interaction; it does not mean that there is none.`);

heading("7. Right or wrong answers: a logistic model, clustered by passage.");
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
explain(`"systemlarge" is a log odds ratio; exp() of it is the odds ratio. Five questions share a passage, so the passage is
the cluster.`);

heading("8. The same answer for a paper, and for a program.");
show("fit", "lm", "rating ~ system", SUMMARIES, "--cluster", "article", "--format", "latex");
say("");
show("anova", "rating ~ 1", "rating ~ system", SUMMARIES, "--json");
explain(`Every command takes --format text|md|latex|csv|html and --json. JSON keeps full precision.`);
