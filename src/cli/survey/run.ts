/** `gosset survey <claims>` */
import { surveyClaims } from "../../index.ts";
import { parseCount, parseNumber, parseProbability } from "../../questions.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";

interface SurveyCommandOptions extends DataOptions {
  readonly n?: string | undefined;
  readonly baseline?: string | undefined;
  readonly score?: string | undefined;
  readonly task?: string | undefined;
  readonly id?: string | undefined;
  readonly effect?: string | undefined;
  readonly variance?: string | undefined;
  readonly se?: string | undefined;
  readonly p?: string | undefined;
  readonly agreement?: string | undefined;
  readonly date?: string | undefined;
  readonly dev?: string | undefined;
  readonly devItems?: string | undefined;
  readonly overlap?: string | undefined;
  readonly scale?: string | undefined;
  readonly random: "reml" | "dl";
  readonly knappHartung?: boolean | undefined;
  readonly power: string;
  readonly prior?: string | undefined;
  readonly bias?: string | undefined;
  readonly teams?: string | undefined;
  readonly alpha: string;
  readonly confidence: string;
}

export async function run(context: Context<SurveyCommandOptions>, path: string): Promise<void> {
  const { options } = context;
  const { n, baseline, score, task, id, effect, variance, se, p, agreement, date, dev } = options;
  const { overlap, scale, random, knappHartung, prior, bias, teams, devItems } = options;
  if (dev === undefined) context.refuse(["--dev-items"], "without --dev");
  const choices = {
    ...{ n, baseline, score, task, id, effect, variance, se, p, agreement, date, dev },
    ...{ overlap, scale, random, knappHartung },
    power: parseProbability(options.power, "--power"),
    alpha: parseProbability(options.alpha, "--alpha"),
    confidence: parseProbability(options.confidence, "--confidence"),
    prior: prior === undefined ? undefined : parseProbability(prior, "--prior"),
    bias: bias === undefined ? undefined : parseNumber(bias, "--bias"),
    teams: teams === undefined ? undefined : parseCount(teams, "--teams"),
    devItems: devItems === undefined ? undefined : parseCount(devItems, "--dev-items"),
  };
  context.print(surveyClaims(await context.load(path), choices));
}
