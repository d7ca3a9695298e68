// One measurement of the package in a new process or page, which tests/budget.mjs starts. In Node,
// standard input is the task, and standard output the result, as JSON.

/**
 * Creates a solver from packed tables or builds them, and solves the boards, or cancels the search
 * of the first one `cancels` times. All times are milliseconds, measured outside the package.
 * `building` begins at the first progress event, so it excludes the start of the worker and the
 * compilation.
 */
export async function measure(createSolver, load, { options, files, boards = [], cancels = 0 }) {
  const tables = files && (await Promise.all(files.map(load)));
  const began = performance.now();
  let first = 0;
  const onProgress = () => (first ||= performance.now());
  const given = { size: "4x4", ...options, ...(tables && { tables }), onProgress };
  const solver = await createSolver(given);
  const end = performance.now();
  const packed = tables?.reduce((sum, { length }) => sum + length, 0);
  const found = { building: end - first, whole: end - began, packed, times: [], reports: [] };
  const solve = async (board, signal) => {
    const start = performance.now();
    found.reports.push(await solver.solve(board, { signal }));
    found.times.push(performance.now() - start);
  };
  if (cancels === 0) for (const board of boards) await solve(board);
  for (let i = 0; i < cancels; i++) {
    const abort = new AbortController();
    let start = 0;
    const cancel = () => {
      start = performance.now();
      abort.abort();
    };
    setTimeout(cancel, 100 + 17 * i);
    await solve(boards[0], abort.signal).catch(() => found.times.push(performance.now() - start));
  }
  found.memory = await solver.memory();
  solver.close();
  return found;
}

if (typeof window === "undefined") {
  const { readFileSync } = await import("node:fs");
  const { createSolver } = await import("sliding-tile-pdb");
  const load = (file) => new Uint8Array(readFileSync(file));
  const found = await measure(createSolver, load, JSON.parse(readFileSync(0, "utf8")));
  console.log(JSON.stringify(found));
}
