/** What the tests use of the machine beside Node: which programs, what for, and the Debian packages that bring them. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];
const BROWSERS = ["chromium", "chromium-browser", "google-chrome"];
const R_PACKAGES = ["lmerTest", "emmeans", "ordinal", "mgcv", "MASS", "clubSandwich", "VGAM", "pbkrtest"];

/** Services lie where the path of a user need not lead. */
const find = (...names) => names.every((name) => FOLDERS.some((folder) => existsSync(join(folder, name))));
const runs = (name, ...words) => spawnSync(name, words).status === 0;

/** The first browser that starts; undefined where there is none. */
export const findChromium = () => BROWSERS.find((name) => runs(name, "--version"));

export const PARTS = {
  slurm: {
    why: "simulations shared out over the jobs of a real Slurm",
    there: () => find("slurmctld", "slurmd", "munged"),
    packages: ["slurm-wlm", "munge"],
  },
  redis: {
    why: "simulations shared out over a real Redis",
    there: () => find("redis-server"),
    packages: ["redis-server"],
  },
  chromium: {
    why: "the page and the reports in a browser",
    there: () => findChromium() !== undefined,
    // a page is as wide as its letters
    packages: ["chromium", "fonts-dejavu-core", "fonts-liberation"],
  },
  latex: {
    why: "tables and plots compiled by LaTeX",
    there: () => runs("pdflatex", "--version") && runs("kpsewhich", "booktabs.sty") && runs("kpsewhich", "tikz.sty"),
    packages: ["texlive-latex-base", "texlive-latex-recommended", "texlive-pictures"],
  },
  python: {
    why: "the Python wheel, in an environment of its own",
    there: () => runs("python3", "-c", "import venv, ensurepip"),
    packages: ["python3-venv"],
  },
  r: {
    why: "the R code that Gosset prints, run by R",
    there: () =>
      runs("Rscript", "-e", R_PACKAGES.map((name) => `stopifnot(nzchar(system.file(package = "${name}")))`).join(";")),
    packages: ["r-base-core", ...R_PACKAGES.map((name) => `r-cran-${name.toLowerCase()}`)],
  },
};

/** Names of the parts that this machine lacks. */
export const lacking = () => Object.keys(PARTS).filter((name) => !PARTS[name].there());

/** One line for each part: what it is for and what brings it. */
export const describeParts = (names) =>
  names.map((name) => `  ${name}: ${PARTS[name].why} (${PARTS[name].packages.join(" ")})\n`).join("");

/** Whether packages can be installed here without asking anybody: root of a Debian. */
export const isRootOfDebian = () => process.getuid?.() === 0 && find("apt-get");

/** Installs the packages of the parts; false where that failed or could not be tried. */
export function installParts(names) {
  if (!find("apt-get")) {
    process.stdout.write("There is no apt-get here: install what these packages hold in your system's own way.\n");
    return false;
  }
  const packages = names.flatMap((name) => PARTS[name].packages);
  const root = process.getuid?.() === 0 ? [] : ["sudo"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return [["update"], ["install", "-y", "--no-install-recommends", ...packages]].every((words) => {
    const [name, ...rest] = [...root, "apt-get", ...words];
    process.stdout.write(`$ ${[name, ...rest].join(" ")}\n`);
    // of a long installation only what went wrong is of interest
    return spawnSync(name, rest, { env, stdio: ["inherit", "ignore", "inherit"] }).status === 0;
  });
}
