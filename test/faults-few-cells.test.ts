/** A few cells that are not what the others are: codes for no answer among measured scores, and items that were written twice. */
import { describe, expect, it } from "vitest";
import { compare } from "../src/index.ts";
import { gate } from "../src/plan/gate/gate.ts";
import { readPolicy } from "../src/plan/gate/policy.ts";
import { lines, readText, times } from "./support/read-text.ts";

const measured = (i: number, s: number): number => 40 + ((i * 37 + s * 11) % 551) / 10;
const codes = (rows: ReadonlyMap<number, number>, of = measured) =>
  readText(
    "c.csv",
    lines([
      "item,system,score",
      ...times(80, (k) => `q${k >> 1},${k % 2 ? "B" : "A"},${rows.get(k) ?? of(k >> 1, k % 2)}`),
    ]),
  );

describe("a code for no answer among measured scores", () => {
  it.each([
    [-999, 2],
    [-999, 1],
    [-99, 2],
    [9999, 2],
    [999, 1],
    [-1, 2],
  ])("%i, %i times, was averaged", async (code, count) => {
    const data = await codes(new Map(times(count, (k) => [7 + 20 * k, code] as const)));
    const { main } = compare(data);
    expect([main.verdict, main.reason]).toEqual([
      "NONE",
      expect.stringContaining(`${count} of 80 values of score are ${code} among`),
    ]);
    const files = { candidate: [{ path: "c.csv", imported: data.imported }], baseline: ["A"] };
    expect(() => gate(files, { policy: readPolicy("margin: 5"), higherIsBetter: true })).toThrow(`are ${code} among`);
  });

  it.each([
    ["99 among scores to 95", 99, measured],
    ["98 once among latencies", 98, (i: number) => 3 + (i % 17)],
    ["999 among scores to 900", 999, (i: number, s: number) => 10 * measured(i, s)],
    ["-1 among changes of either sign", -1, (i: number, s: number) => measured(i, s) - 60],
    ["-9 among log-likelihoods", -9, (i: number, s: number) => -measured(i, s) / 12],
  ])("%s is a score", async (_, code, of) => {
    expect(compare(await codes(new Map([[7, code]]), of)).main.verdict).not.toBe("NONE");
  });
});

describe("items with several rows", () => {
  const data = (twice: number) =>
    readText(
      "d.csv",
      lines([
        "item,system,score",
        ...times(80, (k) => `q${k >> 1},${k % 2 ? "B" : "A"},${measured(k >> 1, k % 2)}`),
        ...times(twice, (i) => `q${i},B,${measured(i, 3)}`),
      ]),
    );
  const told = async (twice: number) =>
    compare(await data(twice)).diagnostics.find(({ code }) => code === "FewRepeated");

  it("few that were there twice were silently averaged", async () => {
    expect(await told(4)).toMatchObject({
      severity: "warning",
      message:
        "4 of 40 items have several scores of one system (q0, q1, q2 and 1 more), the others one: they were averaged, but may be duplicates.",
    });
  });

  it("repeats of most items are repeats", async () => {
    expect(await told(0)).toBeUndefined();
    expect(await told(40)).toBeUndefined();
  });

  it("runs of single items that are not there went uncounted", async () => {
    const rows = times(240, (k) => `q${k % 40},${k % 80 < 40 ? "A" : "B"},${Math.floor(k / 80)},${measured(k, 1)}`);
    const told = async (kept: readonly string[]) =>
      compare(await readText("r.csv", lines(["item,system,run,score", ...kept]))).diagnostics.find(
        ({ code }) => code === "RepeatsAveraged",
      )?.message;
    expect(await told(rows)).not.toContain("would be");
    expect(await told(rows.filter((_, k) => ![45, 130, 210].includes(k)))).toMatch(
      / 3 on each would be 120: B has 117\.$/,
    );
  });
});
