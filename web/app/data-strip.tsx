/** The open files and the roles of their columns, changed where they stand. */
import { useState } from "preact/hooks";
import type { OpenData, RoleView, Told, ToldView } from "../engine/protocol.ts";
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
          {data.rows.toLocaleString("en")} {data.texts ? "lines" : "rows"}
        </small>
      </span>
      <Roles data={data} store={store} />
      <button type="button" class="chip add" onClick={onAdd}>
        Open others
      </button>
    </section>
  );
}

/** What each column is: as the file says, or as the user does, which can be taken back. */
export function Roles({ data, store }: Pick<StripProps, "data" | "store">) {
  const [adding, setAdding] = useState<RoleView>();
  const tell = (name: keyof Told, column: string): void => store.tell({ [name]: column });
  const { roles, told } = data;
  const known = roles.filter(({ yours }) => !yours);
  const absent = known.filter(({ column }) => column === undefined);
  return (
    <>
      {known.map((role) => (role.column === undefined ? null : <RoleChip key={role.role} {...{ role, data, tell }} />))}
      {told.map((one) => (
        <ToldChip key={one.name} told={one} onTakeBack={() => store.takeBack(one.name)} />
      ))}
      {adding !== undefined ? (
        <ColumnList role={adding} {...{ data, tell }} onClose={() => setAdding(undefined)} />
      ) : absent.length === 0 ? null : (
        <select
          class="chip add"
          aria-label="Name the column of another role"
          value=""
          onChange={({ currentTarget: { value } }) => setAdding(absent.find(({ role }) => role === value))}
        >
          <option value="">another role</option>
          {absent.map(({ role, text }) => (
            <option key={role} value={role}>
              {text}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

interface ChipProps {
  readonly role: RoleView;
  readonly data: OpenData;
  readonly tell: (name: keyof Told, column: string) => void;
}

/** Enter or a click opens the list of columns in place. */
function RoleChip({ role, data, tell }: ChipProps) {
  const [open, setOpen] = useState(false);
  const { text, column, count } = role;
  if (open) return <ColumnList {...{ role, data, tell }} onClose={() => setOpen(false)} />;
  return (
    <button type="button" class="chip" onClick={() => setOpen(true)}>
      <b>{text}</b>
      {column}
      {count === undefined ? "" : ` · ${count}`}
      <span class="visually-hidden">; change the column</span>
    </button>
  );
}

function ColumnList({ role, data, tell, onClose }: ChipProps & { readonly onClose: () => void }) {
  const { text, column, name } = role;
  return (
    <select
      class="chip"
      aria-label={`Column of the ${text}`}
      ref={(own) => own?.focus()}
      value={column ?? ""}
      onChange={({ currentTarget: { value } }) => {
        onClose();
        tell(name, value);
      }}
      onBlur={onClose}
      onKeyDown={({ key }) => {
        if (key === "Escape") onClose();
      }}
    >
      {column === undefined ? <option value="">column of the {text}</option> : null}
      {data.columns.map((own) => (
        <option key={own.name} value={own.name}>
          {own.name}
        </option>
      ))}
      <option value="none">none</option>
    </select>
  );
}

function ToldChip({ told: { role, text }, onTakeBack }: { readonly told: ToldView; readonly onTakeBack: () => void }) {
  return (
    <button type="button" class="chip yours" title="Take back" onClick={onTakeBack}>
      <b>{role}</b>
      {text}
      <span aria-hidden="true">×</span>
      <span class="visually-hidden">, as you said; take it back</span>
    </button>
  );
}
