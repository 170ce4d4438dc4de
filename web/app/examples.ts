/** Data sets to try: beside the page, or within it where the page is one file. */

export interface Example {
  readonly title: string;
  readonly about: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

export async function loadExamples(): Promise<readonly Example[]> {
  const inside = document.getElementById("examples")?.textContent;
  if (inside != null) return JSON.parse(inside) as Example[];
  const answer = await fetch(new URL("examples.json", document.baseURI));
  return (await answer.json()) as Example[];
}

export const filesOf = ({ files }: Example): File[] => files.map(({ name, text }) => new File([text], name));
