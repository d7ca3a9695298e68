/** Reads a file, or a range of it, from an address: http, https, file, data or blob. */
import { CancelledError, DownloadError, cancelledBy } from "./error.js";
import { nodeModule } from "./host.js";

/** Bytes in their own memory, which can be transferred to another thread. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The range to read, and options. */
export interface ReadOptions {
  /** Offsets of the first byte and of the byte after the last one. Default: the whole file. */
  range?: readonly [number, number];
  /** Maximum number of bytes; a longer answer is an error. */
  most?: number;
  signal?: AbortSignal;
  /** Receives the number of bytes read so far. */
  onBytes?: (count: number) => void;
  /** Bypasses the browser's cache, which can contain damaged bytes. */
  isFresh?: boolean;
}

/** The bytes that were read. */
export interface Reading {
  bytes: Bytes;
  /** Offset of the bytes in the file; 0 if the server answered with the whole file. */
  start: number;
  /** Whether the bytes reach the end of the file; `false` if unknown. */
  isEnd: boolean;
}

/** Reads a file or a range of it, without a second attempt. */
export async function readAddress(url: URL, options: ReadOptions = {}): Promise<Reading> {
  if (options.signal?.aborted) throw cancelledBy(options.signal);
  const files = url.protocol === "file:" ? nodeModule("node:fs/promises") : undefined;
  try {
    return files ? await readFile(files, url, options) : await fetchRange(url, options);
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

async function readFile(files: Files, url: URL, options: ReadOptions): Promise<Reading> {
  const file = await files.open(url);
  try {
    const { size } = await file.stat();
    const [start, end] = options.range ?? [0, size];
    const length = Math.max(0, Math.min(end, size) - start);
    tooMuch(url, length, options);
    const bytes = new Uint8Array(length);
    let count = 0;
    while (count < length) {
      const { bytesRead } = await file.read(bytes, count, length - count, start + count);
      if (bytesRead === 0) throw new DownloadError(`${url.href} was cut short`, url.href);
      count += bytesRead;
    }
    options.onBytes?.(count);
    return { bytes, start, isEnd: start + length >= size };
  } finally {
    await file.close();
  }
}

async function fetchRange(url: URL, options: ReadOptions): Promise<Reading> {
  const { range, signal = null } = options;
  const response = await fetch(url, {
    headers: range ? { range: `bytes=${range[0]}-${range[1] - 1}` } : {},
    credentials: "same-origin",
    signal,
    cache: options.isFresh ? "reload" : "default",
  });
  const { status } = response;
  // A range after the end of the file is also an error, with status 416.
  if (!response.ok) {
    void response.body?.cancel().catch(() => {});
    throw new DownloadError(`${url.href}: HTTP status ${status}`, url.href, { status });
  }
  if (status !== 206 || !range) {
    const bytes = await readBody(url, response, options);
    return { bytes, start: 0, isEnd: true };
  }
  const found = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(response.headers.get("content-range") ?? "");
  // Other origins must expose this header. If it is unreadable, the range is assumed to be right,
  // and checksums of the content detect errors.
  const [start, last] = found ? [Number(found[1]), Number(found[2])] : [range[0], range[1] - 1];
  if (start !== range[0] || last >= range[1]) {
    throw new DownloadError(`${url.href}: another range than asked for`, url.href, { status });
  }
  const bytes = await readBody(url, response, { ...options, most: range[1] - range[0] });
  const isEnd = found ? Number(found[3]) === last + 1 : bytes.length < range[1] - range[0];
  return { bytes, start, isEnd };
}

async function readBody(url: URL, response: Response, options: ReadOptions): Promise<Bytes> {
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
export async function readAgain(url: URL, options: ReadOptions = {}): Promise<Reading> {
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
