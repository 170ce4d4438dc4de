/** Reports as a reader meets them: in a browser, on a phone and on a desk, in light and dark, and on paper. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { renderReport } from "../src/report.ts";
import { seriousViolations } from "./support/axe.ts";
import { Browser } from "./support/chromium.ts";
import { gosset } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { installed } from "./support/installed.ts";
import { JSON_CALLS } from "./support/json-calls.ts";

const folder = makeFolder("reports");

/** Kinds that differ most in what they draw and list. */
const WANTED = [
  "describe {summaries}",
  "compare {summaries} --metric rating",
  "fit clmm",
  "fit gam",
  "power accuracy --n 500",
  "survey {claims}",
  "agreement {summaries}",
  "validity bias",
];

const LARGEST = 1.5e6;
const PHONE = 390;
const DESK = 1280;
const A4 = { paperWidth: 8.27, paperHeight: 11.69 };

/** Elements that reach beyond the page, unless they scroll within it. */
const BEYOND = `document.documentElement.scrollWidth <= window.innerWidth ? [] : [...document.body.querySelectorAll("*")]
  .filter((own) => own.getBoundingClientRect().right > window.innerWidth + 1 && own.closest(".scroll, .eq") === null)
  .map((own) => "too wide: " + own.tagName + "." + own.className + " " + own.textContent.slice(0, 60)).slice(0, 5)`;

const hasBrowser = installed("chromium");
describe.skipIf(!hasBrowser)("reports in a browser", () => {
  const browser = hasBrowser ? new Browser() : undefined;
  afterAll(() => browser?.close());

  /** What reaches beyond the page, and what axe finds serious. */
  async function faults(): Promise<readonly string[]> {
    const wide = await browser!.evaluate<readonly string[]>(BEYOND);
    return [...wide, ...(await seriousViolations(browser!))];
  }

  const named = WANTED.map((start) => JSON_CALLS.find(([line]) => line.startsWith(start)));

  it("every call that is wanted is there", () => {
    expect(WANTED.filter((_, k) => named[k] === undefined)).toEqual([]);
  });

  // several results in one page, so that the browser and axe run a few times only
  it("fits its page, passes axe, asks for nothing and prints", { timeout: 120_000 }, async () => {
    const own = named.map((call) => call![1]);
    const results = own.map((args) => gosset(...args, "--json", "--quiet").stdout);
    for (const [i, json] of results.entries())
      expect([own[i]!.join(" "), renderReport([json]).length < LARGEST]).toEqual([own[i]!.join(" "), true]);
    const path = join(folder, "report.html");
    writeFileSync(path, renderReport(results));
    const url = pathToFileURL(path).href;
    await browser!.open(url, { width: PHONE });
    expect(await faults()).toEqual([]);
    await browser!.look({ width: DESK, dark: true });
    expect(await faults()).toEqual([]);
    await browser!.look({ width: DESK });
    const paper = await browser!.pdf(A4);
    expect(paper.subarray(0, 5).toString()).toBe("%PDF-");
    expect(browser!.requests.filter((one) => one !== url && !one.startsWith("data:"))).toEqual([]);
  });
});
