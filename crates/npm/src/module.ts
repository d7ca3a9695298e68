/** The WebAssembly modules, each loaded and compiled once, on demand. */
import { readAddress } from "./address.js";
import { DownloadError, InputError, UnsupportedError } from "./error.js";
import type { WasmSource } from "./types.js";

/** The modules: only the rules; the solver for one thread and for several; the laboratory. */
export type ModuleName = "wasm-rules" | "wasm" | "wasm-threads" | "wasm-laboratory";

/** Addresses of the modules in the only form in which bundlers find files. */
const addresses: Record<ModuleName, () => URL> = {
  "wasm-rules": () => new URL("../wasm-rules/sliding_tile_pdb_bg.wasm", import.meta.url),
  wasm: () => new URL("../wasm/sliding_tile_pdb_bg.wasm", import.meta.url),
  "wasm-threads": () => new URL("../wasm-threads/sliding_tile_pdb_bg.wasm", import.meta.url),
  "wasm-laboratory": () => new URL("../wasm-laboratory/sliding_tile_pdb_bg.wasm", import.meta.url),
};

/** Compiled modules by address, shared by all threads. Failures are not cached. */
const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** The compiled module of this package, from `url` if the caller gives an address. */
export const compileOwn = (name: ModuleName, url?: URL): Promise<WebAssembly.Module> =>
  compile(url ?? addresses[name]());

/** Compiles a module from its bytes or address; returns a compiled module unchanged. */
export async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (typeof WebAssembly !== "object") {
    throw new UnsupportedError("this host has no WebAssembly, which the solver is made of");
  }
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof Uint8Array) return compileBytes(source, "the bytes given");
  if (!(source instanceof URL)) {
    throw new InputError("`wasm` must be a URL, bytes or a WebAssembly.Module");
  }
  let module = compiled.get(source.href);
  if (!module) {
    module = compileAddress(source);
    compiled.set(source.href, module);
    module.catch(() => compiled.delete(source.href));
  }
  return module;
}

/** Whether a module imports its memory, as the module for several threads does. */
export const takesMemory = (module: WebAssembly.Module): boolean =>
  WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");

async function compileAddress(url: URL): Promise<WebAssembly.Module> {
  if (url.protocol.startsWith("http") && WebAssembly.compileStreaming) {
    const response = await fetch(url, { credentials: "same-origin" }).catch((cause) => {
      throw new DownloadError(`${url.href} could not be fetched`, url.href, { cause });
    });
    if (!response.ok) {
      const { status } = response;
      throw new DownloadError(`${url.href}: HTTP status ${status}`, url.href, { status });
    }
    // Streaming requires the right content type, which some hosts do not send.
    const type = response.headers.get("content-type") ?? "";
    if (/^application\/wasm\s*(;|$)/.test(type)) {
      return WebAssembly.compileStreaming(response).catch((cause) => {
        throw unsound(url.href, cause);
      });
    }
    if (type.startsWith("text/html")) {
      throw new DownloadError(
        `${url.href}: the server sent HTML, expected a WebAssembly module. Serve the package's ` +
          'files; in development with Vite set optimizeDeps: { exclude: ["sliding-tile-pdb"] }',
        url.href,
        { status: response.status },
      );
    }
    return compileBytes(new Uint8Array(await response.arrayBuffer()), url.href);
  }
  return compileBytes(await readAddress(url), url.href);
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
