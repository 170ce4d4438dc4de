/** `gosset replicate`: published results computed anew. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { hasShared, sharedPath } from "./support/oracle.ts";

interface Row {
  readonly name: string;
  readonly published?: string;
  readonly r?: number | "NaN";
  readonly ours: number | "NaN";
  readonly agreesWithR?: boolean;
  readonly agreesWithPrint?: boolean;
  readonly note?: string;
}
interface Answer {
  readonly agrees: boolean;
  readonly results: readonly { readonly id: string; readonly agrees: boolean; readonly rows: readonly Row[] }[];
}

const rowsOf = ({ results }: Answer): readonly Row[] => results.flatMap(({ rows }) => rows);
/** Rows of a table that is printed otherwise than computed must say why. */
const unexplained = (answer: Answer): string[] =>
  answer.results.flatMap(({ id, rows }) =>
    rows.filter((row) => row.agreesWithPrint === false && row.note === undefined).map(({ name }) => `${id}: ${name}`),
  );

describe("the list", () => {
  it("names the result, what it shows and its data, 80 columns wide", () => {
    const { status, stdout } = gosset("replicate");
    expect(status).toBe(0);
    expect(stdout).toMatch(/card-table-9 +Tables 2 and 9/);
    expect(stdout).toMatch(/book-table-3\.1 .*mt_annotation\.csv/);
    expect(Math.max(...stdout.split("\n").map((line) => [...line].length))).toBeLessThanOrEqual(80);
  });

  it("is one object with --json", () => {
    const { kind, results } = gossetJson("replicate");
    expect(kind).toBe("replications");
    expect(results.find(({ id }: { id: string }) => id === "card-appendix-d").data).toEqual([
      "card2020/squad2_models.csv",
      "card2020/squad2_pairs_dev.csv",
    ]);
  });
});

describe("results that need no data", () => {
  it("Table 9: every column as R has it, every other print explained", () => {
    const answer: Answer = gossetJson("replicate", "card-table-9", "card-appendix-c", "card-figure-1", "card-figure-4");
    expect(answer.agrees).toBe(true);
    expect(unexplained(answer)).toEqual([]);
    const ours = (name: string) => rowsOf(answer).find((row) => row.name === name)!.ours;
    // the true exact test, against the printed 1.02; WNLI has no detectable gain at all
    expect(ours("SST-2, regression, exact")).toBeCloseTo(1.07134701549859, 5);
    expect(ours("WNLI, regression, exact")).toBe("NaN");
    expect(ours("QQP, lower")).toBeCloseTo((100 * 2.801585218112968 ** 2) / 390_965, 10);
  });

  it("prints the three figures side by side, 80 columns wide", () => {
    const { status, stdout } = gosset("replicate", "card-appendix-c");
    expect(status).toBe(0);
    expect(stdout).toMatch(/published +R +ours +ours - R/);
    expect(stdout).toMatch(/power, n = 500, Δ = \.02, 90% +0\.25 +0\.249369 +0\.249369 .*ok/);
    expect(stdout).toMatch(/just below \.8 with the exact test/);
    expect(Math.max(...stdout.split("\n").map((line) => [...line].length))).toBeLessThanOrEqual(80);
  });
});

describe("bad input", () => {
  it("suggests an id, and refuses --all beside one", () => {
    expect(gossetRefuses("replicate", "card-table9")).toMatch(/there is no result "card-table9".*"card-table-9"/);
    expect(gossetRefuses("replicate", "card-table-9", "--all")).toMatch(/--all and card-table-9 at once/);
  });

  it("says where the data come from", () => {
    const line = gossetRefuses("replicate", "card-table-10", "--data", "no-such-folder");
    expect(line).toMatch(/no card2020\/glue_paper_annotations\.csv.* in no-such-folder/);
    expect(line).toMatch(/github\.com\/dallascard\/NLP-power-analysis.*github\.com\/StatNLP\/empirical_methods/);
  });
});

describe.skipIf(!hasShared)("results from the papers' data (needs ../shared)", () => {
  const QUICK = [
    "card-table-7",
    "card-table-9-effects",
    "card-table-10",
    "card-table-6",
    "card-table-8",
    "card-section-5.1",
    "card-appendix-h.1",
    "book-table-3.1",
    "book-table-3.2",
    "book-figure-3.3",
    "book-table-3.4",
    "book-table-4.1",
    "book-table-4.2",
    "book-table-4.3",
    "book-figure-4.7",
  ];
  let answer: Answer;
  beforeAll(() => {
    answer = gossetJson("replicate", ...QUICK, "--data", sharedPath("data"));
  }, 60_000);

  it("agree with R, and every other print is explained", () => {
    expect(rowsOf(answer).filter(({ agreesWithR }) => agreesWithR === false)).toEqual([]);
    expect(answer.results.map(({ id }) => id)).toEqual(QUICK);
    expect(unexplained(answer)).toEqual([]);
  });

  it("shows the inversion of Table 10 and the lost conclusions of Table 4.3", () => {
    const find = (id: string, name: string): Row =>
      answer.results.find((own) => own.id === id)!.rows.find((row) => row.name === name)!;
    expect(find("card-table-10", "powered")).toMatchObject({ published: "0.456", agreesWithPrint: false });
    expect(find("card-table-10", "powered").ours).toBeCloseTo(31 / 57, 12);
    const lost = answer.results.find(({ id }) => id === "book-table-4.3")!.rows;
    expect(lost.filter(({ note }) => note?.startsWith("No longer significant"))).toHaveLength(2);
  });

  it("compares with figures that the reference files hold", () => {
    const known = referenceNumbers();
    const derived = /^in percent$|^percent of|ties kept|^Kendall|^p$|^significant of the powered$/;
    const strange = rowsOf(answer).filter(
      ({ r, name }) => typeof r === "number" && !derived.test(name) && !isKnown(known, r),
    );
    expect(strange).toEqual([]);
  });

  describe("with a changed score", () => {
    const folder = mkdtempSync(join(tmpdir(), "gosset-replicate-"));
    afterAll(() => rmSync(folder, { recursive: true }));

    it("ends with exit code 1 and marks what is off", () => {
      mkdirSync(join(folder, "riezler2021"));
      const file = join(folder, "riezler2021/mt_annotation.csv");
      cpSync(sharedPath("data/riezler2021/mt_annotation.csv"), file);
      const lines = readFileSync(file, "utf8").split("\n");
      const row = lines.findIndex((line) => line.includes("Marking"));
      const cells = lines[row]!.split(",");
      cells[lines[0]!.split(",").findIndex((name) => name.includes("score"))] = "0.9";
      lines[row] = cells.join(",");
      writeFileSync(file, lines.join("\n"));
      const { status, stdout } = gosset("replicate", "book-table-3.1", "--data", folder);
      expect(status).toBe(1);
      expect(stdout).toMatch(/OFF/);
    });
  });
});

/** All numbers of the reference files, sorted. */
function referenceNumbers(): number[] {
  const found: number[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "number") found.push(value);
    else if (value !== null && typeof value === "object") for (const part of Object.values(value)) collect(part);
  };
  for (const name of ["card2020", "riezler2021"]) {
    collect(JSON.parse(readFileSync(sharedPath(`reference/${name}.json`), "utf8")));
  }
  return found.sort((a, b) => a - b);
}

function isKnown(sorted: readonly number[], value: number): boolean {
  const slack = 1e-12 + 1e-9 * Math.abs(value);
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value - slack) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && sorted[low]! <= value + slack;
}
