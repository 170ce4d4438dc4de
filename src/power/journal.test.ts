/** Simulations over a journal: the same bits after any end, in any shards, and nothing false believed. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { makeFolder } from "../../test/support/folder.ts";
import { makeRng } from "../numeric/rng.ts";
import { sha256 } from "../result/hash.ts";
import { type FolderJournal, openFolder } from "../run/folder.ts";
import { inlineRunner } from "../run/inline.ts";
import { readLine, writePiece } from "../run/journal.ts";
import { journalRunner, shardRunner, surveyRunner } from "../run/journal-runner.ts";
import type { Runner } from "../run/task.ts";
import { accuracyFamily } from "./scenarios/accuracy.ts";
import { likertFamily } from "./scenarios/likert.ts";
import { powerReplicates } from "./scenarios/scenarios.ts";
import { tracePower } from "./solve/curve.ts";
import { findMde } from "./solve/mde.ts";
import { findSize } from "./solve/size.ts";
import { analysePower } from "./solve/solve.ts";
import { keepTallies } from "./tallies.ts";

const root = makeFolder("journal");
let made = 0;
const newFolder = (): string => join(root, `j${made++}`);

/** Counts what is drawn in this process. */
function counting(): Runner & { drawn: number } {
  const inner = inlineRunner();
  const runner = {
    workers: 1,
    drawn: 0,
    map: ((task, inputs, rng, options = {}) =>
      inner.map(task, inputs, rng, {
        ...options,
        onResult(i, out) {
          runner.drawn += 1;
          options.onResult?.(i, out);
        },
      })) as Runner["map"],
    close: async () => {},
  };
  return runner;
}

const params = { n: 200, delta: 0.04, agreement: 0.9 };
const ratings = { items: 12, raters: 3, effect: 0.4, setting: "card-low" };
const options = { method: "simulation" as const, task: powerReplicates };
const run = (runner: Runner, replicates = 1030, seed = 4, own: Record<string, unknown> = params) =>
  analysePower(accuracyFamily, own as typeof params, { ...options, runner, replicates, rng: makeRng(seed) });

async function kept(folder: string, replicates?: number, seed?: number, own?: Record<string, unknown>) {
  const inner = counting();
  const journal = openFolder(folder);
  try {
    const result = await run(journalRunner(journal, inner), replicates, seed, own);
    return { result: result.toJSON(), drawn: inner.drawn, notes: journal.notes() };
  } finally {
    journal.close();
  }
}
const filesOf = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));
const linesOf = (path: string): string[] => readFileSync(path, "utf8").trimEnd().split("\n");
const pieceLines = (path: string): string[] => linesOf(path).filter((line) => !line.startsWith("{"));
/** Replaces the lines of the only file. */
function rewrite(folder: string, change: (lines: string[]) => string[]): void {
  const [path] = filesOf(folder);
  writeFileSync(path!, `${change(linesOf(path!)).join("\n")}\n`);
}

const plain = await run(inlineRunner());

describe("a journal", () => {
  it("keeps everything, so that the second run uses no random replicates, a longer or shorter one what it lacks", async () => {
    const folder = newFolder();
    expect(await kept(folder)).toEqual({ result: plain.toJSON(), drawn: 21, notes: [] });
    expect(await kept(folder)).toEqual({ result: plain.toJSON(), drawn: 0, notes: [] });
    expect(filesOf(folder)).toHaveLength(1);
    expect(await kept(folder, 500)).toMatchObject({ result: (await run(inlineRunner(), 500)).toJSON(), drawn: 0 });
    expect(await kept(folder, 1200)).toMatchObject({ result: (await run(inlineRunner(), 1200)).toJSON(), drawn: 4 });
  });

  it("knows a simulation by its parameters in any order, and another seed, parameter or scenario as another", async () => {
    const folder = newFolder();
    await kept(folder, 100);
    expect((await kept(folder, 100, 4, { agreement: 0.9, delta: 0.04, n: 200 })).drawn).toBe(0);
    expect((await kept(folder, 100, 4, { ...params, alpha: 0.05 })).drawn).toBe(0); // the default, given
    expect((await kept(folder, 100, 5)).drawn).toBe(2);
    expect((await kept(folder, 100, 4, { ...params, alpha: 0.01 })).drawn).toBe(2);
    expect((await kept(folder, 100)).drawn).toBe(0);
  });

  it("keeps experiments with and without an effect apart, and those of several analyses", async () => {
    const folder = newFolder();
    const analyse = async (runner: Runner) =>
      (
        await analysePower(likertFamily, ratings, {
          ...options,
          runner,
          replicates: 60,
          checkErrorRate: true,
          rng: makeRng(1),
        })
      ).toJSON();
    const direct = await analyse(inlineRunner());
    const journal = openFolder(folder);
    expect(await analyse(journalRunner(journal, inlineRunner()))).toEqual(direct);
    journal.close();
    const inner = counting();
    expect(await analyse(journalRunner(openFolder(folder), inner))).toEqual(direct);
    expect(inner.drawn).toBe(0);
  });

  it("draws again what was torn at the end of a file, at any byte", async () => {
    const folder = newFolder();
    await kept(folder, 200);
    const [path] = filesOf(folder);
    const whole = readFileSync(path!);
    const expected = (await run(inlineRunner(), 200)).toJSON();
    for (const bytes of [1, 2, 30, 100, 700, whole.length - 20, whole.length]) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      writeFileSync(path!, whole);
      truncateSync(path!, whole.length - bytes);
      const { result, drawn } = await kept(folder, 200);
      expect(result).toEqual(expected);
      expect(drawn).toBeGreaterThan(0);
    }
  });

  it("does not believe a line that was edited, and says so", async () => {
    const folder = newFolder();
    await kept(folder, 200);
    rewrite(folder, (lines) => lines.map((line, i) => (i === 3 ? line.replace('"out":[[', '"out":[[9') : line)));
    const { result, drawn, notes } = await kept(folder, 200);
    expect(result).toEqual((await run(inlineRunner(), 200)).toJSON());
    expect(drawn).toBe(1);
    expect(notes.join()).toMatch(/a line of the journal .* is damaged/);
  });

  it("does not believe counts that experiments cannot have, though their checksum is right", async () => {
    const folder = newFolder();
    await kept(folder, 200);
    rewrite(folder, (lines) =>
      lines.map((line) => {
        const read = readLine(line);
        if (read.kind !== "piece" || read.piece.from !== 50) return line;
        const [[, ...rest]] = read.piece.out as number[][][];
        return writePiece({ ...read.piece, out: [[2000, ...rest!]] });
      }),
    );
    for (let k = 0; k < 2; k++) {
      const { result, drawn } = await kept(folder, 200);
      expect(result).toEqual((await run(inlineRunner(), 200)).toJSON());
      expect(drawn).toBe(k === 0 ? 1 : 0);
    }
  });

  it("leaves foreign lines and files alone", async () => {
    const folder = newFolder();
    await kept(folder, 200);
    const lines = ["hello", "", "{}", "[1,2]", '{"set":1}', "00000000 {}", "\u0000\u0001", "x".repeat(5000), "null"];
    appendFileSync(filesOf(folder)[0]!, `${lines.join("\n")}\n`);
    writeFileSync(join(folder, "notes.txt"), "mine");
    writeFileSync(join(folder, "other.jsonl"), '{"id":1}\n{"id":2}\n');
    writeFileSync(join(folder, "empty.jsonl"), "");
    mkdirSync(join(folder, "folder.jsonl"));
    const { drawn, notes } = await kept(folder, 200);
    expect(drawn).toBe(0);
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(/8 lines of the journal/);
    expect(notes[1]).toMatch(/other\.jsonl" does not begin like a journal/);
  });

  it("refuses lines of another version, build or format", async () => {
    const folder = newFolder();
    await kept(folder, 100);
    const change = (from: string | RegExp, to: string): void =>
      rewrite(folder, ([first, ...rest]) => [first!.replace(from, to), ...rest]);
    change(/"gosset":"[^"]*"/, '"gosset":"0.0.1"');
    await expect(kept(folder, 100)).rejects.toMatchObject({ code: "OtherVersion" });
    change('"gosset":"0.0.1"', `"gosset":"${openFolder(folder).writer.gosset}","build":"abc"`);
    expect((await kept(folder, 100)).drawn).toBe(0);
    const journal = openFolder(folder, { build: "def" });
    await expect(run(journalRunner(journal, inlineRunner()), 100)).rejects.toThrow(/another build/);
    change('"journal":1', '"journal":2');
    await expect(kept(folder, 100)).rejects.toThrow(/format 2/);
  });

  it("tells of another machine, and takes no tallies of another module", async () => {
    const folder = newFolder();
    await kept(folder, 100);
    rewrite(folder, ([first, ...rest]) => [first!.replace(/"arch":"\w+"/, '"arch":"sparc"'), ...rest]);
    expect((await kept(folder, 100)).notes.join()).toMatch(/on sparc.*last digits may differ/);
    const inner = counting();
    const other = openFolder(folder, { module: "changed" });
    await run(journalRunner(other, inner), 100);
    other.close();
    expect(inner.drawn).toBe(2);
  });

  it("takes the same piece from two writers, but not with other bits", async () => {
    const folder = newFolder();
    const journals = [openFolder(folder), openFolder(folder)];
    // both read before either writes
    const late: Runner = {
      ...inlineRunner(),
      map: async (...given) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        return inlineRunner().map(...given);
      },
    };
    await Promise.all(journals.map((journal) => run(journalRunner(journal, late), 100)));
    for (const journal of journals) journal.close();
    expect(filesOf(folder).map((path) => pieceLines(path).length)).toEqual([2, 2]);
    expect((await kept(folder, 100)).drawn).toBe(0);
    const path = filesOf(folder)[1]!;
    const changed = linesOf(path).map((line) => {
      const read = readLine(line);
      if (read.kind !== "piece" || read.piece.from !== 50) return line;
      const [tally] = read.piece.out as [(number | number[])[]];
      const drawn = (tally[5] as number[]).map((value) => value + 1e-9);
      return writePiece({ ...read.piece, out: [[...tally.slice(0, 5), drawn, tally[6]]] });
    });
    writeFileSync(path, `${changed.join("\n")}\n`);
    await expect(kept(folder, 100)).rejects.toMatchObject({ code: "JournalConflict" });
    await expect(kept(folder, 100)).rejects.toThrow(/experiments 50 to 99/);
  });

  it("says that it cannot be written before anything is drawn, and is read where it cannot be written", async () => {
    const file = newFolder();
    writeFileSync(file, "");
    await expect(kept(file, 100)).rejects.toMatchObject({ code: "NotAJournal" });
    const below = join(file, "below");
    const inner = counting();
    await expect(run(journalRunner(openFolder(below), inner), 100)).rejects.toMatchObject({ code: "NotWritable" });
    expect(inner.drawn).toBe(0);
    const folder = newFolder();
    await kept(folder, 100);
    chmodSync(folder, 0o555);
    expect((await kept(folder, 100)).drawn).toBe(0);
    chmodSync(folder, 0o755);
  });

  it("does not care what the clock says: it jumps while pieces are drawn, and files come from the future or from 1970", async () => {
    const folder = newFolder();
    const clock = vi.spyOn(Date, "now");
    let now = Date.parse("2040-01-01");
    clock.mockImplementation(() => (now -= 86_400_000));
    const first = await kept(folder, 500);
    clock.mockRestore();
    expect(first.result).toEqual((await run(inlineRunner(), 500)).toJSON());
    for (const time of [new Date("2099-01-01"), new Date(0)]) {
      for (const path of filesOf(folder)) utimesSync(path, time, time);
      expect(await kept(folder, 500)).toEqual({ ...first, drawn: 0 });
    }
    expect((await kept(folder, 600)).drawn).toBe(2);
  });

  it("ends with what is on a disk that fills up, and goes on from there", async () => {
    const folder = newFolder();
    const journal = openFolder(folder);
    let left = 3;
    const full: FolderJournal = {
      ...journal,
      add(...piece) {
        journal.add(...piece);
        if (--left > 0) return;
        // as a full disk leaves it: part of a line
        const [path] = filesOf(folder);
        truncateSync(path!, readFileSync(path!).length - 40);
        throw Object.assign(new Error("no room"), { code: "NotWritable" });
      },
    };
    await expect(run(journalRunner(full, inlineRunner()), 500)).rejects.toMatchObject({ code: "NotWritable" });
    journal.close();
    expect(await kept(folder, 500)).toMatchObject({ result: (await run(inlineRunner(), 500)).toJSON(), drawn: 8 });
  });
});

describe("shards", () => {
  const shardOf = async (folder: string, shard: number, shards: number) => {
    const journal = openFolder(folder, { shard: `${shard}/${shards}` });
    const runner = shardRunner(journal, inlineRunner(), { shard, shards });
    await run(runner);
    journal.close();
    return runner.counts;
  };

  it("make the whole together, whatever their number and order, and each draws its own", async () => {
    const folder = newFolder();
    expect(await shardOf(folder, 2, 3)).toEqual({ pieces: 7, found: 0 });
    expect(await shardOf(folder, 0, 3)).toEqual({ pieces: 7, found: 0 });
    expect(await shardOf(folder, 0, 3)).toEqual({ pieces: 7, found: 7 });
    // of two shards, after part of three
    expect(await shardOf(folder, 1, 2)).toEqual({ pieces: 10, found: 6 });
    expect(await kept(folder)).toMatchObject({ result: plain.toJSON(), drawn: 3 });
    expect(await shardOf(folder, 50, 64)).toEqual({ pieces: 0, found: 0 });
  });

  it("of a curve hold the pieces of all its points", async () => {
    const folder = newFolder();
    const trace = async (runner: Runner) =>
      tracePower(
        accuracyFamily,
        { delta: 0.04, agreement: 0.9 },
        {
          ...options,
          runner,
          replicates: 150,
          rng: makeRng(2),
          axes: [{ name: "n", values: [100, 200] }],
        },
      );
    for (const shard of [1, 0]) {
      const journal = openFolder(folder);
      await trace(shardRunner(journal, inlineRunner(), { shard, shards: 2 }));
      journal.close();
    }
    const inner = counting();
    const merged = await trace(journalRunner(openFolder(folder), inner));
    expect(merged.toJSON()).toEqual((await trace(inlineRunner())).toJSON());
    expect(inner.drawn).toBe(0);
  });

  it("that are missing are counted, and the unbroken run before them is what a shorter run gives", async () => {
    const folder = newFolder();
    const journal = openFolder(folder);
    await run(journalRunner(journal, inlineRunner()), 300);
    await run(shardRunner(journal, inlineRunner(), { shard: 1, shards: 3 }));
    journal.close();
    const survey = surveyRunner(openFolder(folder));
    await run(survey);
    expect(survey).toMatchObject({ pieces: 21, wanted: 1030 });
    expect(survey.missing.map(({ index }) => index)).toEqual([6, 8, 9, 11, 12, 14, 15, 17, 18, 20]);
    const first = Math.min(...survey.missing.map(({ from }) => from));
    expect((await run(surveyRunner(openFolder(folder)), first)).toJSON()).toEqual(
      (await run(inlineRunner(), 300)).toJSON(),
    );
  });
});

describe("adaptive searches", () => {
  it.each([
    ["mde", (runner: Runner) => findMde(accuracyFamily, { n: 300, agreement: 0.9 }, solving(runner))],
    ["size", (runner: Runner) => findSize(accuracyFamily, { delta: 0.05, agreement: 0.9 }, solving(runner))],
  ] as const)("%s goes on to the same answer after it was ended anywhere", async (_, solve) => {
    const direct = (await solve(inlineRunner())).toJSON();
    const folder = newFolder();
    for (const ended of [3, 20]) {
      const stop = new AbortController();
      let drawn = 0;
      const journal = openFolder(folder);
      const inner = inlineRunner();
      const dying: Runner = {
        ...inner,
        map: (task, inputs, rng, more = {}) =>
          inner.map(task, inputs, rng, {
            ...more,
            signal: stop.signal,
            onResult(i, out) {
              more.onResult?.(i, out);
              if (++drawn === ended) stop.abort();
            },
          }),
      };
      await expect(solve(journalRunner(journal, dying))).rejects.toMatchObject({ code: "Cancelled" });
      journal.close();
    }
    const inner = counting();
    const journal = openFolder(folder);
    expect((await solve(journalRunner(journal, inner))).toJSON()).toEqual(direct);
    journal.close();
    const all = filesOf(folder).flatMap(pieceLines).length;
    expect(inner.drawn).toBe(all - 23);
    const none = counting();
    expect((await solve(journalRunner(openFolder(folder), none))).toJSON()).toEqual(direct);
    expect(none.drawn).toBe(0);
  });
});

const solving = (runner: Runner) => ({ ...options, runner, rng: makeRng(7), power: 0.8, replicates: 3000 });

describe("tallies from a file", () => {
  const keeping = keepTallies(() => 1);
  const piece = { scenario: "x", params: {}, seed: "1", from: 10_000, count: 50 };
  const early = { ...piece, from: 0 };

  it("are read as they were written, infinities too", () => {
    const tally = { right: 3, wrong: 1, failed: 2, sum: 4, squares: 4 };
    expect(keeping.read(JSON.parse(JSON.stringify(keeping.write([tally], piece))), piece)).toEqual([tally]);
    const endless = { right: 1, wrong: 0, failed: 0, sum: Number.POSITIVE_INFINITY, squares: Number.NaN };
    const drawn = { significant: [Number.NEGATIVE_INFINITY], others: Array.from({ length: 49 }, () => 0.1 + 0.2) };
    const written = JSON.parse(JSON.stringify(keeping.write([{ ...endless, drawn }], early)));
    expect(keeping.read(written, early)).toEqual([{ ...endless, drawn }]);
  });

  it.each([
    [[[2000, 0, 0, 2000, 2000]]],
    [[[-1, 0, 0, 0, 0]]],
    [[[1.5, 0, 0, 1.5, 1.5]]],
    [[["3", 1, 2, 4, 4]]],
    [[[3, 1, 2, 4]]],
    [[[3, 1, 2, 4, 4, [], []]]],
    [[[0, 0, 0, 1, 1]]],
    [[[3, 1, 2, -4, 4]]],
    [[[3, 1, 2, 4, 3]]], // no four numbers have this sum and these squares
    [[[3, 1, 2, 4, 17]]],
    [[[3, 1, 2, null, 4]]],
    [[[3, 1, 2, "many", 4]]],
    [[]],
    [
      [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
      ],
    ],
    [{}],
    [null],
    ["[[0,0,0,0,0]]"],
  ])("%j is none", (value) => {
    expect(keeping.read(value, piece)).toBeUndefined();
  });

  it("of the first experiments have the effects of every one", () => {
    const others = Array.from({ length: 49 }, () => 0);
    expect(keeping.read([[1, 0, 0, 2, 4, [2], others]], early)).toBeDefined();
    expect(keeping.read([[1, 0, 0, 2, 4]], early)).toBeUndefined();
    expect(keeping.read([[1, 0, 0, 2, 4, [2, 3], others]], early)).toBeUndefined();
    expect(keeping.read([[1, 0, 0, 2, 4, [2], others.slice(1)]], early)).toBeUndefined();
    expect(keeping.read([[1, 0, 0, 2, 4, [2], [...others.slice(1), "x"]]], early)).toBeUndefined();
  });
});

it("a piece's checksum is the beginning of the SHA-256 of its text", () => {
  const line = writePiece({ set: "a", from: 0, count: 50, out: [1], ms: 2 });
  expect(line).toBe(`${sha256(line.slice(9)).slice(0, 8)} {"set":"a","from":0,"count":50,"out":[1],"ms":2}`);
});
