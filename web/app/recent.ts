/** Recent work in this browser, only where the user asked for it: files and settings in IndexedDB, and a button that forgets all. */

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

export function forget(): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(NAME);
    request.onsuccess = () => resolve();
    request.onerror = () => resolve();
    request.onblocked = () => resolve();
  });
}
