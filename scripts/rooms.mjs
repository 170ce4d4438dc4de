/** `npm test -- NAME`: a room's tests are those in a folder of that name, and those of test/ with the name as a word of theirs: `npm test -- gate`
 *  runs src/plan/gate/*.test.ts and test/cli-gate.test.ts. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.mjs";

/** A name for several rooms: all that decides what the columns of a file mean. */
const SEVERAL = { reading: ["reading", "study", "io", "corpus"] };

const testFiles = () =>
  ["src", "replications", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );

/** Folders of the file; of those in test/ also the words of its name. */
const roomsOf = (file) => {
  const folders = file.split("/");
  const name = folders.pop().replace(/\.test\.ts$/, "");
  return folders[0] === "test" ? [...folders, ...name.split("-")] : folders;
};

/** Test files of the room; none where there is no such room. */
export function testsOfRoom(room) {
  const names = new Set(SEVERAL[room] ?? [room]);
  return testFiles().filter((file) => roomsOf(file).some((own) => names.has(own)));
}

/** Every name that can be asked for. */
export const roomNames = () =>
  [...new Set([...Object.keys(SEVERAL), ...testFiles().flatMap((file) => file.split("/").slice(1, -1))])].sort();
