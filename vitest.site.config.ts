import { defineConfig } from "vitest/config";

/** The documentation site in a browser; `npm run docs -- --look` builds the site and runs it. */
export default defineConfig({
  test: { include: ["test/site/*.look.ts"], testTimeout: 120_000, reporters: ["verbose"] },
});
