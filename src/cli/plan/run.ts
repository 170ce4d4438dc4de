/** `gosset plan looks` */

import { parseNumber } from "../../questions.ts";
import { designLooks } from "../../tests.ts";
import type { Context } from "../context.ts";
import type { GlobalOptions } from "../options.ts";

interface LooksFlags extends GlobalOptions {
  readonly looks?: string;
  readonly information?: string;
  readonly alpha: string;
  readonly sides: string;
  readonly spending: string;
  readonly drift?: string;
  readonly power: string;
  readonly look?: string;
  readonly z?: string;
}

export async function runLooks({ options, print }: Context<LooksFlags>): Promise<void> {
  const { looks, information, alpha, sides, spending, drift, power, look, z } = options;
  print(
    designLooks({
      looks: numberOf("--looks", looks),
      information: information?.split(",").map((text) => numberOf("--information", text)!),
      alpha: numberOf("--alpha", alpha),
      sides: numberOf("--sides", sides),
      spending,
      drift: numberOf("--drift", drift),
      power: numberOf("--power", power),
      look: numberOf("--look", look),
      z: numberOf("--z", z),
    }),
  );
}

const numberOf = (flag: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseNumber(text, flag);
