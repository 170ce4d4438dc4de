/** Who uses part of the library loads part of it: pictures and reports are entry points of their own. */
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { root } from "./support/cli.ts";

/** Sources in a bundle of the code given, as a page would load it. */
async function sourcesOf(code: string): Promise<{ files: string[]; bytes: number }> {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: `${root}src`, loader: "ts" },
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: "esm",
    platform: "neutral",
    external: ["hyparquet", "hyparquet-compressors", "fflate", "fzstd", "yaml"],
    absWorkingDir: root,
  });
  const kept = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return {
    files: kept.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file),
    bytes: outputFiles[0]!.text.length,
  };
}

const pictures = (file: string): boolean => /^src\/(plot|report)\//.test(file);

describe("bundles", () => {
  it("of a model have no code of pictures or reports", async () => {
    const { files } = await sourcesOf('import { fitLm } from "./index.ts"; globalThis.f = fitLm;');
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter(pictures)).toEqual([]);
  });

  it("of the whole root have none either", async () => {
    const { files } = await sourcesOf('import * as all from "./index.ts"; globalThis.f = all;');
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter(pictures)).toEqual([]);
  });

  it("of the pictures have no statistics", async () => {
    const { files } = await sourcesOf(
      'import { plotJson, renderSvg } from "./plot.ts"; globalThis.f = [plotJson, renderSvg];',
    );
    expect(files.filter(pictures).length).toBeGreaterThan(10);
    expect(
      files.filter((file) => /^src\/(numeric|models|resample|significance|reliability|validity|power|io)\//.test(file)),
    ).toEqual([]);
  });
});
