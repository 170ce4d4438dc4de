/** What a test needs of the machine. Nothing is installed here: `npm run setup` does that. */
import { PARTS } from "../../scripts/machine.mjs";

const known = new Map<string, boolean>();

/** Is the part there? A test that lacks one is skipped, with a line; with `REQUIRE_ALL=1` it fails instead. */
export function installed(name: keyof typeof PARTS): boolean {
  // `npm test` has looked already, and has told its user
  const told = process.env["GOSSET_LACKS"];
  const there = known.get(name) ?? (told === undefined ? PARTS[name].there() : !told.split(",").includes(name));
  if (!there && told === undefined && !known.has(name))
    process.stderr.write(`Skipped for lack of ${name}: ${PARTS[name].why} (npm run setup installs it)\n`);
  known.set(name, there);
  return there || process.env["REQUIRE_ALL"] !== undefined;
}
