/** `gosset serve [--export gosset.html]`: the built page (dist/page), on localhost or as one file. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { StatError } from "../../index.ts";
import type { Context } from "../context.ts";
import { writeOutput } from "../files.ts";
import type { GlobalOptions } from "../options.ts";
import { readShipped } from "../shipped.ts";

interface ServeOptions extends GlobalOptions {
  readonly port: string;
  readonly export?: string | undefined;
}

const HOST = "127.0.0.1";
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};
/** All that is handed out; no path of a request ever becomes a path on the disk. */
const FILES = [
  "index.html",
  "app.js",
  "engine.js",
  "page.css",
  "examples.json",
  "offline.js",
  "licences.txt",
  "gosset.html",
];

export async function run({ options, refuse }: Context<ServeOptions>): Promise<void> {
  if (options.export !== undefined) {
    refuse(["--port"], "with --export: there is no server");
    writeOutput(options.export, readPage("gosset.html"));
    process.stdout.write(`${options.export} is written. Open it in a browser; it needs no server and no network.\n`);
    return;
  }
  const server = await listen(Number(options.port));
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://localhost:${port}/\nOn this machine only; nothing is uploaded. Stop it with Ctrl-C.\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => server.close(() => resolve()));
    process.once("SIGINT", () => server.closeAllConnections());
    process.once("SIGTERM", () => server.closeAllConnections());
  });
}

function readPage(name: string): Buffer {
  const found = readShipped(`page/${name}`);
  if (found !== undefined) return found;
  throw new StatError("NoPage", `the page is not built: ${name} is missing.`, "Run npm run build.");
}

function listen(port: number): Promise<Server> {
  const files = new Map(FILES.map((name) => [`/${name}`, fileOf(name)]));
  files.set("/", files.get("/index.html")!);
  const server = createServer((request, response) => answer(request, response, files));
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      const message = taken
        ? `port ${port} is in use.`
        : `port ${port} cannot be used (${error.code ?? error.message}).`;
      reject(new StatError("NoPort", message, "Choose another with --port, or use --port 0."));
    });
    server.listen(port, HOST, () => resolve(server));
  });
}

interface Served {
  readonly type: string;
  readonly body: Buffer;
  readonly packed: Buffer;
}

function fileOf(name: string): Served {
  const body = readPage(name);
  return { type: TYPES[name.slice(name.lastIndexOf(".") + 1)]!, body, packed: gzipSync(body) };
}

const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-cache",
};

function answer(request: IncomingMessage, response: ServerResponse, files: ReadonlyMap<string, Served>): void {
  // a page elsewhere may point a name of its own at this machine
  const local = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? "");
  const found = files.get((request.url ?? "/").split("?")[0]!);
  const refused = !local ? 403 : request.method !== "GET" && request.method !== "HEAD" ? 405 : 404;
  if (refused !== 404 || found === undefined) {
    response.writeHead(refused, { ...HEADERS, "Content-Type": "text/plain; charset=utf-8" }).end(`${refused}\n`);
    return;
  }
  const zipped = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const body = zipped ? found.packed : found.body;
  response.writeHead(200, {
    ...HEADERS,
    "Content-Type": found.type,
    "Content-Length": body.length,
    ...(zipped ? { "Content-Encoding": "gzip" } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
