/** Models: a formula with completion of column names; the last good fit stays while a faulty one is written. */
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { DoorProps, PageDoor } from "../../app/door.ts";
import { useAnswer } from "../../app/use-answer.ts";
import type { Failure, OpenData, Question, Settings } from "../../engine/protocol.ts";
import { AnswerScreen } from "../../parts/answer.tsx";
import { ChoiceField, RowFields, Switches } from "../../parts/fields.tsx";
import { Prose, plainMessage } from "../../parts/texts.tsx";

export const modelsScreen: PageDoor = {
  name: "models",
  title: "Models",
  shared: ["model", "family"],
  needsData: true,
  Screen,
};

const MODELS: readonly (readonly [string, string])[] = [
  ["lm", "linear"],
  ["lmm", "linear, mixed"],
  ["glm", "counts or yes/no"],
  ["glmm", "counts or yes/no, mixed"],
  ["clm", "ordered steps"],
  ["clmm", "ordered steps, mixed"],
  ["gam", "smooth curves (GAM)"],
];

/** After the last key, before a fit is tried. */
const WAIT_MS = 350;

function Screen({ engine, store, settings, data, onCancel }: DoorProps) {
  const { told, seed } = store.choices;
  const begin = useMemo(() => usualFormula(data!), [data]);
  const given: Settings = settings["formula"] === undefined ? { ...begin, ...settings } : settings;
  const key = JSON.stringify(given);
  const question = useMemo(
    (): Question | undefined =>
      given["formula"] === undefined ? undefined : { door: "models", settings: given, told, seed },
    [key, told, seed],
  );
  const answering = useAnswer(engine, question, WAIT_MS);
  const formula = String(given["formula"] ?? "");
  // means are of fixed effects
  const fixed = formula.split("~")[1]?.replace(/\([^()|]*\|[^()]*\)/g, "") ?? "";
  const used = data!.columns.filter(({ name }) => fixed.includes(name));
  return (
    <AnswerScreen
      {...{ engine, store, data, answering, onCancel }}
      door="models"
      label="MODEL"
      empty={<h1>Write a formula.</h1>}
      rail={
        <>
          <section>
            <FormulaBox
              value={formula}
              fault={answering.failure}
              columns={data!.columns.map(({ name }) => name)}
              onChange={(next) => store.set({ ...begin, ...settings, formula: next }, true)}
            />
            <ChoiceField
              label="Model"
              value={(given["model"] as string | undefined) ?? "lm"}
              options={MODELS}
              onChange={(model) => store.set({ ...begin, ...settings, model })}
            />
            {/^glm|^gam/.test(String(given["model"])) ? (
              <ChoiceField
                label="Of"
                value={given["family"] as string | undefined}
                none="what the response is"
                options={[
                  ["binomial", "yes or no"],
                  ["poisson", "counts"],
                ]}
                onChange={(family) => store.set({ ...begin, ...settings, family })}
              />
            ) : null}
          </section>
          <section>
            <h2>Columns</h2>
            <Switches
              legend="Means and contrasts of"
              options={used.filter(({ kind, levels }) => kind === "factor" && levels <= 30).map(({ name }) => name)}
              chosen={(given["by"] as readonly string[] | undefined) ?? []}
              onChange={(by) => store.set({ ...begin, ...settings, by: by.length === 0 ? undefined : by })}
            />
            <Switches
              legend="Numbers that are categories"
              options={data!.columns
                .filter(({ kind, name }) => kind === "numeric" && formula.includes(name))
                .map(({ name }) => name)}
              chosen={(given["factors"] as readonly string[] | undefined) ?? []}
              onChange={(factors) =>
                store.set({ ...begin, ...settings, factors: factors.length === 0 ? undefined : factors })
              }
            />
            <RowFields settings={given} set={(changes) => store.set({ ...begin, ...settings, ...changes })} />
          </section>
        </>
      }
    />
  );
}

const quoted = (name: string): string => (/^[A-Za-z.][\w.]*$/.test(name) ? name : `\`${name}\``);

/** The score by the system, with items and raters as random effects where there are some. */
function usualFormula(data: OpenData): Settings {
  const role = (name: string): string | undefined => data.roles.find((own) => own.role === name)?.column;
  const [score, system, item, rater] = [role("score"), role("system"), role("item"), role("rater")];
  if (score === undefined || system === undefined) return {};
  const random = [item, rater].filter((name) => name !== undefined).map((name) => `(1 | ${quoted(name)})`);
  return {
    formula: [`${quoted(score)} ~ ${quoted(system)}`, ...random].join(" + "),
    model: random.length === 0 ? "lm" : "lmm",
  };
}

interface FormulaProps {
  readonly value: string;
  readonly columns: readonly string[];
  readonly fault: Failure | undefined;
  readonly onChange: (value: string) => void;
}

/** Where a fault lies in the text: at the position that the parser names, or at the word that it quotes. */
function placeOf({ message }: Failure, text: string): readonly [from: number, to: number] | undefined {
  const position = /\(position (\d+)\)/.exec(message)?.[1];
  const word = /"([^"]+)"/.exec(message)?.[1] ?? "";
  const at = position === undefined ? (word === "" ? -1 : text.lastIndexOf(word)) : Number(position) - 1;
  if (at < 0 || at > text.length) return undefined;
  const rest = text.slice(at);
  return [at, at + (/^(?:[\w.]+|`[^`]*`?|.)/.exec(rest)?.[0].length ?? 0)];
}

interface MarkedProps {
  readonly text: string;
  readonly place: readonly [from: number, to: number] | undefined;
  readonly children: ComponentChildren;
}

/** The same text behind the box, with a wavy line under the fault; past the end it stands under a space. */
function Marked({ text, place, children }: MarkedProps) {
  return (
    <div class="marked mt">
      {place === undefined ? null : (
        <div class="formula behind" aria-hidden="true">
          {text.slice(0, place[0])}
          <mark>{text.slice(...place) || "\u00a0\u00a0"}</mark>
          {text.slice(place[1])}
        </div>
      )}
      {children}
    </div>
  );
}

const MOST_OFFERED = 6;

/** Columns that go on from the word at the caret; Tab stays Tab, so that they are buttons. */
function FormulaBox({ value, columns, fault, onChange }: FormulaProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [at, setAt] = useState(0);
  const word = /(?<![\w.])[\w.]*$/.exec(value.slice(0, at))?.[0] ?? "";
  const offered = columns
    .filter((name) => name.toLowerCase().startsWith(word.toLowerCase()) && name !== word)
    .slice(0, MOST_OFFERED);
  const insert = (name: string): void => {
    const start = at - word.length;
    const text = quoted(name);
    onChange(value.slice(0, start) + text + value.slice(at));
    setAt(start + text.length);
    box.current?.focus();
  };
  return (
    <>
      <label for="formula" class="label">
        Formula
      </label>
      <Marked text={value} place={fault === undefined ? undefined : placeOf(fault, value)}>
        <textarea
          ref={box}
          id="formula"
          class="formula"
          spellcheck={false}
          autocomplete="off"
          value={value}
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? "formula-help" : "formula-fault formula-help"}
          onInput={(event) => {
            setAt(event.currentTarget.selectionStart);
            onChange(event.currentTarget.value);
          }}
          onSelect={(event) => setAt(event.currentTarget.selectionStart)}
        />
      </Marked>
      {fault === undefined ? null : (
        <p id="formula-fault" class="fault tiny">
          <Prose text={plainMessage(fault.message)} />
        </p>
      )}
      <fieldset class="complete" aria-label="Columns to insert">
        {offered.map((name) => (
          <button type="button" class="chip" key={name} onClick={() => insert(name)}>
            {name}
          </button>
        ))}
      </fieldset>
      <p id="formula-help" class="tiny mt">
        As in R: score ~ system * words + (1 | item); s(x) for a curve.
      </p>
    </>
  );
}
