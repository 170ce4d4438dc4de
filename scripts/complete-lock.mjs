/**
 * Adds to package-lock.json the optional platform packages that npm leaves out when the registry in use does not carry
 * them; without the entries `npm ci` stops with "Missing: … from lock file". Entries without a checksum get the one that the
 * registry gives for that version (`npm view`), if it has it. Run it after every dependency change; `node scripts/complete-lock.mjs site`
 * completes the lock file of the documentation's site.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";

const path = new URL(`../${process.argv[2] ?? "."}/package-lock.json`, import.meta.url);
const lock = JSON.parse(readFileSync(path, "utf8"));
const { packages } = lock;

const CPU = ["x64", "arm64", "ia32", "arm", "ppc64", "s390x", "riscv64", "loong64", "mips64el", "wasm32"];
const OS = ["linux", "darwin", "win32", "freebsd", "openbsd", "netbsd", "sunos", "aix", "android", "openharmony"];

/** os, cpu and libc are read off the package's name, as in @scope/tool-linux-x64-musl. */
function platform(name) {
  const words = name.split("/").pop().split(/[-.]/);
  const cpu = CPU.filter((c) => words.includes(c));
  const os = OS.filter((o) => words.includes(o));
  const libc = words.some((w) => w.startsWith("musl"))
    ? ["musl"]
    : words.some((w) => w.startsWith("gnu"))
      ? ["glibc"]
      : [];
  return {
    ...(cpu.length ? { cpu } : {}),
    ...(os.length ? { os } : {}),
    ...(os.includes("linux") && libc.length ? { libc } : {}),
  };
}

/** Node's resolution: the nearest node_modules folder above the parent that has the package. */
function isPresent(parent, name) {
  for (let at = parent; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    if (packages[`${at ? `${at}/` : ""}node_modules/${name}`]) return true;
    if (!at.includes("/node_modules/")) return Boolean(packages[`node_modules/${name}`]);
  }
}

let added = 0;
for (const [parent, entry] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isPresent(parent, name)) continue;
    packages[`node_modules/${name}`] = {
      version: range.replace(/^[\^~]/, ""),
      ...platform(name),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
    };
    added += 1;
  }
}
/** The checksum of one version, by the registry that npm uses; undefined where it does not carry that version. */
function integrityOf(name, version) {
  const { stdout } = spawnSync("npm", ["view", `${name}@${version}`, "dist.integrity"], { encoding: "utf8" });
  return /^sha512-[\w+/]+=*$/m.exec(stdout)?.[0];
}

let [filled, bare] = [0, 0];
for (const [place, entry] of Object.entries(packages)) {
  if (!place.includes("node_modules/") || entry.link || entry.integrity) continue;
  const { version, ...rest } = entry;
  const integrity = integrityOf(place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length), version);
  if (integrity !== undefined) packages[place] = { version, integrity, ...rest };
  if (integrity === undefined) bare += 1;
  else filled += 1;
}
for (const entry of Object.values(packages)) {
  if (entry.resolved?.startsWith("http")) delete entry.resolved;
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
const temporary = new URL("package-lock.json.tmp", path);
writeFileSync(temporary, `${JSON.stringify(lock, null, 2)}\n`);
renameSync(temporary, path);
process.stdout.write(
  `package-lock.json: ${added} optional entries added; ${filled} checksums filled in, ${bare} that the registry does not have\n`,
);
