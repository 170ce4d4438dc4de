/** Reliability: agreement of raters; components of the scores and what more raters would buy. */
import { useMemo } from "preact/hooks";
import type { DoorProps, PageDoor } from "../../app/door.ts";
import { useAnswer } from "../../app/use-answer.ts";
import type { OpenData, Question, Settings } from "../../engine/protocol.ts";
import { AnswerScreen } from "../../parts/answer.tsx";
import { ChoiceField, Choices, NumberField, Switches } from "../../parts/fields.tsx";

export const reliabilityScreen: PageDoor = {
  name: "reliability",
  title: "Reliability",
  shared: ["ask", "scale", "weighting", "interactions", "target"],
  needsData: true,
  Screen,
};

function Screen({ engine, store, settings, data, onCancel }: DoorProps) {
  const { told, seed } = store.choices;
  const hasRaters = data!.roles.some(({ role, column }) => role === "rater" && column !== undefined);
  const given = settings["ask"] === undefined ? { ...settings, ask: hasRaters ? "agreement" : "components" } : settings;
  const key = JSON.stringify(given);
  const question = useMemo((): Question => ({ door: "reliability", settings: given, told, seed }), [key, told, seed]);
  const answering = useAnswer(engine, question);
  const facets = (answering.view?.own["facets"] as readonly string[] | undefined) ?? [];
  return (
    <AnswerScreen
      {...{ engine, store, data, answering, onCancel }}
      door="reliability"
      label={given["ask"] === "agreement" ? "AGREEMENT" : "RELIABILITY"}
      rail={<Form settings={given} data={data!} facets={facets} set={store.set} />}
    />
  );
}

interface FormProps {
  readonly settings: Settings;
  readonly data: OpenData;
  readonly facets: readonly string[];
  readonly set: DoorProps["store"]["set"];
}

function Form({ settings, data, facets, set }: FormProps) {
  const text = (name: string): string | undefined => settings[name] as string | undefined;
  const columns = data.columns.map(({ name }) => [name, name] as const);
  return (
    <>
      <section>
        <Choices
          legend="What do you want to know?"
          value={text("ask")!}
          options={[
            { value: "agreement", text: "Do the raters agree?", small: "α, κ, AC1 and their intervals" },
            {
              value: "components",
              text: "Would we get the same result again?",
              small: "variance components, what more raters buy",
            },
          ]}
          onChange={(ask) => set({ ask })}
        />
      </section>
      {text("ask") === "agreement" ? (
        <section>
          <h2>What is rated</h2>
          <ChoiceField
            label="Label"
            value={text("label")}
            none="the file's"
            options={columns}
            onChange={(label) => set({ label })}
          />
          <ChoiceField
            label="Rater"
            value={text("rater")}
            none="the file's"
            options={columns}
            onChange={(rater) => set({ rater })}
          />
          <ChoiceField
            label="The labels are"
            value={text("scale")}
            none="what they look like"
            options={[
              ["nominal", "names"],
              ["ordinal", "ordered"],
              ["interval", "numbers"],
              ["ratio", "numbers from 0"],
            ]}
            onChange={(scale) => set({ scale })}
          />
          <Switches
            legend="One rated thing is"
            options={data.columns
              .filter(({ kind, role }) => kind === "factor" || role === "item")
              .map(({ name }) => name)}
            chosen={(settings["item"] as readonly string[] | undefined) ?? []}
            onChange={(item) => set({ item: item.length === 0 ? undefined : item })}
          />
        </section>
      ) : (
        <section>
          <h2>What is measured</h2>
          <ChoiceField
            label="Score"
            value={text("score")}
            none="the file's"
            options={columns}
            onChange={(score) => set({ score })}
          />
          <ChoiceField
            label="Of each"
            value={text("object")}
            none="item"
            options={columns}
            onChange={(object) => set({ object })}
          />
          <Switches
            legend="What varies"
            options={data.columns
              .filter(
                ({ kind, role, levels }) => levels > 1 && (kind === "factor" || role === "rater" || role === "repeat"),
              )
              .map(({ name }) => name)}
            chosen={(settings["facets"] as readonly string[] | undefined) ?? facets}
            onChange={(chosen) => set({ facets: chosen.length === 0 ? undefined : chosen })}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={settings["interactions"] === true}
              onChange={({ currentTarget: { checked } }) => set({ interactions: checked || undefined })}
            />
            with interactions
          </label>
          <NumberField
            label="Reliability wanted"
            value={settings["target"] as number | undefined}
            min={0.01}
            max={0.999}
            step={0.05}
            placeholder="open"
            onChange={(target, slide) => set({ target }, slide)}
            help="Then the cheapest design that reaches it is looked for."
          />
          {settings["target"] === undefined
            ? null
            : [...facets, "score"].map((facet) => (
                <NumberField
                  key={facet}
                  label={facet === "score" ? "Price of a rating" : `Price of one more ${facet}`}
                  value={settings[`price:${facet}`] as number | undefined}
                  min={0}
                  placeholder="0"
                  onChange={(price, slide) => set({ [`price:${facet}`]: price }, slide)}
                />
              ))}
        </section>
      )}
    </>
  );
}
