/** The browser app as a user meets it: the one file from the disk, in the system's Chromium, from file drop to export. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { readPolicy } from "../src/plan.ts";
import { Browser } from "./support/chromium.ts";
import { gosset, program, root } from "./support/cli.ts";
import { installed } from "./support/installed.ts";
import { differences, Page } from "./support/page.ts";

/** Closed forms: exp and log of Chromium and Node differ in the last bit. */
const CLOSED = 1e-10;

/** Fits that are iterated to an optimum. */
const ITERATED = 1e-6;
const FILE = pathToFileURL(join(root, "dist/page/gosset.html")).href;

const BASE = "examples/data/sums/base.json";
const TUNED = "examples/data/sums/tuned.json";

const hasBrowser = installed("chromium");
describe.skipIf(!hasBrowser)("the page", () => {
  const browser = hasBrowser ? new Browser() : undefined;
  const page = new Page(browser!);
  afterAll(() => browser?.close());

  it("compares two logs, by keys from the drop to the export, with the digits of the command line", {
    timeout: 60_000,
  }, async () => {
    await page.open();
    await browser!.until(`document.querySelector(".offer")`);
    await page.shoot("start");
    expect(await page.faults()).toEqual([]);
    await page.drop(BASE, TUNED);
    await browser!.until(`document.querySelector(".offer.first")`);
    await page.shoot("described");
    expect(await page.faults()).toEqual([]);
    await page.tabTo("Is the difference between");
    await browser!.press("Enter");
    await page.answered();
    expect(await page.text("h1")).toContain("150 items are too few to tell");
    await page.tabTo("Smaller differences");
    for (const key of ["2", ",", "5"]) await browser!.press(key);
    await browser!.until(`document.querySelector("#answer").textContent.includes("±2.5 points")`);
    await page.tabTo("operation");
    await browser!.press(" ");
    await browser!.until(`document.querySelector(".more").textContent.includes("by operation")`);
    await page.answered();
    await browser!.until(`document.querySelectorAll(".holder svg").length > 1`);
    await page.shoot("compare");
    expect(await page.faults()).toEqual([]);
    // every setting stands in the command: rows that are chosen, a column that is computed, the direction
    await page.tabTo("Some rows only");
    await browser!.press("Enter");
    await page.tabTo("Rows where");
    await browser!.send("Input.insertText", { text: "operation != 'addition'" });
    await browser!.press("Enter");
    // the answer to the first line arrives while the second is being typed, which it used to wipe out
    await page.tabTo("Computed column");
    await browser!.send("Input.insertText", { text: "wrong = 1 -" });
    await browser!.until(`document.querySelector(".copy code").textContent.includes("--where")`);
    await page.answered();
    await browser!.send("Input.insertText", { text: " match" });
    await browser!.press("Enter");
    await browser!.until(`document.querySelector(".copy code").textContent.includes("--mutate")`);
    await page.answered();
    const own = JSON.parse(await page.exported("Everything"));
    const rows = ["--where", "operation != 'addition'", "--mutate", "wrong = 1 - match"];
    const words = ["--metric", "match", ...rows, "--slice", "operation", "--margin", "0.025"];
    const other = JSON.parse(gosset("compare", BASE, TUNED, ...words, "--json", "--quiet").stdout);
    expect(differences(own, other, CLOSED)).toEqual([]);
    expect(own.command).toEqual(["gosset", "compare", "base.json", "tuned.json", ...words]);
    expect(await page.exported("Report")).toContain("<!doctype html>");
    expect(await page.exported("LaTeX")).toContain("\\begin{tabular}");
    expect(await page.exported("Markdown")).toContain("| example/tuned-7b |");
    expect(await page.exported("Main table")).toMatch(/^system,baseline/);
    // settings stand in the address, names of columns and systems do not
    expect(await browser!.evaluate("location.hash")).toBe("#compare?margin=0.025");
    await browser!.evaluate("document.activeElement.blur()");
    for (let k = 0; k < 5; k++) await page.undo();
    await browser!.until(`!location.hash.includes("margin")`);
    await page.redo();
    await browser!.until(`location.hash.includes("margin")`);
    expect(browser!.errors).toEqual([]);
    expect(browser!.requests.filter((one) => !/^(file|blob|data):/.test(one))).toEqual([]);
  });

  it("asks what the file does not say, by keys; answers are chips that can be taken back, and a file", {
    timeout: 60_000,
  }, async () => {
    const rows = [0, 1].flatMap((run) =>
      ["alpha", "beta"].flatMap((model, k) =>
        Array.from(
          { length: 24 },
          (_, i) => `${model},h${i},${i % 5 === 0 ? "x" : ""},${(i * 7 + k * 5 + run * 3) % 4 > k ? 1 : 0}`,
        ),
      ),
    );
    const files = [["twice.csv", `model,hash,note,score2\n${rows.join("\n")}\n`]] as const;
    const asked = (words: string): Promise<void> =>
      browser!.until(`document.querySelector(".ask :is(h1, h2)")?.textContent.includes(${JSON.stringify(words)})`);
    const use = async (): Promise<void> => {
      await page.tabTo("Use this answer");
      await browser!.press("Enter");
    };
    await page.open();
    await page.dropTexts(files);
    await asked("Which column is the score?");
    await page.shoot("asks-start");
    expect(await page.faults()).toEqual([]);
    expect(await page.walk()).toEqual([]);
    await browser!.press("1");
    await browser!.until(`document.querySelector(".data") && document.querySelector(".ask")`);
    // the likely answer is chosen, and nothing is done with it
    expect(await browser!.evaluate(`document.querySelector(".ask input").checked`)).toBe(true);
    expect(await browser!.evaluate(`document.querySelector(".figure, .copy")`)).toBe(null);
    await page.shoot("asks");
    expect(await page.faults()).toEqual([]);
    expect(await page.walk()).toEqual([]);
    await use();
    await asked("Which column names the items?");
    await browser!.until(`document.activeElement.textContent === "Which column names the items?"`);
    // another column than the likely one, and back
    const likely = `document.querySelector(".ask input").checked`;
    expect(await browser!.evaluate(likely)).toBe(true);
    await page.tabTo("Column", ".ask select");
    await browser!.press("n");
    await browser!.until(`!${likely}`);
    await page.tabTo("another column", "input");
    await browser!.press("ArrowUp");
    await browser!.until(likely);
    await use();
    await asked("what distinguishes them?");
    await use();
    await browser!.until(`document.querySelector(".figure")`);
    await browser!.until(`document.activeElement.id === "answer"`);
    await page.answered();
    expect(await page.text(".copy code")).toBe("gosset compare twice.csv --item hash --metric score2 --run rows");
    await page.tabTo("What decided each role");
    await browser!.press("Enter");
    await page.shoot("asks-answered");
    expect(await page.faults()).toEqual([]);
    await browser!.evaluate("saved.length = 0");
    await page.tabTo("Save reading.yaml");
    await browser!.press("Enter");
    await browser!.until("saved.length > 0");
    const [, reading] = await browser!.evaluate<[string, string]>("saved[0]");
    expect(reading).toBe("system: model\nitem: hash\nscore: score2\nrun: rows\n");
    // an answer that is taken back is a question again, and the verdict is gone
    await page.tabTo("repeated rows");
    await browser!.press("Enter");
    await asked("what distinguishes them?");
    expect(await browser!.evaluate(`document.querySelector(".figure")`)).toBe(null);
    await browser!.evaluate("document.activeElement.blur()");
    await page.undo();
    await browser!.until(`document.querySelector(".figure")`);
    // the next file of the kind needs no questions
    await page.open(`${FILE}#compare`);
    await page.dropTexts(files);
    await asked("Which column is the score?");
    await page.dropTexts([["reading.yaml", "item: hsah\n"]]);
    await browser!.until(`document.querySelector(".stop")?.textContent.includes("hsah")`);
    await page.dropTexts([["reading.yaml", reading]]);
    await browser!.until(`document.querySelector(".figure")`);
    expect(await page.text(".copy code")).toContain("--item hash --metric score2 --run rows");
    expect(browser!.errors).toEqual([]);
  });

  it("refuses what it cannot read, escapes what it shows, and goes on", { timeout: 30_000 }, async () => {
    await page.open(`${FILE}#compare`);
    await page.dropTexts([["broken.parquet", "PAR1 not really\u0000\u0001"]]);
    await browser!.until(`document.querySelector(".stop")`);
    expect(await page.text(".stop")).toMatch(/broken\.parquet/);
    await page.dropBytes("bomb.csv.gz", gzipSync(Buffer.alloc(200 * 2 ** 20)));
    await browser!.until(`document.querySelector(".stop")?.textContent.includes("bomb")`, 20);
    await page.dropLarge("huge.csv", 500);
    await browser!.until(`document.querySelector(".stop")?.textContent.includes("500 MB")`, 20);
    const rows = ["<b>x</b>", "<img src=x onerror=alert(1)>"].flatMap((system) =>
      Array.from({ length: 20 }, (_, i) => `${system},q${i},${(i * 7 + system.length) % 3 === 0 ? 1 : 0}`),
    );
    await page.dropTexts([["markup.csv", `system,item,correct\n${rows.join("\n")}\n`]]);
    await browser!.until(`document.querySelector(".data .file").textContent.includes("markup.csv")`);
    await page.answered();
    await browser!.until(`document.querySelector("h1").textContent.includes("<b>x</b>")`);
    expect(
      await browser!.evaluate(
        `[...document.querySelectorAll("main img, main b")].filter((own) => own.textContent === "x" || own.tagName === "IMG").length`,
      ),
    ).toBe(0);
    expect(browser!.errors).toEqual([]);
  });

  it("plans: exact answers follow the slider, a link repeats them, simulated ones stream in and can be stopped", {
    timeout: 90_000,
  }, async () => {
    await page.open();
    await page.tabTo("Plan");
    await browser!.press("Enter");
    await page.answered();
    expect(await page.text("h1")).toBe(
      "500 items find a true difference in accuracy of 0.02 in 29 of 100 evaluations.",
    );
    await browser!.until(`document.querySelector(".holder svg")`);
    await page.shoot("plan");
    expect(await page.faults()).toEqual([]);
    const accuracy = ["power", "accuracy", "--n", "500", "--delta", "0.02", "--agreement", "0.9", "--json", "--quiet"];
    expect(
      differences(JSON.parse(await page.exported("Everything")), JSON.parse(gosset(...accuracy).stdout), CLOSED),
    ).toEqual([]);
    await slide("items that both systems answer", 900);
    await browser!.until(`document.querySelector("h1").textContent.startsWith("900 items")`);
    expect(await browser!.evaluate("location.hash")).toBe("#plan?n=900");
    // another scenario: the old answer is gray, and cannot be exported, until its own is there
    await browser!.evaluate(
      `[...document.querySelectorAll("input[type=radio]")].find((own) => own.closest("label").textContent.includes("Ratings on a scale")).click()`,
    );
    await browser!.until(`document.querySelector(".stale .verdict") && document.querySelector("#export").disabled`);
    await browser!.until(`document.querySelector("h1").textContent.includes("raters find")`);
    expect(await browser!.evaluate(`document.querySelector(".stale, #export:disabled")`)).toBe(null);
    // ratings: drawn and fitted, told as they come in
    await page.open(`${FILE}#plan?scenario=likert&items=12&raters=4&effect=0.3&setting=card-high&replicates=20000`);
    await browser!.until(`document.querySelector(".progress")?.textContent.includes("Power 0.")`);
    await browser!.until(`document.querySelector("h1")?.textContent.includes("12 items and 4 raters")`);
    await browser!.press("Escape");
    await page.answered();
    const own = JSON.parse(await page.exported("Everything"));
    expect(own.replicates).toBeLessThan(20_000);
    const rest = ["--items", "12", "--raters", "4", "--effect", "0.3", "--setting", "card-high"];
    const likert = ["power", "likert", ...rest, "--replicates", String(own.replicates)];
    expect(own.command).toEqual(["gosset", ...likert]);
    expect(differences(own, JSON.parse(gosset(...likert, "--json", "--quiet").stdout), ITERATED)).toEqual([]);
    await page.shoot("plan-likert");
    // a search that is stopped has its last whole answer
    await page.open(
      `${FILE}#plan?scenario=likert&ask=mde&items=12&raters=4&ratings=3&setting=card-high&replicates=20000`,
    );
    await browser!.until(`document.querySelector("h1")?.textContent.includes("12 items and 4 raters")`);
    await browser!.press("Escape");
    await page.answered();
    const found = JSON.parse(await page.exported("Everything"));
    expect(found.command.at(-1)).toMatch(/^(approx|400)$/);
    // the simulation's error is that of the difference, not of its power
    expect(await page.text(".facts")).not.toMatch(/power [\d.]+ ±/);
    const search = gosset(...found.command.slice(1), "--json", "--quiet").stdout;
    expect(differences(found, JSON.parse(search), ITERATED)).toEqual([]);
    // what is best for the money
    await page.open(`${FILE}#plan?scenario=likert&ask=design&effect=0.3&setting=card-low&replicates=50`);
    await page.answered();
    await page.shoot("plan-design");
    expect(await page.text(".tag")).toBe("BEST DESIGN");
    await browser!.until(`document.querySelector(".more").textContent.includes("We compare the systems on")`);
    await page.open(`${FILE}#plan?scenario=means&ask=size&delta=0.1&sd=0.5&power=0.9`);
    await page.answered();
    const means = ["size", "means", "--delta", "0.1", "--sd", "0.5", "--power", "0.9", "--json", "--quiet"];
    expect(
      differences(JSON.parse(await page.exported("Everything")), JSON.parse(gosset(...means).stdout), CLOSED),
    ).toEqual([]);
    expect(browser!.errors).toEqual([]);
  });

  it("is served to this machine only, works offline after the first load, and keeps files only where asked", {
    timeout: 60_000,
  }, async () => {
    const server = spawn(process.execPath, [program, "serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const url = await new Promise<string>((resolve) =>
        server.stdout.once("data", (text: Buffer) => resolve(/http:\S+/.exec(String(text))![0])),
      );
      const elsewhere = await new Promise((resolve) =>
        get(url, { headers: { host: "elsewhere.example" } }, (answer) => resolve(answer.statusCode)),
      );
      expect(elsewhere).toBe(403);
      await page.open(url);
      await browser!.until("navigator.serviceWorker.controller", 30);
      await page.drop("examples/data/questions.jsonl");
      await browser!.until(`document.querySelector(".offer.first")`);
      expect(await browser!.evaluate("indexedDB.databases().then((all) => all.length)")).toBe(0);
      await browser!.evaluate(`document.querySelector(".check input").click()`);
      await browser!.until(`indexedDB.databases().then((all) => all.length > 0)`);
      await browser!.until(`document.body.textContent.includes("Forget everything")`);
      await new Promise((resolve) => setTimeout(resolve, 300));
      server.kill();
      // without a server: the page and the files that were to be kept
      await page.open(url);
      await browser!.until(`document.querySelector(".offer.first")`);
      await browser!.evaluate(`document.querySelector(".offer.first").click()`);
      await page.answered();
      await browser!.evaluate(`document.querySelector(".brand").click()`);
      await browser!.until(`document.querySelector(".check input")?.checked`);
      await browser!.evaluate(
        `[...document.querySelectorAll("button")].find((own) => own.textContent === "Forget everything").click()`,
      );
      await browser!.until("indexedDB.databases().then((all) => all.length === 0)");
      expect(browser!.requests.filter((one) => !one.startsWith(url) && !/^(blob|data):/.test(one))).toEqual([]);
    } finally {
      server.kill();
      browser!.errors.length = 0;
    }
  });

  /** The page's JSON against the command line's; the command on the screen is the one that is run. */
  async function sameAsCommand(path: string, tolerance: number): Promise<readonly string[]> {
    const own = JSON.parse(await page.exported("Everything"));
    const name = path.split("/").at(-1)!;
    const words = (own.command as string[]).slice(1).map((word) => (word === name ? path : word));
    const { stdout, stderr } = gosset(...words, "--json", "--quiet");
    if (stdout === "") return [stderr];
    return differences(own, JSON.parse(stdout), tolerance);
  }

  async function choose(question: string): Promise<void> {
    await browser!.press("Escape");
    await page.tabTo(question);
    await browser!.press("Enter");
    await page.answered();
    await browser!.until(`document.querySelector(".holder svg")`);
  }

  it("says whether raters agree, what the scores are made of, and fits models", { timeout: 60_000 }, async () => {
    const path = "examples/data/summaries.csv";
    await page.open();
    await page.drop(path);
    await browser!.until(`document.querySelector(".offer.first")`);
    await choose("Do the 9 raters agree");
    await page.shoot("agreement");
    expect(await page.faults()).toEqual([]);
    expect(await sameAsCommand(path, CLOSED)).toEqual([]);
    await browser!.evaluate(`document.querySelector('input[value=components]').click()`);
    await browser!.until(
      `document.querySelector(".tag").textContent.startsWith("Reliability of") && document.querySelector("#answer[aria-busy=false]")`,
    );
    await page.shoot("reliability");
    expect(await page.faults()).toEqual([]);
    expect(await sameAsCommand(path, ITERATED)).toEqual([]);
    await browser!.evaluate("document.activeElement.blur()");
    await browser!.press("5");
    await page.answered();
    await browser!.until(`document.querySelector(".tag").textContent.includes("mixed model")`);
    await page.shoot("models");
    expect(await page.faults()).toEqual([]);
    expect(await sameAsCommand(path, ITERATED)).toEqual([]);
    // a faulty formula is told, and the last good fit stays
    await browser!.evaluate(`document.querySelector("#formula").focus()`);
    await browser!.press("+");
    await browser!.until(`document.querySelector(".stop")?.textContent.includes("before this change")`);
    expect(await page.text("#formula-fault")).toMatch(/position \d+/);
    expect(await browser!.evaluate(`document.querySelector(".behind mark").getBoundingClientRect().width > 4`)).toBe(
      true,
    );
    await page.shoot("models-fault");
    expect(await page.faults()).toEqual([]);
    expect(await page.text(".tag")).toContain("mixed model");
    expect(browser!.errors).toEqual([]);
  });

  it("corrects a judge by people's labels, and says how good it is", { timeout: 60_000 }, async () => {
    const path = "examples/data/judge-labels.csv";
    await page.open();
    await page.drop(path);
    await browser!.until(`document.querySelector(".offer.first")`);
    await browser!.press("7");
    await browser!.until(`document.querySelector(".doors [aria-current]")?.textContent === "Judges"`);
    await page.answered();
    await browser!.until(`document.querySelectorAll(".holder svg").length > 1`);
    await page.shoot("judges");
    expect(await page.faults()).toEqual([]);
    expect(await page.walk()).toEqual([]);
    // every control is there on a phone
    const labels = `[...document.querySelectorAll(".rail .field label")].filter((own) => own.checkVisibility()).length`;
    await browser!.look({ width: 390 });
    expect(await browser!.evaluate(labels)).toBe(4);
    await browser!.look({ width: 1440 });
    // a note names the control that answers it, and repeats no fact
    const notes = await browser!.evaluate<string[]>(
      `[...document.querySelectorAll("#notes li")].map((own) => own.textContent)`,
    );
    expect(notes).toEqual([expect.stringContaining("“Labeled outputs were drawn”: random")]);
    expect(await sameAsCommand(path, CLOSED)).toEqual([]);
    await browser!.evaluate(`document.querySelector("input[value=check]").click()`);
    await browser!.until(`document.querySelector(".copy code").textContent.includes("judge check")`);
    await page.answered();
    await browser!.until(`document.querySelector(".holder svg")`);
    await page.shoot("judges-check");
    expect(await page.faults()).toEqual([]);
    expect(await sameAsCommand(path, CLOSED)).toEqual([]);
    expect(browser!.errors).toEqual([]);
  });

  it("ranks systems, with sets that the command prints too", { timeout: 60_000 }, async () => {
    const path = "examples/data/summaries.csv";
    await page.open();
    await page.drop(path);
    await browser!.until(`document.querySelector(".offer.first")`);
    await browser!.press("8");
    await browser!.until(`document.querySelector(".doors [aria-current]")?.textContent === "Ranks"`);
    await page.answered();
    await browser!.until(`document.querySelector(".holder svg")`);
    await page.shoot("ranks");
    expect(await page.faults()).toEqual([]);
    expect(await page.walk()).toEqual([]);
    expect(await sameAsCommand(path, CLOSED)).toEqual([]);
    expect(browser!.errors).toEqual([]);
  });

  it("labels a sheet by keys alone, keeps each answer, and saves it", { timeout: 60_000 }, async () => {
    const sheet = `line,question,answer,label\n${[1, 2, 3, 4].map((k) => `${k},"What is ${k} + ${k}?","${k + k}, I think.",`).join("\n")}\n`;
    const status = `document.querySelector(".sheet [role=status]")?.textContent ?? ""`;
    const open = async (): Promise<void> => {
      await page.open(`${FILE}#judges`);
      await page.dropTexts([["sheet.csv", sheet]]);
      await browser!.until(`document.querySelector(".sheet")`);
    };
    await open();
    await browser!.until(`document.activeElement?.className === "sheet"`);
    for (const key of ["1", "0", "1"]) await browser!.press(key);
    await browser!.until(`(${status}).startsWith("3 of 4 labeled. Kept in this browser")`);
    await browser!.press("ArrowLeft");
    await browser!.press("0");
    await page.shoot("judges-sheet");
    expect(await page.faults()).toEqual([]);
    await browser!.evaluate(`[...document.querySelectorAll(".sheet button")].at(-1).click()`);
    const saved = (): Promise<string[][]> => browser!.evaluate("Promise.all(window.saved)");
    await browser!.until("window.saved.length === 1");
    const [[name, text]] = (await saved()) as [[string, string]];
    expect(name).toBe("sheet-labeled.csv");
    expect(text.split("\n").map((line) => line.slice(-1))).toEqual(["l", "1", "0", "0", ",", ""]);
    // whoever comes back goes on where they were
    await open();
    await browser!.until(`(${status}).startsWith("3 of 4")`);
    expect(await page.text(".sheet h1")).toContain("Line 4");
    expect(browser!.errors).toEqual([]);
  });

  const LOGS = ["../shared/logs/inspect/data_arc_qwen.json", "../shared/logs/inspect/data_arc_sonnet.json"];
  it.skipIf(!existsSync(join(root, LOGS[0]!)))(
    "compares logs of real runs as the command line does",
    async () => {
      await page.open(`${FILE}#compare`);
      await page.dropFiles(LOGS);
      await page.answered();
      await browser!.until(`document.querySelector(".data .file").textContent.includes("data_arc_sonnet.json")`);
      const own = JSON.parse(await page.exported("Everything"));
      const { stdout } = gosset("compare", ...LOGS, "--json", "--quiet");
      expect(differences(own, JSON.parse(stdout), CLOSED)).toEqual([]);
    },
    60_000,
  );

  it("takes texts with their reference, and folders of runs", { timeout: 60_000 }, async () => {
    const folder = "examples/data/translations";
    await page.open(`${FILE}#compare`);
    await page.dropFolder(join(root, folder));
    await page.answered();
    await browser!.until(`document.querySelector(".copy code").textContent.includes("--ref")`);
    await page.shoot("texts");
    expect(await page.faults()).toEqual([]);
    const own = JSON.parse(await page.exported("Everything"));
    const under = (word: string): string => (word.startsWith("translations/") ? `examples/data/${word}` : word);
    const { stdout } = gosset(...own.command.slice(1).map(under), "--json", "--quiet");
    expect(differences(own, JSON.parse(stdout), CLOSED)).toEqual([]);
    // results of a harness and the samples beside them are one run
    const made = mkdtempSync(join(tmpdir(), "gosset-runs-"));
    for (const name of ["small", "large"]) {
      mkdirSync(join(made, "runs", name), { recursive: true });
      const right = (i: number): number => Number((i * 7 + name.length) % 3 > 0);
      const results = { results: { sums: { "acc,none": 0.6 } }, model_name: name, configs: { sums: { task: "sums" } } };
      writeFileSync(join(made, "runs", name, "results_2026-01-21T03-44-18.458309.json"), JSON.stringify(results));
      const lines = Array.from({ length: 40 }, (_, i) => ({
        doc_id: i,
        doc: { q: i },
        target: "1",
        resps: [["1"]],
        acc: right(i),
      }));
      const samples = join(made, "runs", name, "samples_sums_2026-01-21T03-44-18.458309.jsonl");
      writeFileSync(samples, lines.map((line) => JSON.stringify(line)).join("\n"));
    }
    await page.dropFolder(join(made, "runs"));
    await browser!.until(`document.querySelector(".data .file")?.textContent.includes("runs/small/samples_")`);
    await page.answered();
    const runs = JSON.parse(await page.exported("Everything"));
    const paths = runs.command.slice(1).map((word: string) => (word.startsWith("runs/") ? join(made, word) : word));
    expect(runs.systems.length).toBe(2);
    expect(differences(runs, JSON.parse(gosset(...paths, "--json", "--quiet").stdout), CLOSED)).toEqual([]);
    rmSync(made, { recursive: true });
    expect(browser!.errors).toEqual([]);
  });

  it("looks for features that define a label or give it away", { timeout: 60_000 }, async () => {
    await page.open();
    await page.drop("examples/data/grades.csv");
    await browser!.until(`document.querySelector(".offer.first")`);
    await choose("grade");
    await page.shoot("circularity");
    expect(await page.faults()).toEqual([]);
    expect(await sameAsCommand("examples/data/grades.csv", ITERATED)).toEqual([]);
    await browser!.evaluate(`document.querySelector("input[value=audit]").click()`);
    await browser!.until(`document.querySelector(".copy code").textContent.includes("audit")`);
    await page.answered();
    await page.shoot("audit");
    expect(await page.faults()).toEqual([]);
    expect(await sameAsCommand("examples/data/grades.csv", ITERATED)).toEqual([]);
    await page.open(`${FILE}#validity?ask=bias`);
    await page.drop("examples/data/inference.csv");
    await browser!.until(`[...document.querySelectorAll("label")].some((own) => own.textContent === "Domain")`);
    await browser!.evaluate(`{ const [own] = [...document.querySelectorAll("label")].filter((one) => one.textContent === "Domain");
      own.control.value = "source"; own.control.dispatchEvent(new Event("change", { bubbles: true })); undefined }`);
    await browser!.until(
      `/bias/i.test(document.querySelector(".tag").textContent) && document.querySelector(".holder svg")`,
    );
    await page.answered();
    await page.shoot("bias");
    expect(await page.faults()).toEqual([]);
    expect(await sameAsCommand("examples/data/inference.csv", CLOSED)).toEqual([]);
    expect(browser!.errors).toEqual([]);
  });

  it("takes keys alone through every door, from the example to the export, with the focus in sight", {
    timeout: 120_000,
  }, async () => {
    const { press } = { press: (key: string) => browser!.press(key) };
    const type = async (text: string): Promise<void> => {
      for (const key of text) await press(key);
    };
    const DOORS = ["Compare", "Plan", "Reliability", "Validity", "Models", "Gate", "Judges", "Ranks"];
    const enter = async (door: string): Promise<void> => {
      await press(String(1 + DOORS.indexOf(door)));
      await browser!.until(`document.querySelector(".doors [aria-current]")?.textContent === "${door}"`);
    };
    const leave = async (kind: string): Promise<void> => {
      await page.answered();
      expect(await page.walk()).toEqual([]);
      await page.tabTo("Export");
      await press("Enter");
      expect(JSON.parse(await page.chosen("Everything")).kind).toBe(kind);
    };
    await page.open();
    await browser!.until(`document.querySelector(".offer")`);
    expect(await page.walk()).toEqual([]);
    await page.tabTo("Three systems, nine raters");
    await press("Enter");
    await browser!.until(`document.querySelector(".offer.first")`);
    expect(await page.walk()).toEqual([]);
    await enter("Compare");
    await page.answered();
    await page.tabTo("Smaller differences");
    await type("0,5");
    await browser!.until(`document.querySelector(".copy code").textContent.includes("--margin 0.5")`);
    // a picture tells its values to the arrow keys
    await page.tabTo("Arrow keys read its values");
    await press("ArrowRight");
    await press("ArrowRight");
    await browser!.until(`/^2 of \\d+: /.test(document.activeElement.querySelector(".value").textContent)`);
    await leave("comparison");
    await enter("Plan");
    await page.answered();
    await page.tabTo("Items that both systems answer, slider");
    await press("ArrowRight");
    await browser!.until(`document.querySelector("h1").textContent.startsWith("600 items")`);
    await leave("power");
    await enter("Reliability");
    await page.answered();
    await page.tabTo("Do the raters agree?");
    await press("ArrowDown");
    await browser!.until(`document.querySelector(".tag").textContent.startsWith("Reliability of")`);
    await page.answered();
    await leave("reliability");
    await enter("Validity");
    await browser!.until(`document.querySelector("h1").textContent.includes("Which column")`);
    expect(await page.walk()).toEqual([]);
    await page.tabTo("Label");
    await type("rati");
    await browser!.until(`document.querySelector("#export")`);
    await page.answered();
    await leave("circularity");
    await enter("Models");
    await page.answered();
    await page.tabTo("system", "input");
    await press(" ");
    await browser!.until(`document.querySelector(".copy code").textContent.includes("emmeans")`);
    await leave("emmeans");
    await enter("Gate");
    await page.answered();
    await page.tabTo("Loss that does not matter, slider");
    await press("ArrowRight");
    await browser!.until(`document.querySelector(".copy code").textContent.includes("--margin 5.5%")`);
    await leave("gate");
    await page.tabTo("Save gate.yaml");
    await browser!.evaluate("saved.length = 0");
    await press("Enter");
    await browser!.until("saved.length > 0");
    expect(await browser!.evaluate("saved[0]")).toEqual(["gate.yaml", 'margin: "5.5%"\n']);
    expect(browser!.errors).toEqual([]);
  });

  it("tries a policy at the gate, opens and saves it, and tells how often it would err", {
    timeout: 60_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "gosset-gate-"));
    await page.open(`${FILE}#gate`);
    await page.drop(BASE, TUNED);
    await browser!.until(`document.querySelector(".tag")?.textContent === "PASS"`);
    const own = JSON.parse(await page.exported("Everything"));
    expect(own.command).toEqual(["gosset", "gate", "tuned.json", "--baseline", "base.json", "--margin", "5%"]);
    const plain = gosset("gate", TUNED, "--baseline", BASE, "--margin", "5%", "--json", "--quiet").stdout;
    expect(differences(own, JSON.parse(plain), CLOSED)).toEqual([]);
    // a policy of tasks: its file fills the form, and what is saved states the same policy
    const policy =
      "by: operation\nmargin: 0.1\nalpha: 0.1\nitems: 20\nchanges: [temperature]\ntasks:\n  addition: { tier: supporting }\n  subtraction: { margin: 20%, required: false }\n";
    await page.dropTexts([["policy.yaml", policy]]);
    await browser!.until(`document.querySelector(".copy code").textContent.includes("--policy gate.yaml")`);
    await page.answered();
    await page.shoot("gate");
    expect(await page.faults()).toEqual([]);
    await browser!.evaluate("saved.length = 0");
    await page.tabTo("Save gate.yaml");
    await browser!.press("Enter");
    await browser!.until("saved.length > 0");
    const [, saved] = await browser!.evaluate<[string, string]>("saved[0]");
    expect(readPolicy(saved)).toEqual(readPolicy(policy));
    writeFileSync(join(folder, "gate.yaml"), saved);
    const judged = JSON.parse(await page.exported("Everything"));
    const words = ["gate", TUNED, "--baseline", BASE, "--policy", join(folder, "gate.yaml")];
    expect(differences(judged, JSON.parse(gosset(...words, "--json", "--quiet").stdout), CLOSED)).toEqual([]);
    expect(judged.tasks.map((task: { tier: string }) => task.tier).slice(0, 2)).toEqual(["supporting", "critical"]);
    await page.dropTexts([["policy.yaml", "margin: 0.1\nalpa: 2\n"]]);
    await browser!.until(`document.querySelector(".stop")?.textContent.includes("policy.yaml:2:1")`);
    await page.open(`${FILE}#gate?ask=check&margin=0.2&replicates=20`);
    await page.drop("examples/data/questions.jsonl");
    await browser!.until(`document.querySelector(".tag")?.textContent.startsWith("WHAT THIS GATE")`);
    await page.shoot("gate-check");
    expect(await page.faults()).toEqual([]);
    expect(await sameAsCommand("examples/data/questions.jsonl", CLOSED)).toEqual([]);
    // a plan is a file as well
    const plan =
      "systems: [base, tuned]\nmetric: match\nitems: 400\nsmallest-effect: 0.05\nexpected: { agreement: 0.8 }\n";
    writeFileSync(join(folder, "plan.yaml"), plan);
    await page.dropTexts([["plan.yaml", plan]]);
    await browser!.until(`document.querySelector(".tag")?.textContent === "PLAN"`);
    await page.shoot("plan-file");
    expect(await page.faults()).toEqual([]);
    const checked = JSON.parse(await page.exported("Everything"));
    const other = gosset("plan", "check", join(folder, "plan.yaml"), "--json", "--quiet").stdout;
    expect(differences(checked, JSON.parse(other), CLOSED)).toEqual([]);
    rmSync(folder, { recursive: true });
    expect(browser!.errors).toEqual([]);
  });

  /** Moves the slider of the number as a hand does. */
  async function slide(label: string, to: number): Promise<void> {
    await browser!.evaluate(`{ const own = [...document.querySelectorAll("input[type=range]")].find((one) => one.ariaLabel.toLowerCase().includes(${JSON.stringify(label)}));
      own.value = ${to}; own.dispatchEvent(new Event("input", { bubbles: true })); undefined }`);
  }
});
