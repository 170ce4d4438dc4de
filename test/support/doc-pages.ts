/** README and the pages of docs: their code blocks, the numbers that they mark in running text, and how both are written anew.
 *
 *    <!--run ratings: compare examples/data/summaries.csv-->       a command whose JSON answer is called `ratings` on this page
 *    <!--=ratings pairs.2.difference +.2-->+0.36<!--/-->            a number of it: path, then format
 *    <!--cell docs/calibration.md "200 items" 2-->4.1 %<!--/-->     column 2 of the first row of that page that begins with these words
 *    <!--count docs/calibration.md "kept|cautious"-->213<!--/-->    its table rows with a cell that reads so
 *
 *  Formats: `.2` decimals, `+.2` with a sign, `%.1` a proportion in percent, `x.1` in points, `p` a p-value, `n` a count with thousands separators. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./cli.ts";

export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** Where its text begins in the page. */
  readonly at: number;
  /** The block that follows with nothing but white space between. */
  readonly output: { readonly text: string; readonly at: number } | undefined;
}

export const docPages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !/^(\.dist|node_modules)\//.test(name))
    .sort()
    .map((name) => `docs/${name}`),
];

export const readPage = (page: string): string => readFileSync(join(root, page), "utf8");

export function blocksOf(page: string): Block[] {
  const found = [...readPage(page).matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```\n?/gm)];
  const start = (match: RegExpExecArray): number => match.index + match[0].indexOf("\n") + 1;
  return found.map((match, i) => {
    const next = found[i + 1];
    const between = next?.input.slice(match.index + match[0].length, next.index);
    const follows = between !== undefined && between.trim() === "" && next![1] === "";
    return {
      page,
      language: match[1]!,
      text: match[2]!,
      at: start(match),
      output: follows ? { text: next![2]!, at: start(next!) } : undefined,
    };
  });
}

/** A line that stands for lines left out. */
export const ELLIPSIS = "…";

/** How far two lines are the same line with other numbers. */
function likeness(a: string, b: string): number {
  if (a.trimEnd() === b.trimEnd()) return 1;
  const words = (line: string): Set<string> => new Set(line.replace(/\d/g, "0").split(/\s+/).filter(Boolean));
  const [own, other] = [words(a), words(b)];
  const shared = [...own].filter((word) => other.has(word)).length;
  return (2 * shared) / Math.max(1, own.size + other.size);
}

/** The lines that a page shows of an output, taken from a newer one: all of it, or with … where the page leaves lines out. */
export function refreshed(shown: string, printed: string): string {
  const old = shown.trimEnd().split("\n");
  const now = printed.trimEnd().split("\n");
  if (!old.includes(ELLIPSIS)) return `${now.map((line) => line.trimEnd()).join("\n")}\n`;
  const kept = old.filter((line) => line !== ELLIPSIS);
  // the best way to find each shown line again, in their order
  const best = kept.map(() => new Float64Array(now.length + 1));
  for (let i = kept.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const same = likeness(kept[i]!, now[j]!);
      const match = same > 0.5 ? same + (best[i + 1]?.[j + 1] ?? 0) : 0;
      best[i]![j] = Math.max(best[i]![j + 1]!, best[i + 1]?.[j] ?? 0, match);
    }
  }
  const found = new Map<number, number>();
  for (let i = 0, j = 0; i < kept.length && j < now.length; ) {
    if (best[i]![j] === best[i]![j + 1]) j += 1;
    else if (best[i]![j] === (best[i + 1]?.[j] ?? 0)) i += 1;
    else found.set(i++, j++);
  }
  const lines: string[] = [];
  let [i, last] = [0, -1];
  let gap = false;
  for (const line of old) {
    if (line === ELLIPSIS) {
      gap = true;
      continue;
    }
    const at = found.get(i++);
    if (at === undefined) continue;
    if (gap && at > last + 1) lines.push(ELLIPSIS);
    else lines.push(...now.slice(last + 1, at));
    lines.push(now[at]!);
    [last, gap] = [at, false];
  }
  if (gap && last < now.length - 1) lines.push(ELLIPSIS);
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** Lines of a shown output that the program does not print, in their order. */
export function strangeLines(shown: string, printed: string): string[] {
  const old = shown.trimEnd().split("\n");
  const now = printed
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
  if (!old.includes(ELLIPSIS)) {
    return old.join("\n") === now.join("\n")
      ? []
      : [...old.filter((line) => !now.includes(line)), "(not the whole output)"];
  }
  let at = 0;
  return old.filter((line) => {
    if (line === ELLIPSIS) return false;
    const next = now.indexOf(line.trimEnd(), at);
    if (next >= 0) at = next + 1;
    return next < 0;
  });
}

/** What a marked number should read, by the JSON of the page's runs. */
export function markedText(mark: string, answerOf: (name: string) => unknown): string {
  const run = /^=(\S+) (\S+) (\S+)$/.exec(mark);
  if (run !== null) {
    const value = run[2]!
      .split(".")
      .reduce((at: unknown, key) => (at as Record<string, unknown>)?.[key], answerOf(run[1]!));
    return inFormat(value, run[3]!);
  }
  const cell = /^cell (\S+) "([^"]+)" (\d+)$/.exec(mark);
  if (cell !== null) {
    const row = tableRows(cell[1]!).find(([first]) => first === cell[2]);
    if (row === undefined) throw new Error(`no row "${cell[2]}" in ${cell[1]}`);
    return row[Number(cell[3]!)] ?? "";
  }
  const count = /^count (\S+) "([^"]+)"$/.exec(mark);
  if (count === null) throw new Error(`unknown mark ${mark}`);
  const wanted = count[2]!.split("|");
  return String(tableRows(count[1]!).filter((cells) => cells.some((one) => wanted.includes(one))).length);
}

const tableRows = (page: string): string[][] =>
  readPage(page)
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((one) => one.trim()),
    );

function inFormat(value: unknown, format: string): string {
  if (typeof value === "string") return value;
  if (typeof value !== "number") throw new Error(`no number: ${JSON.stringify(value)}`);
  if (format === "n") return Math.round(value).toLocaleString("en-US");
  if (format === "p") return value < 0.0001 ? "< 0.0001" : value.toFixed(4);
  const [, kind, digits] = /^([+%x]?)\.(\d)$/.exec(format) ?? [];
  if (digits === undefined) throw new Error(`unknown format ${format}`);
  if (kind === "%") return `${(100 * value).toFixed(Number(digits))} %`;
  if (kind === "x") return (100 * value).toFixed(Number(digits));
  return `${kind === "+" && value >= 0 ? "+" : ""}${value.toFixed(Number(digits))}`;
}

export const MARK = /<!--((?:=|cell |count )[^>]*?)-->([\s\S]*?)<!--\/-->/g;
export const RUN = /<!--run (\w+): (.*?)-->/g;
