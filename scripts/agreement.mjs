/**
 * Compares mixed models with lme4, lmerTest and pbkrtest on the reference runs and writes docs/methods/lmm-agreement.md.
 *   npm run build && node scripts/agreement.mjs        (the book's tables need ../shared/data)
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import {
  asFactor,
  column,
  compareNestedMixed,
  filterRows,
  fitLmm,
  mutateTable,
  readCsv,
  withColumn,
} from "../dist/index.js";
import { root } from "./project.mjs";

const readJson = (path) => JSON.parse(readFileSync(`${root}oracle/${path}`, "utf8"));
/** Tables of the book lie outside the project. */
const readTable = (path, options = {}) => {
  const bytes = readFileSync(`${root}${path.startsWith("data/") ? "../shared/" : "oracle/"}${path}`);
  return readCsv(path.endsWith(".gz") ? gunzipSync(bytes) : bytes, { name: path, ...options }).table;
};

/** Largest |ours - theirs| / max(|theirs|, floor). */
const worst = (ours, theirs, floor = 1e-8) =>
  Math.max(
    0,
    ...[...ours].map((v, i) => Math.abs(v - Number(theirs[i])) / Math.max(Math.abs(Number(theirs[i])), floor)),
  );

function dataset({ file, columns }) {
  let table = readTable(`reference/${file}`);
  for (const [own, { type, levels }] of Object.entries(columns)) {
    if (type !== "numeric")
      table = withColumn(
        table,
        own,
        asFactor(column(table, own), { levels: levels.map(String), ordered: type === "ordered" }),
      );
  }
  return table;
}

function compareCase({ id, input, expected: e }, table) {
  const options = {
    criterion: input.reml ? "REML" : "ML",
    ...(input.weights ? { weights: input.weights } : {}),
    ...(input.offset ? { offset: input.offset } : {}),
    ...(input.contrasts ? { contrasts: input.contrasts } : {}),
  };
  const fit = fitLmm(input.formula, table, options);
  const value = (key) => fit.coefficients.map((c) => c[key]);
  const sds = e.varcorr.flatMap(({ sd }) => [sd].flat());
  const row = {
    id,
    criterion: fit.deviance - (e.criterion.value ?? e.criterion),
    theta: worst(fit.theta, [e.theta].flat(), 1e-3),
    fixed: worst(value("value"), [e.fixef.estimate].flat()),
    se: worst(value("se"), [e.fixef.se].flat()),
    sd: worst(
      fit.variances.flatMap(({ sd }) => [...sd]),
      sds,
      1e-3 * fit.residualSd,
    ),
    satterthwaite: Number.NaN,
    kenwardRoger: Number.NaN,
    p: Number.NaN,
  };
  if (e.satterthwaite) {
    row.satterthwaite = worst(value("df"), [e.satterthwaite.df].flat());
    row.p = Math.max(...value("p").map((p, i) => Math.abs(p - Number([e.satterthwaite.p].flat()[i]))));
  }
  if (e.kenward_roger) {
    const kr = fitLmm(input.formula, table, { ...options, ddf: "kenward-roger" });
    row.kenwardRoger = Math.max(
      worst(
        kr.coefficients.map((c) => c.df),
        [e.kenward_roger.df].flat(),
      ),
      worst(
        kr.coefficients.map((c) => c.se),
        [e.kenward_roger.se].flat(),
      ),
    );
  }
  return row;
}

const figure = (x) => (Number.isNaN(x) ? "" : x === 0 ? "0" : x.toExponential(0));
const table = (head, rows) =>
  [
    `| ${head.join(" | ")} |`,
    `|${head.map((_, i) => (i === 0 ? " --- |" : " ---: |")).join("")}`,
    ...rows.map((r) => `| ${r.join(" | ")} |`),
  ].join("\n");

function standard() {
  const rows = [];
  const tests = [];
  for (const name of ["lmm.json", "lmm-insteval.json"]) {
    const { datasets, cases } = readJson(`reference/${name}`);
    const tables = new Map();
    const tableOf = (data) => {
      if (!tables.has(data)) tables.set(data, dataset(datasets[data]));
      return tables.get(data);
    };
    for (const c of cases) {
      if (c.input.formula) rows.push(compareCase(c, tableOf(c.input.data)));
      if (c.input.kind === "likelihood ratio test") {
        const [small, large] = [c.input.small, c.input.big].map((id) => cases.find((x) => x.id === id).input);
        const result = compareNestedMixed([small.formula, large.formula], tableOf(small.data), {});
        tests.push([c.id, worst([result.chisq, result.p], [c.expected.chisq, c.expected.p], 1e-6)]);
      }
    }
  }
  return { rows, tests };
}

/** The book's variance tables; closed forms where the design is balanced. */
function book() {
  const entries = readJson("papers/riezler2021.json");
  const of = (id) => entries.find((x) => x.id === id).r;
  const exactOf = (r) =>
    r.closed_form_reml_balanced_anova ??
    r.closed_form ??
    r.polished ??
    r.REML_polished ??
    r.REML_fit ??
    r.fit ??
    r.default_optimizer;
  const crossed =
    "(1 | sentence) + (1 | rater) + (1 | instantiation) + (1 | rater:sentence) + (1 | instantiation:rater) + (1 | instantiation:sentence)";
  const grid =
    "(1 | sentence_id) + (1 | learning_rate) + (1 | seed) + (1 | decoder_dropout) + (1 | decoder_dropout_hidden) + (1 | encoder_dropout)";
  const scheme = "delta_scheme == '(-0.5:0.5)'";
  const annotation = mutateTable(readTable("data/riezler2021/mt_annotation.csv"), "instantiation = occasion");
  const partial = filterRows(readTable("data/riezler2021/mt_grid_partial.csv.gz"), scheme);
  const full = filterRows(readTable("data/riezler2021/mt_grid_full.csv.gz"), scheme);
  const ter = mutateTable(
    readTable("data/riezler2021/mt_ter.csv"),
    "src_length_class = ifelse(src_length <= 15, 'short', ifelse(src_length <= 55, 'typical', 'very long'))",
  );
  const liver = readTable("data/riezler2021/liver_reliability_grid.csv");
  const liverTerms = ["dropout", "hidden_size_max", "hidden_number", "learning_rate", "batch_size", "random_seed"]
    .map((g) => `(1 | ${g})`)
    .join(" + ");
  const cases = [
    ["table-3.1", `score ~ ${crossed}`, filterRows(annotation, "mode == 'Marking'")],
    ["table-3.2", `score ~ ${crossed}`, filterRows(annotation, "mode == 'Post Edit'")],
    ["table-3.4", `accuracy ~ ${liverTerms}`, liver],
    ["table-3.8", "ter ~ (1 | sentence_id)", partial],
    ["table-3.9", `ter ~ ${grid}`, partial],
    ["table-3.10", "ter ~ (1 | sentence_id)", full],
    ["table-3.11", `ter ~ ${grid}`, full],
    ["table-4.1-row-2", "ter ~ system + (1 | sentence_id)", ter],
    ["table-4.3", "ter ~ system * src_length_class + (1 | sentence_id)", ter],
    ["extra-4.2-system-by-sentence", "ter ~ system + (1 | sentence_id) + (1 | sentence_id:system)", ter],
  ];
  return cases.map(([id, formula, data]) => {
    const r = of(id);
    const fit = fitLmm(formula, data);
    const variance = { ...(exactOf(r).variance ?? {}) };
    const ours = Object.fromEntries([
      ...fit.variances.map((v) => [v.group, v.cov.data[0]]),
      ["Residual", fit.residualSd ** 2],
    ]);
    const total = Object.values(ours).reduce((a, b) => a + b, 0);
    const criterion = (r.polished ?? r.REML_polished ?? r.default_optimizer ?? r.REML_fit ?? r.fit).criterion;
    let gap = Object.keys(variance).reduce(
      (most, key) =>
        Math.max(most, Math.abs((ours[key] ?? Number.NaN) - variance[key]) / Math.max(variance[key], 1e-3 * total)),
      0,
    );
    if (id === "table-3.9") {
      // encoder_dropout and decoder_dropout_hidden are the same partition: only their sum is determined
      const other = r.default_optimizer.variance;
      const sum = (v) => v.encoder_dropout + v.decoder_dropout_hidden;
      gap = Math.abs(sum(ours) - sum(other)) / sum(other);
    }
    return [
      id,
      fit.deviance - criterion,
      gap,
      fit.diagnostics
        .map((d) => d.code)
        .filter((c) => c !== "RowsDropped")
        .join(", "),
    ];
  });
}

const { rows, tests } = standard();
const bookRows = book();
const page = `# Agreement with lme4, lmerTest and pbkrtest

Made by \`node scripts/agreement.mjs\` from the reference runs; not edited by hand. Criterion: ours minus R's polished value (negative
is better; in \`mt3-slopes-ml\` lme4 stops at a saddle point and its other figures belong to that). Other columns: largest relative difference (θ and SDs against at least 1e-3, p absolute). An empty cell: R has no such figure.

${table(
  ["case", "criterion", "θ", "fixed effects", "SE", "SD", "Satterthwaite df", "p", "Kenward-Roger df, SE"],
  rows.map((r) => [
    r.id,
    figure(r.criterion),
    figure(r.theta),
    figure(r.fixed),
    figure(r.se),
    figure(r.sd),
    figure(r.satterthwaite),
    figure(r.p),
    figure(r.kenwardRoger),
  ]),
)}

## Likelihood-ratio tests

${table(
  ["test", "chi-square and p"],
  tests.map(([id, gap]) => [id, figure(gap)]),
)}

## Riezler & Hagmann (2021)

Variances against the closed form of the balanced design, or lme4's polished fit; relative to at least 1e-3 of the total variance. In
Table 3.9 only the sum of two identical factors is determined, and that sum is compared.

${table(
  ["table", "criterion", "variances", "diagnostics"],
  bookRows.map(([id, c, g, d]) => [id, figure(c), figure(g), d]),
)}
`;
writeFileSync(`${root}docs/methods/lmm-agreement.md.tmp`, page);
renameSync(`${root}docs/methods/lmm-agreement.md.tmp`, `${root}docs/methods/lmm-agreement.md`);
