import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageServer } from "./serve.mjs";

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

/** By plain HTTP: `fetch` would tidy the path and unpack the body. */
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

test("the page, packed as the browser likes it, isolated", async () => {
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

test("what the browser has is not sent again", async () => {
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

test("nothing outside of the folder, nothing that is not there", async () => {
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
