import { describe, expect, it } from "vitest";
import { importFiles } from "../io/import.ts";
import { describeImported } from "./describe.ts";

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

async function shown(rows: readonly string[]) {
  const bytes = new TextEncoder().encode(`${rows.join("\n")}\n`);
  const imported = await importFiles([{ name: "f.csv", bytes }]);
  const found = describeImported(imported, { target: "f.csv" });
  return {
    found,
    codes: found.diagnostics.map(({ code }) => code),
    commands: found.answers.map(({ command }) => command),
  };
}

/** Ratings of 1 to 5 by two systems on the same items. */
const rating = (i: number, s: number): number => 1 + ((i * 7 + s * 3) % 5);

describe("describe did not show the faults that compare finds", () => {
  it("a code for no answer: no means of it, and commands that leave it out", async () => {
    const rows = [
      "engine;question;rating",
      ...["X", "Y"].flatMap((m, s) => times(40, (i) => `${m};f${i};${i % 9 ? rating(i, s) : 999}`)),
    ];
    const { found, codes, commands } = await shown(rows);
    expect(codes).toContain("NoVerdict");
    expect(found.scores).toEqual([]);
    expect(
      commands.filter((command) => command.includes("f.csv")).every((command) => command.endsWith("--missing 999")),
    ).toBe(true);
    expect(found.diagnostics.find(({ code }) => code === "NoVerdict")!.message).toMatch(
      /10 of 80 values of rating are 999/,
    );
  });

  it("raters who each saw one system", async () => {
    const rows = [
      "text,annotator,system,quality",
      ...times(60, (i) => `t${i},${i < 30 ? "eva" : "max"},${i < 30 ? "A" : "B"},${rating(i, 0)}`),
    ];
    const { found, codes } = await shown(rows);
    expect(codes).toContain("NoVerdict");
    // means of what was rated stand, verdicts do not
    expect(found.scores.length).toBe(2);
    expect(found.answers[0]!.note).toMatch(/no verdict/);
  });

  it("shares beside percent", async () => {
    const rows = [
      "model,id,accuracy",
      ...times(30, (i) => `A,${i},0.${50 + i}`),
      ...times(30, (i) => `B,${i},${40 + i}.5`),
    ];
    const { found, codes } = await shown(rows);
    expect(codes).toContain("NoVerdict");
    expect(found.scores).toEqual([]);
  });

  it("rows that ended in an error", async () => {
    const rows = [
      "model,id,score,error",
      ...["old", "new"].flatMap((m, s) => times(40, (i) => `${m},${i},${i % 2},${s && i % 8 === 0 ? "Timeout" : ""}`)),
    ];
    const { found } = await shown(rows);
    expect(found.diagnostics.find(({ code }) => code === "ErrorRows")!.message).toBe(
      "rows ended in an error (error: 5 of new), scored 0; a mean uses them as they are.",
    );
  });

  it("nothing where nothing is wrong", async () => {
    const rows = ["model,id,rating", ...["A", "B"].flatMap((m, s) => times(40, (i) => `${m},${i},${rating(i, s)}`))];
    expect((await shown(rows)).codes).toEqual([]);
  });
});
