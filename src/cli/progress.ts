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

export function makeProgress({
  quiet = false,
  progress = false,
}: {
  quiet?: boolean | undefined;
  progress?: boolean | undefined;
}): Progress {
  const { stderr } = process;
  const terminal = stderr.isTTY === true;
  if (quiet || !(terminal || progress)) return { update() {}, end() {} };
  const start = Date.now();
  let last = 0;
  let shown = false;
  let stage: Stage | undefined;
  return {
    update(label, done, of) {
      const now = Date.now();
      // what was there at the start of a stage, as pieces of a journal, tells nothing of the speed
      if (stage?.label !== label || stage.of !== of || done < stage.from) stage = { label, of, from: done, start: now };
      if (now - start < FIRST_AFTER_MS || now - last < (terminal ? EVERY_MS : EVERY_LINE_MS)) return;
      last = now;
      const line = progressLine(stage, done, now);
      stderr.write(terminal ? `\r\x1b[K${line}` : `gosset: ${line}\n`);
      shown = terminal;
    },
    end() {
      if (shown) stderr.write("\r\x1b[K");
      shown = false;
    },
  };
}

/** What is counted, since when and from where on. */
interface Stage {
  readonly label: string;
  readonly of: number;
  readonly from: number;
  readonly start: number;
}

function progressLine({ label, of, from, start }: Stage, done: number, now: number): string {
  const seconds = (now - start) / 1000;
  if (of <= 0) return `${label}  ${seconds.toFixed(0)} s`;
  const share = Math.min(1, done / of);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
  const rate = (done - from) / seconds;
  const speed = rate > 0 && seconds > 0 ? `  ${rateWords(rate)}, ${timeWords((of - done) / rate)} left` : "";
  return `${label}  ${bar} ${(100 * share).toFixed(0)}%${speed}`;
}

const rateWords = (rate: number): string =>
  rate >= 10 ? `${rate.toFixed(0)}/s` : rate >= 0.1 ? `${rate.toFixed(1)}/s` : `${(60 * rate).toFixed(1)}/min`;

function timeWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, seconds).toFixed(0)} s`;
  return seconds < 5400 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
