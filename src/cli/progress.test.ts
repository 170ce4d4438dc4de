import { afterEach, expect, it, vi } from "vitest";
import { makeProgress } from "./progress.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** What two seconds of work write to a stderr that is or is not a terminal. */
function written(terminal: boolean, quiet: boolean, asked = false): string[] {
  vi.useFakeTimers();
  vi.spyOn(process, "stderr", "get").mockReturnValue({ ...process.stderr, isTTY: terminal } as typeof process.stderr);
  const lines: string[] = [];
  process.stderr.write = ((text: string) => lines.push(text) > 0) as typeof process.stderr.write;
  const progress = makeProgress({ quiet, progress: asked });
  progress.update("Reading", 100, 400);
  vi.advanceTimersByTime(2000);
  progress.update("Reading", 200, 400);
  progress.end();
  return lines;
}

it("shows progress on a terminal only, and not with --quiet", () => {
  expect(written(true, false).join("")).toMatch(/Reading .* 50%/);
  vi.restoreAllMocks();
  expect(written(true, true)).toEqual([]);
  vi.restoreAllMocks();
  expect(written(false, false)).toEqual([]);
});

it("shows it in a log where --progress asks for it, line by line", () => {
  expect(written(false, false, true).join("")).toMatch(/^gosset: Reading .* 50%.*\n$/);
  vi.restoreAllMocks();
  expect(written(false, true, true)).toEqual([]);
});

it("says how fast it goes and how long it takes, counting only what was done since", () => {
  // 100 were there at the start, 100 more came in two seconds
  expect(written(true, false).join("")).toMatch(/50% {2}50\/s, 4 s left/);
});
