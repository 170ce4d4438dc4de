/** `gosset plot`: a stored result as pictures. */
import type { Context } from "../context.ts";
import { readFileBytes } from "../files.ts";
import type { GlobalOptions } from "../options.ts";
import { checkPicturePath, writePictures } from "../pictures.ts";

export async function run({ options }: Context<GlobalOptions>, path: string): Promise<void> {
  const target = options.out ?? options.plot ?? "-";
  checkPicturePath(target);
  const text = new TextDecoder().decode(readFileBytes(path).bytes);
  await writePictures(text, { ...options, plot: target });
}
