/** `npm run setup`: installs the npm packages of the lock file and the system packages that tests need and this machine lacks. */
import { describeParts, installParts, lacking } from "./machine.mjs";
import { install } from "./project.mjs";

install();
const names = lacking();
if (names.length === 0) process.stdout.write("This machine has everything that the tests use.\n");
else {
  process.stdout.write(`This machine lacks what some tests use:\n${describeParts(names)}`);
  installParts(names);
  const still = lacking();
  if (still.length > 0) {
    process.stdout.write(`Still lacking: ${still.join(", ")}. Tests that use them are skipped.\n`);
    process.exitCode = 1;
  }
}
