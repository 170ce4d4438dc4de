/** Which way is better, by names and by what the file declares; and metrics by their names. */

import { describe, expect, it } from "vitest";
import { compare, describeImported, makeRng } from "../src/index.ts";
import { warnOfMixedMetrics } from "../src/models.ts";
import { metricDirection } from "../src/study/lexicon/metrics.ts";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder, writesTo } from "./support/folder.ts";
import { codesOf, flat, lines, readText, times } from "./support/read-text.ts";

const folder = makeFolder("direction-words");
const file = writesTo(folder);

/** 60 items; B has the thing on 18 more of them than A. */
function binary(name: string, yes: string, no: string): string[] {
  const has = { A: (i: number) => i < 20, B: (i: number) => i >= 2 && i < 40 };
  return [
    `model,id,${name}`,
    ...(["A", "B"] as const).flatMap((s) => Array.from({ length: 60 }, (_, i) => `${s},q${i},${has[s](i) ? yes : no}`)),
  ];
}

describe("the direction of a metric, by its name", () => {
  it.each([
    ["hallucinated", "Y", "N", "WORSE"],
    ["is_hallucination", "true", "false", "WORSE"],
    ["toxicity", "1", "0", "WORSE"],
    ["num_errors", "1", "0", "WORSE"],
    ["error_free", "1", "0", "HIGHER"],
    ["correct", "T", "F", "BETTER"],
    ["refusal", "1", "0", "HIGHER"],
    ["tokens", "10", "2", "HIGHER"],
  ])("%s (%s, %s) is %s", (name, yes, no, verdict) => {
    const path = file(`${name}.csv`, binary(name, yes, no));
    const { verdict: found, higherIsBetter, notes } = gossetJson("compare", path, "--metric", name);
    expect(found).toBe(verdict);
    expect(higherIsBetter).toBe(verdict === "HIGHER" ? null : verdict === "BETTER");
    const text = gosset("compare", path, "--metric", name).stdout;
    expect(text.startsWith(verdict)).toBe(true);
    if (verdict === "HIGHER") {
      expect(notes.join(" ")).toMatch(/--direction higher or --direction lower decides it/);
      expect(text).not.toMatch(/BETTER|WORSE|is better\)/);
      expect(gossetJson("compare", path, "--metric", name, "--direction", "lower").verdict).toBe("WORSE");
    }
  });

  it("is the same in describe, compare, score and JSON", () => {
    const path = file("agree.csv", binary("hallucinated", "Y", "N"));
    expect(gosset("describe", path).stdout).toMatch(/score is hallucinated, lower is better/);
    expect(gossetJson("compare", path).higherIsBetter).toBe(false);
    const open = file("open.csv", binary("tokens", "10", "2"));
    expect(gosset("describe", open).stdout).not.toMatch(/is better/);
    expect(gosset("score", open, "--score", "tokens").stdout).toMatch(/Gosset does not know whether higher is better/);
    expect(gossetJson("score", open, "--score", "tokens").higherIsBetter).toBe(null);
  });

  it("equivalence needs no direction, but there is no non-inferiority without one", () => {
    const path = file("margin.csv", binary("tokens", "2", "2.01"));
    const { verdict, equivalence } = gossetJson("compare", path, "--metric", "tokens", "--margin", "1");
    expect([verdict, equivalence.nonInferiorityP]).toEqual(["EQUIVALENT", "NaN"]);
  });
});

describe("a long table of metrics", () => {
  const rows = ["model,id,metric,value"];
  for (let i = 0; i < 40; i++) {
    for (const [s, shift] of [
      ["old", 0],
      ["new", 1],
    ] as const) {
      rows.push(`${s},q${i},bleu,${30 + ((i * 7) % 11) + shift * (1 + (i % 3))}`);
      rows.push(
        `${s},q${i},wer,${(0.2 + ((i * 5) % 7) / 50 + shift * (0.02 + (i % 5) / 100) + (i % 4) / 100).toFixed(3)}`,
      );
      rows.push(`${s},q${i},latency_ms,${500 + ((i * 13) % 17)}`);
    }
  }
  const path = file("metrics.csv", rows);

  it("each metric is compared by itself, in its own direction, and the others are named", () => {
    const { metric, systems, verdict, n, notes } = gossetJson("compare", path);
    expect([metric, verdict, n]).toEqual(["bleu", "BETTER", 40]);
    expect(systems[0].score).toBeLessThan(41);
    expect(notes.join(" ")).toMatch(/compared by bleu; there are also wer, latency_ms\. --metric wer/i);
    const wer = gossetJson("compare", path, "--metric", "WER");
    expect([wer.metric, wer.higherIsBetter, wer.verdict]).toEqual(["wer", false, "WORSE"]);
    expect(wer.systems[0].score).toBeLessThan(1);
  });

  it("a condition may name the metric", () => {
    expect(gossetJson("compare", path, "--where", "metric == 'wer'").metric).toBe("wer");
  });

  it("a name that is none of them is refused, with their names", () => {
    expect(gossetRefuses("compare", path, "--metric", "chrf")).toMatch(/bleu, wer, latency_ms/);
    expect(gossetRefuses("compare", path, "--metric", "value")).toMatch(/bleu, wer, latency_ms/);
  });
});

describe("the answer on two systems", () => {
  it("the difference printed is that of the scores printed, and the assumed direction is said", () => {
    const { stdout } = gosset("compare", file("screen.csv", binary("correct", "1", "0")));
    const number = (name: string): number => Number(new RegExp(`^${name} +([-+.\\d]+)`, "m").exec(stdout)![1]);
    expect(number("B") - number("A")).toBeCloseTo(number("difference"), 6);
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /Assumed Higher correct is better \(by its name\)\. Items are matched by id, 60 of 60/,
    );
  });
});

const rng = makeRng("metrics");
const SYSTEMS = ["old", "new"];

describe("metrics in rows", () => {
  it("are compared where two systems have them", async () => {
    const rows = times(50, (i) => [
      `A,${i},acc,${i % 2}`,
      `B,${i},acc,${i % 3 ? 1 : 0}`,
      `A,${i},f1,0.${10 + (i % 9)}`,
    ]).flat();
    const file = await readText("r.csv", lines(["system,id,metric,score", ...rows]));
    expect(() => compare(file, { metric: "f1" })).toThrow("of A, B only A has f1");
    expect(codesOf(compare(file, { metric: "all" }))).toContain("MetricOfOne");
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
  ])("is read from %s, against the name", async (head, up, down) => {
    const file = await readText("r.csv", table(head, [up, down]));
    const [error, zork] = ["error", "zork"].map((metric) => compare(file, { metric }));
    expect([error!.main.verdict, zork!.main.verdict]).toEqual(["BETTER", "WORSE"]);
    expect(flat(zork!)).toContain("Lower zork is better (by the contents of the file)");
  });

  it("is not read from a column that names languages or sides", async () => {
    const file = await readText("r.csv", table("direction", ["en-de", "de-en"]));
    expect(compare(file, { metric: "zork" }).higherIsBetter).toBe(null);
  });
});

it("codes, kinds and weights of errors and losses have no direction", () => {
  const open =
    "error_code error_type failure_mode loss_weight error_message speed_limit distance_travelled time_of_day";
  for (const name of open.split(" ")) expect([name, metricDirection(name)]).toEqual([name, undefined]);
});

it.each(["quality (1 = best)", "quality (5 = excellent)"])(
  "%s has no direction until the user says it",
  async (name) => {
    const rows = times(60, (i) => ["A", "B"].map((s, k) => `${i},${s},${1 + ((i * 7) % 4) + (i % 5 ? k : 0)}`));
    const data = await readText("r.csv", lines([`item,system,${name}`, ...rows.flat()]));
    expect(compare(data).main.verdict).toBe("HIGHER");
    expect(compare(data, { higherIsBetter: false }).main.verdict).toBe("WORSE");
  },
);

describe("several metrics", () => {
  const rows = (names: readonly string[]): string[] => [
    ["item", "system", ...names].join(","),
    ...times(30, (i) =>
      ["A", "B"].map((s, k) => [i, s, ...names.map((_, m) => 1 + ((i * (m + 3) + k) % 5))].join(",")),
    ).flat(),
  ];
  const two = file("two.csv", rows(["fluency", "adequacy"]));
  it.each(["all", "fluency,adequacy"])("shows all of --metric %s on the first screen", (metric) => {
    const { stdout } = gosset("compare", two, "--metric", metric);
    // verdicts of two metrics, of which each errs by itself
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /Every metric \(the verdict is by .+; verdicts and intervals at α = 0\.0\d+ each; p not adjusted for 2 metrics\)/,
    );
    expect(stdout).toMatch(/^adequacy .*(BETTER|WORSE|INCONCLUSIVE)$/m);
    expect(stdout).not.toContain("there is also");
  });
  it("is that one with --metric all where there is one", () => {
    const one = file("one.csv", rows(["fluency"]));
    expect(gossetJson("compare", one, "--metric", "all").metric).toBe("fluency");
  });
});

describe("a model of rows with several metrics", () => {
  const read = async (name: string) => {
    const rows = times(20, (k) =>
      ["A", "B"].flatMap((system) => [`${system},q${k},bleu,${30 + k}`, `${system},q${k},wer,${k / 40}`]),
    ).flat();
    return (await readText("data.csv", lines([`system,item,${name},value`, ...rows]))).imported.table;
  };

  it.each(["metric", "what"])("says that it takes them for one: %s", async (name) => {
    const table = await read(name);
    expect(warnOfMixedMetrics(table, ["value ~ system"])[0]?.message).toContain(
      `2 metrics (column ${name}: bleu, wer)`,
    );
    expect(warnOfMixedMetrics(table, [`value ~ system * ${name}`])).toEqual([]);
  });

  it("takes a kind of items for no metric", async () => {
    const rows = times(20, (k) =>
      ["A", "B"].map((system) => `${system},q${k},${k % 2 ? "depth" : "tone"},${k}`),
    ).flat();
    const { imported } = await readText("data.csv", lines(["system,item,dimension,value", ...rows]));
    expect(warnOfMixedMetrics(imported.table, ["value ~ system"])).toEqual([]);
  });
});

it("takes votes as numbers of sides for no score of which more is better", async () => {
  const rows = times(60, (i) => `p${i % 20},u${i % 3},${i % 2 === 1},${(i * i) % 3}`);
  const { imported } = await readText("r.csv", lines(["prompt_id,rater_id,swapped,winner", ...rows]));
  expect(imported.metrics).toEqual([]);
  const described = describeImported(imported, { target: "r.csv" });
  expect(String(described)).not.toContain("higher is better");
});
