import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Comparison, compare, fitLmm, importFiles } from "../index.ts";
import { computePower, likertFamily } from "../power.ts";
import { pairedTTest } from "../tests.ts";
import { tableSection } from "./blocks.ts";
import { equation } from "./mathml.ts";
import { writePapers } from "./paper.ts";
import { rCode } from "./r-code.ts";
import { bibtex, referencesOf, referenceText } from "./references.ts";
import { citeResults, renderReport } from "./report.ts";

const HOSTILE = `<img src=x onerror=alert(1)>`;

async function ratings(rename: (text: string) => string = (text) => text): Promise<Comparison> {
  const text = rename(readFileSync("examples/data/summaries.csv", "utf8"));
  const imported = await importFiles([{ name: "summaries.csv", bytes: new TextEncoder().encode(text) }]);
  return compare([{ path: "summaries.csv", imported }], { metric: "rating" });
}

/** As the command writes it. */
const stored = (result: { toJSON(): object }, command: readonly string[]): object => ({ ...result.toJSON(), command });
const COMMAND = ["gosset", "compare", "examples/data/summaries.csv", "--metric", "rating", "--html", "x.html"];

describe("a report", () => {
  it("has the verdict before the pictures, the pictures before the numbers, and the rest after", async () => {
    const page = renderReport([stored(await ratings(), COMMAND)]);
    const order = [
      "<h1>",
      "<figcaption>Figure 1.",
      "<h2>Numbers</h2>",
      "<h2>What was assumed</h2>",
      "<h2>Method</h2>",
      "<h2>Run it again</h2>",
      "<h2>References</h2>",
    ];
    const places = order.map((part) => page.indexOf(part));
    expect(places.every((at) => at > 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expect(page).toContain(
      "retrieval is BETTER than rank-loss and baseline; rank-loss against baseline is INCONCLUSIVE.",
    );
  });

  it("asks for nothing from elsewhere and runs nothing", async () => {
    const page = renderReport([stored(await ratings(), COMMAND)]);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
    expect(page).not.toMatch(/<script|<link|<iframe|\son\w+="|url\(|@import/i);
    const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1]!);
    expect(addresses.filter((own) => !/^(#|data:text\/csv)/.test(own))).toEqual([]);
    expect(page.length).toBeLessThan(1_500_000);
  });

  it("keeps names of systems as text", async () => {
    const page = renderReport([stored(await ratings((text) => text.replaceAll("retrieval", HOSTILE)), COMMAND)]);
    expect(page).not.toContain("<img");
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
  });

  it("has ids that occur once", async () => {
    const one = stored(await ratings(), COMMAND);
    const ids = [...renderReport([one, one]).matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]!);
    expect(ids.length).toBeGreaterThan(10);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("of several results has contents that lead to them", async () => {
    const one = stored(await ratings(), COMMAND);
    const page = renderReport([one, one]);
    expect([...page.matchAll(/href="#(r\d)"/g)].map((match) => match[1])).toEqual(["r1", "r2"]);
    expect(page).toMatch(/id="r1"[\s\S]*id="r2"/);
  });

  it("names single items only where asked to", async () => {
    const files = ["base", "tuned"].map((name) => ({
      name: `${name}.json`,
      bytes: new Uint8Array(readFileSync(`examples/data/sums/${name}.json`)),
    }));
    const parts = await Promise.all(
      files.map(async (file) => ({ path: file.name, imported: await importFiles([file]) })),
    );
    const result = await compare(parts, {});
    const item = result.main.flips!.largestGains[0]!.item;
    expect(renderReport([result.toJSON()])).not.toContain(item);
    expect(renderReport([result.toJSON()], { includeText: true })).toContain(item);
  });

  it("leaves the flags of output out of the command", async () => {
    const page = renderReport([stored(await ratings(), COMMAND)]);
    expect(page).toContain(
      '<pre><code>gosset compare examples/data/summaries.csv <span class="flag">--metric</span> rating</code></pre>',
    );
  });
});

describe("tables", () => {
  const tableOf = (words: string, rows: number): string =>
    tableSection(
      { head: ["task", "n", "verdict"], rows: Array.from({ length: rows }, (_, k) => [`t${k}`, k, words]) },
      0,
    );

  it("leave room for sentences, which a phone would set as a column of words", () => {
    expect(tableOf("cannot show typical gains: enlarge", 2)).toContain('<td class="long">cannot show');
    expect(tableOf("better", 2)).not.toContain('class="long"');
  });

  it("of few rows stay on one page in print, with their caption", () => {
    expect(tableOf("better", 15)).toContain('class="scroll whole"');
    expect(tableOf("better", 16)).not.toContain("whole");
  });
});

describe("words of a report", () => {
  const assumed = ["each item is met once"];
  const page = (display: object, more: object = {}): string =>
    renderReport([
      JSON.stringify({
        ...pairedTTest([1, 2, 3.5, 5], [2, 3, 4, 4.5]).toJSON(),
        ...more,
        display: { title: "x", summary: [], tables: [], notes: [], ...display },
      }),
    ]);

  it("a verdict word stood in the heading as if it were the sentence", () => {
    const html = page({ title: "GO ON  nothing is decided yet" });
    expect(html).toContain('<span class="tag">GO ON</span><h1>Nothing is decided yet</h1>');
  });

  it("a name at the beginning of a warning got a capital", () => {
    const diagnostic = { code: "X", severity: "warning", message: "pre-has-neg is constant.", fix: "" };
    const html = page({}, { diagnostics: [diagnostic] });
    expect(html).toContain("pre-has-neg is constant.");
  });

  it("a note repeated the method", () => {
    expect(page({ notes: ["Interval: t distribution."] }).split("Interval: t distribution.")).toHaveLength(2);
  });

  it("a number in a note had a hyphen for its minus, and was cut from its per cent sign", () => {
    expect(page({ notes: ["log-likelihood -3.5, 70 % of rows, see --by-row"] })).toContain(
      '<li>log-likelihood −3.5, 70\u00a0% of rows, see <span class="flag">--by-row</span></li>',
    );
  });

  it("a picture in letters stood beside the figure", () => {
    const sections = [{ heading: "Drawn", items: [{ text: "in letters", code: ["-+-"] }] }];
    expect(page({ sections })).toContain("<h2>Drawn</h2>");
    expect(page({ sections: [{ ...sections[0], drawn: true }] })).not.toContain("in letters");
    const tables = [{ head: ["term", "shape"], rows: [["s(x)", "▁▃█"]] }];
    expect(page({ tables })).toContain("s(x)");
    expect(page({ tables })).not.toContain("shape");
  });

  it("what was assumed was said twice", () => {
    const html = page({ sections: [{ heading: "Assumed:", items: assumed.map((text) => ({ text })) }] }, { assumed });
    expect(html.split("each item is met once")).toHaveLength(2);
  });
});

describe("R code", () => {
  it("is given where every flag is understood, and not otherwise", async () => {
    const imported = await importFiles([
      { name: "s.csv", bytes: new Uint8Array(readFileSync("examples/data/summaries.csv")) },
    ]);
    const fit = fitLmm("rating ~ system + (1 | article)", imported.table).toJSON();
    const command = ["gosset", "fit", "lmm", "rating ~ system + (1 | article)", "s.csv"];
    expect(rCode({ ...fit, command } as never)).toBe(
      'library(lmerTest)\nd <- read.csv("s.csv")\nm <- lmer(rating ~ system + (1 | article), data = d, REML = TRUE)\nsummary(m)',
    );
    for (const more of [
      ["--where", "nchar(article) > 3"],
      ["--where", "words > 3", "--where", "words < 9"],
      ["--weights", "w"],
      ["--levels", "system=b,a"],
    ]) {
      expect(rCode({ ...fit, command: [...command, ...more] } as never)).toBeUndefined();
    }
    expect(rCode({ ...fit, command: [...command, "--json", "--out", "x.json"] } as never)).toBeDefined();
    expect(rCode({ ...fit, command: [] } as never)).toBeUndefined();
  });
});

describe("references", () => {
  it("become BibTeX and a line of text", () => {
    const [bates] = referencesOf(["bates2015", "bates2015"]);
    expect(bibtex(bates!)).toContain(
      "journal = {Journal of Statistical Software},\n  year = {2015},\n  volume = {67},\n  number = {1},\n  pages = {1--48}",
    );
    expect(referenceText(bates!).before).toBe(
      "Bates, D., Mächler, M., Bolker, B., Walker, S. (2015). Fitting Linear Mixed-Effects Models Using lme4.",
    );
  });

  it("of a result are those of its method, and the program's own", async () => {
    const text = citeResults([(await ratings()).toJSON()]);
    expect([...text.matchAll(/^@\w+\{(\w+),/gm)].map((match) => match[1])).toEqual([
      "bates2015",
      "searle1980",
      "gosset",
    ]);
  });
});

it("equations are MathML", () => {
  expect(equation("θ_k − x β")).toBe(
    '<math display="block"><mrow><msub><mi>θ</mi><mrow><mi>k</mi></mrow></msub><mo>−</mo><mi>x</mi><mi>β</mi></mrow></math>',
  );
  expect(equation("α = frac(D_o,D_e)")).toContain("<mfrac><mrow><msub><mi>D</mi><mrow><mi>o</mi></mrow></msub></mrow>");
});

describe("several results for one paper", () => {
  const two = async () => {
    const one = (await ratings()).toJSON();
    const other = computePower(
      likertFamily,
      { items: 50, raters: 6, effect: 0.2, setting: "card-high" },
      { method: "approx" },
    );
    return [one, other.toJSON(), one] as const;
  };

  it("have a paragraph, labels of their own and every reference once", async () => {
    const text = writePapers(await two());
    const labels = [...text.matchAll(/\\label\{(tab:[^}]*)\}/g)].map((match) => match[1]);
    expect(labels).toEqual(["tab:comparison-rating", "tab:power", "tab:comparison-rating-2"]);
    const keys = [...text.matchAll(/^@\w+\{(\w+),/gm)].map((match) => match[1]);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.at(-1)).toBe("gosset");
    const cited = [...text.matchAll(/\\cite\{([^}]*)\}/g)].flatMap((match) => match[1]!.split(","));
    for (const key of cited) expect(keys).toContain(key);
    expect([...text.matchAll(/filecontents\}\[overwrite\]/g)]).toHaveLength(1);
  });

  it("say neither verdicts in capitals nor names of parameters", async () => {
    const [paragraph] = writePapers(await two()).split("% The tables");
    expect(paragraph).not.toMatch(/\b(BETTER|WORSE|HIGHER|LOWER|EQUIVALENT|INCONCLUSIVE)\b/);
    expect(paragraph).not.toMatch(/raterIntercept|itemSlope|\b[a-z]+[A-Z][a-z]+ = /);
    expect(paragraph).toMatch(/SD of the raters' levels \(0\.01\)/);
  });

  it("as JSON are their parts with one list of references; none is refused", async () => {
    const { results, citations } = JSON.parse(writePapers(await two(), "json"));
    expect(results).toHaveLength(3);
    expect(citations.at(-1)).toContain("{gosset,");
    expect(() => writePapers([])).toThrow(/no result/);
  });
});
