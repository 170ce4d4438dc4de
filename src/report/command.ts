/** The command of a result as one would type it again: without the flags of where to write, which are not part of the question. */
import { quoteShell } from "../result/quote.ts";

const OUTPUT = /^--(json|quiet|html|out|plot|figure|format)$/;
const WITH_VALUE = /^--(html|out|plot|figure|format)$/;

/** Empty where the result was made by the library. */
export const typedCommand = (command: readonly string[]): string =>
  command
    .filter((word, k) => !OUTPUT.test(word) && !WITH_VALUE.test(command[k - 1] ?? ""))
    .map(quoteShell)
    .join(" ");
