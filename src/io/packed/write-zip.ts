/** Files to a zip: the same bytes for the same content, since entries carry no time of their own. */
import { zipSync } from "fflate";

/** The first day that a zip can name. */
const EPOCH = "1980-01-01T12:00:00";

export function writeZip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  // a copy: a Buffer may be a window of a larger one
  const entries = Object.fromEntries([...files].map(([path, bytes]) => [path, new Uint8Array(bytes)]));
  return zipSync(entries, { mtime: EPOCH });
}
