/** The engine of the page without its page: what it answers is what the library answers, and what it asks is what the library asks. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  answerComparison,
  importFiles,
  makeRng,
  measureReliability,
  type NamedImport,
  StatError,
} from "../src/index.ts";
import { type Told, withTold } from "../src/io.ts";
import type { OpenData } from "../web/engine/protocol.ts";
import { Session } from "../web/engine/session.ts";
import { root } from "./support/cli.ts";
import { differences } from "./support/page.ts";

type Given = readonly (readonly [name: string, text: string])[];

const around = { signal: new AbortController().signal, tell: () => {} };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const question = (door: string, told: Told = {}, settings = {}) => ({ door, settings, told, seed: "1" });

async function opened(given: Given): Promise<{ readonly session: Session; readonly data: OpenData }> {
  const session = new Session();
  const files = given.map(([path, text]) => ({ path, file: new File([text], path) }));
  return { session, data: await session.open({ files }) };
}

/** What the page shows of a question: an answer's JSON, or the question or refusal. */
async function pageAnswer({ session }: { readonly session: Session }, door: string, told: Told = {}): Promise<unknown> {
  try {
    await session.ask(question(door, told), around);
    return JSON.parse(session.write({ door, as: "json" }));
  } catch (error) {
    return refusal(error);
  }
}

async function libraryAnswer(given: Given, told: Told = {}): Promise<unknown> {
  const { score, ...rest } = told;
  try {
    const parts = await Promise.all(
      given.map(
        async ([path, text]): Promise<NamedImport> => ({
          path,
          imported: await importFiles([{ name: path, bytes: bytesOf(text) }]),
        }),
      ),
    );
    const rng = makeRng("1");
    const result = answerComparison(parts, { ...rest, metric: score, rng });
    return JSON.parse(JSON.stringify(result));
  } catch (error) {
    return refusal(error);
  }
}

function refusal(error: unknown) {
  if (!(error instanceof StatError)) throw error;
  return { code: error.code, message: error.message, fix: error.fix };
}

const example = (...names: readonly string[]): Given =>
  names.map((name) => [name.split("/").at(-1)!, readFileSync(join(root, "examples/data", name), "utf8")]);

/** Every system twice on every item, in columns that have no plain names but one. */
const twice = ["model,hash,score2"]
  .concat(
    ...[0, 1].map((run) =>
      ["alpha", "beta"].flatMap((model, k) =>
        Array.from({ length: 24 }, (_, i) => `${model},h${i},${(i * 7 + k * 5 + run * 3) % 4 > k ? 1 : 0}`),
      ),
    ),
  )
  .join("\n");
const wide = ["q,left,right"]
  .concat(Array.from({ length: 24 }, (_, i) => `t${i},${(i % 7) / 10},${((i * 3) % 8) / 10}`))
  .join("\n");
const TWICE: Given = [["twice.csv", twice]];
const WIDE: Given = [["wide.csv", wide]];
const ANSWERED: Told = { score: "score2", item: "hash", run: "rows" };

describe("the engine of the page", () => {
  const cases: readonly (readonly [string, Given, Told?])[] = [
    ["annotation.csv", example("annotation.csv")],
    ["claims.csv", example("claims.csv")],
    ["grades.csv", example("grades.csv")],
    ["inference.csv", example("inference.csv")],
    ["labels.csv", example("labels.csv")],
    ["labels.csv, answered", example("labels.csv"), { gold: "label", pred: ["model_a", "model_b"] }],
    ["leaderboard.csv", example("leaderboard.csv")],
    ["questions.jsonl", example("questions.jsonl")],
    ["summaries.csv", example("summaries.csv")],
    ["votes.csv", example("votes.csv")],
    ["two logs", example("sums/base.json", "sums/tuned.json")],
    ["ratings and metrics", example("judged/human.csv", "judged/metrics.csv")],
    ["training and test rows", example("clinic/train.csv", "clinic/test.csv")],
    ["rows that repeat", TWICE],
    ["rows that repeat, answered", TWICE, ANSWERED],
    ["a wide table", WIDE],
    ["a wide table, answered", WIDE, { systems: ["left", "right"], item: "q" }],
  ];
  for (const [name, given, told] of cases)
    it(`compares or asks as the library does: ${name}`, async () => {
      const [own, other] = [await pageAnswer(await opened(given), "compare", told), await libraryAnswer(given, told)];
      expect(differences(own, other, 0)).toEqual([]);
    });

  it("measures reliability as the library does", async () => {
    const given = example("summaries.csv");
    const own = await pageAnswer(await opened(given), "reliability", {});
    const { table, roles } = await importFiles([{ name: "summaries.csv", bytes: bytesOf(given[0]![1]) }]);
    expect(roles.rater).toBeDefined();
    expect(own).toMatchObject({ kind: "agreement" });
    const page = await opened(given);
    await page.session.ask(question("reliability", {}, { ask: "components" }), around);
    const result = measureReliability({ table, roles }, { confidence: 0.95, rng: makeRng("1") });
    const json = JSON.parse(page.session.write({ door: "reliability", as: "json" }));
    expect(differences(json, JSON.parse(JSON.stringify(result)), 0)).toEqual([]);
    // what was said is in the command
    const { command } = await page.session.ask(
      question("reliability", { rater: "none" }, { ask: "components" }),
      around,
    );
    expect(command).toMatch(/^gosset reliability summaries.csv --score \w+ --object \w+ --facets \w+/);
  });

  it("asks one question after the other, and says the answers in the command", async () => {
    const { session, data } = await opened(TWICE);
    expect(data.ask).toMatchObject({ id: "score", answers: [{ text: "score2", told: { score: "score2" } }] });
    const second = session.tell({ told: { score: "score2" } });
    expect(second.ask).toMatchObject({
      id: "item",
      answers: [{ text: "hash", told: { item: "hash" } }],
    });
    expect(second.ask?.other).toBeUndefined();
    const third = session.tell({ told: { score: "score2", item: "hash" } });
    expect(third.ask?.answers).toEqual([{ text: "no column: they are repeated runs", told: { run: "rows" } }]);
    const last = session.tell({ told: ANSWERED });
    expect(last.ask).toBeUndefined();
    expect(last.decided).toContain("model: system (by its name)");
    expect(last.decided).toContain("hash: item (as you say)");
    expect(last.told.map(({ role, text }) => `${role} ${text}`)).toEqual([
      "score score2",
      "item hash",
      "run repeated rows",
    ]);
    const { command } = await session.ask(question("compare", ANSWERED), around);
    expect(command).toBe("gosset compare twice.csv --item hash --metric score2 --run rows");
  });

  it.each(["compare", "gate"])("says the open question with its likely answers: %s", async (door) => {
    const { session } = await opened(WIDE);
    const error = await session.ask(question(door), around).catch((one: unknown) => one);
    expect(session.askOf(error)).toMatchObject({
      id: "system",
      answers: [{ text: "left, right: one column per system", told: { systems: ["left", "right"] } }],
    });
  });

  it("saves what the columns are, and takes it again", async () => {
    const { session } = await opened(TWICE);
    const { reading } = session.tell({ told: ANSWERED });
    expect(reading).toBe("system: model\nitem: hash\nscore: score2\nrun: rows\n");
    const read = session.read({ name: "reading.yaml", text: reading });
    expect(read).toEqual({ told: { system: "model", ...ANSWERED } });
    expect(session.read({ name: "reading.yaml", text: "systems: [left, right]\nby-row: true\n" })).toEqual({
      told: { systems: ["left", "right"], byRow: true },
    });
    expect(() => session.tell({ told: { item: "hsah" } })).toThrow(/hsah: no such column/);
    expect(() => session.read({ name: "reading.yaml", text: "item: hash\nshape: long\n" })).toThrow(
      "reading.yaml: this page does not take shape from a reading.",
    );
    expect(() => session.read({ name: "notes.yaml", text: "colour: red\n" })).toThrow("nor a reading");
  });

  it("reads several files together as the library does", async () => {
    const given = example("sums/base.json", "sums/tuned.json");
    const { data } = await opened(given);
    const whole = await importFiles(given.map(([name, text]) => ({ name, bytes: bytesOf(text) })));
    expect(data.systems).toEqual(whole.systems);
    expect(data.ask).toBeUndefined();
    expect(data.roles.find(({ role }) => role === "item")?.column).toBe(withTold(whole, {}).roles.item);
  });

  it("asks which of several texts is the reference unless a name says it", async () => {
    const lines = Array.from({ length: 12 }, (_, i) => `a sentence ${i}`).join("\n");
    const { session, data } = await opened([
      ["one.txt", lines],
      ["two.txt", lines.replaceAll("sentence 3", "word 3")],
      ["three.txt", lines],
    ]);
    expect([data.texts, data.reference]).toEqual([true, undefined]);
    await expect(session.ask(question("compare"), around)).rejects.toThrow("which text is the reference?");
  });
});
