/** Why each column is what it is, and the user's answers as a file. */
import { save } from "../app/saving.ts";
import type { OpenData } from "../engine/protocol.ts";

export function Decided({ data: { decided, reading } }: { readonly data: OpenData }) {
  return (
    <details class="decided">
      <summary class="btn plain">What decided each role</summary>
      {decided.length === 0 ? (
        <p>The format of the file says what its columns are.</p>
      ) : (
        <ul class="bullets">
          {decided.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {reading === "" ? null : (
        <p class="mt">
          <button type="button" class="btn" onClick={() => save("reading.yaml", reading)}>
            Save reading.yaml
          </button>
          <small>What the columns are. Open it after the next file of this kind.</small>
        </p>
      )}
    </details>
  );
}
