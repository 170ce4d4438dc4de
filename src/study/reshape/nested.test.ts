import { describe, expect, it } from "vitest";
import { importFiles } from "../../io/import.ts";
import { cellText, rowsOf } from "./reshaped.ts";

const read = (records: readonly object[]) =>
  importFiles([{ name: "d.json", bytes: new TextEncoder().encode(JSON.stringify(records)) }]);
const column = ({ table }: Awaited<ReturnType<typeof read>>, name: string): (string | null)[] =>
  rowsOf(table).map((row) => cellText(table.columns.get(name)!, row));

describe("records within a cell", () => {
  it("become rows where they name raters and what these answered", async () => {
    const found = await read([
      {
        id: "q1",
        annotations: [
          { worker_id: "w1", label: "yes" },
          { worker_id: "w2", label: "no" },
        ],
      },
      {
        id: "q2",
        annotations: [
          { worker_id: "w1", label: "no" },
          { worker_id: "w3", label: "no" },
        ],
      },
    ]);
    expect(found.roles).toMatchObject({ item: "id", rater: "worker_id", label: "label" });
    expect(column(found, "label")).toEqual(["yes", "no", "no", "no"]);
  });

  it("become rows where they name systems and their scores", async () => {
    const found = await read([
      {
        prompt: "p1",
        outputs: [
          { model: "a", score: 1 },
          { model: "b", score: 0 },
        ],
      },
      {
        prompt: "p2",
        outputs: [
          { model: "a", score: 1 },
          { model: "b", score: 1 },
        ],
      },
    ]);
    expect(found.roles).toMatchObject({ item: "prompt", system: "model", score: "score" });
    expect(found.items).toBe(2);
  });

  it("are numbered within the item where a column is called ratings and nobody is named", async () => {
    const found = await read([
      { id: "q1", ratings: [{ fluency: 3 }, { fluency: 4 }] },
      { id: "q2", ratings: [{ fluency: 5 }, { fluency: 5 }] },
    ]);
    expect(found).toMatchObject({ unnamedRaters: true, roles: { item: "id", rater: "rater", score: "fluency" } });
    expect(column(found, "rater")).toEqual(["1", "2", "1", "2"]);
  });

  it("make items of the parts that raters judged, as in QAGS", async () => {
    const sentence = (text: string, ...answers: string[]) => ({
      sentence: text,
      responses: answers.map((response, k) => ({ worker_id: k, response })),
    });
    const found = await read([
      { article: "a1", summary_sentences: [sentence("s", "yes", "no"), sentence("t", "yes", "yes")] },
      { article: "a2", summary_sentences: [sentence("u", "no", "no")] },
    ]);
    expect(found.roles).toMatchObject({ item: "item", rater: "worker_id", label: "response" });
    expect(column(found, "item")).toEqual(["1.1", "1.1", "1.2", "1.2", "2.1", "2.1"]);
  });

  it("stand under the names of systems, as records or as numbers", async () => {
    const records = await read([
      { id: 1, systems: { a: { score: 1, note: [1] }, b: { score: 0, note: [2] } } },
      { id: 2, systems: { a: { score: 1, note: [1] }, b: { score: 1, note: [2] } } },
    ]);
    const numbers = await read([
      { id: 1, models: { a: 1, b: 0 } },
      { id: 2, models: { a: 1, b: 1 } },
    ]);
    for (const found of [records, numbers]) {
      expect(found.roles).toMatchObject({ item: "id", system: "system", score: "score" });
      expect(column(found, "score")).toEqual(["1", "0", "1", "1"]);
    }
  });

  it.each([
    ["messages", { messages: [{ user: "hi", response: "hello" }] }],
    ["turns of a chat", { chat: [{ user: "hi", response: "hello" }] }],
    ["tests behind a score", { score: 1, annotations: [{ worker_id: "w", passed: true }] }],
    ["documents", { contexts: [{ id: 3, rank: 1 }] }],
  ])("%s stay as they are", async (_, record) => {
    expect(
      (
        await read([
          { id: "q1", ...record },
          { id: "q2", ...record },
        ])
      ).table.rows,
    ).toBe(2);
  });
});
