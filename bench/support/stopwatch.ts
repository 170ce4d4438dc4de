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

export function report(problem: string, seconds: number, more: object = {}): void {
  process.stdout.write(`${JSON.stringify({ problem, seconds, ...more })}\n`);
}
