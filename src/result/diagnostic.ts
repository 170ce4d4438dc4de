/** Making diagnostics, and the two lines they print as. */
import type { Diagnostic } from "./result.ts";

/** Worth knowing; the numbers stand. */
export function note(code: string, message: string, fix: string): Diagnostic {
  return { code, severity: "note", message, fix };
}

/** The numbers may mislead. */
export function warning(code: string, message: string, fix: string): Diagnostic {
  return { code, severity: "warning", message, fix };
}

/** The word a diagnostic opens with in print. */
export function severityLabel(diagnostic: Diagnostic): string {
  return diagnostic.severity === "warning" ? "Warning" : "Note";
}

/** On one line, as a log or a commit check wants it: `Warning: … Fix: …`. */
export function describeDiagnostic(diagnostic: Diagnostic): string {
  const fix = diagnostic.fix === "" ? "" : ` Fix: ${diagnostic.fix}`;
  return `${severityLabel(diagnostic)}: ${diagnostic.message}${fix}`;
}
