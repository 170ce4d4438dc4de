/** What this browser keeps, in IndexedDB: recent files and settings where the user asked for it, labels of a sheet after each answer; and a button
 *  that forgets all. */

import type { GivenFile } from "../engine/protocol.ts";

const NAME = "gosset";
const PLACE = "recent";

export interface Kept {
  readonly files: readonly GivenFile[];
  readonly hash: string;
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(PLACE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function within<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const base = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const request = act(base.transaction(PLACE, mode).objectStore(PLACE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    base.close();
  }
}

/** Whether anything was ever kept: looking must not create a database. */
async function exists(): Promise<boolean> {
  return (await indexedDB.databases?.())?.some(({ name }) => name === NAME) ?? false;
}

export const keep = (kept: Kept): Promise<unknown> => within("readwrite", (store) => store.put(kept, "last"));

export async function recall(): Promise<Kept | undefined> {
  try {
    return (await exists()) ? await within<Kept | undefined>("readonly", (store) => store.get("last")) : undefined;
  } catch {
    return undefined; // browsers that keep nothing for this page
  }
}

/** Labels of a sheet, by its fingerprint. */
export const keepLabels = (print: string, labels: readonly string[]): Promise<unknown> =>
  within("readwrite", (store) => store.put(labels, `sheet ${print}`));

export async function recallLabels(print: string): Promise<readonly string[] | undefined> {
  try {
    return (await exists())
      ? await within<readonly string[] | undefined>("readonly", (store) => store.get(`sheet ${print}`))
      : undefined;
  } catch {
    return undefined; // browsers that keep nothing for this page
  }
}

export function forget(): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(NAME);
    request.onsuccess = () => resolve();
    request.onerror = () => resolve();
    request.onblocked = () => resolve();
  });
}
