// Serves the built page: node scripts/serve.mjs [--port 8080] [--host 127.0.0.1] [--dir dist]
// [--no-isolation] [--check]. No dependencies. By default the server sends the isolation headers
// that allow the page to use threads. With --check, only tests whether the server could start.
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { promisify } from "node:util";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".pdb": "application/octet-stream",
  ".pdbz": "application/octet-stream",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};
const packable = new Set([".css", ".html", ".js", ".json", ".mjs", ".svg", ".txt", ".wasm"]);

/** Compresses at the highest level, once per file. */
const pack = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 22,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Compressed files, by encoding, time of change and path. */
const packed = new Map();

/**
 * The compressed bytes of a file. Reads them from the compressed file next to it, such as
 * `page.js.br`. If there is none, compresses the file and keeps the result.
 */
function packedFile(path, encoding, changed) {
  const key = `${encoding} ${changed} ${path}`;
  if (!packed.has(key)) {
    const ready = readFile(`${path}.${encoding === "br" ? "br" : "gz"}`);
    packed.set(
      key,
      ready.catch(async () => pack[encoding](await readFile(path))),
    );
  }
  return packed.get(key);
}

/** Compresses all files of a folder in advance, so that the first visit does not wait. */
export async function packFolder(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && packable.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(paths.map(async (path) => packedFile(path, "br", (await stat(path)).mtimeMs)));
}

/**
 * Serves the files of a folder. Compresses files for browsers that accept compressed files. With
 * `isPacked: false` nothing is compressed: for a browser on the same machine compression costs more
 * time than it saves.
 */
export function pageServer({ folder, isolated = true, isPacked: mayPack = true }) {
  async function find(url) {
    const path = decodeURIComponent(new URL(url, "http://page").pathname);
    const file = normalize(join(folder, path));
    if (path.includes("\0") || !(file + sep).startsWith(folder + sep)) return null;
    for (const name of [file, join(file, "index.html")]) {
      const found = await stat(name).catch(() => null);
      if (found?.isFile()) return { name, found };
    }
    return null;
  }

  return createServer(async (request, response) => {
    const headers = {
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      ...(isolated && isolation),
    };
    const end = (status, more = {}, body = "") => {
      response.writeHead(status, { ...headers, ...more });
      response.end(request.method === "HEAD" ? undefined : body);
    };
    try {
      if (request.method !== "GET" && request.method !== "HEAD") return end(405, { Allow: "GET" });
      const file = await find(request.url);
      if (!file) return end(404, { "Content-Type": types[".txt"] }, "Not found\n");

      const { name, found } = file;
      const kind = extname(name);
      const stamp = `${name} ${found.size} ${found.mtimeMs}`;
      const tag = `"${createHash("sha256").update(stamp).digest("base64url").slice(0, 20)}"`;
      // Names of built files contain a hash; browsers revalidate all other files.
      const isFixed = name.startsWith(join(folder, "assets") + sep);
      const about = {
        "Content-Type": types[kind] ?? "application/octet-stream",
        "Cache-Control": isFixed ? "public, max-age=31536000, immutable" : "no-cache",
        ETag: tag,
        Vary: "Accept-Encoding",
      };
      if (request.headers["if-none-match"] === tag) return end(304, about);

      const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
      if (range) {
        const [first, last] = [
          Number(range[1]),
          Math.min(found.size - 1, Number(range[2] || Infinity)),
        ];
        if (first > last) return end(416, { "Content-Range": `bytes */${found.size}` });
        const bytes = (await readFile(name)).subarray(first, last + 1);
        const part = `bytes ${first}-${last}/${found.size}`;
        return end(206, { ...about, "Content-Range": part, "Content-Length": bytes.length }, bytes);
      }

      const accepted = String(request.headers["accept-encoding"] ?? "");
      const encoding = mayPack && ["br", "gzip"].find((word) => accepted.includes(word));
      const isPacked = encoding && packable.has(kind);
      const bytes = isPacked
        ? await packedFile(name, encoding, found.mtimeMs)
        : await readFile(name);
      end(
        200,
        {
          ...about,
          "Accept-Ranges": "bytes",
          "Content-Length": bytes.length,
          ...(isPacked && { "Content-Encoding": encoding }),
        },
        bytes,
      );
    } catch (error) {
      end(error instanceof URIError ? 400 : 500);
    }
  });
}

/** Parses the command line. @throws Error for an invalid argument; its message is one line */
export function readOptions(words) {
  const options = {
    port: { type: "string", default: "8080" },
    host: { type: "string", default: "127.0.0.1" },
    dir: { type: "string", default: fileURLToPath(new URL("../dist", import.meta.url)) },
    isolation: { type: "boolean", default: true },
    check: { type: "boolean", default: false },
  };
  const { values, tokens } = parseArgs({
    args: words,
    options,
    allowNegative: true,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const { kind, name, rawName, value } of tokens) {
    if (kind === "positional") throw new Error(`unexpected argument: ${value}`);
    if (kind !== "option") continue;
    const known = Object.hasOwn(options, name) ? options[name] : null;
    const takesValue = known?.type === "string";
    if (!known || (takesValue && rawName.startsWith("--no-"))) {
      throw new Error(`unknown option: ${rawName}; try: scripts/serve-page.sh --help`);
    }
    if (takesValue && !value) throw new Error(`${rawName} needs a value`);
    if (!takesValue && value !== undefined) throw new Error(`${rawName} takes no value`);
  }
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65535) {
    throw new Error(`--port must be a number from 0 to 65535, not "${values.port}"`);
  }
  return { ...values, port: Number(values.port), dir: normalize(join(values.dir, ".")) };
}

/** The reason why a server cannot listen, and a remedy. */
function listenError(error, { port, host }) {
  if (error.code === "EADDRINUSE") {
    const other = port < 65535 ? port + 1 : port - 1;
    return `port ${port} is in use: choose another one, such as --port ${other}`;
  }
  if (error.code === "EACCES") return `port ${port} needs more rights: try --port 8080`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return `--host ${host} is not an address of this machine`;
  }
  return error.message;
}

function listen(server, options) {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new Error(listenError(error, options))));
    server.listen(options.port, options.host, () => resolve(server.address().port));
  });
}

async function main() {
  const options = readOptions(process.argv.slice(2));
  const { dir: folder, host } = options;
  if (options.check) {
    const server = createServer();
    await listen(server, options);
    server.close();
    return;
  }
  const page = await stat(join(folder, "index.html")).catch(() => null);
  if (!page) throw new Error(`${folder} has no index.html: run "npm run build" first`);
  const server = pageServer({ folder, isolated: options.isolation, isPacked: false });
  const port = await listen(server, options);
  console.log(`http://${host.includes(":") ? `[${host}]` : host}:${port}/`);
  console.log(`Files: ${relative(process.cwd(), folder) || "."}, for any static host`);
  console.log("Ctrl-C ends it.");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(`serve: error: ${error.message}`);
    process.exit(1);
  });
}
