/** The service worker: keeps the page's own files, and answers from them first. A new version is a new cache, and the old one goes. */
declare const VERSION: string;
declare const FILES: readonly string[];

interface Lifecycle extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Lifecycle {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

const worker = self as unknown as {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, act: (event: never) => void): void;
};

worker.addEventListener("install", (event: Lifecycle) => {
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event: Lifecycle) => {
  const old = caches
    .keys()
    .then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event: Fetching) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== worker.location.origin) return;
  event.respondWith(caches.match(request, { ignoreSearch: true }).then((found) => found ?? fetch(request)));
});
