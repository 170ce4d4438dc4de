/** Cells that a person reads at once and the program did not. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gossetJson } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("reading");
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

function file(name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

const rows = (write: (i: number, s: number) => string): string[] =>
  ["A", "B"].flatMap((model, s) => times(40, (i) => `${model},q${i},${write(i, s)}`));

describe("cells as people write them", () => {
  it("85% was a text", () => {
    const path = file("percent.csv", ["model,id,score", ...rows((i, s) => `${50 + ((i * 7) % 31) + s}%`)]);
    const { systems, diagnostics } = gossetJson("compare", path);
    expect(systems[0].score).toBeGreaterThan(50);
    expect(diagnostics.map(({ code }: { code: string }) => code)).toContain("PercentSign");
  });

  it("a line sep=; made a text of the table", () => {
    const lines = [
      "sep=;",
      "model;id;score",
      ...rows((i, s) => `${(i + s) % 2}`).map((row) => row.replaceAll(",", ";")),
    ];
    expect(gossetJson("compare", file("sep.csv", lines)).n).toBe(40);
  });

  it("T and F were no verdicts", () => {
    const path = file("tf.csv", ["model,id,correct", ...rows((i, s) => ((i * 7) % 10 < 3 + 4 * s ? "T" : "F"))]);
    const { systems, verdict } = gossetJson("compare", path);
    expect([verdict, systems[1].score > systems[0].score]).toEqual(["BETTER", true]);
  });

  it("gpt_correct and claude_correct beside the answers were compared by the answers", () => {
    const path = file("wide.csv", [
      "question,reference,gpt_answer,gpt_correct,claude_answer,claude_correct",
      ...times(40, (i) => `what is ${i}?,${i},${i + (i % 3)},${i % 3 ? 0 : 1},${i + (i % 2)},${i % 2 ? 0 : 1}`),
    ]);
    const { metric, systems } = gossetJson("compare", path);
    expect([metric, systems.map(({ name }: { name: string }) => name).sort()]).toEqual(["correct", ["claude", "gpt"]]);
  });
});
