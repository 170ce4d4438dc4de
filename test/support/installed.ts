/** What tests need of the machine: Slurm, Redis, Chromium, LaTeX, R. What is missing is installed once, before any test, where that may be done
 *  (root of a Debian). Elsewhere the tests skip, with a line that says what they lack; with `REQUIRE_ALL=1` they fail instead. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

interface Part {
  readonly there: () => boolean;
  readonly packages: readonly string[];
}

const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];
const BROWSERS = ["chromium", "chromium-browser", "google-chrome"];
const R_PACKAGES = ["lmerTest", "emmeans", "ordinal", "mgcv", "MASS", "clubSandwich", "VGAM", "pbkrtest"];

/** Services lie where the path of a user need not lead. */
const find = (...names: readonly string[]): boolean =>
  names.every((name) => FOLDERS.some((folder) => existsSync(join(folder, name))));
const runs = (name: string, ...words: readonly string[]): boolean => spawnSync(name, words).status === 0;

/** The first browser that starts; undefined where there is none. */
export const findChromium = (): string | undefined => BROWSERS.find((name) => runs(name, "--version"));

const PARTS = {
  slurm: { there: () => find("slurmctld", "slurmd", "munged"), packages: ["slurm-wlm", "munge"] },
  redis: { there: () => find("redis-server"), packages: ["redis-server"] },
  // a page is as wide as its letters
  chromium: {
    there: () => findChromium() !== undefined,
    packages: ["chromium", "fonts-dejavu-core", "fonts-liberation"],
  },
  latex: {
    there: () => runs("pdflatex", "--version") && runs("kpsewhich", "booktabs.sty") && runs("kpsewhich", "tikz.sty"),
    packages: ["texlive-latex-base", "texlive-latex-recommended", "texlive-pictures"],
  },
  r: {
    there: () =>
      runs("Rscript", "-e", R_PACKAGES.map((name) => `stopifnot(nzchar(system.file(package = "${name}")))`).join(";")),
    packages: ["r-base-core", ...R_PACKAGES.map((name) => `r-cran-${name.toLowerCase()}`)],
  },
} as const satisfies Readonly<Record<string, Part>>;

/** Is the part there? Where every part is required, a test that lacks one is not skipped but fails. */
export function installed(name: keyof typeof PARTS): boolean {
  const { there, packages } = PARTS[name];
  if (there()) return true;
  process.stderr.write(`Not here: ${name} (apt-get install ${packages.join(" ")})\n`);
  return process.env["REQUIRE_ALL"] !== undefined;
}

/** Before the run: one installation, since two at a time would wait for each other's lock. */
export default function installMissing(): void {
  if (process.getuid?.() !== 0 || !find("apt-get")) return;
  const packages = Object.values(PARTS).flatMap((part) => (part.there() ? [] : part.packages));
  if (packages.length === 0) return;
  process.stderr.write(`Installing what tests need of this machine: ${packages.join(" ")}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const words of [["update"], ["install", "-y", "--no-install-recommends", ...packages]])
    spawnSync("apt-get", words, { env, timeout: 600_000, stdio: "ignore" });
}
