/** The built site as a reader meets it: on a desk in light colors and on a phone in dark ones. SITE_SHOTS names a folder for screenshots. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousViolations } from "../support/axe.ts";
import { Browser } from "../support/chromium.ts";
import { root } from "../support/cli.ts";

const SITE = join(root, "docs/.dist");
const SHOTS = process.env["SITE_SHOTS"];
const PAGES = [
  "index",
  "start",
  "try",
  "contents",
  "gallery",
  "calibration",
  "json",
  "page",
  "tutorials/is-model-b-better",
  "how-to/is-the-difference-real",
  "methods/compare",
  "methods/lmm",
  "methods/ranks",
  "papers/card2020",
  "reference/library",
  "reference/commands/compare",
];
const VIEWS = [
  { width: 1440, dark: false },
  { width: 390, dark: true },
];
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/** Elements of the text that reach beyond the window, unless they scroll within it. */
const BEYOND = `document.documentElement.scrollWidth <= window.innerWidth + 1 ? [] : [...document.querySelectorAll("main *")]
  .filter((own) => own.getBoundingClientRect().right > window.innerWidth + 1 && own.closest("table, pre, .katex-display, iframe") === null)
  .map((own) => "too wide: " + own.tagName + "." + own.className + " " + own.textContent.slice(0, 60)).slice(0, 5)`;

describe("the documentation site", () => {
  let browser: Browser;
  let address = "";
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname));
    const file = [path, `${path}.html`, join(path, "index.html")]
      .map((one) => join(SITE, one))
      .find((one) => existsSync(one) && statSync(one).isFile());
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" }).end(readFileSync(file));
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = new Browser();
  });
  afterAll(() => {
    browser.close();
    server.close();
  });

  it.each(PAGES)("%s: axe finds nothing serious, nothing is too wide, nothing comes from elsewhere", async (page) => {
    await browser.open(`${address}/${page}.html`, VIEWS[0]!);
    await browser.until(`document.querySelector("main, .VPHome, #VPContent h1")`);
    const faults: string[] = [];
    for (const view of VIEWS) {
      await browser.look(view);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const found = [...(await browser.evaluate<string[]>(BEYOND)), ...(await seriousViolations(browser))];
      faults.push(...found.map((line) => `${view.width} ${view.dark ? "dark" : "light"} ${line}`));
      if (SHOTS !== undefined) {
        mkdirSync(SHOTS, { recursive: true });
        writeFileSync(join(SHOTS, `${page.replaceAll("/", "-")}-${view.width}.png`), await browser.screenshot());
      }
    }
    expect(faults).toEqual([]);
    expect(browser.errors).toEqual([]);
    expect(browser.requests.filter((one) => !one.startsWith(address) && !/^(?:data|blob):/.test(one))).toEqual([]);
  });
});
