/** Every key, on demand. */
import { useEffect, useRef } from "preact/hooks";
import { DOORS } from "../doors/doors.ts";

const KEYS: readonly (readonly [string, string])[] = [
  [`1 – ${DOORS.length}`, "doors, from the left"],
  ["0 – 5, ← →, Backspace", "on a sheet to label: answer, back and next, clear"],
  ["O", "open files"],
  ["E", "export"],
  ["C", "copy the command"],
  ["/", "filter the items"],
  ["G then A, R, M, N", "answer, roles, settings, notes"],
  ["↑ ↓", "change a number; with Shift ten times as much"],
  ["Ctrl or ⌘ Z, with Shift", "undo, redo"],
  ["Esc", "stop, close"],
];

export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} class="block" tabIndex={-1} aria-label="All keys">
      <h2 class="mb">All keys</h2>
      <dl class="defs">
        {KEYS.map(([key, text]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
      <button type="button" class="btn mt" onClick={onClose}>
        Close
      </button>
    </section>
  );
}
