/** Compare: is the difference real? */
import { useMemo } from "preact/hooks";
import { COMPARE, sharedSettings } from "../../../src/questions.ts";
import type { DoorProps, PageDoor } from "../../app/door.ts";
import { useAnswer } from "../../app/use-answer.ts";
import type { OpenData, Question } from "../../engine/protocol.ts";
import { AnswerScreen } from "../../parts/answer.tsx";
import { NumberField, OptionField, RowFields, Switches } from "../../parts/fields.tsx";
import { Flips } from "./flips.tsx";

export const compareScreen: PageDoor = {
  name: "compare",
  title: "Compare",
  shared: sharedSettings(COMPARE.options),
  needsData: true,
  Screen,
};

/** A column with more levels is no grouping that one reads row by row. */
const MOST_SLICES = 12;

function Screen({ engine, store, settings, data, onCancel }: DoorProps) {
  const { told, seed } = store.choices;
  const question = useMemo((): Question => ({ door: "compare", settings, told, seed }), [settings, told, seed]);
  const answering = useAnswer(engine, question);
  const own = answering.view?.own as OwnFacts | undefined;
  return (
    <AnswerScreen
      {...{ engine, store, data, answering, onCancel }}
      door="compare"
      rail={<Form {...{ store, settings }} data={data!} own={own} />}
      more={
        own?.flips === undefined || own.flips === 0 ? null : (
          <Flips
            engine={engine}
            version={answering.version}
            total={own.flips}
            sides={[own.b ?? "", own.a ?? ""]}
            together={(own.pairs ?? 1) > 1 || own.higherIsBetter === null}
          />
        )
      }
    />
  );
}

interface OwnFacts {
  readonly flips?: number;
  readonly a?: string;
  readonly b?: string;
  readonly pairs?: number;
  readonly metric?: string;
  readonly percent?: boolean;
  readonly higherIsBetter?: boolean | null;
}

interface FormProps extends Pick<DoorProps, "store" | "settings"> {
  readonly data: OpenData;
  readonly own: OwnFacts | undefined;
}

const { higherIsBetter, metric, baseline, test, unscored, errors, alpha } = COMPARE.options;

function Form({ store, settings, data, own }: FormProps) {
  const { set } = store;
  const percent = own?.percent ?? false;
  const scale = percent ? 100 : 1;
  const margin = settings["margin"] as number | undefined;
  const slices = data.columns.filter(
    ({ kind, levels, role }) => kind === "factor" && levels > 1 && levels <= MOST_SLICES && !isTaken(role),
  );
  const chosen = (settings["slice"] as readonly string[] | undefined) ?? [];
  const form = { settings, set };
  return (
    <>
      <section>
        <h2>What matters to you</h2>
        <NumberField
          label="Smaller differences do not matter"
          value={margin === undefined ? undefined : Number((margin * scale).toPrecision(12))}
          unit={percent ? "points" : (own?.metric ?? "")}
          min={0}
          step={percent ? 0.5 : 0.1}
          placeholder="none"
          onChange={(value, slide) =>
            set({ margin: value === undefined || value === 0 ? undefined : value / scale }, slide)
          }
          help="Then the page can also say that two systems are equally good."
        />
        <OptionField name="higherIsBetter" spec={higherIsBetter} {...form} />
      </section>
      <section>
        <h2>What is compared</h2>
        {!data.texts ? null : (
          <Switches
            legend="The reference"
            options={data.files}
            chosen={
              (settings["ref"] as readonly string[] | undefined) ??
              (data.reference === undefined ? [] : [data.reference])
            }
            onChange={(ref) => set({ ref: ref.length === 0 ? undefined : ref })}
          />
        )}
        {data.metrics.length < 2 ? null : (
          <OptionField
            name="metric"
            spec={metric}
            {...form}
            options={[
              ...data.metrics.map((name) => [name, name] as const),
              ...(!data.texts ? [["all", "all, by task"] as const] : []),
            ]}
          />
        )}
        {data.systems.length < 3 ? null : (
          <OptionField
            name="baseline"
            spec={baseline}
            {...form}
            options={data.systems.map((name) => [name, name] as const)}
          />
        )}
        {slices.length === 0 ? null : (
          <Switches
            legend="Also within"
            options={slices.map(({ name }) => name)}
            chosen={chosen}
            onChange={(slice) => set({ slice: slice.length === 0 ? undefined : slice })}
          />
        )}
        {!data.texts ? <RowFields settings={settings} set={set} /> : null}
      </section>
      <section>
        <h2>The test</h2>
        <OptionField name="test" spec={test} {...form} />
        {data.texts ? null : (
          <>
            <OptionField name="unscored" spec={unscored} {...form} />
            <OptionField name="errors" spec={errors} {...form} />
          </>
        )}
        <OptionField name="alpha" spec={alpha} {...form} />
        <div class="field">
          <label for="seed">Seed</label>
          <span class="in">
            <input
              id="seed"
              type="text"
              value={store.choices.seed}
              onChange={(event) => store.setSeed(event.currentTarget.value || "1")}
            />
          </span>
        </div>
      </section>
    </>
  );
}

const isTaken = (role: string | undefined): boolean =>
  role !== undefined && ["system", "item", "rater", "score", "repeat"].includes(role);
