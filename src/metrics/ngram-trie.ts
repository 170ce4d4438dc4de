/** N-grams of one sentence's references as a trie in flat arrays, so that the n-grams of a hypothesis are counted and
 *  clipped in one walk: an n-gram can occur in a reference only if the (n-1)-gram before it does.
 *  A node is found by hashing (parent, symbol); clearing between sentences costs nothing, since every slot carries the
 *  number of the sentence that wrote it. */

const FIRST_SLOTS = 1 << 12;
/** Slots are kept at most half full, so that a search ends after a step or two. */
const FULL = 0.5;

export class NgramTrie {
  private slots = FIRST_SLOTS;
  private stamp = new Int32Array(FIRST_SLOTS);
  private parent = new Int32Array(FIRST_SLOTS);
  private symbol = new Int32Array(FIRST_SLOTS);
  private node = new Int32Array(FIRST_SLOTS);
  private sentence = 0;
  private nodes = 1;
  /** Most occurrences in any one reference, by node. */
  private most = new Int32Array(FIRST_SLOTS);
  /** Occurrences in the text that is being counted, by node, and which text that is. */
  private count = new Int32Array(FIRST_SLOTS);
  private text = new Int32Array(FIRST_SLOTS);
  private texts = 0;

  /** Forgets everything. */
  clear(): void {
    this.sentence++;
    this.nodes = 1;
  }

  /** Counts the n-grams of a reference up to the given order; of several references the largest count of each stays. */
  addReference(symbols: Int32Array, order: number): void {
    this.reserve(this.nodes + symbols.length * order);
    const text = ++this.texts;
    const length = symbols.length;
    for (let i = 0; i < length; i++) {
      let node = 0;
      for (let k = i; k < length && k < i + order; k++) {
        node = this.findOrAdd(node, symbols[k]!);
        const count = this.text[node] === text ? this.count[node]! + 1 : 1;
        this.text[node] = text;
        this.count[node] = count;
        if (count > this.most[node]!) this.most[node] = count;
      }
    }
  }

  /** target[at + (n-1) step] += n-grams of the hypothesis that a reference has too, none more often than there. */
  addMatchesInto(
    target: Float64Array,
    symbols: Int32Array,
    { order, at, step }: { order: number; at: number; step: number },
  ): void {
    const text = ++this.texts;
    const length = symbols.length;
    for (let i = 0; i < length; i++) {
      let node = 0;
      for (let k = 0; k < order && i + k < length; k++) {
        node = this.find(node, symbols[i + k]!);
        if (node < 0) break;
        const count = this.text[node] === text ? this.count[node]! + 1 : 1;
        this.text[node] = text;
        this.count[node] = count;
        if (count <= this.most[node]!) target[at + k * step]! += 1;
      }
    }
  }

  private find(parent: number, symbol: number): number {
    const mask = this.slots - 1;
    let slot = hash(parent, symbol) & mask;
    while (this.stamp[slot] === this.sentence) {
      if (this.parent[slot] === parent && this.symbol[slot] === symbol) return this.node[slot]!;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  private findOrAdd(parent: number, symbol: number): number {
    const mask = this.slots - 1;
    let slot = hash(parent, symbol) & mask;
    while (this.stamp[slot] === this.sentence) {
      if (this.parent[slot] === parent && this.symbol[slot] === symbol) return this.node[slot]!;
      slot = (slot + 1) & mask;
    }
    const node = this.nodes++;
    this.stamp[slot] = this.sentence;
    this.parent[slot] = parent;
    this.symbol[slot] = symbol;
    this.node[slot] = node;
    this.most[node] = 0;
    this.text[node] = 0;
    return node;
  }

  /** Room for that many nodes; those of the present sentence keep their numbers. */
  private reserve(nodes: number): void {
    if (nodes <= this.slots * FULL) return;
    let slots = this.slots;
    while (nodes > slots * FULL) slots *= 2;
    const old = { stamp: this.stamp, parent: this.parent, symbol: this.symbol, node: this.node };
    this.stamp = new Int32Array(slots);
    this.parent = new Int32Array(slots);
    this.symbol = new Int32Array(slots);
    this.node = new Int32Array(slots);
    this.most = lengthened(this.most, slots);
    this.count = lengthened(this.count, slots);
    this.text = lengthened(this.text, slots);
    this.slots = slots;
    for (let from = 0; from < old.stamp.length; from++) {
      if (old.stamp[from] !== this.sentence) continue;
      let to = hash(old.parent[from]!, old.symbol[from]!) & (slots - 1);
      while (this.stamp[to] === this.sentence) to = (to + 1) & (slots - 1);
      this.stamp[to] = this.sentence;
      this.parent[to] = old.parent[from]!;
      this.symbol[to] = old.symbol[from]!;
      this.node[to] = old.node[from]!;
    }
  }
}

/** Multiplicative mixing of both keys (odd constants near 2^32 divided by the golden ratio and by √2). */
function hash(parent: number, symbol: number): number {
  const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(symbol + 1, 0xb504f333 | 1);
  return mixed ^ (mixed >>> 15);
}

function lengthened(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(length);
  longer.set(array);
  return longer;
}
