/** `node scripts/make-corpus.mjs`: writes the cases of test/corpus/made-*, small studies in many layouts and spellings. What each file means is
 *  known, since it is made from it: the reading in the case is that of the study, not that of the reader. The same seed gives the same bytes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const corpus = join(dirname(fileURLToPath(import.meta.url)), "../test/corpus");
const SUFFIX = ".reading.json";

/** mulberry32 */
function makeRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled(list, random) {
  const own = [...list];
  for (let i = own.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [own[i], own[j]] = [own[j], own[i]];
  }
  return own;
}

const times = (n, make) => Array.from({ length: n }, (_, i) => make(i));
const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;

/** Words that name one role and no other. */
const WORDS = {
  system: ["system", "model", "model name", "system id"],
  item: ["item", "item id", "question id", "example id", "prompt id"],
  score: ["score", "accuracy"],
  correct: ["correct", "is correct"],
  rating: ["rating", "quality rating"],
  rater: ["rater", "annotator", "rater id", "annotator id", "judge"],
  run: ["seed", "run", "run id", "epoch"],
  task: ["task", "benchmark", "dataset"],
  cluster: ["document", "doc id", "topic", "document id"],
  metric: ["metric", "metric name"],
};

const SPELLINGS = {
  snake: (text) => text.replaceAll(" ", "_"),
  camel: (text) => text.replace(/ (.)/g, (_, letter) => letter.toUpperCase()),
  spaces: (text) => text,
  capital: (text) => text.replace(/^./, (letter) => letter.toUpperCase()),
  upper: (text) => text.replaceAll(" ", "_").toUpperCase(),
};

const SYSTEMS = {
  letters: ["A", "B"],
  plain: ["baseline", "candidate"],
  models: ["gpt-4o", "llama-3-70b"],
  versions: ["v1", "v2"],
  three: ["alpha", "beta", "gamma"],
  numbers: ["1", "2"],
};

const ITEMS = {
  numbers: (i) => String(i + 1),
  letters: (i) => `q${i + 1}`,
  padded: (i) => `item-${String(i + 1).padStart(3, "0")}`,
  hashes: (i) => (((i + 1) * 2654435761) >>> 0).toString(16).padStart(8, "0"),
};

const RATERS = {
  codes: (r) => `R${r + 1}`,
  names: (r) => ["anna", "ben", "carla", "dmitri", "eve", "farid"][r],
  workers: (r) => `worker_${101 + 7 * r}`,
};

const CONSTANTS = { split: "test", temperature: "0", language: "en", date: "2024-05-01", version: "2" };

/** One row for each observation, in the words of roles. A later system is better by far, in every run, cluster and rater's eyes. */
function makeStudy({ systems, item, facet, levels, values, seed, items = 36 }) {
  const random = makeRandom(seed);
  const rows = [];
  // each system is right on a fixed number of items, so that chance decides which, not how many
  const ranks = systems.map(() => shuffled([...Array(items).keys()], random));
  for (let i = 0; i < items; i++) {
    const hard = random();
    for (const [s, system] of systems.entries()) {
      for (const level of facet === "rater" || facet === "run" ? levels : [undefined]) {
        const value =
          values === "correct" ? Number(ranks[s][i] < items * (0.08 + 0.42 * s)) : draw(values, hard, s, random);
        const row = { system, item: item(i), [values]: value };
        if (level !== undefined) row[facet] = level;
        if (facet === "cluster" || facet === "task") row[facet] = levels[i % levels.length];
        rows.push(row);
      }
    }
  }
  return rows;
}

/** Later systems score higher. */
function draw(values, hard, s, random) {
  if (values === "rating") return Math.max(1, Math.min(5, Math.round(1.4 + hard + 1.3 * s + random() - 0.5)));
  return Number((0.2 + 0.15 * hard + 0.2 * s + 0.1 * random()).toFixed(3));
}

/** Differences of means over items, the later system minus the earlier. */
function pairsOf(rows, systems, values) {
  const means = systems.map((name) => mean(rows.filter((row) => row.system === name).map((row) => row[values])));
  return systems.flatMap((a, i) =>
    systems.slice(i + 1).map((b, j) => {
      const difference = Number((means[i + 1 + j] - means[i]).toPrecision(6));
      return { a, b, difference };
    }),
  );
}

const quote = (cell) => (/[",;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const FORMS = {
  csv: { ext: "csv", write: (head, rows) => delimited(head, rows, ",") },
  semicolons: { ext: "csv", write: (head, rows) => delimited(head, rows, ";") },
  tsv: { ext: "tsv", write: (head, rows) => delimited(head, rows, "\t") },
  jsonl: {
    ext: "jsonl",
    write: (head, rows) => `${rows.map((row) => JSON.stringify(record(head, row))).join("\n")}\n`,
  },
  json: { ext: "json", write: (head, rows) => `${JSON.stringify(rows.map((row) => record(head, row)))}\n` },
};
const delimited = (head, rows, mark) =>
  `${[head, ...rows].map((cells) => cells.map((cell) => quote(String(cell))).join(mark)).join("\n")}\n`;
const record = (head, cells) => Object.fromEntries(head.map((name, k) => [name, cells[k]]));

let written = 0;

/** An outcome that is stored stays; a new case gets one from the runner. */
function store(area, name, files, meaning) {
  const folder = join(corpus, area);
  const several = files.length > 1;
  const places = files.map(({ name: file }) => (several ? `${name}/${file}` : `${name}${/\.\w+$/.exec(file)[0]}`));
  const parts = files.map(({ name: file }, k) => ({ path: file, files: { [file]: places[k] } }));
  for (const [k, { text }] of files.entries()) {
    mkdirSync(dirname(join(folder, places[k])), { recursive: true });
    writeFileSync(join(folder, places[k]), text);
  }
  const path = join(folder, `${name}${SUFFIX}`);
  const outcome = outcomes.get(path);
  const fields = { parts, ...meaning, ...(outcome === undefined ? {} : { outcome }) };
  const lines = Object.entries(fields).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  writeFileSync(path, `{\n${lines.join(",\n")}\n}\n`);
  written++;
}

/** The six layouts: which facet stands beside items, and what is scored. */
const LAYOUTS = {
  "made-items": { values: "correct" },
  "made-scores": { values: "score" },
  "made-ratings": { values: "rating", facet: "rater", levels: (make) => times(5, make) },
  "made-runs": { values: "score", facet: "run", levels: () => ["1", "2", "3", "4"] },
  "made-clusters": { values: "correct", facet: "cluster", levels: () => times(12, (k) => `d${k + 1}`) },
  "made-tasks": { values: "correct", facet: "task", levels: () => ["arc", "piqa", "rte"] },
};

const PLAIN = {
  ...{ systems: "plain", items: "letters", raters: "codes", spelling: "snake", form: "csv", words: {} },
  ...{ columns: "given", rows: "given", constant: undefined },
};

/** One thing at a time is changed, and a few at random together. */
function variantsOf(layout, random) {
  const roles = ["system", "item", LAYOUTS[layout].values, LAYOUTS[layout].facet].filter(Boolean);
  const single = [
    {},
    ...Object.keys(SYSTEMS).map((systems) => ({ systems })),
    ...Object.keys(ITEMS).map((items) => ({ items })),
    ...(LAYOUTS[layout].facet === "rater" ? Object.keys(RATERS).map((raters) => ({ raters })) : []),
    ...roles.flatMap((role) => WORDS[role].map((word) => ({ words: { [role]: word } }))),
    ...Object.keys(SPELLINGS).map((spelling) => ({ spelling, words: longWords(roles) })),
    ...Object.keys(FORMS).map((form) => ({ form })),
    ...["reversed", "shuffled"].map((columns) => ({ columns })),
    ...["reversed", "shuffled", "by system", "by item"].map((rows) => ({ rows })),
    ...Object.keys(CONSTANTS).map((constant) => ({ constant })),
  ];
  const any = (list) => list[Math.floor(random() * list.length)];
  const mixed = times(24, () => ({
    systems: any(Object.keys(SYSTEMS)),
    items: any(Object.keys(ITEMS)),
    raters: any(Object.keys(RATERS)),
    words: Object.fromEntries(roles.map((role) => [role, any(WORDS[role])])),
    spelling: any(Object.keys(SPELLINGS)),
    form: any(Object.keys(FORMS)),
    columns: any(["given", "reversed", "shuffled"]),
    rows: any(["given", "reversed", "shuffled", "by system"]),
    constant: any([undefined, ...Object.keys(CONSTANTS)]),
  }));
  return [...single.map((own) => [nameOf(own), own]), ...mixed.map((own, k) => [`mixed-${k + 1}`, own])];
}

const longWords = (roles) =>
  Object.fromEntries(roles.map((role) => [role, WORDS[role].find((word) => word.includes(" ")) ?? WORDS[role][0]]));

function nameOf({ words, spelling, ...own }) {
  const said = [
    ...(spelling === undefined
      ? Object.entries(words ?? {}).map((pair) => pair.join("-is-"))
      : [`spelled-${spelling}`]),
    ...Object.entries(own).map((pair) => pair.join("-")),
  ];
  return said.length === 0 ? "plain" : said.join("-").replaceAll(" ", "-");
}

function orderRows(rows, order, random) {
  if (order === "reversed") return [...rows].reverse();
  if (order === "shuffled") return shuffled(rows, random);
  if (order === "by system") return [...rows].sort((a, b) => (a.system < b.system ? -1 : a.system > b.system ? 1 : 0));
  if (order === "by item") return [...rows].sort((a, b) => (a.item < b.item ? -1 : a.item > b.item ? 1 : 0));
  return rows;
}

function makeLong(layout, [name, variant], seed) {
  const { values, facet, levels } = LAYOUTS[layout];
  const own = { ...PLAIN, ...variant };
  const random = makeRandom(seed + 1);
  const systems = SYSTEMS[own.systems];
  const all = levels?.(RATERS[own.raters]) ?? [];
  const rows = makeStudy({ systems, item: ITEMS[own.items], facet, levels: all, values, seed });
  const spell = SPELLINGS[own.spelling];
  const headOf = (role) => spell(own.words[role] ?? WORDS[role][0]);
  const roles = [...["item", "system"], ...(facet === undefined ? [] : [facet]), values];
  const given = own.constant === undefined ? roles : [...roles, own.constant];
  const order =
    own.columns === "reversed" ? [...given].reverse() : own.columns === "shuffled" ? shuffled(given, random) : given;
  const head = order.map((role) => (role === own.constant ? role : headOf(role)));
  const cells = orderRows(rows, own.rows, random).map((row) =>
    order.map((role) => (role === own.constant ? CONSTANTS[role] : row[role])),
  );
  const { ext, write } = FORMS[own.form];
  store(layout, name, [{ name: `results.${ext}`, text: write(head, cells) }], {
    reading: {
      ...{ systems, items: 36, raters: facet === "rater" ? all.length : 0 },
      ...{ score: headOf(values), higherIsBetter: true },
    },
    compare: {
      ...{ metric: headOf(values), higherIsBetter: true, n: 36 },
      pairs: pairsOf(rows, systems, values).map((pair) => ({ ...pair, verdict: "BETTER" })),
    },
  });
}

/** A file for each system. */
function makeFiles(values, systemNames, itemNames, form, order, seed) {
  const systems = SYSTEMS[systemNames];
  const rows = makeStudy({ systems, item: ITEMS[itemNames], values, seed });
  const random = makeRandom(seed + 1);
  const { ext, write } = FORMS[form];
  const files = systems.map((system) => {
    const own = orderRows(
      rows.filter((row) => row.system === system),
      order,
      random,
    );
    return {
      name: `${system}.${ext}`,
      text: write(
        ["item", values],
        own.map((row) => [row.item, row[values]]),
      ),
    };
  });
  const name = `${values}-${systemNames}-${itemNames}-${form}${order === "given" ? "" : `-${order}`}`;
  store("made-files", name, files, {
    compare: {
      ...{ metric: values, higherIsBetter: true, n: 36 },
      pairs: pairsOf(rows, systems, values).map((pair) => ({ ...pair, verdict: "BETTER" })),
    },
  });
}

/** A column for each system. The file does not name the score, so nothing is known of what more of it means. */
function makeWide(values, systemNames, itemNames, itemWord, form, seed) {
  const systems = SYSTEMS[systemNames];
  const rows = makeStudy({ systems, item: ITEMS[itemNames], values, seed });
  const items = [...new Set(rows.map((row) => row.item))];
  const cells = items.map((item) => [item, ...rows.filter((row) => row.item === item).map((row) => row[values])]);
  const { ext, write } = FORMS[form];
  const head = [itemWord, ...systems];
  store(
    "made-wide",
    `${values}-${systemNames}-${itemNames}-${itemWord}-${form}`,
    [{ name: `wide.${ext}`, text: write(head, cells) }],
    {
      reading: { systems, items: 36, raters: 0 },
      compare: { n: 36, pairs: pairsOf(rows, systems, values) },
    },
  );
}

/** A row for each item, system and metric. */
function makeMetricRows(words, spelling, order, seed) {
  const systems = SYSTEMS.plain;
  const spell = SPELLINGS[spelling];
  const rows = makeStudy({ systems, item: ITEMS.letters, values: "score", seed });
  const random = makeRandom(seed + 1);
  const long = rows.flatMap((row) => [
    { ...row, metric: "bleu", value: row.score },
    { ...row, metric: "chrf", value: Number((row.score + 0.1).toFixed(3)) },
  ]);
  const roles = ["item", "system", "metric", "value"];
  const head = roles.map((role) => spell(words[role] ?? role));
  const cells = orderRows(long, order, random).map((row) => roles.map((role) => row[role]));
  const name = [spelling, ...Object.values(words), order].join("-").replaceAll(" ", "-");
  store("made-metric-rows", name, [{ name: "metrics.csv", text: FORMS.csv.write(head, cells) }], {
    reading: { systems, items: 36, raters: 0 },
    compare: {
      ...{ higherIsBetter: true, n: 36 },
      pairs: pairsOf(rows, systems, "score").map((pair) => ({ ...pair, verdict: "BETTER" })),
    },
  });
}

/** Votes between two systems, the sides by chance. */
function makeVotes([a, b, winner], systemNames, saying, order, seed) {
  const systems = SYSTEMS[systemNames].slice(0, 2);
  const random = makeRandom(seed);
  const rows = times(60, (i) => {
    const swapped = random() < 0.5;
    const sides = swapped ? [systems[1], systems[0]] : systems;
    const won = random() < 0.85 ? systems[1] : systems[0];
    const word =
      saying === "name" ? won : saying === "side" ? [a, b][sides.indexOf(won)] : ["A", "B"][sides.indexOf(won)];
    return { item: `p${i + 1}`, system: sides[0], cells: [`p${i + 1}`, ...sides, word] };
  });
  const cells = orderRows(rows, order, random).map((row) => row.cells);
  const head = ["prompt_id", a, b, winner];
  store(
    "made-votes",
    `${a}-${winner}-${systemNames}-${saying}-${order}`.replaceAll("_", "-"),
    [{ name: "votes.csv", text: FORMS.csv.write(head, cells) }],
    {
      reading: { systems, raters: 0 },
      compare: { pairs: [{ a: systems[0], b: systems[1], verdict: "BETTER" }] },
    },
  );
}

const RATER_WORDS = ["rater", "annotator", "judge", "evaluator", "assessor", "reviewer", "coder", "worker"];

/** Six ways to keep the ratings of five people: rows, columns or files for each of raters and systems. */
const SHEETS = {
  "a row for each rating": (rows, word) => [
    sheet(
      "ratings.csv",
      ["item", "system", word, "rating"],
      rows.map((row) => [row.item, row.system, row.rater, row.rating]),
    ),
  ],
  "a column for each rater": (rows, word, { raters, systems }) => [
    sheet(
      "ratings.csv",
      ["item", "system", ...raters.map((_, k) => `${word}_${k + 1}`)],
      itemsOf(rows).flatMap((item) =>
        systems.map((system) => [item, system, ...raters.map((rater) => ratingOf(rows, { item, system, rater }))]),
      ),
    ),
  ],
  "a column for each system": (rows, word, { raters, systems }) => [
    sheet(
      "ratings.csv",
      ["item", word, ...systems],
      itemsOf(rows).flatMap((item) =>
        raters.map((rater) => [item, rater, ...systems.map((system) => ratingOf(rows, { item, system, rater }))]),
      ),
    ),
  ],
  "a file for each rater": (rows, word, { raters }) =>
    raters.map((rater, k) =>
      sheet(
        `${word}_${k + 1}.csv`,
        ["item", "system", "rating"],
        rows.filter((row) => row.rater === rater).map((row) => [row.item, row.system, row.rating]),
      ),
    ),
  "a file for each system": (rows, word, { systems }) =>
    systems.map((system) =>
      sheet(
        `${system}.csv`,
        ["item", word, "rating"],
        rows.filter((row) => row.system === system).map((row) => [row.item, row.rater, row.rating]),
      ),
    ),
  "a record for each item": (rows, word, { systems }) => [
    {
      name: "ratings.jsonl",
      text: `${itemsOf(rows)
        .flatMap((item) =>
          systems.map((system) => {
            const own = rows.filter((row) => row.item === item && row.system === system);
            return JSON.stringify({
              item,
              system,
              ratings: own.map((row) => ({ [word]: row.rater, rating: row.rating })),
            });
          }),
        )
        .join("\n")}\n`,
    },
  ],
};

const sheet = (name, head, cells) => ({ name, text: FORMS.csv.write(head, cells) });
const itemsOf = (rows) => [...new Set(rows.map((row) => row.item))];
const ratingOf = (rows, key) => rows.find((row) => Object.keys(key).every((role) => row[role] === key[role])).rating;

function makeSheets(layout, word, raterNames, seed) {
  const systems = SYSTEMS.plain;
  const raters = times(5, RATERS[raterNames]);
  const rows = makeStudy({
    systems,
    item: ITEMS.letters,
    facet: "rater",
    levels: raters,
    values: "rating",
    seed,
    items: 24,
  });
  const name = `${layout}-${word}-${raterNames}`.replaceAll(" ", "-").replace(/^a-/, "");
  store("made-rater-sheets", name, SHEETS[layout](rows, word, { raters, systems }), {
    reading: { systems, items: 24, raters: raters.length },
    compare: { n: 24, pairs: pairsOf(rows, systems, "rating") },
  });
}

/** Answers in words, the lowest first. */
const SCALES = {
  quality: ["very bad", "bad", "ok", "good", "very good"],
  agreement: ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"],
  "agreement in snake case": ["strongly_disagree", "disagree", "neutral", "agree", "strongly_agree"],
  "poor to excellent": ["poor", "fair", "good", "very good", "excellent"],
  "bad to excellent": ["bad", "poor", "fair", "good", "excellent"],
  "numbers and words": ["1 - very bad", "2 - bad", "3 - ok", "4 - good", "5 - very good"],
  german: ["sehr schlecht", "schlecht", "mittel", "gut", "sehr gut"],
  spanish: ["muy malo", "malo", "regular", "bueno", "muy bueno"],
};

/** Ratings in words: step k of the scale counts k. */
function makeWordScale(scale, rows, seed) {
  const systems = SYSTEMS.plain;
  const raters = times(5, RATERS.names);
  const random = makeRandom(seed + 1);
  const study = makeStudy({
    ...{ systems, item: ITEMS.letters, facet: "rater", levels: raters, values: "rating", seed, items: 24 },
  });
  const cells = orderRows(study, rows, random).map((row) => [
    ...[row.item, row.system, row.rater, SCALES[scale][row.rating - 1]],
  ]);
  const file = sheet("ratings.csv", ["item", "system", "rater", "rating"], cells);
  store("made-word-scales", `${scale}-${rows}`.replaceAll(" ", "-"), [file], {
    reading: { systems, items: 24, raters: raters.length, score: "rating" },
    compare: { n: 24, pairs: pairsOf(study, systems, "rating") },
  });
}

/** Outcomes of the cases that are there. */
function readOutcomes() {
  const found = new Map();
  const folders = existsSync(corpus) ? readdirSync(corpus).filter((name) => name.startsWith("made-")) : [];
  for (const folder of folders) {
    for (const name of readdirSync(join(corpus, folder)).filter((file) => file.endsWith(SUFFIX))) {
      const path = join(corpus, folder, name);
      found.set(path, JSON.parse(readFileSync(path, "utf8")).outcome);
    }
    rmSync(join(corpus, folder), { recursive: true });
  }
  return found;
}

const outcomes = readOutcomes();
let seed = 1;
const next = () => (seed += 100);

for (const layout of Object.keys(LAYOUTS)) {
  for (const variant of variantsOf(layout, makeRandom(next()))) makeLong(layout, variant, next());
}
for (const values of ["correct", "score"]) {
  for (const systems of Object.keys(SYSTEMS)) makeFiles(values, systems, "letters", "csv", "given", next());
  for (const items of Object.keys(ITEMS)) makeFiles(values, "models", items, "csv", "shuffled", next());
  for (const form of Object.keys(FORMS)) makeFiles(values, "versions", "padded", form, "given", next());
  for (const systems of Object.keys(SYSTEMS)) makeWide(values, systems, "letters", "item", "csv", next());
  for (const items of Object.keys(ITEMS)) makeWide(values, "models", items, "question_id", "csv", next());
  for (const form of Object.keys(FORMS)) makeWide(values, "plain", "padded", "item_id", form, next());
}
for (const spelling of Object.keys(SPELLINGS)) {
  for (const order of ["given", "shuffled"]) {
    makeMetricRows({}, spelling, order, next());
    makeMetricRows({ system: "model name", item: "example id", metric: "metric name" }, spelling, order, next());
  }
}
for (const names of [
  ["model_a", "model_b", "winner"],
  ["model_a", "model_b", "preferred"],
  ["system_a", "system_b", "winner"],
  ["left", "right", "choice"],
]) {
  for (const systems of ["letters", "plain", "models", "versions"]) {
    for (const [saying, order] of [
      ["name", "given"],
      ["side", "shuffled"],
      ["letter", "given"],
    ]) {
      // a system that is called A and a side that is called A are not told apart by a file
      if (systems === "letters" && saying === "letter") continue;
      makeVotes(names, systems, saying, order, next());
    }
  }
}
for (const layout of Object.keys(SHEETS)) {
  for (const word of RATER_WORDS) makeSheets(layout, word, "names", next());
  makeSheets(layout, "rater", "codes", next());
}
for (const scale of Object.keys(SCALES)) {
  for (const rows of ["given", "shuffled"]) makeWordScale(scale, rows, next());
}
process.stdout.write(`${written} cases written to test/corpus/made-*\n`);
