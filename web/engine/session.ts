/** The engine's memory and its calls: files that are open, the last answer of every door. */
import {
  addToResult,
  type Comparison,
  comparisonTable,
  fingerprint,
  inlineRunner,
  type Result,
  type ResultJson,
  type Runner,
  render,
  StatError,
} from "../../src/index.ts";
import { Question as OpenQuestion, withTold } from "../../src/io.ts";
import { chooseFigure, figureCsv, plotJson, renderSvg } from "../../src/plot.ts";
import { renderReport, writePaper } from "../../src/report.ts";
import { fillSheet, openSheet } from "../../src/tests.ts";
import { jsonText } from "../../src/text.ts";
import { DOORS } from "../doors/engine.ts";
import type { Asked, Data } from "./door.ts";
import { paperSentence, presentResult } from "./present.ts";
import type {
  AnswerView,
  AskView,
  Calls,
  FlipsView,
  Format,
  OpenData,
  Progress,
  Question,
  SheetView,
  Told,
} from "./protocol.ts";
import { presentData, readFiles } from "./reading.ts";
import { readReading } from "./reading-file.ts";
import { presentAsk } from "./told.ts";

interface Answer {
  readonly result: Result<string>;
  readonly json: ResultJson;
}

/** What a call has around it. */
export interface Surroundings {
  readonly signal: AbortSignal;
  tell(progress: Progress): void;
}

export class Session {
  #data: Data | undefined;
  /** What the user said last. */
  #told: Told = {};
  readonly #answers = new Map<string, Answer>();
  runner: Runner = inlineRunner();

  async open({ files }: Calls["open"]["takes"]): Promise<OpenData> {
    const data = await readFiles(files);
    this.#data = data;
    this.#answers.clear();
    return this.tell({ told: {} });
  }

  tell({ told }: Calls["tell"]["takes"]): OpenData {
    const view = presentData(this.#needData(), told);
    this.#told = told;
    return view;
  }

  /** The question behind an error. */
  askOf(error: unknown): AskView | undefined {
    return error instanceof OpenQuestion
      ? presentAsk(error.ask, withTold(this.#needData().whole, this.#told))
      : undefined;
  }

  read({ name, text }: Calls["read"]["takes"]): Calls["read"]["gives"] {
    const told = readReading(text, name);
    if (told !== undefined) return { told };
    const door = DOORS.find(({ document }) => document?.isMeant(text));
    if (door === undefined)
      throw new StatError(
        "BadDocument",
        `${name} is neither a plan, nor the policy of a gate, nor a reading.`,
        "A plan names systems and smallest-effect, a policy a margin, a reading the columns: system, item, score.",
      );
    return { door: door.name, settings: door.document!.read(text, name) };
  }

  async ask(question: Question, around: Surroundings): Promise<AnswerView> {
    const door = DOORS.find(({ name }) => name === question.door)!;
    const data = (): Data => {
      const { whole, ...rest } = this.#needData();
      return { ...rest, whole: withTold(whole, question.told) };
    };
    const show = (asked: Asked): void => around.tell({ done: 0, total: 0, view: this.#keep(question.door, asked) });
    return this.#keep(question.door, await door.ask({ ...question, ...around, runner: this.runner, data, show }));
  }

  /** The answer of a door from now on. */
  #keep(door: string, asked: Asked): AnswerView {
    const result = addToResult(asked.result, { ...this.#reading(asked), ...asked.addition, command: asked.command });
    const json = result.toJSON() as ResultJson;
    this.#answers.set(door, { result, json });
    return presentResult(json, { call: asked.call, own: asked.own ?? {}, headline: asked.headline });
  }

  /** What was noticed and taken for granted while the files were read. */
  #reading({ readsFiles, carriesReading }: Asked) {
    if (!readsFiles || carriesReading || this.#data === undefined) return {};
    const { diagnostics, assumptions } = this.#data.whole;
    return { reading: diagnostics.filter(({ code }) => code !== "NoScoreFound"), assumed: assumptions };
  }

  draw({ door, figure, width }: Calls["draw"]["takes"]): string {
    return renderSvg(this.#figure(door, figure), {
      width,
      bare: true,
      inline: true,
      id: `${door}-${Math.round(width)}`,
    });
  }

  picture({ door, figure, as }: Calls["picture"]["takes"]): string {
    const chosen = this.#figure(door, figure);
    if (as === "csv") return figureCsv(chosen);
    return as === "png" ? renderSvg(chosen, { theme: "light" }) : renderSvg(chosen);
  }

  write({ door, as }: { readonly door: string; readonly as: Format }): string {
    const { result, json } = this.#answer(door);
    switch (as) {
      case "json":
        return jsonText(result);
      case "html":
        return renderReport([json]);
      case "paper":
        return writePaper(json);
      case "tex":
        return render(result.display(), "latex");
      case "md":
        return render(result.display(), "markdown");
      case "csv": {
        const display = result.display();
        const tables = json.kind === "comparison" ? [comparisonTable(result as unknown as Comparison)] : display.tables;
        return render({ ...display, tables: tables.slice(0, 1) }, "csv").replaceAll("\r\n", "\n");
      }
    }
  }

  paper({ door }: Calls["paper"]["takes"]): string | undefined {
    return paperSentence(this.#answer(door).json);
  }

  /** Items that differ, of those whose words hold the filter; furthest apart first. */
  flips({ filter, better, most }: Calls["flips"]["takes"]): FlipsView {
    const { head, rows } = this.#flipsTable();
    const wanted = filter.trim().toLowerCase();
    const at = head.indexOf("better");
    const gap = head.indexOf("difference");
    const found = rows
      .filter((row) => better === "" || String(row[at]) === better)
      .filter((row) => wanted === "" || row.some((cell) => String(cell).toLowerCase().includes(wanted)))
      .sort((a, b) => Math.abs(Number(b[gap])) - Math.abs(Number(a[gap])));
    const short = (cell: string | number): string =>
      typeof cell === "number" ? String(Number(cell.toPrecision(4))).replace("-", "\u2212") : cell;
    return { head, total: found.length, shown: found.slice(0, most).map((row) => row.map(short)) };
  }

  flipsCsv(): string {
    return render({ title: "", tables: [this.#flipsTable()], notes: [] }, "csv").replaceAll("\r\n", "\n");
  }

  async sheet({ path }: Calls["sheet"]["takes"]): Promise<SheetView> {
    const table = await this.#needData().raw(path);
    const shown = new Map([...table.columns].filter(([name]) => name !== "label"));
    return { ...openSheet(table), print: fingerprint({ ...table, columns: shown }) };
  }

  async sheetCsv({ path, labels }: Calls["sheetCsv"]["takes"]): Promise<string> {
    return fillSheet(openSheet(await this.#needData().raw(path)), labels);
  }

  #flipsTable() {
    return comparisonTable(this.#answer("compare").result as unknown as Comparison, "flips");
  }

  #figure(door: string, name: string) {
    return chooseFigure(plotJson(this.#answer(door).json), name);
  }

  #answer(door: string): Answer {
    const found = this.#answers.get(door);
    if (found === undefined) throw new StatError("NoAnswer", "there is no answer yet.", "Ask first.");
    return found;
  }

  #needData(): Data {
    if (this.#data !== undefined) return this.#data;
    throw new StatError("NoData", "no file is open.", "Drop a file on the window, or choose an example.");
  }
}
