/** Fields of forms: a number with its exact box and slider, a choice, a switch. A decimal comma is a decimal point; what was typed stays. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { flagNameOf, keyOfFlag, type OptionSpec } from "../../src/questions.ts";

/** "1,5" and "1.5"; undefined where it is no number. Thousands are not grouped in a field. */
export function parseNumber(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/^[\u2212\u2013]/, "-")
    .replace(",", ".");
  if (plain === "" || !/^-?(\d+(\.\d*)?|\.\d+)(e-?\d+)?%?$/i.test(plain)) return undefined;
  return plain.endsWith("%") ? Number(plain.slice(0, -1)) / 100 : Number(plain);
}

export interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  /** undefined: the field was emptied. */
  readonly onChange: (value: number | undefined, slide?: boolean) => void;
  readonly unit?: string | undefined;
  readonly help?: ComponentChildren;
  readonly where?: ComponentChildren;
  readonly step?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly slider?: { readonly min: number; readonly max: number; readonly step: number } | undefined;
  readonly placeholder?: string | undefined;
  readonly whole?: boolean | undefined;
}

const clamp = (value: number, min = -Infinity, max = Infinity): number => Math.min(max, Math.max(min, value));
/** Twelve digits hide that 0.1 + 0.2 is not 0.3. */
const tidy = (value: number): number => Number(value.toPrecision(12));

export function NumberField(props: NumberFieldProps) {
  const { label, value, onChange, unit, help, where, step = 1, min, max, slider, placeholder, whole } = props;
  const id = useId();
  const [text, setText] = useState(value === undefined ? "" : String(value));
  const typed = useRef<number | undefined>(value);
  useEffect(() => {
    if (value !== typed.current) setText(value === undefined ? "" : String(value));
    typed.current = value;
  }, [value]);
  const number = parseNumber(text);
  const fault =
    text.trim() === ""
      ? undefined
      : number === undefined
        ? "This is not a number."
        : whole && !Number.isInteger(number)
          ? "A whole number, please."
          : number < (min ?? -Infinity) || number > (max ?? Infinity)
            ? `It lies between ${min ?? "−∞"} and ${max ?? "∞"}.`
            : undefined;
  const change = (next: string): void => {
    setText(next);
    const parsed = parseNumber(next);
    if (next.trim() !== "" && (parsed === undefined || (whole && !Number.isInteger(parsed)))) return;
    if (parsed !== undefined && (parsed < (min ?? -Infinity) || parsed > (max ?? Infinity))) return;
    typed.current = parsed;
    onChange(parsed);
  };
  const move = (by: number): void => {
    const next = clamp(tidy((number ?? 0) + by), min ?? slider?.min, max ?? slider?.max);
    typed.current = next;
    setText(String(next));
    onChange(next, true);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="in">
        <input
          id={id}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          value={text}
          placeholder={placeholder}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-h`}
          onInput={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
            event.preventDefault();
            move((event.key === "ArrowUp" ? 1 : -1) * step * (event.shiftKey ? 10 : 1));
          }}
        />
        {unit === undefined ? null : <span class="unit">{unit}</span>}
      </span>
      {slider === undefined ? null : (
        <input
          type="range"
          aria-label={`${label}, slider`}
          min={slider.min}
          max={slider.max}
          step={slider.step}
          value={value ?? slider.min}
          onInput={(event) => {
            const next = Number(event.currentTarget.value);
            typed.current = next;
            setText(String(next));
            onChange(next, true);
          }}
        />
      )}
      <span class="help" id={`${id}-h`}>
        {fault === undefined ? help : <span class="fault">{fault}</span>}
      </span>
      {where === undefined ? null : (
        <details>
          <summary>Where do I get this number?</summary>
          <div>{where}</div>
        </details>
      )}
    </div>
  );
}

export interface ChoiceFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string | undefined) => void;
  /** What stands where nothing is chosen. */
  readonly none?: string | undefined;
  readonly help?: ComponentChildren;
}

export function ChoiceField({ label, value, options, onChange, none, help }: ChoiceFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value || undefined)}>
        {none === undefined ? null : <option value="">{none}</option>}
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      {help === undefined ? null : <span class="help">{help}</span>}
    </div>
  );
}

export interface TextFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly placeholder?: string;
  readonly help?: ComponentChildren;
}

/** A line of text that counts once it is finished: Enter, or when the field is left. What is half typed stays while answers arrive. */
export function TextField({ label, value, onChange, placeholder, help }: TextFieldProps) {
  const id = useId();
  const [text, setText] = useState(value ?? "");
  useEffect(() => setText(value ?? ""), [value]);
  return (
    <div class="field stacked">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        class="line"
        autocomplete="off"
        spellcheck={false}
        value={text}
        placeholder={placeholder}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => onChange(event.currentTarget.value.trim() || undefined)}
      />
      {help === undefined ? null : <span class="help">{help}</span>}
    </div>
  );
}

interface RowFieldsProps {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly set: (changes: Record<string, string | undefined>) => void;
}

/** Rows to keep and a column to compute, as --where and --mutate have them. */
export function RowFields({ settings, set }: RowFieldsProps) {
  const open = settings["where"] !== undefined || settings["mutate"] !== undefined;
  return (
    <details class="more-numbers" open={open}>
      <summary class="btn plain">Some rows only</summary>
      <div>
        <TextField
          label="Rows where"
          value={settings["where"] as string | undefined}
          placeholder="split == 'test' & words > 300"
          onChange={(where) => set({ where })}
        />
        <TextField
          label="Computed column"
          value={settings["mutate"] as string | undefined}
          placeholder="gain = new - old"
          onChange={(mutate) => set({ mutate })}
        />
      </div>
    </details>
  );
}

export interface SwitchesProps {
  readonly legend: string;
  readonly options: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Several of several: columns, mostly. */
export function Switches({ legend, options, chosen, onChange }: SwitchesProps) {
  if (options.length === 0) return null;
  return (
    <fieldset class="switches">
      <legend>{legend}</legend>
      {options.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, name] : chosen.filter((own) => own !== name))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

export interface ChoicesProps {
  readonly legend: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string; readonly small?: string | undefined }[];
  readonly onChange: (value: string) => void;
}

/** One of a few that deserve a line of explanation each. */
export function Choices({ legend, value, options, onChange }: ChoicesProps) {
  const name = useId();
  return (
    <fieldset class="bare">
      <legend class="label">{legend}</legend>
      <div class="choices">
        {options.map((one) => (
          <label key={one.value}>
            <input
              type="radio"
              name={name}
              value={one.value}
              checked={one.value === value}
              onChange={() => onChange(one.value)}
            />
            {one.text}
            {one.small === undefined ? null : <small>{one.small}</small>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface OptionFieldProps {
  readonly name: string;
  readonly spec: OptionSpec;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly set: (changes: Record<string, string | number | undefined>, slide?: boolean) => void;
  /** Where the data say what there is to choose. */
  readonly options?: readonly (readonly [value: string, text: string])[];
}

/** The field of an option as its table tells it: words to choose from, or a number. */
export function OptionField({ name, spec, settings, set, options }: OptionFieldProps) {
  const key = keyOfFlag(flagNameOf(name, spec));
  const { label, none, words = {}, ...limits } = spec.page!;
  const choices = options ?? Object.entries(words);
  return choices.length > 0 ? (
    <ChoiceField
      {...{ label, none, options: choices }}
      value={settings[key] as string | undefined}
      onChange={(value) => set({ [key]: value })}
    />
  ) : (
    <NumberField
      {...{ label, ...limits }}
      placeholder={none}
      value={settings[key] as number | undefined}
      onChange={(value, slide) => set({ [key]: value }, slide)}
    />
  );
}
