/** One call or more of every command, small enough to be run together: what `--json` and stored results are checked on. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRng } from "../../src/numeric/rng.ts";
import { GOSSET_VERSION } from "../../src/result/version.ts";
import { writeHeader, writePiece } from "../../src/run/journal.ts";
import { pairedTTest } from "../../src/tests.ts";
import { makeSharedFolder } from "./folder.ts";

const folder = makeSharedFolder("json");

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

const SUMMARIES = "examples/data/summaries.csv";
const QUESTIONS = "examples/data/questions.jsonl";
const GRADES = "examples/data/grades.csv";
const RUNS = ["examples/data/sums/base.json", "examples/data/sums/tuned.json"];

const rng = makeRng(11);
const draw = (n: number, write: (i: number) => string): string[] => Array.from({ length: n }, (_, i) => write(i));

/** Gold labels and two systems' predictions of three classes; sometimes right. */
const LABELS = file("labels.csv", [
  "item,gold,old,new,source,overlap",
  ...draw(240, (i) => {
    const gold = rng.int(3);
    const guess = (share: number): number => (rng.uniform() < share ? gold : rng.int(3));
    const source = i % 3 === 0 ? "web" : "news";
    const overlap = rng.uniform() < 0.8 ? gold : rng.int(3);
    return `q${i},${"abc"[gold]},${"abc"[guess(0.5)]},${"abc"[guess(0.7)]},${source},${source === "web" ? 2 - overlap : overlap}`;
  }),
]);

const VOTES = file(
  "votes.jsonl",
  draw(60, () =>
    JSON.stringify({ model_a: "x", model_b: "y", winner: ["model_a", "model_b", "model_b", "tie"][rng.int(4)] }),
  ),
);

const WORDS = "a the cat dog sat on mat red small house saw one two three green".split(" ");
const sentences = draw(40, () => draw(9, () => WORDS[rng.int(WORDS.length)]!).join(" "));
const spoilt = (share: number): string[] =>
  sentences.map((line) =>
    line
      .split(" ")
      .map((word) => (rng.uniform() < share ? WORDS[rng.int(WORDS.length)]! : word))
      .join(" "),
  );
const REFERENCE = file("reference.txt", sentences);
const TEXTS = [file("old.txt", spoilt(0.4)), file("new.txt", spoilt(0.3))];

const PLAN = file("plan.yaml", [
  "systems: [small, large]",
  "metric: correct",
  "items: 300",
  "smallest-effect: 0.1",
  "cluster: none",
  "looks: { at: [0.5, 1] }",
  "expected: { agreement: 0.7 }",
]);

const CLAIMS = file("claims.csv", [
  "paper,task,n,baseline,score,year",
  ...draw(12, (i) => `P${i},${i % 2 === 0 ? "nli" : "qa"},${500 + 150 * i},${80 + i / 2},${80.9 + i / 2},${2010 + i}`),
]);

const HISTORY = file("history.csv", [
  "old,new,agree",
  ...[
    [80, 83, 86],
    [82, 84.5, 87],
    [85, 86.9, 89],
    [88, 89, 91],
    [90, 90.8, 93],
    [91, 91.9, 94],
  ].map((row) => row.join(",")),
]);

/** Two predictors, one of which is the label in disguise; the second half is for testing. */
const FEATURES = ["id,noise,grade,label", ...draw(120, (i) => featureRow(i))];
function featureRow(i: number): string {
  const grade = rng.normal();
  return `${i % 7},${rng.normal().toFixed(4)},${grade.toFixed(4)},${(2 * grade + 0.1 * rng.normal()).toFixed(4)}`;
}
const TRAIN = file("train.csv", FEATURES.slice(0, 81));
const TEST = file("test.csv", [FEATURES[0]!, ...FEATURES.slice(81)]);

/** A leaderboard with standard errors. */
const TOTALS = file("totals.csv", [
  "model,accuracy,accuracy_stderr",
  "old,0.71,0.012",
  "new,0.76,0.011",
  "other,0.7,0.02",
]);

/** Runs of a grid search. */
const GRID = file("grid.csv", [
  "model,rate,seed,item,score",
  ...["small", "large"].flatMap((model) =>
    [0.1, 0.2].flatMap((rate) =>
      [1, 2, 3].flatMap((seed) =>
        draw(8, (i) => `${model},${rate},${seed},i${i},${(rng.normal() + i / 4 + rate * 3).toFixed(4)}`),
      ),
    ),
  ),
]);

const SAMPLES = "--x 1,2,3.5,5,7,8.5 --y 2,3,4,4.5,9,9.5";
const LIKERT = "--raters 5 --effect 0.4 --setting card-high";

/** A result as a command stored it. */
const STORED = file("stored.json", [
  JSON.stringify({
    ...pairedTTest([1, 2, 3.5, 5, 7, 8.5], [2, 3, 4, 4.5, 9, 9.5]).toJSON(),
    command: ["gosset", "test", "t", ...SAMPLES.split(" "), "--paired"],
  }),
]);

/** A call as one line; `{name}` stands for a file. */
const SET =
  '{"set":"9f3c","task":"power/replicates","scenario":"means","params":{"n":60,"test":"wilcoxon"},"seed":"5"}';
const JOURNAL = join(folder, "journal");
mkdirSync(JOURNAL);
file("journal/one.jsonl", [
  writeHeader({ gosset: GOSSET_VERSION }),
  SET,
  ...[0, 50, 150].map((from) => writePiece({ set: "9f3c", from, count: 50, out: [], ms: 10 * from + 500 })),
]);

const FILES: Readonly<Record<string, readonly string[]>> = {
  journal: [JOURNAL],
  summaries: [SUMMARIES],
  questions: [QUESTIONS],
  grades: [GRADES],
  runs: RUNS,
  labels: [LABELS],
  judged: ["examples/data/judged/metrics.csv", "examples/data/judged/human.csv"],
  votes: [VOTES],
  texts: TEXTS,
  reference: [REFERENCE],
  history: [HISTORY],
  claims: [CLAIMS],
  plan: [PLAN],
  effects: ["oracle/next/data/meta2.csv"],
  train: [TRAIN],
  test: [TEST],
  grid: [GRID],
  totals: [TOTALS],
  stored: [STORED],
};

const LINES = [
  "describe {summaries}",
  "describe {questions}",
  "describe {votes}",
  "gate {questions} --baseline small --margin 0.05 --cluster none",
  "gate check {questions} --baseline small --margin 0.2 --cluster none --replicates 20 --items 200",
  "gate aa {runs}",
  "gate examples/data/judge-labels.csv --baseline base --metric judge --margin 0.2 --labels human --drawn random --direction higher",
  "compare examples/data/judge-labels.csv --metric judge --labels human --drawn random --audit-margin 0.2",
  "next {questions} --systems small,large --cluster none",
  "rank {summaries} --top 2",
  "rank {votes}",
  "plan check {plan}",
  "compare {questions} --plan {plan} --look 2",
  "plan looks --looks 4 --drift 3 --look 2 --z 2.9",
  "verify {stored}",
  "fit lm rating~system*words {summaries} --loo --predict {summaries}",
  "fit lm rating~system {summaries} --cluster article --where domain=='news'",
  "fit glm I(rating>3)~system {summaries} --family binomial --intervals profile",
  "fit glm words~system {summaries} --family negative-binomial --predict {summaries}",
  "fit glm words~system {summaries} --family quasipoisson",
  "fit glm I(rating/6)~system {summaries} --family beta",
  "fit lmm rating~system+(1+system|article)+(1|rater) {summaries} --terms --modes",
  "fit lmm rating~system+(1|article) {summaries} --intervals profile",
  "fit lmm rating~system+(1|article) {summaries} --intervals bootstrap --replicates 20",
  "fit glmm I(rating>3)~system+(1|article) {summaries} --family binomial --intervals profile",
  "fit clm rating~system {summaries}",
  "fit clmm rating~system+(1|article) {summaries}",
  "fit clmm rating~system+(1|article) {summaries} --intervals profile",
  "fit gam grade~s(words,k=5)+te(overlap,readability,k=3)+citations {grades} --predict {grades}",
  "anova rating~1 rating~system {summaries}",
  "anova I(rating>3)~1 I(rating>3)~system {summaries} --family binomial",
  "anova words~1 words~system {summaries} --family quasipoisson",
  "anova rating~system+(1|article) rating~system+(1|article)+(1|rater) {summaries}",
  "anova rating~1+(1|article) rating~system+(1|article) {summaries} --model clmm",
  "emmeans rating~system*domain+(1|article) {summaries} --by system --within domain",
  "emmeans rating~system {summaries} --by system --effect-size",
  "emmeans rating~system {summaries} --by system --model clm --type prob",
  "compare {questions}",
  "compare {runs}",
  "compare {runs} --test bootstrap --replicates 200 --margin 0.05",
  "compare {questions} --slice passage --cluster none",
  "compare {summaries} --metric rating",
  "compare {summaries} --metric rating --by domain",
  "compare {summaries} --metric rating --rater none --test bootstrap --replicates 200",
  "compare {labels} --gold gold --pred old,new",
  "compare {labels} --gold gold --pred old,new --metric f1 --positive a --replicates 200",
  "compare {votes}",
  "compare {totals}",
  "compare {texts} --ref {reference} --replicates 200",
  "compare {questions} --unpaired --cluster none",
  "score {texts} --ref {reference} --metric bleu",
  "score {texts} --ref {reference} --metric chrf --sentence",
  "score {texts} --ref {reference} --metric ter",
  "score {labels} --gold gold --pred new --metric macro-f1",
  "score {labels} --gold gold --pred new --metric mcc",
  "score {questions} --sentence",
  "test mcnemar --table 40,12,5,43",
  `test permutation ${SAMPLES}`,
  `test permutation ${SAMPLES} --unpaired --method monte-carlo --replicates 200`,
  `test bootstrap ${SAMPLES} --replicates 200`,
  `test t ${SAMPLES} --paired`,
  `test t ${SAMPLES}`,
  `test z ${SAMPLES}`,
  `test wilcoxon ${SAMPLES}`,
  `test sign ${SAMPLES}`,
  `test rank-sum ${SAMPLES}`,
  `test brunner-munzel ${SAMPLES}`,
  `test ks ${SAMPLES}`,
  "test proportions --x 45,56 --n 100,100",
  "test binomial --x 45 --n 100",
  "test fisher --table 8,1/2,5",
  `test equivalence ${SAMPLES} --margin 2`,
  `test non-inferiority ${SAMPLES} --margin 2`,
  "test friedman {grades} --columns grade,sentences,citations",
  "test cochran {questions} --score correct --by system --item item",
  "test anova {summaries} --score rating --by system",
  "test anova {summaries} --score rating --by system --method kruskal",
  `test pearson ${SAMPLES}`,
  `test spearman ${SAMPLES}`,
  `test kendall ${SAMPLES}`,
  `test somers ${SAMPLES}`,
  "test williams --r 0.5,0.3,0.4 --n 50",
  "test shapiro --x 1,2,3.5,5,7,8.5",
  "test z --x 15 --n 100 --mu 25 --sd 50",
  "test cv --x .01,.02,.03,.01 --n-train 90 --n-test 10",
  "test 5x2cv --x .02,.01/.03,.02/.01,.04/.02,.02/.03,.01 --method f",
  "test aso --x .9,.91,.95,.93 --y .85,.9,.88,.92 --replicates 50",
  "test clark --x 1,0,1,1/1,1,1,0 --y 0,0,1,0/1,0,0,0",
  "test multi-bootstrap --x 1,0,1,1/1,1,1,0 --y 0,0,1,0/1,0,0,0 --paired --replicates 50",
  "test partial-conjunction --p 0.01,0.03,0.2",
  "test t {grades} --x words --y sentences",
  "power accuracy --n 500 --delta 0.02 --agreement 0.9",
  "power accuracy --n 200 --delta 0.05 --agreement 0.9 --method simulation --replicates 200",
  "power unpaired --n 500 --baseline 0.8 --delta 0.05",
  "power bleu --n 300 --delta 1 --p0 0.13 --b0 25.8",
  "power preference --n 100 --win 0.65",
  "power means --n 100 --delta 0.3",
  `power likert --items 40 ${LIKERT} --replicates 20`,
  `power likert --items 40 ${LIKERT} --method approx`,
  "power ordinal --items 20 --raters 5 --effect 0.31 --setting howcroft-general --replicates 10",
  "power seeds --items 500 --seeds 4 --delta 0.03 --seed-sd 0.01 --item-sd 0.3 --run-item-sd 0.2 --prior 0.2",
  "design seeds --delta 0.03 --seed-sd 0.01 --item-sd 0.3 --budget 2000 --cost-run 20 --cost-item 1 --seeds 2,6",
  "mde accuracy --n 1821 --baseline 0.972",
  `mde likert --items 100 --raters 10 --setting card-high --method approx`,
  "size accuracy --delta 0.02 --agreement 0.9",
  "size means --delta 0.3",
  "curve accuracy --over n=500:1500:500 --over delta=0.01,0.02 --agreement 0.9",
  "power from-dev {questions}",
  "power from-dev {questions} --cluster none --n 500",
  "power from-dev {summaries} --metric rating --systems baseline,retrieval",
  "power from-history {history} --baseline old --new new --agreement agree --at 89 --n 3000",
  "power from-history {history} --baseline old --new new --at 89",
  "power no-prior --n 1821 --baseline 0.972",
  "survey {claims} --prior 0.2",
  "survey {effects}",
  "fit clm rating~system oracle/next/data/rate1.csv --structure stopping --nominal ~domain",
  "fit clm rating~system oracle/next/data/rate1.csv --scale ~system",
  "power from-outputs {texts} --ref {reference} --replicates 100 --n 100,200",
  "design likert --budget 100 --cost-rating 0.5 --effect 0.2 --setting card-high --replicates 10",
  "agreement {summaries} --item article,system --rater rater --label rating --replicates 100",
  "agreement {labels} --item item --raters old,new --replicates 50",
  "agreement {summaries} --item article,system --rater rater --label rating --model dawid-skene --replicates 50",
  "reliability {summaries} --score rating --object article --facets rater --replicates 50",
  "reliability oracle/reference/data/nested1.csv --score score --object item --intervals none",
  "reliability {grades} --columns words,sentences,citations --intervals none",
  "reliability {grid} --score score --object item --facets seed,rate --target 0.9 --cost seed=2,score=1 --replicates 50",
  "importance {grid} --score score --parameters model,rate,seed --object item --replicates 20",
  "budget {grid} --score score --system model --configuration rate,seed --replicates 100",
  "judge check examples/data/judge-labels.csv --replicates 50",
  "judge correct examples/data/judge-labels.csv --drawn random",
  "judge sample examples/data/judge-labels.csv --n 20 --by judge",
  "judge plan --pass-rate 0.7 --sensitivity 0.9 --specificity 0.8 --half-width 0.08",
  "judge next examples/data/judge-labels.csv",
  "judge audit examples/data/judge-labels.csv --from base --margin 0.1",
  "validity metrics {judged} --replicates 50",
  "validity bias {labels} --label gold --domain source --in news --pred new --features overlap --replicates 50",
  "validity invariance {train} --test {test} --label label --scales id=nominal,noise=interval,grade=interval",
  "validity circularity {train} --label label --features noise,grade --k 5",
  "validity audit {train} --label label --features noise,grade",
  "replicate",
  "replicate card-figure-1",
  "runs {journal}",
  "schema",
];

/** The words of each call, under the line it is written as. */
export const JSON_CALLS: readonly (readonly [name: string, args: readonly string[]])[] = LINES.map((line) => [
  line,
  line.split(" ").flatMap((word) => {
    const name = /^\{(.*)\}$/.exec(word)?.[1];
    return name === undefined ? [word] : FILES[name]!;
  }),
]);
