import { describe, expect, it } from "vitest";
import { importFiles } from "../../../io/import.ts";
import type { NamedImport } from "../../../study/merge.ts";
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
    for (let i = 1; i <= 20; i += 1) text.push(`${i},old,terse`, `${i},new,wordy`);
    const part = await read("judged.csv", text.join("\n"));
    expect(() => compare(part, { item: "position_im_text" })).toThrow(/score/);
    expect(() => compare(part, { item: "position_im_text", metric: "position_im_text" })).toThrow(/both name/);
  });

  it("are listed where all scores are offered, and `metric: all` says that it found one only", async () => {
    const rows = (model: string, k: number): string =>
      lines(
        Array.from({ length: 40 }, (_, i) => ({
          model,
          sample_id: `g${i}`,
          exact_match: right(i, k),
          refusal: right(i, k + 2),
        })),
      );
    const parts = [await read("a.jsonl", rows("a", 0)), await read("b.jsonl", rows("b", 1))];
    const codes = (metric: string) => compare(parts, { metric }).diagnostics;
    expect(codes("all").find(({ code }) => code === "OnlyScore")?.message).toContain("exact_match");
    const fix = codes("refusal").find(({ code }) => code === "OtherScores")!.fix;
    expect(fix).toContain("`metric: refusal,exact_match` by every one");
    const both = compare(parts, { metric: "refusal,exact_match" });
    expect(both.toString()).toMatch(/refusal.*exact_match/s);
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

  it("were not seen where only the file in which something went wrong has an error's text", async () => {
    const row = (i: number, every: number, error: boolean) => ({
      question_id: `q${i}`,
      correct: error ? null : right(i, every),
      ...(error ? { error: "timeout" } : {}),
    });
    const failed = lines(Array.from({ length: 40 }, (_, i) => row(i, 5, i % 8 === 3)));
    // in a nothing went wrong
    const parts = [
      await read("a.jsonl", lines(Array.from({ length: 40 }, (_, i) => row(i, 4, false)))),
      await read("d.jsonl", failed),
    ];
    for (const pair of [parts, [...parts].reverse()]) {
      expect(compare(pair, { errors: "failures" }).n).toBe(40);
      expect(compare(pair, { errors: "missing" }).n).toBe(35);
    }
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

describe("samples without pairs", () => {
  const rows = (columns: (i: number) => object): string =>
    lines(
      ["a", "b"].flatMap((system, k) =>
        Array.from({ length: 30 }, (_, i) => ({ system, ...columns(i), correct: right(i, k) })),
      ),
    );

  it("whose items no column names are said to be rows, not different items", async () => {
    const result = compare(
      await read(
        "x.jsonl",
        rows((i) => ({ length: 3 + (i % 4) })),
      ),
      { unpaired: true },
    );
    expect(result.units).toBe("rows");
    const codes = result.diagnostics.map(({ code }) => code);
    expect(codes).toContain("RowsAsItems");
    expect(codes).not.toContain("DifferentItems");
  });
});

describe("errors of a comparison", () => {
  it("shows two ids of each side where none matches: 1 is not a1", async () => {
    const part = (name: string, id: (i: number) => string): Promise<NamedImport> =>
      read(name, ["id,score", ...Array.from({ length: 9 }, (_, i) => `${id(i + 1)},${i % 2}`)].join("\n"));
    const parts = [await part("ida.csv", (i) => `${i}`), await part("idb.csv", (i) => `a${i}`)];
    expect(() => compare(parts)).toThrow("ida has 9 scored, such as 1 and 2; idb has 9 scored, such as a1 and a2");
  });

  it("shows the beginning of ids that are whole texts", async () => {
    const part = (name: string, text: string): Promise<NamedImport> =>
      read(
        name,
        ["prompt,score", ...Array.from({ length: 9 }, (_, i) => `${text} ${"word ".repeat(40)}${i},${i % 2}`)].join(
          "\n",
        ),
      );
    const parts = [await part("ida.csv", "Why"), await part("idb.csv", "How")];
    expect(() => compare(parts, { item: "prompt" })).toThrow(/such as Why (word )+… and Why (word )+…; idb/);
  });

  it("names the option `system` where a file seems to have one system only", async () => {
    const part = await read("x.csv", "item,kind,score\n1,x,1\n2,x,0\n3,x,1\n");
    expect(() => compare(part, { system: "kind" })).toThrow(
      expect.objectContaining({ code: "OneSystem", fix: expect.stringContaining("option `system`") }),
    );
  });
});
