/** Gate: may this change go out? A policy is tried on the open files, and its error rates are told before anyone trusts it. */
import { useMemo } from "preact/hooks";
import { COMPARE } from "../../../src/questions.ts";
import type { DoorProps, PageDoor } from "../../app/door.ts";
import type { Store } from "../../app/store.ts";
import { useAnswer } from "../../app/use-answer.ts";
import type { OpenData, Question, Settings } from "../../engine/protocol.ts";
import { AnswerScreen } from "../../parts/answer.tsx";
import { Document } from "../../parts/document.tsx";
import { ChoiceField, Choices, NumberField, OptionField, RowFields, Switches } from "../../parts/fields.tsx";
import { tasksOf } from "./policy.ts";

export const gateScreen: PageDoor = {
  name: "gate",
  title: "Gate",
  shared: [
    ...["ask", "margin", "no-worse-than", "alpha", "correction", "power", "tier", "items", "coverage"],
    ...["direction", "unscored", "replicates", "pilotItems", "pilotRepeats"],
  ],
  needsData: true,
  keeps: ["ask", "against", "candidate", "replicates", "pilotItems", "pilotRepeats"],
  Screen,
};

/** The margin to begin with, as a share of the baseline's score. */
const USUAL_PERCENT = 5;
/** After the last movement, before the gate is simulated again. */
const SIMULATED_WAIT_MS = 500;
const MOST_TASKS = 20;

function Screen({ engine, store, settings, data, onCancel }: DoorProps) {
  const { told, seed } = store.choices;
  const question = useMemo((): Question => ({ door: "gate", settings, told, seed }), [settings, told, seed]);
  const check = settings["ask"] === "check";
  const answering = useAnswer(engine, question, check ? SIMULATED_WAIT_MS : 0);
  const own = answering.view?.own as { readonly tasks?: readonly string[]; readonly policy?: string } | undefined;
  return (
    <AnswerScreen
      {...{ engine, store, data, answering, onCancel }}
      door="gate"
      label="GATE"
      rail={
        <>
          <Asks {...{ store, settings }} data={data!} check={check} />
          <Policy {...{ store, settings }} />
          <Tasks {...{ store, settings }} tasks={own?.tasks ?? []} />
          <Document
            title="The policy as a file"
            name="gate.yaml"
            text={own?.policy}
            help="For gosset gate --policy, in CI. A policy that is opened or dropped here fills this form."
          />
        </>
      }
    />
  );
}

interface FormProps {
  readonly store: Store;
  readonly settings: Settings;
}

function Asks({ store, settings, data, check }: FormProps & { readonly data: OpenData; readonly check: boolean }) {
  const names = data.files.length > 1 ? data.files : data.systems;
  const list = (name: string): readonly string[] | undefined => settings[name] as readonly string[] | undefined;
  const against = list("against") ?? names.slice(0, 1);
  const candidate = list("candidate") ?? names.filter((name) => !against.includes(name)).slice(0, 1);
  const choose = (name: string) => (next: readonly string[]) =>
    store.set({ [name]: next.length === 0 ? undefined : next });
  return (
    <section>
      <Choices
        legend="What do you want to know?"
        value={check ? "check" : "gate"}
        options={[
          { value: "gate", text: "May this change go out?", small: "pass, fail or inconclusive" },
          { value: "check", text: "How often would this policy err?", small: "its operating curve, simulated" },
        ]}
        onChange={(ask) => store.set({ ask: ask === "gate" ? undefined : ask })}
      />
      {names.length === 2 ? (
        <ChoiceField
          label="Baseline"
          value={against[0]}
          options={names.map((name) => [name, name] as const)}
          onChange={(next) => store.set({ against: next === undefined ? undefined : [next], candidate: undefined })}
        />
      ) : (
        <>
          <Switches
            legend="Baseline (several are pooled)"
            options={names}
            chosen={against}
            onChange={choose("against")}
          />
          <Switches
            legend="Candidate (several are pooled)"
            options={names.filter((name) => !against.includes(name))}
            chosen={candidate}
            onChange={choose("candidate")}
          />
        </>
      )}
      {data.metrics.length < 2 ? null : (
        <ChoiceField
          label="Score"
          value={settings["metric"] as string | undefined}
          none="the first"
          options={data.metrics.map((name) => [name, name] as const)}
          onChange={(metric) => store.set({ metric })}
        />
      )}
      <RowFields settings={settings} set={store.set} />
    </section>
  );
}

const isShare = (margin: unknown): boolean => typeof margin === "string";

function Policy({ store, settings }: FormProps) {
  const { set } = store;
  const floor = settings["no-worse-than"] as number | undefined;
  const margin = settings["margin"] ?? (floor === undefined ? `${USUAL_PERCENT}%` : undefined);
  const kind = floor !== undefined ? "floor" : isShare(margin) ? "share" : "absolute";
  const value = kind === "floor" ? floor : Number(String(margin).replace("%", ""));
  const write = (next: number | undefined, how: string): Settings => ({
    margin: next === undefined || how === "floor" ? undefined : how === "share" ? `${next}%` : next,
    "no-worse-than": how === "floor" ? next : undefined,
    onlyListed: undefined,
  });
  const number = (name: string): number | undefined => settings[name] as number | undefined;
  return (
    <section>
      <h2>The policy</h2>
      <NumberField
        label={kind === "floor" ? "Score to be reached" : "Loss that does not matter"}
        value={value}
        unit={kind === "share" ? "%" : undefined}
        min={kind === "floor" ? undefined : 0}
        step={kind === "share" ? 1 : 0.01}
        slider={kind === "share" ? { min: 0.5, max: 25, step: 0.5 } : undefined}
        onChange={(next, slide) => set(write(next, kind), slide)}
        help="A candidate passes when its loss is shown to be smaller than this."
      />
      <ChoiceField
        label="That is"
        value={kind}
        options={[
          ["share", "a proportion of the baseline's score"],
          ["absolute", "in units of the score"],
          ["floor", "a score of its own"],
        ]}
        onChange={(how) =>
          set(write(how === "absolute" ? 0.02 : how === "share" ? USUAL_PERCENT : 0.5, how ?? "share"))
        }
      />
      <NumberField
        label="Error rate of the whole gate"
        value={number("alpha")}
        min={0.0001}
        max={0.5}
        step={0.01}
        placeholder="0.05"
        onChange={(alpha, slide) => set({ alpha }, slide)}
        help="Unchanged candidates fail, and those that lose the margin pass, at most this often."
      />
      <NumberField
        label="Fewest items of a task"
        value={number("items")}
        whole
        min={2}
        step={10}
        placeholder="10"
        onChange={(items, slide) => set({ items }, slide)}
      />
      <details class="more-numbers">
        <summary class="btn plain">More of the policy</summary>
        <div>
          <NumberField
            label="Least proportion of items in common"
            value={number("coverage")}
            min={0.01}
            max={1}
            step={0.05}
            placeholder="0.95"
            onChange={(coverage, slide) => set({ coverage }, slide)}
          />
          <ChoiceField
            label="Correction over the tasks"
            value={settings["correction"] as string | undefined}
            none="Holm"
            options={[["fixed-sequence", "fixed sequence"]]}
            onChange={(correction) => set({ correction })}
          />
          <OptionField name="unscored" spec={COMPARE.options.unscored} {...{ settings, set }} />
          <ChoiceField
            label="Better is"
            value={settings["direction"] as string | undefined}
            none="what the file says"
            options={[
              ["higher", "higher"],
              ["lower", "lower"],
            ]}
            onChange={(direction) => set({ direction })}
          />
          <NumberField
            label="Probability of the correct outcome"
            value={number("power")}
            min={0.06}
            max={0.999}
            step={0.05}
            placeholder="0.8"
            onChange={(power, slide) => set({ power }, slide)}
            help="The number of items is computed for this probability."
          />
          <NumberField
            label="Runs to simulate"
            value={number("replicates")}
            whole
            min={10}
            max={100_000}
            step={100}
            placeholder="1000"
            onChange={(replicates, slide) => set({ replicates }, slide)}
          />
        </div>
      </details>
    </section>
  );
}

const tierOf = (settings: Settings, task: string): string | undefined => {
  const tier = (settings[`tier ${task}`] ?? settings["tier"]) as string | undefined;
  return tier === "critical" ? undefined : tier;
};

/** Rules of single tasks: how much each counts, and what it may lose. */
function Tasks({ store, settings, tasks }: FormProps & { readonly tasks: readonly string[] }) {
  const listed = tasksOf(settings);
  const all = [...listed, ...tasks.filter((name) => !listed.includes(name))];
  if (all.length < 2) return null;
  const rule = (task: string, changes: Settings): void =>
    store.set({ ...changes, tasks: listed.includes(task) ? listed : [...listed, task] });
  return (
    <section>
      <h2>Tasks</h2>
      {all.slice(0, MOST_TASKS).map((task) => (
        <ChoiceField
          key={task}
          label={task}
          value={tierOf(settings, task)}
          none="critical: must pass"
          options={[
            ["supporting", "supporting: must not fail"],
            ["advisory", "advisory: reported only"],
          ]}
          onChange={(tier) => rule(task, { [`tier ${task}`]: tier ?? "critical" })}
        />
      ))}
      {all.length > MOST_TASKS ? (
        <p class="tiny">{all.length - MOST_TASKS} more: save the policy, write their rules there, and open it.</p>
      ) : null}
    </section>
  );
}
