/** The browser app as a user meets it: the one file from the disk, in the system's Chromium. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { Browser, chromiumPath } from "./support/chromium.ts";
import { root } from "./support/cli.ts";

const FILE = pathToFileURL(join(root, "dist/page/gosset.html")).href;
const SHOTS = process.env["PAGE_SHOTS"];

describe.skipIf(chromiumPath === undefined)("the page", () => {
  const browser = chromiumPath === undefined ? undefined : new Browser(chromiumPath);
  afterAll(() => browser?.close());

  async function drop(...paths: string[]): Promise<void> {
    const files = paths.map((path) => [path.split("/").at(-1)!, readFileSync(join(root, path), "utf8")]);
    await browser!.evaluate(`{ const given = new DataTransfer();
      for (const [name, text] of ${JSON.stringify(files)}) given.items.add(new File([text], name));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true })); undefined }`);
  }

  async function shoot(name: string): Promise<void> {
    if (SHOTS === undefined) return;
    mkdirSync(SHOTS, { recursive: true });
    for (const width of [1440, 820, 390])
      for (const dark of [false, true]) {
        await browser!.look({ width, dark });
        await new Promise((resolve) => setTimeout(resolve, 300));
        writeFileSync(join(SHOTS, `${name}-${width}-${dark ? "dark" : "light"}.png`), await browser!.screenshot());
      }
    await browser!.look({ width: 1440 });
  }

  it("opens from the disk and compares two logs", { timeout: 60_000 }, async () => {
    await browser!.open(FILE, { width: 1440 });
    await browser!.until(`document.querySelector(".offer")`);
    await shoot("start");
    await drop("examples/data/sums/base.json", "examples/data/sums/tuned.json");
    await browser!.until(`document.querySelector(".offer.first")`);
    await shoot("described");
    await browser!.evaluate(`document.querySelector(".offer.first").click()`);
    await browser!.until(`document.querySelector(".holder svg") && !document.querySelector(".progress")`);
    await shoot("compare");
    expect(await browser!.evaluate(`document.querySelector("h1").textContent`)).toContain("150 items cannot tell");
    expect(browser!.errors).toEqual([]);
  });
});
