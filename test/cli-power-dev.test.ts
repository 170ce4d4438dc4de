/** `gosset power from-dev` beside `gosset compare`: raters, clusters, repeats, the baseline, and advice that can be followed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRng } from "../src/numeric/rng.ts";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("dev");

function write(name: string, header: string, rows: readonly (readonly (string | number)[])[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${header}\n${rows.map((row) => row.join(",")).join("\n")}\n`);
  return path;
}

const dev = (...args: string[]) => JSON.parse(gosset("power", "from-dev", ...args, "--json", "--quiet").stdout);
const textOf = (...args: string[]): string => gosset("power", "from-dev", ...args).stdout;
/** Words of a printed command, without the program's name. */
const wordsOf = (command: string): string[] => command.split(" ").slice(1);

/** Five raters who differ in which system they favour. */
const rng = makeRng(11);
const slopes = [-0.6, -0.2, 0.3, 0.8, 1.2];
const ratings = Array.from({ length: 40 }, (_, i) =>
  ["old", "new"].flatMap((system) =>
    slopes.map((slope, r) => {
      const latent = 3 + 0.5 * Math.sin(i) + (system === "new" ? slope : 0) + 0.7 * rng.normal();
      return [`i${i}`, system, `r${r}`, Math.min(5, Math.max(1, Math.round(latent)))];
    }),
  ),
).flat();

describe("from-dev with several raters", () => {
  const file = write("ratings.csv", "item,system,rater,rating", ratings);

  it("gives the difference of compare, no power, and a pilot command that runs", () => {
    const found = dev(file, "--n", "100");
    const { pairs } = JSON.parse(gosset("compare", file, "--json", "--quiet").stdout);
    expect(found.scenario).toBe("likert");
    expect(found.power).toBeUndefined();
    expect(found.figures[0].value).toBeCloseTo(pairs[0].difference, 9);
    expect(found.warnings.join(" ")).toContain("raters are a sample too");
    const [power, mde] = found.commands;
    expect(power).toBe(
      `gosset power likert --items 100 --raters 5 --effect 0.41 --pilot ${file} --columns score=rating,system=system,rater=rater,item=item --systems old,new`,
    );
    const run = (command: string) =>
      JSON.parse(gosset(...wordsOf(command), "--method", "approx", "--json", "--quiet").stdout);
    const planned = run(power);
    // item means would promise certainty
    const naive = dev(file, "--n", "100", "--rater", "none").power.power;
    expect(naive).toBeGreaterThan(0.99);
    expect(planned.power).toBeLessThan(0.5);
    expect(run(mde).mde).toBeGreaterThan(found.params.effect);
  });

  it("keeps the ratings of each item where not all rate all", () => {
    const some = ratings.filter(
      ([item, , rater]) => (Number(String(item).slice(1)) + Number(String(rater).slice(1))) % 5 < 3,
    );
    const found = dev(write("some.csv", "item,system,rater,rating", some));
    expect(found.commands[0]).toContain("--items 40 --raters 5 --ratings 3 --pilot");
  });

  it("says that a pilot is one file where there are two", () => {
    const of = (name: string) =>
      write(
        `${name}.csv`,
        "item,system,rater,rating",
        ratings.filter(([, system]) => system === name),
      );
    const found = dev(of("old"), of("new"));
    expect(found.commands[0]).toContain("--pilot ratings.csv --columns");
    expect(found.notes.join(" ")).toContain("The pilot is read from one file");
  });

  it("takes the items of a rater for a cluster where each item has one rater", () => {
    const one = ratings.filter(
      ([item, , rater]) => Number(String(item).slice(1)) % 5 === Number(String(rater).slice(1)),
    );
    const found = dev(write("lists.csv", "item,system,rater,rating", one), "--n", "80");
    expect(found).toMatchObject({ scenario: "means", params: { clusterSize: 8 } });
    expect(found.notes.join(" ")).toContain("the items of a rater are treated as a cluster");
    expect(found.warnings.join(" ")).toContain("5 clusters of items leave");
    // other raters for the other system: neither clusters nor a pilot that could be fitted
    const crossed = one.map(([item, system, rater, rating]) => [
      item!,
      system!,
      system === "new" ? `${rater}b` : rater!,
      rating!,
    ]);
    const thin = dev(write("thin.csv", "item,system,rater,rating", crossed), "--n", "80");
    expect(thin).toMatchObject({ scenario: "likert", commands: [] });
    expect(thin.warnings.join(" ")).toContain("Have each item rated by several raters");
  });

  it("breaks long commands between flags, within 80 columns", () => {
    const words = ["examples/data/summaries.csv", "--systems", "baseline,retrieval"];
    const printed = textOf(...words);
    expect(Math.max(...printed.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(printed.replace(/ \\\n\s+/g, " ")).toContain(`    ${dev(...words).commands[0]}\n`);
  });
});

describe("from-dev with clusters and repeats", () => {
  const questions = "examples/data/questions.jsonl";

  it("plans with the design effect of compare's standard error", () => {
    const found = dev(questions, "--n", "203");
    const { pairs } = JSON.parse(gosset("compare", questions, "--json", "--quiet").stdout);
    const { sd, clusterSize, icc } = found.params;
    expect(clusterSize).toBe(5);
    expect(sd * Math.sqrt((1 + 4 * icc) / 300)).toBeCloseTo(pairs[0].se, 9);
    expect(found.notes.join(" ")).toContain("60 clusters");
    expect(found.notes.join(" ")).toContain("203 items are planned as 200");
    expect(found.commands[0]).toContain("--n 200 ");
    expect(gossetJson(...wordsOf(found.commands[0])).power).toBeCloseTo(found.power.power, 5);
    expect(dev(questions, "--n", "200", "--cluster", "none").scenario).toBe("accuracy");
  });

  it("counts items, each with its repeats", () => {
    const rows = Array.from({ length: 60 }, (_, i) =>
      ["a", "b"].flatMap((s, k) =>
        [1, 2, 3].map((epoch) => [`q${i}`, s, epoch, (i * 5 + epoch * 3 + k * epoch) % 4 === 0 ? 0 : 1]),
      ),
    ).flat();
    const found = dev(write("epochs.csv", "item,system,epoch,correct", rows), "--n", "100");
    expect(found.notes.join(" ")).toContain("up to 3 repeats: n counts items with as many repeats each");
  });
});

describe("from-dev", () => {
  it("takes the first system of the file for the baseline, as compare does", () => {
    const rows = Array.from({ length: 80 }, (_, i) => [`q${i}`, "zeta", i % 4 ? 1 : 0]);
    const others = Array.from({ length: 80 }, (_, i) => [`q${i}`, "alpha", i % 10 ? 1 : 0]);
    const file = write("order.csv", "item,system,correct", [...rows, ...others]);
    const { pairs } = JSON.parse(gosset("compare", file, "--json", "--quiet").stdout);
    const found = dev(file);
    expect(found.systems).toEqual(["zeta", "alpha"]);
    expect(found.params.delta).toBeCloseTo(pairs[0].difference, 12);
  });

  it("warns where few items leave everything uncertain, and where nothing spreads", () => {
    const rows = [3, 4, 5].flatMap((v, i) => [
      [i, "a", v],
      [i, "b", v + (i === 0 ? 2 : 1)],
    ]);
    expect(dev(write("three.csv", "item,system,score", rows), "--n", "200").warnings.join(" ")).toContain(
      "3 items leave delta and its spread too uncertain to plan with",
    );
    const equal = [3, 4, 5].flatMap((v, i) => [
      [i, "a", v],
      [i, "b", v + 1],
    ]);
    const found = dev(write("equal.csv", "item,system,score", equal), "--n", "200");
    expect(found.power).toBeUndefined();
    expect(found.warnings.join(" ")).toContain("Every item shows the same difference");
  });

  const labels = Array.from({ length: 120 }, (_, i) => [
    `d${i}`,
    i % 3 ? "pos" : "neg",
    i % 4 ? (i % 3 ? "pos" : "neg") : "neu",
    i % 9 ? (i % 3 ? "pos" : "neg") : "neu",
  ]);
  const wide = write("wide.csv", "id,label,model_a,model_b", labels);

  it("scores labels by --gold and --pred, as compare does", () => {
    expect(gossetRefuses("power", "from-dev", wide)).toContain("--gold label --pred model_a,model_b");
    const flags = ["--gold", "label", "--pred", "model_a,model_b"];
    const { pairs } = JSON.parse(gosset("compare", wide, ...flags, "--json", "--quiet").stdout);
    const found = dev(wide, ...flags, "--n", "500");
    expect(found).toMatchObject({ scenario: "accuracy", systems: ["model_a", "model_b"], items: 120 });
    expect(found.params.delta).toBeCloseTo(pairs[0].difference, 12);
    expect(gossetRefuses("power", "from-dev", wide, "--gold", "label")).toContain("--pred is missing");
  });

  it("prints nothing that a shell takes for a redirection", () => {
    const printed = textOf(wide, "--gold", "label", "--pred", "model_a,model_b");
    expect(printed).toContain("gosset mde accuracy --n 120 ");
    expect(printed).not.toMatch(/[<>]/);
  });

  it("advises what there is", () => {
    const apart = write(
      "apart.csv",
      "item,system,score",
      Array.from({ length: 40 }, (_, i) => [i, i < 20 ? "a" : "b", i % 7]),
    );
    const line = gossetRefuses("power", "from-dev", apart);
    expect(line).toContain("--design two-sample");
    expect(line).not.toContain("--unpaired");
    const noItem = write(
      "rows.csv",
      "system,score",
      Array.from({ length: 40 }, (_, i) => [i < 20 ? "a" : "b", (i % 7) + 0.5]),
    );
    expect(gossetRefuses("power", "from-dev", noItem)).toContain("names the items");
    const one = write(
      "one.csv",
      "item,system,score",
      Array.from({ length: 40 }, (_, i) => [i, "a", (i % 7) + 0.5]),
    );
    expect(gossetRefuses("power", "from-dev", one)).toContain("Give a second file");
  });
});

describe("texts", () => {
  const sentences = Array.from(
    { length: 60 },
    (_, i) => `the ${["cat", "dog", "old bird"][i % 3]} sat on mat number ${i} and slept`,
  );
  const save = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join("\n")}\n`);
    return path;
  };
  const reference = save("ref.txt", sentences);
  const base = save(
    "base.txt",
    sentences.map((s, i) => (i % 2 ? s : s.replace("sat on", "was at"))),
  );
  const ours = save(
    "ours.txt",
    sentences.map((s, i) => (i % 5 ? s : s.replace("and slept", "sleeping"))),
  );

  it("from-dev points to from-outputs", () => {
    expect(gossetRefuses("power", "from-dev", base, ours)).toContain("gosset power from-outputs with --ref");
  });

  it("from-outputs goes on with the size that was asked for", () => {
    const words = ["power", "from-outputs", base, ours, "--ref", reference, "--replicates", "20"];
    const { commands } = JSON.parse(gosset(...words, "--n", "100,200", "--json", "--quiet").stdout);
    expect(commands).toHaveLength(1);
    expect(commands[0]).toContain("gosset power bleu --n 100 --delta");
    expect(gosset(...words, "--n", "100").stdout).toContain("gosset power bleu --n 100 --delta");
    expect(gosset(...words).stdout).toContain("gosset power bleu --n 60 --delta");
  });
});

describe("what to ask next", () => {
  it("is never the power of these very items: that restates their p value", () => {
    const folder = makeFolder("next");
    const path = join(folder, "both.csv");
    const rows = Array.from({ length: 60 }, (_, i) => `q${i},${Number(i % 4 !== 0)},${Number(i % 7 !== 0)}`);
    writeFileSync(path, `item,old,new\n${rows.join("\n")}\n`);
    const asked = (...flags: string[]): string[] =>
      gossetJson("power", "from-dev", path, "--systems", "old,new", ...flags).next.map(
        ({ ask }: { ask: string }) => ask,
      );
    expect(asked()).toEqual(["mde", "size"]);
    expect(asked("--n", "500")).toEqual(["power", "mde", "size"]);
  });
});
