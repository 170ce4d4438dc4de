/** A sheet to label, one output at a time: a digit or a button is an answer, each is kept in this browser at once, and the sheet is saved as CSV. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Engine, isFailure } from "../../app/engine.ts";
import { keepLabels, recallLabels } from "../../app/recent.ts";
import { save } from "../../app/saving.ts";
import type { Failure, SheetView } from "../../engine/protocol.ts";
import { Fault } from "../../parts/texts.tsx";

export type LabelScale = "pass" | "five";

const ANSWERS: Readonly<Record<LabelScale, readonly (readonly [label: string, text: string])[]>> = {
  pass: [
    ["1", "Pass"],
    ["0", "Fail"],
  ],
  five: ["1", "2", "3", "4", "5"].map((grade) => [grade, grade] as const),
};

interface SheetProps {
  readonly engine: Engine;
  readonly path: string;
  readonly scale: LabelScale;
}

export function LabelSheet({ engine, path, scale }: SheetProps) {
  const [sheet, setSheet] = useState<SheetView | undefined>();
  const [failure, setFailure] = useState<Failure | undefined>();
  const [labels, setLabels] = useState<readonly string[]>([]);
  const [at, setAt] = useState(0);
  const [kept, setKept] = useState(true);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    let current = true;
    const open = async (): Promise<void> => {
      const view = await engine.call("sheet", { path }).answer;
      const known = await recallLabels(view.print);
      if (!current) return;
      const start = view.labels.map((own, k) => known?.[k] || own);
      setSheet(view);
      setLabels(start);
      setAt(Math.max(0, start.indexOf("")));
      setFailure(undefined);
    };
    open().catch((error: unknown) => {
      if (current && isFailure(error)) setFailure(error);
    });
    return () => {
      current = false;
    };
  }, [engine, path]);
  useEffect(() => box.current?.focus(), [sheet]);
  if (failure !== undefined) return <Fault failure={failure} stale={false} />;
  if (sheet === undefined) return <h1>One moment.</h1>;
  const count = sheet.lines.length;
  const done = labels.filter((own) => own !== "").length;
  const move = (to: number): void => setAt(Math.min(count - 1, Math.max(0, to)));
  const answer = (label: string): void => {
    const next = labels.map((own, k) => (k === at ? label : own));
    setLabels(next);
    keepLabels(sheet.print, next).then(
      () => setKept(true),
      () => setKept(false),
    );
    if (label !== "") move(at + 1);
  };
  const write = async (): Promise<void> => {
    const text = await engine.call("sheetCsv", { path, labels }).answer;
    save(path.replace(/^.*\//, "").replace(/(\.[a-z]+)?$/i, "-labeled.csv"), text, "text/csv");
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const known = ANSWERS[scale].some(([label]) => label === event.key);
    if (known) answer(event.key);
    else if (event.key === "ArrowLeft") move(at - 1);
    else if (event.key === "ArrowRight") move(at + 1);
    else if (event.key === "Backspace" || event.key === "Delete") answer("");
    // a digit beyond the scale would open another door
    else if (!/^[0-9]$/.test(event.key)) return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the sheet takes the keys
    <section ref={box} id="answer" class="sheet" tabIndex={0} aria-label="Sheet to label" onKeyDown={press}>
      <h1>
        Line {sheet.lines[at]} <small>of {count}</small>
      </h1>
      <p role="status">
        {done} of {count} labeled.{" "}
        {kept
          ? "Kept in this browser after each answer."
          : "This browser keeps nothing: save the sheet before you leave."}
      </p>
      {sheet.head.length === 0 ? <p>The sheet shows no texts. Draw it again with the columns to show.</p> : null}
      <dl class="shown">
        {sheet.head.map((name, j) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{sheet.rows[at]![j]}</dd>
          </div>
        ))}
      </dl>
      <fieldset class="bare answers" aria-label="Label">
        {ANSWERS[scale].map(([label, text]) => (
          <button
            type="button"
            key={label}
            class="btn"
            aria-pressed={labels[at] === label}
            onClick={() => answer(label)}
          >
            {text} {text === label ? null : <kbd>{label}</kbd>}
          </button>
        ))}
      </fieldset>
      <div class="answers">
        <button type="button" class="btn" disabled={at === 0} onClick={() => move(at - 1)}>
          Back <kbd>←</kbd>
        </button>
        <button type="button" class="btn" disabled={at === count - 1} onClick={() => move(at + 1)}>
          Next <kbd>→</kbd>
        </button>
        <button type="button" class="btn" onClick={() => void write()}>
          Save as CSV
        </button>
      </div>
    </section>
  );
}
