/** Judges: what would people have said? */
import { useMemo } from "preact/hooks";
import type { DoorProps, PageDoor } from "../../app/door.ts";
import { useAnswer } from "../../app/use-answer.ts";
import type { Question } from "../../engine/protocol.ts";
import { AnswerScreen } from "../../parts/answer.tsx";
import { ChoiceField, Choices, TextField } from "../../parts/fields.tsx";
import { type LabelScale, LabelSheet } from "./sheet.tsx";

export const judgesScreen: PageDoor = {
  name: "judges",
  title: "Judges",
  shared: ["ask", "drawn", "scale"],
  needsData: true,
  Screen,
};

function Screen({ engine, store, settings, data, onCancel }: DoorProps) {
  const { told, seed } = store.choices;
  const text = (name: string): string | undefined => settings[name] as string | undefined;
  const names = data!.columns.map(({ name }) => name);
  const isSheet = ["line", "label"].every((name) => names.includes(name));
  const ask = text("ask") ?? (isSheet ? "label" : "correct");
  const given = { ...settings, ask };
  const key = JSON.stringify(given);
  const question = useMemo(
    (): Question | undefined => (ask === "label" ? undefined : { door: "judges", settings: given, told, seed }),
    [key, told, seed],
  );
  const answering = useAnswer(engine, question);
  const columns = names.map((name) => [name, name] as const);
  const asking = (
    <section>
      <Choices
        legend="What do you want to know?"
        value={ask}
        options={[
          {
            value: "correct",
            text: "What would people have said?",
            small: "scores and differences, corrected by their labels",
          },
          { value: "check", text: "Is the judge any good?", small: "agreement, and whom it favors" },
          { value: "label", text: "I label a sheet", small: "that gosset judge sample wrote" },
        ]}
        onChange={(next) => store.set({ ask: next })}
      />
    </section>
  );
  if (ask === "label")
    return (
      <div class="split">
        <LabelSheet
          {...{ engine }}
          path={data!.files[0]!}
          scale={(text("scale") as LabelScale | undefined) ?? "pass"}
        />
        <aside class="rail" aria-label="Settings">
          {asking}
          <section>
            <ChoiceField
              label="Labels are"
              value={text("scale")}
              none="pass or fail"
              options={[["five", "grades from 1 to 5"]]}
              onChange={(scale) => store.set({ scale })}
            />
          </section>
        </aside>
      </div>
    );
  return (
    <AnswerScreen
      {...{ engine, store, data, answering, onCancel }}
      door="judges"
      label={ask === "check" ? "THE JUDGE" : "CORRECTED"}
      empty={<h1>One moment.</h1>}
      rail={
        <>
          {asking}
          <section>
            <h2>Columns</h2>
            <ChoiceField
              label="Judge"
              value={text("judge")}
              none="by its name"
              options={columns}
              onChange={(judge) => store.set({ judge })}
              help="What the model gave each output."
            />
            <ChoiceField
              label="People's labels"
              value={text("human")}
              none="by their name"
              options={columns}
              onChange={(human) => store.set({ human })}
              help="Empty where nobody labeled."
            />
            <TextField
              label="Counts as 1"
              value={text("pass")}
              placeholder="pass"
              onChange={(pass) => store.set({ pass })}
              help="Where labels are words other than pass and fail."
            />
            <ChoiceField
              label="Labeled outputs were drawn"
              value={text("drawn")}
              none="in an unknown way"
              options={[["random", "at random"]]}
              onChange={(drawn) => store.set({ drawn })}
            />
            {data!.files.length > 1 ? (
              <ChoiceField
                label="File of labels"
                value={text("labels")}
                none="none"
                options={data!.files.map((name) => [name, name] as const)}
                onChange={(labels) => store.set({ labels })}
              />
            ) : null}
          </section>
        </>
      }
    />
  );
}
