/** Words between white space, as Unicode and Python's `str.split()` see it: the information separators and the next-line sign
 *  are white space, the byte order mark is not (JavaScript's \s has it the other way round). */

export function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code >= 0x1c;
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

export function splitWords(text: string): string[] {
  const words: string[] = [];
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    if (isSpace(text.charCodeAt(i))) {
      if (start >= 0) words.push(text.slice(start, i));
      start = -1;
    } else if (start < 0) start = i;
  }
  if (start >= 0) words.push(start === 0 ? text : text.slice(start));
  return words;
}

/** Without white space at the end. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** Without white space at either end. */
export function trim(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text.charCodeAt(start))) start++;
  return trimEnd(start === 0 ? text : text.slice(start));
}

/** Numbers for words: equal words, equal numbers. */
export class Vocabulary {
  private readonly ids = new Map<string, number>();

  idOf(word: string): number {
    const known = this.ids.get(word);
    if (known !== undefined) return known;
    const id = this.ids.size;
    this.ids.set(word, id);
    return id;
  }

  idsOf(words: readonly string[]): Int32Array {
    const ids = new Int32Array(words.length);
    for (let i = 0; i < words.length; i++) ids[i] = this.idOf(words[i]!);
    return ids;
  }
}
