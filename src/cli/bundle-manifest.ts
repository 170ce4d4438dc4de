/** What lies in a bundle beside the data. */
import { createHash } from "node:crypto";

export const MANIFEST = "gosset-bundle.json";
export const RESULT = "result.json";
export const DATA = "data";
/** Of a certificate. */
export const PAGE = "certificate.html";

export interface Manifest {
  readonly gosset: string;
  readonly node: string;
  readonly platform: string;
  readonly seed?: string;
  /** The words that run it again within the unpacked bundle. */
  readonly command: readonly string[];
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  /** Columns whose raters have other names here. */
  readonly renamed: readonly { readonly path: string; readonly column: string; readonly raters: number }[];
}

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
