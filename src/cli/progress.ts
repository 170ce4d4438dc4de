/** Progress on stderr for anything that takes longer than a second; silent for quick work, with --quiet, and where stderr
 *  is no terminal, unless --progress asks for it: a program may take any line for a warning. There a line is written now and then, not
 *  over and over. */
const FIRST_AFTER_MS = 1000;
const EVERY_MS = 200;
/** In a log. */
const EVERY_LINE_MS = 5000;
const BAR_WIDTH = 24;

export interface Progress {
  /** `done` of `of` in the stage called `label`; unknown total: `of` = 0. */
  update(label: string, done: number, of: number): void;
  /** Wipes the line, so that what follows starts clean. */
  end(): void;
}

export function makeProgress({ quiet = false, progress = false }: { quiet?: boolean; progress?: boolean }): Progress {
  const { stderr } = process;
  const terminal = stderr.isTTY === true;
  if (quiet || !(terminal || progress)) return { update() {}, end() {} };
  const start = Date.now();
  let last = 0;
  let shown = false;
  return {
    update(label, done, of) {
      const now = Date.now();
      if (now - start < FIRST_AFTER_MS || now - last < (terminal ? EVERY_MS : EVERY_LINE_MS)) return;
      last = now;
      const line = progressLine(label, done, of, (now - start) / 1000);
      stderr.write(terminal ? `\r\x1b[K${line}` : `gosset: ${line}\n`);
      shown = terminal;
    },
    end() {
      if (shown) stderr.write("\r\x1b[K");
      shown = false;
    },
  };
}

function progressLine(label: string, done: number, of: number, seconds: number): string {
  if (of <= 0) return `${label}  ${seconds.toFixed(0)} s`;
  const share = Math.min(1, done / of);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
  const left = share > 0 ? (seconds / share) * (1 - share) : 0;
  return `${label}  ${bar} ${(100 * share).toFixed(0)}%  ${left.toFixed(0)} s left`;
}
