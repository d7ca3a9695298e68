/** Storage of packed tables between visits: an IndexedDB with the SHA-256 of a table as key. */
import type { Bytes } from "./address.js";
import { StorageError } from "./error.js";
import type { StoredTable } from "./types.js";

const DATABASE = "sliding-tile-pdb";
/** Metadata and bytes are stored separately, so that a list of the tables needs no bytes. */
const FACTS = "facts";
const BYTES = "bytes";

/** Whether the host has storage. */
export function hasStorage(): boolean {
  try {
    return typeof indexedDB === "object" && indexedDB !== null;
  } catch {
    // If storage is denied, even accessing the property throws.
    return false;
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Throws if storage is denied.
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(FACTS, { keyPath: "sha256" });
      request.result.createObjectStore(BYTES);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another page holds the storage"));
  });
}

/** Runs requests in one transaction. Returns the result of the request that `work` returns. */
async function transact<T>(
  mode: IDBTransactionMode,
  work: (facts: IDBObjectStore, bytes: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  let database: IDBDatabase | undefined;
  try {
    database = await openDatabase();
    const transaction = database.transaction([FACTS, BYTES], mode);
    return await new Promise<T>((resolve, reject) => {
      const request = work(transaction.objectStore(FACTS), transaction.objectStore(BYTES));
      transaction.oncomplete = () => resolve(request.result);
      // A failed request aborts the transaction, whose `error` is the reason.
      transaction.onabort = () =>
        reject(transaction.error ?? new Error("the transaction was ended"));
    });
  } catch (cause) {
    const { name, message } = cause as Error;
    const reason =
      name === "QuotaExceededError" ? "it is full" : `it is denied or damaged (${message || name})`;
    throw new StorageError(`the browser's storage does not take part: ${reason}`, { cause });
  } finally {
    database?.close();
  }
}

/** The packed bytes of a table, if they are stored. */
export async function readTable(sha256: string): Promise<Bytes | undefined> {
  const buffer: unknown = await transact("readonly", (_, bytes) => bytes.get(sha256));
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer) : undefined;
}

/** Stores the packed bytes of a table. */
export async function keepTable(sha256: string, file: string, packed: Bytes): Promise<void> {
  const table: StoredTable = { sha256, file, bytes: packed.length, time: Date.now() };
  // A view of a larger buffer is copied first, because the database stores whole buffers.
  const whole = packed.byteLength === packed.buffer.byteLength;
  const buffer = whole ? packed.buffer : packed.slice().buffer;
  await transact("readwrite", (facts, bytes) => {
    bytes.put(buffer, sha256);
    return facts.put(table);
  });
}

/**
 * The packed tables in this site's storage, which solvers load without the network. Empty in hosts
 * without storage, such as Node.
 *
 * @throws StorageError if the browser denies its storage.
 */
export async function storedTables(): Promise<StoredTable[]> {
  if (!hasStorage()) return [];
  return transact("readonly", (facts) => facts.getAll() as IDBRequest<StoredTable[]>);
}

/**
 * Deletes stored tables: those with the given SHA-256 sums (`StoredTable.sha256`), by default all.
 * Solvers that have loaded them are not affected.
 *
 * @throws StorageError if the browser denies its storage.
 */
export async function forgetTables(sha256?: readonly string[]): Promise<void> {
  if (!hasStorage()) return;
  await transact("readwrite", (facts, bytes) => {
    for (const sum of sha256 ?? []) {
      facts.delete(sum);
      bytes.delete(sum);
    }
    if (sha256 === undefined) {
      facts.clear();
      bytes.clear();
    }
    return facts.count();
  });
}
