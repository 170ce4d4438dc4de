/** Settings as a file that people keep beside their code: saved, opened, or dropped on the window. */
import { useEffect, useState } from "preact/hooks";
import { save } from "../app/saving.ts";

interface DocumentProps {
  readonly title: string;
  /** Of the file that is saved. */
  readonly name: string;
  readonly text: string | undefined;
  readonly help: string;
  /** Where the text itself is what is edited. */
  readonly onEdit?: ((text: string) => void) | undefined;
}

const LINES = 24;

export function Document({ title, name, text, help, onEdit }: DocumentProps) {
  const [shown, setShown] = useState(text ?? "");
  useEffect(() => setShown(text ?? ""), [text]);
  return (
    <section class="document">
      <h2>{title}</h2>
      {onEdit === undefined ? (
        text === undefined ? null : (
          <details>
            <summary class="btn plain">Show {name}</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reached by keys */}
            <pre class="scroll" tabIndex={0}>
              <code>{text}</code>
            </pre>
          </details>
        )
      ) : (
        <textarea
          class="formula"
          aria-label={name}
          spellcheck={false}
          rows={Math.min(LINES, shown.split("\n").length + 1)}
          value={shown}
          onInput={(event) => {
            setShown(event.currentTarget.value);
            onEdit(event.currentTarget.value);
          }}
        />
      )}
      <p class="row mt">
        <button
          type="button"
          class="btn"
          disabled={text === undefined}
          onClick={() => save(name, text ?? "", "application/yaml")}
        >
          Save {name}
        </button>
        <button type="button" class="btn plain" onClick={() => document.getElementById("picker")?.click()}>
          Open one
        </button>
      </p>
      <p class="tiny mt">{help}</p>
    </section>
  );
}
