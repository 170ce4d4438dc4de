/** Rating sheets, votes, tasks and seeds as people have them: one test for each fault, on files made here, under other names. */
import { describe, expect, it } from "vitest";
import {
  describeImported,
  importFiles,
  measureAgreement,
  measureReliability,
  parametersFromPilot,
} from "../src/index.ts";
import { compare } from "../src/significance/compare/compare.ts";
import { singleVotes } from "../src/study/reshape/single-votes.ts";

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const read = (name: string, rows: readonly string[]) =>
  importFiles([{ name, bytes: new TextEncoder().encode(`${rows.join("\n")}\n`) }]);
const shown = (imported: Awaited<ReturnType<typeof read>>) =>
  describeImported(imported, {
    target: "x.csv",
    available: new Set("compare fit agreement reliability mde score".split(" ")),
  });
/** Noise without a pattern: digits of multiples of the golden section. */
const noise = (i: number): number => (i * 0.6180339887498949) % 1;

const WORDS = ["sehr schlecht", "schlecht", "mittel", "gut", "sehr gut"];
const level = (i: number, r: number, s: number): number =>
  Math.min(4, Math.floor(5 * (0.5 * noise(3 * i + s) + 0.4 * noise(7 * i + 13 * r + 5 * s) + 0.06 * s)));

describe("rating sheets", () => {
  const words = () =>
    read("bewertung.csv", [
      "satz;modell;bewerter;urteil",
      ...times(30, (i) =>
        [0, 1].flatMap((s) => times(3, (r) => `s${i};${s ? "neu" : "alt"};p${r};${WORDS[level(i, r, s)]}`)),
      ).flat(),
    ]);

  it("words stood in the alphabet's order: α 0.018 for 0.331", async () => {
    const { table, roles, assumptions } = await words();
    expect(assumptions.join(" ")).toContain("1 = sehr schlecht, 2 = schlecht, 3 = mittel, 4 = gut");
    const columns = { item: [roles.item!, roles.system!], rater: roles.rater!, label: roles.score!, replicates: 0 };
    const found = measureAgreement(table, columns);
    expect(found.scale).toBe("ordinal");
    // the same as numbers that were written as such
    const numbers = await read("n.csv", [
      "satz,modell,bewerter,urteil",
      ...times(30, (i) => [0, 1].flatMap((s) => times(3, (r) => `s${i},${s},p${r},${1 + level(i, r, s)}`))).flat(),
    ]);
    expect(found.coefficients.alpha.value).toBe(measureAgreement(numbers.table, columns).coefficients.alpha.value);
  });

  it("words are compared, measured for reliability, and taken as a pilot", async () => {
    const imported = await words();
    const { table, roles } = imported;
    expect(compare(imported).higherIsBetter).toBe(true);
    expect(measureReliability(imported, { intervals: "none" }).facets).toEqual([roles.rater, roles.system]);
    const pilot = parametersFromPilot("likert", table, {
      score: roles.score!,
      system: roles.system!,
      rater: roles.rater!,
      item: roles.item!,
    });
    expect(pilot).toMatchObject({ raters: 3, items: 30, ratings: 180 });
    expect(shown(imported).answers.length).toBeGreaterThan(2);
  });

  it("criteria side by side were one score or none", async () => {
    const imported = await read("criteria.csv", [
      "sentence,engine,judge,Fluency,Adequacy",
      ...times(20, (i) =>
        [0, 1].flatMap((s) => times(3, (r) => `t${i},e${s},j${r},${1 + level(i, r, s)},${1 + level(i + 50, r, s)}`)),
      ).flat(),
    ]);
    expect(imported.roles.metrics).toEqual(["Fluency", "Adequacy"]);
    expect(compare(imported, { metric: "adequacy" }).metric).toBe("Adequacy");
  });

  it("one column per rater was read as one column per system", async () => {
    const imported = await read("wide.csv", [
      "segment,mt_system,annotator_1,annotator_2,annotator_3",
      ...times(20, (i) =>
        [0, 1].map((s) => `g${i},${s ? "B" : "A"},${times(3, (r) => 1 + level(i, r, s)).join(",")}`),
      ).flat(),
    ]);
    expect(imported.table.rows).toBe(120);
    const { repeated } = compare(imported);
    expect(repeated).toContainEqual({ facet: "raters", levels: 3 });
  });

  it("left, right and tie with raters said nothing", async () => {
    const imported = await read("pairs.csv", [
      "prompt_id,annotator,left,right,preference",
      ...times(20, (i) =>
        times(3, (r) => `p${i},a${r},${(i + r) % 2 ? "X,Y" : "Y,X"},${["left", "right", "tie"][(i * 7 + r * 5) % 3]}`),
      ).flat(),
    ]);
    expect(compare(imported)).toMatchObject({ n: 60, units: "battles" });
    expect(singleVotes(imported.table, imported.roles)!.table.rows).toBe(60);
    expect(shown(imported).answers.map(({ command }) => command)).toContain("gosset agreement x.csv --shape long");
  });

  it("best-worst scaling said nothing yet", async () => {
    const imported = await read("bws.csv", [
      "tuple,worker,item1,item2,item3,item4,best,worst",
      ...times(24, (i) => `q${i},w${i % 4},A,B,C,D,${"ABCD"[(i * 5) % 3]},${i % 3 ? "D" : "C"}`),
    ]);
    expect(imported.systems).toEqual(["A", "B", "C", "D"]);
    expect(shown(imported).answers.length).toBeGreaterThan(0);
    const { systems, higherIsBetter } = compare(imported);
    expect(higherIsBetter).toBe(true);
    // D is never best and worst in 16 of 24
    expect(systems.find(({ name }) => name === "D")!.score).toBeCloseTo(-16 / 24, 1);
  });
});

describe("votes on few prompts", () => {
  it("40 votes on each of 8 prompts had p < 0.0001, where by prompt it is 0.13", async () => {
    const lean = [1, 1, 1, 1, 1, 0, 1, 0];
    const rows = [
      "question,judge,model_a,model_b,winner",
      ...lean.flatMap((own, q) =>
        times(40, (k) => `q${q},j${k % 3},X,Y,${(k % 20 ? own : 1 - own) ? "model_b" : "model_a"}`),
      ),
    ];
    const { main, repeated } = compare(await read("votes.csv", rows));
    expect(repeated).toContainEqual({ facet: "prompts", levels: 8 });
    // votes as if they were independent
    expect(main.test.p).toBeLessThan(1e-4);
    expect(main.p).toBeGreaterThan(0.05);
    expect(main.verdict).toBe("INCONCLUSIVE");
  });
});

describe("tasks and seeds", () => {
  it("rows of another task were rows without a score, and pooled and macro averages were not told apart", async () => {
    const rows = [
      "model,benchmark,q,acc,f1",
      ...["old", "new"].flatMap((m, s) => [
        ...times(60, (i) => `${m},arc,${i},${noise(i + 91 * s) < 0.5 + 0.1 * s ? 1 : 0},`),
        ...times(20, (i) => `${m},squad,${i},,0.${10 + ((i * 7 + s * 13) % 80)}`),
      ]),
    ];
    const result = compare(await read("tasks.csv", rows), { metric: "acc" });
    expect(result.n).toBe(60);
    expect(result.diagnostics.map(({ code }) => code)).toContain("OtherTasks");
    expect(result.diagnostics.map(({ code }) => code)).not.toContain("MissingScores");
  });

  it("system x data set x seed was offered --unpaired", async () => {
    const rows = [
      "system,dataset,seed,accuracy",
      ...["base", "ours"].flatMap((m, s) =>
        times(6, (d) =>
          times(3, (k) => `${m},d${d},${k},${(70 + 3 * d + s + 2 * noise(d * 9 + k * 5 + s)).toFixed(2)}`),
        ).flat(),
      ),
    ];
    const imported = await read("seeds.csv", rows);
    expect(shown(imported).answers.filter(({ command }) => command.includes("--unpaired"))).toEqual([]);
    const { n, units, repeated } = compare(imported);
    expect([n, units]).toEqual([6, "data sets"]);
    expect(repeated).toContainEqual({ facet: "runs", levels: 3 });
  });

  it("a byte-order mark was part of the first name", async () => {
    const imported = await read("bom.csv", [
      "\uFEFFmodel,id,score",
      ...times(10, (i) => `A,${i},1`),
      ...times(10, (i) => `B,${i},0`),
    ]);
    expect(imported.roles.system).toBe("model");
  });
});
