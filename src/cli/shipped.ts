/** Files that are shipped with the program, beside its folder: the page and the schemas. A build of few files has them packed in one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

const PLACE = new URL("../", import.meta.url);
const PACKED = new URL("shipped.br", PLACE);

let packed: Readonly<Record<string, string>> | undefined;
/** By path; undefined where nothing is packed. */
function unpack(): Readonly<Record<string, string>> | undefined {
  if (packed === undefined && existsSync(PACKED))
    packed = JSON.parse(brotliDecompressSync(readFileSync(PACKED)).toString());
  return packed;
}

/** `page/index.html`; undefined where it is not there. */
export function readShipped(path: string): Buffer | undefined {
  const text = unpack()?.[path];
  if (text !== undefined) return Buffer.from(text);
  const file = new URL(path, PLACE);
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** Names of the files in a folder. */
export function listShipped(folder: string): string[] {
  const files = unpack();
  if (files === undefined) return readdirSync(new URL(`${folder}/`, PLACE));
  return Object.keys(files).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));
}
