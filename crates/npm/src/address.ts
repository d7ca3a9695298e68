/** Reads a file from an address: http, https, file, data or blob. */
import { CancelledError, DownloadError, cancelledBy } from "./error.js";
import { nodeModule } from "./host.js";

/** Bytes in their own memory, which can be transferred to another thread. */
export type Bytes = Uint8Array<ArrayBuffer>;

export interface ReadOptions {
  /** Maximum number of bytes; a longer answer is an error. */
  most?: number;
  signal?: AbortSignal;
  /** Receives the number of bytes read so far. */
  onBytes?: (count: number) => void;
  /** Bypasses the browser's cache, which can contain damaged bytes. */
  isFresh?: boolean;
}

/** Reads a file, without a second attempt. */
export async function readAddress(url: URL, options: ReadOptions = {}): Promise<Bytes> {
  if (options.signal?.aborted) throw cancelledBy(options.signal);
  const files = url.protocol === "file:" ? nodeModule("node:fs/promises") : undefined;
  try {
    return files ? await readFile(files, url, options) : await fetchFile(url, options);
  } catch (error) {
    if (options.signal?.aborted) throw cancelledBy(options.signal);
    if (error instanceof DownloadError || error instanceof CancelledError) throw error;
    const reason = error instanceof Error ? (error.cause as Error)?.message || error.message : "";
    throw new DownloadError(`${url.href} could not be fetched: ${reason}`, url.href, {
      cause: error,
    });
  }
}

type Files = NonNullable<ReturnType<typeof nodeModule<"node:fs/promises">>>;

async function readFile(files: Files, url: URL, options: ReadOptions): Promise<Bytes> {
  tooMuch(url, (await files.stat(url)).size, options);
  const bytes = new Uint8Array(await files.readFile(url));
  options.onBytes?.(bytes.length);
  return bytes;
}

async function fetchFile(url: URL, options: ReadOptions): Promise<Bytes> {
  const response = await fetch(url, {
    credentials: "same-origin",
    signal: options.signal ?? null,
    cache: options.isFresh ? "reload" : "default",
  });
  const { status } = response;
  if (!response.ok) {
    void response.body?.cancel().catch(() => {});
    throw new DownloadError(`${url.href}: HTTP status ${status}`, url.href, { status });
  }
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(await response.arrayBuffer());
  const chunks: Bytes[] = [];
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    count += value.length;
    try {
      tooMuch(url, count, options);
    } catch (error) {
      void reader.cancel().catch(() => {});
      throw error;
    }
    options.onBytes?.(count);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function tooMuch(url: URL, count: number, { most }: ReadOptions): void {
  if (most !== undefined && count > most) {
    throw new DownloadError(`${url.href}: more than the ${most} bytes it should have`, url.href);
  }
}

/** Reads a file; after a failure that may be temporary, reads it once more. */
export async function readAgain(url: URL, options: ReadOptions = {}): Promise<Bytes> {
  try {
    return await readAddress(url, options);
  } catch (error) {
    if (!(error instanceof DownloadError) || !isWorthAgain(error)) throw error;
    return readAddress(url, { ...options, isFresh: true });
  }
}

/** Whether a second attempt can succeed. It cannot if the server rejected the request. */
function isWorthAgain({ status, url }: DownloadError): boolean {
  if (url.startsWith("file:")) return false;
  return status === undefined || status < 300 || status >= 500 || status === 429;
}
