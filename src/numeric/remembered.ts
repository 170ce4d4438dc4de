/** Answers by the text of their question. Comparisons of many pairs ask for the same small tables again and again, and readers for the
 *  same names. Past `most` answers all are forgotten, so that strangers' questions fill no memory. */
export function remembered<V>(most: number): (question: string, answer: () => V) => V {
  const known = new Map<string, V>();
  return (question, answer) => {
    const found = known.get(question);
    if (found !== undefined) return found;
    const value = answer();
    if (known.size >= most) known.clear();
    known.set(question, value);
    return value;
  };
}
