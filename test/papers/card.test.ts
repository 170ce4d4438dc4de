/** Tables of Card et al. (2020), With Little Power Comes Great Responsibility, from the authors' own data; published results anew. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  asFactor,
  asNumeric,
  column,
  factorColumn,
  makeTable,
  numericColumn,
  type Table,
  withColumn,
} from "../../src/data/table.ts";
import { filterRows, mutateTable } from "../../src/formula/evaluate/evaluate.ts";
import { readCsv } from "../../src/io/csv/csv.ts";
import { predictFixed } from "../../src/models/glm/predict.ts";
import { fitLm, type LmFit } from "../../src/models/lm/lm.ts";
import { benchmarkMde } from "../../src/power/from/benchmarks.ts";
import { type ClaimsInput, claimsReachingMde, judgeClaims } from "../../src/power/from/claims.ts";
import { fitEffectHistory } from "../../src/power/from/history.ts";
import { followRecords, type Leaderboard } from "../../src/power/from/records.ts";
import { OVERLAP_REGRESSIONS } from "../../src/power/scenarios/accuracy-overlap.ts";
import { likertFamily } from "../../src/power/scenarios/likert.ts";
import { surveyClaims } from "../../src/power/survey/survey.ts";
import { gosset, gossetJson } from "../support/cli.ts";
import { expectClose, hasShared, readPaper, sharedPath } from "../support/oracle.ts";
import { type Answer, type Row, rowsOf, unexplained } from "../support/replicate.ts";

const values = (fit: LmFit, key: "value" | "se" | "p"): number[] => fit.coefficients.map((c) => c[key]);

describe.skipIf(!hasShared)("results of Card et al. (needs ../shared)", () => {
  describe("Card et al. (2020), regressions of Tables 7 and 8", () => {
    const read = (name: string): Table => readCsv(readFileSync(sharedPath(name)), { name }).table;
    const reference = readPaper("card2020");
    const entry = (id: string) => reference.find((x: { id: string }) => x.id === id).r;

    it("Tables 2 and 9: MNLI by `survey`, every column", () => {
      const claimed = filterRows(
        read("data/card2020/glue_paper_annotations.csv"),
        "claimed_improvement == 'Y' & sota_comparison == 'Y'",
      );
      const sizes = read("data/card2020/glue_test_set_sizes.csv");
      const named = asFactor(column(sizes, "task"));
      const counts = asNumeric(column(sizes, "size")).values;
      const n = new Map(Array.from(named.codes, (code, row) => [named.levels[code]!, counts[row]!]));
      const tasks = asFactor(column(claimed, "task"));
      const items = numericColumn(Array.from(tasks.codes, (code) => n.get(tasks.levels[code]!)!));
      const found = surveyClaims(withColumn(claimed, "n", items), {
        ...{ baseline: "previous_best", score: "model_accuracy", task: "task", id: "paper" },
      });
      // as printed: MDE two samples, Lachenbruch (least, most), regression, expected gain, mean (SE, n)
      for (const [task, best, binomial, middle, least, most, regression, mean, se, count] of [
        ["MNLI-m", 91.6, 1.08, 0.82, 0.08, 1.12, 0.67, 0.97, 0.442, 10],
        ["MNLI-mm", 91.3, 1.09, 0.84, 0.08, 1.14, 0.68, 1.29, 0.55, 8],
      ] as const) {
        const own = found.tasks.find((one) => one.task === task)!;
        expect([own.gains, Number(own.meanGain.toFixed(2)), Number(own.meanSe.toFixed(3))]).toEqual([count, mean, se]);
        // the best score among the claims is one of other papers in the print
        const at = benchmarkMde({ n: own.n, baseline: best / 100, overlap: OVERLAP_REGRESSIONS.glue }, { tests: [] });
        const printed = [binomial, middle, least, most, regression];
        const ours = [
          at.binomial,
          ...["middle", "lower", "upper"].map((b) => at.lachenbruch[b as "middle"]),
          at.regression["normal"]!,
        ];
        ours.forEach((value, k) => {
          expect(Math.abs(100 * value - printed[k]!)).toBeLessThan(0.0151);
        });
        const here = benchmarkMde(
          { n: own.n, baseline: own.best / 100, overlap: OVERLAP_REGRESSIONS.glue },
          { tests: [] },
        );
        expect(own.others!.binomial).toBeCloseTo(100 * here.binomial, 9);
        expect(own.others!.midP).toBeCloseTo(100 * here.regression["normal"]!, 9);
      }
    });

    it("Table 7: effect on previous best and task", () => {
      const raw = mutateTable(
        read("data/card2020/glue_paper_annotations.csv"),
        "effect = model_accuracy - previous_best",
      );
      const table = filterRows(raw, "claimed_improvement == 'Y' & sota_comparison == 'Y'");
      const fit = fitLm("effect ~ previous_best + task", table);
      const r = entry("table-7");
      expect(fit.coefficients.map((c) => c.name)).toEqual(Object.keys(r.coef));
      expectClose(values(fit, "value"), Object.values(r.coef), { tolerance: 1e-10, label: "coef" });
      expectClose(values(fit, "se"), Object.values(r.se), { tolerance: 1e-10, label: "se" });
      expectClose(values(fit, "p"), Object.values(r.p), { tolerance: 1e-8, label: "p" });
      expectClose(
        [fit.rSquared, fit.adjustedRSquared, fit.residualSd, fit.fTest.statistic, fit.logLik, fit.aic, fit.bic],
        [r.r2, r.adj_r2, r.sigma, r.F, r.logLik, r.AIC, r.BIC],
        { tolerance: 1e-11 },
      );
    });

    it("Table 8: improvement on the baseline's exact match", () => {
      const r = entry("table-8");
      const points = r.points as { baseline: number; improvement: number }[];
      const table = makeTable([
        ["V1", numericColumn(points.map((p) => p.baseline))],
        ["improvement", numericColumn(points.map((p) => p.improvement))],
      ]);
      const fit = fitLm("improvement ~ V1", table);
      expectClose(values(fit, "value"), Object.values(r.coef), { tolerance: 1e-11 });
      expectClose(values(fit, "se"), Object.values(r.se), { tolerance: 1e-11 });
      expectClose([fit.logLik, fit.fTest.p], [r.logLik, r.F_p], { tolerance: 1e-10 });
      expectClose(predictFixed(fit, makeTable([["V1", numericColumn([0.90724])]])).value, [r["predicted_at_0.90724"]], {
        tolerance: 1e-10,
      });
    });
  });

  describe("Card et al.'s claims and leaderboard", () => {
    interface Table10 {
      readonly n: number;
      readonly rows: readonly { readonly predicted: number; readonly power: number; readonly p: number }[];
      readonly "fraction_power_at_least_0.8": number;
      readonly fraction_significant: number;
      readonly share_of_powered_that_are_significant: number;
    }
    interface Records {
      readonly powered_dev_improvement: number;
      readonly of_which_significant: number;
      readonly other_significant: number;
    }
    /** R's answers by their names. */
    interface CardAnswers {
      readonly "table-7": { readonly coef: Readonly<Record<string, number>> };
      readonly "table-8": { readonly coef: { readonly "(Intercept)": number; readonly V1: number } };
      readonly "table-10": { readonly as_authors_code: Table10; readonly proper_leave_one_out: Table10 };
      readonly "figure-14": { readonly share: Readonly<Record<"binom" | "mid" | "upper" | "lower" | "reg", number>> };
      readonly "appendix-d": {
        readonly n_power_11873: Records;
        readonly n_power_8862: Records;
        readonly per_submission: readonly { readonly power: number; readonly power_at_8862: number }[];
      };
    }
    const entries: readonly { id: string; r: unknown }[] = readPaper("card2020");
    const r = <Id extends keyof CardAnswers>(id: Id): CardAnswers[Id] =>
      entries.find((entry) => entry.id === id)!.r as CardAnswers[Id];
    const csv = (name: string): string[][] =>
      readFileSync(sharedPath(`data/card2020/${name}`), "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split(","));

    function claimsInput(): ClaimsInput {
      const [head, ...rows] = csv("glue_paper_annotations.csv");
      const at = (name: string): number => head!.indexOf(name);
      const table: Table = makeTable([
        ["task", factorColumn(rows.map((row) => row[at("task")]!))],
        ["old", numericColumn(rows.map((row) => Number(row[at("previous_best")])))],
        ["new", numericColumn(rows.map((row) => Number(row[at("model_accuracy")])))],
      ]);
      const isClaim = (row: string[]): boolean =>
        row[at("sota_comparison")] === "Y" && row[at("claimed_improvement")]?.trim() === "Y";
      const claims = Int32Array.from(rows.flatMap((row, i) => (isClaim(row) ? [i] : [])));
      const sizes = new Map(
        csv("glue_test_set_sizes.csv")
          .slice(1)
          .map(([task, size]) => [task!, Number(size)]),
      );
      return {
        table,
        columns: { baseline: "old", candidate: "new", task: "task" },
        claims,
        sizes,
        overlap: OVERLAP_REGRESSIONS.glue,
      };
    }

    it.each([
      ["claim", "proper_leave_one_out"],
      ["published", "as_authors_code"],
    ] as const)("Table 10, leaving out the %s row", (leaveOut, name) => {
      const own = judgeClaims(claimsInput(), leaveOut);
      const want = r("table-10")[name];
      expect(own.claims).toHaveLength(want.n);
      const column = (key: "predicted" | "power" | "p"): number[] => want.rows.map((row) => row[key]);
      expectClose(
        own.claims.map((c) => c.predicted),
        column("predicted"),
        { tolerance: 1e-9 },
      );
      expectClose(
        own.claims.map((c) => c.power),
        column("power"),
        { tolerance: 1e-9 },
      );
      expectClose(
        own.claims.map((c) => c.p),
        column("p"),
        { tolerance: 1e-8 },
      );
      expectClose(
        [own.powered, own.significant, own.significantAndPowered],
        [
          want["fraction_power_at_least_0.8"],
          want.fraction_significant,
          want.share_of_powered_that_are_significant * want["fraction_power_at_least_0.8"],
        ],
        { tolerance: 1e-12 },
      );
    });

    it("Fig. 14: proportions of claims that reach each minimum detectable difference", () => {
      const own = claimsReachingMde(claimsInput(), ["mcnemar-midp"]);
      const { binom, mid, upper, lower, reg } = r("figure-14").share;
      expectClose([own["binomial"]!, own["middle"]!, own["upper"]!, own["lower"]!], [binom, mid, upper, lower], {
        tolerance: 1e-12,
      });
      expectClose([own["mcnemar-midp"]!], [reg], { tolerance: 1e-12 });
    });

    function leaderboard(): Leaderboard {
      const [head, ...rows] = csv("squad2_models.csv");
      const test = rows.map((row) => Number(row[head!.indexOf("test_em")]) / 100);
      const pairs = new Map(
        csv("squad2_pairs_dev.csv")
          .slice(1)
          .map(([i, j, d, k]) => [`${i},${j}`, [Number(d), Number(k)] as const]),
      );
      return {
        test,
        devItems: 11_873,
        testItems: 8862,
        pair(i, j) {
          const [difference, disagreement] = pairs.get(`${i},${j}`)!;
          return { difference, disagreement };
        },
      };
    }

    it("appendix D: 19 powered submissions with the development size, 15 with the test size", () => {
      const want = r("appendix-d");
      for (const [items, name, key] of [
        [11_873, "n_power_11873", "power"],
        [8862, "n_power_8862", "power_at_8862"],
      ] as const) {
        const own = followRecords(leaderboard(), items);
        expect([own.powered, own.poweredSignificant, own.othersSignificant]).toEqual([
          want[name].powered_dev_improvement,
          want[name].of_which_significant,
          want[name].other_significant,
        ]);
        // the stored powers count both signs, and halve odd counts to whole ones: those of even counts can be compared
        const board = leaderboard();
        const even = own.submissions.filter((s) => s.devBetter && board.pair(s.record, s.index).disagreement % 2 === 0);
        expect(even.length).toBeGreaterThan(10);
        for (const { index, power } of even) {
          if (power > 0.9)
            expectClose([power], [want.per_submission[index - 1]![key]], {
              tolerance: 1e-7,
              label: `${key} of ${index}`,
            });
        }
      }
    });

    it("Table 8: the size of an improvement falls with the record", () => {
      const records = followRecords(leaderboard(), 11_873).submissions.filter((s) => s.isRecord);
      const fit = fitLm(
        "improvement ~ baseline",
        makeTable([
          ["improvement", numericColumn(records.map((s) => s.improvement))],
          ["baseline", numericColumn(records.map((s) => s.baseline))],
        ]),
      );
      const want = r("table-8");
      expect(records).toHaveLength(14);
      expectClose(
        fit.coefficients.map((c) => c.value),
        [want.coef["(Intercept)"], want.coef.V1],
        { tolerance: 1e-9 },
      );
    });

    it("Table 7: the size of an improvement from baseline and task", () => {
      const { table, columns, claims } = claimsInput();
      const rows = new Set(claims);
      const keep = Array.from({ length: table.rows }, (_, i) => i).filter((i) => rows.has(i));
      const pick = (name: string) => {
        const cells = table.columns.get(name)!;
        return cells.kind === "numeric"
          ? numericColumn(keep.map((i) => cells.values[i]!))
          : factorColumn(keep.map((i) => cells.levels[cells.codes[i]!]!));
      };
      const own = makeTable([
        ["task", pick("task")],
        ["old", pick("old")],
        ["new", pick("new")],
      ]);
      const fit = fitEffectHistory(own, columns);
      const want = r("table-7").coef;
      expectClose(
        fit.coefficients.map((c) => c.value),
        Object.values(want),
        { tolerance: 1e-8 },
      );
    });
  });

  describe("Card et al.'s Fig. 6", () => {
    it("the closed form matches the published Fig. 6 within the errors of its 200 experiments, cell by cell", ({
      skip,
    }) => {
      if (!hasShared) skip();
      const [, ...lines] = readFileSync(sharedPath("data/card2020/lmer_power_simulation.csv"), "utf8")
        .trim()
        .split("\n");
      let squares = 0;
      for (const line of lines) {
        const [beta, items, published, workers, settings] = line.split(",");
        const setting = settings!.startsWith("High") ? "card-high" : "card-low";
        const params = { beta: Number(beta), items: Number(items), raters: Number(workers), setting, test: "z" };
        const { power } = likertFamily.make(params).approximatePower!();
        const se = Math.sqrt((power * (1 - power)) / 200) + 0.02;
        squares += ((Number(published) - power) / se) ** 2;
        expect(Math.abs(Number(published) - power)).toBeLessThan(4 * se);
      }
      // the 48 cells together: no more than their own errors
      expect(squares / lines.length).toBeLessThan(1.5);
    });
  });

  describe("results from the papers' data", () => {
    /** All numbers of the reference files, sorted. */
    function referenceNumbers(): number[] {
      const found: number[] = [];
      const collect = (value: unknown): void => {
        if (typeof value === "number") found.push(value);
        else if (value !== null && typeof value === "object") for (const part of Object.values(value)) collect(part);
      };
      for (const name of ["card2020", "riezler2021"] as const) collect(readPaper(name));
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
      const derived =
        /^in percent$|^correlation with the accuracy|^slope$|^least agreement$|^largest agreement$|^percent of|ties kept|^Kendall|^p$|^significant of the powered$/;
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
});
