/** What `npm ci` installs is what was locked: every package of the lock file has a checksum, but for builds of optional packages
 *  for other machines, which the registry that made the file does not carry (scripts/complete-lock.mjs). */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Locked {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

it("every entry of the lock file that can be installed here has its integrity", () => {
  const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
  const installed = Object.entries(packages as Record<string, Locked>).filter(
    ([path, { link }]) => path.includes("node_modules/") && link !== true,
  );
  expect(installed.length).toBeGreaterThan(50);
  const bare = installed.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ""));
  const needed = bare.filter(
    ([, { optional, os, cpu }]) => optional !== true || (os === undefined && cpu === undefined),
  );
  expect(needed.map(([path]) => path)).toEqual([]);
});
