/** A learner that is a command: two CSV files in, one out, in a folder of its own that is removed whatever happens, even where
 *  this process is killed (watch.ts). What a learner starts ends with it (process-tree.ts).
 *  The command's words are split here and given to the system as they are: no shell ever sees them. Nothing that comes back is trusted:
 *  exit code, time, kind and size of the file are checked here, its cells by `readPredictions`. */

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LEARNERS, type Learner, readPredictions, StatError, type Table, type Target } from "../../index.ts";
import { readCsv, writeCsv } from "../../io.ts";
import { suggest } from "../../text.ts";
import { endTree, killTree, MARK, type Tree } from "./process-tree.ts";

export interface LearnerCommand {
  readonly words: readonly string[];
  /** Seconds for one run; default: ten minutes. */
  readonly timeout?: number | undefined;
  readonly label: string;
}

const PLACES = ["{train}", "{test}", "{out}"] as const;

/** Words between blanks; quotes keep blanks together, a backslash the next character as it is (within double quotes and outside). */
export function splitCommand(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === "\\" && quote !== "'" && i + 1 < text.length) word = (word ?? "") + text[++i]!;
    else if (quote !== "") {
      if (char === quote) quote = "";
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  if (quote !== "") throw new StatError("BadOption", `--learner: a ${quote} is not closed.`, "Close it.");
  if (word !== undefined) words.push(word);
  const missing = PLACES.find((place) => !words.some((own) => own.includes(place)));
  if (missing !== undefined) {
    const message = `--learner ${text}: no built-in learner, and a command needs ${missing}.`;
    throw new StatError(
      "BadOption",
      message,
      'Write gam, logistic, linear, knn, stumps, or "python train.py {train} {test} {out}".',
    );
  }
  return words;
}

/** A single word is a misspelt name rather than a command. */
export function commandWords(text: string): string[] {
  if (/\s/.test(text.trim())) return splitCommand(text);
  throw new StatError(
    "BadOption",
    `--learner ${text}: no such learner.`,
    suggest(text, [...LEARNERS], `Choose one of ${LEARNERS.join(", ")}, or a command with {train} {test} {out}.`),
  );
}

interface Session {
  readonly command: LearnerCommand;
  readonly folder: string;
  /** Carried by all processes that learners start. */
  readonly mark: string;
  readonly watcher: ChildProcess;
  /** The learner under way. */
  tree?: Tree | undefined;
}

/** Runs `use` with learners that start the command; ends any child and removes its folder at the end, on Ctrl-C and on termination. */
export async function withLearnerCommand<T>(
  command: LearnerCommand,
  use: (learner: (target: Target) => Learner) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "gosset-learner-"));
  const mark = randomUUID();
  const session: Session = { command, folder, mark, watcher: startWatcher(mark, folder) };
  const clean = (): void => {
    if (session.tree !== undefined) killTree(session.tree);
    rmSync(folder, { recursive: true, force: true });
  };
  const stops = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal, i) => {
    const stop = (): void => {
      clean();
      process.exit(128 + [2, 15, 1][i]!);
    };
    process.once(signal, stop);
    return () => process.removeListener(signal, stop);
  });
  process.once("exit", clean);
  try {
    return await use((target) => (train, test) => runLearner(session, { target, train, test }));
  } finally {
    clean();
    process.removeListener("exit", clean);
    for (const remove of stops) remove();
    session.watcher.stdin?.end("done\n");
  }
}

function startWatcher(mark: string, folder: string): ChildProcess {
  const path = fileURLToPath(new URL("./watch.js", import.meta.url));
  const watcher = spawn(process.execPath, [path, mark, folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: {},
  });
  // without it only a killed program leaves something behind
  watcher.on("error", () => {});
  watcher.stdin?.on("error", () => {});
  watcher.unref();
  return watcher;
}

interface LearnerRun {
  readonly target: Target;
  readonly train: Table;
  readonly test: Table;
}

async function runLearner(session: Session, { target, train, test }: LearnerRun) {
  const { command, folder } = session;
  const paths = {
    "{train}": join(folder, "train.csv"),
    "{test}": join(folder, "test.csv"),
    "{out}": join(folder, "out.csv"),
  };
  rmSync(paths["{out}"], { recursive: true, force: true });
  writeFileSync(paths["{train}"], writeCsv(train));
  writeFileSync(paths["{test}"], writeCsv(test));
  const words = command.words.map((word) => PLACES.reduce((text, place) => text.replaceAll(place, paths[place]), word));
  await finish(words, session);
  const output = readOutput(paths["{out}"], test.rows);
  return readPredictions(output, { rows: test.rows, label: command.label, target });
}

const failed = (what: string, fix: string): StatError =>
  new StatError("ComputationFailed", `the learner ${what}.`, fix);

/** Of what a learner says on stderr only the end is kept. */
const MOST_STDERR = 4096;
/** What a learner said before it ended may still be in the pipe. */
const LAST_WORDS_MS = 100;
const NO_SUCH_PROGRAM = new Set(["ENOENT", "EACCES", "ENOTDIR"]);

async function finish(words: readonly string[], session: Session): Promise<void> {
  const { command, mark, watcher } = session;
  // a session and a group of its own, so that what the learner starts ends with it and the terminal does not reach it
  const child = spawn(words[0]!, words.slice(1), {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, [MARK]: mark },
  });
  if (child.pid !== undefined) {
    session.tree = { pid: child.pid, mark };
    watcher.stdin?.write(`${child.pid}\n`);
  }
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-MOST_STDERR);
  });
  const heard = new Promise((resolve) => child.stderr?.once("close", resolve));
  const error = await ending(child, 1000 * (command.timeout ?? 600), words[0]!);
  if (session.tree !== undefined) await endTree(session.tree);
  session.tree = undefined;
  watcher.stdin?.write("0\n");
  await Promise.race([heard, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
  // somebody out of reach may still hold the other end
  child.stderr?.destroy();
  child.unref();
  if (error !== undefined) throw error(lastLine(said));
}

type MakeError = (lastLine: string) => StatError;

/** Undefined where the learner ended well. */
function ending(child: ChildProcess, timeout: number, program: string): Promise<MakeError | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(() => failed(`did not finish within ${timeout / 1000} s and was stopped`, "Raise --timeout."));
    }, timeout);
    child.once("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const fix = NO_SUCH_PROGRAM.has(error.code ?? "")
        ? "Is the program installed and its name right?"
        : "Check the command.";
      resolve(() => failed(`cannot be started: "${program}" (${error.code ?? error.message})`, fix));
    });
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      const how = code === null ? `signal ${signal}` : `exit code ${code}`;
      resolve(code === 0 ? undefined : (line) => failed(`ended with ${how}${line}`, "Run it by hand."));
    });
  });
}

function lastLine(text: string): string {
  const lines = text.split("\n").map((line) => printable(line).trim());
  const last = lines.filter((line) => line !== "").at(-1);
  return last === undefined ? "" : `: ${last.slice(0, 160)}`;
}

/** Without control characters: a learner's words must not steer the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, " ");

/** A row of predictions needs no more than this; what is larger is not one. */
const BYTES_PER_ROW = 1000;
const BYTES_SPARE = 100_000;

function readOutput(path: string, rows: number): Table {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw failed("wrote no file to {out}", "Write the predictions to the path given as {out}.");
  if (!stats.isFile()) throw failed("wrote something to {out} that is not a plain file", "Write a CSV file.");
  if (stats.size === 0) throw failed("wrote an empty file", 'Write a header "prediction" and one row per test row.');
  if (stats.size > BYTES_SPARE + rows * BYTES_PER_ROW) {
    throw failed(
      `wrote ${stats.size} bytes for ${rows} predictions`,
      'Write a header "prediction" and one row per test row.',
    );
  }
  try {
    return readCsv(readFileSync(path), { name: "{out}" }).table;
  } catch (error) {
    const why = error instanceof StatError ? error.message : String(error);
    throw failed(
      `wrote a file that is not CSV (${why.slice(0, 120)})`,
      'Write a header "prediction" and one row per test row.',
    );
  }
}
