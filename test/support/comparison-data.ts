/** Small files that systems are compared on, as texts: what the tests of the command and of the library share. */
import { makeRng } from "../../src/numeric/rng.ts";

const csv = (head: string, rows: readonly string[]): string => `${head}\n${rows.join("\n")}\n`;

/** A long table of 0/1 answers: how many items both, only alt, only zero and neither got right. */
export function answersText([both, onlyB, onlyA, neither]: readonly number[]): string {
  const pairs = [
    ...Array(both).fill([1, 1]),
    ...Array(onlyB).fill([0, 1]),
    ...Array(onlyA).fill([1, 0]),
    ...Array(neither).fill([0, 0]),
  ];
  const rows = pairs.flatMap(([a, b], i) => [`zero,q${i},${a}`, `alt,q${i},${b}`]);
  return csv("model,item,correct", rows);
}

/** The same rows three times, as epochs. */
export function threeEpochs(text: string): string {
  const [head, ...rows] = text.trim().split("\n");
  return csv(
    `${head},epoch`,
    [1, 2, 3].flatMap((epoch) => rows.map((row) => `${row},${epoch}`)),
  );
}

/** Fourteen documents whose five items are copies, and the same with one item a document. */
export function documentTexts(): { readonly clustered: string; readonly single: string } {
  const rng = makeRng("documents");
  const documents = Array.from({ length: 14 }, () => [rng.int(2), rng.int(2)]);
  const copies = documents.flatMap(([a, b], d) =>
    Array.from({ length: 5 }, (_, k) => [`a,d${d}-${k},d${d},${a}`, `b,d${d}-${k},d${d},${b}`]).flat(),
  );
  const single = documents.flatMap(([a, b], d) => [`a,d${d},${a}`, `b,d${d},${b}`]);
  return { clustered: csv("system,item,document,correct", copies), single: csv("system,item,correct", single) };
}

/** Sixty items in a few topics. */
export function topicsText(topics = 3): string {
  const rng = makeRng("topics");
  const rows = Array.from({ length: 60 }, (_, i) => [
    `a,q${i},t${i % topics},${rng.int(2)}`,
    `b,q${i},t${i % topics},${rng.int(2)}`,
  ]).flat();
  return csv("system,item,topic,correct", rows);
}

export const LEFT = csv("system,item,score", ["a,1,0.5", "a,2,0.25", "a,3,0.75"]);
export const RIGHT = csv("system,item,score", ["b,4,1.5", "b,5,1.25", "b,6,1.75"]);

/** Some items of the log examples/data/sums/base.json, one more, and one without a score. */
export function otherText(): string {
  const rows = Array.from({ length: 40 }, (_, i) => `other,add-${String(3 * i + 1).padStart(3, "0")},${i % 3 ? 1 : 0}`);
  return csv("system,item,match", [...rows, "other,extra,1", "other,add-121,"]);
}

const lines = (texts: readonly string[]): string => `${texts.join("\n")}\n`;
export const REFERENCE = lines([
  "the cat sat on the mat",
  "a dog barked at night",
  "it rains in the city",
  "we like green tea",
]);
export const GOOD = lines([
  "the cat sat on the mat",
  "a dog barked at night",
  "it rains in a city",
  "we like green tea",
]);
export const BAD = lines(["cat on mat", "dogs bark by night", "raining city", "tea is liked by us"]);
export const DOCUMENTS = lines(["x", "x", "y", "y"]);

/** Right labels and two systems' guesses, in long form. */
export function labelsText(): string {
  const rng = makeRng("labels");
  const rows = Array.from({ length: 60 }, (_, i) => {
    const gold = rng.int(2);
    const guess = (share: number): number => (rng.uniform() < share ? gold : 1 - gold);
    return [`a,q${i},${gold},${guess(0.6)}`, `b,q${i},${gold},${guess(0.95)}`];
  }).flat();
  return csv("system,item,truth,guess", rows);
}

/** Predictions of two systems side by side. */
export const WIDE_ROWS = Array.from({ length: 30 }, (_, i) => {
  const gold = "xyz"[i % 3];
  return `${i},${gold},${i % 4 ? gold : "x"},${i % 5 === 1 ? "z" : gold}`;
});
export const WIDE_LABELS = csv("item,gold,model_a,model_b", WIDE_ROWS);
export const BARE_LABELS = csv(
  "gold,model_a,model_b",
  WIDE_ROWS.map((row) => row.replace(/^\d+,/, "")),
);

/** Votes between two models, one JSON object a line. */
export const battleLines = (
  [wins, ties, losses]: readonly [number, number, number],
  models: readonly [string, string],
): string =>
  lines(
    // each model stands on either side in turn
    [...Array(wins).fill("model_a"), ...Array(ties).fill("tie"), ...Array(losses).fill("model_b")].map((winner, i) =>
      i % 2 === 0
        ? JSON.stringify({ model_a: models[0], model_b: models[1], winner })
        : JSON.stringify({
            model_a: models[1],
            model_b: models[0],
            winner: winner === "tie" ? "tie" : winner === "model_a" ? "model_b" : "model_a",
          }),
    ),
  );

export const THREE_WAY_BATTLES =
  battleLines([10, 0, 30], ["x", "y"]) + battleLines([10, 0, 30], ["y", "z"]) + battleLines([5, 0, 45], ["x", "z"]);

/** Scores of A and B in turn. */
export const scoredText = (cells: readonly string[]): string =>
  csv(
    "system,item,score",
    cells.map((cell, i) => `${i % 2 ? "B" : "A"},q${i >> 1},${cell}`),
  );

export const SLICED = csv(
  "system,item,lang,score",
  Array.from({ length: 24 }, (_, i) => `${i % 2 ? "B" : "A"},q${i >> 1},${i % 4 < 2 ? "de" : "en"},${(i * 7) % 11}`),
);

/** Six raters who disagree in which system they like. */
export function likedText(): string {
  const rows: string[] = [];
  for (let i = 0; i < 30; i += 1)
    for (let r = 0; r < 6; r += 1)
      for (const [s, system] of ["A", "B"].entries()) {
        const liking = s * [1, -1, 2, 0, 1, -1][r]!;
        const noise = (i * 7 + r * 5 + s * 3) % 3;
        rows.push(`i${i},${system},r${r},${Math.min(7, Math.max(1, 2 + (i % 3) + liking + noise))}`);
      }
  return csv("item,system,rater,rating", rows);
}

/** Five raters with slopes of their own. */
export function slopedText(): string {
  const rng = makeRng(11);
  const slopes = [-0.6, -0.2, 0.3, 0.8, 1.2];
  const rows = Array.from({ length: 40 }, (_, i) =>
    ["old", "new"].flatMap((system) =>
      slopes.map((slope, r) => {
        const latent = 3 + 0.5 * Math.sin(i) + (system === "new" ? slope : 0) + 0.7 * rng.normal();
        return `i${i},${system},r${r},${Math.min(5, Math.max(1, Math.round(latent)))}`;
      }),
    ),
  ).flat();
  return csv("item,system,rater,rating", rows);
}

export const IN_ORDER = csv("item,system,correct", [
  ...Array.from({ length: 80 }, (_, i) => `q${i},zeta,${i % 4 ? 1 : 0}`),
  ...Array.from({ length: 80 }, (_, i) => `q${i},alpha,${i % 10 ? 1 : 0}`),
]);

export const SENTIMENT = csv(
  "id,label,model_a,model_b",
  Array.from({ length: 120 }, (_, i) => {
    const gold = i % 3 ? "pos" : "neg";
    return `d${i},${gold},${i % 4 ? gold : "neu"},${i % 9 ? gold : "neu"}`;
  }),
);
