import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { describeDiagnostic, note, warning } from "../diagnostic.ts";
import type { CellFormat, Display } from "../display.ts";
import { StatError } from "../error.ts";
import type { RenderFormat } from "./render.ts";
import { RENDER_FORMATS, render } from "./render.ts";
import { displayWidth } from "./width.ts";

/** The sleep study of lme4's manual, with a cell of every kind. */
const SLEEP: Display = {
  title: "Linear mixed model fit by REML",
  summary: ["Formula: Reaction ~ Days + (Days | Subject)", "180 observations, 18 subjects"],
  tables: [
    {
      caption: "Fixed effects",
      head: ["term", "estimate", "SE", "df", "t", "p"],
      formats: ["text", "number", "number", "df", "statistic", "p"],
      rows: [
        ["(Intercept)", 251.405_104_848_484_85, 6.824_596_7, 16.999_73, 36.838_22, 1.2e-17],
        ["Days", -10.467_285_959_595_96, 1.545_789_6, Number.POSITIVE_INFINITY, -6.771_484_7, 0.043_1],
      ],
    },
    {
      caption: "Random effects",
      head: ["group", "term", "SD", "correlation"],
      rows: [
        ["Subject", "(Intercept)", 24.740_658, Number.NaN],
        ["Subject", "Days", 5.922_137_6, 0.000_012_345],
      ],
    },
  ],
  notes: ["Degrees of freedom by Satterthwaite's method."],
  diagnostics: [
    warning("Singular", "the fit is singular: the variance of Days is 0.", "drop the slope, or fit (Days || Subject)."),
    note("Dropped", "3 rows with missing values were left out.", ""),
  ],
};

/** What users put into names. */
const NASTY = "a|b & <i>\"x\"</i> $5_{n}^2$ 50% #1 ~ \\cmd `c` [q] *s* --o, 'y'\r\nnew\u001b[31m\u0007,";

const tableOf = (rows: (string | number)[][], head: string[], formats?: CellFormat[]): Display => ({
  title: "T",
  tables: [formats === undefined ? { head, rows } : { head, rows, formats }],
  notes: [],
});

describe("stored prints", () => {
  it.each(RENDER_FORMATS)("the sleep study as %s", (format) => {
    expect(render(SLEEP, format)).toMatchSnapshot();
  });

  it.each(RENDER_FORMATS)("nasty text as %s", (format) => {
    const display: Display = {
      title: NASTY,
      summary: [NASTY],
      tables: [
        {
          caption: NASTY,
          head: [NASTY, "x"],
          rows: [
            [NASTY, -1.5],
            ["[b]", 2],
          ],
        },
      ],
      notes: [NASTY],
      diagnostics: [warning(NASTY, NASTY, NASTY)],
    };
    const text = render(display, format);
    expect(text).toMatchSnapshot();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f]/);
  });

  it("narrow, in colour: blocks repeat the row labels", () => {
    expect(render(SLEEP, "text", { width: 44, color: true })).toMatchSnapshot();
  });

  it("a diagnostic on one line", () => {
    expect(SLEEP.diagnostics!.map(describeDiagnostic)).toEqual([
      "Warning: the fit is singular: the variance of Days is 0. Fix: drop the slope, or fit (Days || Subject).",
      "Note: 3 rows with missing values were left out.",
    ]);
  });

  it("an unknown format names the nearest", () => {
    expect(() => render(SLEEP, "latx" as RenderFormat)).toThrow(StatError);
    expect(() => render(SLEEP, "latx" as RenderFormat)).toThrow(/no output format "latx"/);
  });
});

describe("text", () => {
  const character = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 1 }),
    fc.constantFrom(" ", "a", "漢", "e\u0301", "👩‍🔬", "\u001b[1m", "\n", "long-word-that-does-not-end"),
  );
  const text = fc.array(character, { maxLength: 30 }).map((parts) => parts.join(""));
  const format = fc.constantFrom<CellFormat>("text", "number", "statistic", "df", "p", "integer", "percent");
  const cell = fc.oneof(text, fc.double(), fc.integer());
  const table = fc.integer({ min: 1, max: 9 }).chain((columns) =>
    fc.record({
      caption: text,
      head: fc.array(text, { minLength: columns, maxLength: columns }),
      formats: fc.array(format, { minLength: columns, maxLength: columns }),
      rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 4 }),
    }),
  );
  const display = fc.record({
    title: text,
    summary: fc.array(text, { maxLength: 2 }),
    tables: fc.array(table, { maxLength: 2 }),
    notes: fc.array(text, { maxLength: 2 }),
    diagnostics: fc.array(
      fc.tuple(text, text).map(([message, fix]) => warning("Code", message, fix)),
      { maxLength: 2 },
    ),
  });

  it("no line is wider than asked for, whatever is in the display", () => {
    fc.assert(
      fc.property(display, fc.integer({ min: 40, max: 120 }), (shown, width) => {
        for (const line of render(shown, "text", { width }).split("\n")) {
          expect(displayWidth(line)).toBeLessThanOrEqual(width);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
          expect(line).not.toMatch(/[\u0000-\u001f]/);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("colour adds escapes and nothing else", () => {
    fc.assert(
      fc.property(display, (shown) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: our own escapes
        const plain = render(shown, "text", { color: true }).replace(/\u001b\[\d+m/g, "");
        expect(plain).toBe(render(shown, "text"));
      }),
      { numRuns: 50 },
    );
  });

  it("a cut table still shows every cell", () => {
    const head = Array.from({ length: 12 }, (_, j) => `column ${j}`);
    const row = Array.from({ length: 12 }, (_, j) => (j === 0 ? "row label" : 1000 + j));
    const out = render(tableOf([row], head), "text", { width: 40 });
    for (let j = 1; j < 12; j++) expect(out).toContain(String(1000 + j));
    expect(out.match(/row label/g)!.length).toBeGreaterThan(2);
  });

  it("wide characters keep the columns straight", () => {
    const out = render(
      tableOf(
        [
          ["系统", 1.5],
          ["nai\u0308ve 👍", 22.25],
        ],
        ["name", "x"],
      ),
      "text",
    ).split("\n");
    expect(out.slice(2)).toEqual(["name          x", "---------------", "系统       1.50", "nai\u0308ve 👍  22.25"]);
    expect(new Set(out.slice(2).map(displayWidth)).size).toBe(1);
  });

  it("a table without rows shows its head; one without columns nothing", () => {
    expect(render(tableOf([], ["a", "b"]), "text")).toBe("T\n\na  b\n----");
    for (const format of RENDER_FORMATS) expect(() => render(tableOf([], []), format)).not.toThrow();
    expect(render(tableOf([], []), "text")).toBe("T");
  });
});

describe("CSV", () => {
  it("reads back in another reader: texts exactly, numbers to the last bit", () => {
    const word = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n", "\r", " ", "é", "#", ";", "\t") });
    const rows = fc.array(fc.tuple(word, fc.double({ noDefaultInfinity: true, noNaN: true }), word), { maxLength: 6 });
    fc.assert(
      fc.property(rows, (cells) => {
        const csv = render(tableOf(cells, ["text", "x", "more"]), "csv");
        const { data, errors } = Papa.parse<string[]>(csv, { delimiter: ",", newline: "\r\n", skipEmptyLines: false });
        expect(errors).toEqual([]);
        const back = data.slice(1, -1).map(([a, x, b]) => [a, Number(x), b]);
        expect(back).toEqual(cells.map(([a, x, b]) => [a, x === 0 ? 0 : x, b]));
      }),
    );
  });

  it("marks as text what a spreadsheet would compute, in heads and cells, and leaves numbers as they are", () => {
    const formulas = ["=1+1", "+A1", "-2+3", "@SUM(A1)", "\t=1", " =1", "\r\n-x", "\uff1d1+1"];
    const harmless = ["-3", "+2", "-1.5e-3", "-.5", "a=1", "-", "=", ""];
    const rows = [...formulas, ...harmless].map((text) => [text, -0.5]);
    const { data } = Papa.parse<string[]>(render(tableOf(rows, ["=head", "x"]), "csv"), { newline: "\r\n" });
    expect(data.slice(0, -1).map(([text]) => text)).toEqual(
      ["=head", ...formulas].map((text) => `'${text}`).concat(harmless),
    );
    expect(data[1]![1]).toBe("-0.5");
  });

  it("gives the main table, another one, or all", () => {
    expect(render(SLEEP, "csv").split("\r\n")[0]).toBe("term,estimate,SE,df,t,p");
    expect(render(SLEEP, "csv", { table: 1 })).toBe(
      "group,term,SD,correlation\r\nSubject,(Intercept),24.740658,NaN\r\nSubject,Days,5.9221376,0.000012345\r\n",
    );
    expect(render(SLEEP, "csv", { table: 7 })).toBe("");
    const all = render(SLEEP, "csv", { table: "all" });
    expect(all).toMatch(/^# Fixed effects\r\nterm,/);
    expect(all).toMatch(/\r\n\r\n# Random effects\r\ngroup,/);
    expect(all).toContain(",Inf,");
  });
});

describe("markup", () => {
  it("HTML text survives a parser's unescaping, and no tag of the user's does", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("<", ">", "&", '"', "'", "a", "/", ";", "#") }), (raw) => {
        const html = render(tableOf([[raw, 1]], ["h", "x"]), "html");
        const content = /<th scope="row">(.*?)<\/th>/.exec(html)![1]!;
        expect(content).not.toMatch(/[<>"']/);
        const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
        expect(content.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name]!)).toBe(raw);
      }),
    );
  });

  it("Markdown rows have as many unescaped pipes as columns need", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("|", "\\", "a", "\n", "`", "*") }), (raw) => {
        const lines = render(tableOf([[raw, raw]], ["h", "x"]), "markdown")
          .trimEnd()
          .split("\n");
        const row = lines[lines.length - 1]!;
        // Pairs of backslashes are literal; what is left before a pipe escapes it.
        expect(row.replace(/\\\\/g, "").replace(/\\\|/g, "").match(/\|/g)).toHaveLength(3);
      }),
    );
  });

  it("headings take the level asked for", () => {
    expect(render(SLEEP, "markdown", { level: 1 })).toMatch(/^# Linear/);
    expect(render(SLEEP, "html", { level: 4 })).toContain("<h4>Linear mixed model fit by REML</h4>");
  });

  it("LaTeX braces balance, rows never open with [ or *, and specials never stand bare", () => {
    const special = fc.constantFrom(
      "\\",
      "{",
      "}",
      "$",
      "&",
      "#",
      "%",
      "_",
      "^",
      "~",
      "[",
      "]",
      "*",
      "-",
      '"',
      "a",
      "\u0007",
    );
    fc.assert(
      fc.property(fc.string({ unit: special }), (raw) => {
        const latex = render(
          tableOf(
            [
              [raw, 1],
              [raw, -2],
            ],
            ["h", "x"],
          ),
          "latex",
        );
        const bare = latex.replace(/\\[\\{}$&#%_]/g, "");
        expect(bare.match(/\{/g)!.length).toBe(bare.match(/\}/g)!.length);
        expect(latex).not.toMatch(/\\\\\s*[[*]/);
        const row = latex.split("\n").find((line) => line.endsWith(" & 1 \\\\"))!;
        expect(row.replace(/\\[{}$&#%_]/g, "x").slice(0, -" & 1 \\\\".length)).not.toMatch(/[$&#%_^~"]|--/);
      }),
    );
  });

  it("gives LaTeX the letters of statistics as mathematics", () => {
    const display = { title: "Krippendorff's α", tables: [], notes: ["χ² = 3, p ≤ 0.05, ± 1 …"] };
    const latex = render(display, "latex");
    expect(latex).toContain("$\\alpha$");
    expect(latex).toContain("$\\chi$$^2$ = 3, p $\\le$ 0.05, $\\pm$ 1 \\ldots{}");
    expect(latex).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("LaTeX labels every table", () => {
    const latex = render(SLEEP, "latex", { label: "tab:sleep study" });
    expect(latex).toContain("\\label{tab:sleep-study}");
    expect(latex).toContain("\\label{tab:sleep-study-2}");
  });
});
