/** `gosset verify`: a stored result, or a bundle's, recomputed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StatError, verifyResult } from "../../index.ts";
import { ImportBudget, isZip, listZip, readZipEntry } from "../../io.ts";
import { hashOf, MANIFEST, type Manifest, PAGE, RESULT } from "../bundle-manifest.ts";
import type { Context } from "../context.ts";
import { CHECK_FAILED } from "../failure.ts";
import { checkResult, readFileBytes, readResultFile } from "../files.ts";
import { computingWords } from "../flags.ts";
import type { GlobalOptions } from "../options.ts";
import { checkPaths, checkWords, readStored, recompute } from "../stored-command.ts";

export interface VerifyOptions extends GlobalOptions {
  readonly tolerance: string;
  readonly timeout: string;
  readonly trust?: boolean | undefined;
}

export async function runVerify({ options, print, progress }: Context<VerifyOptions>, path: string): Promise<void> {
  const { name, bytes } = readFileBytes(path);
  const checked = isZip(bytes)
    ? await verifyZip(bytes, name, { options, progress })
    : await verifyStored(readResultFile(path), name, { options, progress });
  print(checked);
  if (!checked.identical) process.exitCode = CHECK_FAILED;
}

type Verified = ReturnType<typeof verifyResult>;
type Setting = Pick<Context<VerifyOptions>, "options" | "progress">;

async function verifyStored(text: string, name: string, { options, progress }: Setting): Promise<Verified> {
  const { json, command } = readStored(text, name);
  const words = computingWords(command);
  checkWords(words, options.trust === true);
  const again = await recompute(words, { folder: process.cwd(), seconds: Number(options.timeout), progress });
  return verifyResult(json, again, { tolerance: Number(options.tolerance) });
}

async function verifyZip(bytes: Uint8Array, name: string, { options, progress }: Setting): Promise<Verified> {
  // one for all of them: what is unpacked is written to the disk
  const budget = new ImportBudget();
  const entries = listZip(bytes, name).map(
    (entry) => [entry.name, () => readZipEntry(bytes, entry, name, budget)] as const,
  );
  budget.takeFiles(entries.length, name);
  const files = new Map(entries);
  const text = (own: string): string => new TextDecoder().decode(need(files, own, name)());
  const manifest = readManifest(text(MANIFEST), name);
  const { json, command } = readStored(checkResult(text(RESULT), `${name}: ${RESULT}`), `${name}: ${RESULT}`);
  const words = computingWords(command);
  checkWords(words, options.trust === true);
  checkPaths(words);
  if (JSON.stringify(manifest.command) !== JSON.stringify(["gosset", ...command]))
    throw new StatError(
      "NotABundle",
      `${name}: ${MANIFEST} names another command than ${RESULT} has.`,
      "Ask its authors for the bundle again.",
    );
  const folder = mkdtempSync(join(tmpdir(), "gosset-verify-"));
  try {
    for (const { path, sha256 } of manifest.files) {
      checkPaths([path]);
      const content = need(files, path, name)();
      if (hashOf(content) !== sha256)
        throw new StatError(
          "ChangedData",
          `${name}: ${path} is not the file that was bundled.`,
          "Ask its authors for the bundle again.",
        );
      place(join(folder, path), content, `${name}: ${path}`);
    }
    const again = await recompute(words, { folder, seconds: Number(options.timeout), progress });
    const page = files.has(PAGE) ? await pagesOf(text(PAGE), { json, again, manifest }) : { stored: {}, computed: {} };
    const tolerance = Number(options.tolerance);
    return verifyResult({ ...json, ...page.stored }, { ...again, ...page.computed }, { tolerance });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The page of a certificate as it is, and as the stored result makes it; that of another version looks otherwise. */
async function pagesOf(
  page: string,
  { json, again, manifest }: { readonly json: object; readonly again: object; readonly manifest: Manifest },
): Promise<{ stored: object; computed: object }> {
  const versionOf = (result: object): unknown => (result as { readonly version?: unknown }).version;
  if (versionOf(json) !== versionOf(again)) return { stored: {}, computed: {} };
  const { certificatePage, linesOf } = await import("../certificate.ts");
  return { stored: { [PAGE]: linesOf(page) }, computed: { [PAGE]: linesOf(certificatePage(json, manifest)) } };
}

/** A name may be none of a file, or come twice. */
function place(path: string, content: Uint8Array, name: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { flag: "wx" });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StatError("NotABundle", `${name} cannot be unpacked (${code}).`, "Give a zip of gosset bundle.");
  }
}

function need<T>(files: ReadonlyMap<string, T>, own: string, name: string): T {
  const found = files.get(own);
  if (found !== undefined) return found;
  throw new StatError("NotABundle", `${name}: there is no ${own} in this zip.`, "Give a zip of gosset bundle.");
}

function readManifest(text: string, name: string): Manifest {
  const fault = new StatError(
    "NotABundle",
    `${name}: ${MANIFEST} is not that of a bundle.`,
    "Give a zip of gosset bundle.",
  );
  try {
    const value = JSON.parse(text) as Manifest;
    const whole =
      Array.isArray(value.files) &&
      value.files.every(({ path, sha256 }) => typeof path === "string" && typeof sha256 === "string");
    if (whole) return value;
  } catch {
    throw fault;
  }
  throw fault;
}
