/** Ranks: who ranks where? */
import { useMemo } from "preact/hooks";
import { RANK, sharedSettings } from "../../../src/questions.ts";
import type { DoorProps, PageDoor } from "../../app/door.ts";
import { useAnswer } from "../../app/use-answer.ts";
import type { Question } from "../../engine/protocol.ts";
import { AnswerScreen } from "../../parts/answer.tsx";
import { OptionField, RowFields } from "../../parts/fields.tsx";

export const ranksScreen: PageDoor = {
  name: "ranks",
  title: "Ranks",
  shared: sharedSettings(RANK.options),
  needsData: true,
  Screen,
};

const { higherIsBetter, metric, top, confidence, ties, order } = RANK.options;

function Screen({ engine, store, settings, data, onCancel }: DoorProps) {
  const { told, seed } = store.choices;
  const question = useMemo((): Question => ({ door: "ranks", settings, told, seed }), [settings, told, seed]);
  const answering = useAnswer(engine, question);
  const form = { settings, set: store.set };
  const isVotes = data!.columns.some(({ role }) => role === "opponent");
  return (
    <AnswerScreen
      {...{ engine, store, data, answering, onCancel }}
      door="ranks"
      label="RANKS"
      empty={<h1>One moment.</h1>}
      rail={
        <>
          <section>
            <h2>What is ranked</h2>
            {isVotes ? (
              <>
                <OptionField name="ties" spec={ties} {...form} />
                <OptionField name="order" spec={order} {...form} />
              </>
            ) : (
              <OptionField name="higherIsBetter" spec={higherIsBetter} {...form} />
            )}
            {data!.metrics.length < 2 ? null : (
              <OptionField
                name="metric"
                spec={metric}
                {...form}
                options={data!.metrics.map((name) => [name, name] as const)}
              />
            )}
            <RowFields settings={settings} set={store.set} />
          </section>
          <section>
            <h2>The sets</h2>
            <OptionField name="top" spec={top} {...form} />
            <OptionField name="confidence" spec={confidence} {...form} />
            <div class="field">
              <label for="seed">Seed</label>
              <span class="in">
                <input
                  id="seed"
                  type="text"
                  value={seed}
                  onChange={(event) => store.setSeed(event.currentTarget.value || "1")}
                />
              </span>
            </div>
          </section>
        </>
      }
    />
  );
}
