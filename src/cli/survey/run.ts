/** `gosset survey <claims>` */
import { surveyClaims } from "../../index.ts";
import { parseCount, parseNumber, parseProbability } from "../../questions.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";

interface SurveyCommandOptions extends DataOptions {
  readonly n?: string;
  readonly baseline?: string;
  readonly score?: string;
  readonly task?: string;
  readonly id?: string;
  readonly effect?: string;
  readonly variance?: string;
  readonly se?: string;
  readonly p?: string;
  readonly agreement?: string;
  readonly date?: string;
  readonly dev?: string;
  readonly devItems?: string;
  readonly overlap?: string;
  readonly scale?: string;
  readonly random: "reml" | "dl";
  readonly knappHartung?: boolean;
  readonly power: string;
  readonly prior?: string;
  readonly bias?: string;
  readonly teams?: string;
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
