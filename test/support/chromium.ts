/** A browser without a driver: the system's Chromium over its debugging pipe, which needs no port and no package. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { findChromium } from "../../scripts/machine.mjs";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly message: string };
}

export interface View {
  readonly width: number;
  readonly dark?: boolean;
}

export class Browser {
  readonly #process: ChildProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), "gosset-chromium-"));
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #input: Writable;
  #next = 1;
  #session = "";
  #loaded: (() => void) | undefined;
  /** Addresses that pages asked for, beside the files themselves. */
  readonly requests: string[] = [];
  /** Errors of pages: thrown, or refused by their policy. */
  readonly errors: string[] = [];

  constructor() {
    const path = findChromium();
    if (path === undefined) throw new Error("no Chromium on this machine");
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars"];
    const quiet = [
      "--no-first-run",
      "--disable-extensions",
      "--disable-background-networking",
      "--disable-dev-shm-usage",
    ];
    this.#process = spawn(path, [...flags, ...quiet, `--user-data-dir=${this.#folder}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    this.#input = this.#process.stdio[3] as Writable;
    let rest = "";
    (this.#process.stdio[4] as Readable).on("data", (chunk: Buffer) => {
      const parts = (rest + chunk.toString("utf8")).split("\0");
      rest = parts.pop()!;
      for (const part of parts) this.#receive(JSON.parse(part) as Message);
    });
  }

  #receive(message: Message): void {
    if (message.id !== undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    } else if (message.method === "Page.loadEventFired") this.#loaded?.();
    else if (message.method === "Network.requestWillBeSent") {
      const { url } = (message.params as { request: { url: string } }).request;
      this.requests.push(url);
    } else if (message.method === "Runtime.exceptionThrown")
      this.errors.push(JSON.stringify(message.params).slice(0, 600));
    else if (message.method === "Log.entryAdded") {
      const { level, text } = (message.params as { entry: { level: string; text: string } }).entry;
      if (level === "error") this.errors.push(text);
    }
  }

  /** A command of the debugging protocol. */
  async send(method: string, params: object = {}): Promise<{ readonly [key: string]: unknown }> {
    const id = this.#next++;
    const session = this.#session === "" ? {} : { sessionId: this.#session };
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#input.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  async open(url: string, { width, dark = false }: View): Promise<void> {
    if (this.#session === "") {
      const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
      this.#session = sessionId as string;
      await this.send("Page.enable");
      await this.send("Network.enable");
      await this.send("Runtime.enable");
      await this.send("Log.enable");
    }
    await this.look({ width, dark });
    const loaded = new Promise<void>((resolve) => {
      this.#loaded = resolve;
    });
    this.requests.length = 0;
    await this.send("Page.navigate", { url });
    await loaded;
  }

  /** The same page at another width or in other colours. */
  async look({ width, dark = false }: View): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
    const features = [
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
      // colours that are still on their way would be judged
      { name: "prefers-reduced-motion", value: "reduce" },
    ];
    await this.send("Emulation.setEmulatedMedia", { features });
  }

  /** The value of an expression, which may be a promise. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = (await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { result: { value: T }; exceptionDetails?: { text: string; exception?: { description?: string } } };
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until the expression is true. */
  async until(expression: string, seconds = 20): Promise<void> {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end; ) {
      // what the expression looks into may not be there yet
      if (await this.evaluate<boolean>(`Boolean(${expression})`).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`still not true: ${expression}\n${this.errors.join("\n")}`);
  }

  /** One key, as a keyboard gives it: "Enter", "e", "Tab". */
  async press(key: string, modifiers = 0): Promise<void> {
    const codes: Readonly<Record<string, number>> = {
      Enter: 13,
      Tab: 9,
      Escape: 27,
      ArrowDown: 40,
      ArrowUp: 38,
      ArrowRight: 39,
      ArrowLeft: 37,
      Home: 36,
    };
    const text = key === "Enter" ? "\r" : key.length === 1 && modifiers < 2 ? key : undefined;
    const windowsVirtualKeyCode = codes[key] ?? key.toUpperCase().charCodeAt(0);
    const event = { key, modifiers, windowsVirtualKeyCode, ...(text === undefined ? {} : { text }) };
    await this.send("Input.dispatchKeyEvent", { type: text === undefined ? "rawKeyDown" : "keyDown", ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  async screenshot(): Promise<Buffer> {
    const { data } = await this.send("Page.captureScreenshot", { captureBeyondViewport: true });
    return Buffer.from(data as string, "base64");
  }

  async pdf(paper: { readonly paperWidth: number; readonly paperHeight: number }): Promise<Buffer> {
    const { data } = await this.send("Page.printToPDF", { ...paper, printBackground: false, preferCSSPageSize: true });
    return Buffer.from(data as string, "base64");
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#session = "";
    this.#input.write(`${JSON.stringify({ id: this.#next++, method: "Browser.close" })}\0`);
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
