import { describe, expect, it } from "vitest";
import { ImportBudget } from "./budget.ts";
import { readYaml } from "./yaml.ts";

const read = (text: string): Promise<unknown> => readYaml(text, "a.yaml", new ImportBudget());

describe("readYaml", () => {
  it("gives data as JSON has them", async () => {
    expect(await read("a: 1\nb: [x, ~, .inf, 2024-05-01]\nc: {d: true, 2: 0x10}\n")).toEqual({
      a: 1,
      b: ["x", null, null, "2024-05-01"],
      c: { d: true, 2: 16 },
    });
    expect(await read("")).toBeNull();
    const { list } = (await read("list:\n- __proto__: 1\n")) as { list: object[] };
    expect(JSON.stringify(list)).toBe('[{"__proto__":1}]');
  });

  it("puts what an anchor named where its alias stands", async () => {
    expect(await read("- &a {x: 1}\n- *a\n- &a 2\n- *a\n")).toEqual([{ x: 1 }, { x: 1 }, 2, 2]);
    const rows = (await read(`- &a {x: 1}\n${"- *a\n".repeat(5000)}`)) as unknown[];
    expect(rows.length).toBe(5001);
  });

  it("says where what is wrong", async () => {
    await expect(read("a: 1\nb: 2\na: 3\n")).rejects.toThrow("Map keys must be unique at line 3, column 1");
    await expect(read("a: *b\nc: &b 1\n")).rejects.toThrow("no anchor &b before its alias at line 1, column 4");
    await expect(read("a: &b [*b]\n")).rejects.toThrow("no anchor &b before its alias");
    await expect(read("? {a: 1}\n: 2\n")).rejects.toThrow("a name is a list or an object at line 1, column 3");
  });

  it("refuses aliases of aliases, depth and size", async () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]", ..."bcdefgh"].map((name, i, all) =>
      i === 0
        ? name
        : `${name}: &${name} [${Array(9)
            .fill(`*${i === 1 ? "a" : all[i - 1]}`)
            .join(", ")}]`,
    );
    await expect(read(bomb.join("\n"))).rejects.toThrow("aliases (*name) stand for far more than the file holds");
    await expect(read(`a: ${"[".repeat(101)}${"]".repeat(101)}`)).rejects.toThrow("nested too deeply");
    const small = new ImportBudget({ maxMemory: 2 ** 20 });
    await expect(readYaml(`a: [${"1,".repeat(400)}1]`, "a.yaml", small)).rejects.toThrow(
      "a.yaml: 805 words and signs, where 512 are allowed (the limit on words and signs).",
    );
  });
});
