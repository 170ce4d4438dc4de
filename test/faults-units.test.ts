/** What the rows of one item and system differ in: somebody who judged, a part of a document, a sheet, a measure. A verdict that takes any of them
 *  for more of the same is too sure of itself. */
import { describe, expect, it } from "vitest";
import { compare, describeImported } from "../src/index.ts";
import { makeRng } from "../src/numeric/rng.ts";
import { lines, readFiles, readText, times } from "./support/read-text.ts";

/** Ratings of 40 items by 4 people, each with a taste of his own. */
function ratings(write: (item: number, system: string, rater: number, score: number) => string): string[] {
  const rng = makeRng("people");
  const taste = times(4, () => 0.5 * rng.normal());
  return times(40, (i) => {
    const base = 3 + 0.6 * rng.normal();
    return ["A", "B"].flatMap((system, s) =>
      times(4, (r) => {
        const y = base + s * taste[r]! + 0.8 * rng.normal();
        return write(i, system, r, Math.min(5, Math.max(1, Math.round(y))));
      }),
    );
  }).flat();
}

const NAMED = lines(["item,system,rater,rating", ...ratings((i, s, r, y) => `${i},${s},P${r},${y}`)]);
const plain = (result: object): string => String(result).replace(/\s+/g, " ");
const described = async (text: string): Promise<string> => {
  const { imported } = await readText("r.csv", text);
  return String(describeImported(imported, { target: "r.csv", available: new Set(["compare"]) }));
};

describe("who judged, under a name that nobody knows", () => {
  it.each([
    ["frase,sistema,valutatrice,punteggio", (r: number) => `v${r}`],
    ["item,system,xyz,rating", (r: number) => `Person ${r}`],
    ["item,condition,subject,rating", (r: number) => `s${r}`],
  ])("%s: was averaged as repeats, and p ignored him", async (head, name) => {
    const wanted = compare(await readText("r.csv", NAMED)).main;
    const text = lines([head, ...ratings((i, s, r, y) => `i${i},${s},${name(r)},${y}`)]);
    const { main, scope } = compare(await readText("r.csv", text));
    expect(scope).toContain("raters");
    expect(main.p).toBeCloseTo(wanted.p, 9);
    expect(await described(text)).toContain("4 raters");
  });

  it("is not looked for in ways to run: those are named, and averaged", async () => {
    const text = lines(["item,system,variant,rating", ...ratings((i, s, r, y) => `${i},${s},v${r},${y}`)]);
    const result = compare(await readText("r.csv", text));
    expect(result.scope).not.toContain("raters");
    expect(plain(result)).toContain("Rows of one item and system differ in variant (v0, v1, v2, …)");
  });

  it("meets each word once, in one condition: words and people are both crossed", async () => {
    const rng = makeRng("words");
    const rows = times(24, (w) =>
      times(12, (s) => `s${s},w${w},${["near", "far"][(w + s) % 2]},${500 + rng.int(200)}`),
    );
    const { main, n, scope } = compare(await readText("r.csv", lines(["subject,word,condition,RT", ...rows.flat()])));
    expect({ n, scope }).toEqual({ n: 24, scope: ["items", "raters"] });
    expect(main.test.name).toBe("model");
  });
});

describe("sheets of one rater each", () => {
  const sheet = (r: number): string =>
    lines([
      "item,system,rating",
      ...ratings((i, s, q, y) => (q === r ? `${i},${s},${y}` : "")).filter((row) => row !== ""),
    ]);

  it("were compared as systems of their own: A of anna against B of ben", async () => {
    const names = ["anna", "ben", "chloe", "dora"];
    const files = await Promise.all(names.map((name, r) => readText(`${name}.csv`, sheet(r))));
    const result = compare(files);
    const wanted = compare(await readText("r.csv", NAMED)).main;
    expect(result.systems.map(({ name }) => name)).toEqual(["A", "B"]);
    expect(result.main.p).toBeCloseTo(wanted.p, 9);
    expect(plain(result)).toContain("hold the same systems and items, so the files are taken as raters");
    const folder = await readFiles("sheets", Object.fromEntries(names.map((name, r) => [`${name}.csv`, sheet(r)])));
    expect(String(describeImported(folder.imported, { target: "sheets", available: new Set(["compare"]) }))).toContain(
      "4 raters",
    );
  });

  it("with a column for each system, too; scores that are no ratings make runs of them", async () => {
    const wide = (r: number): string => {
      const own = ratings((_, __, q, y) => (q === r ? String(y) : "")).filter((y) => y !== "");
      return lines(["item,A,B", ...times(40, (i) => `${i},${own[2 * i]},${own[2 * i + 1]}`)]);
    };
    const files = await Promise.all(times(4, (r) => readText(`rater_${r}.csv`, wide(r))));
    expect(compare(files).main.p).toBeCloseTo(compare(await readText("r.csv", NAMED)).main.p, 9);
    const day = (d: number): string =>
      lines([
        "item,system,f1",
        ...times(30, (i) => [`${i},A,0.${10 + ((i * 7 + d) % 80)}`, `${i},B,0.${10 + ((i * 11 + d) % 80)}`]).flat(),
      ]);
    const runs = compare(await Promise.all(times(3, (d) => readText(`day${d}.csv`, day(d)))));
    expect(runs.scope).toEqual(["items", "runs"]);
    // who names a system of one file gets it
    const apart = await Promise.all(times(2, (d) => readText(`day${d}.csv`, day(d))));
    expect(compare(apart, { systems: ["A (day0)", "A (day1)"] }).systems.map(({ name }) => name)).toEqual([
      "A (day0)",
      "A (day1)",
    ]);
  });
});

/** 8 x 10 answers, parts of something larger. */
const parts = (write: (holder: number, part: number) => string): string[] =>
  times(80, (k) =>
    [0, 1].map((s) => `${write(Math.floor(k / 10), k % 10)},${"AB"[s]},${(k * (s + 3) + (k >> s)) % 3 === 0 ? 1 : 0}`),
  ).flat();

describe("parts of a document", () => {
  it.each([
    ["document,sentence", (d: number, s: number) => `doc${d},${s}`],
    ["patient,visit", (d: number, s: number) => `p${d},v${s}`],
    ["speaker,utterance", (d: number, s: number) => `spk${d},u${s}`],
    ["repository,issue", (d: number, s: number) => `r${d},${s}`],
  ])("named by %s are 80 items in 8 clusters", async (head, write) => {
    const text = lines([`${head},system,correct`, ...parts(write)]);
    const { n, clusters } = compare(await readText("r.csv", text));
    expect({ n, clusters }).toEqual({ n: 80, clusters: 8 });
  });

  it("under a name with a point hang together as well", async () => {
    const rows = parts((d, s) => `${d * 10 + s},doc${d}`);
    const { clusters } = compare(await readText("r.csv", lines(["sample.id,sample.document,system,correct", ...rows])));
    expect(clusters).toBe(8);
  });

  it("are no other prompts: both systems had every wording of an item", async () => {
    const rows = parts((d, s) => `p${d},x${s}`);
    const result = compare(await readText("r.csv", lines(["prompt,input,system,correct", ...rows])));
    expect(result.n).toBe(10);
    expect(result.diagnostics.map(({ code }) => code)).not.toContain("OtherPrompts");
    expect(plain(result)).toContain("differ in prompt (p0, p1, p2, …)");
  });
});

describe("measures one below the other", () => {
  it.each([
    ["kind", "fluency", "adequacy", 4],
    ["type", "coherence", "fluency", 4],
    ["mode", "fast", "careful", 400],
    ["variant", "size", "worth", 4000],
  ])("in a column %s (%s, %s) were averaged", async (name, one, two, scale) => {
    const rows = times(40, (i) =>
      ["A", "B"].flatMap((s, k) => [
        `${i},${s},${one},${1 + ((i + k) % 5)}`,
        `${i},${s},${two},${((i * (k + 2)) % 5) + (scale > 4 ? scale : 1)}`,
      ]),
    );
    const { metric } = compare(await readText("r.csv", lines([`id,system,${name},value`, ...rows.flat()])));
    expect(metric).toBe(one);
  });
});

describe("files of each system on each task", () => {
  const file = (k: number): string =>
    lines(["id,correct", ...times(60, (i) => `q${i},${(i * (k + 2) + (i >> 2)) % 3 === 0 ? 1 : 0}`)]);
  const read = (names: readonly string[]) => Promise.all(names.map((name, k) => readText(`${name}.csv`, file(k))));

  it("were six systems, base_de against new_fr", async () => {
    const names = ["base", "new"].flatMap((system) => ["de", "fr", "es"].map((task) => `${system}_${task}`));
    const result = compare(await read(names));
    expect(result.systems.map(({ name }) => name)).toEqual(["base", "new"]);
    // translations of one item hang together
    expect({ n: result.n, clusters: result.clusters }).toEqual({ n: 180, clusters: 60 });
    const own = compare(await read(["base_gsm8k", "base_mmlu", "new_gsm8k", "new_mmlu"]));
    expect({ n: own.n, clusters: own.clusters }).toEqual({ n: 120, clusters: undefined });
    expect(compare(await read(names), { systems: ["base_de", "new_de"] }).n).toBe(60);
  });
});

describe("ids that name what they are in", () => {
  it.each(["doc%_sent#", "d%-#", "article%:#", "Dialogue %/turn #"])("%s make clusters of it", async (pattern) => {
    const id = (d: number, s: number): string => pattern.replace("%", String(d)).replace("#", String(s));
    const result = compare(await readText("r.csv", lines(["id,system,correct", ...parts(id)])));
    expect({ n: result.n, clusters: result.clusters }).toEqual({ n: 80, clusters: 8 });
  });

  it.each(["q%-#", "2024-%-#", "sample_%"])("%s do not", async (pattern) => {
    const id = (d: number, s: number): string => pattern.replace("%", String(d)).replace("#", String(s));
    const rows = parts((d, s) => (pattern.includes("#") ? id(d, s) : id(10 * d + s, 0)));
    expect(compare(await readText("r.csv", lines(["id,system,correct", ...rows]))).clusters).toBeUndefined();
  });
});

describe("a last row that sums up", () => {
  const rows = times(20, (i) => `q${i},${i % 2},${i % 3 === 0 ? 1 : 0}`);
  it.each(["Average,0.5,0.35", "TOTAL,10,7", "Mittelwert,0.5,0.35\nsd,0.51,0.49"])("%s was an item", async (last) => {
    const result = compare(await readText("r.csv", lines(["question,base,ours", ...rows, last])));
    expect(result.n).toBe(20);
    expect(plain(result)).toMatch(/The last (row|2 rows) \(question: .*left out/);
  });

  it("stays where it is a word like any other", async () => {
    const words = ["kind", "mean", "cruel", "nice", "harsh", "average"].map((word, i) => `${word},${i % 2},${i + 3}`);
    const own = await readText("r.csv", lines(["word,base,ours", ...words.slice(0, 5), "total,0,4"]));
    expect(own.imported.table.rows).toBe(6);
  });
});

describe("headers in other languages", () => {
  const wanted = async (): Promise<number> => compare(await readText("r.csv", NAMED)).main.p;
  it.each([
    ["题目,模型,评分者,分数"],
    ["問題,モデル,評価者,スコア"],
    ["domanda,modello,valutatore,punteggio"],
    ["pergunta,modelo,avaliador,pontuação"],
  ])("%s were read as nothing, or as repeats", async (head) => {
    const text = lines([head, ...ratings((i, s, r, y) => `${i},${s},P${r},${y}`)]);
    const { main, higherIsBetter } = compare(await readText("r.csv", text));
    expect(main.p).toBeCloseTo(await wanted(), 9);
    expect(higherIsBetter).toBe(true);
  });

  it.each([
    ["很差,较差,一般,较好,很好", "系统,样本,标注员,质量"],
    ["とても悪い,悪い,普通,良い,とても良い", "システム,文番号,評価者,品質"],
    ["pessimo,scarso,medio,buono,ottimo", "sistema,frase,valutatore,qualità"],
  ])("words of theirs (%s) are steps", async (words, head) => {
    const steps = words.split(",");
    const text = lines([head, ...ratings((i, s, r, y) => `${s},${i},P${r},${steps[y - 1]}`)]);
    expect(compare(await readText("r.csv", text)).main.p).toBeCloseTo(await wanted(), 9);
  });

  it("right and wrong, left and right", async () => {
    const rows = times(40, (i) => [`A,q${i},${i % 2 ? "正确" : "错误"}`, `B,q${i},${i % 3 ? "正确" : "错误"}`]);
    const right = compare(await readText("r.csv", lines(["模型,问题编号,判定", ...rows.flat()])));
    expect(right.systems.map(({ score }) => Math.round(40 * score))).toEqual([20, 26]);
    const votes = times(30, (i) => `p${i % 10},u${i % 3},X,Y,${["左", "右", "平"][i % 3]}`);
    const found = compare(await readText("v.csv", lines(["问题,标注者,左,右,选择", ...votes])));
    expect(found.metric).toBe("win share");
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

describe("names of raters within names of systems", () => {
  it.each([
    ["A_r%", "B_r%"],
    ["rater%_base", "rater%_new"],
  ])("%s, %s: each was one criterion of one system", async (one, two) => {
    const by = new Map<string, number>();
    ratings((i, s, r, y) => {
      by.set(`${i}${s}${r}`, y);
      return "";
    });
    const head = [one, two].flatMap((name) => times(4, (r) => name.replace("%", String(r + 1))));
    const rows = times(40, (i) =>
      [i, ...["A", "B"].flatMap((s) => times(4, (r) => by.get(`${i}${s}${r}`)!))].join(","),
    );
    const { main } = compare(await readText("r.csv", lines([`item,${head.join(",")}`, ...rows])));
    expect(main.p).toBeCloseTo(compare(await readText("r.csv", NAMED)).main.p, 9);
  });
});

describe("samples of a problem", () => {
  it("were items, and the problems their repeats", async () => {
    const rows = times(40, (i) =>
      ["A", "B"].flatMap((s, k) => times(5, (t) => `${s},p${i},${t},${(i * (k + 2) + t) % 3 === 0 ? 1 : 0}`)),
    );
    const { n } = compare(await readText("r.csv", lines(["model,problem,sample,passed", ...rows.flat()])));
    expect(n).toBe(40);
  });
});

describe("tries at few questions", () => {
  /** Eight questions that lean one way or the other, each tried 30 times: tries were taken for items, and questions averaged over. */
  const leaning = makeRng("tries");
  const rows = times(8, (question) =>
    times(30, (k) =>
      ["old", "new"].map((model) => {
        const chance = model === "old" ? 0.5 : question < 5 ? 0.85 : 0.3;
        return `${question},${k},${model},${leaning.uniform() < chance ? 1 : 0}`;
      }),
    ).flat(),
  ).flat();
  it.each(["prompt_id,sample", "question_id,sample_idx", "prompt,rollout", "problem_id,generation"])(
    "%s: the tries were the items",
    async (names) => {
      const result = compare(await readText("t.csv", lines([`${names},model,correct`, ...rows])));
      expect([result.n, result.main.verdict]).toEqual([8, "INCONCLUSIVE"]);
    },
  );
});
