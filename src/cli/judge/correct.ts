/** `gosset judge correct <data> --labels labels.csv` */
import { correctJudge, type Drawn } from "../../index.ts";
import { JUDGE_CORRECT, parseOptions } from "../../questions.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";
import { loadLabels } from "./labels.ts";

export async function run(context: Context<DataOptions>, data: string): Promise<void> {
  const given = parseOptions(JUDGE_CORRECT.options, context.options);
  const { labels } = parseOptions(JUDGE_CORRECT.command, context.options);
  const table = await context.load(data);
  context.print(
    correctJudge(table, {
      ...given,
      drawn: given.drawn as Drawn | undefined,
      labels: await loadLabels(context, labels),
    }),
  );
}
