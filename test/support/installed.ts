/** Programs of Debian that a test needs. Where every test is required (`REQUIRE_ALL=1`) and it may, they are installed; elsewhere the machine is
 *  left as it is, and the test is skipped with a line that says what it lacks. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];
export const required = process.env["REQUIRE_ALL"] !== undefined;

const find = (name: string): boolean => FOLDERS.some((folder) => existsSync(join(folder, name)));

/** Are the programs there? If everything is required, a test that lacks them is not skipped but fails. */
export function installed(programs: readonly string[], packages: readonly string[]): boolean {
  if (programs.every(find)) return true;
  if (required && process.getuid?.() === 0 && find("apt-get")) {
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const install = ["install", "-y", "--no-install-recommends", ...packages];
    const apt = (args: readonly string[]): number | null =>
      spawnSync("apt-get", args, { env: environment, timeout: 180_000, stdio: "ignore" }).status;
    if (apt(install) !== 0) {
      apt(["update"]);
      apt(install);
    }
  }
  const there = programs.every(find);
  if (!there) process.stderr.write(`Not here: ${programs.join(", ")} (apt-get install ${packages.join(" ")})\n`);
  return there;
}
