/** Every command that `describe` prints is run as printed: it ends well, and answers something that the data could have answered otherwise. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRng, type Rng } from "../src/numeric/rng.ts";
import { gosset, gossetJson, shellWords } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("suggestions");
const examples = new URL("../examples/data/", import.meta.url).pathname;
const pick = <T>(rng: Rng, from: readonly T[]): T => from[rng.int(from.length)]!;
const rows = (n: number, row: (i: number) => string | readonly string[]): string[] =>
  Array.from({ length: n }, (_, i) => row(i)).flat();

const FILES: Readonly<Record<string, (rng: Rng) => readonly string[]>> = {
  "duel.csv": (rng) => [
    "prompt,model_a,model_b,winner,category",
    ...rows(120, (i) => {
      const sides = rng.uniform() < 0.5 ? "Ash,Elm" : "Elm,Ash";
      return `p${i},${sides},${pick(rng, ["model_a", "model_b", "tie"])},${pick(rng, ["code", "chat"])}`;
    }),
  ],
  "panel-votes.csv": (rng) => [
    "prompt,rater,model_a,model_b,winner,words",
    ...rows(30, (i) => rows(4, (r) => `p${i},r${r},Ash,Elm,${pick(rng, ["model_a", "model_a", "model_b"])},${20 + i}`)),
  ],
  "arena.csv": (rng) => [
    "prompt,model_a,model_b,winner,turns",
    ...rows(200, (i) => {
      const [a, b] = pick(rng, ["Ash,Elm", "Elm,Oak", "Oak,Ash", "Fir,Ash", "Elm,Fir"]).split(",");
      return `p${i},${a},${b},${pick(rng, ["model_a", "model_b", "tie"])},${1 + rng.int(4)}`;
    }),
  ],
  "choices.csv": (rng) => [
    "item,annotator,preference,domain",
    ...rows(40, (i) => rows(3, (r) => `i${i},r${r},${pick(rng, ["A", "A", "B"])},${i % 2 ? "news" : "web"}`)),
  ],
  "ratings.csv": (rng) => [
    "item,system,rater,rating",
    ...rows(25, (i) => {
      const base = rng.normal();
      const rate = (): number => Math.max(1, Math.min(5, Math.round(3 + base + 0.8 * rng.normal())));
      return ["A", "B"].flatMap((system) => rows(4, (r) => `i${i},${system},r${r},${rate()}`));
    }),
  ],
  "runs.csv": (rng) => [
    "item,system,run,score",
    ...rows(25, (i) => {
      const base = 50 + 9 * rng.normal();
      return ["A", "B"].flatMap((s) => rows(3, (r) => `i${i},${s},${r},${(base + 4 * rng.normal()).toFixed(1)}`));
    }),
  ],
  "labels.csv": (rng) => [
    "item,rater,label",
    ...rows(40, (i) => {
      const truth = pick(rng, ["yes", "no", "unclear"]);
      return rows(3, (r) => `i${i},r${r},${rng.uniform() < 0.7 ? truth : pick(rng, ["yes", "no", "unclear"])}`);
    }),
  ],
  "clustered.csv": (rng) => [
    "item,passage,system,correct",
    ...rows(60, (i) => ["A", "B"].map((s) => `i${i},p${i % 24},${s},${rng.int(2)}`)),
  ],
};

interface Answer {
  readonly command: string;
  readonly question: string;
}

/** Of a fitted model: terms that the design leaves nothing to estimate from. */
function emptyTerms(json: Record<string, unknown>): string[] {
  const terms = (json["fixed"] ?? []) as { term: string; se: number | string }[];
  return terms.filter(({ se }) => !(typeof se === "number" && se > 1e-9)).map(({ term }) => term);
}

const suggestionsOf = (file: string): Answer[] => gossetJson("describe", file).answers;

describe("what describe suggests", () => {
  const own = Object.keys(FILES);
  const given = ["annotation.csv", "grades.csv", "inference.csv", "votes.csv", "questions.jsonl", "leaderboard.csv"];
  for (const name of own)
    writeFileSync(join(folder, name), `${FILES[name]!(makeRng(`suggestions ${name}`)).join("\n")}\n`);

  const files = [...own.map((name) => join(folder, name)), ...given.map((name) => join(examples, name))];
  it.each(files)("for %s runs as printed, and no answer is 0 by construction", (file) => {
    const answers = suggestionsOf(file);
    expect(answers.length).toBeGreaterThan(0);
    for (const { command } of answers) {
      const { status, stdout } = gosset(...shellWords(command).slice(1), "--json");
      expect([command, status]).toEqual([command, 0]);
      expect([command, emptyTerms(JSON.parse(stdout))]).toEqual([command, []]);
    }
  });

  it("would find the answer that is 0 by construction", () => {
    const args = ["fit", "lm", "score ~ system * position", join(folder, "duel.csv"), "--cluster", "battle"];
    expect(emptyTerms(JSON.parse(gosset(...args, "--json").stdout))).toEqual(["systemElm:positionb"]);
  });

  it("does not warn of items that lie within the clusters which the errors know", () => {
    const codes = (cluster: string): string[] => {
      const args = ["fit", "lm", "correct ~ system", join(folder, "clustered.csv"), "--cluster", cluster];
      return JSON.parse(gosset(...args, "--json").stdout).diagnostics.map(({ code }: { code: string }) => code);
    };
    // items lie in passages, not in systems
    expect([codes("passage").includes("RepeatsIgnored"), codes("system").includes("RepeatsIgnored")]).toEqual([
      false,
      true,
    ]);
  });

  it("asks of a side whether it sways who wins, by one row of every vote", () => {
    const commands = suggestionsOf(join(folder, "duel.csv")).map(({ command }) => command);
    expect(commands.join("\n")).toMatch(/fit lmm? "score ~ position.*" \S+ --where "system == '\w+'"/);
    // never by both rows of a vote
    expect(commands.filter((command) => / fit /.test(command) && !command.includes("--where"))).toEqual([]);
  });

  it("keeps the systems apart from the noise of raters and runs in reliability", () => {
    const facets = (file: string) =>
      suggestionsOf(join(folder, file))
        .map(({ command }) => /reliability .*--object (\S+ --facets \S+)/.exec(command)?.[1])
        .find(Boolean);
    expect([facets("ratings.csv"), facets("runs.csv")]).toEqual([
      "item,system --facets rater",
      "item,system --facets run",
    ]);
  });
});
