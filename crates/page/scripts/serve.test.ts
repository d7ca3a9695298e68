import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageServer, readOptions } from "./serve.mjs";

const folders: string[] = [];
let server: ReturnType<typeof pageServer>;

beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), "page-"));
  const folder = join(parent, "dist");
  folders.push(parent);
  await mkdir(join(folder, "assets"), { recursive: true });
  await mkdir(join(parent, "dist-other"));
  await writeFile(join(parent, "dist-other", "secret.txt"), "secret");
  await writeFile(join(folder, "index.html"), "<!doctype html>" + "page ".repeat(100));
  await writeFile(join(folder, "assets", "a-1234.wasm"), new Uint8Array(1000));
  await writeFile(
    join(folder, "t.pdbz"),
    Uint8Array.from({ length: 100 }, (_, index) => index),
  );
  server = pageServer({ folder });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
});

afterAll(async () => {
  server.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Sends a plain HTTP request: `fetch` would normalise the path and decompress the body. */
function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path, headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, body: Buffer.concat(parts) });
      });
    });
    sent.on("error", reject).end();
  });
}

test("the page, in the browser's compression, isolated", async () => {
  const plain = await get("/");
  expect(plain.status).toBe(200);
  expect(plain.headers["content-type"]).toMatch("text/html");
  expect(plain.headers["cross-origin-opener-policy"]).toBe("same-origin");
  expect(plain.headers["cross-origin-embedder-policy"]).toBe("require-corp");
  const brotli = await get("/", { "accept-encoding": "gzip, deflate, br" });
  expect(brotli.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
  const gzip = await get("/", { "accept-encoding": "gzip" });
  expect(gunzipSync(gzip.body)).toEqual(plain.body);
});

test("unchanged files are not sent again", async () => {
  const { headers } = await get("/");
  expect(headers["cache-control"]).toBe("no-cache");
  expect((await get("/", { "if-none-match": String(headers.etag) })).status).toBe(304);
  const asset = await get("/assets/a-1234.wasm");
  expect(asset.headers["content-type"]).toBe("application/wasm");
  expect(asset.headers["cache-control"]).toMatch("immutable");
});

test("ranges", async () => {
  const part = await get("/t.pdbz", { range: "bytes=10-19" });
  expect(part.status).toBe(206);
  expect([...part.body]).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect(part.headers["content-range"]).toBe("bytes 10-19/100");
  expect((await get("/t.pdbz", { range: "bytes=95-" })).body.length).toBe(5);
  expect((await get("/t.pdbz", { range: "bytes=100-" })).status).toBe(416);
});

test("files outside of the folder and missing files are rejected", async () => {
  for (const path of [
    "/../dist-other/secret.txt",
    "/%2e%2e/dist-other/secret.txt",
    "/..%2fdist-other/secret.txt",
    "/none",
    "/assets",
    "/a%00b",
  ]) {
    expect((await get(path)).status, path).toBe(404);
  }
  expect((await get("/%E0%A4%A")).status).toBe(400);
  expect((await get("/", {}, "POST")).status).toBe(405);
  expect((await get("/", {}, "HEAD")).body.length).toBe(0);
});

test("compression can be turned off", async () => {
  const plain = pageServer({ folder: join(folders[0], "dist"), isPacked: false });
  await once(plain.listen(0, "127.0.0.1"), "listening");
  const { port } = plain.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.headers.get("content-encoding")).toBe(null);
  expect(await answer.text()).toMatch(/^<!doctype html>/);
  plain.close();
});

test("options are parsed, and unknown ones rejected in one line", () => {
  expect(readOptions([])).toMatchObject({ port: 8080, host: "127.0.0.1", isolation: true });
  const given = ["--port=0", "--no-isolation", "--host", "::1", "--check"];
  expect(readOptions(given)).toMatchObject({ port: 0, host: "::1", isolation: false, check: true });
  for (const [words, reason] of [
    [["--prot", "1"], "unknown option: --prot; try: scripts/serve-page.sh --help"],
    [["--no-port"], "unknown option: --no-port"],
    [["8080"], "unexpected argument: 8080"],
    [["--port"], "--port needs a value"],
    [["--port", "http"], '--port must be a number from 0 to 65535, not "http"'],
    [["--port", "65536"], '--port must be a number from 0 to 65535, not "65536"'],
    [["--isolation=no"], "--isolation takes no value"],
  ] as const) {
    expect(() => readOptions([...words]), words.join(" ")).toThrow(reason);
  }
});

test("a port in use is an error with a remedy; port 0 is a free one", async () => {
  const { port } = server.address() as AddressInfo;
  const program = fileURLToPath(new URL("serve.mjs", import.meta.url));
  const start = (...words: string[]) => spawn("node", [program, ...words]);

  const refused = start("--check", "--port", String(port));
  const [said, [code]] = await Promise.all([text(refused.stderr), once(refused, "close")]);
  expect(code).toBe(1);
  const other = port < 65535 ? port + 1 : port - 1;
  expect(said).toBe(
    `serve: error: port ${port} is in use: choose another one, such as --port ${other}\n`,
  );

  const served = start("--port", "0", "--dir", join(folders[0], "dist"));
  let lines = "";
  for await (const part of served.stdout) {
    lines += String(part);
    if (lines.includes("Ctrl-C")) break;
  }
  const [url, files, end] = lines.split("\n");
  expect(files).toMatch(/^Files: .*dist, for any static host$/);
  expect(end).toBe("Ctrl-C ends it.");
  expect((await fetch(url)).headers.get("cross-origin-opener-policy")).toBe("same-origin");
  served.kill();
});
