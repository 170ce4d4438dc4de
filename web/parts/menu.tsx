/** A menu of actions: opens on click, Enter or Space; arrows walk, Esc closes and gives the focus back. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface MenuProps {
  readonly label: string;
  readonly children: ComponentChildren;
  /** For screen readers, where the label is a sign. */
  readonly name?: string;
  readonly primary?: boolean;
  readonly quiet?: boolean;
  readonly hint?: string;
  readonly id?: string;
  readonly disabled?: boolean;
}

export function Menu({ label, children, name, primary, quiet, hint, id, disabled }: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const items = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const close = (back: boolean): void => {
    setOpen(false);
    if (back) button.current?.focus();
  };
  useEffect(() => {
    if (!open) return;
    items()[0]?.focus();
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  });
  const walk = (event: KeyboardEvent): void => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      all[(next + all.length) % all.length]?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.stopPropagation();
      close(event.key === "Escape");
    }
  };
  return (
    <div class="menu" ref={root}>
      <button
        ref={button}
        id={id}
        type="button"
        class={`btn${primary ? " primary" : ""}${quiet ? " plain" : ""}`}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={name}
        disabled={disabled}
        onClick={() => setOpen(!open)}
      >
        {label}
        {hint === undefined ? null : <kbd>{hint}</kbd>}
      </button>
      {open && !disabled ? (
        <div role="menu" aria-label={name ?? label} tabIndex={-1} onKeyDown={walk} onClick={() => close(true)}>
          {children}
        </div>
      ) : null}
    </div>
  );
}

interface MenuItemProps {
  readonly children: ComponentChildren;
  readonly onSelect: () => unknown;
  readonly note?: string;
  readonly rule?: boolean;
}

export function MenuItem({ children, onSelect, note, rule }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={rule ? "rule" : undefined}
      onClick={() => void onSelect()}
    >
      {children}
      {note === undefined ? null : <span>{note}</span>}
    </button>
  );
}
