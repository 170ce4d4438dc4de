/** `gosset compare` on input that is not quite what it takes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { BARE_LABELS, SLICED, scoredText, WIDE_LABELS, WIDE_ROWS } from "./support/comparison-data.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("edges");

function file(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

const scored = (name: string, cells: readonly string[]): string => file(name, scoredText(cells).trimEnd());

describe("scores that are no numbers", () => {
  it.each([
    ["words.csv", ["terse", "wordy", "wordy", "terse"], /the cells of score are not numbers: "terse"/],
    ["stray.csv", ["0.5", "0.7", "x", "0.2"], /the cells of score are not numbers: "x".*--missing/],
  ])("%s is told what to do", (name, cells, message) => {
    expect(gossetRefuses("compare", scored(name, cells))).toMatch(message);
  });

  it("and what it is told works", () => {
    const words = scored("words2.csv", ["good", "bad", "bad", "good", "good", "bad"]);
    const flags = ["--mutate", "right = score == 'good'", "--metric", "right"];
    expect(gossetJson("compare", words, ...flags).systems[0].score).toBeCloseTo(2 / 3, 12);
  });
});

describe("texts and labels", () => {
  it("texts need a reference", () => {
    const texts = [file("a.txt", "the cat sat", "hello there"), file("b.txt", "a cat sat", "hello you")];
    expect(gossetRefuses("compare", ...texts)).toMatch(/a.txt and .*b.txt hold texts.*--ref/);
  });

  const rows = WIDE_ROWS;
  const wide = file("wide.csv", WIDE_LABELS.trimEnd());

  it("two columns of predictions are two systems", () => {
    const result = gossetJson("compare", wide, "--gold", "gold", "--pred", "model_a,model_b");
    const right = [2, 3].map((k) => rows.filter((row) => row.split(",")[k] === row.split(",")[1]).length / 30);
    expect(result.systems).toMatchObject([
      { name: "model_a", score: right[0] },
      { name: "model_b", score: right[1] },
    ]);
    expect(result).toMatchObject({ metric: "accuracy", n: 30, warnings: [] });
    const bare = file("bare.csv", BARE_LABELS.trimEnd());
    const flags = ["--gold", "gold", "--pred", "model_b,model_a", "--metric", "macro-f1"];
    const macro = gossetJson("compare", bare, ...flags);
    expect(macro.systems[0]).toMatchObject({ name: "model_b" });
    expect(macro.systems[1].score).toBeCloseTo(
      gossetJson("score", wide, "--metric", "macro-f1", "--gold", "gold", "--pred", "model_a").systems[0].score,
      12,
    );
  });

  it("without flags the labels are seen and named", () => {
    expect(gossetRefuses("compare", wide)).toMatch(
      /gold looks like gold labels[\s\S]*--gold gold --pred model_a,model_b/,
    );
    expect(gossetRefuses("compare", wide, "--gold", "gold", "--pred", "model_a,model_c")).toMatch(
      /model_c: no such column/,
    );
  });
});

describe("csv", () => {
  const csv = (...args: string[]): string[][] => {
    const { status, stdout } = gosset("compare", ...args, "--format", "csv");
    expect(status).toBe(0);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","));
  };
  const two = scored("two.csv", ["0.5", "0.7", "0.4", "0.5", "0.9", "0.8", "0.3", "0.7"]);

  it("holds the comparison, at full precision", () => {
    const [head, row, ...rest] = csv(two);
    expect(rest).toEqual([]);
    const found = Object.fromEntries(head!.map((name, k) => [name, row![k]]));
    const json = gossetJson("compare", two);
    expect(found).toMatchObject({ system: "B", baseline: "A", verdict: json.verdict });
    expect([found.difference, found.lower, found.upper, found.p, found.mde80].map(Number)).toEqual([
      json.difference,
      json.ci.lower,
      json.ci.upper,
      json.testDetails.p,
      json.mde80,
    ]);
  });

  it("or the table that is named", () => {
    expect(csv(two, "--table", "systems").map((row) => row[0])).toEqual(["system", "A", "B"]);
    const sliced = file("sliced.csv", SLICED.trimEnd());
    expect(csv(sliced, "--slice", "lang", "--table", "lang").map((row) => row[0])).toEqual(["lang", "de", "en"]);
    expect(gossetRefuses("compare", two, "--format", "csv", "--table", "system")).toMatch(/Did you mean "systems"/);
    expect(gossetRefuses("compare", two, "--table", "systems")).toMatch(/--table has no effect without --format csv/);
  });
});

describe("files of other shapes", () => {
  it("totals, a header alone and a system named twice are refused with the reason", () => {
    expect(gossetRefuses("compare", file("totals.csv", "model,accuracy", "A,0.8", "B,0.9"))).toMatch(
      /one accuracy for each system/,
    );
    expect(gossetRefuses("compare", file("header.csv", "system,item,score"))).toMatch(
      /a header \(system, item, score\) but no rows/,
    );
    const two = scored("twice.csv", ["0.5", "0.7", "0.4", "0.5"]);
    expect(gossetRefuses("compare", two, "--systems", "A,A")).toMatch(/A twice/);
  });

  it("columns of numbers become systems where --systems names them", () => {
    const path = file("columns.json", '{"A": [0.1, 0.2, 0.4], "B": [0.3, 0.5, 0.2]}');
    expect(gossetRefuses("compare", path)).toMatch(/--systems A,B/);
    expect(gossetJson("compare", path, "--systems", "A,B").difference).toBeCloseTo(0.3 / 3, 12);
  });

  it("an id is no score, and yes and no are 1 and 0", () => {
    const rows = ["1,hi,yes", "2,ho,no", "3,hu,yes"];
    const found = gossetJson("score", file("solved.csv", "id,question,solved", ...rows));
    expect(found).toMatchObject({ metric: "solved" });
    expect(found.systems[0].score).toBeCloseTo(2 / 3, 12);
  });
});
