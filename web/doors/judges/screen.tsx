/** Judges: what would people have said? */
import { useMemo } from "preact/hooks";
import type { DoorProps, PageDoor } from "../../app/door.ts";
import { useAnswer } from "../../app/use-answer.ts";
import type { Question } from "../../engine/protocol.ts";
import { AnswerScreen } from "../../parts/answer.tsx";
import { ChoiceField, Choices, TextField } from "../../parts/fields.tsx";

export const judgesScreen: PageDoor = {
  name: "judges",
  title: "Judges",
  shared: ["ask", "drawn"],
  needsData: true,
  Screen,
};

function Screen({ engine, store, settings, data, onCancel }: DoorProps) {
  const { told, seed } = store.choices;
  const text = (name: string): string | undefined => settings[name] as string | undefined;
  const ask = text("ask") ?? "correct";
  const given = { ...settings, ask };
  const key = JSON.stringify(given);
  const question = useMemo((): Question => ({ door: "judges", settings: given, told, seed }), [key, told, seed]);
  const answering = useAnswer(engine, question);
  const columns = data!.columns.map(({ name }) => [name, name] as const);
  return (
    <AnswerScreen
      {...{ engine, store, data, answering, onCancel }}
      door="judges"
      label={ask === "check" ? "THE JUDGE" : "CORRECTED"}
      empty={<h1>One moment.</h1>}
      rail={
        <>
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
              ]}
              onChange={(next) => store.set({ ask: next })}
            />
          </section>
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
