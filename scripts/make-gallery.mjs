/** Writes docs/gallery.md and its pictures: every kind of plot, from the data in examples/, with the command that draws it. Run it after a
 *  change of how something is drawn. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./project.mjs";

const { plotJson, renderSvg } = await import("../dist/plot.js");

const SUMMARIES = "examples/data/summaries.csv";
const SUMS = "examples/data/sums/base.json examples/data/sums/tuned.json";
const GRADES = "examples/data/grades.csv";

/** A heading, the command, and which of its figures are shown. */
const SHOWN = [
  [
    "Pairs of systems",
    `compare ${SUMMARIES} --metric rating --margin 0.5`,
    ["pairs", "scores", "differences", "ranks", "boxes"],
  ],
  ["Slices", `compare ${SUMS} --slice operation`, ["pairs", "differences"]],
  [
    "Means by a property of the items",
    `compare ${SUMMARIES} --metric rating --by domain`,
    ["within", "boxes-domain", "means-domain"],
  ],
  ["Votes", "compare examples/data/votes.csv", ["pairs"]],
  ["Scores of a leaderboard", "compare examples/data/leaderboard.csv", ["pairs", "scores"]],
  [
    "Power, Type-M, Type-S",
    "curve accuracy --over n=250:2000:250 --over delta=0.01,0.02,0.03 --agreement 0.9",
    ["power", "type-m", "type-s"],
  ],
  [
    "Simulated power",
    "curve likert --over raters=5,10,20,30 --over items=40,100,200 --over effect=0.1,0.2,0.3 --setting card-high --replicates 200",
    ["power"],
  ],
  [
    "What simulated experiments find",
    "power likert --raters 10 --items 40 --effect 0.2 --setting card-high --replicates 1000",
    ["effects"],
  ],
  ["Power around a size", "power accuracy --n 500 --delta 0.02 --agreement 0.9", ["power"]],
  ["The smallest difference", "mde accuracy --n 500 --agreement 0.9", ["power"]],
  ["The size", "size accuracy --delta 0.02 --agreement 0.9", ["power"]],
  [
    "Claims of a literature",
    "survey examples/data/claims.csv --n items --baseline baseline --score score --task benchmark --date year --prior 0.2",
    ["funnel", "benchmarks", "records-inference"],
  ],
  [
    "What money buys",
    "design likert --budget 150 --cost-rating 0.5 --effect 0.2 --setting card-high --replicates 100",
    ["frontier"],
  ],
  [
    "Training runs and items",
    "design seeds --delta 0.03 --seed-sd 0.01 --item-sd 0.3 --run-item-sd 0.2 --budget 2000 --cost-run 40 --cost-item 1",
    ["frontier"],
  ],
  [
    "The cheapest training runs",
    "design seeds --delta 0.03 --seed-sd 0.01 --item-sd 0.3 --run-item-sd 0.2 --power 0.8 --cost-run 20 --cost-item 1 --seeds 3,20",
    ["frontier"],
  ],
  ["Several looks at a test", "plan looks --looks 4 --drift 3 --look 2 --z 2.7", ["bounds", "chances"]],
  [
    "Agreement",
    `agreement ${SUMMARIES} --item article,system --rater rater --label rating`,
    ["coefficients", "raters", "coincidences"],
  ],
  [
    "Raters' confusions",
    `agreement ${SUMMARIES} --item article,system --rater rater --label rating --model dawid-skene`,
    ["accuracy", "confusions"],
  ],
  [
    "Variance components and what-if",
    `reliability ${SUMMARIES} --score rating --object article --facets rater --target 0.8`,
    ["components", "what-if"],
  ],
  [
    "A mixed model",
    `fit lmm "rating ~ system + (1 | article) + (1 | rater)" ${SUMMARIES} --modes`,
    ["coefficients", "spread", "modes-rater"],
  ],
  [
    "Rating distributions",
    `fit clmm "rating ~ system + (1 | article)" ${SUMMARIES}`,
    ["ratings-system", "latent-system"],
  ],
  [
    "Shapes of an additive model",
    `fit gam "grade ~ s(words, k = 5) + s(overlap) + te(overlap, readability, k = 3)" ${GRADES}`,
    ["shapes", "surface-te(overlap,readability)"],
  ],
  [
    "Marginal means and contrasts",
    `emmeans "rating ~ system * domain + (1 | article)" ${SUMMARIES} --by system --within domain`,
    ["means", "contrasts"],
  ],
  [
    "With and without the circular set",
    `validity circularity ${GRADES} --label grade --features words,sentences,citations,overlap,readability`,
    ["nullification"],
  ],
  ["Mean ranks", `test friedman ${GRADES} --columns grade,sentences,citations`, ["ranks"]],
  ["Differences of several groups", `test anova ${SUMMARIES} --score rating --by system`, ["differences"]],
  [
    "What resampling gives under the null hypothesis",
    `test bootstrap ${GRADES} --x sentences --y citations`,
    ["resampled"],
  ],
  ["Nested models", `anova "rating~1" "rating~system" ${SUMMARIES}`, ["statistic"]],
  ["A permutation test", `test permutation ${GRADES} --x sentences --y grade --where "words < 40"`, ["resampled"]],
  ["The line of a linear model", `fit lm "sentences ~ words" ${GRADES}`, ["fit"]],
  [
    "The score of one system",
    "score examples/data/labels.csv --gold label --pred model_b --metric macro-f1",
    ["scores"],
  ],
  [
    "Expected best by the number of runs",
    "budget examples/data/claims.csv --score score --system benchmark",
    ["budget"],
  ],
  [
    "Importance of settings",
    "importance examples/data/annotation.csv --score score --parameters rater,occasion --object sentence --replicates 100",
    ["components"],
  ],
  [
    "Earlier differences",
    "power from-history examples/data/claims.csv --baseline baseline --new score --at 85",
    ["history"],
  ],
  ["What a test set can show at all", "power no-prior --n 1821 --baseline 0.972", ["mde"]],
  [
    "Power from outputs",
    "power from-outputs examples/data/translations/base.txt examples/data/translations/tuned.txt --ref examples/data/translations/reference.txt --n 100,200",
    ["power"],
  ],
  ["A line", `test pearson ${GRADES} --x words --y sentences`, ["scatter"]],
  ["The means of a file", `describe ${SUMMARIES}`, ["means-rating"]],
  ["A correlation", `test spearman ${GRADES} --x words --y grade`, ["scatter"]],
  [
    "Recoded features",
    "validity invariance examples/data/clinic/train.csv --test examples/data/clinic/test.csv --label malignant --scales id=nominal,age=ratio,grade=ordinal",
    ["invariance"],
  ],
  [
    "Features in and out of domain",
    "validity bias examples/data/inference.csv --label gold --positive entailment --domain source --in plain --premise premise --hypothesis hypothesis",
    ["domains"],
  ],
  ["A published figure", "replicate card-figure-4", ["card-figure-4-power"]],
  ["One effect", "test t --x 1,2,3.5,5,7,8.5 --y 2,3,4,4.5,9,9.5 --paired", ["effect"]],
];

const folder = join(root, "docs/images/gallery");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "gosset-gallery-"));

function answer(command) {
  const words = command.match(/"[^"]*"|\S+/g).map((word) => word.replaceAll('"', ""));
  const file = join(scratch, "result.json");
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, "dist/bin/gosset.js"), ...words, "--json", "--quiet", "--out", file],
    { cwd: root, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`gosset ${command}: ${stderr}`);
  return readFileSync(file, "utf8");
}

const lines = [
  "# Gallery",
  "",
  "Every kind of picture, from the data in `examples/`. `node scripts/make-gallery.mjs` draws it again. How pictures are made and in which formats: [plots](methods/plots.md).",
];
for (const [heading, command, names] of SHOWN) {
  const figures = plotJson(answer(command));
  lines.push("", `## ${heading}`, "", "```sh", `gosset ${command} --plot x.svg --figure all`, "```");
  for (const name of names) {
    const figure = figures.find((own) => own.name === name);
    if (figure === undefined)
      throw new Error(`gosset ${command} has no figure ${name}: ${figures.map((own) => own.name)}`);
    const file = `${heading.toLowerCase().replace(/[^a-z]+/g, "-")}-${name.replace(/[^\w]+/g, "-").replace(/-$/, "")}.svg`;
    writeFileSync(join(folder, file), `${renderSvg(figure)}\n`);
    lines.push("", `![${figure.description.replace(/[[\]\n]/g, " ")}](images/gallery/${file})`);
  }
}
writeFileSync(join(root, "docs/gallery.md"), `${lines.join("\n")}\n`);
rmSync(scratch, { recursive: true });
