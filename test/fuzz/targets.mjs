/** What is fuzzed: a target turns bytes into an answer, and may only refuse them with an error that has a way out. What it
 *  gives is looked at too: columns of one length, codes that have a level, output that holds no markup or controls of the data's. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { encode, FILES } from "./files.mjs";

const dist = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const text = (bytes) => new TextDecoder().decode(bytes);

export class Violation extends Error {}
function insist(holds, message) {
  if (!holds) throw new Violation(message);
}

async function importer(kind) {
  const { importFiles, describeImported, render } = await dist("index.js");
  const names = Object.keys(FILES[kind]);
  return async (bytes) => {
    // the first byte chooses the name, since the name is part of what is guessed from
    const name = names.length === 0 ? "a.parquet" : names[(bytes[0] ?? 0) % names.length];
    const imported = await importFiles([{ name, bytes: bytes.subarray(1) }], { maxMemory: 2 ** 27 });
    checkTable(imported.table);
    // the description costs ten times the reading
    if (bytes.length % 4 !== 0) return;
    const described = describeImported(imported, { target: name, program: "gosset", flags: [] });
    checkOutputs(described.display(), render);
    JSON.stringify(described);
  };
}

function checkTable({ rows, columns }) {
  for (const [name, column] of columns) {
    const cells = column.kind === "numeric" ? column.values : column.codes;
    insist(typeof name === "string", "a column without a name");
    insist(cells.length === rows, `column of ${cells.length} cells in a table of ${rows} rows`);
    if (column.kind === "factor")
      insist(
        cells.every((code) => code >= -1 && code < column.levels.length),
        "a code without a level",
      );
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** What a file says must act neither on a terminal nor on a page. */
function checkOutputs(display, render) {
  insist(!CONTROLS.test(render(display, "text", { width: 80 })), "a control character in the text");
  insist(!/<(?!\/?[a-z][a-z0-9]*[\s/>]|!--)/i.test(render(display, "html")), "a bare < in HTML");
  insist(!/<(script|img|iframe|svg\s[^>]*onload)/i.test(render(display, "html")), "markup of the data in HTML");
  insist(!/(^|[^\\])<(script|img)/i.test(outsideFences(render(display, "markdown"))), "markup of the data in Markdown");
  insist(!/\\(input|end\{document|write18)/.test(render(display, "latex")), "a command of the data in LaTeX");
  render(display, "csv");
}

/** Markdown without its fenced commands, in which a name stands as it is and acts on nothing. A fence that a name could end
 *  leaves the rest of that name outside. */
function outsideFences(text) {
  let fenced = false;
  return text
    .split("\n")
    .filter((line) => {
      const mark = /^ {0,5}```/.test(line);
      if (mark) fenced = !fenced;
      return !mark && !fenced;
    })
    .join("\n");
}

/** Panels and rows whose every label is a word, and whose numbers are what the words denote. */
function figuresOf(words, rows) {
  const word = (i) => words[i % words.length];
  const number = (i) => Number(word(i)) || i;
  const points = Array.from({ length: 5 }, (_, i) => [number(i), number(2 * i + 1)]);
  const shared = { name: "fuzz", title: word(0), subtitle: word(1), description: word(2) };
  const data = { head: [word(1), word(2), word(3)], rows };
  const x = { title: word(3), names: words.slice(0, 4) };
  const y = { title: word(4), ...(number(5) > 2 ? { kind: "log" } : {}) };
  const marks = [
    { mark: "line", points, tone: "k0", name: word(5) },
    { mark: "rule", axis: "y", at: number(6), style: "ref", label: word(6) },
    { mark: "label", at: points[0], text: word(7) },
    { mark: "tiles", tiles: [{ x: 0, y: number(8), tone: "k0", text: word(8) }], halfWidth: 1, halfHeight: 1 },
  ];
  const legend = [{ name: word(9), tone: "k0" }];
  const panels = { kind: "panels", x, y, panels: [{ label: word(10), marks }], legend, note: word(11) };
  const estimate = (i) => ({
    mark: "estimate",
    value: number(i),
    lower: number(i + 1),
    upper: number(i + 2),
    tone: "k0",
  });
  const list = Array.from({ length: 3 }, (_, i) => ({
    label: word(i),
    remark: word(i + 1),
    marks: [estimate(i)],
    cells: [{ text: word(i + 2) }],
  }));
  const forest = {
    kind: "rows",
    x: { title: word(3) },
    rows: list,
    columns: [{ title: word(4) }],
    zero: 0,
    sides: [word(5), word(6)],
  };
  return [
    { ...shared, chart: panels, data },
    { ...shared, chart: forest, data },
  ];
}

const TAGS =
  /^(svg|title|desc|metadata|style|g|path|rect|line|circle|ellipse|polygon|polyline|text|tspan|defs|clippath|use|a|pattern)$/;

/** A picture holds the tags that we draw with, no script, and no character that XML does not allow. */
function checkFigure(figure, { renderSvg, renderTikz }) {
  const svg = renderSvg(figure);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
  insist(!/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(svg), "a control character in SVG");
  for (const [, tag] of svg.matchAll(/<\/?([^\s/>]*)/g)) insist(TAGS.test(tag.toLowerCase()), `the tag ${tag} in SVG`);
  insist(!/<[^>]* on\w+\s*=/i.test(svg.replace(/"[^"]*"/g, '""')), "a handler in SVG");
  insist(!/NaN|Infinity/.test(svg.replace(/>[^<]*</g, "><").replace(/(id|aria-\w+)="[^"]*"/g, "")), "no number in SVG");
  // comments are a line each
  const tikz = renderTikz(figure).replace(/^%.*$/gm, "");
  insist(!/\\(input|end\{document|write18)/.test(tikz), "a command of the data in TikZ");
  insist(!CONTROLS.test(tikz), "a control character in TikZ");
}

const TABLE_ROWS = 24;
async function smallTable() {
  const { makeTable } = await dist("index.js");
  const codes = (levels) => ({
    kind: "factor",
    ordered: false,
    levels,
    codes: Int32Array.from({ length: TABLE_ROWS }, (_, i) => i % levels.length),
  });
  const numbers = (f) => ({ kind: "numeric", values: Float64Array.from({ length: TABLE_ROWS }, (_, i) => f(i)) });
  return makeTable([
    ["y", numbers((i) => Math.sin(i) * 3)],
    ["x", numbers((i) => i / 7)],
    ["z", numbers((i) => (i * i) % 11)],
    ["g", codes(["a", "b", "c"])],
    ["h", codes(["u", "v", "w", "__proto__", "constructor"])],
  ]);
}

/** What is believed of a journal is what 50 experiments can give. */
function checkTallies(tallies) {
  for (const { right, wrong, failed, sum, squares } of tallies ?? []) {
    const counts = [right, wrong, failed];
    insist(
      counts.every((n) => Number.isInteger(n) && n >= 0) && right + wrong + failed <= 50,
      "counts of no experiment",
    );
    insist(sum >= 0 && squares >= 0 && Number.isFinite(sum) && Number.isFinite(squares), "sums of no experiment");
  }
}

const FORMULAS = [
  "y ~ x",
  "y ~ x * g + (1 | h)",
  "log(y + 5) ~ poly(x, 2) + I(z^2)",
  "y ~ s(x, k = 5) + g:h",
  "y ~ 0 + g + offset(z)",
  "cbind(y, z) ~ x + (1 + x || h)",
  "y ~ te(x, z) + ns(x, 3)",
];
const EXPRESSIONS = [
  "x > 3 & g == 'a'",
  "w = ifelse(x > 1, log(z + 1), -x^2)",
  "g %in% c('a', 'b') | !is.na(x)",
  "k = paste(g, h)",
  "q = round(y, 2) %% 3",
  "m = mean(x) - sd(y)",
  "t = `x` * 2",
];

const STORED = [
  {
    kind: "comparison",
    signature: { method: "m", version: "0.1.0", options: {}, data: "d" },
    diagnostics: [],
    systems: ["A", "B"],
    difference: 0.1,
    lower: -0.1,
    upper: 0.3,
    p: 0.2,
  },
  {
    kind: "power",
    power: 0.5,
    analyses: [{ name: "t", power: 0.5, se: 0.01 }],
    diagnostics: [],
    signature: { method: "power", version: "0.1.0", options: {}, data: "" },
    display: { title: "Power", notes: ["n"], tables: [{ head: ["a"], rows: [["b", 1]] }] },
  },
];

/** Results as the library makes them, of several kinds. */
async function realResults() {
  const library = await dist("index.js");
  const rows = Array.from({ length: 24 }, (_, i) => {
    const scores = [(i * 7) % 5, (i * 3 + 1) % 5];
    return scores.map((score, s) => `${"AB"[s]},q${i},r${i % 3},${score},${i % 2 ? "x" : "y"}`).join("\n");
  });
  const files = [{ name: "d.csv", bytes: encode(`system,item,rater,score,domain\n${rows.join("\n")}\n`) }];
  const imported = await library.importFiles(files);
  const { table } = imported;
  const formula = "score ~ system + (1 | item)";
  const lm = library.fitLm("score ~ system", table);
  const made = [
    () => library.compare(imported, { rater: "none" }),
    () => library.compare(imported),
    () => library.describeImported(imported, { target: "d.csv", program: "gosset", flags: [] }),
    () => lm,
    () => library.fitLmm(formula, table),
    () => library.fitClm("score ~ system", table),
    () => library.fitGam("score ~ s(score, k = 4)", table),
    () => library.marginalMeans(lm, { by: ["system"] }),
    () => library.measureAgreement(table, { item: "item", rater: "rater", label: "score" }),
    () => library.power.accuracy({ n: 50, delta: 0.1, agreement: 0.8 }),
    () => library.scoreColumn(table, "score", { system: "system", item: "item" }),
    () => library.verifyResult(lm.toJSON(), lm.toJSON()),
  ];
  const command = ["gosset", "compare", "d.csv", "--where", "score > 1"];
  const results = [];
  for (const make of made) {
    try {
      results.push({ ...(await make()).toJSON(), command });
    } catch (error) {
      if (typeof error?.fix !== "string") throw error;
    }
  }
  return results;
}

const withoutTexts = (code) => code.replace(/"(?:[^"\\]|\\.)*"/g, '""');

/** Functions of R that the code of a report may call. */
const CALLS = new Set(
  (
    "library read.csv read.delim subset lm glm glm.nb lmer glmer gam clm clmm vglm sratio summary confint predict anova emmeans pairs " +
    "eff_size sigma df.residual ranef as.data.frame VarCorr factor coef_test rownames model.frame sqrt mean residuals hatvalues qnorm qt " +
    "linkinv cbind glmerControl binomial poisson gaussian Gamma quasibinomial quasipoisson " +
    "I log log2 log10 log1p exp expm1 abs sign sin cos tan floor ceiling trunc round scale center ordered as.factor as.ordered " +
    "as.numeric relevel C poly is.na median sd min max offset ifelse pmin pmax c s te ti t2"
  ).split(" "),
);

/** Nothing of R is called but what reports call, by whatever is called in R: a name, a text, a bracket. */
function checkCalls(code) {
  const bare = code.replace(/#.*$/gm, "").replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""');
  for (const [, called] of bare.matchAll(/([\p{L}\p{N}._]+|["')\]}])\s*\(/gu))
    insist(CALLS.has(called), `a call of ${called} in R`);
  insist(!/[;{}\\?@]|:::|<<-/.test(bare), "a statement in R");
}

/** What bash prints of a script. */
function bashSays(script) {
  const { stdout } = spawnSync("bash", ["-s"], {
    input: script,
    encoding: "utf8",
    cwd: tmpdir(),
    env: { PATH: process.env.PATH },
  });
  return stdout;
}

/** name → its group, its first inputs, and what is done with one. */
export const TARGETS = {
  csv: { group: "tables", seeds: () => named("csv"), make: () => importer("csv") },
  json: { group: "tables", seeds: () => named("json"), make: () => importer("json") },
  yaml: { group: "tables", seeds: () => named("yaml"), make: () => importer("yaml") },
  parquet: { group: "packed", seeds: parquetSeeds, make: () => importer("parquet") },
  packed: { group: "packed", seeds: () => named("packed"), make: () => importer("packed") },
  logs: { group: "logs", seeds: () => named("logs"), make: () => importer("logs") },
  formula: {
    group: "languages",
    seeds: () => FORMULAS.map(encode),
    async make() {
      const { parseFormula, learnSchema, makeDesign } = await dist("models.js");
      const table = await smallTable();
      return (bytes) => {
        const schema = learnSchema(parseFormula(text(bytes)), table);
        const { X, names } = makeDesign(schema, table);
        insist(names.length === X.cols && X.data.length === X.rows * X.cols, "a design of another size than its names");
      };
    },
  },
  expression: {
    group: "languages",
    seeds: () => EXPRESSIONS.map(encode),
    async make() {
      const { mutateTable, filterRows } = await dist("models.js");
      const table = await smallTable();
      return (bytes) => {
        const own = text(bytes);
        if (/^\s*[\w.]+\s*=[^=]/.test(own)) checkTable(mutateTable(table, own));
        else checkTable(filterRows(table, own));
      };
    },
  },
  journal: {
    group: "stored",
    seeds: () =>
      [
        { journal: 1, gosset: "0.1.0", build: "x", host: "h", pid: 1 },
        { set: "a", task: "power/replicates", scenario: "means", params: { n: 9 }, seed: "1" },
        { set: "a", from: 0, count: 50, out: [{ right: 4, wrong: 1, failed: 0, sum: 7.5, squares: 12.5 }], ms: 3 },
      ].map((_, k, all) =>
        encode(
          all
            .slice(k)
            .map((own) => JSON.stringify(own))
            .join("\n"),
        ),
      ),
    async make() {
      const { readLine, headerFault, makeIndex } = await dist("run/journal.js");
      const { powerReplicates } = await dist("tasks.js");
      const piece = { scenario: "means", params: { n: 9, delta: 0.5, sd: 1 }, seed: "1", from: 0, count: 50 };
      return (bytes) => {
        const index = makeIndex();
        for (const [i, body] of text(bytes).split("\n").entries()) {
          // with a checksum that fits, since whoever edits a journal can make one
          const sum = createHash("sha256").update(body).digest("hex").slice(0, 8);
          for (const line of [readLine(body), readLine(`${sum} ${body}`)]) {
            if (i === 0) headerFault(line, { gosset: "0.1.0", build: "y" }, "file");
            if (line.kind === "piece") index.add(line.piece, "file");
            if (line.kind === "piece") checkTallies(powerReplicates.keeping.read(line.piece.out, piece));
          }
        }
      };
    },
  },
  stored: {
    group: "stored",
    // results of their real size
    largest: 60_000,
    async seeds() {
      const results = await realResults();
      return [...STORED, ...results].map((json) => encode(JSON.stringify(json)));
    },
    async make() {
      const { reviveResult, render, StatError, verifyResult } = await dist("index.js");
      const { plotJson, renderSvg, renderTikz } = await dist("plot.js");
      const { renderReport, citeResults, checklistResults, writePaper } = await dist("report.js");
      const { rCode } = await dist("report/r-code.js");
      const { readStored } = await dist("result/stored.js");
      const [real] = await realResults();
      /** Each by itself: what one refuses another may take. */
      const tryEach = (...steps) => {
        for (const step of steps) {
          try {
            step();
          } catch (error) {
            if (error instanceof Violation || typeof error?.fix !== "string") throw error;
          }
        }
      };
      return (bytes) => {
        let json;
        try {
          json = JSON.parse(text(bytes));
        } catch {
          throw new StatError("BadJson", "no JSON.", "Give JSON.");
        }
        const result = reviveResult(json);
        tryEach(
          () => checkOutputs(result.display(), render),
          () => {
            for (const figure of plotJson(json)) insist(!/<script|onload=/i.test(renderSvg(figure)), "markup in SVG");
          },
          () => plotJson(json).map((figure) => renderTikz(figure)),
          () => insist(!/<script[^>]*>[^<]*alert\(1\)/i.test(renderReport([json])), "a script of the data in a report"),
          () => citeResults([json]),
          () => checklistResults([json]),
          () => writePaper(json),
          () => verifyResult(json, real),
          () => checkCalls(readStored(result, (own) => rCode(own) ?? "")),
        );
      };
    },
  },
  names: {
    group: "names",
    // each is run by a shell
    largest: 300,
    seeds: () =>
      [
        "plain",
        'it\'s a "b" $c `d` \\e !f',
        "a\ntouch x\n#",
        "$(touch x)",
        "::stop-commands::x",
        "##vso[task]x",
        "=1+1",
        "-2+3|cmd",
        '")\nsystem("x")\n("',
        "y ~ x + I(log(x)) + (1 | g)",
        "y ~ `a b` + s(x, k = 5)",
        "(system)('x')",
      ].map(encode),
    async make() {
      const { render } = await dist("index.js");
      const { quoteShell } = await dist("text.js");
      const { foldCommand } = await dist("result/fold-command.js");
      const { lookAlikes } = await dist("result/look-alikes.js");
      const { writeSlurmScript } = await dist("run/slurm.js");
      const { rCode } = await dist("report/r-code.js");
      const { typedCommand } = await dist("report/command.js");
      const job = { name: "gosset-x", shards: 4, folder: "runs", cpus: 1 };
      const comparison = (name, formula) => ({
        kind: "comparison",
        command: ["gosset", "compare", `${name}.csv`],
        systems: [{ name }, { name: "B" }],
        model: { formula },
        itemsLost: 0,
        adjust: "tukey",
        diagnostics: [],
      });
      const SCRIPT_LINES = writeSlurmScript({ ...job, command: ["plain"] }, ["Answer: plain"]).split("\n").length;
      const FORMULA = "score ~ system + (1 | item)";
      const plain = withoutTexts(rCode(comparison("plain", FORMULA)));
      return (bytes) => {
        const name = text(bytes).replaceAll("\0", "");
        // as an argument, within a folded command, after a comment of a script, and as the script's own
        const folded = foldCommand(`printf '%s\\0' ${quoteShell(name)} ${quoteShell(name)}`).join("\n");
        insist(bashSays(folded) === `${name}\0${name}\0`, "a folded command says something else");
        const script = writeSlurmScript({ ...job, command: ["printf", "%s\\0", name] }, [
          `Answer: ${quoteShell(name)}`,
        ]);
        insist(
          script.split("\n").length === SCRIPT_LINES && !CONTROLS.test(script),
          "a line of the name's in a script",
        );
        insist(bashSays(script).startsWith(`${name}\0--shard\0`), "a script says something else");
        insist(!CONTROLS.test(typedCommand(["gosset", "compare", name])), "a control character in a command");
        const code = rCode(comparison(name, FORMULA));
        insist(code === undefined || withoutTexts(code) === plain, "code of the name's in R");
        checkCalls(rCode(comparison("plain", name)) ?? "");
        checkCalls(
          rCode({ ...comparison("plain", FORMULA), command: ["gosset", "compare", "d.csv", "--where", name] }) ?? "",
        );
        const display = { title: name, notes: [name], tables: [{ head: [name, "x"], rows: [[name, -1]] }] };
        const cells = render(display, "csv").match(/(?:^|,)(?:"(?:[^"]|"")*"|[^",\r\n]*)/gm) ?? [];
        for (const cell of cells.map((own) => own.replace(/^,?"?/, "").replace(/"$/, "")))
          insist(!/^\s*[=+\-@]./s.test(cell) || !Number.isNaN(Number(cell)), "a formula in CSV");
        lookAlikes([name, `${name}a`, "model"], "systems");
        checkOutputs(display, render);
      };
    },
  },
  patterns: {
    group: "patterns",
    largest: 24,
    // which pattern, the lengths of what stands before and of what is repeated, then signs
    seeds: () =>
      Array.from({ length: 40 }, (_, i) => Uint8Array.from({ length: 16 }, (_, j) => (i * 67 + j * 29) & 255)),
    async make() {
      const { build } = await import("esbuild");
      const stdin = {
        contents: 'export * from "./pattern-steps.ts"; export * from "./pattern-sources.ts";',
        resolveDir: fileURLToPath(new URL("../support", import.meta.url)),
      };
      const outfile = fileURLToPath(new URL("../../node_modules/.cache/gosset/patterns.mjs", import.meta.url));
      await build({
        stdin,
        outfile,
        bundle: true,
        format: "esm",
        platform: "node",
        packages: "external",
        logLevel: "error",
      });
      const { CountedPattern, MOST_GROWTH, MOST_STEPS, SIGNS, repeatingPatterns, writtenPatterns } = await import(
        outfile
      );
      const patterns = repeatingPatterns(writtenPatterns()).map((own) => ({ own, counted: new CountedPattern(own) }));
      return ([high = 0, low = 0, before = 0, repeated = 0, ...rest]) => {
        const { own, counted } = patterns[(256 * high + low) % patterns.length];
        const signs = rest.map((byte) => SIGNS[byte % SIGNS.length]);
        const start = signs.splice(0, before % 6).join("");
        const many = signs.splice(0, 1 + (repeated % 4)).join("") || " ";
        const steps = (length) => counted.count(start + many.repeat(length / many.length) + signs.join(""));
        const grows = (length) => steps(2 * length) > Math.min(MOST_STEPS, MOST_GROWTH * steps(length));
        // short texts first; bounded loops end before long ones do
        const slow = grows(96) && grows(1536);
        if (!slow) return;
        const fault = new Violation(`${own.at} /${own.source}/${own.flags}`);
        // each pattern is a fault of its own
        fault.stack = `${fault.message.padEnd(80)} on ${JSON.stringify([start, many, signs.join("")])}`;
        throw fault;
      };
    },
  },
  renderers: {
    group: "renderers",
    // labels and cells; a report of 20,000 letters takes a third of a second
    largest: 1000,
    seeds: () => [
      encode("a|b\n<b>&amp;\n$x_1^2$\n\\section{x}\n=1+1\n`c`\n*d*"),
      encode("é\u0301\n👩‍👩‍👧\nשלום\n1e5\nNaN\n-0.001\n"),
    ],
    async make() {
      const { render } = await dist("index.js");
      const plot = await dist("plot.js");
      return (bytes) => {
        const words = text(bytes).split("\n");
        const cell = (i) =>
          i % 3 === 2 && Number.isFinite(Number(words[i % words.length]))
            ? Number(words[i % words.length])
            : words[i % words.length];
        const rows = Array.from({ length: 4 }, (_, r) => [cell(r * 3), cell(r * 3 + 1), cell(r * 3 + 2)]);
        const display = {
          title: words[0],
          notes: words.slice(1, 3),
          tables: [{ head: [cell(1), cell(2), cell(3)].map(String), rows }],
        };
        checkOutputs(display, render);
        const figures = figuresOf(words, rows);
        for (const figure of figures) checkFigure(figure, plot);
        // its fonts lack most letters, which is a refusal
        for (const figure of figures) insist(plot.renderPdf(figure).length > 100, "no PDF");
      };
    },
  },
};

/** The first byte of each stands for its name. */
function named(kind) {
  return Object.values(FILES[kind]).map((content, i) => {
    const bytes = content instanceof Uint8Array ? content : encode(content);
    return Uint8Array.from([i, ...bytes]);
  });
}

function parquetSeeds() {
  const { files } = JSON.parse(readFileSync(new URL("../../oracle/duckdb/parquet.json", import.meta.url), "utf8"));
  return Object.values(files)
    .map((file) => Uint8Array.from([0, ...Buffer.from(file, "base64")]))
    .filter((bytes) => bytes.length < 5000);
}
