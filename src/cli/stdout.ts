/** What is printed may go into the log of a build server, which takes some lines for commands to itself: `::stop-commands::x` at the start of a
 *  line (GitHub, Gitea), `##vso[…]` anywhere (Azure, TeamCity, GitHub's older form). A system or a column may be called so. */

/** White space at the start of a line does not count there. */
const AT_START = /^([^\S\n\r\u2028\u2029]*):(?=:)/gm;
const ANYWHERE = /#(?=#\w*\[)/g;

/** The same text with a space within what would be such a command. */
export const withoutCommands = (text: string): string => text.replace(AT_START, "$1: ").replace(ANYWHERE, "# ");

/** For every answer on stdout; files are written as they are. */
export function printOut(text: string): void {
  process.stdout.write(withoutCommands(text));
}
