/** A queue in Redis (BullMQ) between one process that wants pieces computed and any number of workers on any number of machines.
 *
 *  A job is one piece: its parameters go there, its numbers come back, and nothing else travels. Its name is that of the piece in a journal, so that a
 *  coordinator that was killed and one that runs beside it ask for the same jobs once. Answers are read from the jobs, never counted by events; what
 *  Redis has forgotten is asked for again. A worker computes in threads, since a busy event loop cannot hold on to its jobs, and a queue belongs to
 *  one build of the program: workers of another never see its jobs.
 *  Limits: tasks that are kept in a journal only; others run in this process. */
import type { Job, Queue, Worker } from "bullmq";
import { makeRng, type Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import { cancelled, makeBoard } from "./board.ts";
import { readyTask } from "./compute.ts";
import { nameSet } from "./journal.ts";
import { type Failure, failureError } from "./message.ts";
import type { MapOptions, Runner, Task } from "./task.ts";

export interface QueueOptions {
  /** redis://user:password@host:6379/0, or rediss:// for TLS. */
  readonly url: string;
  /** Hash of the code that computes. */
  readonly build?: string | undefined;
}

/** What a worker is sent. */
interface PieceJob {
  readonly task: string;
  readonly input: unknown;
}

type PieceAnswer = { readonly out: unknown } | { readonly failure: Failure };

/** Jobs that wait at once: enough for many workers, little for Redis to hold. */
const WINDOW = 1000;
const POLL_MS = 200;
/** A share of the time at most goes into asking. */
const POLL_SHARE = 10;
const CONNECT_MS = 10_000;
/** Deaths of workers over one job; they are no fault of the job. */
const MOST_STALLS = 1000;
/** The job of a dead worker is given to another after one to two of these. */
const LOCK_MS = 5000;
const ATTEMPTS = 5;
/** A job that failed, as by an earlier fault of its worker, is tried again so often. */
const MOST_FAILURES = 3;
/** Answers that nobody fetched. */
const KEEP_SECONDS = 86_400;
/** After this time without any worker it is said. */
const LONELY_MS = 10_000;

const queueName = (build: string | undefined): string => `gosset-${GOSSET_VERSION}-${build ?? "source"}`;

/** Without what must not be read by others. */
export function describeRedis(url: string): string {
  const { protocol, host, pathname } = parseRedis(url);
  return `${protocol}//${host}${pathname}`;
}

function parseRedis(url: string): URL {
  let parsed: URL | undefined;
  try {
    parsed = new URL(url);
  } catch {}
  if (parsed !== undefined && ["redis:", "rediss:"].includes(parsed.protocol) && parsed.hostname !== "") return parsed;
  throw new StatError(
    "BadAddress",
    "this is not the address of a Redis server.",
    "Write redis://host:6379 or rediss://user:password@host:6379/0.",
  );
}

async function loadBullmq(): Promise<typeof import("bullmq")> {
  try {
    return await import("bullmq");
  } catch {
    throw new StatError(
      "NoBullmq",
      "the packages bullmq and ioredis are not installed.",
      "Install them: npm install bullmq ioredis",
    );
  }
}

const connectionTo = (url: string) => ({ url: parseRedis(url).href, maxRetriesPerRequest: null });

/** Where an address may name the wrong server, a server that starts answers soon and a wrong password never. */
const RETRY_MS = 250;
const REFUSED = /WRONGPASS|NOAUTH|NOPERM|invalid password|invalid username/i;
const NO_TRUST = /CERT|SIGNATURE|ERR_TLS|ERR_SSL|EPROTO/;

/** Rejects where Redis cannot be reached, is not trusted or does not let us in; later losses of the connection are waited out. */
async function reachRedis(url: string): Promise<void> {
  await loadBullmq();
  const { Redis } = await import("ioredis");
  const until = performance.now() + CONNECT_MS;
  for (;;) {
    const reason = await tryRedis(Redis, url, Math.max(RETRY_MS, until - performance.now()));
    if (reason === undefined) return;
    if (REFUSED.test(reason))
      throw new StatError(
        "RedisRefuses",
        `the Redis at ${describeRedis(url)} does not accept this user and password (${reason.split(" ")[0]}).`,
        "Write them into the address: rediss://user:password@host:6379, or redis://:password@host:6379.",
      );
    if (NO_TRUST.test(reason))
      throw new StatError(
        "RedisNotTrusted",
        `no trusted connection to ${describeRedis(url)} (${reason}).`,
        "Name the certificate of its authority in NODE_EXTRA_CA_CERTS; redis:// is without TLS, rediss:// with it.",
      );
    if (performance.now() > until)
      throw new StatError(
        "NoRedis",
        `no Redis answers at ${describeRedis(url)} (${reason}).`,
        "Check the address and that it runs; rediss:// is with TLS, redis:// without.",
      );
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Undefined where it answers; otherwise why not, in words that hold no password. */
async function tryRedis(Client: typeof import("ioredis").Redis, url: string, ms: number): Promise<string | undefined> {
  const client = new Client(parseRedis(url).href, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: ms,
  });
  let first: unknown; // what `connect` rejects with may only say that the connection is closed
  client.on("error", (error: unknown) => (first ??= error));
  let late: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(Object.assign(new Error("no answer"), { code: "no answer" })), ms);
  });
  try {
    await Promise.race([client.connect().then(() => client.ping()), timeout]);
    return undefined;
  } catch (error) {
    const { code, message } = (first ?? error) as { readonly code?: string; readonly message?: string };
    // a reply of the server begins with its kind; anything longer might repeat what was sent
    return code ?? message?.match(/^[A-Z]+\b/)?.[0] ?? "closed";
  } finally {
    clearTimeout(late);
    client.disconnect();
  }
}

export interface QueueRunnerOptions extends QueueOptions {
  /** Runs what is not kept in a journal. */
  readonly inner: Runner;
  /** Told once that no worker is there. */
  readonly onLonely?: (() => void) | undefined;
}

/** Tasks whose answers are kept are computed by workers elsewhere. */
export function queueRunner({ url, build, inner, onLonely }: QueueRunnerOptions): Runner {
  let opened: Promise<Queue> | undefined;
  const open = async (): Promise<Queue> => {
    const { Queue } = await loadBullmq();
    await reachRedis(url);
    const queue = new Queue(queueName(build), { connection: connectionTo(url) });
    queue.on("error", () => {}); // a connection that is lost is made again
    return queue;
  };
  return {
    workers: inner.workers,
    async map<In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, options: MapOptions<Out> = {}) {
      if (task.keeping === undefined) return inner.map(task, inputs, rng, options);
      const board = makeBoard<Out>(inputs.length, options);
      if (board.open === 0) return board.answers;
      opened ??= open();
      const queue = await opened;
      const orders = makeOrders(task, inputs, build);
      const fetching = { board, orders, signal: options.signal, lonely: watchWorkers(queue, onLonely) };
      await fetchAll(queue, fetching).catch((error: unknown) => {
        throw error instanceof StatError ? error : brokenQueue(url, error);
      });
      return board.answers;
    },
    async close() {
      const queue = await opened?.catch(() => undefined);
      await queue?.disconnect();
      await inner.close();
    },
  };
}

const brokenQueue = (url: string, error: unknown): StatError =>
  new StatError(
    "BrokenQueue",
    `the queue at ${describeRedis(url)} holds what no worker wrote (${error instanceof Error ? error.message : error}).`,
    "Does another program write to it? Give Gosset a database of its own, redis://host:6379/1.",
  );

interface Orders<Out> {
  idOf(index: number): string;
  job(index: number): { readonly name: string; readonly data: PieceJob; readonly opts: object };
  read(index: number, value: unknown): Out | undefined;
}

function makeOrders<In, Out>(task: Task<In, Out>, inputs: readonly In[], build: string | undefined): Orders<Out> {
  const keeping = task.keeping!;
  const idOf = (index: number): string => {
    const { from, count } = keeping.place(inputs[index]!);
    return `${nameSet(task.name, keeping.about(inputs[index]!), { gosset: GOSSET_VERSION, build })}-${from}-${count}`;
  };
  return {
    idOf,
    job: (index) => ({
      name: "piece",
      data: { task: task.name, input: inputs[index] },
      opts: {
        jobId: idOf(index),
        attempts: ATTEMPTS,
        backoff: { type: "fixed", delay: 1000 },
        removeOnComplete: { age: KEEP_SECONDS },
        removeOnFail: { age: KEEP_SECONDS },
      },
    }),
    read: (index, value) => keeping.read(value, inputs[index]!),
  };
}

interface Fetching<Out> {
  readonly board: ReturnType<typeof makeBoard<Out>>;
  readonly orders: Orders<Out>;
  readonly signal: AbortSignal | undefined;
  lonely(): Promise<void>;
}

/** Keeps a window of jobs in the queue until every answer has come. */
async function fetchAll<Out>(queue: Queue, { board, orders, signal, lonely }: Fetching<Out>): Promise<void> {
  const waiting = new Map<number, string>();
  const failures = new Map<number, number>();
  for (;;) {
    if (signal?.aborted) throw cancelled();
    const start = performance.now();
    const more = board.take(WINDOW - waiting.size);
    if (more.length > 0) await orAbort(queue.addBulk(more.map(orders.job)), signal);
    for (const index of more) waiting.set(index, orders.idOf(index));
    if (waiting.size === 0) return;
    const jobs = await orAbort(Promise.all([...waiting.values()].map((id) => getJob(queue, id))), signal);
    const lost: number[] = [];
    for (const [k, [index, id]] of [...waiting].entries()) {
      const job = jobs[k];
      const out = job === undefined ? "lost" : readAnswer(job, index, { orders, failures });
      if (out === "waiting") continue;
      if (out === "lost") lost.push(index);
      else {
        board.accept(index, out.out);
        waiting.delete(index);
      }
      // what is in the journal Redis may forget
      if (job !== undefined)
        await orAbort(
          queue
            .remove(id)
            .then(() => {})
            .catch(() => {}),
          signal,
        );
    }
    if (lost.length > 0) await orAbort(queue.addBulk(lost.map(orders.job)), signal);
    await lonely();
    await pause(Math.max(POLL_MS, POLL_SHARE * (performance.now() - start)), signal);
  }
}

type AskedJob = Pick<Job, "returnvalue" | "finishedOn" | "failedReason">;

/** Undefined where Redis has none; one whose data cannot be parsed failed. */
const getJob = (queue: Queue, id: string): Promise<AskedJob | undefined> =>
  queue.getJob(id).catch((error: unknown) => {
    if (error instanceof SyntaxError)
      return { returnvalue: undefined, finishedOn: 0, failedReason: "its data are not JSON" };
    throw error;
  });

function isFailure(value: unknown): value is Failure {
  const { code, message, fix } = (value ?? {}) as Partial<Failure>;
  return [code, message, fix].every((text) => typeof text === "string");
}

function readAnswer<Out>(
  job: AskedJob,
  index: number,
  { orders, failures }: { readonly orders: Orders<Out>; readonly failures: Map<number, number> },
): { readonly out: Out } | "waiting" | "lost" {
  const answer: unknown = job.returnvalue;
  if (answer !== null && answer !== undefined) {
    const { out: written, failure } = answer as { readonly out?: unknown; readonly failure?: unknown };
    if (isFailure(failure)) throw failureError(failure);
    const out = orders.read(index, written);
    if (out !== undefined) return { out };
  } else if (job.finishedOn === undefined) return "waiting";
  // failed for good, or an answer that cannot be
  const times = (failures.get(index) ?? 0) + 1;
  failures.set(index, times);
  if (times <= MOST_FAILURES) return "lost";
  throw new StatError(
    "PieceFailed",
    `workers could not compute a piece (${job.failedReason ?? "an answer that cannot be"}).`,
    "See what they print; the same command goes on.",
  );
}

/** Says once that nobody works, after a while. */
function watchWorkers(queue: Queue, onLonely: (() => void) | undefined): () => Promise<void> {
  let since = performance.now();
  let told = onLonely === undefined;
  let asked = 0;
  return async () => {
    const now = performance.now();
    if (told || now - asked < 1000) return;
    asked = now;
    if ((await queue.getWorkersCount()) > 0) since = now;
    else if (now - since > LONELY_MS) {
      told = true;
      onLonely!();
    }
  };
}

/** A command to a Redis that is away waits for its return; an abort does not. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(cancelled());
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  let timer: ReturnType<typeof setTimeout>;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return orAbort(over, signal).finally(() => clearTimeout(timer));
};

export interface QueueWorkerOptions extends QueueOptions {
  /** Jobs at once. */
  readonly threads: number;
  /** A runner of one thread. */
  startThread(): Runner;
  /** The tasks that this program knows. */
  readonly tasks: readonly Task<never, unknown>[];
  readonly onJob?: ((done: number) => void) | undefined;
  readonly onError?: ((message: string) => void) | undefined;
}

export interface QueueWorker {
  /** Lets jobs under way end, for some seconds; what is not done by then others do. */
  close(): Promise<void>;
}

/** Faults of this worker, after which another may try. */
const NOT_OF_THE_PIECE: ReadonlySet<string> = new Set(["WorkerLost", "Cancelled"]);

/** Computes pieces until it is closed. */
export async function startQueueWorker(options: QueueWorkerOptions): Promise<QueueWorker> {
  const { url, build, threads, startThread, tasks, onJob, onError } = options;
  await reachRedis(url);
  const bullmq = await loadBullmq();
  const idle = Array.from({ length: threads }, startThread);
  const all = [...idle];
  // a worker that is ended while its threads start must not hold jobs, which others would wait for
  await Promise.all(all.map((runner) => runner.map(readyTask, [null], makeRng("queue"))));
  let done = 0;
  const ending = new AbortController();
  const compute = async ({ data }: Job<PieceJob>): Promise<PieceAnswer> => {
    const task = tasks.find(({ name }) => name === data.task) as Task<unknown, unknown> | undefined;
    if (task?.keeping === undefined) throw new Error(`there is no task "${data.task}"`);
    const runner = idle.pop()!;
    try {
      // what is kept depends on its input alone, and brings its own seed
      const answers: unknown[] = [];
      const onResult = (_: number, out: unknown): void => void answers.push(out);
      await runner.map(task, [data.input], makeRng("queue"), { signal: ending.signal, onResult }).catch((error) => {
        if (answers.length === 0) throw error;
      });
      onJob?.(++done);
      return { out: task.keeping.write(answers[0], data.input) };
    } catch (error) {
      if (error instanceof StatError && !NOT_OF_THE_PIECE.has(error.code)) {
        return { failure: { index: 0, code: error.code, message: error.message, fix: error.fix } };
      }
      throw error;
    } finally {
      idle.push(runner);
    }
  };
  const worker: Worker = new bullmq.Worker(queueName(build), compute, {
    connection: connectionTo(url),
    concurrency: threads,
    maxStalledCount: MOST_STALLS,
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS,
  });
  // without a listener a lost connection would end the process
  worker.on("error", (error) =>
    onError?.(error.message === "" ? String((error as { code?: unknown }).code) : error.message),
  );
  return {
    async close() {
      ending.abort();
      await worker.close();
      for (const runner of all) await runner.close();
    },
  };
}

export interface QueueState {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly completed: number;
  readonly failed: number;
  readonly workers: number;
}

/** What waits, runs and works on a queue of this build. */
export async function askRedis({ url, build }: QueueOptions): Promise<QueueState> {
  await reachRedis(url);
  const { Queue } = await loadBullmq();
  const queue = new Queue(queueName(build), { connection: connectionTo(url) });
  queue.on("error", () => {});
  try {
    const counts = await queue.getJobCounts("waiting", "active", "completed", "failed", "delayed");
    return {
      queue: queue.name,
      waiting: (counts["waiting"] ?? 0) + (counts["delayed"] ?? 0),
      active: counts["active"] ?? 0,
      completed: counts["completed"] ?? 0,
      failed: counts["failed"] ?? 0,
      workers: await queue.getWorkersCount(),
    };
  } finally {
    await queue.disconnect();
  }
}
