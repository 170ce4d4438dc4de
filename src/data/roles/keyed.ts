/** The levels of keys of a JSON document ({run: {query: {measure: value}}}): which name systems and which name items. */
import type { Guess } from "./guess.ts";
import type { ColumnProfile } from "./profile.ts";
import { readLikeSystems } from "./totals.ts";

/** Share of the pairs of two keys that must occur before they pass as crossed. */
const CROSSED = 0.9;
/** So many keys, and so many times those of the other level, are items. */
const MANY_ITEMS = 20;
const MANY_TIMES = 3;

export function claimKeys(guess: Guess): void {
  const keys = guess.free().filter(({ name, column }) => /^key(_\d)?$/.test(name) && column.kind === "factor");
  if (!guess.single.has("system")) claimSystems(guess, keys);
  const left = guess.free().filter((profile) => keys.includes(profile));
  const [one] = left;
  if (one === undefined || left.length > 1 || guess.single.has("item")) return;
  const above = [guess.single.get("system"), guess.single.get("metric")].filter((name) => /^key/.test(name ?? ""));
  // one value for each of them under each key above: what was measured
  if (above.length === 0 || guess.groups(one.name, ...(above as string[])) !== guess.table.rows) return;
  const reason = "the innermost keys of the document";
  guess.claim("item", one.name, undefined, { reason, confidence: 0.75 });
}

function claimSystems(guess: Guess, keys: readonly ColumnProfile[]): void {
  const telling = keys.find((profile) => profile.distinct > 1 && readLikeSystems(profile));
  if (telling !== undefined) {
    guess.claim("system", telling.name, "The keys of the document read like systems and are taken as such.");
    return;
  }
  const [outer, inner] = keys;
  if (outer === undefined || inner === undefined || keys.length > 2) return;
  if (guess.groups(outer.name, inner.name) < CROSSED * outer.distinct * inner.distinct) return;
  const [few, many] = outer.distinct <= inner.distinct ? [outer, inner] : [inner, outer];
  if (few.distinct < 2) return;
  const clear = many.distinct >= MANY_ITEMS && many.distinct >= MANY_TIMES * few.distinct;
  const why = `Every ${many.name} occurs with every ${few.name}, so ${few.name} is taken as what is compared.`;
  guess.claim("system", few.name, why, { reason: why.replace(/\.$/, ""), confidence: clear ? 0.7 : 0.55 });
}
