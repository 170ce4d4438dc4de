/** The worker that holds the library. One of them is the engine; others compute pieces of simulations for it. */
import { StatError } from "../../src/index.ts";
import { portRunner, serveWork } from "../../src/run/web-workers.ts";
import { nameControls } from "./control-names.ts";
import type { CallName, Failure, FromEngine, ToEngine } from "./protocol.ts";
import { Session, type Surroundings } from "./session.ts";

const session = new Session();
const stops = new Map<number, AbortController>();
const tell = (message: FromEngine): void => (self as unknown as Worker).postMessage(message);

function describeError(error: unknown): Failure {
  if (!(error instanceof StatError))
    return {
      code: "Unexpected",
      message: error instanceof Error ? error.message : String(error),
      fix: "That is a fault of the page; the command line may still answer.",
    };
  const { code, message, fix } = error;
  const ask = session.askOf(error);
  return { code, message: nameControls(message), fix: nameControls(fix), ...(ask === undefined ? {} : { ask }) };
}

async function answer(id: number, name: CallName, takes: never): Promise<void> {
  const stop = new AbortController();
  stops.set(id, stop);
  const around: Surroundings = { signal: stop.signal, tell: (progress) => tell({ kind: "progress", id, ...progress }) };
  try {
    const call = session[name] as (takes: never, around: Surroundings) => unknown;
    tell({ kind: "done", id, gives: await call.call(session, takes, around) });
  } catch (error) {
    tell({ kind: "failed", id, failure: describeError(error) });
  } finally {
    stops.delete(id);
  }
}

self.onmessage = ({ data }: MessageEvent<ToEngine>): void => {
  switch (data.kind) {
    case "call":
      void answer(data.id, data.name, data.takes as never);
      break;
    case "stop":
      stops.get(data.id)?.abort();
      break;
    case "ports":
      session.runner = portRunner(data.ports);
      break;
    case "serve":
      serveWork(data.port);
  }
};
