/** The best of several runs, in seconds: noise on a shared machine only ever adds. */
export function best(run: () => void, repetitions = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repetitions; i++) {
    const start = process.hrtime.bigint();
    run();
    least = Math.min(least, Number(process.hrtime.bigint() - start) / 1e9);
  }
  return least;
}

/** The same of what is waited for. */
export async function bestAsync(run: () => Promise<unknown>, repetitions = 5): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repetitions; i++) {
    const start = process.hrtime.bigint();
    await run();
    least = Math.min(least, Number(process.hrtime.bigint() - start) / 1e9);
  }
  return least;
}

/** Runs for a while first: what is timed is a warm process, as in a simulation or a session. */
export function warmUp(run: () => void, seconds = 1): void {
  const end = process.hrtime.bigint() + BigInt(Math.round(seconds * 1e9));
  while (process.hrtime.bigint() < end) run();
}

export function report(problem: string, seconds: number, more: object = {}): void {
  process.stdout.write(`${JSON.stringify({ problem, seconds, ...more })}\n`);
}
