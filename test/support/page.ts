/** The browser app in Chromium, driven as a user drives it: files dropped, keys pressed, what is saved caught. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { seriousViolations } from "./axe.ts";
import type { Browser } from "./chromium.ts";
import { root } from "./cli.ts";

/** A folder for screenshots at three widths, light and dark; none are taken unless it is named. */
const SHOTS = process.env["PAGE_SHOTS"];
/** Where pictures are taken every width is judged in both themes; otherwise the widest and the narrowest, one theme each. */
const VIEWS =
  SHOTS === undefined
    ? [
        { width: 1440, dark: false },
        { width: 390, dark: true },
      ]
    : [1440, 820, 390].flatMap((width) => [false, true].map((dark) => ({ width, dark })));
const SHIFT_CTRL = { ctrl: 2, shift: 8 };

/** Downloads are caught instead of saved. */
const CATCH = `window.saved = [];
  const follow = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () { const name = this.download;
    if (name === "") return follow.call(this);
    window.saved.push(fetchBlob(this.href).then((text) => [name, text])); };
  const blobs = new Map(); const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => { const url = make.call(URL, blob); blobs.set(url, blob); return url; };
  const fetchBlob = async (url) => { const blob = blobs.get(url); return blob.type === "image/png" ? "PNG " + blob.size : blob.text(); }; undefined`;

/** Elements that reach beyond the window, those that scroll within it last. */
const BEYOND = `document.documentElement.scrollWidth <= window.innerWidth + 1 ? [] : [...document.querySelectorAll("main *")]
  .filter((own) => own.getBoundingClientRect().right > window.innerWidth + 1)
  .sort((a, b) => Number(a.closest(".scroll, .data, .holder") !== null) - Number(b.closest(".scroll, .data, .holder") !== null))
  .map((own) => "too wide: " + own.tagName + "." + own.className + " " + own.textContent.slice(0, 60)).slice(0, 5)`;

/** Until nothing has changed for a while: sentences for papers come after the answer. */
const SETTLED = `new Promise((resolve) => { const done = () => { observer.disconnect(); resolve(true); };
  let timer = setTimeout(done, 350);
  const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, 350); });
  observer.observe(document.body, { subtree: true, childList: true }); })`;

/** Marks what has the focus; "end" between two rounds, "" where it has been, "seen", or what is wrong with it. */
const FOCUSED = `(() => { const own = document.activeElement;
  if (own === document.body) return "end";
  if (own.dataset.walked) return "";
  own.dataset.walked = "1"; const { outlineStyle, outlineWidth } = getComputedStyle(own); const box = own.getBoundingClientRect();
  if (outlineStyle === "none" || parseFloat(outlineWidth) === 0) return "no ring: " + own.outerHTML.slice(0, 120);
  const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return inside ? "seen" : "out of sight: " + own.outerHTML.slice(0, 120); })()`;

/** What can be worked and was not reached; of radio buttons one of a group is. */
const MISSED = `(() => { const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
  const missed = all.filter((own) => !own.disabled && own.tabIndex >= 0 && !own.dataset.walked && own.checkVisibility() && !(own.type === "radio" && !own.checked))
    .map((own) => "not reached: " + own.outerHTML.slice(0, 120));
  for (const own of all) delete own.dataset.walked;
  document.activeElement.blur();
  return missed; })()`;

export class Page {
  readonly browser: Browser;
  constructor(browser: Browser) {
    this.browser = browser;
  }

  async open(url = pathToFileURL(join(root, "dist/page/gosset.html")).href): Promise<void> {
    await this.browser.open("about:blank", { width: 1440 });
    await this.browser.open(url, { width: 1440 });
    await this.browser.evaluate(`{ ${CATCH} }`);
    await this.browser.until(`document.querySelector("main")`);
  }

  async drop(...paths: string[]): Promise<void> {
    const files = paths.map((path) => [path.split("/").at(-1)!, readFileSync(join(root, path), "utf8")]);
    await this.dropTexts(files as [string, string][]);
  }

  async dropTexts(files: readonly (readonly [name: string, text: string])[]): Promise<void> {
    await this.browser.evaluate(`{ const given = new DataTransfer();
      for (const [name, text] of ${JSON.stringify(files)}) given.items.add(new File([text], name));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true })); undefined }`);
  }

  /** A file that is not text. */
  dropBytes(name: string, bytes: Uint8Array): Promise<void> {
    return this.#dropAll([[name, Buffer.from(bytes).toString("base64")]]);
  }

  dropFiles(paths: readonly string[]): Promise<void> {
    return this.#dropAll(
      paths.map((path) => [path.split("/").at(-1)!, readFileSync(join(root, path)).toString("base64")]),
    );
  }

  async #dropAll(files: readonly (readonly [name: string, base64: string])[]): Promise<void> {
    await this.browser.evaluate(`{ const given = new DataTransfer();
      for (const [name, text] of ${JSON.stringify(files)})
        given.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true })); undefined }`);
  }

  /** A folder of the disk, as a hand drops it. */
  async dropFolder(path: string): Promise<void> {
    const at = { x: 700, y: 500, data: { items: [], files: [path], dragOperationsMask: 1 } };
    for (const type of ["dragEnter", "dragOver", "drop"])
      await this.browser.send("Input.dispatchDragEvent", { type, ...at });
  }

  /** A file of so many megabytes, made of one that is repeated. */
  async dropLarge(name: string, megabytes: number): Promise<void> {
    await this.browser.evaluate(`{ const given = new DataTransfer(); const one = new Blob([new Uint8Array(2 ** 20)]);
      given.items.add(new File(Array.from({ length: ${megabytes} }, () => one), ${JSON.stringify(name)}));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true })); undefined }`);
  }

  text(selector: string): Promise<string> {
    return this.browser.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`);
  }

  async answered(seconds = 30): Promise<void> {
    const done = `document.querySelector("#answer h1") && document.querySelector('#answer[aria-busy=false]')`;
    await this.browser.until(done, seconds).catch(async (error: Error) => {
      throw new Error(
        `${error.message}\nthe page says: ${await this.browser.evaluate("document.body.innerText.slice(0, 600)")}`,
      );
    });
  }

  /** Tab until the element whose text or label holds the words has the focus. */
  async tabTo(words: string, kind = "*"): Promise<void> {
    for (let i = 0; i < 80; i++) {
      await this.browser.press("Tab");
      const found = await this.browser.evaluate<boolean>(
        `document.activeElement !== document.body && document.activeElement.matches(${JSON.stringify(kind)}) && ((document.activeElement.getAttribute("aria-label") ?? "") + document.activeElement.textContent + (document.activeElement.labels?.[0]?.textContent ?? "")).includes(${JSON.stringify(words)})`,
      );
      if (found) return;
    }
    throw new Error(`no key reaches "${words}"`);
  }

  /** Tab through the whole page: what shows no focus, and what no key reaches. */
  async walk(): Promise<string[]> {
    const found: string[] = [];
    await this.browser.evaluate(SETTLED);
    await this.browser.evaluate("document.activeElement.blur()");
    for (let i = 0; i < 200; i++) {
      await this.browser.press("Tab");
      const state = await this.browser.evaluate<string>(FOCUSED);
      if (state === "") break;
      if (state !== "seen" && state !== "end") found.push(state);
    }
    return [...found, ...(await this.browser.evaluate<string[]>(MISSED))];
  }

  undo = (): Promise<void> => this.browser.press("z", SHIFT_CTRL.ctrl);
  redo = (): Promise<void> => this.browser.press("z", SHIFT_CTRL.ctrl + SHIFT_CTRL.shift);

  /** What the export menu gives, by keys alone: E, arrows, Enter. */
  async exported(item: string): Promise<string> {
    await this.browser.evaluate("document.activeElement.blur()");
    await this.browser.press("e");
    return this.chosen(item);
  }

  /** What an item of the menu that is open saves. */
  async chosen(item: string): Promise<string> {
    const { browser } = this;
    await browser.evaluate("saved.length = 0");
    await browser.until(`document.activeElement?.getAttribute("role") === "menuitem"`);
    for (let i = 0; i < 12; i++) {
      if ((await browser.evaluate<string>("document.activeElement.textContent")).includes(item)) break;
      await browser.press("ArrowDown");
    }
    await browser.press("Enter");
    await browser.until("saved.length > 0");
    return (await browser.evaluate<[string, string]>("saved[0]"))[1];
  }

  /** What reaches beyond the page, and what axe finds serious, light and dark. */
  async faults(): Promise<string[]> {
    const found: string[] = [];
    for (const { width, dark } of VIEWS) {
      await this.browser.look({ width, dark });
      // plots are redrawn at the new width
      await this.browser.until(
        `[...document.querySelectorAll(".holder")].every((own) => own.firstElementChild !== null && own.scrollWidth <= own.clientWidth + 4)`,
      );
      found.push(...(await this.browser.evaluate<string[]>(BEYOND)));
      const serious = await seriousViolations(this.browser);
      found.push(...serious.map((line) => `${width} ${dark ? "dark" : "light"} ${line}`));
    }
    await this.browser.look({ width: 1440 });
    return found;
  }

  async shoot(name: string): Promise<void> {
    if (SHOTS === undefined) return;
    mkdirSync(SHOTS, { recursive: true });
    for (const width of [1440, 820, 390])
      for (const dark of [false, true]) {
        await this.browser.look({ width, dark });
        await new Promise((resolve) => setTimeout(resolve, 250));
        writeFileSync(join(SHOTS, `${name}-${width}-${dark ? "dark" : "light"}.png`), await this.browser.screenshot());
      }
    await this.browser.look({ width: 1440 });
  }
}

/** Where two answers differ: numbers by more than `tolerance` of themselves, words at all. What only says how it was asked is left out. */
export function differences(own: unknown, other: unknown, tolerance: number, path = ""): string[] {
  if (typeof own === "number" && typeof other === "number") {
    const gap = Math.abs(own - other);
    return gap <= tolerance * Math.max(1, Math.abs(own), Math.abs(other)) || Object.is(own, other)
      ? []
      : [`${path}: ${own} and ${other}`];
  }
  if (typeof own !== "object" || own === null || typeof other !== "object" || other === null)
    return own === other ? [] : [`${path}: ${JSON.stringify(own)} and ${JSON.stringify(other)}`];
  const names = new Set([...Object.keys(own), ...Object.keys(other)]);
  for (const said of ["command", "warnings", "notes", "diagnostics", "display", "assumed"]) names.delete(said);
  return [...names].flatMap((name) =>
    differences(
      (own as Record<string, unknown>)[name],
      (other as Record<string, unknown>)[name],
      tolerance,
      `${path}.${name}`,
    ),
  );
}
