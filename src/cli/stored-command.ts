/** The words of a stored command: which of them are files, what is left out when it runs again, and the run itself.
 *  A stored command may come from a stranger: it is run by this program alone, without a shell, may not write, and starts no program
 *  of others unless the user says so. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { reviveResult, StatError } from "../index.ts";
import { isBuiltIn } from "../questions.ts";
import { READ_ONLY } from "./files.ts";
import { GLOBAL_FLAGS, nameOf } from "./flags.ts";
import type { Progress } from "./progress.ts";
import { childEnv, SUPERVISED_STDIO } from "./supervise.ts";

/** Commands whose answers are results. */
const COMPUTING = new Set(
  "describe score compare test fit anova emmeans power mde size curve design agreement reliability importance budget validity replicate survey rank judge".split(
    " ",
  ),
);

export interface Stored {
  readonly json: object;
  readonly command: readonly string[];
}

/** A result as `--json` stored it, with the words that made it. */
export function readStored(text: string, name: string): Stored {
  const json = reviveResult(text).toJSON();
  const { command = [] } = json as { readonly command?: readonly unknown[] };
  const words = Array.isArray(command) ? command : [];
  if (words.length < 2 || words[0] !== "gosset" || !words.every((word) => typeof word === "string"))
    throw new StatError(
      "NoCommand",
      `${name}: the result does not say which command made it.`,
      "Store it with --json of the command line.",
    );
  return { json, command: words.slice(1) as string[] };
}

/** A stranger's words: refused where they would run something else than the statistics of this program. */
export function checkWords(words: readonly string[], trust: boolean): void {
  refuseUnspeakable(words);
  const name = commandOf(words);
  if (name === undefined || !COMPUTING.has(name))
    throw new StatError(
      "NotComputing",
      `the stored command "gosset ${name ?? ""}" computes no result.`,
      "Give a result of another command.",
    );
  if (trust) return;
  const memory = flagValue(words, "--max-memory");
  const program = words.includes("module") ? "a module of the user" : externalLearner(words);
  if (program !== undefined || memory !== undefined)
    throw new StatError(
      "NeedsTrust",
      `the stored command ${program === undefined ? `sets its own memory limit (--max-memory ${memory})` : `starts ${program}`}.`,
      "Read it, and add --trust if you trust it.",
    );
}

const WITH_VALUE = new Set(GLOBAL_FLAGS.filter(({ flags }) => flags.includes("<")).map(nameOf));
const WITHOUT_VALUE = new Set(GLOBAL_FLAGS.filter(({ flags }) => !flags.includes("<")).map(nameOf));

/** The command that these words run: the value of a flag before it (--seed describe serve) is none. */
function commandOf(words: readonly string[]): string | undefined {
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (!word.startsWith("-")) return word;
    const [flag] = word.split("=");
    if (WITHOUT_VALUE.has(word)) continue;
    if (!WITH_VALUE.has(flag!)) return undefined;
    if (word === flag) i += 1;
  }
  return undefined;
}

/** Linux takes words of 128 kB; other systems less of all of them together. */
const LONGEST_WORD = 100_000;
const LONGEST_COMMAND = 1_000_000;

/** Words that no system hands to a program. */
function refuseUnspeakable(words: readonly string[]): void {
  const lengths = words.map((word) => Buffer.byteLength(word));
  const fault = words.some((word) => word.includes("\0"))
    ? "has an argument with a zero byte"
    : lengths.some((length) => length > LONGEST_WORD)
      ? `has an argument of ${Math.max(...lengths)} bytes`
      : lengths.reduce((sum, length) => sum + length + 1, 0) > LONGEST_COMMAND
        ? `has ${words.length} arguments, more than the operating system passes to a program`
        : undefined;
  if (fault !== undefined)
    throw new StatError("NotComputing", `the stored command ${fault}.`, "Give a result as --json stored it.");
}

/** Of a flag that is given twice the last one counts, so that every one is looked at. */
function externalLearner(words: readonly string[]): string | undefined {
  const values = words.flatMap((word, i) =>
    word.split("=")[0] === "--learner" ? [flagValue(words.slice(i), "--learner")!] : [],
  );
  const value = values.find((own) => !isBuiltIn(own));
  return value === undefined ? undefined : `a program: ${value}`;
}

export function flagValue(words: readonly string[], flag: string): string | undefined {
  const at = words.findIndex((word) => word.split("=")[0] === flag);
  if (at < 0) return undefined;
  return words[at]!.includes("=") ? words[at]!.slice(flag.length + 1) : (words[at + 1] ?? "");
}

/** Words that are files or folders here, also as values of flags. */
export function inputsOf(words: readonly string[]): string[] {
  const names = words
    .slice(1)
    .flatMap((word) =>
      /^--[\w-]+=/.test(word) ? [word.slice(word.indexOf("=") + 1)] : word.startsWith("--") ? [] : [word],
    );
  return [...new Set(names.filter((name) => name !== "" && name !== "-" && existsSync(name)))];
}

/** In a bundle every file stands below it. */
export function checkPaths(words: readonly string[]): void {
  const outside = words.find((word) => {
    const value = /^--[\w-]+=/.test(word) ? word.slice(word.indexOf("=") + 1) : word;
    return isAbsolute(value) || /(^|[/\\])\.\.([/\\]|$)/.test(value) || value === "-";
  });
  if (outside !== undefined)
    throw new StatError(
      "OutsideBundle",
      `the stored command reads "${outside}", which is not in the bundle.`,
      "Make the bundle again with all files.",
    );
}

export interface Recomputing {
  readonly folder: string;
  readonly seconds: number;
  readonly progress: Progress;
}

/** The answer of this program to the words, in a process of its own that may neither write nor go on for ever. */
export async function recompute(words: readonly string[], { folder, seconds, progress }: Recomputing): Promise<object> {
  const tell = setInterval(() => progress.update("recomputing the stored result", 0, 0), 250);
  const { code, out, err, ended } = await runSelf([...words, "--json", "--quiet"], folder, seconds).finally(() =>
    clearInterval(tell),
  );
  if (ended !== undefined)
    throw new StatError("NotComputed", `the stored command ${ended}.`, `It was: gosset ${words.join(" ")}`);
  if (out.trim() === "" || (code !== 0 && !out.trimStart().startsWith("{"))) {
    const line =
      err
        .trim()
        .split("\n")
        .at(-1)
        ?.replace(/^gosset: /, "") ?? "";
    throw new StatError(
      "NotComputed",
      `the stored command fails here: ${line || `exit code ${code}.`}`,
      `It was: gosset ${words.join(" ")}`,
    );
  }
  return reviveResult(out).toJSON();
}

/** Far more than any answer has. */
const MOST_ANSWER_BYTES = 2 ** 26;

interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Why it was not let to its end. */
  readonly ended?: string | undefined;
}

function runSelf(words: readonly string[], folder: string, seconds: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [process.argv[1]!, ...words], {
      cwd: folder,
      stdio: SUPERVISED_STDIO,
      env: { ...childEnv(), [READ_ONLY]: "1" },
    });
    const texts: { readonly out: Buffer[]; readonly err: Buffer[] } = { out: [], err: [] };
    let ended: string | undefined;
    let bytes = 0;
    const end = (why?: string): void => {
      ended ??= why;
      child.kill("SIGKILL");
    };
    for (const [stream, name] of [[child.stdout, "out"] as const, [child.stderr, "err"] as const]) {
      stream?.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_ANSWER_BYTES) end(`prints more than ${MOST_ANSWER_BYTES / 2 ** 20} MB`);
        else texts[name].push(chunk);
      });
    }
    child.on("error", reject);
    const late = setTimeout(() => end(`did not end within ${seconds} s (--timeout)`), 1000 * seconds);
    const leave = (): void => end();
    process.once("exit", leave);
    child.on("close", (code) => {
      clearTimeout(late);
      process.removeListener("exit", leave);
      const [out, err] = [texts.out, texts.err].map((own) => Buffer.concat(own).toString("utf8")) as [string, string];
      resolve({ code: code ?? 1, out, err, ended });
    });
  });
}
