import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../test/support/folder.ts";
import { writeOutput } from "./files.ts";

const folder = makeFolder("files");

describe("writeOutput", () => {
  it("leaves nothing behind, and keeps the rights of what it replaces", () => {
    const path = join(folder, "a.txt");
    writeOutput(path, "one");
    chmodSync(path, 0o600);
    writeOutput(path, "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });

  it("does not write to a file or link that waits under the name it used to take", () => {
    const victim = join(folder, "victim");
    writeFileSync(victim, "mine");
    symlinkSync(victim, join(folder, `b.txt.${process.pid}.tmp`));
    writeOutput(join(folder, "b.txt"), "answer");
    expect(readFileSync(victim, "utf8")).toBe("mine");
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("answer");
  });

  it("removes its own file if it fails", () => {
    const inside = join(folder, "folder-that-is-not-there", "c.txt");
    expect(() => writeOutput(inside, "x")).toThrow(/cannot be written: there is no such folder\./);
    // a text that cannot be written once the temporary file is there
    const bad = { length: 1 } as unknown as Uint8Array;
    expect(() => writeOutput(join(folder, "d.txt"), bad)).toThrow(/cannot be written/);
    expect(readdirSync(folder).filter((name) => name.startsWith("d.txt"))).toEqual([]);
  });
});
