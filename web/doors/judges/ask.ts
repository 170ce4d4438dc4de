/** Judges: what people would have said, and how good the judge is. */
import { correctJudge, type Drawn, makeRng } from "../../../src/index.ts";
import { checkJudge } from "../../../src/tests.ts";
import type { Asked, Asking, EngineDoor } from "../../engine/door.ts";
import { flagValue } from "../../engine/reading.ts";
import { callOnTable, flagWords, textOf } from "../../engine/words.ts";

export const judgesDoor: EngineDoor = {
  name: "judges",
  ask,
  offer(words) {
    if (words[1] !== "judge" || (words[2] !== "correct" && words[2] !== "check")) return undefined;
    return { ask: words[2], judge: flagValue(words, "--judge"), human: flagValue(words, "--human") };
  },
};

async function ask({ settings, seed, data, tell: _ }: Asking): Promise<Asked> {
  const { parts, raw } = data();
  const paths = parts.map(({ path }) => path);
  const labels = paths.find((path) => path === textOf(settings["labels"]));
  const path = paths.find((own) => own !== labels) ?? paths[0]!;
  const check = settings["ask"] === "check";
  const options = {
    judge: textOf(settings["judge"]),
    human: textOf(settings["human"]),
    pass: textOf(settings["pass"]),
    drawn: textOf(settings["drawn"]) as Drawn | undefined,
  };
  const table = await raw(path);
  const apart = labels === undefined ? undefined : await raw(labels);
  const result = check
    ? checkJudge(table, { ...options, labels: apart, rng: makeRng(seed) })
    : correctJudge(table, { ...options, labels: apart });
  const flags = {
    ...{ "--judge": options.judge, "--human": options.human, "--pass": options.pass, "--drawn": options.drawn },
    ...{ "--labels": labels, "--seed": check && seed !== "1" ? seed : undefined },
  };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return {
    result,
    readsFiles: false,
    command: ["gosset", "judge", check ? "check" : "correct", path, ...flagWords(flags)],
    call: callOnTable(check ? "checkJudge" : "correctJudge", path, {
      options: given,
      ...(check ? { from: "gosset/tests" } : {}),
    }),
  };
}
