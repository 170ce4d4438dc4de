/**
 * Makes the example data of this folder, from a seed: the same bytes on every machine.
 *   npm run build && node examples/make-data.mjs
 */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { makeRng } from "../dist/index.js";

// made of the former name of the project, so that no number of the documentation moved with the name
const rng = makeRng(atob("YXNzYXktZXhhbXBsZXM="));

function write(name, text) {
  const path = new URL(`./data/${name}`, import.meta.url);
  mkdirSync(new URL("./", path), { recursive: true });
  const temporary = new URL(`./data/${name}.tmp`, import.meta.url);
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

/** Human ratings of summaries on a 1-5 scale: 3 systems, 40 articles, 9 raters, each article read by 3 of them. */
function summaries() {
  const draw = rng.stream(1);
  const gain = { baseline: 0, "rank-loss": 0.18, retrieval: 0.45 };
  const rater = Array.from({ length: 9 }, () => 0.45 * draw.normal());
  const rows = ["system,article,rater,rating,words,domain"];
  for (let article = 1; article <= 40; article++) {
    const quality = 0.6 * draw.normal();
    const words = 180 + draw.int(900);
    const domain = draw.uniform() < 0.5 ? "news" : "science";
    const panel = new Int32Array(9).map((_, i) => i);
    draw.shuffleInto(panel);
    for (const [system, effect] of Object.entries(gain)) {
      for (const r of panel.slice(0, 3)) {
        const latent = 3.1 + effect + quality + rater[r] - 0.0006 * (words - 600) + 0.7 * draw.normal();
        const rating = Math.min(5, Math.max(1, Math.round(latent)));
        rows.push([system, `a${String(article).padStart(2, "0")}`, `r${r + 1}`, rating, words, domain].join(","));
      }
    }
  }
  write("summaries.csv", `${rows.join("\n")}\n`);
}

/** Right and wrong answers of two systems on the same 300 questions about 60 passages. */
function questions() {
  const draw = rng.stream(2);
  const lines = [];
  for (let passage = 1; passage <= 60; passage++) {
    const hardness = 0.8 * draw.normal();
    for (let k = 1; k <= 5; k++) {
      const question = 0.9 * draw.normal();
      for (const [system, skill] of [
        ["small", 0.7],
        ["large", 1.05],
      ]) {
        const p = 1 / (1 + Math.exp(-(skill - hardness - question)));
        const item = `p${String(passage).padStart(2, "0")}q${k}`;
        lines.push(
          JSON.stringify({
            system,
            item,
            passage: `p${String(passage).padStart(2, "0")}`,
            correct: draw.uniform() < p ? 1 : 0,
          }),
        );
      }
    }
  }
  write("questions.jsonl", `${lines.join("\n")}\n`);
}

const NAMES = ["Ada", "Ben", "Chi", "Dana", "Eli", "Fay", "Gus", "Hana"];
const THINGS = ["boxes", "stamps", "tiles", "seeds", "coins", "cards"];

/** A word problem with its right answer. */
function wordProblem(draw, operation, steps) {
  const name = NAMES[draw.int(NAMES.length)];
  const things = THINGS[draw.int(THINGS.length)];
  let value = 12 + draw.int(60);
  const parts = [`${name} has ${value} ${things}.`];
  for (let step = 0; step < steps; step++) {
    if (operation === "multiplication" && step === 0) {
      const times = 2 + draw.int(7);
      value *= times;
      parts.push(`A shop has ${times} times as many.`);
    } else if (operation === "subtraction") {
      const less = 1 + draw.int(Math.max(1, Math.floor(value / 3)));
      value -= less;
      parts.push(`${less} get lost.`);
    } else {
      const more = 3 + draw.int(40);
      value += more;
      parts.push(`${more} are added.`);
    }
  }
  return { input: `${parts.join(" ")} How many ${things} are there?`, target: String(value) };
}

/** Two models on the same 150 word problems, three epochs each, as Inspect writes its logs (transcripts left out). Two samples of the
 *  second model ended in an error: their items have no score in that epoch. */
function sums() {
  const draw = rng.stream(3);
  const operations = ["addition", "subtraction", "multiplication"];
  const items = Array.from({ length: 150 }, (_, i) => {
    const operation = operations[i % 3];
    const steps = 1 + (Math.floor(i / 3) % 3);
    const hardness = 1.3 * draw.normal() + 0.5 * (steps - 2) + (operation === "multiplication" ? 0.5 : 0);
    return {
      id: `${operation.slice(0, 3)}-${String(i + 1).padStart(3, "0")}`,
      operation,
      steps,
      hardness,
      ...wordProblem(draw, operation, steps),
    };
  });
  const models = [
    {
      file: "sums/base.json",
      model: "example/base-7b",
      created: "2025-03-03T09:00:00+00:00",
      skill: () => 0.75,
      broken: [],
    },
    {
      file: "sums/tuned.json",
      model: "example/tuned-7b",
      created: "2025-03-04T09:00:00+00:00",
      skill: ({ steps }) => 0.75 + 0.14 * steps,
      broken: ["mul-021/2", "add-100/3"],
    },
  ];
  for (const { file, model, created, skill, broken } of models) {
    const samples = [];
    for (let epoch = 1; epoch <= 3; epoch++) {
      for (const item of items) {
        const p = 1 / (1 + Math.exp(-1.3 * (skill(item) - item.hardness)));
        const right = draw.uniform() < p;
        const answer = right ? item.target : String(Number(item.target) + 1 + draw.int(9));
        const sample = {
          id: item.id,
          epoch,
          input: item.input,
          target: item.target,
          metadata: { operation: item.operation, steps: item.steps },
        };
        samples.push(
          broken.includes(`${item.id}/${epoch}`)
            ? { ...sample, scores: {}, error: { message: "TimeoutError: no answer after 60 s" } }
            : { ...sample, scores: { match: { value: right ? "C" : "I", answer } } },
        );
      }
    }
    write(file, inspectLog({ model, created, samples, items }));
  }
}

function inspectLog({ model, created, samples, items }) {
  const means = items.map(({ id }) => {
    const own = samples.filter((sample) => sample.id === id && sample.error === undefined);
    return own.filter(({ scores }) => scores.match.value === "C").length / own.length;
  });
  const accuracy = means.reduce((sum, v) => sum + v, 0) / means.length;
  const head = {
    version: 2,
    status: "success",
    eval: {
      created,
      task: "worded_sums",
      task_args: {},
      dataset: { name: "worded_sums", samples: items.length, sample_ids: items.map(({ id }) => id), shuffled: false },
      model,
      model_generate_config: { temperature: 0.7 },
      model_args: {},
      config: { epochs: 3, epochs_reducer: ["mean"], fail_on_error: false },
      packages: { inspect_ai: "0.3.138" },
      scorers: [{ name: "match", options: {}, metrics: [{ name: "inspect_ai/accuracy", options: {} }] }],
    },
    plan: { name: "plan", steps: [{ solver: "generate", params: {} }], config: {} },
    results: {
      total_samples: samples.length,
      completed_samples: samples.filter(({ error }) => error === undefined).length,
      scores: [
        {
          name: "match",
          scorer: "match",
          reducer: "mean",
          params: {},
          metrics: { accuracy: { name: "accuracy", value: accuracy, params: {} } },
        },
      ],
    },
  };
  const lines = samples.map((sample) => JSON.stringify(sample)).join(",\n");
  return `${JSON.stringify(head).slice(0, -1)},"samples":[\n${lines}\n]}\n`;
}

/** Grades of 800 answers that look like a judgement of quality, and are a table of lengths: what a circularity test is for. */
function grades() {
  const draw = rng.stream(4);
  const rows = ["answer,grade,words,sentences,overlap,citations,readability"];
  for (let k = 1; k <= 800; k++) {
    const words = Math.max(5, Math.round(Math.exp(4.4 + 0.6 * draw.normal())));
    const sentences = Math.max(1, Math.round(words / 14 + 1.2 * draw.normal()));
    const overlap = Math.min(1, Math.max(0, 0.35 + 0.0006 * words + 0.12 * draw.normal())).toFixed(3);
    const citations = draw.binomial(6, Math.min(0.9, 0.08 + words / 900));
    const readability = (58 - words / 30 + 9 * draw.normal()).toFixed(1);
    const grade = (words > 40) + (words > 90) + (words > 160);
    rows.push([`a${k}`, grade, words, sentences, overlap, citations, readability].join(","));
  }
  write("grades.csv", `${rows.join("\n")}\n`);
}

/** 60 sentences, their reference and the outputs of two systems that get words wrong, one of them less often. */
function translations() {
  const draw = rng.stream(5);
  const words =
    "the old clock in hall strikes again at noon every day of spring and nobody in town hears it but children".split(
      " ",
    );
  const reference = Array.from({ length: 60 }, () =>
    Array.from({ length: 8 + draw.int(9) }, () => words[draw.int(words.length)]),
  );
  const text = (lines) => `${lines.map((line) => line.join(" ")).join("\n")}\n`;
  write("translations/reference.txt", text(reference));
  for (const [system, errors] of [
    ["base", 0.3],
    ["tuned", 0.22],
  ]) {
    const said = reference.map((line) =>
      line.map((word) => (draw.uniform() < errors ? words[draw.int(words.length)] : word)),
    );
    write(`translations/${system}.txt`, text(said));
  }
}

/** Labels of 400 messages and the predictions of two classifiers side by side. */
function labels() {
  const draw = rng.stream(6);
  const rows = ["message,label,model_a,model_b"];
  for (let k = 1; k <= 400; k++) {
    const label = draw.uniform() < 0.3 ? "spam" : "ham";
    const hard = draw.uniform() < 0.35;
    const predict = (wrong) => (draw.uniform() < (hard ? wrong : 0.03) ? (label === "spam" ? "ham" : "spam") : label);
    rows.push([`m${k}`, label, predict(0.45), predict(0.3)].join(","));
  }
  write("labels.csv", `${rows.join("\n")}\n`);
}

/** Pairs of sentences: in `plain` a hypothesis that repeats words of the premise is mostly entailed, in `tricky` mostly not; the
 *  model learned the first. */
function inference() {
  const draw = rng.stream(7);
  const people = ["a doctor", "the teacher", "two children", "an old man", "the singer", "a farmer"];
  const acts = ["reads a letter", "waits for the bus", "sings in the rain", "paints a door", "feeds the geese"];
  const places = ["in the park", "near the bridge", "at home", "behind the school", "on the hill"];
  const pick = (list) => list[draw.int(list.length)];
  const rows = ["premise,hypothesis,gold,predicted,source"];
  for (let k = 0; k < 600; k++) {
    const source = k % 2 ? "tricky" : "plain";
    const [who, act, place] = [pick(people), pick(acts), pick(places)];
    const repeats = draw.uniform() < 0.5;
    const hypothesis = repeats ? `${who} ${act}` : `${pick(people)} ${pick(acts)} ${pick(places)} and goes on`;
    const entailed = draw.uniform() < (source === "plain" ? (repeats ? 0.8 : 0.25) : repeats ? 0.35 : 0.6);
    const said = draw.uniform() < (repeats ? 0.9 : 0.15);
    const name = (yes) => (yes ? "entailment" : "other");
    rows.push([`${who} ${act} ${place}`, hypothesis, name(entailed), name(said), source].join(","));
  }
  write("inference.csv", `${rows.join("\n")}\n`);
}

/** Patients of five hospitals: ids come in blocks, and hospitals differ in their share of malignant cases. */
function clinic() {
  const draw = rng.stream(8);
  const share = [0.05, 0.85, 0.15, 0.9, 0.3];
  const make = (n) => {
    const rows = ["id,age,grade,malignant"];
    for (let k = 0; k < n; k++) {
      const hospital = draw.int(5);
      const malignant = draw.uniform() < share[hospital] ? 1 : 0;
      const age = Math.round(55 + 4 * malignant + 12 * draw.normal());
      const grade = Math.min(4, Math.max(1, Math.round(2 + 0.4 * malignant + 0.9 * draw.normal())));
      rows.push([1000 * (hospital + 1) + draw.int(1000), age, grade, malignant].join(","));
    }
    return `${rows.join("\n")}\n`;
  };
  write("clinic/train.csv", make(500));
  write("clinic/test.csv", make(300));
}

/** Ten raters score five sentences on three occasions: raters differ in severity and in taste, occasions do not. */
function annotation() {
  const draw = rng.stream(11);
  const rows = ["sentence,rater,occasion,score"];
  const rater = Array.from({ length: 10 }, () => 0.06 * draw.normal());
  for (let s = 1; s <= 5; s++) {
    const quality = 0.08 * draw.normal();
    for (let r = 1; r <= 10; r++) {
      const taste = 0.07 * draw.normal();
      for (let o = 1; o <= 3; o++) {
        const score = 0.6 + quality + rater[r - 1] + taste + 0.12 * draw.normal();
        rows.push([`s${s}`, `r${r}`, o, Math.min(1, Math.max(0, score)).toFixed(3)].join(","));
      }
    }
  }
  write("annotation.csv", `${rows.join("\n")}\n`);
}

/** Claims of progress on three made-up benchmarks: each paper beats the one before, as papers do. */
function claims() {
  const draw = rng.stream(12);
  const rows = ["paper,benchmark,items,baseline,score,year"];
  for (const [benchmark, items, start, step] of [
    ["inference", 2985, 70, 3.5],
    ["sentiment", 1821, 92, 0.8],
    ["coreference", 250, 65, 5],
  ]) {
    let score = start;
    for (let i = 0; i < 6; i++) {
      const gain = Math.max(0.2, step * (0.4 + 1.2 * draw.uniform()) * (1 - i / 8));
      const next = Math.min(99, score + gain);
      rows.push([`${benchmark}-${i + 1}`, benchmark, items, score.toFixed(1), next.toFixed(1), 2015 + i].join(","));
      score = next;
    }
  }
  write("claims.csv", `${rows.join("\n")}\n`);
}

/** 480 votes between two of four models, one in seven a tie. */
function votes() {
  const draw = rng.stream(14);
  const strength = { large: 0.75, tuned: 0.45, base: 0, small: -0.5 };
  const names = Object.keys(strength);
  const rows = ["prompt,model_a,model_b,winner"];
  for (let i = 0; i < 480; i++) {
    const a = names[draw.int(4)];
    const others = names.filter((name) => name !== a);
    const b = others[draw.int(3)];
    const wins = 1 / (1 + Math.exp(strength[b] - strength[a]));
    const winner = draw.uniform() < 1 / 7 ? "tie" : draw.uniform() < wins ? "model_a" : "model_b";
    rows.push([`p${String(1 + Math.floor(i / 2)).padStart(3, "0")}`, a, b, winner].join(","));
  }
  write("votes.csv", `${rows.join("\n")}\n`);
}

/** Four scores of a leaderboard with their standard errors on 1,500 items. */
function leaderboard() {
  const scores = { large: 0.783, tuned: 0.771, base: 0.742, small: 0.705 };
  const rows = Object.entries(scores).map(
    ([model, p]) => `${model},${p},${Math.sqrt((p * (1 - p)) / 1500).toFixed(4)}`,
  );
  write("leaderboard.csv", `model,accuracy,accuracy_stderr\n${rows.join("\n")}\n`);
}

/** Three metrics of translations, and people's scores of the same outputs in another file: 5 systems, 60 segments, two of which nobody judged. */
function judged() {
  const draw = rng.stream(13);
  const systems = ["north", "south", "east", "west", "centre"];
  const metrics = ["segment,system,bleu,learned,ter"];
  const human = ["segment,system,rater,adequacy"];
  for (let i = 1; i <= 60; i++) {
    const ease = draw.normal();
    systems.forEach((system, s) => {
      const quality = ease + 0.25 * s + 0.7 * draw.normal();
      const bleu = Math.max(0, 32 + 7 * quality + 11 * draw.normal());
      const learned = 0.74 + 0.05 * quality + 0.035 * draw.normal();
      const ter = Math.max(0, 58 - 8 * quality + 10 * draw.normal());
      metrics.push([`s${i}`, system, bleu.toFixed(1), learned.toFixed(3), ter.toFixed(1)].join(","));
      if (i > 58) return;
      for (const rater of ["ada", "ben"]) {
        const said = Math.min(100, Math.max(0, Math.round(60 + 14 * quality + 9 * draw.normal())));
        human.push([`s${i}`, system, rater, said].join(","));
      }
    });
  }
  write("judged/metrics.csv", `${metrics.join("\n")}\n`);
  write("judged/human.csv", `${human.join("\n")}\n`);
}

judged();
claims();
votes();
leaderboard();
/** A judge's verdicts on two systems' answers to 600 questions, and people's on 60 of the questions, drawn at random. People pass both systems alike; the judge
 *  passes more of the tuned system's wrong answers. */
function judgeLabels() {
  const draw = rng.stream(16);
  const items = 600;
  const order = new Int32Array(items).map((_, i) => i);
  draw.shuffleInto(order);
  const labeled = new Set(order.slice(0, 60));
  const rows = ["item,system,judge,human"];
  for (let i = 0; i < items; i++) {
    const hardness = draw.normal();
    for (const system of ["base", "tuned"]) {
      const right = draw.uniform() < 1 / (1 + Math.exp(-(0.8 - hardness))) ? 1 : 0;
      const passes = right === 1 ? 0.93 : system === "base" ? 0.2 : 0.5;
      const judge = draw.uniform() < passes ? 1 : 0;
      rows.push(`q${String(i + 1).padStart(3, "0")},${system},${judge},${labeled.has(i) ? right : ""}`);
    }
  }
  write("judge-labels.csv", `${rows.join("\n")}\n`);
}

summaries();
questions();
sums();
grades();
translations();
labels();
inference();
clinic();
annotation();
judgeLabels();
