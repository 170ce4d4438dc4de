/** Text that is safe to print, to run or to put into a page, without the rest of the library. */
export { quoteShell } from "./result/quote.ts";
export { jsonText } from "./result/render/json-text.ts";
export { neutralise } from "./result/render/width.ts";
export { nearest, suggest } from "./result/suggest.ts";
