/** Small parts of every screen: code to copy, tables, warnings, lists, progress. */
import { useState } from "preact/hooks";
import { copyText } from "../app/saving.ts";
import type { Failure, Progress, TableView } from "../engine/protocol.ts";

/** What the library writes as code (`item`) is shown as code. */
export function Prose({ text }: { readonly text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return <>{parts.map((part, k) => (k % 2 === 1 ? <code key={part}>{part}</code> : part))}</>;
}

/** A sentence begins with a capital, the name of a file as the user wrote it. */
export const capital = (text: string): string =>
  /^(?=[^\s._/]*[._/])\S+\s/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

const COPIED_MS = 2000;

export function Copy({
  text,
  name,
  code = true,
}: {
  readonly text: string;
  readonly name: string;
  readonly code?: boolean;
}) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div class="copy">
      {code ? (
        <pre>
          <code>{text}</code>
        </pre>
      ) : (
        <p>{text}</p>
      )}
      <button type="button" class="btn" aria-label={`Copy the ${name}`} onClick={() => void copy()}>
        {copied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}

export function Table({ table, name }: { readonly table: TableView; readonly name: string }) {
  const { columns, rows, caption } = table;
  const label = caption ?? name;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reached by keys
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table>
        {caption === undefined ? null : <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ head, numeric }, j) =>
              head === "" ? (
                <td key={j} class="no-head" />
              ) : (
                <th key={j} scope="col" class={numeric ? "num" : undefined}>
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, i) => (
            <tr key={i}>
              {columns.map(({ numeric, cells }, j) =>
                j === 0 && !numeric ? (
                  <th key={j} scope="row">
                    {cells[i]}
                  </th>
                ) : (
                  <td key={j} class={numeric ? "num" : undefined}>
                    {cells[i]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const MOST_WARNINGS = 3;

export function Warnings({ warnings }: { readonly warnings: readonly Failure[] }) {
  const [all, setAll] = useState(false);
  const more = warnings.length - MOST_WARNINGS;
  const shown = all ? warnings : warnings.slice(0, MOST_WARNINGS);
  return (
    <div class="stack" id="warnings">
      {shown.map(({ message, fix }) => (
        <div class="warning" key={message}>
          <WarnSign />
          <p>
            <b>
              <Prose text={message} />
            </b>{" "}
            <Prose text={fix} />
          </p>
        </div>
      ))}
      {more > 0 && !all ? (
        <button type="button" class="btn plain" onClick={() => setAll(true)}>
          and {more} more
        </button>
      ) : null}
    </div>
  );
}

const WarnSign = () => (
  <svg viewBox="0 0 18 18" aria-hidden="true">
    <path d="M9 2L17 16H1z" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" />
    <path d="M9 7v4.5M9 13v1.5" stroke="currentColor" stroke-width="1.5" />
  </svg>
);

/** Without the line and the caret that a terminal shows below it. */
export const plainMessage = (message: string): string => capital(message.replace(/\n {4}[^\n]*\n *\^/, ""));

/** In place, never a dialog; the last good answer stays below it. */
export function Fault({ failure, stale }: { readonly failure: Failure; readonly stale: boolean }) {
  return (
    <div class="stop" role="alert">
      <svg viewBox="0 0 18 18" aria-hidden="true">
        <path d="M6 1h6l5 5v6l-5 5H6l-5-5V6z" fill="none" stroke="currentColor" stroke-width="1.5" />
        <path d="M9 5v5M9 12v1.5" stroke="currentColor" stroke-width="1.5" />
      </svg>
      <p>
        <b>
          <Prose text={plainMessage(failure.message)} />
        </b>{" "}
        <Prose text={capital(failure.fix)} />
        {stale ? " The answer below is from before this change." : ""}
      </p>
    </div>
  );
}

export function Bullets({
  title,
  texts,
  id,
}: {
  readonly title: string;
  readonly texts: readonly string[];
  readonly id?: string;
}) {
  if (texts.length === 0) return null;
  return (
    <section id={id}>
      <h2>{title}</h2>
      <ul class="bullets">
        {texts.map((text) => (
          <li key={text}>
            <Prose text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface WorkingProps {
  readonly progress: Progress | undefined;
  readonly onStop: (() => void) | undefined;
  readonly onCancel: () => void;
}

export function Working({ progress, onStop, onCancel }: WorkingProps) {
  const part = progress === undefined || progress.total === 0 ? undefined : progress;
  return (
    <div class="progress">
      <span role="status">
        {progress?.sofar ??
          (part === undefined
            ? "Computing."
            : `${part.done.toLocaleString("en")} of ${part.total.toLocaleString("en")}.`)}
      </span>
      {onStop === undefined ? (
        <button type="button" class="btn" onClick={onCancel}>
          Cancel <kbd>Esc</kbd>
        </button>
      ) : (
        <button type="button" class="btn" onClick={onStop}>
          Stop here <kbd>Esc</kbd>
        </button>
      )}
      <progress aria-label="Progress" max={part?.total ?? 1} {...(part === undefined ? {} : { value: part.done })} />
    </div>
  );
}
