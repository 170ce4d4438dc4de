/** What `npm ci` installs is what was locked: every package of the lock file has a checksum, but for builds of tools of development for
 *  other machines, which the registry that made the file does not carry (scripts/complete-lock.mjs). */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const installed = Object.entries(packages as Record<string, Locked>).filter(
  ([path, { link }]) => path.includes("node_modules/") && link !== true,
);
const bare = installed.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ""));

it("every entry of the lock file that can be installed here has its integrity", () => {
  expect(installed.length).toBeGreaterThan(50);
  const needed = bare.filter(
    ([, { optional, os, cpu }]) => optional !== true || (os === undefined && cpu === undefined),
  );
  expect(needed.map(([path]) => path)).toEqual([]);
});

it("what users install on any machine, and the build on Linux, has its integrity", () => {
  const linux = ({ os, cpu }: Locked): boolean =>
    (os ?? ["linux"]).includes("linux") && (cpu ?? ["x64"]).includes("x64");
  expect(bare.filter(([, own]) => own.dev !== true || linux(own)).map(([path]) => path)).toEqual([]);
});

it("names no address of a registry, so that checksums decide what is installed", () => {
  expect(Object.values(packages as Record<string, Locked>).filter(({ resolved = "" }) => /:/.test(resolved))).toEqual(
    [],
  );
});
