/** `npm run calibrate`: the slow statistical checks, judged by binomial tests at fixed seeds. */
import { install, runTool } from "./setup.mjs";

install();
runTool("vitest", ["run", "--config", "vitest.calibrate.config.ts"]);
