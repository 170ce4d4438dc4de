/** Sheets of several questions, votes and raters, each test named after what went wrong. */
import { describe, expect, it } from "vitest";
import { compare, makeRng, measureAgreement } from "../src/index.ts";
import { nextStep } from "../src/plan.ts";
import { checklistOf, checklistText } from "../src/report/checklist.ts";
import { paperOf } from "../src/report/paper.ts";
import { chooseHumanColumns } from "../src/validity/metrics/columns.ts";
import { lines, readFiles, readText, times, warned } from "./support/read-text.ts";

const said = ({ imported: { assumptions } }: { imported: { assumptions: readonly string[] } }): string =>
  assumptions.join("\n");

describe("questions of one battery", () => {
  const AGREE = ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"];

  it("a column where nobody chose the ends was read on a scale of its own", async () => {
    const rows = times(24, (i) => `${i},${AGREE[i % 5]},${AGREE[1 + (i % 3)]},${AGREE[3 + (i % 2)]}`);
    const found = await readText("battery.csv", lines(["rater,fluent,faithful,useful", ...rows]));
    const values = (name: string): number[] => {
      const cells = found.imported.table.columns.get(name)!;
      return cells.kind === "numeric" ? [...new Set(cells.values)].sort() : [];
    };
    expect(values("fluent")).toEqual([1, 2, 3, 4, 5]);
    expect(values("faithful")).toEqual([2, 3, 4]);
    expect(values("useful")).toEqual([4, 5]);
    expect(said(found)).toContain("nobody chose 1 = strongly disagree, 5 = strongly agree");
  });
});

describe("names of raters", () => {
  it("with and without a blank stayed two where another spelling had capitals, and a warning denied what was read", async () => {
    const spell = (i: number): string => ["ben", "ben ", "BEN", "Anna", "Anna ", "Anna"][i % 6]!;
    const rows = times(120, (i) => `${i >> 2},${"AB"[(i >> 1) % 2]},${spell(i)},${1 + ((i * 7) % 5)}`);
    const found = await readText("names.csv", lines(["item,system,rater,rating", ...rows]));
    const cells = found.imported.table.columns.get("rater")!;
    expect(cells.kind === "factor" ? [...cells.levels].sort() : []).toEqual(["Anna", "BEN", "ben"]);
    expect(said(found)).toMatch(/"ben " \(20 rows\) as "ben".*"ben" and "BEN" differ in capitals alone/s);
    expect(found.imported.diagnostics.map(({ code }) => code)).not.toContain("PaddedLevels");
  });
});

describe("votes under way", () => {
  const vote = (i: number): string => {
    const [prompt, rater] = [i >> 2, i % 4];
    const sides = (prompt + rater) % 2 === 0 ? ["old", "new"] : ["new", "old"];
    return `p${prompt},r${rater},${sides.join(",")},${sides[0] === ((prompt * 5 + rater) % 7 < 5 ? "new" : "old") ? "A" : "B"}`;
  };
  const read = (n: number) =>
    readText("votes.csv", lines(["prompt_id,rater,model_a,model_b,winner", ...times(4 * n, vote)]));

  it("were refused for an option that nobody gave; prompts are the units, and the raters are these", async () => {
    const next = nextStep(await read(60));
    expect([next.n, next.units, next.decision]).toEqual([60, "prompts", "stop"]);
    expect(next.diagnostics.map(({ message }) => message).join(" ")).toContain("new prompts with these raters");
  });
});

describe("ratings under way", () => {
  it("raters who were averaged were called runs", async () => {
    const rows = times(240, (i) => `${i >> 3},${"AB"[(i >> 2) % 2]},r${i % 4},${1 + ((i * 7 + (i >> 3)) % 5)}`);
    const next = nextStep(await readText("rated.csv", lines(["item,system,rater,rating", ...rows])), { range: [1, 5] });
    expect(next.diagnostics.map(({ message }) => message).join(" ")).toContain("with these raters, not of new raters");
  });
});

describe("several systems and two raters", () => {
  it("no pair can have a verdict, whatever its p, and nothing on the screen said why", async () => {
    const rng = makeRng("two raters");
    const rows = times(180, (i) => {
      const score = Math.min(5, Math.max(1, Math.round(2 + (((i / 2) | 0) % 3) * 0.7 + rng.normal())));
      return `${(i / 6) | 0},${"ABC"[((i / 2) | 0) % 3]},r${i % 2},${score}`;
    });
    const result = compare(await readText("two.csv", lines(["item,system,rater,rating", ...rows])));
    expect(new Set(result.pairs.map(({ verdict }) => verdict))).toEqual(new Set(["INCONCLUSIVE"]));
    expect(result.display().screen!.summary.join(" ")).toContain("Two raters leave one degree of freedom");
  });
});

describe("the rater to look at first", () => {
  /** One rater is a step too high every second time, another is off by four every eighth time. */
  const rating = (i: number, r: number): number => {
    const truth = 1 + ((i * 3) % 5);
    if (r === 1 && i % 2 === 0) return Math.min(5, truth + 1);
    if (r === 2 && i % 5 === 0) return 6 - truth;
    return truth;
  };

  it("on an ordered scale was the one with the most near misses, without whom α falls", async () => {
    const rows = times(160, (i) => `${i >> 2},r${i % 4},${rating(i >> 2, i % 4)}`);
    const { imported } = await readText("odd.csv", lines(["item,rater,rating", ...rows]));
    const result = measureAgreement(imported.table, { item: "item", rater: "rater", label: "rating", replicates: 0 });
    const { perRater, coefficients } = result;
    const [near, far] = [perRater[1]!, perRater[2]!];
    expect(near.agreement).toBeLessThan(far.agreement);
    expect(far.alphaWithout).toBeGreaterThan(Math.max(near.alphaWithout, coefficients.alpha.value));
    expect(result.display().screen!.summary.join(" ")).toContain("r2 fits least with the others");
    expect(warned(result)).not.toContain("rater r1");
  });

  it("a paper had the sentence on α and a table of intraclass correlations", async () => {
    const rows = times(160, (i) => `${i >> 2},r${i % 4},${rating(i >> 2, i % 4)}`);
    const { imported } = await readText("odd.csv", lines(["item,rater,rating", ...rows]));
    const result = measureAgreement(imported.table, { item: "item", rater: "rater", label: "rating", replicates: 0 });
    const { table } = paperOf(result.toJSON());
    expect(table).toContain("Krippendorff");
    expect(table).not.toContain("ICC");
  });
});

describe("runs of each system as samples of their own", () => {
  it("the checklist covered the drawing of nothing", async () => {
    const rows = times(10, (i) => `${"AB"[i % 2]},${i >> 1},${(80 + i * ((i % 3) + 1)) / 100}`);
    const found = await readText("seeds.csv", lines(["model,seed,accuracy", ...rows]));
    const text = checklistText(checklistOf(compare(found, { unpaired: true }).toJSON()));
    expect(text).toContain("cover the drawing of 10 rows");
    expect(text).toContain("Assumed: the rows are independent");
  });
});

describe("a sheet of a survey platform", () => {
  it("how long raters took was the score, and what they answered was not", async () => {
    const rows = times(96, (i) => {
      const [stimulus, s, r] = [i >> 3, (i >> 2) & 1, i % 4];
      return `p${r},${60 + ((i * 37) % 500)},s${stimulus},${["human", "model"][s]},${1 + ((stimulus + 2 * s + (i % 3)) % 7)}`;
    });
    const head = "PROLIFIC_PID,time_taken,stimulus,condition,response";
    const found = await readText("survey.csv", lines([head, ...rows]));
    expect([found.imported.roles.metrics, found.imported.roles.rater]).toEqual([["response"], "PROLIFIC_PID"]);
    expect(said(found)).toContain("response holds whole numbers on a rating scale and is taken as the score");
  });
});

describe("words among numbers", () => {
  const rows = times(240, (i) => {
    const score = i % 19 === 0 ? (i % 2 === 0 ? "skip" : "-") : 1 + ((i * 7 + (i >> 3)) % 5);
    return `${(i / 6) | 0},${"AB"[((i / 3) | 0) % 2]},r${i % 3},${score}`;
  });

  it("made the rating a property of the items, which were dropped; every word is named as missing", async () => {
    const found = await readText("words.csv", lines(["item,system,rater,rating", ...rows]));
    expect(() => compare(found)).toThrow(/rating holds numbers except in 13 cells/);
    try {
      compare(found);
    } catch (error) {
      expect((error as { fix: string }).fix).toMatch(/missing: "(skip,-|-,skip)"/);
    }
  });
});

describe("prompts by their numbers", () => {
  it("were no items, so that their spread was left out of the advice", async () => {
    const rows = times(120, (i) => `${i >> 1},ann${i % 2},${((i * 5) % 5) - 2 + (i % 7 === 0 ? 1 : 0)}`);
    const found = await readText("prefer.csv", lines(["prompt,annotator,preference", ...rows]));
    expect(found.imported.roles.item).toBe("prompt");
  });
});

describe("one table of totals for each seed", () => {
  it("the same systems in every file were items", async () => {
    const seed = (k: number): string =>
      lines(["model,SST2,RTE", `base,${90 + k / 10},${70 + k / 7}`, `ours,${91 - k / 9},${72 + k / 5}`]);
    const { imported } = await readFiles("seeds", { "seed1.csv": seed(1), "seed2.csv": seed(2), "seed3.csv": seed(3) });
    expect([imported.roles.system, imported.roles.item]).toEqual(["model", undefined]);
  });
});

describe("people's scores beside computed ones", () => {
  it("a column called human was not taken for what people gave", async () => {
    const rows = times(
      60,
      (i) => `${i >> 1},${"AB"[i % 2]},${((i * 13) % 83) + 0.5},${((i * 7) % 50) / 50},${(i * 11) % 60}`,
    );
    const found = await readText("metrics.csv", lines(["segment,system,human,bleu,ter", ...rows]));
    expect(chooseHumanColumns(found.imported, {}).human).toBe("human");
  });
});

describe("means of runs beside their constant deviations", () => {
  it("base was no system, so that the deviations were proposed as systems too", async () => {
    const rows = ["SST2,91.9,0.5,92.6,0.5,5", "RTE,70.1,0.5,71.2,0.5,5", "CoLA,58.1,0.5,59.1,0.5,5"];
    const found = await readText(
      "means.csv",
      lines(["dataset,base_mean,base_std,ours_mean,ours_std,n_seeds", ...rows]),
    );
    expect(found.imported.roles.wide).toEqual(["base_mean", "ours_mean"]);
  });
});
