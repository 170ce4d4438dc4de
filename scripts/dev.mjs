/** `npm run dev`: keeps dist/bin, the program, up to date while the sources change; each time takes about a second. Ends with Ctrl-C.
 *  Types, schemas and the page are not made: `npm run types` checks the first, `npm run build` makes all. */
import { context } from "esbuild";
import { PROGRAM, writeProgram } from "./program.mjs";
import { install } from "./project.mjs";

install();
let start = 0;
const written = {
  name: "written",
  setup(build) {
    build.onStart(() => {
      start = performance.now();
    });
    build.onEnd((result) => {
      if (result.errors.length > 0) return;
      writeProgram(result);
      process.stdout.write(`dist/bin/gosset.js is up to date (${Math.round(performance.now() - start)} ms)\n`);
    });
  },
};
const watched = await context({ ...PROGRAM, plugins: [...PROGRAM.plugins, written], logLevel: "error" });
await watched.watch();
