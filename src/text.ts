/** Text that is safe to print or to run: the two functions that every message needs, without the rest of the library. */
export { quoteShell } from "./result/quote.ts";
export { neutralise } from "./result/render/width.ts";
