/** A question that must be answered before a verdict: the likely answers, the likeliest chosen but not acted upon. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { AskView, Told } from "../engine/protocol.ts";
import { capital, Prose } from "./texts.tsx";

interface AskFormProps {
  readonly ask: AskView;
  readonly onAnswer: (told: Told) => void;
  /** Below another heading. */
  readonly aside?: boolean;
}

const OTHER = "other";

export function AskForm({ ask, onAnswer, aside = false }: AskFormProps) {
  const Heading = aside ? "h2" : "h1";
  const id = useId();
  const { question, fix, answers, other } = ask;
  const first = answers.length > 0 ? "0" : OTHER;
  const [chosen, setChosen] = useState(first);
  const [column, setColumn] = useState("");
  const [role, setRole] = useState(other?.roles[0]?.name);
  const asked = useRef<HTMLHeadingElement>(null);
  const key = `${ask.id} ${question}`;
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    setChosen(first);
    setColumn("");
    setRole(other?.roles[0]?.name);
    // keys, and who listens, go on from the next question
    asked.current?.focus();
  }, [key]);
  const told = chosen === OTHER ? (column === "" ? undefined : { [role!]: column }) : answers[Number(chosen)]?.told;
  const [sentence, why] = split(capital(question));
  return (
    <form
      class="ask"
      aria-labelledby={`${id}-q`}
      onSubmit={(event) => {
        event.preventDefault();
        if (told !== undefined) onAnswer(told);
      }}
    >
      <Heading id={`${id}-q`} ref={asked} tabIndex={-1}>
        {sentence}
      </Heading>
      {why === "" ? null : <p>{why}</p>}
      {answers.length === 0 && other === undefined ? (
        <p>
          <Prose text={fix} />
        </p>
      ) : (
        <fieldset aria-labelledby={`${id}-q`}>
          {answers.map(({ text }, k) => (
            <label key={text}>
              <input type="radio" name={id} checked={chosen === String(k)} onChange={() => setChosen(String(k))} />
              {text}
              {k === 0 && answers.length > 1 ? <small>likely</small> : null}
            </label>
          ))}
          {other === undefined ? null : (
            <span class="other">
              {answers.length === 0 ? null : (
                <label>
                  <input type="radio" name={id} checked={chosen === OTHER} onChange={() => setChosen(OTHER)} />
                  another column
                </label>
              )}
              <select
                aria-label="Column"
                value={column}
                onChange={({ currentTarget: { value } }) => {
                  setColumn(value);
                  setChosen(OTHER);
                }}
              >
                <option value="">choose a column</option>
                {other.columns.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
              {other.roles.length < 2 ? null : (
                <label>
                  which is the
                  <select value={role} onChange={({ currentTarget: { value } }) => setRole(value as keyof Told)}>
                    {other.roles.map(({ name, text }) => (
                      <option key={name} value={name}>
                        {text}
                      </option>
                    ))}
                  </select>
                </label>
              )}
            </span>
          )}
        </fieldset>
      )}
      {answers.length === 0 && other === undefined ? null : (
        <button type="submit" class="btn primary" disabled={told === undefined}>
          Use this answer
        </button>
      )}
    </form>
  );
}

/** The question, and why it is asked. */
function split(text: string): [string, string] {
  const at = text.indexOf("? ");
  return at < 0 ? [text, ""] : [text.slice(0, at + 1), text.slice(at + 2)];
}
