/** The answer to the settings as they stand. While one is computed the last good one stays; a newer question waits for the engine, and only
 *  the newest is asked. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { AnswerView, Failure, Progress, Question } from "../engine/protocol.ts";
import { type Engine, isFailure, type Pending } from "./engine.ts";

export interface Answering {
  readonly view: AnswerView | undefined;
  readonly failure: Failure | undefined;
  readonly busy: boolean;
  /** The answer that is shown belongs to earlier settings. */
  readonly stale: boolean;
  readonly progress: Progress | undefined;
  /** Counts answers: pictures are redrawn with each. */
  readonly version: number;
  /** Ends a simulation with what is known. */
  stop(): void;
}

export function useAnswer(engine: Engine, question: Question | undefined, wait = 0): Answering {
  const [state, setState] = useState<Omit<Answering, "stop" | "stale"> & { readonly answers: string }>({
    view: undefined,
    answers: "",
    failure: undefined,
    busy: false,
    progress: undefined,
    version: 0,
  });
  const pending = useRef<Pending<AnswerView> | undefined>(undefined);
  const wanted = useRef<Question | undefined>(undefined);
  const key = question === undefined ? "" : JSON.stringify(question);
  useEffect(() => {
    wanted.current = question;
    if (question === undefined) {
      setState((old) => ({ ...old, busy: false, failure: undefined }));
      return;
    }
    const timer = setTimeout(() => void askNext(), wait);
    pending.current?.stop();
    return () => clearTimeout(timer);
  }, [key]);

  async function askNext(): Promise<void> {
    const next = wanted.current;
    if (next === undefined || pending.current !== undefined) return;
    wanted.current = undefined;
    const answers = JSON.stringify(next);
    setState((old) => ({ ...old, busy: true, progress: undefined }));
    const call = engine.call("ask", next, ({ view, ...progress }) =>
      setState((old) =>
        view === undefined
          ? { ...old, progress }
          : { ...old, view, answers, failure: undefined, version: old.version + 1 },
      ),
    );
    pending.current = call;
    try {
      const view = await call.answer;
      setState(({ version }) => ({
        view,
        answers,
        failure: undefined,
        busy: false,
        progress: undefined,
        version: version + 1,
      }));
    } catch (error) {
      const failure = isFailure(error)
        ? error
        : { code: "Unexpected", message: String(error), fix: "Reload the page." };
      setState((old) => ({ ...old, failure, busy: false, progress: undefined }));
    }
    pending.current = undefined;
    if (wanted.current !== undefined) void askNext();
  }
  const { answers, ...shown } = state;
  const stale = shown.view !== undefined && answers !== key;
  return { ...shown, stale, stop: () => pending.current?.stop() };
}
