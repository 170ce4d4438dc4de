/** Logs as the programs themselves wrote them, translations of newstest2017, and the tables of two papers. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Imported, InputFile } from "../../src/data/imported.ts";
import type { FactorColumn, NumericColumn } from "../../src/data/table.ts";
import { describeImported } from "../../src/describe/describe.ts";
import { parseFormula } from "../../src/formula/parse/parse.ts";
import { importFiles } from "../../src/io/import.ts";
import { sumRows } from "../../src/metrics/metric.ts";
import { prepareText } from "../../src/metrics/score-text.ts";
import { gosset, gossetJson, gossetRefuses, runAsPrinted } from "../support/cli.ts";
import { expectClose, hasShared, readPaper, sharedPath } from "../support/oracle.ts";

const SHARED = sharedPath("");
const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];

describe.skipIf(!hasShared)("logs and translations of other programs (needs ../shared)", () => {
  describe("real logs", () => {
    function readFolder(path: string): InputFile[] {
      const walk = (at: string): string[] =>
        statSync(at).isDirectory()
          ? readdirSync(at)
              .sort()
              .flatMap((name) => walk(join(at, name)))
          : [at];
      return walk(path).map((at) => ({ name: relative(dirname(path), at), bytes: readFileSync(at) }));
    }
    const open = (path: string): Promise<Imported> => importFiles(readFolder(join(SHARED, path)));
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    it.each([
      ["data_arc_qwen.json", "choice", 1 / 3, 3, 1],
      ["data_arc_sonnet.json", "choice", 1, 5, 1],
      ["data_pubmedqa_gpt4o_mini.json", "choice", 1, 2, 1],
      ["log_formats.eval", "match", 0, 1, 1],
      ["log_streaming.eval", "match", 0.75, 2, 2],
      ["popularity_b.eval", "match", 0.8, 10, 1],
    ])("Inspect %s: the mean is the accuracy of the header", async (name, metric, accuracy, items, repeats) => {
      const log = await open(`logs/inspect/${name}`);
      expect([log.format, log.items, log.repeats]).toEqual(["inspect", items, repeats]);
      expect(mean(numbers(log, metric))).toBeCloseTo(accuracy, 12);
      expect(log.diagnostics).toEqual([]);
    });

    it("Inspect: a log without scores is not a log of failures", async () => {
      const log = await open("logs/inspect/popularity_a.eval");
      expect(numbers(log, "match").every(Number.isNaN)).toBe(true);
      expect(log.diagnostics[0]?.message).toMatch(/^10 samples have no score/);
    });

    it("Inspect: two models on ARC are paired by item", async () => {
      const log = await importFiles(
        ["data_arc_qwen.json", "data_arc_sonnet.json"].flatMap((name) =>
          readFolder(join(SHARED, "logs/inspect", name)),
        ),
      );
      expect(log.systems).toEqual(["anthropic/claude-sonnet-4-0", "ollama/qwen2.5:0.5b"]);
      expect(log.items).toBe(5);
      expect(log.diagnostics.map((diagnostic) => diagnostic.message)).toEqual([
        "inspect_evals/arc_easy: 3 of 5 items were run on every system (ollama/qwen2.5:0.5b lacks 2).",
      ]);
    });

    it("lm-evaluation-harness: samples and results together", async () => {
      const log = await open("logs/lm_eval");
      expect(log.systems).toEqual(["RylanSchaeffer/mem_Qwen3-93M_minerva_math_rep_0_sbst_1.0000_epch_1_ot_1"]);
      expect([log.items, mean(numbers(log, "exact_match"))]).toEqual([10, 0]);
      expect(log.diagnostics[0]?.message).toMatch(/10 of the 5000/);
    });

    it("HELM: means are those of stats.json (0.3 on HellaSwag; 1/9 and 0 on MMLU's two splits)", async () => {
      const log = await open("logs/helm");
      expect(log.systems).toEqual(["eleutherai/pythia-1b-v0", "openai/gpt2"]);
      expect(log.items).toBe(20);
      expect(mean(numbers(log, "exact_match").slice(0, 10))).toBeCloseTo(0.3, 12);
      expect(mean(numbers(log, "exact_match").slice(10))).toBeCloseTo(0.1, 12);
      expect(log.diagnostics).toEqual([]);
    });

    it("promptfoo: versions 1 and 3, and a file without results", async () => {
      for (const name of ["config-js", "config-multishot", "simple-cli"]) {
        const log = await open(`logs/promptfoo/${name}.json`);
        expect([log.systems.length, log.items, log.repeats, mean(numbers(log, "pass"))]).toEqual([2, 4, 1, 1]);
      }
      const totals = await open("logs/promptfoo/config-node-package-typescript.json");
      expect([totals.systems.length, totals.items]).toEqual([8, 0]);
    });

    it("Every Eval Ever: the metric of the aggregate", async () => {
      const log = await open("logs/every_eval_ever");
      expect(log.metrics).toEqual([{ name: "accuracy", label: "accuracy", higherIsBetter: true }]);
      expect(numbers(log, "accuracy")).toEqual([1]);
    });

    it("MQM: system means by a second computation over the lines", async () => {
      const log = await open("logs/wmt_mqm");
      expect([log.systems.length, log.items, log.table.rows, log.repeats]).toEqual([14, 529, 7406, 1]);
      const text = new TextDecoder().decode(gunzipSync(readFileSync(join(SHARED, "logs/wmt_mqm/mqm_ted_ende.tsv.gz"))));
      const penalties = new Map<string, number>();
      for (const line of text.trimEnd().split("\n").slice(1)) {
        const cells = line.split("\t");
        const weight =
          cells[8] === "Major" ? 5 : cells[8] === "Minor" ? (cells[7] === "Fluency/Punctuation" ? 0.1 : 1) : 0;
        penalties.set(cells[0]!, (penalties.get(cells[0]!) ?? 0) + weight);
      }
      const { codes, levels } = log.table.columns.get("system") as FactorColumn;
      const scores = numbers(log, "mqm");
      for (const [code, system] of levels.entries()) {
        const own = scores.filter((_, row) => codes[row] === code);
        expect(mean(own)).toBeCloseTo(-penalties.get(system)! / 529, 10);
      }
    });

    it("text: eight systems and a reference of 3004 lines", async () => {
      const log = await open("logs/mt_text");
      expect([log.systems.length, log.items, log.table.rows]).toEqual([8, 3004, 8 * 3004]);
      expect(log.roles.reference).toBe("reference");
      expect(log.diagnostics).toEqual([]);
    });

    it("tables of the papers: the roles that their authors gave them", async () => {
      const expected: Record<string, object> = {
        "card2020/pplm_fluency_ratings.csv": {
          system: "model",
          item: "item",
          rater: "worker",
          score: "rating",
        },
        "riezler2021/mt_ter.csv": {
          system: "system",
          item: "sentence_id",
          repeat: "replication",
          score: "ter",
          covariates: ["src_length"],
        },
      };
      for (const [path, roles] of Object.entries(expected))
        expect((await open(`data/${path}`)).roles, path).toMatchObject(roles);
      const ter = await open("data/riezler2021/mt_ter.csv");
      expect([ter.items, ter.repeats, ter.systems.length, ter.metrics[0]?.higherIsBetter]).toEqual([1041, 3, 3, false]);
    });

    it("a folder of everything names its formats", async () => {
      await expect(open("logs")).rejects.toThrow(/6 formats: every-eval-ever/);
    });
  });

  describe("the commands offered for real files", () => {
    function listFiles(path: string): string[] {
      if (!existsSync(path)) return [];
      return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => listFiles(join(path, name))) : [path];
    }
    const paths = ["logs", "data"]
      .flatMap((folder) => listFiles(join(SHARED, folder)))
      .filter((path) => !/README|run_spec|scenario|\/stats\.json|grid_full|kidney/.test(path));

    it.each(paths)("use columns that exist: %s", async (path) => {
      const imported = await importFiles([{ name: path, bytes: readFileSync(path) }]);
      const found = describeImported(imported, {
        target: "data",
      });
      for (const { command } of found.answers) {
        const match = /^gosset fit \w+ (?:"([^"]+)"|'([^']+)') data/.exec(command);
        if (!command.startsWith("gosset fit")) continue;
        expect(match, command).not.toBeNull();
        const formula = parseFormula(match![1] ?? match![2]!);
        const names = formula.text.match(/`[^`]+`|[\p{L}.][\p{L}\p{N}._]*/gu) ?? [];
        for (const name of names.map((one) => one.replaceAll("`", ""))) {
          if (!["I", "cbind"].includes(name))
            expect(imported.table.columns.has(name), `${name} in ${command}`).toBe(true);
        }
        const cluster = / --cluster (\S+)/.exec(command)?.[1];
        if (cluster !== undefined) expect(imported.table.columns.has(cluster)).toBe(true);
      }
    });
  });

  describe("real logs", () => {
    const log = (name: string): string => sharedPath(`logs/${name}`);

    /** The paragraph says what the numbers are. */
    function expectTrue(result: ReturnType<typeof gossetJson>): void {
      const { statement, difference, p, n, verdict, ci } = result;
      expect(statement).toContain(` ${n} `);
      expect(
        statement.includes(p < 1e-4 ? "p < 0.0001" : p > 0.9999 && p < 1 ? "p > 0.9999" : `p = ${p.toFixed(4)}`),
      ).toBe(true);
      const better = difference > 0 === result.higherIsBetter;
      if (p < 0.05) expect(verdict).toBe(better ? "BETTER" : "WORSE");
      else expect(verdict).toBe("INCONCLUSIVE");
      expect(Number(ci.lower)).toBeLessThanOrEqual(difference);
      expect(Number(ci.upper)).toBeGreaterThanOrEqual(difference);
    }

    it.each([
      ["two Inspect logs", ["inspect/data_arc_qwen.json", "inspect/data_arc_sonnet.json"], 3],
      ["prompts of promptfoo", ["promptfoo/simple-cli.json"], 4],
      ["prompts of promptfoo, another version", ["promptfoo/config-js.json"], 4],
      ["prompts of promptfoo, a third", ["promptfoo/config-multishot.json"], 4],
      ["MQM ratings", ["wmt_mqm/mqm_ted_ende.tsv.gz"], 529],
    ])("%s", (_, names, n) => {
      const result = gossetJson("compare", ...names.map(log));
      expect(result.n).toBe(n);
      expectTrue(result);
    });

    it("translations, with sacrebleu's scores", () => {
      const book = readPaper("sacrebleu-wmt17");
      const result = gossetJson(
        "compare",
        log("mt_text/FBK.txt.gz"),
        log("mt_text/KIT.txt.gz"),
        "--ref",
        log("mt_text/reference.txt.gz"),
        "--replicates",
        "1000",
      );
      const text = JSON.stringify(book);
      for (const { score } of result.systems) expect(text).toContain(String(score).slice(0, 12));
      expectTrue(result);
    });

    it.each([
      ["one system", ["lm_eval"], "one system only"],
      ["one system", ["every_eval_ever"], "one system only"],
      ["one system", ["inspect/data_pubmedqa_gpt4o_mini.json"], "one system only"],
      ["two runs on different tasks", ["helm"], "no item has a score from every system"],
      ["a run without scores", ["inspect/popularity_a.eval", "inspect/popularity_b.eval"], "no item of popularity_a"],
      ["one shared item", ["inspect/log_streaming.eval", "inspect/log_formats.eval"], "one item in common"],
      ["totals only", ["promptfoo/config-node-package-typescript.json"], "totals, which say nothing"],
    ])("says why it cannot compare %s (%j)", (_, names, text) => {
      expect(gossetRefuses("compare", ...names.map(log))).toContain(text);
    });
  });

  describe("on the papers' data and real logs", () => {
    function filesIn(path: string): string[] {
      if (!existsSync(path)) return [];
      return readdirSync(path, { recursive: true, encoding: "utf8" })
        .map((name) => join(path, name))
        .filter((name) => statSync(name).isFile() && !name.endsWith(".md"))
        .sort();
    }
    it("reproduces the coefficients of Card et al. (2020), Table 7", () => {
      const fit = gossetJson(
        "fit",
        "lm",
        "effect ~ previous_best + task",
        sharedPath("data/card2020/glue_paper_annotations.csv"),
        "--mutate",
        "effect = model_accuracy - previous_best",
        "--where",
        "claimed_improvement == 'Y' & sota_comparison == 'Y'",
      );
      const published = [24.342, -0.264, 0.15, 0.023, 2.139, -0.195, 1.018, 1.536, -0.52];
      expect(fit.fixed.map((row: { estimate: number }) => Math.round(row.estimate * 1000) / 1000)).toEqual(published);
    });

    const files = hasShared ? [...filesIn(sharedPath("logs")), ...filesIn(sharedPath("data"))] : [];
    it.each(files)(
      "describes %s, and every command it offers runs",
      (path) => {
        const facts = gossetJson("describe", path);
        expect(facts.rows).toBeGreaterThan(0);
        expect(facts.columns.length).toBeGreaterThan(0);
        expect(facts.summary).not.toBe("");
        // fits of larger files are those of the replications
        const small = statSync(path).size < 3e5;
        for (const { command } of facts.answers) {
          if (small) expect(runAsPrinted(command), command).toBe(0);
        }
      },
      120_000,
    );
  });

  describe("what describe offers runs as printed", () => {
    it.each([
      "data/riezler2021/mt_annotation.csv",
      "data/riezler2021/liver_reliability_grid.csv",
      "logs/inspect/log_streaming.eval",
    ])("%s", (name) => {
      const { answers } = gossetJson("describe", sharedPath(name));
      const own = answers.filter(({ command }: { command: string }) =>
        /^gosset (agreement|reliability|importance) /.test(command),
      );
      expect(own.length).toBeGreaterThan(0);
      for (const { command } of own) {
        const run = gosset(...command.split(" ").slice(1), "--quiet");
        expect([run.status, run.stderr]).toEqual([0, ""]);
        expect(run.stdout).toMatch(/^(Krippendorff's α|Reliability of|Importance of)/);
      }
    });
  });

  describe("newstest2017 against sacrebleu", () => {
    const read = (name: string): string[] => {
      const lines = gunzipSync(readFileSync(sharedPath(`logs/mt_text/${name}.txt.gz`)))
        .toString("utf8")
        .split("\n");
      lines.pop();
      return lines;
    };
    it("all systems and metrics, to the last digit", () => {
      const { systems } = readPaper("sacrebleu-wmt17");
      const references = [read("reference")];
      const outputs = new Map(Object.keys(systems).map((name) => [name, read(name)]));
      for (const metric of ["bleu", "chrf", "chrf++", "ter"] as const) {
        const scorer = prepareText(references, { metric });
        for (const [name, wanted] of Object.entries<Record<string, number & number[]>>(systems)) {
          const sums = sumRows(scorer.statisticsOf(outputs.get(name)!));
          expectClose([scorer.metric.scoreOf(sums)], [wanted[metric]!], {
            tolerance: 1e-14,
            label: `${name} ${metric}`,
          });
          if (metric !== "bleu") continue;
          expect(scorer.detailsOf(sums)).toMatchObject({
            counts: wanted["bleu_counts"],
            totals: wanted["bleu_totals"],
            sysLen: wanted["sys_len"],
            refLen: wanted["ref_len"],
          });
        }
      }
    });
  });

  describe("gosset score on newstest2017", () => {
    it("all systems of the folder, to the last digit, by the command that describe offers", () => {
      const target = sharedPath("logs/mt_text");
      const { systems } = readPaper("sacrebleu-wmt17");
      const score = gossetJson("score", target, "--metric", "bleu");
      expect(score.systems).toHaveLength(8);
      for (const row of score.systems) expectClose([row.score], [systems[row.name].bleu], { tolerance: 1e-14 });
      const { answers } = gossetJson("describe", target);
      const offer = answers.find(({ command }: { command: string }) => command.includes(" score "));
      const words = offer.command.replace(/^.*? score /, "").split(" ");
      expectClose([gossetJson("score", ...words).score], [systems["C-3MA"].bleu], { tolerance: 1e-14 });
    });
  });
});
