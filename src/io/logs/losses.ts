/** Counts what an importer could not use and remembers where, so that nothing vanishes without a name. */
import type { Diagnostic } from "../../result/result.ts";

const MAX_EXAMPLES = 3;

const SINGULAR_VERBS: Readonly<Record<string, string>> = { are: "is", have: "has", were: "was", pit: "pits" };

/** "score values are missing" → "score value is missing". */
function inSingular(what: string): string {
  return what.replace(
    /^([\w ]+?)(ies|s) (are|have|were|pit|ended|could|passed)\b/,
    (_, noun: string, end: string, verb: string) =>
      `${noun}${end === "ies" ? "y" : ""} ${SINGULAR_VERBS[verb] ?? verb}`,
  );
}

interface Loss {
  count: number;
  readonly examples: string[];
}

export interface LossText {
  /** Reads after the count: "samples ended in an error". */
  readonly what: string;
  readonly fix: string;
  readonly severity?: "note" | "warning";
}

export class Losses {
  #found = new Map<string, Loss>();

  add(code: string, where: string): void {
    let loss = this.#found.get(code);
    if (loss === undefined) {
      loss = { count: 0, examples: [] };
      this.#found.set(code, loss);
    }
    loss.count += 1;
    if (loss.examples.length < MAX_EXAMPLES && !loss.examples.includes(where)) loss.examples.push(where);
  }

  count(code: string): number {
    return this.#found.get(code)?.count ?? 0;
  }

  /** One diagnostic per code that occurred, in the order of `texts`. */
  diagnostics(texts: Readonly<Record<string, LossText>>): Diagnostic[] {
    const list: Diagnostic[] = [];
    for (const [code, text] of Object.entries(texts)) {
      const loss = this.#found.get(code);
      if (loss === undefined) continue;
      const dots = loss.count > loss.examples.length ? "; …" : "";
      const message = `${loss.count} ${loss.count === 1 ? inSingular(text.what) : text.what} (${loss.examples.join("; ")}${dots}).`;
      list.push({ code, severity: text.severity ?? "warning", message, fix: text.fix });
    }
    return list;
  }
}
