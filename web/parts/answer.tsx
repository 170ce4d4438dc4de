/** One answer: sentence, number, picture, table, fine print, in that order on every screen. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Engine } from "../app/engine.ts";
import type { Store } from "../app/store.ts";
import { trustedSvg } from "../app/trusted.ts";
import type { Answering } from "../app/use-answer.ts";
import type { AnswerView, OpenData } from "../engine/protocol.ts";
import { AskForm } from "./ask-form.tsx";
import { Chart } from "./chart.tsx";
import { Decided } from "./decided.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { Bullets, Copy, Fault, Prose, Table, Warnings, Working } from "./texts.tsx";

interface AnswerProps {
  readonly engine: Engine;
  readonly store: Store;
  /** The open files, where there are some. */
  readonly data: OpenData | undefined;
  readonly door: string;
  readonly answering: Answering;
  /** The form. */
  readonly rail: ComponentChildren;
  /** After the answer's own pictures and tables. */
  readonly more?: ComponentChildren;
  /** Above the sentence, where there is no verdict. */
  readonly label?: string;
  /** The form stands at the left. */
  readonly plan?: boolean;
  /** A simulation can be stopped and keeps what it has. */
  readonly stoppable?: boolean;
  readonly empty?: ComponentChildren;
  readonly onCancel: () => void;
}

export function AnswerScreen(props: AnswerProps) {
  const { engine, store, data, door, answering, rail, more, label, plan, stoppable, empty, onCancel } = props;
  const { failure, busy, stale, progress, version, stop } = answering;
  const ask = failure?.ask;
  // an answer from before the question would be taken for one to it
  const view = ask === undefined ? answering.view : undefined;
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // the button of the last question is gone; keys go on from its answer
    if (ask === undefined && version > 0 && document.activeElement === document.body) answer.current?.focus();
  }, [ask === undefined]);
  const first = view?.figures[0];
  const paper = usePaper(engine, door, version);
  // what has not changed is not looked through again while a slider moves
  const verdict = useMemo(
    () => (view === undefined ? null : <Verdict {...{ engine, door, view, label, paper, stale }} />),
    [engine, door, view, label, paper, stale],
  );
  const rest = useMemo(
    () => (view === undefined ? null : <More {...{ engine, data, door, view, version, paper }}>{more}</More>),
    [engine, data, door, view, version, paper, more],
  );
  return (
    <div class={`split${plan ? " plan" : ""}${stale ? " stale" : ""}`}>
      <div id="answer" ref={answer} tabIndex={-1} aria-busy={busy}>
        {ask !== undefined ? (
          <AskForm ask={ask} onAnswer={store.tell} />
        ) : failure === undefined ? null : (
          <Fault failure={failure} stale={view !== undefined} />
        )}
        {view !== undefined ? verdict : ask === undefined ? <div class="verdict">{busy ? null : empty}</div> : null}
        {busy ? <Working progress={progress} onStop={stoppable ? stop : undefined} onCancel={onCancel} /> : null}
        {first === undefined ? null : (
          <Chart
            key={first.name}
            {...{ engine, door, version }}
            figure={first}
            said={saysSame(view!.sentence, first.title)}
          />
        )}
      </div>
      <aside class="rail" aria-label="Settings and warnings">
        {view === undefined || view.warnings.length === 0 ? null : <Warnings warnings={view.warnings} />}
        {rail}
      </aside>
      <div class="more">{rest}</div>
    </div>
  );
}

/** Answers come faster than this while a slider moves. */
const QUIET_MS = 250;

/** The sentence for a paper, once the answer stays. */
function usePaper(engine: Engine, door: string, version: number): string | undefined {
  const [paper, setPaper] = useState<string>();
  useEffect(() => {
    if (version === 0) return;
    let current = true;
    const timer = setTimeout(() => {
      const keep = (text: string | undefined): void => {
        if (current) setPaper(text);
      };
      engine.call("paper", { door }).answer.then(keep, () => keep(undefined));
    }, QUIET_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [engine, door, version]);
  return paper;
}

/** A picture whose title is the sentence above it need not repeat it. */
const saysSame = (sentence: string, title: string): boolean => sentence.startsWith(title.replace(/\.$/, ""));

/** Longer names must break somewhere on a phone. */
const LONGEST_UNBROKEN = 22;

/** The sentence, with short names of systems kept on one line. */
function Unbroken({ text, names }: { readonly text: string; readonly names: readonly string[] }) {
  const short = names.filter((name) => name.length > 0 && name.length <= LONGEST_UNBROKEN);
  if (short.length === 0) return <>{text}</>;
  const pattern = new RegExp(`(${short.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`);
  const parts = text.split(pattern);
  return (
    <>
      {parts.map((part, k) =>
        k % 2 === 1 ? (
          <span class="nowrap" key={`${k}-${part}`}>
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </>
  );
}

interface VerdictProps {
  readonly engine: Engine;
  readonly door: string;
  readonly view: AnswerView;
  readonly label: string | undefined;
  readonly paper: string | undefined;
  readonly stale: boolean;
}

function Verdict({ engine, door, view, label, paper, stale }: VerdictProps) {
  const { sign, sentence, number, lead } = view;
  return (
    <section class="verdict" aria-label="Answer">
      <div class="top">
        {sign === undefined ? (
          <span class="tag">{view.label ?? label ?? ""}</span>
        ) : (
          <span dangerouslySetInnerHTML={{ __html: trustedSvg(sign) }} />
        )}
        <ExportMenu engine={engine} door={door} view={view} paper={paper} disabled={stale} />
      </div>
      <div aria-live="polite">
        <h1>
          <Unbroken text={sentence} names={view.names} />
        </h1>
        {number === undefined ? null : (
          <div class="figure-row">
            <span class="figure">
              {number.text} <small>{number.unit}</small>
            </span>
            <span class="facts">
              {number.facts.map((fact) => (
                <span class="nowrap" key={fact}>
                  {fact}
                </span>
              ))}
            </span>
          </div>
        )}
      </div>
      {lead.map((text) => (
        <p class="lead" key={text}>
          <Prose text={text} />
        </p>
      ))}
    </section>
  );
}

interface MoreProps {
  readonly engine: Engine;
  readonly data: OpenData | undefined;
  readonly door: string;
  readonly view: AnswerView;
  readonly version: number;
  readonly paper: string | undefined;
  readonly children: ComponentChildren;
}

function More({ engine, data: files, door, view, version, paper, children }: MoreProps) {
  const { tables, figures, assumed, notes, facts, command, call, seed, version: own, data } = view;
  const others = figures.slice(1);
  return (
    <>
      {tables.length === 0 ? null : (
        <section class="block stack-24" aria-label="Tables">
          {tables.map((table, k) =>
            table.caption === "Assumed" ? (
              <details key={`${version}-${k}`}>
                <summary class="btn plain">Every number that went in</summary>
                <Table table={table} name="Every number that went in" />
              </details>
            ) : (
              <Table key={`${version}-${k}`} table={table} name="Numbers of the answer" />
            ),
          )}
        </section>
      )}
      {children}
      {others.length === 0 ? null : (
        <section class="block stack-32" aria-label="Pictures">
          {others.map((figure) => (
            <Chart key={figure.name} {...{ engine, door, version, figure }} />
          ))}
        </section>
      )}
      {paper === undefined ? null : (
        <section class="block">
          <h2 class="mb">For the paper</h2>
          <Copy text={paper} name="sentence" code={false} />
        </section>
      )}
      <div class="block two">
        <div class="stack-24">
          <Bullets title="What was assumed" texts={assumed} />
          <Bullets
            title="How it was found"
            texts={facts.map(({ label, text }) => `${label}: ${text.replace(/\.$/, "")}.`)}
          />
          <Bullets title="Notes" texts={notes} id="notes" />
          {files === undefined || files.texts || door === "plan" ? null : <Decided data={files} />}
        </div>
        <section>
          <h2 class="mb">The same numbers elsewhere</h2>
          <div class="stack">
            <Copy text={command} name="command" />
            <details>
              <summary class="btn plain">As a call of the library</summary>
              <Copy text={call} name="library call" />
            </details>
            <dl class="defs">
              {seed === undefined ? null : (
                <>
                  <dt>seed</dt>
                  <dd>{seed}</dd>
                </>
              )}
              <dt>version</dt>
              <dd>{own}</dd>
              {data === "" ? null : (
                <>
                  <dt>data</dt>
                  <dd>
                    <code>{data.slice(0, 16)}</code>
                  </dd>
                </>
              )}
            </dl>
          </div>
        </section>
      </div>
    </>
  );
}
