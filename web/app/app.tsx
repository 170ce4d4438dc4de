/** The shell: bar of doors, data strip, the screen of the door, keys. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { DOORS } from "../doors/doors.ts";
import { Start } from "../doors/start/start.tsx";
import type { Failure, GivenFile, OpenData, Settings } from "../engine/protocol.ts";
import { Fault } from "../parts/texts.tsx";
import { DataStrip } from "./data-strip.tsx";
import { droppedFiles, givenFiles } from "./dropped.ts";
import { Engine, isFailure } from "./engine.ts";
import { KeyList } from "./key-list.tsx";
import { type Keys, useKeys } from "./keys.ts";
import { forget, keep, recall } from "./recent.ts";
import { type Store, useStore, writeHash } from "./store.ts";

export function App() {
  const engine = useMemo(() => new Engine(), []);
  const store = useStore();
  const { choices } = store;
  const files = useFiles(engine, store);
  const { data, failure, reading, openFiles } = files;
  const picker = useRef<HTMLInputElement>(null);
  const [listed, setListed] = useState(false);
  const dropping = useDrop(openFiles);
  const door = DOORS.find(({ name }) => name === choices.door);
  const cancel = useCallback(() => void engine.cancel(), [engine]);
  const keys = useMemo(() => keysOf(store, picker.current, () => setListed((old) => !old)), [store]);
  useKeys(keys);
  useEffect(() => {
    document.title = door === undefined ? "Gosset" : `Gosset: ${door.title.toLowerCase()}`;
  }, [door]);
  // what was pressed may be gone with its screen; keys go on from the new one
  useEffect(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  }, [door, data === undefined]);
  return (
    <div class={dropping ? "over" : undefined}>
      <button type="button" class="skip" onClick={skip}>
        Skip to the answer
      </button>
      <Bar store={store} />
      <input
        ref={picker}
        id="picker"
        type="file"
        multiple
        class="visually-hidden"
        tabIndex={-1}
        aria-label="Files to open"
        onChange={({ currentTarget }) => {
          void openFiles(givenFiles(currentTarget.files ?? []));
          // the same file may be chosen again
          currentTarget.value = "";
        }}
      />
      <main class="page" tabIndex={-1}>
        {data === undefined || door === undefined ? null : (
          <DataStrip data={data} store={store} onAdd={() => picker.current?.click()} />
        )}
        {failure === undefined ? null : <Fault failure={failure} stale={false} />}
        {door === undefined ? (
          <Start
            {...{ data, store, reading }}
            onFiles={openFiles}
            onPick={() => picker.current?.click()}
            keeping={files}
          />
        ) : door.needsData && data === undefined ? (
          <NoData
            title={door.title}
            onPick={() => picker.current?.click()}
            onStart={() => store.go("start")}
            reading={reading}
          />
        ) : (
          <door.Screen
            key={`${door.name} ${files.opened}`}
            {...{ engine, store, data }}
            settings={choices.settings[door.name] ?? {}}
            onCancel={cancel}
          />
        )}
        <Foot store={store} onKeys={() => setListed(!listed)} />
        {listed ? <KeyList onClose={() => setListed(false)} /> : null}
      </main>
      {dropping ? (
        <div class="drop-note" role="status">
          Drop the files: several are compared as several systems. They stay in this page.
        </div>
      ) : null}
    </div>
  );
}

/** The fragment of the address holds settings, so that this is no link. */
function skip(): void {
  const target = document.querySelector<HTMLElement>("#answer") ?? document.querySelector<HTMLElement>("main");
  target?.setAttribute("tabindex", "-1");
  target?.focus();
}

function Bar({ store }: { readonly store: Store }) {
  const { door } = store.choices;
  const link = (name: string) => ({
    ...(door === name ? { "aria-current": "page" as const } : {}),
    onClick: (event: MouseEvent) => {
      event.preventDefault();
      store.go(name);
    },
  });
  return (
    <header class="bar">
      <a class="brand" href="#start" aria-label="Gosset, start" {...link("start")}>
        <svg class="gp" viewBox="0 0 30 18" aria-hidden="true">
          <g class="ki">
            <path class="zero" d="M6 1V17" />
            <path class="iv" d="M11 9H30" />
            <circle class="fi" cx="20.5" cy="9" r="4.6" />
          </g>
        </svg>
        <span>Gosset</span>
      </a>
      <nav class="doors" aria-label="Questions">
        {DOORS.map(({ name, title }) => (
          <a key={name} href={`#${name}`} {...link(name)}>
            {title}
          </a>
        ))}
      </nav>
      <span class="private">Runs in this page. Nothing is uploaded.</span>
    </header>
  );
}

interface NoDataProps {
  readonly title: string;
  readonly reading: boolean;
  readonly onPick: () => void;
  readonly onStart: () => void;
}

function NoData({ title, reading, onPick, onStart }: NoDataProps) {
  if (reading)
    return (
      <p class="empty" role="status">
        Reading.
      </p>
    );
  return (
    <section class="verdict" id="answer">
      <h1>{title} needs a file with results.</h1>
      <p class="lead">Drop logs or tables anywhere on this window. They are read here and go nowhere.</p>
      <p class="mt-24 row">
        <button type="button" class="btn primary" onClick={onPick}>
          Open files <kbd>O</kbd>
        </button>
        <button type="button" class="btn" onClick={onStart}>
          Try an example
        </button>
      </p>
    </section>
  );
}

function Foot({ store, onKeys }: { readonly store: Store; readonly onKeys: () => void }) {
  const theme = (): void => {
    const root = document.documentElement;
    const dark = root.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.dataset["theme"] = dark === "dark" ? "light" : "dark";
  };
  return (
    <footer class="status">
      <button type="button" class="btn plain" disabled={!store.canUndo} onClick={store.undo}>
        Undo
      </button>
      <button type="button" class="btn plain" disabled={!store.canRedo} onClick={store.redo}>
        Redo
      </button>
      <button type="button" class="btn plain" onClick={theme}>
        Light or dark
      </button>
      <button type="button" class="btn plain" onClick={onKeys}>
        All keys <kbd>?</kbd>
      </button>
    </footer>
  );
}

export interface Keeping {
  /** Whether recent work is kept in this browser. */
  readonly kept: boolean;
  readonly canKeep: boolean;
  setKept(on: boolean): void;
}

interface Files extends Keeping {
  /** Counts the times that files were opened: an answer belongs to its files. */
  readonly opened: number;
  readonly data: OpenData | undefined;
  readonly failure: Failure | undefined;
  readonly reading: boolean;
  openFiles(files: readonly GivenFile[]): Promise<void>;
}

function useFiles(engine: Engine, store: Store): Files {
  const [data, setData] = useState<OpenData>();
  const [failure, setFailure] = useState<Failure>();
  const [reading, setReading] = useState(false);
  const [opened, setOpened] = useState(0);
  const [kept, setKept] = useState(false);
  const files = useRef<readonly GivenFile[]>([]);
  const { told } = store.choices;
  const openFiles = useCallback(
    async (given: readonly GivenFile[], again = false): Promise<void> => {
      if (given.length === 0) return;
      setReading(true);
      setFailure(undefined);
      try {
        const [document] = given;
        if (given.length === 1 && /\.ya?ml$/i.test(document!.path)) {
          const { path: name, file } = document!;
          const read = await engine.call("read", { name, text: await file.text() }).answer;
          if ("door" in read) store.go(read.door, { ...emptied(store, read.door), ...read.settings });
          else {
            // what does not fit the open file is told, and changes nothing
            setData(await engine.call("tell", read).answer);
            store.tell(read.told);
          }
          setReading(false);
          return;
        }
        const next = await engine.open(given);
        files.current = given;
        if (!again) {
          store.forgetData();
          if (DOORS.every(({ name }) => name !== store.choices.door)) store.go("start");
        }
        setData(next);
        setOpened((old) => old + 1);
      } catch (error) {
        setFailure(isFailure(error) ? error : { code: "Unexpected", message: String(error), fix: "Try another file." });
      }
      setReading(false);
    },
    [engine, store],
  );
  useEffect(() => {
    void recall().then((found) => {
      if (found === undefined) return;
      setKept(true);
      void openFiles(found.files, true);
    });
  }, []);
  useEffect(() => {
    if (data === undefined) return;
    setFailure(undefined);
    engine.call("tell", { told }).answer.then(setData, setFailure);
  }, [told]);
  useEffect(() => {
    if (kept && files.current.length > 0) void keep({ files: files.current, hash: writeHash(store.choices) });
  }, [kept, data, store.choices]);
  return {
    ...{ data, failure, reading, openFiles, kept, opened },
    canKeep: "indexedDB" in globalThis,
    setKept: (on) => {
      setKept(on);
      if (!on) void forget();
    },
  };
}

/** What a document takes the place of. */
function emptied({ choices }: Store, door: string): Settings {
  const keeps = DOORS.find(({ name }) => name === door)?.keeps ?? [];
  const old = Object.keys(choices.settings[door] ?? {}).filter((name) => !keeps.includes(name));
  return Object.fromEntries(old.map((name) => [name, undefined]));
}

/** The whole window takes files. */
function useDrop(onFiles: (files: readonly GivenFile[]) => Promise<void>): boolean {
  const [over, setOver] = useState(false);
  // from the first picture on: an effect that waits for the next frame would lose a file dropped before it
  useLayoutEffect(() => {
    const drag = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(event.type !== "dragleave" || event.relatedTarget !== null);
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      void droppedFiles(event.dataTransfer).then(onFiles, () => onFiles([]));
    };
    const types = ["dragenter", "dragover", "dragleave"] as const;
    for (const type of types) window.addEventListener(type, drag);
    window.addEventListener("drop", drop);
    return () => {
      for (const type of types) window.removeEventListener(type, drag);
      window.removeEventListener("drop", drop);
    };
  }, [onFiles]);
  return over;
}

const press = (id: string): void => document.getElementById(id)?.click();
const focus = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();

function keysOf(store: Store, picker: HTMLInputElement | null, list: () => void): Keys {
  return {
    undo: store.undo,
    redo: store.redo,
    o: () => (picker ?? document.querySelector<HTMLInputElement>("#picker"))?.click(),
    e: () => press("export"),
    c: () => document.querySelector<HTMLElement>('[aria-label="Copy the command"]')?.click(),
    "/": () => focus(".filter"),
    ga: () => focus("#answer button"),
    gr: () => focus(".data .chip"),
    gm: () => focus(".rail input"),
    gn: () => document.getElementById("notes")?.scrollIntoView(),
    "?": list,
    Escape: () => document.querySelector<HTMLElement>(".progress button")?.click(),
    ...Object.fromEntries(DOORS.map(({ name }, k) => [String(k + 1), () => store.go(name)])),
  };
}
