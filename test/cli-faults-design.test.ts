/** Verdicts that rested on rows which could not carry them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("design");

function file(name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const codes = ({ diagnostics }: { diagnostics: { code: string }[] }): string[] => diagnostics.map(({ code }) => code);

describe("a rater who saw one system only made a verdict on the system", () => {
  const rows = (rater: (system: string, i: number) => string): string[] => [
    "item,system,rater,rating",
    ...times(40, (i) =>
      ["A", "B"].map((s) => `${i},${s},${rater(s, i)},${1 + ((i * 7 + (s === "B" ? 1 : 0)) % 5)}`),
    ).flat(),
  ];
  it("now there is none, and one line says why", () => {
    const path = file(
      "confounded.csv",
      rows((s) => (s === "A" ? "anna" : "ben")),
    );
    const { verdict, reason, p, systems } = gossetJson("compare", path);
    expect([verdict, p]).toEqual(["NONE", "NaN"]);
    expect(reason).toBe(
      "every rater saw one system only (anna A, ben B), so a strict rater cannot be told from a bad system.",
    );
    expect(systems[0].score).toBeGreaterThan(1);
  });
  it("raters who met both systems carry a verdict, and so do several for each", () => {
    const crossed = file(
      "crossed.csv",
      rows((_, i) => `r${i % 4}`),
    );
    expect(gossetJson("compare", crossed).verdict).not.toBe("NONE");
    const nested = file(
      "nested.csv",
      rows((s, i) => `${s}${i % 6}`),
    );
    expect(gossetJson("compare", nested).reason ?? "").not.toMatch(/one system only/);
    expect(codes(gossetJson("compare", crossed))).not.toContain("RatersApart");
    expect(codes(gossetJson("compare", nested))).toContain("RatersApart");
    expect(gosset("compare", nested).stdout.replace(/\s+/g, " ")).toContain("each rater saw one system only (");
  });
});

describe("shares were compared with percent", () => {
  const scores = (factor: number, n = 50): string[] => [
    "id,accuracy",
    ...times(n, (i) => `${i},${(factor * (0.4 + ((i * 13) % 37) / 100)).toFixed(3)}`),
  ];
  it("scales that differ by 100 are no difference", () => {
    const [a, b] = [file("share.csv", scores(1)), file("percent.csv", scores(100))];
    const { verdict, reason, difference } = gossetJson("compare", a, b);
    expect([verdict, difference]).toEqual(["NONE", "NaN"]);
    expect(reason).toMatch(/do not share a scale: share from 0\.4 to 0\.76, percent from 40 to 76/);
  });
  it("counts that differ much are compared", () => {
    const rows = [
      "model,id,num_errors",
      ...times(40, (i) => [`A,${i},${i % 9 === 0 ? 1 : 0}`, `B,${i},${i % 30}`]).flat(),
    ];
    expect(gossetJson("compare", file("counts.csv", rows)).verdict).toBe("WORSE");
  });
});

describe("a code for no answer was averaged", () => {
  const rows = (code: string, values: (i: number) => number): string[] => [
    "model,id,rating",
    ...["A", "B"].flatMap((s, k) => times(60, (i) => `${s},q${i},${(i * 7 + k) % 19 === 3 ? code : values(i + k)}`)),
  ];
  it.each([
    ["999", (i: number) => 1 + (i % 5)],
    ["-1", (i: number) => i % 2],
    ["9", (i: number) => 1 + (i % 5)],
    ["-99", (i: number) => i % 7],
  ])("%s", (code, values) => {
    const path = file(`code${code}.csv`, rows(code, values));
    const { verdict, reason, advice } = gossetJson("compare", path);
    expect(verdict).toBe("NONE");
    expect(reason).toContain(`are ${code} among`);
    expect(advice).toBeDefined();
    const left = gossetJson("compare", path, `--missing=${code}`);
    expect(left.verdict).not.toBe("NONE");
    const kept = gossetJson("compare", path, "--where", `rating ${code.startsWith("-") ? ">=" : "<="} ${code}`);
    expect(kept.verdict).not.toBe("NONE");
  });
  it("steps of a scale are none", () => {
    for (const code of ["10", "0", "-1"]) {
      const odd = (i: number): number => (code === "-1" ? (i % 3) - 1 : 1 + (i % 9));
      expect(gossetJson("compare", file(`step${code}.csv`, rows(code, odd))).verdict).not.toBe("NONE");
    }
  });
});

describe("rows that ended in an error counted as wrong answers", () => {
  const rows = (failed: number, score: string): string[] => [
    "model,id,score,error",
    ...times(100, (i) => `old,q${i},${i % 2},`),
    ...times(100, (i) => (i < failed ? `new,q${i},${score},Timeout` : `new,q${i},${i % 10 < 8 ? 1 : 0},`)),
  ];
  it("where the verdict hangs on them there is none, until it is said how they count", () => {
    const path = file("errors.csv", rows(40, "0"));
    const { verdict, reason, bounds } = gossetJson("compare", path);
    expect(verdict).toBe("NONE");
    expect(reason).toMatch(/error: 40 of new\): as failures the difference is -2\.0 .*, \w+; left out, /);
    expect(bounds.lower).toBeLessThan(bounds.upper);
    const counted = ["failures", "missing"].map((how) => gossetJson("compare", path, "--errors", how));
    expect(counted[0]!.n).toBe(100);
    expect(counted[1]!.n).toBe(60);
  });
  it("where it does not, both figures are told", () => {
    const result = gossetJson("compare", file("few.csv", rows(2, "0")));
    expect(codes(result)).toContain("Errored");
    expect(result.verdict).not.toBe("NONE");
  });
});

describe("other prompts under the same id were paired", () => {
  const run = (name: string, changed: (i: number) => boolean): string =>
    file(
      name,
      times(60, (i) => JSON.stringify({ id: i, prompt: `what is ${i}+${changed(i) ? 2 : 1}?`, score: i % 3 ? 1 : 0 })),
    );
  it("they are left out, and named", () => {
    const result = gossetJson(
      "compare",
      run("p1.jsonl", () => false),
      run("p2.jsonl", (i) => i % 4 === 0),
    );
    expect([result.n, codes(result).includes("OtherPrompts")]).toEqual([45, true]);
  });
  it("where all were changed the ids still name the items", () => {
    const result = gossetJson(
      "compare",
      run("p1.jsonl", () => false),
      run("p3.jsonl", () => true),
    );
    expect([result.n, codes(result).includes("OtherPrompts")]).toEqual([60, true]);
  });
});

describe("a model that ignores items and raters did not say so", () => {
  const data = "examples/data/summaries.csv";
  it.each([
    ["fit", "lm", "rating ~ system", data],
    ["fit", "gam", "rating ~ s(words)", data],
    ["anova", "rating ~ 1", "rating ~ system", data],
  ])("%s %s", (...words) => {
    expect(codes(gossetJson(...words))).toContain("RepeatsIgnored");
    expect(gosset(...words).stdout).toMatch(/rows repeat .*rater \(9 levels\)/s);
  });
  it("called p too small where it is too large, and named an option that gam and anova lack", () => {
    for (const [formula, ...words] of [
      ["rating ~ s(words)", "fit", "gam"],
      ["rating ~ 1", "anova"],
    ] as const) {
      const more = words[0] === "anova" ? ["rating ~ system"] : [];
      const { message, fix } = gossetJson(...words, formula, ...more, data).diagnostics.find(
        ({ code }: { code: string }) => code === "RepeatsIgnored",
      );
      expect(message).toMatch(/so p may be too small or too large\.$/);
      expect(fix).not.toContain("cluster");
    }
  });
  it("a mixed model knows them", () => {
    expect(codes(gossetJson("anova", "rating ~ (1|rater)", "rating ~ system + (1|rater)", data))).not.toContain(
      "RepeatsIgnored",
    );
  });
});

describe("votes in one order only passed for a preference between systems", () => {
  const votes = (swap: (i: number) => boolean): string[] => [
    "item,judge,model_a,model_b,winner",
    ...times(60, (i) => `${i},j${i % 4},${swap(i) ? "old,new" : "new,old"},${i % 3 === 0 ? "model_b" : "model_a"}`),
  ];
  it("the places were never swapped: said on the first screen", () => {
    const path = file(
      "one-order.csv",
      votes(() => false),
    );
    expect(codes(gossetJson("compare", path))).toContain("PositionConfounded");
    expect(gosset("compare", path).stdout.replace(/\s+/g, " ")).toContain(
      "new has the first place in all 60 battles with old: if they were shown in this order",
    );
  });
  it("both orders, or one swapped battle, say nothing", () => {
    for (const swap of [(i: number) => i % 2 === 0, (i: number) => i === 7]) {
      expect(codes(gossetJson("compare", file("orders.csv", votes(swap))))).not.toContain("PositionConfounded");
    }
  });
  it("nor do two votes of one judge, one in either order", () => {
    const path = file("both-orders.csv", [
      "question_id,model_1,model_2,g1_winner,g2_winner",
      ...times(40, (i) => `${i},new,old,model_1,${i % 3 === 0 ? "model_2" : "model_1"}`),
    ]);
    expect(codes(gossetJson("compare", path))).not.toContain("PositionConfounded");
  });
});

describe("several metrics were asked for and one was shown", () => {
  const rows = (names: readonly string[]): string[] => [
    ["item", "system", ...names].join(","),
    ...times(30, (i) =>
      ["A", "B"].map((s, k) => [i, s, ...names.map((_, m) => 1 + ((i * (m + 3) + k) % 5))].join(",")),
    ).flat(),
  ];
  const two = file("two.csv", rows(["fluency", "adequacy"]));
  it.each(["all", "fluency,adequacy"])("--metric %s: the first screen has all of them", (metric) => {
    const { stdout } = gosset("compare", two, "--metric", metric);
    // verdicts of two metrics, of which each errs by itself
    expect(stdout).toContain("Every metric (p not adjusted for 2 metrics)");
    expect(stdout).toMatch(/^adequacy .*(BETTER|WORSE|INCONCLUSIVE)$/m);
    expect(stdout).not.toContain("there is also");
  });
  it("where there is one, --metric all is that one", () => {
    const one = file("one.csv", rows(["fluency"]));
    expect(gossetJson("compare", one, "--metric", "all").metric).toBe("fluency");
  });
});

it("--paper dropped the warnings", () => {
  const path = file("paper.csv", [
    "item,judge,model_a,model_b,winner",
    ...times(60, (i) => `${i},j${i % 4},new,old,${i % 3 === 0 ? "model_b" : "model_a"}`),
  ]);
  const { stdout, stderr } = gosset("compare", path, "--paper");
  expect(stdout).toMatch(/^% [^\n]*if they were shown in this order[^\n]*\n% The sentence\n/);
  expect(stderr).toContain("if they were shown in this order");
});

it("compare advised --factor, which it does not take", () => {
  const path = file("commas.csv", [
    "item;system;score",
    ...times(20, (i) => ["A", "B"].map((s, k) => `${i};${s};${1 + ((i + k) % 4)},5`)).flat(),
  ]);
  const { stdout } = gosset("compare", path, "--details");
  expect(stdout).toContain("was read as 1.5");
  expect(stdout).not.toContain("--factor");
});

describe("999 among ratings of 1 to 5 was averaged by all commands but compare", () => {
  const rated = times(40, (i) =>
    ["old", "new"].flatMap((s, k) =>
      ["ann", "bea", "cyd"].map(
        (r, j) => `d${i},${s},${r},${(i * 3 + k + j) % 17 === 0 ? 999 : 1 + ((i * 7 + k + 2 * j) % 5)}`,
      ),
    ),
  ).flat();
  const coded = file("coded-ratings.csv", ["id,model,annotator,rating", ...rated]);
  const said =
    /values of rating are 999 among 1 to 5, which reads like a code for "no answer"\. --missing 999 leaves them out/;
  it.each([
    ["agreement"],
    ["agreement", "--model", "dawid-skene"],
    ["reliability"],
    ["score"],
    ["power", "from-dev"],
    ["next", "--range", "1,5"],
  ])("%s %s refuses it with the same sentence", (command, ...rest) => {
    const [first, ...more] = command === "power" ? ["power", ...rest] : [command!, ...rest];
    const { status, stderr } = gosset(first!, ...(command === "power" ? [more[0]!, coded] : [coded, ...more]));
    expect(status).not.toBe(0);
    expect(stderr).toMatch(said);
  });
  it("so do pilots", () => {
    const { stderr } = gosset("mde", "likert", "--pilot", coded, "--items", "50", "--raters", "5");
    expect(stderr).toMatch(said);
  });
  it("left out, they are answered, and so are values that were looked at", () => {
    expect(gosset("agreement", coded, "--missing", "999", "--replicates", "0").status).toBe(0);
    const scaled = gossetJson("agreement", coded, "--scale", "ordinal", "--replicates", "0");
    expect(codes(scaled)).toContain("BadScores");
    expect(gosset("score", coded, "--where", "rating <= 999").status).toBe(0);
  });
  it("-1 below labels 0 and 1 may be a label: agreement is measured, and says so", () => {
    const rows = times(60, (i) =>
      ["ann", "bea"].map((r, k) => `${i},${r},${i % 9 === 0 ? -1 : (i + k * (i % 4 ? 0 : 1)) % 2}`),
    );
    const path = file("minus.csv", ["id,annotator,label", ...rows.flat()]);
    expect(codes(gossetJson("agreement", path, "--replicates", "0"))).toContain("BadScores");
  });
});

describe("raters who saw one system each passed everywhere but in compare", () => {
  const rows = (name: string, rater: string, shift: number): string =>
    file(name, ["id,annotator,rating", ...times(40, (i) => `d${i},${rater},${1 + ((i * 7 + shift) % 5)}`)]);
  const sentence = /every rater saw one system only \(.*\), so a strict rater cannot be told from a bad system/;
  it("the gate refuses them", () => {
    const { status, stderr, stdout } = gosset(
      "gate",
      rows("gate-new.csv", "bea", 1),
      "--baseline",
      rows("gate-old.csv", "ann", 0),
      "--margin",
      "0.5",
    );
    expect(status).not.toBe(0);
    expect(stderr + stdout).toMatch(sentence);
  });
  it("planning from them and their reliability carry the warning", () => {
    const both = file("apart-both.csv", [
      "id,model,annotator,rating",
      ...times(40, (i) => [`d${i},old,ann,${1 + ((i * 7) % 5)}`, `d${i},new,bea,${1 + ((i * 7 + 1) % 5)}`]).flat(),
    ]);
    expect(codes(gossetJson("power", "from-dev", both))).toContain("RatersApart");
    expect(codes(gossetJson("reliability", both, "--intervals", "none"))).toContain("RatersApart");
    expect(gosset("next", both, "--range", "1,5").stderr).toMatch(sentence);
  });
});

describe("items that hang together by a column with a name that says nothing were counted one by one", () => {
  /** Twelve blocks of ten items: each block's differences lie around a value of its own, and these around little. */
  const centres = [1.9, -1.1, 2.1, -0.9, 1.4, -1.3, 1.8, 0.9, -0.8, 1.2, -1.6, 1.1];
  const rows = (block: (g: number, k: number) => string): string[] => [
    "uid,blk,system,score",
    ...centres.flatMap((centre, g) =>
      times(10, (k) => [
        `u${g}-${k},${block(g, k)},old,${((k * 7 + g) % 10) / 10}`,
        `u${g}-${k},${block(g, k)},new,${(((k * 3 + g) % 10) / 10 + centre).toFixed(2)}`,
      ]).flat(),
    ),
  ];
  it("now the verdict is that of the groups, and says so", () => {
    const path = file(
      "blk.csv",
      rows((g) => `b${g}`),
    );
    expect(gossetJson("compare", path, "--cluster", "none").p).toBeLessThan(0.01);
    const found = gossetJson("compare", path);
    expect([found.verdict, found.p > 0.1, codes(found).includes("Hanging")]).toEqual(["INCONCLUSIVE", true, true]);
    const { message } = found.diagnostics.find(({ code }: { code: string }) => code === "Hanging");
    expect(message).toMatch(
      /^the differences hang together by blk \(intraclass correlation 0\.\d\d\), so that p is that of its 12 levels: one by one it would be BETTER, p [=<] /,
    );
    expect(gossetJson("compare", path, "--cluster", "blk").p).toBe(found.p);
  });
  it("a column that the differences have nothing to do with changes nothing", () => {
    const path = file(
      "no-blk.csv",
      rows((g, k) => `b${(g * 5 + k * 7) % 10}`),
    );
    expect(codes(gossetJson("compare", path))).not.toContain("Hanging");
  });
});
