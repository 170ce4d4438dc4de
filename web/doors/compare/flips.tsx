/** The items on which the systems differ, with a filter; names of items stay on this screen and out of exports unless asked for. */
import { useEffect, useState } from "preact/hooks";
import type { Engine } from "../../app/engine.ts";
import { save } from "../../app/saving.ts";
import type { FlipsView } from "../../engine/protocol.ts";

interface FlipsProps {
  readonly engine: Engine;
  readonly version: number;
  readonly total: number;
  /** The systems of the one pair: better first. */
  readonly sides: readonly [string, string];
  /** One list: of several pairs, or where nobody knows what is better. */
  readonly together: boolean;
}

const SHOWN = 8;
const WAIT_MS = 120;

export function Flips({ engine, version, total, sides, together }: FlipsProps) {
  const [filter, setFilter] = useState("");
  const csv = async (): Promise<void> => save("gosset-items.csv", await engine.call("flipsCsv", {}).answer, "text/csv");
  return (
    <section class="block" aria-labelledby="flips-title">
      <header>
        <h2 id="flips-title">
          {together
            ? `${total.toLocaleString("en")} differences on single items`
            : `The ${total.toLocaleString("en")} items that differ`}
        </h2>
        <div class="tools row">
          <input
            class="filter"
            type="search"
            aria-label="Filter items"
            placeholder="Filter items"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
          <button type="button" class="btn" onClick={() => void csv()}>
            All as CSV
          </button>
        </div>
      </header>
      {together ? (
        <Side {...{ engine, version, filter }} better="" title="furthest apart first" />
      ) : (
        <div class="two">
          {sides.map((better) => (
            <Side key={better} {...{ engine, version, filter, better }} title={`better with ${better}`} />
          ))}
        </div>
      )}
    </section>
  );
}

interface SideProps extends Pick<FlipsProps, "engine" | "version"> {
  readonly filter: string;
  readonly better: string;
  readonly title: string;
}

function Side({ engine, version, filter, better, title }: SideProps) {
  const [view, setView] = useState<FlipsView>();
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      engine.call("flips", { filter, better, most: SHOWN }).answer.then(
        (next) => {
          if (current) setView(next);
        },
        () => {}, // an answer that has gone has no items
      );
    }, WAIT_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [engine, version, filter, better]);
  if (view === undefined) return <div />;
  const hidden = new Set(better === "" ? [] : ["system", "baseline", "better"]);
  const shown = view.head.map((name, j) => ({ name, j })).filter(({ name }) => !hidden.has(name));
  const numeric = new Set(["score", "baseline score", "difference"]);
  return (
    <div>
      <h3 class="mb" aria-live="polite">
        {view.total.toLocaleString("en")} {title}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reached by keys */}
      <section class="scroll" tabIndex={0} aria-label={`Items ${title}`}>
        <table>
          <thead>
            <tr>
              {shown.map(({ name }) => (
                <th key={name} scope="col" class={numeric.has(name) ? "num" : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {view.shown.map((row, i) => (
              <tr key={i}>
                {shown.map(({ name, j }) => (
                  <td key={name} class={numeric.has(name) ? "num" : undefined}>
                    {name === "item" ? <code>{row[j]}</code> : row[j]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="tiny faint mt">
        {Math.min(SHOWN, view.total)} of {view.total.toLocaleString("en")}, furthest apart first
      </p>
    </div>
  );
}
