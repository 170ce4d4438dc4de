/** What axe finds serious in the page that a browser shows. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "./chromium.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly string[];
}

/** One line per serious or critical violation, with the first elements that have it. */
export async function seriousViolations(browser: Browser): Promise<string[]> {
  await browser.evaluate<void>(`${axe};undefined`);
  const found = await browser.evaluate<readonly Violation[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 3).map(({ html }) => html) })))",
  );
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((html) => html.slice(0, 160)).join(" ")}`);
}
