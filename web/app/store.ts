/** What the user has set: the door, every form, what columns are. Each change can be undone; numbers and choices stand in the address,
 *  so that a link repeats a plan. Names of columns and systems are data and never do. */
import { useEffect, useState } from "preact/hooks";
import { DOORS } from "../doors/doors.ts";
import type { Settings, Told } from "../engine/protocol.ts";

export interface Choices {
  readonly door: string;
  readonly settings: Readonly<Record<string, Settings>>;
  readonly told: Told;
  readonly seed: string;
}

export interface Store {
  readonly choices: Choices;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  go(door: string, settings?: Settings): void;
  /** `slide`: one of many small steps, undone together. */
  set(changes: Settings, slide?: boolean): void;
  /** What columns are, beside what was said before. */
  tell(told: Told): void;
  takeBack(name: string): void;
  setSeed(seed: string): void;
  forgetData(): void;
  undo(): void;
  redo(): void;
}

const START: Choices = { door: "start", settings: {}, told: {}, seed: "1" };
const LONGEST_HISTORY = 200;
/** Steps of one slider within this time are one change. */
const SLIDE_MS = 800;

interface History {
  readonly past: readonly Choices[];
  readonly now: Choices;
  readonly future: readonly Choices[];
  readonly slid: number;
}

export function useStore(): Store {
  const [history, setHistory] = useState<History>(() => ({ past: [], now: readHash(), future: [], slid: 0 }));
  const { past, now, future } = history;
  useEffect(() => {
    const hash = writeHash(now);
    if (location.hash !== hash) window.history.replaceState(null, "", hash === "" ? location.pathname : hash);
  }, [now]);
  useEffect(() => {
    const listen = (): void => {
      const next = readHash();
      setHistory((old) =>
        writeHash(old.now) === writeHash(next) ? old : step(old, { ...old.now, ...mergeHash(old.now, next) }),
      );
    };
    window.addEventListener("hashchange", listen);
    return () => window.removeEventListener("hashchange", listen);
  }, []);
  const change = (make: (old: Choices) => Choices, slide = false): void =>
    setHistory((old) => step(old, make(old.now), slide));
  return {
    choices: now,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    go: (door, settings) =>
      change((old) => ({
        ...old,
        door,
        ...(settings === undefined
          ? {}
          : { settings: { ...old.settings, [door]: clean({ ...old.settings[door], ...settings }) } }),
      })),
    set: (changes, slide) =>
      change(
        (old) => ({
          ...old,
          settings: { ...old.settings, [old.door]: clean({ ...old.settings[old.door], ...changes }) },
        }),
        slide,
      ),
    tell: (told) => change((old) => ({ ...old, told: { ...old.told, ...told } })),
    takeBack: (name) =>
      change((old) => ({
        ...old,
        told: Object.fromEntries(Object.entries(old.told).filter(([own]) => own !== name)),
      })),
    setSeed: (seed) => change((old) => ({ ...old, seed })),
    // settings that name columns belong to the data that is gone
    forgetData: () => change((old) => ({ ...old, told: {}, settings: onlyShared(old.settings) })),
    undo: () =>
      setHistory((old) =>
        old.past.length === 0
          ? old
          : { past: old.past.slice(0, -1), now: old.past.at(-1)!, future: [old.now, ...old.future], slid: 0 },
      ),
    redo: () =>
      setHistory((old) =>
        old.future.length === 0
          ? old
          : { past: [...old.past, old.now], now: old.future[0]!, future: old.future.slice(1), slid: 0 },
      ),
  };
}

function step(old: History, next: Choices, slide = false): History {
  if (JSON.stringify(next) === JSON.stringify(old.now)) return old;
  const time = performance.now();
  const joined = slide && time - old.slid < SLIDE_MS;
  const past = joined ? old.past : [...old.past, old.now].slice(-LONGEST_HISTORY);
  return { past, now: next, future: [], slid: slide ? time : 0 };
}

const clean = (settings: Readonly<Record<string, unknown>>): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Settings;

const sharedOf = (door: string): readonly string[] => DOORS.find(({ name }) => name === door)?.shared ?? [];

function onlyShared(settings: Choices["settings"]): Choices["settings"] {
  return Object.fromEntries(
    Object.entries(settings).map(([door, own]) => [
      door,
      Object.fromEntries(Object.entries(own).filter(([name]) => sharedOf(door).includes(name))),
    ]),
  );
}

/** `#plan?scenario=accuracy&n=500`: of the door that is open. */
export function writeHash({ door, settings, seed }: Choices): string {
  const own = onlyShared({ [door]: settings[door] ?? {} })[door]!;
  const query = new URLSearchParams(Object.entries(own).map(([name, value]) => [name, String(value)]));
  if (seed !== "1") query.set("seed", seed);
  const text = query.toString();
  return door === "start" && text === "" ? "" : `#${door}${text === "" ? "" : `?${text}`}`;
}

function readHash(): Choices {
  const [door = "", query = ""] = location.hash.slice(1).split("?");
  if (!DOORS.some(({ name }) => name === door)) return START;
  const given = new URLSearchParams(query);
  const own: Record<string, string | number | boolean> = {};
  for (const name of sharedOf(door)) {
    const text = given.get(name);
    if (text !== null) own[name] = text === "true" || text === "false" ? text === "true" : numberOr(text);
  }
  return { ...START, door, settings: { [door]: own }, seed: given.get("seed") ?? "1" };
}

const mergeHash = (old: Choices, next: Choices): Choices => ({
  ...next,
  told: old.told,
  settings: { ...old.settings, [next.door]: { ...old.settings[next.door], ...next.settings[next.door] } },
});

const numberOr = (text: string): string | number =>
  text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
