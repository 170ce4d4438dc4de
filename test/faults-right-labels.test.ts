/** Right labels beside what was predicted: numbers were taken for scores, and gold for a verdict. */
import { describe, expect, it } from "vitest";
import { compare } from "../src/index.ts";
import { lines, readText, times } from "./support/read-text.ts";

/** Right on all but every `miss`-th item. */
const guess = (i: number, miss: number): number => (i % miss === 0 ? 1 - (i % 2) : i % 2);

describe("0 and 1 that were predicted, beside the right ones", () => {
  const rows = times(300, (i) => `${i},${i % 2},${guess(i, 4)},${guess(i, 9)}`);
  const read = (head: string) => readText("predictions.csv", lines([head, ...rows]));

  it("were compared by how often each system says 1", async () => {
    const found = await read("id,gold,base,ours");
    expect([found.imported.roles.wide, found.imported.roles.label]).toEqual([[], "gold"]);
    expect(() => compare(found)).toThrow(/gold looks like the right labels/);
    const { systems, main } = compare(found, { gold: "gold", pred: ["base", "ours"] });
    expect(systems.map(({ score }) => Math.round(1000 * score!))).toEqual([750, 887]);
    expect(main.verdict).toBe("BETTER");
  });

  it("could not be named as predictions where their names read like systems", async () => {
    const found = await read("id,y,gpt4,llama3");
    expect(found.imported.roles.wide).toEqual(["gpt4", "llama3"]);
    const { systems, display } = compare(found, { gold: "y", pred: ["gpt4", "llama3"] });
    expect(systems.map(({ score }) => Math.round(1000 * score!))).toEqual([750, 887]);
    expect(display().notes.join(" ")).not.toContain("taken as the scores of");
  });

  it("are scores where their names say that they tell who was right", async () => {
    const found = await read("id,gold,gpt4_correct,llama3_correct");
    expect([found.imported.roles.score, found.imported.systems]).toEqual(["correct", ["gpt4", "llama3"]]);
  });
});

describe("several runs that predict the same items", () => {
  const head = ["base", "ours"].flatMap((name) => [1, 2, 3].map((k) => `${name}_seed${k}`));
  const read = (gold: string, value: (i: number) => number, said: (i: number, s: number, k: number) => number) =>
    readText(
      "runs.csv",
      lines([
        `id,${gold},${head.join(",")}`,
        ...times(120, (i) => [i, value(i), ...[0, 1].flatMap((s) => times(3, (k) => said(i, s, k)))].join(",")),
      ]),
    );

  it("were compared by how often each system says 1, or refused", async () => {
    const found = await read(
      "gold",
      (i) => i % 2,
      (i, s, k) => guess(i + 2 * k, s === 0 ? 5 : 9),
    );
    const { systems, repeated, units, n } = compare(found, { gold: "gold", pred: ["base", "ours"] });
    const share = (miss: number): number =>
      times(3, (k) => times(120, (i) => Number((i + 2 * k) % miss !== 0)))
        .flat()
        .reduce((a, b) => a + b) / 360;
    expect(systems.map(({ score }) => score)).toEqual([expect.closeTo(share(5), 12), expect.closeTo(share(9), 12)]);
    expect(repeated.map(({ facet }) => facet)).toContain("runs");
    expect([units, n]).toEqual(["items", 120]);
  });

  it("the right score was compared as a system, and one of the systems was dropped", async () => {
    const found = await read(
      "gold_score",
      (i) => 1 + (i % 5),
      (i, s, k) => 1 + ((i + ((i + k) % (3 + s) === 0 ? 1 : 0)) % 5),
    );
    expect([found.imported.roles.wide, found.imported.roles.label]).toEqual([[], "gold_score"]);
    expect(() => compare(found)).toThrow(/gold_score looks like the right labels/);
  });
});

describe("yes and no of raters beside the right answer", () => {
  const found = readText(
    "raters.csv",
    lines([
      "item,rater,label,gold",
      ...times(160, (i) => {
        const [item, rater] = [i >> 2, i % 4];
        const right = item % 2 === 0;
        const said = (item + rater) % (rater === 3 ? 2 : 10) === 0 ? !right : right;
        return `${item},r${rater},${said ? "yes" : "no"},${right ? "yes" : "no"}`;
      }),
    ]),
  );

  it("the right answer was taken as the score, and every rater was right never", async () => {
    const { roles } = (await found).imported;
    expect([roles.label, roles.metrics]).toEqual(["label", []]);
    const { systems } = compare(await found, { gold: "gold", pred: ["label"], system: "rater" });
    expect(systems.map(({ score }) => score)).toEqual([0.9, 0.9, 0.9, 0.5]);
  });
});
