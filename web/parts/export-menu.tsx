/** One menu: the report, tables, JSON; then the command, the library call, the link to the settings. */
import type { Engine } from "../app/engine.ts";
import { copyText, save } from "../app/saving.ts";
import type { AnswerView, Format } from "../engine/protocol.ts";
import { Menu, MenuItem } from "./menu.tsx";

interface ExportProps {
  readonly engine: Engine;
  readonly door: string;
  readonly view: AnswerView;
  readonly paper: string | undefined;
  readonly disabled: boolean;
}

const FILES: readonly (readonly [Format, string, string, string])[] = [
  ["html", "Report", ".html", "text/html"],
  ["tex", "Tables for LaTeX", ".tex", "application/x-tex"],
  ["md", "Tables in Markdown", ".md", "text/markdown"],
  ["csv", "Main table", ".csv", "text/csv"],
  ["json", "Everything, full precision", ".json", "application/json"],
];

export function ExportMenu({ engine, door, view, paper, disabled }: ExportProps) {
  const write = async (as: Format, ending: string, type: string): Promise<void> =>
    save(`gosset-${door}${ending}`, await engine.call("write", { door, as }).answer, type);
  return (
    <Menu label="Export" hint="E" primary id="export" disabled={disabled}>
      {FILES.map(([as, text, ending, type]) => (
        <MenuItem key={as} note={ending} onSelect={() => write(as, ending, type)}>
          {text}
        </MenuItem>
      ))}
      {paper === undefined ? null : (
        <MenuItem note="-paper.tex" onSelect={() => write("paper", "-paper.tex", "application/x-tex")}>
          Sentence, table, literature
        </MenuItem>
      )}
      <MenuItem rule note="copy" onSelect={() => copyText(view.command)}>
        Command
      </MenuItem>
      <MenuItem note="copy" onSelect={() => copyText(view.call)}>
        Library call
      </MenuItem>
      <MenuItem note="copy" onSelect={() => copyText(location.href)}>
        Link to these settings
      </MenuItem>
    </Menu>
  );
}
