/** A question that the rows leave open, asked in the terminal: the likeliest answer first. Enter takes it, a number another, a text names a
 *  column, q ends. Where nobody can answer, the ready commands are printed instead. */
import { existsSync, statSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Command } from "commander";
import type { Question, Told } from "../index.ts";
import { tellAnswer } from "../io.ts";
import { neutralise, quoteShell } from "../text.ts";
import { isQuestion, reportFailure, USAGE_ERROR } from "./failure.ts";
import { programName } from "./help.ts";
import { nameFlags } from "./option-names.ts";
import { flagsOf } from "./options.ts";
import { keepReading, keptAt, readingOf } from "./reading.ts";
import { commandPath, optionsOf, withFlags } from "./words.ts";

type Asked = Pick<Question, "ask" | "message" | "fix">;

/** What became of a run of the program. */
export interface Ended {
  readonly program: Command;
  readonly error?: unknown;
}

/** What a name that is typed as the answer says. */
const OPTION_OF: Readonly<Partial<Record<Question["ask"]["id"], keyof Told>>> = {
  system: "system",
  score: "score",
  item: "item",
  rater: "rater",
  repeats: "run",
  cluster: "cluster",
  predictions: "pred",
  prompt: "item",
  files: "files",
};

/** Some questions are answered in the file alone. */
const isAnswered = ({ ask: { id, answers } }: Asked): boolean => OPTION_OF[id] !== undefined || answers.length > 0;

/** Answers as flags that the command takes. */
function readyAnswers({ ask }: Asked, command: Command): { told: Told; flags: string[] }[] {
  const takes = (flag: string): boolean => optionsOf(command).some(({ long }) => long === flag);
  return ask.answers
    .map((told) => ({ told, flags: flagsOf(told) }))
    .filter(({ flags }) => flags.every((word) => !word.startsWith("--") || takes(word)));
}

const commandText = (words: readonly string[]): string => [programName(), ...words.map(quoteShell)].join(" ");

/** One line that says what is ambiguous, then the commands to copy. */
function reportQuestion(question: Asked, command: Command, words: readonly string[]): void {
  const ready = readyAnswers(question, command);
  const fix = ready.length === 0 ? ` ${nameFlags(question.fix)}` : "";
  process.stderr.write(`gosset: ${neutralise(nameFlags(question.message) + fix)}\n`);
  for (const { flags } of ready) process.stderr.write(`  ${neutralise(commandText(withFlags(words, flags)))}\n`);
  process.exitCode = USAGE_ERROR;
}

/** Somebody sits there, and the data can be read once more. */
function canAsk(command: Command): boolean {
  const { json, format, quiet } = command.optsWithGlobals() as { json?: boolean; format?: string; quiet?: boolean };
  const plain = !json && !quiet && (format === undefined || format === "text");
  const files = command.processedArgs.flat().filter((word) => typeof word === "string");
  const again = files.every((path) => path !== "-" && (!existsSync(path) || isReadTwice(path)));
  return plain && again && process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env["CI"];
}

const isReadTwice = (path: string): boolean => statSync(path).isFile() || statSync(path).isDirectory();

export interface Terminal {
  /** A line, or undefined where the input ended. */
  line(prompt: string): Promise<string | undefined>;
  say(text: string): void;
  close(): void;
}

export function openTerminal(input: Readable = process.stdin, output: Writable = process.stderr): Terminal {
  const own: Interface = createInterface({ input, output, terminal: false });
  const lines = own[Symbol.asyncIterator]();
  return {
    async line(prompt) {
      output.write(prompt);
      const { value, done } = await lines.next();
      return done === true ? undefined : (value as string).trim();
    },
    say: (text) => void output.write(`${neutralise(text)}\n`),
    close: () => own.close(),
  };
}

/** The flags of the answer; undefined where the user ends it. */
export async function askUser(question: Asked, command: Command, terminal: Terminal): Promise<string[] | undefined> {
  const ready = readyAnswers(question, command);
  const message = nameFlags(question.message);
  terminal.say("");
  terminal.say(`${message.charAt(0).toUpperCase()}${message.slice(1)}`);
  ready.forEach(({ told, flags }, i) => {
    terminal.say(`  ${i + 1}  ${tellAnswer(told)}  (${flags.map(quoteShell).join(" ")})`);
  });
  if (ready.length === 0) terminal.say(`  ${nameFlags(question.fix)}`);
  const choices =
    ready.length === 0 ? "" : ready.length === 1 ? "Enter: 1, " : `Enter: 1, a number from 1 to ${ready.length}, `;
  for (;;) {
    const line = await terminal.line(`Your answer (${choices}the name of a column, q to quit): `);
    if (line === undefined || line === "q") return undefined;
    const chosen = ready[line === "" ? 0 : Number(line) - 1];
    if (chosen !== undefined) return chosen.flags;
    const option = OPTION_OF[question.ask.id];
    if (option !== undefined && line !== "" && !/^\d+$/.test(line)) return flagsOf({ [option]: line });
    terminal.say(ready.length === 0 ? "  Type the name of a column." : `  ${line} is not one of the answers.`);
  }
}

/** Asks until the command has all it needs; then says the command that needs no question, and offers to keep the answers. */
export async function answerQuestion(
  first: Asked,
  { program, words: typed }: Ended & { readonly words: readonly string[] },
  run: (words: readonly string[]) => Promise<Ended>,
): Promise<void> {
  let words = typed;
  const command = commandPath(program, words).at(-1)!;
  if (!canAsk(command) || !isAnswered(first)) return reportQuestion(first, command, words);
  const { reading } = command.optsWithGlobals() as { readonly reading?: string };
  const files = command.processedArgs.flat().filter((word) => typeof word === "string");
  const terminal = openTerminal();
  const answers: string[] = [];
  let question = first;
  try {
    for (;;) {
      const flags = await askUser(question, command, terminal);
      if (flags === undefined) {
        process.exitCode = USAGE_ERROR;
        return;
      }
      const { error } = await run(withFlags(words, flags));
      // a name that was mistyped
      if ((error as { code?: string } | undefined)?.code === "UnknownColumn") {
        const { message, fix } = error as Question;
        terminal.say(nameFlags(`${message} ${fix}`));
        continue;
      }
      words = withFlags(words, flags);
      answers.push(...flags);
      if (error === undefined) break;
      if (!isQuestion(error)) return reportFailure(error);
      if (!isAnswered(error)) return reportQuestion(error, command, words);
      question = error;
    }
    terminal.say("");
    terminal.say(`Without questions: ${commandText(words)}`);
    const place = keptAt(reading, files);
    if (place === undefined) return;
    const kept = await terminal.line(`Keep these answers in ${neutralise(place)}? [y/N] `);
    if (/^y(es)?$/i.test(kept ?? "")) await keepReading(place, readingOf(answers));
  } finally {
    terminal.close();
  }
}
