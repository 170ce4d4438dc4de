/** A door as the engine knows it: settings in, one result of the library out. The decisions are the library's. */
import type { Addition, Imported, NamedImport, Result, Runner, Table } from "../../src/index.ts";
import type { Progress, Question, Settings } from "./protocol.ts";
import type { TextFile } from "./texts.ts";

export interface Data {
  /** One for each file. */
  readonly parts: readonly NamedImport[];
  /** All of them as one table. */
  readonly whole: Imported;
  /** The rows as the file has them: no shape unrolled, no role guessed. Of several files all, or the one named. */
  raw(path?: string): Promise<Table>;
  /** The files where they are plain texts. */
  readonly texts?: readonly TextFile[] | undefined;
}

export interface Asking extends Question {
  /** Of the files that are open; throws where there are none. */
  data(): Data;
  readonly runner: Runner;
  readonly signal: AbortSignal;
  tell(progress: Progress): void;
  /** An answer before the last one: of fewer experiments. */
  show(asked: Asked): void;
}

/** What a door says of its answer where the result has no verdict. */
export interface Headline {
  readonly label: string;
  /** The verdict, where the result's title does not begin with it. */
  readonly word?: string;
  /** Default: what the first picture says, or the result's title. */
  readonly sentence?: string;
  /** Default: the result's own summary. */
  readonly lead?: readonly string[];
  readonly number?: { readonly text: string; readonly unit: string; readonly facts: readonly string[] };
}

export interface Asked {
  readonly result: Result<string>;
  /** The words of the command line that gives the same numbers. */
  readonly command: readonly string[];
  /** The call of the library. */
  readonly call: string;
  readonly headline?: Headline | undefined;
  /** What is known beside the result. */
  readonly addition?: Addition | undefined;
  /** What only this door shows. */
  readonly own?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the result was made of files: what was noticed while reading goes with it. */
  readonly readsFiles: boolean;
  /** The result already carries what reading noticed. */
  readonly carriesReading?: boolean | undefined;
}

/** A file that people write to state what a door is asked: a plan, a policy. */
export interface DoorDocument {
  /** Whether a text is meant as one. */
  isMeant(text: string): boolean;
  /** Its settings; throws where the text is not as it should be. */
  read(text: string, name: string): Settings;
}

export interface EngineDoor {
  readonly name: string;
  readonly document?: DoorDocument;
  ask(asking: Asking): Promise<Asked> | Asked;
  /** Its settings for a command that `describe` offers; undefined where another door answers it. */
  offer?(words: readonly string[]): Settings | undefined;
}
