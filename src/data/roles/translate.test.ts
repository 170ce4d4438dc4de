import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import type { Roles } from "../imported.ts";
import { metricDirection } from "./direction.ts";
import { splitWords } from "./names.ts";

async function rolesOf(rows: readonly object[]): Promise<Roles> {
  const bytes = new TextEncoder().encode(rows.map((row) => JSON.stringify(row)).join("\n"));
  return (await importFiles([{ name: "x.jsonl", bytes }])).roles;
}

describe("names of columns", () => {
  it("are understood in German: the score is korrekt, not the latency", async () => {
    const rows = ["alt", "neu"].flatMap((modell) =>
      Array.from({ length: 60 }, (_, i) => ({
        frage_id: `f${i % 20}`,
        durchlauf: 1 + Math.floor(i / 20),
        modell,
        temperatur: 0.7,
        korrekt: (i * 7) % 3 === 0 ? 1 : 0,
        latenz_ms: 300 + ((i * 37) % 101) / 3,
      })),
    );
    expect(await rolesOf(rows)).toMatchObject({
      item: "frage_id",
      system: "modell",
      repeat: "durchlauf",
      score: "korrekt",
    });
  });

  it("are understood in German, French and Spanish: raters and grades", async () => {
    const rows = (names: readonly [string, string, string, string]): object[] =>
      Array.from({ length: 60 }, (_, i) => ({
        [names[0]]: `d${i % 10}`,
        [names[1]]: i % 20 < 10 ? "x" : "y",
        [names[2]]: `r${Math.floor(i / 20)}`,
        [names[3]]: 1 + ((i * 7) % 5),
      }));
    for (const names of [
      ["Satz-Nr", "System", "Gutachter", "Note"],
      ["phrase_id", "système", "évaluateur", "note"],
      ["id_pregunta", "sistema", "evaluador", "puntuación"],
    ] as const)
      expect(await rolesOf(rows(names))).toMatchObject({
        item: names[0],
        system: names[1],
        rater: names[2],
        score: names[3],
      });
  });

  it("tell the direction in other languages, and leave a grade open: 1 is best in one country and worst in another", () => {
    expect(
      ["korrekt", "Genauigkeit", "Fehlerzahl", "fehler", "latenz_ms", "puntuación", "exactitude"].map(metricDirection),
    ).toEqual([true, true, false, false, false, true, true]);
    expect(metricDirection("Note")).toBeUndefined();
    expect(metricDirection("ohne_fehler")).toBe(true);
  });

  it("that number rows are ids, never scores", async () => {
    expect(["Text-Nr", "Nr", "No.", "Item No", "Satznummer", "Nummer"].map((name) => splitWords(name).at(-1))).toEqual([
      "id",
      "id",
      "id",
      "id",
      "satznummer",
      "id",
    ]);
    const rows = Array.from({ length: 80 }, (_, i) => ({
      "Text-Nr": 1 + (i >> 1),
      System: i % 2 === 0 ? "Alt" : "Neu",
      Anna: ["Gut", "Mäßig", "Schlecht"][(i * 7) % 3],
    }));
    const roles = await rolesOf(rows);
    expect(roles).toMatchObject({ item: "Text-Nr", system: "System" });
    expect(roles.metrics).toEqual([]);
  });
});

describe("ids of documents and of their parts", () => {
  const parts = (name: string, extra: (i: number) => object = () => ({})): object[] =>
    Array.from({ length: 60 }, (_, i) => ({
      [name]: `${i % 5}-${i}`,
      doc_id: `D${i % 5}`,
      comet: ((i * 37) % 61) / 61,
      ...extra(i),
    }));

  it("make the unique id the item and the document the cluster, in a file of one system", async () => {
    for (const name of [
      "segment_id",
      "sentence_id",
      "utterance_id",
      "case_id",
      "problem_id",
      "uid",
      "instance",
      "segment",
    ])
      expect(await rolesOf(parts(name))).toMatchObject({ item: name, cluster: "doc_id", score: "comet" });
  });

  it("do the same where a system column repeats both", async () => {
    const rows = ["m1", "m2"].flatMap((system) => parts("segment_id", () => ({ system })));
    expect(await rolesOf(rows)).toMatchObject({ item: "segment_id", cluster: "doc_id", system: "system" });
  });

  it("keep the document as the item where the other id only numbers the rows of two systems", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({
      uid: `u${i}`,
      doc_id: `D${i >> 1}`,
      system: i % 2 ? "a" : "b",
      score: i % 3,
    }));
    expect(await rolesOf(rows)).toMatchObject({ item: "doc_id", system: "system" });
  });
});
