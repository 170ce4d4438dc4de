import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "replications/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/run-folder.ts", "test/support/build-program.ts"],
    setupFiles: ["test/support/property-seed.ts"],
    testTimeout: 60_000,
    allowOnly: false,
    // the default leaves one core to the main process, which only waits; tests of other programs (Slurm, Redis, a browser) wait too
    maxWorkers: availableParallelism() + 1,
    // no test changes what another one imports, so a worker loads the library once instead of once a file
    isolate: false,
    reporters: ["dot", "./scripts/plain-reporter.mjs"],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
