// The browser's storage contains one picture: its original and its crop. It is never uploaded.

import type { Rectangle } from "./drawing.ts";

export interface Kept {
  /** The uncropped picture. It can be cropped again, for example for another board size. */
  bytes: ArrayBuffer;
  type: string;
  width: number;
  height: number;
  crop: Rectangle;
  /** A web address or the name of a built-in picture, for links; absent for other pictures. */
  origin?: string | undefined;
}

const database = "sliding-tile-picture";
const store = "picture";
const key = "current";

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no storage"));
    request.onblocked = () => reject(new Error("another tab keeps the storage"));
  });
}

/** Runs one operation on the store. Rejects if storage is denied or full. */
async function transact<T>(
  mode: IDBTransactionMode,
  act: (objects: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const base = await opened();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = base.transaction(store, mode);
      const request = act(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("storage full"));
      transaction.onerror = () => reject(transaction.error ?? new Error("storage failed"));
    });
  } finally {
    base.close();
  }
}

export async function keepPicture(kept: Kept): Promise<void> {
  await transact("readwrite", (objects) => objects.put(kept, key));
}

export async function forgetPicture(): Promise<void> {
  await transact("readwrite", (objects) => objects.delete(key));
}

/** The stored picture, if it is complete. */
export async function keptPicture(): Promise<Kept | null> {
  const found: unknown = await transact<unknown>("readonly", (objects) => objects.get(key));
  return isKept(found) ? found : null;
}

function isKept(value: unknown): value is Kept {
  const { bytes, type, width, height, crop } = (value ?? {}) as Partial<Kept>;
  const numbers = [width, height, crop?.x, crop?.y, crop?.width, crop?.height];
  const isWhole = bytes instanceof ArrayBuffer && bytes.byteLength > 0;
  return isWhole && typeof type === "string" && numbers.every(Number.isFinite);
}
