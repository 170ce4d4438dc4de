/** Several metrics and several tasks under names and in layouts of which a mean was taken, or a direction asserted, that the data do not have. */
import { describe, expect, it } from "vitest";
import { compare, describeImported, importFiles, makeRng } from "../src/index.ts";
import { lines, readText, times } from "./support/read-text.ts";

const rng = makeRng("metrics");
const SYSTEMS = ["old", "new"];

/** One row for each system, item and level; the second system is higher by `gain`. */
const rowsBy = (
  levels: readonly (string | number)[],
  score: (level: string | number, gain: number) => number | string,
) =>
  times(40, (i) => levels.flatMap((level) => SYSTEMS.map((s, k) => `${s},q${i},${level},${score(level, k)}`))).flat();
const describeText = async (name: string, text: string): Promise<string> => {
  const imported = await importFiles([{ name, bytes: new TextEncoder().encode(text) }]);
  return describeImported(imported, { target: name, available: new Set(["compare", "score"]) })
    .toString()
    .replace(/\s+/g, " ");
};

const UNITS: Readonly<Record<string, readonly [number, number, number]>> = {
  bleu: [30, 5, 4],
  ter: [55, 5, -5],
  latency_ms: [600, 40, 60],
};
const measured = (level: string | number, gain: number): string => {
  const [mean, sd, effect] = UNITS[level]!;
  return (mean + sd * rng.normal() + gain * effect).toFixed(3);
};

describe("metrics in rows", () => {
  it.each(["judge", "evaluator", "grader", "annotator", "llm_judge"])(
    "bleu, ter and latency under %s were averaged as the scores of three raters",
    async (name) => {
      const text = lines([`system,seg,${name},score`, ...rowsBy(Object.keys(UNITS), measured)]);
      const result = compare(await readText("r.csv", text));
      expect([result.metric, result.main.verdict]).toEqual(["bleu", "BETTER"]);
      expect(compare(await readText("r.csv", text), { metric: "latency" }).main.verdict).toBe("WORSE");
    },
  );

  it("people who are called after nothing that is measured stay raters", async () => {
    for (const raters of [
      ["EM", "DA"],
      ["pass1", "pass2"],
      ["Grace", "Hope"],
      ["gpt-4o", "claude"],
    ]) {
      const text = lines(["model,item,judge,score", ...rowsBy(raters, (_, k) => 1 + k + rng.int(4))]);
      const { roles } = (await readText("r.csv", text)).imported;
      expect([raters, roles.rater, roles.metric]).toEqual([raters, "judge", undefined]);
    }
  });

  it("what was hallucinated and what was faithful had one mean", async () => {
    const score = (level: string | number, k: number): number =>
      Number(rng.uniform() < (level === "faithful" ? 0.8 : 0.2 + 0.5 * k));
    const text = lines(["model,id,property,value", ...rowsBy(["hallucinated", "faithful"], score)]);
    const result = compare(await readText("r.csv", text));
    expect([result.metric, result.higherIsBetter, result.main.verdict]).toEqual(["hallucinated", false, "WORSE"]);
  });

  it("criteria that have a number for a name were averaged", async () => {
    const text = lines([
      "model,item,criterion,rating",
      ...rowsBy([1, 2, 3], (level, k) => 1 + k + rng.int(3) + Number(level === 2)),
    ]);
    const result = compare(await readText("r.csv", text));
    expect(result.metric).toBe("criterion 1");
    expect(compare(await readText("r.csv", text), { metric: "2" }).metric).toBe("criterion 2");
    expect(await describeText("r.csv", text)).toContain("criterion 1, criterion 2, criterion 3");
  });

  it("describe offered a comparison that was refused", async () => {
    const text = lines(["model,id,metric,value", ...rowsBy(Object.keys(UNITS), measured)]);
    expect(await describeText("r.csv", text)).toContain("gosset compare r.csv --metric bleu");
    const where = ["metric == 'ter'"];
    const result = compare(await readText("r.csv", text), { where, metric: "value" });
    expect([result.metric, result.main.verdict]).toEqual(["ter", "BETTER"]);
  });

  it("a metric that one system has stopped the comparison by all", async () => {
    const rows = times(50, (i) => [
      `A,${i},acc,${i % 2}`,
      `B,${i},acc,${i % 3 ? 1 : 0}`,
      `A,${i},f1,0.${10 + (i % 9)}`,
    ]).flat();
    const file = await readText("r.csv", lines(["system,id,metric,score", ...rows]));
    expect(() => compare(file, { metric: "f1" })).toThrow("of A, B only A has f1");
    expect(compare(file, { metric: "all" }).diagnostics.map(({ code }) => code)).toContain("MetricOfOne");
  });
});

describe("the direction that a table declares", () => {
  const table = (head: string, said: readonly [string, string]) =>
    lines([
      `model,id,metric,value,${head}`,
      ...times(40, (i) =>
        ["error", "zork"].flatMap((metric, m) =>
          SYSTEMS.map((s, k) => `${s},${i},${metric},${(1 + k + 0.3 * rng.normal()).toFixed(3)},${said[m]}`),
        ),
      ).flat(),
    ]);
  it.each([
    ["higher_is_better", "true", "false"],
    ["lower_is_better", "no", "yes"],
    ["direction", "maximize", "minimize"],
    ["goal", "max", "min"],
    ["better", "higher", "lower"],
    ["greater_is_better", "1", "0"],
  ])("%s was not read, and the name contradicted it", async (head, up, down) => {
    const file = await readText("r.csv", table(head, [up, down]));
    const [error, zork] = ["error", "zork"].map((metric) => compare(file, { metric }));
    expect([error!.main.verdict, zork!.main.verdict]).toEqual(["BETTER", "WORSE"]);
    expect(zork!.toString().replace(/\s+/g, " ")).toContain("Lower zork is better (the file says so)");
  });

  it("a column that names languages or sides declares nothing", async () => {
    const file = await readText("r.csv", table("direction", ["en-de", "de-en"]));
    expect(compare(file, { metric: "zork" }).higherIsBetter).toBe(null);
  });

  it("words that praise were said to be a name", async () => {
    const rows = times(40, (i) =>
      SYSTEMS.map((s, k) => `${s},q${i},${rng.uniform() < 0.3 + 0.5 * k ? "safe" : "unsafe"}`),
    ).flat();
    const result = compare(await readText("r.csv", lines(["model,prompt_id,label", ...rows])));
    expect([result.main.verdict, result.higherIsBetter]).toEqual(["BETTER", true]);
    expect(result.toString()).not.toContain("by its name");
  });
});

describe("tasks", () => {
  const scored = (
    tasks: readonly (readonly [string | number, number])[],
    score: (task: string | number, k: number) => number,
  ) =>
    tasks.flatMap(([task, n]) => times(n, (i) => SYSTEMS.map((s, k) => `${s},${task},${i},${score(task, k)}`)).flat());
  it.each([
    ["equal", [40, 40, 40]],
    ["unequal", [20, 40, 90]],
  ])("numbered tasks of %s sizes pooled the items that have the same id", async (_, sizes) => {
    const rows = scored(
      sizes.map((n, t) => [t + 1, n] as const),
      (_task, k) => Number(rng.uniform() < 0.5 + 0.1 * k),
    );
    const text = lines(["model,task,id,score", ...rows]);
    const result = compare(await readText("r.csv", text));
    expect([result.n, result.slices.length > 0]).toEqual([sizes.reduce((a, b) => a + b), true]);
    expect(await describeText("r.csv", text)).toContain("3 tasks");
  });

  it.each(["score", "f1"])("shares in one task and points out of 100 in another had a mean of %s", async (name) => {
    const rows = scored(
      [
        ["qa", 40],
        ["mt", 40],
      ],
      (task, k) =>
        task === "qa"
          ? name === "f1"
            ? rng.uniform()
            : Number(rng.uniform() < 0.5)
          : Number((40 + 3 * k + 8 * rng.normal()).toFixed(2)),
    );
    const file = await readText("r.csv", lines([`model,task,id,${name}`, ...rows]));
    const { main } = compare(file);
    expect([main.verdict, main.reason]).toEqual(["NONE", expect.stringContaining("do not share a scale")]);
    expect(compare(file, { where: ["task == 'mt'"] }).main.verdict).not.toBe("NONE");
  });
});

describe("files", () => {
  const file = (name: string, n: number, score: (k: number) => string, systems: readonly string[] = SYSTEMS) =>
    readText(
      name,
      lines([
        systems.length > 1 ? "model,id,score" : "id,score",
        ...times(n, (i) => systems.map((s, k) => `${systems.length > 1 ? `${s},` : ""}${i},${score(k)}`)).flat(),
      ]),
    );
  it("a file for each metric was a run each, of which the mean was taken", async () => {
    const parts = [
      await file("bleu.csv", 40, (k) => measured("bleu", k)),
      await file("ter.csv", 40, (k) => measured("ter", k)),
    ];
    const result = compare(parts, { metric: "all" });
    expect([result.metric, result.main.verdict]).toEqual(["bleu", "BETTER"]);
    expect(compare(parts, { metric: "ter" }).main.verdict).toBe("BETTER");
  });

  it("a file for each system and metric was a system each", async () => {
    const parts = await Promise.all(
      SYSTEMS.flatMap((s, k) => ["bleu", "ter"].map((m) => file(`${s}_${m}.csv`, 40, () => measured(m, k), [s]))),
    );
    const result = compare(parts, { metric: "ter" });
    expect([result.systems.map(({ name }) => name), result.main.verdict]).toEqual([["old", "new"], "BETTER"]);
  });

  it("items of two benchmarks were matched by their numbers", async () => {
    const right = (k: number): string => String(Number(rng.uniform() < 0.5 + 0.1 * k));
    for (const names of [
      ["arc.csv", "gsm8k.csv"],
      ["part1.csv", "part2.csv"],
    ]) {
      const result = compare([await file(names[0]!, 40, right), await file(names[1]!, 90, right)]);
      expect([result.systems.map(({ name }) => name), result.n]).toEqual([["old", "new"], 130]);
    }
  });

  it("named scores in lists of JSON lines became items", async () => {
    const rows = times(40, (i) =>
      SYSTEMS.map((model, k) =>
        JSON.stringify({
          model,
          id: i,
          metrics: [
            { name: "accuracy", value: Number(rng.uniform() < 0.3 + 0.5 * k) },
            { name: "toxicity", value: i / 100 },
          ],
        }),
      ),
    ).flat();
    const result = compare(await readText("r.jsonl", lines(rows)));
    expect([result.metric, result.n, result.main.verdict]).toEqual(["accuracy", 40, "BETTER"]);
  });
});

describe("names of metrics", () => {
  const file = readText(
    "r.csv",
    lines([
      "model,id,F1 (%),scores.latency_s,WER ↓",
      ...times(40, (i) =>
        SYSTEMS.map(
          (s, k) => `${s},${i},${50 + rng.int(9) + k},${(1 + rng.uniform()).toFixed(3)},0.${20 + rng.int(9)}`,
        ),
      ).flat(),
    ]),
  );
  it.each([
    ["f1", "F1 (%)"],
    ["latency", "scores.latency_s"],
    ["latency_s", "scores.latency_s"],
    ["wer", "WER ↓"],
  ])("%s was not found", async (wanted, name) => {
    expect(compare(await file, { metric: wanted }).metric).toBe(name);
  });

  it("two measures of two systems in the header: the second was one system's own", async () => {
    const rows = times(
      50,
      (i) => `${i},0.${20 + rng.int(20)},0.${24 + rng.int(20)},0.${50 + rng.int(9)},0.${30 + rng.int(9)}`,
    );
    const text = lines(["id,wer_whisper,wer_conformer,rtf_whisper,rtf_conformer", ...rows]);
    const result = compare(await readText("r.csv", text), { metric: "rtf" });
    expect([result.systems.map(({ name }) => name).sort(), result.higherIsBetter]).toEqual([
      ["conformer", "whisper"],
      false,
    ]);
  });
});
