import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { expectClose } from "./support/oracle.ts";

let folder = "";
const file = (name: string): string => join(folder, name);
const write = (name: string, lines: readonly string[]): void => writeFileSync(file(name), `${lines.join("\n")}\n`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gosset-reliability-"));
  // Krippendorff's example: rows are units, columns observers
  const units = [
    [1, 1, null, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [null, 5, 5, 5],
    [null, null, 1, 1],
    [null, 3, null, null],
  ];
  write("krippendorff.csv", [
    "unit,observer,value",
    ...units.flatMap((labels, u) => labels.map((label, r) => `u${u},${"ABCD"[r]},${label ?? "NA"}`)),
  ]);
  write("constant.csv", ["unit,observer,value", ..."abcd".split("").flatMap((u) => [`${u},A,no`, `${u},B,no`])]);
  write("one-rater.csv", ["unit,observer,value", "a,A,1", "b,A,2"]);
  // complete layout: items 0, 1, 2 … with fixed effects of rater and run
  const runs = Array.from({ length: 8 * 3 * 2 }, (_, k) => ({
    i: Math.floor(k / 6),
    r: Math.floor(k / 2) % 3,
    o: k % 2,
  }));
  const noise = (k: number): number => Math.sin(12.9898 * (k + 1)) * 0.4;
  write("crossed.csv", [
    "item,judge,seed,domain,score",
    ...runs.map(
      ({ i, r, o }, k) => `i${i},j${r},${o},${i < 4 ? "news" : "chat"},${(0.5 * i + 0.3 * r + noise(k)).toFixed(6)}`,
    ),
  ]);
  write("search.csv", ["model,lr,score", "a,1,0.5", "a,2,0.52", "a,3,0.51", "b,1,0.2", "b,2,0.9", "b,3,0.3"]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("gosset agreement", () => {
  const flags = ["--item", "unit", "--rater", "observer", "--label", "value"];

  it("gives the documented JSON object: Krippendorff's published example", () => {
    const found = gossetJson(
      "agreement",
      file("krippendorff.csv"),
      ...flags,
      "--replicates",
      "50",
      "--scale",
      "nominal",
    );
    expect(found).toMatchObject({
      kind: "agreement",
      seed: "1",
      items: 12,
      pairable: 40,
      raters: ["A", "B", "C", "D"],
    });
    const { nominal, ordinal, interval, ratio, value, lower, upper } = found.alpha;
    expect([nominal, ordinal, interval, ratio].map((a: number) => a.toFixed(3))).toEqual([
      "0.743",
      "0.815",
      "0.849",
      "0.797",
    ]);
    expect(value).toBe(nominal);
    expect([lower, upper]).toEqual([found.ci.lower, found.ci.upper]);
    expect(lower).toBeLessThan(value);
    expect(found.perRater).toHaveLength(4);
    expect(found.confusion).toHaveLength(5);
  });

  it("finds the columns by itself, and says the same", () => {
    const named = gossetJson(
      "agreement",
      "examples/data/summaries.csv",
      "--item",
      "article,system",
      "--rater",
      "rater",
      "--label",
      "rating",
      "--replicates",
      "20",
    );
    expect(named.ratings).toBe(360);
    const text = gosset(
      "agreement",
      "examples/data/summaries.csv",
      "--item",
      "article,system",
      "--label",
      "rating",
      "--replicates",
      "20",
    );
    expect([text.status, text.stderr]).toEqual([0, ""]);
    expect(text.stdout).toContain(`Krippendorff's α, ordinal: ${named.alpha.value.toFixed(3)}`);
    for (const line of text.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("takes a wide table with one column per rater", () => {
    write("wide.csv", ["text,ann,bob", "x,1,1", "y,2,2", "z,1,2", "w,2,2", "v,NA,1"]);
    const found = gossetJson("agreement", file("wide.csv"), "--raters", "ann,bob", "--replicates", "20");
    expect(found).toMatchObject({ items: 5, sharedItems: 4, raters: ["ann", "bob"], percent: { value: 0.75 } });
    expect(found.confusion).toEqual([
      [1, 1],
      [0, 2],
    ]);
    expect(gossetRefuses("agreement", file("wide.csv"), "--raters", "ann,bob", "--label", "ann")).toMatch(
      /--label has no effect next to --raters/,
    );
  });

  it("undefined is a string and a warning", () => {
    const { status, stdout, stderr } = gosset("agreement", file("constant.csv"), ...flags, "--json");
    const found = JSON.parse(stdout);
    expect(status).toBe(0);
    expect([found.alpha.value, found.kappa.value, found.percent.value]).toEqual(["NaN", "NaN", 1]);
    expect(found.warnings[0]).toMatch(/0\/0, that is undefined/);
    expect(stderr).toMatch(/undefined/);
  });

  it("refuses one rater, unknown columns and odd weights in one line", () => {
    expect(gossetRefuses("agreement", file("one-rater.csv"), ...flags)).toMatch(/all labels come from one rater/);
    expect(
      gossetRefuses("agreement", file("krippendorff.csv"), "--item", "unit", "--rater", "obsrver", "--label", "value"),
    ).toMatch(/did you mean "observer"/i);
    expect(gossetRefuses("agreement", file("krippendorff.csv"), ...flags, "--weighting", "cubic")).toMatch(
      /no such weights/,
    );
  });
});

describe("gosset reliability", () => {
  const flags = ["--score", "score", "--object", "item", "--facets", "judge,seed"];

  it("gives components, coefficients, what-if and the cheapest design", () => {
    const more = [
      "--interactions",
      "--n",
      "judge=1-3",
      "--n",
      "seed=2,4",
      "--target",
      "0.9",
      "--cost",
      "judge=5,score=0.1",
    ];
    const found = gossetJson(
      "reliability",
      file("crossed.csv"),
      ...flags,
      ...more,
      "--by",
      "domain",
      "--replicates",
      "100",
    );
    expect(found).toMatchObject({ kind: "reliability", model: "lmm", nobs: 48, balanced: true });
    expect(found.components.map(({ term }: { term: string }) => term)).toEqual([
      "item",
      "judge",
      "seed",
      "item:judge",
      "item:seed",
      "judge:seed",
      "residual",
    ]);
    const total = found.components.reduce((sum: number, { percent }: { percent: number }) => sum + percent, 0);
    expect(total).toBeCloseTo(100, 9);
    expect(found.phi).toBeCloseTo(found.components[0].percent / 100, 12);
    expect(found.whatIf).toHaveLength(6);
    expect(found.cheapest.phi).toBeGreaterThanOrEqual(0.9);
    expect(found.conditional.map(({ level }: { level: string }) => level)).toEqual(["chat", "news"]);
  });

  it("--interactions takes a list, and none is the default", () => {
    const terms = (...args: string[]): string[] =>
      gossetJson("reliability", file("crossed.csv"), ...flags, "--intervals", "none", ...args).components.map(
        ({ term }: { term: string }) => term,
      );
    expect(terms()).toEqual(["item", "judge", "seed", "residual"]);
    expect(terms("--interactions", "judge:item")).toEqual(["item", "judge", "seed", "item:judge", "residual"]);
  });

  it("fits in 80 columns and repeats itself", () => {
    const run = gosset("reliability", file("crossed.csv"), ...flags, "--interactions", "--replicates", "100");
    expect([run.status, run.stderr]).toEqual([0, ""]);
    for (const line of run.stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(gosset("reliability", file("crossed.csv"), ...flags, "--interactions", "--replicates", "100").stdout).toBe(
      run.stdout,
    );
  });

  it("refuses what cannot be told apart, in one line", () => {
    const one = ["--where", "judge == 'j0'"];
    expect(gossetRefuses("reliability", file("crossed.csv"), ...flags, ...one)).toMatch(
      /the facet judge has one level/,
    );
    const copy = ["--mutate", "doc = item", "--score", "score", "--object", "item", "--facets", "doc,judge"];
    expect(gossetRefuses("reliability", file("crossed.csv"), ...copy)).toMatch(
      /doc is confounded with the object item/,
    );
    expect(gossetRefuses("reliability", file("crossed.csv"), ...flags, "--n", "judge=0")).toMatch(
      /not numbers of a facet/,
    );
    expect(gossetRefuses("reliability", file("crossed.csv"), ...flags, "--target", "0.8", "--cost", "judg=3")).toMatch(
      /judg, which is not a facet/,
    );
  });
});

describe("gosset importance and gosset budget", () => {
  it("orders the settings and shows how they depend on a property", () => {
    const flags = ["--score", "score", "--parameters", "judge,seed", "--object", "item", "--by", "domain"];
    const found = gossetJson("importance", file("crossed.csv"), ...flags, "--replicates", "100");
    expect(found.kind).toBe("importance");
    expect(found.components[0].term).toBe("item");
    expect(found.interactions.map(({ parameter }: { parameter: string }) => parameter)).toEqual(["judge", "seed"]);
    expect(found.interactions[0].means).toHaveLength(6);
    expect(found.interactions[0].means[0]).toMatchObject({ domain: "chat", judge: "j0" });
  });

  it("gives the expected best by budget, and where systems cross", () => {
    const found = gossetJson(
      "budget",
      file("search.csv"),
      "--score",
      "score",
      "--system",
      "model",
      "--budgets",
      "1,2,3",
    );
    const [a, b] = found.curves;
    expectClose([a.points[0].expected, b.points[0].expected], [0.51, (0.2 + 0.9 + 0.3) / 3], { tolerance: 1e-12 });
    expect(found.crossings).toEqual([{ a: "a", b: "b", from: 1, to: 2, betterBefore: "a", betterAfter: "b" }]);
    expect(gossetRefuses("budget", file("search.csv"), "--score", "score", "--budgets", "3,1")).toMatch(/rising order/);
  });
});
