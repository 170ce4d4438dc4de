/** A picture of the last answer, drawn anew by the engine at the width that it has, with a menu of its own. */
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

const LEAST_WIDTH = 280;
/** A change of less is not worth drawing anew. */
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
      <div ref={holder} class="holder" />
      <Menu label="⋯" name={`Save the picture: ${figure.title}`} quiet>
        <MenuItem onSelect={async () => save(`${name}.svg`, await get("svg"), "image/svg+xml")}>SVG</MenuItem>
        <MenuItem onSelect={async () => save(`${name}.png`, await pngOf(await get("png")))}>PNG</MenuItem>
        <MenuItem onSelect={async () => save(`${name}.csv`, await get("csv"), "text/csv")}>Data (CSV)</MenuItem>
        <MenuItem onSelect={() => copyText(figure.description)}>Copy the description</MenuItem>
      </Menu>
    </figure>
  );
}
