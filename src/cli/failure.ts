/** Exit codes and the one line that a failure prints. */
export const COMPUTATION_FAILED = 1;
export const USAGE_ERROR = 2;

/** An error with a code and a way out, as the library throws it; told apart by shape, so that the library need not be loaded. */
interface HelpfulError extends Error {
  readonly code: string;
  readonly fix: string;
}

function isHelpful(error: unknown): error is HelpfulError {
  return error instanceof Error && typeof (error as { fix?: unknown }).fix === "string";
}

const oneLine = (text: string): string => text.split("\n")[0]!.replace(/\s+/g, " ").trim();

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Codes of failures that the input is not to blame for. */
const COMPUTATION_CODES = new Set(["NotConverged", "ComputationFailed"]);

/** An option as library messages name it: option `cluster`, option `cluster: none`, options `gold: y` `pred: a,b`. */
const OPTION = /\boptions? (`[a-z][A-Za-z]*(?:: [^`]*)?`(?: `[a-z][A-Za-z]*: [^`]*`)*)/gi;

/** What the command line calls otherwise than the library. */
const RENAMED: Readonly<Record<string, string>> = { references: "ref", documents: "docs" };

/** The same sentence with the flags of the command line: --cluster, --cluster none, --gold y --pred a,b. */
export function inFlags(text: string): string {
  return text.replace(OPTION, (_, named: string) =>
    named.replace(/`([a-z][A-Za-z]*)(?:: ([^`]*))?`/g, (_name, option: string, value?: string) => {
      const flag = `--${RENAMED[option] ?? option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      return value === undefined ? flag : `${flag} ${value}`;
    }),
  );
}

/** A diagnostic or an error, told with flags. */
export function withFlags<T extends { readonly code: string; readonly message: string; readonly fix: string }>(
  told: T,
): T {
  return { ...told, message: inFlags(told.message), fix: inFlags(told.fix) };
}

/** A sentence with one full stop. */
export const withFullStop = (text: string): string => (/[.!?…)]$/.test(text) ? text : `${text}.`);

export function reportFailure(error: unknown): void {
  if (isHelpful(error)) {
    const { code, message, fix } = error;
    const told = withFlags({ code, message: oneLine(message), fix: oneLine(fix) });
    process.stderr.write(`gosset: ${told.message} ${capitalised(told.fix)}\n`);
    process.exitCode = COMPUTATION_CODES.has(error.code) ? COMPUTATION_FAILED : USAGE_ERROR;
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `gosset: internal error: ${oneLine(message)} This is a fault of gosset; please report it with the command.\n`,
  );
  if (process.env["GOSSET_DEBUG"] && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exitCode = COMPUTATION_FAILED;
}
