/** A picture of the last answer, redrawn by the engine at the width that it has, with a menu of its own. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Engine } from "../app/engine.ts";
import { copyText, pngOf, save } from "../app/saving.ts";
import { trustedSvg } from "../app/trusted.ts";
import type { FigureView } from "../engine/protocol.ts";
import { Menu, MenuItem } from "./menu.tsx";

interface ChartProps {
  readonly engine: Engine;
  readonly door: string;
  readonly figure: FigureView;
  /** Of the answer that it belongs to. */
  readonly version: number;
  /** The title stands above it already. */
  readonly said?: boolean;
}

interface ValuesProps extends Pick<ChartProps, "engine" | "door" | "figure" | "version"> {
  readonly children: ComponentChildren;
}

/** The picture can be walked through by arrow keys: one row of its data at a time, shown below it and announced. */
function Values({ engine, door, figure, version, children }: ValuesProps) {
  const [at, setAt] = useState<number>();
  const [lines, setLines] = useState<readonly (readonly string[])[]>([]);
  useEffect(() => {
    setAt(undefined);
    setLines([]);
  }, [version, figure.name]);
  const walk = async (event: KeyboardEvent): Promise<void> => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const known =
      lines.length > 0 ? lines : csvRows(await engine.call("picture", { door, figure: figure.name, as: "csv" }).answer);
    setLines(known);
    const last = known.length - 2;
    setAt((old) => Math.max(0, Math.min(last, (old ?? (step > 0 ? -1 : last + 1)) + step)));
  };
  const [head = [], row = []] = at === undefined ? [] : [lines[0], lines[at + 1]];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a picture whose values are walked through has no element of its own
    <div
      class="values"
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its values are read by arrow keys
      tabIndex={0}
      aria-label={`${figure.title}. Arrow keys read its values.`}
      onKeyDown={(event) => void walk(event)}
    >
      {children}
      <p class="tiny value" role="status">
        {at === undefined
          ? ""
          : `${at + 1} of ${lines.length - 1}: ${row.map((cell, k) => `${head[k]} ${shortNumber(cell)}`).join(", ")}`}
      </p>
    </div>
  );
}

const shortNumber = (cell: string): string =>
  cell !== "" && Number.isFinite(Number(cell))
    ? String(Number(Number(cell).toPrecision(4))).replace("-", "\u2212")
    : cell;

/** Cells of a CSV text; quotes around what holds commas. */
function csvRows(text: string): string[][] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
      ),
    );
}

const LEAST_WIDTH = 280;
/** A change of less is not worth drawing again. */
const SAME_WIDTH = 4;

export function Chart({ engine, door, figure, version, said }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const next = Math.max(LEAST_WIDTH, Math.floor(entry!.contentRect.width));
      setWidth((old) => (Math.abs(next - old) < SAME_WIDTH ? old : next));
    });
    observer.observe(holder.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (width === 0) return;
    let current = true;
    engine.call("draw", { door, figure: figure.name, width }).answer.then(
      (svg) => {
        if (current && holder.current) holder.current.innerHTML = trustedSvg(svg);
      },
      () => {}, // an answer that has gone has no pictures; the next one draws its own
    );
    return () => {
      current = false;
    };
  }, [engine, door, figure.name, width, version]);
  const get = (as: "svg" | "csv" | "png"): Promise<string> =>
    engine.call("picture", { door, figure: figure.name, as }).answer;
  const name = `gosset-${door}-${figure.name.replace(/[^\w.-]+/g, "-")}`;
  return (
    <figure class="chart">
      <figcaption class={said ? "visually-hidden" : undefined}>{figure.title}</figcaption>
      <p>{figure.subtitle}</p>
      <Values engine={engine} door={door} figure={figure} version={version}>
        <div ref={holder} class="holder" />
      </Values>
      <Menu label="⋯" name={`Save the picture: ${figure.title}`} quiet>
        <MenuItem onSelect={async () => save(`${name}.svg`, await get("svg"), "image/svg+xml")}>SVG</MenuItem>
        <MenuItem onSelect={async () => save(`${name}.png`, await pngOf(await get("png")))}>PNG</MenuItem>
        <MenuItem onSelect={async () => save(`${name}.csv`, await get("csv"), "text/csv")}>Data (CSV)</MenuItem>
        <MenuItem onSelect={() => copyText(figure.description)}>Copy the description</MenuItem>
      </Menu>
    </figure>
  );
}
