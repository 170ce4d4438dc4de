/** The open files and the roles of their columns, changed where they stand. */
import { useState } from "preact/hooks";
import type { OpenData, RoleView } from "../engine/protocol.ts";
import type { Store } from "./store.ts";

interface StripProps {
  readonly data: OpenData;
  readonly store: Store;
  readonly onAdd: () => void;
}

export function DataStrip({ data, store, onAdd }: StripProps) {
  return (
    <section class="data" aria-label="Files and roles">
      <span class="file">
        {data.files.join("  ")}{" "}
        <small>
          {data.rows.toLocaleString("en")} {data.reference === undefined ? "rows" : "lines"}
        </small>
      </span>
      {data.roles.map((role) => (
        <RoleChip key={role.role} role={role} data={data} onChange={(column) => store.setRole(role.role, column)} />
      ))}
      <button type="button" class="chip add" onClick={onAdd}>
        Open others
      </button>
    </section>
  );
}

const ORIGINS = { file: "", assumed: ", assumed", yours: ", set by you" } as const;

interface ChipProps {
  readonly role: RoleView;
  readonly data: OpenData;
  readonly onChange: (column: string | undefined) => void;
}

/** Solid: the file says so; dashed: assumed; with a dot: set by you. Enter or a click opens the list of columns in place. */
export function RoleChip({ role, data, onChange }: ChipProps) {
  const [open, setOpen] = useState(false);
  const { role: name, column, count, origin, reason } = role;
  const kind = origin === "assumed" ? " assumed" : origin === "yours" ? " yours" : "";
  if (!open) {
    return (
      <button type="button" class={`chip${kind}`} title={reason} onClick={() => setOpen(true)}>
        <b>{name}</b>
        {column ?? "none"}
        {count === undefined ? "" : ` · ${count}`}
        <span class="visually-hidden">{ORIGINS[origin]}; change the column</span>
      </button>
    );
  }
  const choose = (next: string | undefined): void => {
    setOpen(false);
    onChange(next);
  };
  return (
    <select
      class="chip"
      aria-label={`Column of the ${name}`}
      ref={(own) => own?.focus()}
      value={column ?? "none"}
      onChange={(event) => choose(event.currentTarget.value === "" ? undefined : event.currentTarget.value)}
      onBlur={() => setOpen(false)}
      onKeyDown={(event) => {
        if (event.key === "Escape") setOpen(false);
      }}
    >
      {data.columns.map((own) => (
        <option key={own.name} value={own.name}>
          {own.name}
        </option>
      ))}
      <option value="none">none</option>
      {origin === "yours" ? <option value="">as the file says</option> : null}
    </select>
  );
}
