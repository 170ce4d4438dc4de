/** Units that were taken for others, each test named after what went wrong. */
import { describe, expect, it } from "vitest";
import { type CompareOptions, compare, makeRng } from "../src/index.ts";
import { lines, readText, times } from "./support/read-text.ts";

const RATERS = ["r1", "r2", "r3", "r4"];
const rate = (mean: number): number => Math.min(5, Math.max(1, Math.round(mean)));

/** Ten sentences in each of eight documents, numbered anew; which system is better hangs on the document. */
function sentences(name: (doc: number) => string, low = false) {
  const rng = makeRng("sentences");
  const rows = times(8, (doc) => {
    const [ease, lean] = [rng.normal(), rng.normal()];
    return times(10, (k) =>
      ["A", "B"].flatMap((system) =>
        RATERS.map((rater) => {
          const score = rate(3 + ease + (system === "A" ? lean : -lean) / 2 + rng.normal());
          return `${name(doc)},${k + 1},${system},${rater},${low && doc === 7 ? 1 + ((k + rater.length + score) % 3) : score}`;
        }),
      ),
    ).flat();
  }).flat();
  return readText("data.csv", lines(["doc,sentence_id,system,rater,score", ...rows]));
}

describe("sentences numbered anew in each document", () => {
  const layouts: readonly (readonly [string, (doc: number) => string, CompareOptions])[] = [
    ["guessed", (doc) => `doc${doc}`, {}],
    ["named by an option", (doc) => `doc${doc}`, { cluster: "doc" }],
    ["numbers", (doc) => String(doc), {}],
    ["numbers named by an option", (doc) => String(doc), { cluster: "doc" }],
    ["named beside the item", (doc) => `doc${doc}`, { cluster: "doc", item: "sentence_id" }],
  ];
  it.each(layouts)("were merged over documents where these are %s", async (_, name, options) => {
    const result = compare(await sentences(name), options);
    expect(result.n).toBe(80);
    expect(result.clusters).toBe(8);
    expect(result.scope).toEqual(["items", "raters", "clusters"]);
  });

  it("had no verdict because the scores of one document were low", async () => {
    const result = compare(await sentences((doc) => `doc${doc}`, true));
    expect(result.toString()).not.toContain("do not share a scale");
    expect(Number.isFinite(result.main.p)).toBe(true);
  });
});

/** Twelve prompts in each document, four raters: each document has its own favourite, and neither system is better. */
function votes(seed: string, { documents = 8, anew = false } = {}) {
  const rng = makeRng(seed);
  const rows = times(documents, (doc) => {
    const share = 1 / (1 + Math.exp(-1.5 * rng.normal()));
    return times(12, (k) =>
      RATERS.map((rater) => {
        const sides = rng.uniform() < 0.5 ? "ada,bob" : "bob,ada";
        return `d${doc},${anew ? k : `d${doc}_${k}`},${rater},${sides},${rng.uniform() < 0.1 ? "tie" : rng.uniform() < share ? "ada" : "bob"}`;
      }),
    ).flat();
  }).flat();
  return readText("data.csv", lines(["document,item,rater,system_a,system_b,winner", ...rows]));
}

describe("votes on prompts of documents", () => {
  it("were claimed of new documents as if every prompt stood for itself", async () => {
    const results = await Promise.all(times(20, async (k) => compare(await votes(`null ${k}`))));
    const claims = results.filter(({ main }) => main.p < 0.05);
    // 1 of 20 is expected by chance
    expect(claims.length).toBeLessThanOrEqual(3);
    expect(results[0]!.scope).toEqual(["items", "raters", "clusters", "prompts"]);
    expect(results[0]!.main.facets?.map(({ label }) => label)).toContain("t test over 8 clusters");
    expect(results[0]!.toString().replace(/\s+/g, " ")).toContain("Votes on one document hang together.");
  });

  it("refused the documents as a cluster", async () => {
    const data = await votes("null 1");
    expect(compare(data, { cluster: "document" }).main.p).toBe(compare(data).main.p);
    expect(compare(data, { cluster: "none" }).scope).toEqual(["items", "raters", "prompts"]);
    expect(() => compare(data, { cluster: "rater" })).toThrow("rater");
  });

  it("that are numbered anew in each were one prompt", async () => {
    const [own, anew] = await Promise.all([votes("null 2"), votes("null 2", { anew: true })]);
    expect(compare(anew).main.p).toBe(compare(own).main.p);
    expect(compare(anew).repeated.find(({ facet }) => facet === "prompts")?.levels).toBe(96);
  });

  it("of three documents are about these three", async () => {
    const result = compare(await votes("null 3", { documents: 3 }));
    expect(result.scope).toEqual(["items", "raters", "prompts"]);
    expect(result.toString().replace(/\s+/g, " ")).toContain("the 3 levels of document are too few to be clusters");
  });
});

describe("two scores a row by several annotators", () => {
  const sheet = (first: string) => {
    const rng = makeRng("sheet");
    const rows = times(50, (k) => {
      const own = rng.normal();
      return ["a1", "a2", "a3"].map((who) => `${k},${who},${rate(3 + own)},${rate(3 - own + rng.normal() / 2)}`);
    }).flat();
    return readText("data.csv", lines([`${first},annotator,score_A,score_B`, ...rows]));
  };

  it.each(["example", "clip", "nr"])("counted each row as an item, though %s comes again", async (first) => {
    const result = compare(await sheet(first));
    expect(result.n).toBe(50);
    expect(result.scope).toEqual(["items", "raters"]);
  });

  it("take no place in the order for an item", async () => {
    expect(compare(await sheet("rank")).n).toBe(150);
  });
});

describe("tries that stop at the first success were averaged", () => {
  const tried = async (stops: boolean) => {
    const rng = makeRng("tries");
    const rows = times(40, (i) =>
      ["old", "new"].flatMap((system) => {
        const outcomes = times(1 + rng.int(3), () => (rng.uniform() < 0.5 ? 1 : 0));
        const first = outcomes.indexOf(1);
        const own = !stops ? outcomes : first < 0 ? [0, 0, 0] : outcomes.slice(0, first + 1);
        return own.map((correct, k) => `q${i},${system},${k + 1},${correct}`);
      }),
    );
    return [await readText("tries.csv", lines(["item,system,attempt,correct", ...rows.flat()]))];
  };

  it("have no verdict, and the first tries have one", async () => {
    const parts = await tried(true);
    const { verdict, reason } = compare(parts).pairs[0]!;
    expect([verdict, reason]).toEqual(["NONE", expect.stringContaining("stop at the first correct of 1")]);
    expect(compare(parts, { where: ["attempt == 1"] }).pairs[0]!.verdict).toBe("INCONCLUSIVE");
  });

  it("stay where their number has another reason", async () => {
    expect(compare(await tried(false)).pairs[0]!.verdict).toBe("INCONCLUSIVE");
  });
});
