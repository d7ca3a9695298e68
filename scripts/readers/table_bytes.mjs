// Shared parts of read_table.mjs and unpack_table.mjs: fields, SHA-256, and commands in Node.

/** Throws an Error with the message `complaint` unless the condition holds. */
export function ensure(condition, complaint) {
  if (!condition) throw new Error(complaint);
}

/** Whether `bytes` begin with `start`. */
export const startsWith = (bytes, start) => start.every((byte, i) => bytes[i] === byte);

/** Throws an Error unless the bytes have this SHA-256. */
export function checkSum(what, bytes, sum) {
  ensure(sha256(bytes).every((byte, i) => byte === sum[i]), `${what} does not have its SHA-256`);
}

export const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads a field of 8 bytes. JavaScript numbers are exact up to 2^53; no valid field exceeds it. */
export function readU64(view, offset) {
  const value = view.getUint32(offset + 4, true) * 2 ** 32 + view.getUint32(offset, true);
  ensure(Number.isSafeInteger(value), "a field of 8 bytes has an impossible value");
  return value;
}

const ROUND_CONSTANTS = Int32Array.from(firstPrimes(64), (p) => (Math.cbrt(p) % 1) * 2 ** 32);
const START = Int32Array.from(firstPrimes(8), (p) => (Math.sqrt(p) % 1) * 2 ** 32);

function firstPrimes(count) {
  const primes = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((p) => n % p)) primes.push(n);
  return primes;
}

/** The SHA-256 of bytes. The browsers' own function is asynchronous and needs https. */
export function sha256(bytes) {
  // Padding: a 1 bit, zeros, and the length in bits.
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = viewOf(padded);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const rotated = (x, by) => (x >>> by) | (x << (32 - by));
  const h = START.slice();
  const w = new Int32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      const s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3);
      const s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];
    for (let i = 0; i < 64; i++) {
      const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const t1 = (k + s1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i] + w[i]) | 0;
      const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      k = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, k].forEach((x, i) => (h[i] += x));
  }
  const sum = new Uint8Array(32);
  h.forEach((x, i) => viewOf(sum).setUint32(4 * i, x));
  return sum;
}

/** Prints fields of a table's header, then those in `more`, one per line. `blank` lists cells. */
export function printFacts({ width, height, kind, encoding, goalCells }, blank, more) {
  const [tray, tiles] = [`${width}x${height}`, goalCells.join(" ")];
  const facts = { tray, kind, encoding, tiles, blank: blank.join(" "), ...more };
  for (const [name, fact] of Object.entries(facts)) console.log(`${name.padEnd(9)} ${fact}`);
}

/**
 * Runs `main` with the arguments of the command line if node was started with the module `url`. A
 * thrown Error is printed as one line, with exit code 1.
 */
export async function runCommand(url, main) {
  if (!globalThis.process?.versions?.node || !process.argv[1]) return;
  const [{ realpathSync }, { pathToFileURL }] = [await import("node:fs"), await import("node:url")];
  const [, script, ...words] = process.argv;
  if (url !== pathToFileURL(realpathSync(script)).href) return;
  process.stdout.on("error", (error) => {
    if (error.code === "EPIPE") process.exit(0); // the reader of our output has closed it
    console.error(`standard output: ${error.message}`);
    process.exit(1);
  });
  try {
    await main(words);
  } catch (error) {
    console.error(`${words[0] ?? url.split("/").at(-1)}: ${error.message}`);
    process.exitCode = 1;
  }
}
