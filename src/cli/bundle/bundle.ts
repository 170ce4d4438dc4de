/** `gosset bundle`: a stored result with the data behind it. */
import { StatError, verifyResult } from "../../index.ts";
import { jsonText } from "../../text.ts";
import { makeBundle, notAgain, pack, placesOf, tell } from "../bundling.ts";
import type { Context } from "../context.ts";
import { readResultFile, writeOutput } from "../files.ts";
import { computingWords } from "../flags.ts";
import { printOut } from "../output.ts";
import { checkWords, readStored, recompute } from "../stored-command.ts";
import type { VerifyOptions } from "./verify.ts";

interface BundleOptions extends VerifyOptions {
  readonly rater?: string | undefined;
  readonly keepNames?: boolean | undefined;
}

export async function runBundle(
  { options, progress }: Context<BundleOptions>,
  result: string,
  data: readonly string[],
): Promise<void> {
  const { out } = options;
  if (out === undefined || !/\.zip$/i.test(out))
    throw new StatError("BadOption", "bundle writes a zip.", "Say where: --out study.zip.");
  const stored = readStored(readResultFile(result), result);
  const words = computingWords(stored.command);
  checkWords(words, options.trust === true);
  const setting = { seconds: Number(options.timeout), progress };
  const places = placesOf(words, data);
  const computed = await recompute(words, { folder: process.cwd(), ...setting });
  const again = verifyResult(stored.json, computed, { tolerance: Number(options.tolerance) });
  if (!again.identical) throw notAgain(again);
  const { json, manifest, bundled, found } = await makeBundle(words, data, { ...options, ...setting, places });
  writeOutput(out, pack(json, manifest, bundled));
  progress.end();
  printOut(
    options.json
      ? `${jsonText({ kind: "bundle", out, ...manifest })}
`
      : tell(out, manifest, found),
  );
}
