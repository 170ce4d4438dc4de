import { defineConfig } from "vitest/config";

/** Slow statistical checks: type-I errors, coverage, long runs of the generator. */
export default defineConfig({
  test: {
    include: ["test/calibration/*.calibrate.ts"],
    testTimeout: 1_200_000,
    reporters: ["verbose", "./scripts/plain-reporter.mjs"],
  },
});
