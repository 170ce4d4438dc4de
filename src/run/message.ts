/** What a runner and its workers say to each other; plain data. */
import { StatError } from "../result/error.ts";

/** A task by its name, or by the module (a URL) and the export that hold it. */
export interface WorkRequest {
  readonly task: string;
  readonly module?: string | undefined;
  readonly seed: string;
  readonly indices: readonly number[];
  readonly inputs: readonly unknown[];
}

export interface Failure {
  readonly index: number;
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

export interface WorkAnswer {
  readonly indices: readonly number[];
  readonly outs: readonly unknown[];
  /** The input that could not be computed; those after it were not tried. */
  readonly failure?: Failure;
}

export function describeFailure(index: number, error: unknown): Failure {
  // by shape: a module of the user's brings its own copy of the library
  const { code, fix } = (typeof error === "object" && error !== null ? error : {}) as Partial<StatError>;
  if (error instanceof Error && typeof code === "string" && typeof fix === "string")
    return { index, code, message: error.message, fix };
  const message = error instanceof Error ? error.message : String(error);
  return {
    index,
    code: "TaskFailed",
    message: `input ${index} failed: ${message}`,
    fix: "Report it with the command.",
  };
}

export const failureError = ({ code, message, fix }: Failure): StatError => new StatError(code, message, fix);

/** The failure that a single thread would have met first. */
export function throwFirst(failures: readonly (Failure | undefined)[]): void {
  const first = failures.filter((f) => f !== undefined).sort((a, b) => a.index - b.index)[0];
  if (first !== undefined) throw failureError(first);
}
