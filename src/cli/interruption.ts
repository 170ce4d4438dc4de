/** Ctrl-C and the signals of schedulers during a simulation: the pieces under way may end, what is drawn is kept where there is a journal,
 *  and the program says how to go on. A second signal ends it at once.
 *  Limits: a command that computes without giving the event loop a turn is ended by the first signal, as ever. */
import { type Runner, StatError } from "../index.ts";
import { quoteShell } from "../text.ts";

/** USR1 is what Slurm sends before the end of a job's time (`--signal=B:USR1@60`). */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGUSR1: 138 } as const;
type Signal = keyof typeof SIGNALS;

export interface Interruption {
  /** The runner, which a signal cancels. From its first use on signals are caught. */
  heeding(runner: Runner): Runner;
  /** Aborted by the first signal; from now on signals are caught. */
  signal(): AbortSignal;
  /** What is thrown to end the program: after a signal, what became of the work. */
  explain(error: unknown, journal: string | undefined): unknown;
  end(): void;
}

export function watchSignals(): Interruption {
  const stop = new AbortController();
  let caught: Signal | undefined;
  let watching = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (caught !== undefined) process.exit(SIGNALS[signal as Signal]);
    caught = signal as Signal;
    stop.abort();
  };
  const names = (Object.keys(SIGNALS) as Signal[]).filter(
    // elsewhere it is for Node's own debugger
    (name) => name !== "SIGUSR1" || process.env["SLURM_JOB_ID"] !== undefined,
  );
  const watch = (): void => {
    if (watching) return;
    watching = true;
    for (const name of names) process.on(name, onSignal);
  };
  return {
    heeding: (inner) => ({
      workers: inner.workers,
      map(task, inputs, rng, options = {}) {
        watch();
        return inner.map(task, inputs, rng, { ...options, signal: options.signal ?? stop.signal });
      },
      close: () => inner.close(),
    }),
    signal() {
      watch();
      return stop.signal;
    },
    explain(error, journal) {
      if (caught === undefined || (error as { code?: unknown }).code !== "Cancelled") return error;
      const ended = new StatError(
        "Interrupted",
        `ended by ${caught}${journal === undefined ? "; no replicates were saved." : `; the replicates so far are in ${journal}.`}`,
        journal === undefined
          ? "With --journal runs/a the same command would resume."
          : `To resume: gosset ${process.argv.slice(2).map(quoteShell).join(" ")}`,
      );
      return Object.assign(ended, { exitCode: SIGNALS[caught] });
    },
    end() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
