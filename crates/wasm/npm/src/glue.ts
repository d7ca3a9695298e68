/** The functions of the WebAssembly module, and the module itself: found, compiled once, begun. */
import * as bindings from "../wasm/sliding_tile_pdb.js";
import { DownloadError, InputError, UnsupportedError } from "./error.js";
import { readAddress } from "./address.js";
import type { WasmSource } from "./types.js";

/** Compiled modules by address: one for all threads. Failures are forgotten. */
const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** The compiled module. Bytes and addresses are compiled; without any, the file of this package. */
export async function compile(source?: WasmSource): Promise<WebAssembly.Module> {
  if (typeof WebAssembly !== "object") {
    throw new UnsupportedError("this host has no WebAssembly, which the solver is made of");
  }
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof Uint8Array) return compileBytes(source, "the bytes given");
  if (source !== undefined && !(source instanceof URL)) {
    throw new InputError("`wasm` must be a URL, bytes or a WebAssembly.Module");
  }
  const url = source ?? new URL("../wasm/sliding_tile_pdb_bg.wasm", import.meta.url);
  let module = compiled.get(url.href);
  if (!module) {
    module = compileAddress(url);
    compiled.set(url.href, module);
    module.catch(() => compiled.delete(url.href));
  }
  return module;
}

async function compileAddress(url: URL): Promise<WebAssembly.Module> {
  if (url.protocol.startsWith("http") && WebAssembly.compileStreaming) {
    const response = await fetch(url, { credentials: "same-origin" }).catch((cause) => {
      throw new DownloadError(`${url.href} could not be fetched`, url.href, { cause });
    });
    if (!response.ok) {
      const { status } = response;
      throw new DownloadError(`${url.href}: HTTP status ${status}`, url.href, { status });
    }
    // Streams are for the right type only, which some hosts do not know.
    const type = response.headers.get("content-type") ?? "";
    if (/^application\/wasm\s*(;|$)/.test(type)) {
      return WebAssembly.compileStreaming(response).catch((cause) => {
        throw unsound(url.href, cause);
      });
    }
    return compileBytes(new Uint8Array(await response.arrayBuffer()), url.href);
  }
  return compileBytes((await readAddress(url)).bytes, url.href);
}

async function compileBytes(bytes: Uint8Array, name: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes as Uint8Array<ArrayBuffer>);
  } catch (cause) {
    throw unsound(name, cause);
  }
}

const unsound = (name: string, cause: unknown) =>
  new UnsupportedError(`${name}: not a WebAssembly module that this host can compile`, { cause });

let isBegun = false;

/** Asked during long calls whether to end; whoever runs a call says how it knows. */
export const poll = { isCancelled: (): boolean => false };

/**
 * The functions of this thread's instance, which is made of the first module given: there is one
 * instance a thread.
 */
export function begin(module: WebAssembly.Module): typeof bindings {
  if (!isBegun) {
    bindings.initSync({ module });
    bindings.on_cancel(() => poll.isCancelled());
    isBegun = true;
  }
  return bindings;
}

export type Bindings = typeof bindings;
