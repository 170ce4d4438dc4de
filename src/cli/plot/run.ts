/** `gosset plot`: a stored result as pictures. */
import type { Context } from "../context.ts";
import { readResultFile } from "../files.ts";
import type { GlobalOptions } from "../options.ts";
import { checkPicturePath, writePictures } from "../pictures.ts";

export async function run({ options }: Context<GlobalOptions>, path: string): Promise<void> {
  const target = options.out ?? options.plot ?? "-";
  checkPicturePath(target, options.out === undefined ? "--plot" : "--out");
  await writePictures(readResultFile(path), { ...options, plot: target });
}
