import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Imported } from "../../data/imported.ts";
import { meansBySystem } from "../../study/score-facts.ts";
import { importFiles } from "../import.ts";

const read = (files: Readonly<Record<string, string>>): Promise<Imported> =>
  importFiles(
    Object.entries(files).map(([name, text]) => {
      const bytes = new TextEncoder().encode(text);
      return { name, bytes: name.endsWith(".gz") ? new Uint8Array(gzipSync(bytes)) : bytes };
    }),
  );
const lines = (rows: readonly (readonly (string | number)[])[]): string =>
  `${rows.map((row) => row.join("\t")).join("\n")}\n`;
const means = ({ table, roles }: Imported, score = roles.score!): Record<string, number> =>
  Object.fromEntries(meansBySystem(table, roles, score).map(({ system, mean }) => [system, mean]));
const SYSTEMS = ["Online-A.10", "Online-B.11", "UEDIN.12"];

describe("scores of the WMT metrics task", () => {
  const sys = (metric: string, references: readonly string[], unit: number) =>
    references.flatMap((reference) =>
      ["cs-en", "de-en"].flatMap((pair) =>
        SYSTEMS.map((system, k) => [metric, pair, "newstest2020", reference, system, unit * (30 + k)]),
      ),
    );

  it("reads .sys.score as totals of systems, language pairs as tasks, metrics side by side", async () => {
    const found = await read({
      "BLEU.sys.score.gz": lines(sys("BLEU", ["newstest2020"], 1)),
      "TER.sys.score": lines(sys("TER", ["newstest2020"], -0.01)),
    });
    expect([found.format, found.systems, found.roles.task]).toEqual(["wmt-metrics", SYSTEMS, "task"]);
    expect(found.table.rows).toBe(6);
    expect(found.roles.metrics).toEqual(["BLEU", "TER"]);
    // its sign is turned, as the task publishes it
    expect(found.metrics.map(({ higherIsBetter }) => higherIsBetter)).toEqual([true, true]);
    expect(found.diagnostics.map(({ code }) => code)).toContain("TotalsOnly");
    const raw = await read({ "TER.sys.score": lines(sys("TER", ["newstest2020"], 0.01)) });
    expect(raw.metrics[0]!.higherIsBetter).toBe(false);
  });

  it("gives a metric a column for each reference, and reads lines without a reference or with a domain", async () => {
    const two = await read({ "BLEU.sys.score": lines(sys("BLEU", ["refA", "refB"], 1)) });
    expect(two.roles.metrics).toEqual(["BLEU-refA", "BLEU-refB"]);
    const none = SYSTEMS.map((system, k) => ["BEER", "de-cs", "newstest2019", system, k / 7, "non-ensemble", "yes"]);
    expect(means(await read({ "BEER.sys.score": lines(none) }))).toEqual({
      [SYSTEMS[0]!]: 0,
      [SYSTEMS[1]!]: 1 / 7,
      [SYSTEMS[2]!]: 2 / 7,
    });
    const domain = SYSTEMS.map((system, k) => ["COMET", "en-de", "generaltest2022", "all", "refA", system, k / 8]);
    expect((await read({ "COMET.sys.score": lines(domain) })).systems).toEqual(SYSTEMS);
  });

  const seg = (metric: string, unit: number) =>
    SYSTEMS.flatMap((system, k) =>
      ["idnes.1", "novinky.2"].flatMap((document) =>
        [1, 2, 3].map((segment) => [
          metric,
          "cs-en",
          "newstest2020",
          "newstest2020",
          system,
          document,
          segment,
          unit * (segment + k),
        ]),
      ),
    );

  it("reads .seg.score by segment: numbers that start again in each document are items of that document", async () => {
    const found = await read({
      "chrF.seg.score": lines(seg("chrF", 0.1)),
      "TER.seg.score.gz": lines(seg("TER", -0.1)),
      "chrF.sys.score": lines(sys("chrF", ["newstest2020"], 1)),
    });
    expect([found.items, found.repeats, found.roles.cluster, found.roles.task]).toEqual([6, 1, "document", undefined]);
    expect(found.roles.metrics).toEqual(["chrF", "TER"]);
    expect(found.diagnostics.find(({ code }) => code === "OtherLevels")!.message).toMatch(/^chrF\.sys\.score holds/);
    expect(means(found, "TER")[SYSTEMS[1]!]).toBeCloseTo(-0.3, 12);
    const plain = SYSTEMS.flatMap((system) =>
      [1, 2, 3].map((k) => ["chrF", "de-en", "newstest2019", system, k, k / 9]),
    );
    expect((await read({ "chrF.seg.score": lines(plain) })).items).toBe(3);
    const late = SYSTEMS.flatMap((system) =>
      [1, 2, 3].map((k) => ["COMET", "en-de", "wmt23", "news", `doc${k % 2}`, "refA", system, k, k / 9]),
    );
    expect((await read({ "COMET.seg.score": lines(late) })).items).toBe(3);
  });

  it("reads mt-metrics-eval's blocks: the file's name says metric and language pair, None is missing", async () => {
    const human = SYSTEMS.flatMap((system, k) => [-1, -2, "None", -k].map((score) => [system, score]));
    const found = await read({ "human-scores/en-de.mqm.seg.score": lines(human) });
    expect([found.items, found.roles.score, found.roles.system]).toEqual([4, "mqm", "system"]);
    expect(means(found)[SYSTEMS[2]!]).toBeCloseTo(-5 / 3, 12);
    const both = await read({
      "human-scores/en-de.mqm.sys.score": lines(SYSTEMS.map((system, k) => [system, -k])),
      "human-scores/en-de.wmt-z.sys.score": lines(SYSTEMS.map((system, k) => [system, k / 10])),
    });
    expect([both.systems, both.roles.metrics]).toEqual([SYSTEMS, ["mqm", "wmt-z"]]);
  });

  it("leaves other tables of five fields alone", async () => {
    const text = lines([
      ["model", "pair", "set", "system", "score"],
      ["x", "de-en", "dev", "a", 1],
      ["x", "de-en", "dev", "b", 2],
    ]);
    expect((await read({ "t.tsv": text })).format).toBe("tsv");
  });
});
