/** Files with pictures beside the answer: what their name ends in says what they are. Loaded only where one is asked for. */
import { StatError } from "../index.ts";
import { chooseFigure, type Figure, figureCsv, plotJson, renderPdf, renderSvg, renderTikz } from "../plot.ts";
import { neutralise } from "../text.ts";
import { writeOutput } from "./files.ts";
import { printOut } from "./output.ts";

export interface PictureOptions {
  readonly plot?: string | undefined;
  readonly html?: string | undefined;
  readonly includeText?: boolean | undefined;
  readonly figure?: string | undefined;
  readonly quiet?: boolean | undefined;
  readonly format?: string | undefined;
  readonly out?: string | undefined;
}

const STDOUT = "-";
const ALL = "all";
/** Pixels of a PNG for one of the picture: sharp on today's screens. */
const PNG_SCALE = 2;

/** One file, or with `figure: all` one for each picture: name-pairs.svg, name-scores.svg. */
export async function writePictures(json: unknown, options: PictureOptions & { readonly plot: string }): Promise<void> {
  const figures = plotJson(json);
  const { plot: path, figure } = options;
  if (figure === ALL && path !== STDOUT) {
    const first = chooseFigure(figures);
    for (const one of figures)
      await writePicture(one, one === first && figures.length === 1 ? path : numbered(path, one.name));
    return;
  }
  const chosen = chooseFigure(figures, figure === ALL ? undefined : figure);
  await writePicture(chosen, path);
  const others = figures.filter((one) => one !== chosen).map(({ name }) => name);
  if (!options.quiet && figure === undefined && others.length > 0) {
    process.stderr.write(
      `gosset: plotted: ${neutralise(`${chosen.name}. --figure ${others.join(", ")}`)} or all plots the others.\n`,
    );
  }
}

const numbered = (path: string, name: string): string => {
  const at = path.lastIndexOf(".");
  return `${path.slice(0, at)}-${name.replace(/[^\w.-]+/g, "-")}${path.slice(at)}`;
};

async function writePicture(figure: Figure, path: string): Promise<void> {
  if (path === STDOUT) printOut(`${renderSvg(figure)}\n`);
  else writeOutput(path, await contentOf(figure, path));
}

async function contentOf(figure: Figure, path: string): Promise<string | Uint8Array> {
  switch (path.slice(path.lastIndexOf(".") + 1).toLowerCase()) {
    case "svg":
      return `${renderSvg(figure)}\n`;
    case "png":
      return renderPng(renderSvg(figure, { theme: "light" }));
    case "pdf":
      return renderPdf(figure);
    case "tex":
      return renderTikz(figure);
    case "csv":
      return figureCsv(figure);
    default:
      throw new StatError(
        "BadOption",
        `"${path}" has no known ending for a plot.`,
        "Use a name that ends in .svg, .png, .pdf, .tex (TikZ) or .csv (the plotted data).",
      );
  }
}

/** What --plot and --html asked for, of each answer that was printed. */
export async function writeDrawings(printed: readonly object[], options: PictureOptions): Promise<void> {
  const { plot, html, format, out = STDOUT } = options;
  if (plot !== undefined) for (const json of printed) await writePictures(json, { ...options, plot });
  if (printed.length === 0) return;
  if (html !== undefined) await writeReport(printed, html, options);
  if (format === "html" && out !== html) await writeReport(printed, out, options);
}

/** Fails where the picture that was asked for does not exist. */
export function requireFigure(json: unknown, { figure }: PictureOptions): void {
  chooseFigure(plotJson(json), figure === ALL ? undefined : figure);
}

export async function writeReport(
  results: readonly unknown[],
  path: string,
  { includeText = false }: PictureOptions,
): Promise<void> {
  const { renderReport } = await import("../report.ts");
  const page = renderReport(results, { includeText });
  if (path === STDOUT) printOut(page);
  else writeOutput(path, page);
}

/** Refuses before anything is computed what could not be written after. */
export function checkPicturePaths({ plot, html }: PictureOptions): void {
  if (plot !== undefined) checkPicturePath(plot);
  if (html !== undefined) checkPagePath(html, "--html");
}

export function checkPagePath(path: string, flag: string): void {
  if (/\.html?$/i.test(path)) return;
  throw new StatError("BadOption", `${flag} ${path}: not an .html file name.`, "Use a name that ends in .html.");
}

export function checkPicturePath(path: string, flag = "--plot"): void {
  if (path === STDOUT || /\.(svg|png|pdf|tex|csv)$/i.test(path)) return;
  throw new StatError(
    "BadOption",
    `${flag} ${path}: not a plot format.`,
    "Use a name that ends in .svg, .png, .pdf, .tex (TikZ) or .csv (the plotted data).",
  );
}

async function renderPng(svg: string): Promise<Uint8Array> {
  const { Resvg } = await loadResvg();
  const options = { fitTo: { mode: "zoom", value: PNG_SCALE }, font: { loadSystemFonts: true } } as const;
  const probe = new Resvg(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">x</text></svg>',
    options,
  );
  if (probe.getBBox() === undefined) {
    throw new StatError(
      "NoFonts",
      "this machine has no fonts, so a PNG would have no labels.",
      "Install one (apt install fonts-liberation), or write an .svg or .pdf.",
    );
  }
  return new Resvg(svg, options).render().asPng();
}

async function loadResvg(): Promise<typeof import("@resvg/resvg-js")> {
  try {
    return await import("@resvg/resvg-js");
  } catch {
    throw new StatError(
      "NoPng",
      "PNG needs the optional package @resvg/resvg-js, which is not installed.",
      "Run npm install @resvg/resvg-js, or write an .svg or .pdf.",
    );
  }
}
