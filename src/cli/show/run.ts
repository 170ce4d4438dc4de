/** `gosset show`: a stored result as text. */
import { reviveResult } from "../../index.ts";
import type { Context } from "../context.ts";
import { readResultFile } from "../files.ts";
import type { GlobalOptions } from "../options.ts";
import { printStored } from "../output.ts";

export async function run({ options }: Context<GlobalOptions>, path: string): Promise<void> {
  printStored(reviveResult(readResultFile(path)), options);
}
