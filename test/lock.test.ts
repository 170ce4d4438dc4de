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

const packagesOf = (path: string): Record<string, Locked> =>
  JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8")).packages;
const packages = packagesOf("package-lock.json");
const installed = Object.entries(packages).filter(
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
  expect(Object.values(packages).filter(({ resolved = "" }) => /:/.test(resolved))).toEqual([]);
});

it("holds for the packages of the documentation's site, too", () => {
  const site = Object.entries(packagesOf("site/package-lock.json")).filter(([path]) => path.includes("node_modules/"));
  expect(site.length).toBeGreaterThan(50);
  const isHere = ({ optional, os, cpu }: Locked): boolean =>
    optional !== true || (os === undefined && cpu === undefined);
  expect(site.filter(([, own]) => isHere(own) && !/^sha512-/.test(own.integrity ?? ""))).toEqual([]);
  expect(site.filter(([, { resolved = "" }]) => /:/.test(resolved))).toEqual([]);
});
