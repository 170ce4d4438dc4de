/** Single keys while no field has the focus; Ctrl or Cmd with Z everywhere. */
import { useLayoutEffect } from "preact/hooks";

export type Keys = Readonly<Record<string, () => void>>;

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches("input:not([type=radio],[type=checkbox],[type=range]),textarea,select") || target.isContentEditable);

export function useKeys(keys: Keys): void {
  useLayoutEffect(() => {
    let first = "";
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const held = event.ctrlKey || event.metaKey;
      if (held && event.key.toLowerCase() === "z" && !isField(event.target)) {
        event.preventDefault();
        keys[event.shiftKey ? "redo" : "undo"]?.();
        return;
      }
      if (held || event.altKey) return;
      if (event.key === "Escape") keys["Escape"]?.();
      if (isField(event.target)) return;
      const key = first + event.key.toLowerCase();
      first = event.key.toLowerCase() === "g" ? "g" : "";
      const act = keys[key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [keys]);
}
