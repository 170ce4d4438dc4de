/** The page's end of the engine: calls with progress, stop and cancel. The engine is a worker; the page never computes. */
import type { CallName, Calls, Failure, FromEngine, GivenFile, Progress, ToEngine } from "../engine/protocol.ts";
import { trustedUrl } from "./trusted.ts";

/** Beyond this more helpers cost more memory than they save time. */
const MOST_HELPERS = 4;

interface Waiting {
  resolve(value: unknown): void;
  reject(failure: Failure): void;
  readonly progress: ((progress: Progress) => void) | undefined;
}

export interface Pending<T> {
  readonly answer: Promise<T>;
  /** Ends a simulation with what it has so far. */
  stop(): void;
}

export class Engine {
  readonly #url = workerUrl();
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  /** Started with the first question, or when the page has nothing else to do. */
  #worker: Worker | undefined;
  #helpers: Worker[] = [];
  #files: readonly GivenFile[] = [];

  constructor() {
    const idle = globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 300));
    const start = (): void => void idle(() => this.#running());
    if (document.readyState === "complete") start();
    else window.addEventListener("load", start, { once: true });
  }

  #running(): Worker {
    this.#worker ??= this.#start();
    return this.#worker;
  }

  #start(): Worker {
    const worker = new Worker(trustedUrl(this.#url));
    worker.onmessage = ({ data }: MessageEvent<FromEngine>) => this.#receive(data);
    worker.onerror = (event) => {
      const failure = { code: "EngineFailed", message: event.message || "the engine ended.", fix: "Reload the page." };
      for (const one of this.#waiting.values()) one.reject(failure);
      this.#waiting.clear();
    };
    return worker;
  }

  #receive(message: FromEngine): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if (message.kind === "progress") {
      waiting.progress?.(message);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === "done") waiting.resolve(message.gives);
    else waiting.reject(message.failure);
  }

  #post(message: ToEngine, transfer: Transferable[] = []): void {
    this.#running().postMessage(message, transfer);
  }

  call<N extends CallName>(
    name: N,
    takes: Calls[N]["takes"],
    progress?: (progress: Progress) => void,
  ): Pending<Calls[N]["gives"]> {
    const id = this.#next++;
    const answer = new Promise<Calls[N]["gives"]>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject, progress });
    });
    this.#post({ kind: "call", id, name, takes });
    return { answer, stop: () => this.#post({ kind: "stop", id }) };
  }

  /** Helpers for simulations: started when first needed, kept from then on. */
  needHelpers(): void {
    if (this.#helpers.length > 0) return;
    const count = Math.max(1, Math.min(MOST_HELPERS, navigator.hardwareConcurrency ?? 2));
    const channels = Array.from({ length: count }, () => new MessageChannel());
    this.#helpers = channels.map(({ port1 }) => {
      const helper = new Worker(trustedUrl(this.#url));
      helper.postMessage({ kind: "serve", port: port1 } satisfies ToEngine, [port1]);
      return helper;
    });
    const ports = channels.map(({ port2 }) => port2);
    this.#post({ kind: "ports", ports }, ports);
  }

  async open(files: readonly GivenFile[]): Promise<Calls["open"]["gives"]> {
    const data = await this.call("open", { files }).answer;
    this.#files = files;
    return data;
  }

  /** Ends whatever runs, at once. The files are read again, since they went with the worker. */
  async cancel(): Promise<void> {
    this.#worker?.terminate();
    for (const helper of this.#helpers) helper.terminate();
    this.#helpers = [];
    const failure = { code: "Cancelled", message: "stopped.", fix: "Change a setting to ask again." };
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#worker = undefined;
    for (const one of waiting) one.reject(failure);
    if (this.#files.length > 0) await this.open(this.#files);
  }
}

/** Beside the page, or within it where the page is one file. */
function workerUrl(): string {
  const source = document.getElementById("engine-source")?.textContent;
  if (source == null) return new URL("engine.js", document.baseURI).href;
  return URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
}

export const isFailure = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "code" in error && "fix" in error;
