/** The browser app as a user meets it: the one file from the disk, in the system's Chromium, from file drop to export. */
import { afterAll, describe, expect, it } from "vitest";
import { Browser, chromiumPath } from "./support/chromium.ts";
import { gosset } from "./support/cli.ts";
import { differences, Page } from "./support/page.ts";

/** Closed forms: exp and log of Chromium and Node differ in the last bit. */
const CLOSED = 1e-10;

const BASE = "examples/data/sums/base.json";
const TUNED = "examples/data/sums/tuned.json";

describe.skipIf(chromiumPath === undefined)("the page", () => {
  const browser = chromiumPath === undefined ? undefined : new Browser(chromiumPath);
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
    expect(await page.text("h1")).toContain("150 items cannot tell");
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
    const own = JSON.parse(await page.exported("Everything"));
    const words = ["--metric", "match", "--margin", "0.025", "--slice", "operation"];
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
    await page.undo();
    await page.undo();
    await page.undo();
    await browser!.until(`!location.hash.includes("margin")`);
    await page.redo();
    await browser!.until(`location.hash.includes("margin")`);
    expect(browser!.errors).toEqual([]);
    expect(browser!.requests.filter((one) => !/^(file|blob|data):/.test(one))).toEqual([]);
  });

  it("refuses what it cannot read, escapes what it shows, and goes on", { timeout: 30_000 }, async () => {
    await page.dropTexts([["broken.parquet", "PAR1 not really\u0000\u0001"]]);
    await browser!.until(`document.querySelector(".stop")`);
    expect(await page.text(".stop")).toMatch(/broken\.parquet/);
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
});
