/** Pictures and reports as a user asks for them: the files that come out, and what is refused. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("plots");
const at = (name: string): string => join(folder, name);
const COMPARE = ["compare", "examples/data/summaries.csv", "--metric", "rating"];
const STORED = at("result.json");
gosset(...COMPARE, "--json", "--quiet", "--out", STORED);

describe("--plot", () => {
  it("draws beside the answer, and names the other pictures", () => {
    const { stdout, stderr } = gosset(...COMPARE, "--plot", at("a.svg"));
    expect(stdout).toContain("retrieval");
    expect(stderr).toContain("plotted: pairs. --figure scores, differences, ranks, boxes or all plots the others.");
    expect(readFileSync(at("a.svg"), "utf8")).toMatch(/^<svg class="gp"/);
  });

  it("writes what the name says", () => {
    const start = (name: string, more: readonly string[] = []): string => {
      gosset(...COMPARE, "--quiet", "--plot", at(name), ...more);
      return readFileSync(at(name)).subarray(0, 4).toString("latin1");
    };
    expect(start("a.pdf")).toBe("%PDF");
    expect(start("a.png")).toBe("\u0089PNG");
    expect(start("a.tex")[0]).toBe("%");
    expect(start("a.csv", ["--figure", "scores"])).toBe("syst");
  });

  it("- is the SVG alone", () => {
    const { stdout } = gosset(...COMPARE, "--quiet", "--plot", "-");
    expect(stdout).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });

  it("all: one file for each", () => {
    gosset(...COMPARE, "--quiet", "--plot", at("f.svg"), "--figure", "all");
    expect(readdirSync(folder).filter((name) => name.startsWith("f-"))).toEqual([
      "f-boxes.svg",
      "f-differences.svg",
      "f-pairs.svg",
      "f-ranks.svg",
      "f-scores.svg",
    ]);
  });

  it("refuses names of no picture before anything is computed, and pictures that are not there", () => {
    expect(gossetRefuses(...COMPARE, "--plot", at("a.gif"))).toContain("Use a name that ends in .svg");
    const pie = gosset(...COMPARE, "--plot", at("b.svg"), "--figure", "pie");
    expect([pie.status, pie.stdout, pie.stderr]).toEqual([
      2,
      "",
      expect.stringContaining("pairs, scores, differences"),
    ]);
    const none = gosset("replicate", "--plot", at("c.svg"));
    expect([none.status, none.stdout, none.stderr]).toEqual([2, "", expect.stringContaining("nothing to draw")]);
    expect(existsSync(at("b.svg"))).toBe(false);
  });
});

describe("stored results", () => {
  it("draw the bytes that the command drew", () => {
    gosset(...COMPARE, "--quiet", "--plot", at("now.svg"));
    gosset("plot", STORED, "--quiet", "--out", at("then.svg"));
    expect(readFileSync(at("then.svg"), "utf8")).toBe(readFileSync(at("now.svg"), "utf8"));
  });

  it("become one page with contents, and BibTeX", () => {
    gosset("report", STORED, STORED, "--out", at("both.html"));
    expect(readFileSync(at("both.html"), "utf8")).toContain("<h2>Contents</h2>");
    expect(gosset("cite", STORED).stdout).toContain("@article{bates2015,");
  });

  it("of an earlier version say what they lack", () => {
    const stored = JSON.parse(readFileSync(STORED, "utf8"));
    const without = (field: string): string => {
      writeFileSync(at("old.json"), JSON.stringify({ ...stored, version: "0.0.3", [field]: undefined }));
      return at("old.json");
    };
    const lacks = (field: string): string =>
      `this stored result (comparison) has no field "${field}": it was made by gosset 0.0.3`;
    expect(gossetRefuses("plot", without("pairs"))).toContain(lacks("pairs"));
    const both = gossetRefuses("report", STORED, without("headline"));
    expect(both).toContain(`result 2: ${lacks("headline")}`);
    expect(both).toContain("Run the command again that made it");
  });
});

describe("a report", () => {
  it("is written by --html beside the answer, and by --out instead of it", () => {
    expect(gosset(...COMPARE, "--html", at("x.html")).stdout).toContain("retrieval");
    expect(gosset(...COMPARE, "--quiet", "--out", at("y.html")).stdout).toBe("");
    const [x, y] = ["x.html", "y.html"].map((name) => readFileSync(at(name), "utf8"));
    expect(x).toContain("<h2>Run it again</h2>");
    expect(y).toBe(x);
  });

  it("needs a name that is one of a page", () => {
    expect(gossetRefuses(...COMPARE, "--html", at("x.doc"))).toContain("Use a name that ends in .html");
  });
});
