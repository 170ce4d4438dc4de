import { describe, expect, it } from "vitest";
import type { NamedImport } from "../../../data/merge.ts";
import { importFiles } from "../../../io/import.ts";
import { compare } from "../compare.ts";

async function read(path: string, text: string): Promise<NamedImport> {
  return { path, imported: await importFiles([{ name: path, bytes: new TextEncoder().encode(text) }]) };
}

const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join("\n");
const columnsOf = (result: ReturnType<typeof compare>): unknown =>
  (result.signature.options as { columns?: unknown }).columns;

/** 1 for some rows, in no order that another column has. */
const right = (i: number, k: number): number => ((i * 7 + k * 3) % 5 < 3 ? 1 : 0);

describe("columns that options name", () => {
  it("are kept through the merging of files where the id was not guessed", async () => {
    const rows = (k: number): string =>
      lines(
        Array.from({ length: 30 }, (_, i) => ({
          kennzeichen: `k${i}`,
          gut_so: i % (3 + k) === 0 ? 1 : 0,
          gemessen: 3 + i / 7,
        })),
      );
    const result = compare([await read("a.jsonl", rows(0)), await read("b.jsonl", rows(1))], {
      item: "kennzeichen",
      metric: "gut_so",
    });
    expect(columnsOf(result)).toMatchObject({ item: "kennzeichen", score: "gut_so" });
    expect(result.n).toBe(30);
    expect(result.main.difference).toBeCloseTo(8 / 30 - 10 / 30, 12);
  });

  it("keeps an id that one file writes as a number and the other as text", async () => {
    const rows = (name: (i: number) => unknown, k: number): string =>
      lines(Array.from({ length: 12 }, (_, i) => ({ nummerierung: name(i), score: right(i, k) })));
    const parts = [
      await read(
        "a.jsonl",
        rows((i) => i, 0),
      ),
      await read(
        "b.jsonl",
        rows((i) => String(i), 1),
      ),
    ];
    expect(compare(parts, { item: "nummerierung" }).n).toBe(12);
  });

  it("are not used in a second role: the item is never the score", async () => {
    const text = ["position_im_text,system,anna"];
    for (let i = 1; i <= 20; i += 1) text.push(`${i},old,good`, `${i},new,bad`);
    const part = await read("judged.csv", text.join("\n"));
    expect(() => compare(part, { item: "position_im_text" })).toThrow(/score/);
    expect(() => compare(part, { item: "position_im_text", metric: "position_im_text" })).toThrow(/both name/);
  });

  it("may be computed from columns that the files have, before a score is missed", async () => {
    const verdicts = (words: readonly string[]): string =>
      lines(Array.from({ length: 24 }, (_, i) => ({ test_case: `tc${i}`, verdict: words[i % words.length] })));
    const parts = [
      await read("old.jsonl", verdicts(["PASS", "FAIL"])),
      await read("new.jsonl", verdicts(["PASS", "PASS", "TIMEOUT"])),
    ];
    const result = compare(parts, { mutate: ["ok = verdict == 'PASS'"], metric: "ok" });
    expect(result.n).toBe(24);
    expect(result.main.difference).toBeCloseTo(2 / 3 - 1 / 2, 12);
    expect(() => compare(parts)).toThrow(/no score in common/);
  });
});

describe("rows that ended in an error", () => {
  const rows = (every: number, column: string): string =>
    lines(
      Array.from({ length: 40 }, (_, i) => {
        const state = i % every === 0 ? (i % (2 * every) === 0 ? "error" : "timeout") : "ok";
        const correct = state === "error" ? null : state === "timeout" ? 0 : right(i, every);
        return { question_id: `q${i}`, [column]: state, correct };
      }),
    );

  it("are recognised where a status says error or timeout, scored 0 in part and missing in part", async () => {
    const parts = [await read("a.jsonl", rows(10, "status")), await read("d.jsonl", rows(4, "status"))];
    const counted = compare(parts, { errors: "failures" });
    expect(counted.n).toBe(40);
    const told = counted.diagnostics.find(({ code }) => code === "Errored")!.message;
    expect(told).toMatch(/status: 4 of a, 10 of d, some scored 0 and some without a score/);
    expect(compare(parts, { errors: "missing" }).n).toBeLessThan(40);
  });

  it("are recognised in one file too, and by a reason to finish", async () => {
    const one = [..."ad"].map((system) =>
      rows(system === "a" ? 10 : 4, "finish_reason").replaceAll(
        '{"question_id"',
        `{"system":"${system}","question_id"`,
      ),
    );
    const result = compare(await read("both.jsonl", one.join("\n")), { errors: "failures" });
    expect(result.diagnostics.some(({ code }) => code === "Errored")).toBe(true);
  });
});
