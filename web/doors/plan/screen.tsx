/** Plan: is the experiment big enough? Exact scenarios answer while a slider moves; simulated ones stream in and can be stopped. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type ParameterSpec, SCENARIO_SPECS, type ScenarioSpec } from "../../../src/scenarios.ts";
import type { DoorProps, PageDoor } from "../../app/door.ts";
import type { Store } from "../../app/store.ts";
import { useAnswer } from "../../app/use-answer.ts";
import type { Question, Settings } from "../../engine/protocol.ts";
import { AnswerScreen } from "../../parts/answer.tsx";
import { Document } from "../../parts/document.tsx";
import { ChoiceField, Choices, NumberField } from "../../parts/fields.tsx";
import { GUIDED, type Guided, OTHERS, WHERE } from "./guidance.ts";

const ALL = [...GUIDED, ...OTHERS];
const NAMES = [...new Set(SCENARIO_SPECS.flatMap(({ parameters }) => parameters.map(({ name }) => name)))];
const OWN = [
  "scenario",
  "ask",
  "power",
  "method",
  "replicates",
  "costItem",
  "costRater",
  "costRating",
  "budget",
  "from",
  "to",
];

export const planScreen: PageDoor = {
  name: "plan",
  title: "Plan",
  shared: [...OWN, ...NAMES],
  needsData: false,
  Screen,
};

/** After the last movement, before an experiment is simulated again. */
const SIMULATED_WAIT_MS = 350;

function Screen({ engine, store, settings, data, onCancel }: DoorProps) {
  const { told, seed } = store.choices;
  const guided = ALL.find(({ name }) => name === settings["scenario"]) ?? GUIDED[0]!;
  const document = settings["document"] as string | undefined;
  const given =
    document === undefined && settings["scenario"] === undefined
      ? { ...guided.start, ...settings, scenario: guided.name }
      : settings;
  const key = JSON.stringify(given);
  const question = useMemo((): Question => ({ door: "plan", settings: given, told, seed }), [key, told, seed]);
  const method = useRef<unknown>(undefined);
  if (guided.simulated && given["ask"] !== "curve") engine.needHelpers();
  const answering = useAnswer(engine, question, method.current === "simulation" ? SIMULATED_WAIT_MS : 0);
  useEffect(() => {
    method.current = answering.view?.own["method"];
  }, [answering.view]);
  const plan = answering.view?.own["plan"] as string | undefined;
  const canPilot = data !== undefined;
  // the form is the same while its numbers are
  const rail = useMemo(
    () =>
      document === undefined ? (
        <>
          <Form {...{ store, guided, canPilot }} settings={given} />
          <Document
            title="The plan as a file"
            name="plan.yaml"
            text={plan}
            help="For gosset plan lock and compare --plan: right or wrong answers, and scores for each item. A plan that is opened or dropped here is checked."
          />
        </>
      ) : (
        <>
          <Document
            title="The plan as a file"
            name="plan.yaml"
            text={document}
            onEdit={(text) => store.set({ document: text }, true)}
            help="What is written here is checked as it stands; gosset plan lock fixes it before there are results."
          />
          <section>
            <button type="button" class="btn" onClick={() => store.set({ document: undefined })}>
              Back to the form
            </button>
          </section>
        </>
      ),
    [key, plan, canPilot],
  );
  return (
    <AnswerScreen
      {...{ engine, store, data, answering, onCancel, rail }}
      door="plan"
      plan
      stoppable={document === undefined && (guided.simulated === true || given["method"] === "simulation")}
    />
  );
}

interface FormProps {
  readonly store: Store;
  readonly settings: Settings;
  readonly guided: Guided;
  readonly canPilot: boolean;
}

const VERBS = [
  { value: "power", text: "How often would it be found?", small: "power" },
  { value: "mde", text: "What is the smallest difference it can show?", small: "minimum detectable effect" },
  { value: "size", text: "How big must it be?", small: "sample size" },
  { value: "curve", text: "How does that change with its size?", small: "power curve" },
  { value: "design", text: "What is best for the money?", small: "items, raters and ratings by their prices" },
];

function Form({ store, settings, guided, canPilot }: FormProps) {
  const spec = SCENARIO_SPECS.find(({ name }) => name === guided.name)!;
  const verb = (settings["ask"] as string | undefined) ?? "power";
  const { set } = store;
  const change = (name: string): void => {
    const next = ALL.find((one) => one.name === name)!;
    const cleared = Object.fromEntries(
      [...NAMES, "pilot", "systems", "method", "from", "to"].map((own) => [own, undefined]),
    );
    const kept = verb === "design" && !next.priced ? { ask: undefined } : {};
    set({ ...cleared, ...next.start, scenario: name, ...kept } as Settings);
  };
  const shown = parametersOf(spec, verb, settings);
  return (
    <>
      <section>
        <Choices
          legend="What will you measure?"
          value={guided.name}
          options={GUIDED.map(({ name, text, small }) => ({ value: name, text, small }))}
          onChange={change}
        />
        <ChoiceField
          label="Something else"
          value={OTHERS.some(({ name }) => name === guided.name) ? guided.name : undefined}
          none="choose"
          options={OTHERS.map(({ name, text }) => [name, text] as const)}
          onChange={(name) => change(name ?? GUIDED[0]!.name)}
        />
      </section>
      <section>
        <Choices
          legend="What do you want to know?"
          value={verb}
          options={VERBS.filter(({ value }) => value !== "design" || guided.priced)}
          onChange={(ask) => set(ask === "curve" ? { ask, ...rangeOf(spec, settings, guided) } : { ask })}
        />
      </section>
      <section>
        <h2>Numbers</h2>
        {shown.main.map((own) => (
          <Parameter key={own.name} own={own} spec={spec} settings={settings} set={set} guided={guided} />
        ))}
        {verb === "mde" || verb === "size" || verb === "design" ? <Target settings={settings} set={set} /> : null}
        {verb === "curve" ? <Range settings={settings} set={set} spec={spec} /> : null}
        {verb === "design" ? <Prices settings={settings} set={set} /> : null}
        {canPilot && (guided.name === "likert" || guided.name === "ordinal") ? (
          <label class="check">
            <input
              type="checkbox"
              checked={settings["pilot"] === true}
              onChange={({ currentTarget: { checked } }) =>
                set({ pilot: checked || undefined, ...(checked ? { setting: undefined } : {}) })
              }
            />
            Take the spread from the open file
          </label>
        ) : null}
        <details class="more-numbers">
          <summary class="btn plain">More numbers</summary>
          <div>
            {shown.rest.map((own) => (
              <Parameter key={own.name} own={own} spec={spec} settings={settings} set={set} guided={guided} />
            ))}
            <ChoiceField
              label="Found by"
              value={settings["method"] as string | undefined}
              none="the best there is"
              options={[
                ["exact", "exact"],
                ["approx", "approximation"],
                ["simulation", "simulation"],
              ]}
              onChange={(method) => set({ method })}
            />
            <NumberField
              label="Experiments to simulate"
              value={settings["replicates"] as number | undefined}
              whole
              min={50}
              max={1_000_000}
              step={100}
              placeholder="usual"
              onChange={(replicates, slide) => set({ replicates }, slide)}
            />
          </div>
        </details>
      </section>
    </>
  );
}

/** What is asked for is not given; what has no default stands first. */
function parametersOf(spec: ScenarioSpec, verb: string, settings: Settings) {
  const hidden = new Set(
    verb === "mde"
      ? [spec.effect, "beta", "oddsRatio"]
      : verb === "size" || verb === "curve"
        ? [spec.size]
        : verb === "design"
          ? ["items", "raters", "ratings", "design", "perRater", "listLength"]
          : [],
  );
  const left = spec.parameters.filter(({ name }) => !hidden.has(name));
  const first = [spec.effect, spec.size, ...(spec.otherSizes ?? [])];
  const isMain = ({ name }: ParameterSpec): boolean =>
    first.includes(name) || settings[name] !== undefined || name === "setting";
  const main = left.filter(isMain).sort((a, b) => rank(first, a.name) - rank(first, b.name));
  return { main, rest: left.filter((own) => !isMain(own)) };
}

const rank = (first: readonly string[], name: string): number =>
  first.includes(name) ? first.indexOf(name) : first.length;

interface ParameterProps {
  readonly own: ParameterSpec;
  readonly spec: ScenarioSpec;
  readonly settings: Settings;
  readonly guided: Guided;
  readonly set: Store["set"];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** "true difference in accuracy" of "true difference in accuracy, new minus baseline". */
const labelOf = ({ meaning }: ParameterSpec): string =>
  capital(
    meaning
      .split(/[,;:(]/)[0]!
      .trim()
      .replaceAll("`", ""),
  );

function Parameter({ own, spec, settings, guided, set }: ParameterProps) {
  const value = settings[own.name];
  const usual = own.default === undefined ? undefined : String(own.default);
  const after = own.meaning.replace(/^[^,;:(]*[,;:(]?/, "");
  const help = [capital(after.trim().replaceAll("`", "")), own.hint].filter(Boolean).join("; ");
  if (own.kind === "choice" || own.kind === "switch") {
    const options = own.kind === "switch" ? [["true", "yes"] as const] : own.choices!.map((one) => [one, one] as const);
    return (
      <ChoiceField
        label={labelOf(own)}
        value={value === undefined ? undefined : String(value)}
        none={own.kind === "switch" ? "no" : (usual ?? "none")}
        options={options.filter(([one]) => one !== usual)}
        onChange={(next) => set({ [own.name]: own.kind === "switch" ? (next === "true" ? true : undefined) : next })}
        help={help}
      />
    );
  }
  if (own.kind === "text") {
    return (
      <div class="field">
        <label for={`p-${own.name}`}>{labelOf(own)}</label>
        <span class="in">
          <input
            id={`p-${own.name}`}
            type="text"
            value={String(value ?? "")}
            placeholder={usual}
            onChange={(event) => set({ [own.name]: event.currentTarget.value || undefined })}
          />
        </span>
        <span class="help">{help}</span>
      </div>
    );
  }
  const where = WHERE[own.name];
  const slides = own.name === spec.effect || own.name === spec.size;
  return (
    <NumberField
      label={labelOf(own)}
      value={value as number | undefined}
      unit={own.kind === "share" ? "of 1" : own.unit === "sd" ? "SD" : undefined}
      whole={own.kind === "count"}
      min={own.kind === "count" ? 1 : own.kind === "share" || own.kind === "positive" ? 0 : undefined}
      max={own.kind === "share" ? 1 : undefined}
      step={stepOf(own, guided)}
      slider={slides ? sliderOf(own, guided) : undefined}
      placeholder={usual ?? "none"}
      onChange={(next, slide) => set({ [own.name]: next }, slide)}
      help={help}
      where={where === undefined ? undefined : <Ways ways={where} />}
    />
  );
}

const Ways = ({ ways }: { readonly ways: readonly (readonly [string, string])[] }) => (
  <ul>
    {ways.map(([first, rest]) => (
      <li key={first}>
        <strong>{first}</strong> {rest}
      </li>
    ))}
  </ul>
);

/** A tenth of the number to begin with, as a round number. */
function stepOf({ name, kind }: ParameterSpec, { start }: Guided): number {
  if (kind === "share") return 0.01;
  const usual = start[name];
  if (typeof usual !== "number" || usual === 0) return kind === "count" ? 1 : 0.1;
  const step = 10 ** Math.floor(Math.log10(usual / 4));
  return kind === "count" ? Math.max(1, step) : step;
}

function sliderOf(own: ParameterSpec, guided: Guided) {
  const usual = Number(guided.start[own.name] ?? 1);
  const step = stepOf(own, guided);
  if (own.name === "win") return { min: 0.51, max: 0.95, step: 0.01 };
  const most = own.kind === "share" || own.name === "rho" ? 0.99 : Number((usual * 5).toPrecision(2));
  return { min: step, max: most, step };
}

function Target({ settings, set }: Pick<ParameterProps, "settings" | "set">) {
  return (
    <NumberField
      label="Power wanted"
      value={(settings["power"] as number | undefined) ?? 0.8}
      min={0.06}
      max={0.999}
      step={0.05}
      slider={{ min: 0.5, max: 0.99, step: 0.01 }}
      onChange={(power, slide) => set({ power }, slide)}
      help="How often a difference of that size should be found."
      where={<Ways ways={WHERE["power"]!} />}
    />
  );
}

/** From a quarter of the size given to four times it. */
function rangeOf(spec: ScenarioSpec, settings: Settings, { start }: Guided): Settings {
  const now = Number(settings[spec.size] ?? start[spec.size] ?? 100);
  return { from: settings["from"] ?? Math.max(2, Math.round(now / 4)), to: settings["to"] ?? now * 4 };
}

function Range({ settings, set, spec }: Pick<ParameterProps, "settings" | "set" | "spec">) {
  const noun = spec.size === "n" ? "items" : spec.size;
  return (
    <>
      {(["from", "to"] as const).map((end) => (
        <NumberField
          key={end}
          label={`${noun} ${end}`}
          value={settings[end] as number | undefined}
          whole
          min={1}
          step={10}
          onChange={(value, slide) => set({ [end]: value }, slide)}
        />
      ))}
    </>
  );
}

const PRICES = [
  ["costItem", "Price of an item", 1],
  ["costRater", "Price of a rater", 5],
  ["costRating", "Price of a rating", 0.2],
] as const;

function Prices({ settings, set }: Pick<ParameterProps, "settings" | "set">) {
  return (
    <>
      {PRICES.map(([name, label, usual]) => (
        <NumberField
          key={name}
          label={label}
          value={(settings[name] as number | undefined) ?? usual}
          min={0}
          step={usual < 1 ? 0.1 : 1}
          onChange={(value, slide) => set({ [name]: value }, slide)}
        />
      ))}
      <NumberField
        label="Or: money to spend"
        value={settings["budget"] as number | undefined}
        min={0}
        step={10}
        placeholder="open"
        onChange={(budget, slide) => set({ budget }, slide)}
        help="Then the most power for this money is looked for."
      />
    </>
  );
}
