/** What is confounded with the systems, raters, batches, places or judges, carries no verdict or is said. */

import { describe, expect, it } from "vitest";
import { compare, describeImported, makeRng } from "../src/index.ts";
import { gosset, gossetJson } from "./support/cli.ts";
import { makeFolder, writesTo } from "./support/folder.ts";
import { codesOf, lines, readText, times, warned } from "./support/read-text.ts";

const folder = makeFolder("checks-confounding");
const file = writesTo(folder);

describe("a comparison whose raters saw one system each", () => {
  const rows = (rater: (system: string, i: number) => string): string[] => [
    "item,system,rater,rating",
    ...times(40, (i) =>
      ["A", "B"].map((s) => `${i},${s},${rater(s, i)},${1 + ((i * 7 + (s === "B" ? 1 : 0)) % 5)}`),
    ).flat(),
  ];
  it("gives no verdict, and one line says why", () => {
    const path = file(
      "confounded.csv",
      rows((s) => (s === "A" ? "anna" : "ben")),
    );
    const { verdict, reason, p, systems } = gossetJson("compare", path);
    expect([verdict, p]).toEqual(["NONE", "NaN"]);
    expect(reason).toBe(
      "every rater saw one system only (anna A, ben B), so a strict rater would look like a bad system.",
    );
    expect(systems[0].score).toBeGreaterThan(1);
  });
  it("gives a verdict where raters met both systems, and a warning where several saw one each", () => {
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
    expect(codesOf(gossetJson("compare", crossed))).not.toContain("RatersApart");
    expect(codesOf(gossetJson("compare", nested))).toContain("RatersApart");
    expect(gosset("compare", nested).stdout.replace(/\s+/g, " ")).toContain("each rater saw one system only (");
  });
});

describe("votes in one order only", () => {
  const votes = (swap: (i: number) => boolean): string[] => [
    "item,judge,model_a,model_b,winner",
    ...times(60, (i) => `${i},j${i % 4},${swap(i) ? "old,new" : "new,old"},${i % 3 === 0 ? "model_b" : "model_a"}`),
  ];
  it("gives no verdict where the places were never swapped, and says why", () => {
    const path = file(
      "one-order.csv",
      votes(() => false),
    );
    const { verdict, reason } = gossetJson("compare", path) as { verdict: string; reason: string };
    expect(verdict).toBe("NONE");
    expect(reason).toContain("new has the first place in all 60 battles with old, so a preference for a place");
    expect(gosset("compare", path).stdout.replace(/\s+/g, " ")).toContain("in all 60 battles with old");
  });
  it("says nothing of both orders, or of one swapped battle", () => {
    for (const swap of [(i: number) => i % 2 === 0, (i: number) => i === 7]) {
      expect((gossetJson("compare", file("orders.csv", votes(swap))) as { verdict: string }).verdict).not.toBe("NONE");
    }
  });
});

describe("other commands, with raters who saw one system each", () => {
  const rows = (name: string, rater: string, shift: number): string =>
    file(name, ["id,annotator,rating", ...times(40, (i) => `d${i},${rater},${1 + ((i * 7 + shift) % 5)}`)]);
  const sentence = /every rater saw one system only \(.*\), so a strict rater would look like a bad system/;
  it("refuses them at the gate", () => {
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
  it("warns of them in planning and in reliability", () => {
    const both = file("apart-both.csv", [
      "id,model,annotator,rating",
      ...times(40, (i) => [`d${i},old,ann,${1 + ((i * 7) % 5)}`, `d${i},new,bea,${1 + ((i * 7 + 1) % 5)}`]).flat(),
    ]);
    expect(codesOf(gossetJson("power", "from-dev", both))).toContain("RatersApart");
    expect(codesOf(gossetJson("reliability", both, "--intervals", "none"))).toContain("RatersApart");
    expect(gosset("next", both, "--range", "1,5").stderr).toMatch(sentence);
  });
});

describe("what is confounded with the system", () => {
  const rows = (value: (s: number, i: number) => string): string[] =>
    times(30, (i) => ["A", "B"].map((m, s) => `${i},${m},${value(s, i)},${1 + ((i * 7 + s * 3) % 5)}`)).flat();
  const code = async (name: string, value: (s: number, i: number) => string): Promise<string> =>
    warned(compare(await readText("g.csv", lines([`item,system,${name},rating`, ...rows(value)]))));

  it.each([
    ["batch", ["1", "2"]],
    ["session", ["mon", "tue"]],
    ["Annotation day", ["2024-01-02", "2024-03-09"]],
    ["panel", ["north", "south"]],
    ["date", ["2024-01-02", "2024-03-09"]],
    ["annotation_round", ["1st", "2nd"]],
    ["rater_language", ["de", "fr"]],
    ["submitted_at", ["2024-01-02 10:00", "2024-03-09 10:00"]],
  ])("refuses a verdict where %s is confounded with the system", async (name, values) => {
    const own = await readText("g.csv", lines([`item,system,${name},rating`, ...rows((s) => values[s]!)]));
    const { main, diagnostics } = compare(own);
    expect(main.verdict).toBe("NONE");
    expect(main.reason).toContain(`${name} is confounded with system (A ${values[0]}, B ${values[1]})`);
    expect(diagnostics.map(({ code: found }) => found)).not.toContain("GoesWithSystem");
    const described = describeImported(own.imported, { target: "g.csv" });
    expect(String(described).replace(/\s+/g, " ")).toContain(`${name} is confounded with system`);
  });

  it("warns of a batch of a program's scores next to the verdict", async () => {
    const scored = times(30, (i) =>
      ["A", "B"].map((m, s) => `${i},${m},${s + 1},${(i * 7 + s * 3) % 3 ? 1 : 0}`),
    ).flat();
    const result = compare(await readText("g.csv", lines(["item,system,batch,correct", ...scored])));
    expect(result.main.verdict).not.toBe("NONE");
    expect(warned(result)).toContain("GoesWithSystem: batch (A 1, B 2) is confounded with system");
  });

  it.each([
    ["language", ["de", "fr"]],
    ["seed", ["7", "8"]],
  ])("warns where %s has one value for each system", async (name, values) => {
    const told = await code(name, (s) => values[s]!);
    expect(told).toContain(`GoesWithSystem: ${name} (A ${values[0]}, B ${values[1]}) is confounded with system`);
  });

  it.each([
    ["provider", ["x", "y"]],
    ["n_params", ["7", "70"]],
    ["model_family", ["llama", "qwen"]],
  ])("takes %s for the system's own", async (name, values) => {
    expect(await code(name, (s) => values[s]!)).not.toContain("GoesWithSystem");
  });

  it("says nothing where a third differs, or all are alike", async () => {
    expect(await code("batch", (s, i) => String(i % 3 === 0 ? 1 : 1 + s))).not.toContain("GoesWithSystem");
    expect(await code("session", () => "mon")).not.toContain("GoesWithSystem");
  });

  it.each([
    "batch",
    "batch_id",
    "Session ID",
    "site",
    "clinic",
    "month",
    "rating_date",
    "rubric_version",
    "coder_group",
  ])("refuses a verdict where %s is confounded in all but one or two rows", async (name) => {
    const own = await readText(
      "g.csv",
      lines([`item,system,${name},rating`, ...rows((s, i) => `v${i < 2 ? 1 : 1 + s}`)]),
    );
    const { main } = compare(own);
    expect([main.verdict, main.reason]).toEqual([
      "NONE",
      expect.stringContaining(`${name} is confounded with system (A v1, B v2 in 93 % of its rows)`),
    ]);
  });

  it("refuses a verdict where each system has several batches or days of its own", async () => {
    const batches = await readText(
      "g.csv",
      lines(["item,system,batch,rating", ...rows((s, i) => `b${3 * s + (i % 3)}`)]),
    );
    expect(compare(batches).main.reason).toContain("batch is confounded with system (A b0/b1/b2, B b3/b4/b5)");
    const at = (s: number, i: number): string => `2024-0${1 + 2 * s}-0${1 + (i % 4)} 1${i % 9}:00`;
    const days = await readText("g.csv", lines(["item,system,rated_at,rating", ...rows(at)]));
    expect(compare(days).main.reason).toContain(
      "rated_at is confounded with system (A 2024-01-01/2024-01-02/2024-01-03/…",
    );
  });

  it("refuses a verdict on right and wrong where each system has a judge's version or prompt of its own", async () => {
    const scored = (name: string): string[] => [
      `item,system,${name},correct`,
      ...times(30, (i) => ["A", "B"].map((m, s) => `${i},${m},${s + 1},${(i * 7 + s * 3) % 3 ? 1 : 0}`)).flat(),
    ];
    for (const name of ["judge_version", "grader_prompt", "scorer"]) {
      const { main } = compare(await readText("g.csv", lines(scored(name))));
      expect([name, main.verdict, main.reason]).toEqual([
        name,
        "NONE",
        expect.stringContaining(`${name} is confounded with`),
      ]);
    }
  });

  it("does not take a task of one output, or the day of a release, for an occasion", async () => {
    const each = times(30, (i) =>
      ["A", "B"].map((m, s) => times(6, (k) => `${i},${m},h${i}${m},w${k},${1 + ((i * 7 + s * 3 + k) % 5)}`)),
    );
    const hits = await readText("g.csv", lines(["item,system,hit,worker,rating", ...each.flat(2)]));
    expect(compare(hits).main.reason ?? "").not.toContain("goes with");
    const out = await readText(
      "g.csv",
      lines(["item,system,release_date,rating", ...rows((s) => `202${s + 3}-01-01`)]),
    );
    expect(compare(out).main.verdict).not.toBe("NONE");
  });

  it.each(["who", "person", "reviewer_email", "listener"])(
    "refuses a verdict where %s names a rater who saw one system",
    async (name) => {
      const result = compare(
        await readText("g.csv", lines([`item,system,${name},rating`, ...rows((s) => (s ? "ben@x" : "anna@x"))])),
      );
      expect([result.main.verdict, result.main.reason]).toEqual(["NONE", expect.stringContaining("one system only")]);
    },
  );
});

describe("a file for each rater", () => {
  const part = (name: string, system: string, s: number) =>
    readText(
      `${name}.csv`,
      lines(["item,system,rating", ...times(40, (i) => `${i},${system},${1 + ((i * 7) % 4) + (i % 5 ? s : 0)}`)]),
    );

  it("refuses a verdict where annotator1 and annotator2 saw one system each", async () => {
    const { main } = compare([await part("annotator1", "A", 0), await part("annotator2", "B", 1)]);
    expect([main.verdict, main.reason]).toEqual(["NONE", expect.stringContaining("one system only")]);
    expect(compare([await part("first", "A", 0), await part("second", "B", 1)]).main.verdict).toBe("BETTER");
  });

  it("asks whether ratings_anna and ratings_ben are named after systems or raters", async () => {
    const files = [await part("ratings_anna", "A", 0), await part("ratings_ben", "B", 1)];
    expect(() => compare(files)).toThrow(
      "ratings_anna, ratings_ben hold ratings: is each file named after a system or after its rater?",
    );
    const { main } = compare(files, { files: "raters" });
    expect([main.verdict, main.reason]).toEqual(["NONE", expect.stringContaining("one system only")]);
    expect(compare(files, { files: "systems" }).main.verdict).toBe("BETTER");
    // a name that the column of systems has is no rater's
    const named = [await part("ratings_A", "A", 0), await part("ratings_B", "B", 1)];
    expect(compare(named).main.verdict).toBe("BETTER");
  });

  it("asks what anna.csv and ben.csv are where both hold the same systems", async () => {
    const both = lines(["item,system,rating", ...times(40, (i) => `${i >> 1},${"AB"[i % 2]},${1 + ((i * 7) % 5)}`)]);
    const files = [await readText("anna.csv", both), await readText("ben.csv", both)];
    expect(() => compare(files)).toThrow("anna, ben hold the same systems: is each file a rater, a run or a task?");
  });
});

describe("one rater who met both systems", () => {
  it("does not make two raters of one system each comparable", async () => {
    const rng = makeRng("link");
    const rate = (level: number): number => Math.min(5, Math.max(1, Math.round(level + 0.9 * rng.normal())));
    const rows = times(40, (i) => [`${i},A,anna,${rate(2.4)}`, `${i},B,ben,${rate(3.6)}`]).flat();
    const link = times(2, (i) => [`${i},A,cleo,${rate(3)}`, `${i},B,cleo,${rate(3)}`]).flat();
    const { main } = compare(await readText("r.csv", lines(["item,system,rater,rating", ...rows, ...link])));
    expect(main.facets?.[0]?.df).toBe(2);
    expect(main.verdict).toBe("INCONCLUSIVE");
  });
});
