/** The page of a certificate, made of the stored result and the list of files alone, so that whoever has the result makes the same bytes. */
import { renderReport } from "../report.ts";
import type { Manifest } from "./bundle-manifest.ts";

export const certificatePage = (json: object, { files }: Manifest): string =>
  renderReport([json], { includeText: true, bundled: files });

/** Lines by their number, which a difference then names. */
export const linesOf = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(page.split("\n").map((line, i) => [`line ${i + 1}`, line]));
