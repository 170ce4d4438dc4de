/** A batch, day, panel, language or rater that each system has for itself: its own effect cannot be told from the system's. */
import { describe, expect, it } from "vitest";
import { compare, describeImported } from "../src/index.ts";
import { lines, readText, times, warned } from "./support/read-text.ts";

describe("what goes with the system", () => {
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
  ])("%s in which all ratings of a system were given carried a verdict", async (name, values) => {
    const own = await readText("g.csv", lines([`item,system,${name},rating`, ...rows((s) => values[s]!)]));
    const { main, diagnostics } = compare(own);
    expect(main.verdict).toBe("NONE");
    expect(main.reason).toContain(`${name} goes with the system (A ${values[0]}, B ${values[1]})`);
    expect(diagnostics.map(({ code: found }) => found)).not.toContain("GoesWithSystem");
    const described = describeImported(own.imported, { target: "g.csv", available: new Set(["compare"]) });
    expect(String(described)).toContain(`${name} goes with the system`);
  });

  it("batch of a program's scores is said beside the verdict", async () => {
    const scored = times(30, (i) =>
      ["A", "B"].map((m, s) => `${i},${m},${s + 1},${(i * 7 + s * 3) % 3 ? 1 : 0}`),
    ).flat();
    const result = compare(await readText("g.csv", lines(["item,system,batch,correct", ...scored])));
    expect(result.main.verdict).not.toBe("NONE");
    expect(warned(result)).toContain("GoesWithSystem: batch (A 1, B 2) goes with the system");
  });

  it.each([
    ["language", ["de", "fr"]],
    ["seed", ["7", "8"]],
  ])("%s was one value for each system, and nobody said so", async (name, values) => {
    const told = await code(name, (s) => values[s]!);
    expect(told).toContain(`GoesWithSystem: ${name} (A ${values[0]}, B ${values[1]}) goes with the system`);
  });

  it.each([
    ["provider", ["x", "y"]],
    ["n_params", ["7", "70"]],
    ["model_family", ["llama", "qwen"]],
  ])("%s is the system's own", async (name, values) => {
    expect(await code(name, (s) => values[s]!)).not.toContain("GoesWithSystem");
  });

  it("where a third differs, or all are alike, nothing goes with it", async () => {
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
  ])("%s with all but one or two rows of a system carried a verdict", async (name) => {
    const own = await readText(
      "g.csv",
      lines([`item,system,${name},rating`, ...rows((s, i) => `v${i < 2 ? 1 : 1 + s}`)]),
    );
    const { main } = compare(own);
    expect([main.verdict, main.reason]).toEqual([
      "NONE",
      expect.stringContaining(`${name} goes with the system (A v1, B v2 in 93 % of its rows)`),
    ]);
  });

  it("several batches or days of one system, and others of the other, carried a verdict", async () => {
    const batches = await readText(
      "g.csv",
      lines(["item,system,batch,rating", ...rows((s, i) => `b${3 * s + (i % 3)}`)]),
    );
    expect(compare(batches).main.reason).toContain("batch goes with the system (A b0/b1/b2, B b3/b4/b5)");
    const at = (s: number, i: number): string => `2024-0${1 + 2 * s}-0${1 + (i % 4)} 1${i % 9}:00`;
    const days = await readText("g.csv", lines(["item,system,rated_at,rating", ...rows(at)]));
    expect(compare(days).main.reason).toContain("rated_at goes with the system (A 2024-01-01/2024-01-02/2024-01-03/…");
  });

  it("a judge's version or prompt of each system carried a verdict on right and wrong", async () => {
    const scored = (name: string): string[] => [
      `item,system,${name},correct`,
      ...times(30, (i) => ["A", "B"].map((m, s) => `${i},${m},${s + 1},${(i * 7 + s * 3) % 3 ? 1 : 0}`)).flat(),
    ];
    for (const name of ["judge_version", "grader_prompt", "scorer", "rubric"]) {
      const { main } = compare(await readText("g.csv", lines(scored(name))));
      expect([name, main.verdict, main.reason]).toEqual([name, "NONE", expect.stringContaining(`${name} goes with`)]);
    }
  });

  it("a task of one output each, or the day on which a model came out, is no occasion", async () => {
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

  it.each(["who", "person", "reviewer_email", "listener"])("%s names a rater", async (name) => {
    const result = compare(
      await readText("g.csv", lines([`item,system,${name},rating`, ...rows((s) => (s ? "ben@x" : "anna@x"))])),
    );
    expect([result.main.verdict, result.main.reason]).toEqual(["NONE", expect.stringContaining("one system only")]);
  });
});
