/** Flags of `gosset serve`. */
import type { CommandSpec } from "../command.ts";
import { flag } from "../flags.ts";

export const serve: CommandSpec = {
  name: "serve",
  question: "What is in this file?",
  summary: "the same questions in a browser, on this machine only",
  description:
    "Serves the browser app on this machine: drop files on the page, compare, plan, export. The page computes everything; the server only delivers its files. --export writes the whole app as one HTML file, which opens without a server.",
  flags: [
    flag("--port <n>", "port on localhost; 0 takes any free port", {
      default: "4180",
      fault: (text) =>
        /^\d{1,5}$/.test(text.trim()) && Number(text) < 65_536 ? undefined : "It must be a port: 0 to 65535.",
    }),
    flag("--export <file>", "write the app as one .html file instead", {
      fault: (text) => (/\.html?$/i.test(text) ? undefined : "Let its name end in .html."),
    }),
  ],
  takes: [],
  examples: ["gosset serve", "gosset serve --export gosset.html"],
  load: async () => (await import("./run.ts")).run,
};
