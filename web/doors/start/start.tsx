/** The first screen: files or an example in; then what they are, what was assumed, and what can be asked. */
import { useEffect, useState } from "preact/hooks";
import type { Keeping } from "../../app/app.tsx";
import { Roles } from "../../app/data-strip.tsx";
import { givenFiles } from "../../app/dropped.ts";
import { type Example, filesOf, loadExamples } from "../../app/examples.ts";
import type { Store } from "../../app/store.ts";
import type { GivenFile, Offer, OpenData } from "../../engine/protocol.ts";
import { AskForm } from "../../parts/ask-form.tsx";
import { Decided } from "../../parts/decided.tsx";
import { Bullets, Table, Warnings } from "../../parts/texts.tsx";
import { DOORS } from "../doors.ts";

interface StartProps {
  readonly data: OpenData | undefined;
  readonly store: Store;
  readonly reading: boolean;
  readonly keeping: Keeping;
  readonly onFiles: (files: readonly GivenFile[]) => Promise<void>;
  readonly onPick: () => void;
}

export function Start(props: StartProps) {
  return props.data === undefined ? <Welcome {...props} /> : <Described {...props} data={props.data} />;
}

function Welcome({ onFiles, onPick, reading, store }: StartProps) {
  const [examples, setExamples] = useState<readonly Example[]>([]);
  useEffect(() => {
    loadExamples().then(setExamples, () => setExamples([]));
  }, []);
  const plan = DOORS.find(({ needsData }) => !needsData);
  return (
    <section class="verdict" id="answer">
      <h1>Can your evaluation results be trusted?</h1>
      <p class="lead">
        Whether a difference is real, whether the evaluation was big enough, whether raters agree, and whether the score
        measures what it claims. Everything is computed in this page.
      </p>
      <div class="drop mt-32">
        <p>Drop logs or tables anywhere on this window. Several files are several systems.</p>
        <p class="mt">
          <button type="button" class="btn primary" onClick={onPick}>
            Open files <kbd>O</kbd>
          </button>
        </p>
        <p class="mt tiny" role="status">
          {reading ? "Reading." : "CSV, JSON, JSONL, Parquet, Inspect, lm-eval, HELM, promptfoo, Label Studio and more"}
        </p>
      </div>
      <div class="two mt-32">
        <section>
          <h2 class="mb">Or try an example</h2>
          <ul class="offers">
            {examples.map((example) => (
              <li key={example.title}>
                <button type="button" class="offer" onClick={() => void onFiles(givenFiles(filesOf(example)))}>
                  <b>{example.title}</b>
                  <small>{example.about}</small>
                </button>
              </li>
            ))}
          </ul>
        </section>
        {plan === undefined ? null : (
          <section>
            <h2 class="mb">Nothing measured yet?</h2>
            <ul class="offers">
              <li>
                <button type="button" class="offer" onClick={() => store.go(plan.name)}>
                  <b>Plan an evaluation</b>
                  <small>How many items and raters show the difference that matters to you?</small>
                </button>
              </li>
            </ul>
          </section>
        )}
      </div>
    </section>
  );
}

function Described({ data, store, onPick, keeping }: StartProps & { readonly data: OpenData }) {
  return (
    <div class="split">
      <div id="answer">
        <section class="verdict">
          <span class="tag">{data.files.join("  ")}</span>
          {data.ask === undefined || data.offers.length > 0 ? (
            <h1>What do you want to know?</h1>
          ) : (
            <AskForm ask={data.ask} onAnswer={store.tell} />
          )}
          <p class="lead" aria-live="polite">
            {data.summary}
          </p>
          {data.offers.length === 0 ? null : (
            <ul class="offers mt-24">
              {data.offers.map((offer, k) => (
                <li key={offer.question}>
                  <OfferButton offer={offer} store={store} first={k === 0} />
                </li>
              ))}
            </ul>
          )}
          {data.offers.length > 0 && data.ask !== undefined ? (
            <>
              <p class="lead">A comparison of systems needs to know more.</p>
              <AskForm ask={data.ask} onAnswer={store.tell} aside />
            </>
          ) : null}
          {data.offers.length === 0 && data.ask === undefined ? (
            <p class="empty">These data answer none of the questions of this page. Name the columns beside this.</p>
          ) : null}
        </section>
      </div>
      <aside class="rail" aria-label="Roles and warnings">
        <Warnings warnings={data.warnings} />
        <section>
          <h2>What the columns are</h2>
          <div class="row">
            <Roles data={data} store={store} />
          </div>
          <Decided data={data} />
        </section>
        <Bullets title="What was assumed" texts={data.assumed} />
        <section>
          <h2>This browser</h2>
          {keeping.canKeep ? (
            <label class="check">
              <input
                type="checkbox"
                checked={keeping.kept}
                onChange={(event) => keeping.setKept(event.currentTarget.checked)}
              />
              Keep these files in this browser until I say otherwise
            </label>
          ) : null}
          {keeping.kept ? (
            <button type="button" class="btn mt" onClick={() => keeping.setKept(false)}>
              Forget everything
            </button>
          ) : null}
          <button type="button" class="btn plain mt" onClick={onPick}>
            Open other files
          </button>
        </section>
      </aside>
      <div class="more">
        <section class="block stack-24">
          {data.tables.map((table) => (
            <Table key={table.caption} table={table} name="Columns" />
          ))}
        </section>
      </div>
    </div>
  );
}

function OfferButton({
  offer,
  store,
  first,
}: {
  readonly offer: Offer;
  readonly store: Store;
  readonly first: boolean;
}) {
  const door = DOORS.find(({ name }) => name === offer.door);
  return (
    <button type="button" class={first ? "offer first" : "offer"} onClick={() => store.go(offer.door, offer.settings)}>
      <b>{offer.question}</b>
      <small>
        {door?.title}
        {offer.note === undefined ? "" : `: ${offer.note}`}
      </small>
    </button>
  );
}
