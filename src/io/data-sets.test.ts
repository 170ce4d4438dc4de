import { describe, expect, it } from "vitest";
import { compare } from "../significance/compare/compare.ts";
import { importFiles } from "./import.ts";

const NAMES = ["squad", "boolq", "rte", "mnli", "sst2", "cola", "qqp", "wnli"];
const SETS = NAMES.map((name, i) => ({
  name,
  base: 70 + ((i * 37) % 20),
  ours: 71 + ((i * 37) % 20) + ((i * 5) % 7) / 4,
}));
const read = (name: string, text: string) => importFiles([{ name, bytes: new TextEncoder().encode(text) }]);

describe("one number for each data set and system", () => {
  it("was tested over items where the systems are columns or keys, and over data sets where they are rows", async () => {
    const long = compare(
      await read(
        "long.csv",
        [
          "dataset,system,wer",
          ...SETS.flatMap(({ name, base, ours }) => [`${name},base,${base}`, `${name},ours,${ours}`]),
        ].join("\n"),
      ),
    );
    expect(long.main.test.name).toBe("wilcoxon");
    const wide = await read(
      "wide.csv",
      ["dataset,base_wer,ours_wer", ...SETS.map(({ name, base, ours }) => `${name},${base},${ours}`)].join("\n"),
    );
    const baseline = await read(
      "wide.csv",
      ["dataset,baseline_wer,ours_wer", ...SETS.map(({ name, base, ours }) => `${name},${base},${ours}`)].join("\n"),
    );
    const keyed = await read(
      "keyed.json",
      JSON.stringify(Object.fromEntries(SETS.map(({ name, base, ours }) => [name, { base, ours }]))),
    );
    for (const file of [wide, baseline, keyed]) {
      const { main } = compare(file);
      expect(main.test.name).toBe(long.main.test.name);
      expect(main.p).toBe(long.main.p);
      expect(main.ci).toEqual(long.main.ci);
    }
  });
});
