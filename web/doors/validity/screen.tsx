/** Validity: does the score measure what it claims to? */
import { useMemo } from "preact/hooks";
import type { DoorProps, PageDoor } from "../../app/door.ts";
import { useAnswer } from "../../app/use-answer.ts";
import type { Question } from "../../engine/protocol.ts";
import { AnswerScreen } from "../../parts/answer.tsx";
import { ChoiceField, Choices, Switches, TextField } from "../../parts/fields.tsx";

export const validityScreen: PageDoor = {
  name: "validity",
  title: "Validity",
  shared: ["ask", "learner"],
  needsData: true,
  Screen,
};

/** More would be a list that nobody reads. */
const MOST_FEATURES = 40;

function Screen({ engine, store, settings, data, onCancel }: DoorProps) {
  const { told, seed } = store.choices;
  const text = (name: string): string | undefined => settings[name] as string | undefined;
  const label = text("label") ?? data!.roles.find(({ role }) => role === "label")?.column;
  const ask = text("ask") ?? "circularity";
  const given = { ...settings, ask, label };
  const key = JSON.stringify(given);
  const ready =
    ask === "audit" ||
    (label !== undefined &&
      (ask === "bias" ? text("domain") !== undefined : ask !== "invariance" || text("scales") !== undefined));
  const question = useMemo(
    (): Question | undefined => (ready ? { door: "validity", settings: given, told, seed } : undefined),
    [key, told, seed],
  );
  const answering = useAnswer(engine, question);
  const columns = data!.columns.map(({ name }) => [name, name] as const);
  const features = data!.columns
    .filter(({ name }) => name !== label && name !== text("domain"))
    .map(({ name }) => name);
  return (
    <AnswerScreen
      {...{ engine, store, data, answering, onCancel }}
      door="validity"
      label={ask.toUpperCase()}
      empty={<Missing ask={ask} label={label} />}
      rail={
        <>
          <section>
            <Choices
              legend="What do you want to know?"
              value={ask}
              options={[
                {
                  value: "circularity",
                  text: "Is the label defined by a feature?",
                  small: "shapes before and after it is left out",
                },
                { value: "bias", text: "Does a feature give the label away?", small: "in one domain only" },
                {
                  value: "invariance",
                  text: "Does the score depend on how features are coded?",
                  small: "training and test rows, in two files",
                },
                { value: "audit", text: "All that the file allows", small: "every test, in one report" },
              ]}
              onChange={(next) => store.set({ ask: next })}
            />
          </section>
          <section>
            <h2>Columns</h2>
            <ChoiceField
              label="Label"
              value={label}
              none="choose"
              options={columns}
              onChange={(next) => store.set({ label: next })}
              help="What is to be predicted: a grade, a class."
            />
            {ask === "invariance" || ask === "audit" ? (
              <TextField
                label="Scales"
                value={text("scales")}
                placeholder="id=nominal, grade=ordinal"
                onChange={(scales) => store.set({ scales: scales?.replace(/\s+/g, "") })}
                help="Of columns: nominal, ordinal, interval or ratio. Each may be recoded as its scale permits."
              />
            ) : null}
            {ask === "invariance" ? <Invariance {...{ store, settings }} files={data!.files} /> : null}
            {ask === "bias" || ask === "audit" ? (
              <>
                <ChoiceField
                  label="Domain"
                  value={text("domain")}
                  none="choose"
                  options={columns}
                  onChange={(domain) => store.set({ domain })}
                  help="Which data set or source a row comes from."
                />
                <ChoiceField
                  label="Predicted label"
                  value={text("pred")}
                  none="none"
                  options={columns}
                  onChange={(pred) => store.set({ pred })}
                />
                {(ask === "bias" ? (["premise", "hypothesis"] as const) : []).map((name) => (
                  <ChoiceField
                    key={name}
                    label={name === "premise" ? "First text" : "Second text"}
                    value={text(name)}
                    none="none"
                    options={columns}
                    onChange={(next) => store.set({ [name]: next })}
                    help={
                      name === "hypothesis"
                        ? "Of pairs: their overlap, lengths and negation are then tested too."
                        : undefined
                    }
                  />
                ))}
              </>
            ) : null}
            {features.length > MOST_FEATURES ? null : (
              <Switches
                legend="Features (none: the likely ones)"
                options={features}
                chosen={(settings["features"] as readonly string[] | undefined) ?? []}
                onChange={(next) => store.set({ features: next.length === 0 ? undefined : next })}
              />
            )}
          </section>
        </>
      }
    />
  );
}

const LEARNERS = ["logistic", "linear", "knn", "stumps"] as const;

function Invariance({
  store,
  settings,
  files,
}: Pick<DoorProps, "store" | "settings"> & { readonly files: readonly string[] }) {
  const text = (name: string): string | undefined => settings[name] as string | undefined;
  return (
    <>
      <ChoiceField
        label="Test rows"
        value={text("test")}
        none={files.length > 1 ? "choose" : "open a second file"}
        options={files.map((name) => [name, name] as const)}
        onChange={(test) => store.set({ test })}
      />
      <ChoiceField
        label="Learner"
        value={text("learner")}
        none="GAM"
        options={LEARNERS.map((name) => [name, name] as const)}
        onChange={(learner) => store.set({ learner })}
      />
    </>
  );
}

function Missing({ ask, label }: { readonly ask: string; readonly label: string | undefined }) {
  return (
    <>
      <h1>
        {label === undefined
          ? "Which column is the label?"
          : ask === "bias"
            ? "Which column is the domain?"
            : ask === "invariance"
              ? "Which scales do the features have?"
              : "One moment."}
      </h1>
      <p class="lead">Choose it among the settings.</p>
    </>
  );
}
