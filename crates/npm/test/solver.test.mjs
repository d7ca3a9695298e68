// Solvers with the real module, in a worker of Node and on the calling thread.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { CancelledError, InputError, LimitError, TableError } from "../dist/index.js";
import { UnsolvableError, createSolver } from "../dist/index.js";
import { GOAL_15, HARD, assertSolved, replay, repository, sha256 } from "./support.mjs";

for (const worker of [true, false]) {
  describe(worker ? "in a worker" : "on the calling thread", () => {
    let solver;
    const progress = [];
    before(async () => {
      const onProgress = (one) => progress.push(one);
      solver = await createSolver({ size: "4x4", partition: "6-6-3", worker, onProgress });
    });
    after(() => solver.close());

    test("properties of a solver", async () => {
      assert.equal(solver.goal.board, GOAL_15);
      assert.deepEqual([solver.goal.columns, solver.goal.rows], [4, 4]);
      assert.equal(solver.metric, "single");
      assert.equal(solver.partition, "6-6-3");
      assert.deepEqual(
        solver.tables.map(({ tiles, verified }) => [tiles.length, verified]),
        [
          [6, "built"],
          [6, "built"],
          [3, "built"],
        ],
      );
      assert.ok(solver.ms > 0);
      assert.deepEqual(solver.warnings, []);
      assert.ok((await solver.memory()) > 2 ** 20);
      assert.ok(progress.length > 1);
      for (const [i, { stage, table, tables, done }] of progress.entries()) {
        assert.equal(stage, "build");
        assert.ok(table < tables && tables === 3);
        assert.ok(done >= (progress[i - 1]?.done ?? 0) && done <= 1);
      }
    });

    test("its tables have the bytes of pdb-gen", async () => {
      const sums = readFileSync(join(repository, "data/tables.sha256"), "utf8");
      for (const { file, bytes } of solver.tables) {
        const table = await solver.table(file);
        assert.equal(table.length, bytes);
        assert.ok(sums.includes(`${sha256(table)}  ${file}\n`), file);
      }
      await assert.rejects(solver.table("what.pdb"), { code: "error", message: /what\.pdb/ });
    });

    test("its boards are searched from both sides, now or later", async () => {
      // Blanks in a corner, on an edge and in the middle.
      const boards = [
        "15 1 8 10/7 11 14 2/12 5 9 13/4 6 3 0",
        "4 3 14 13/9 1 5 10/0 15 7 12/11 6 8 2",
        "8 12 13 6/11 4 3 2/7 0 10 1/5 14 9 15",
      ];
      const nodes = (solver, side) =>
        Promise.all(boards.map(async (board) => (await solver.solve(board, { side })).nodes));
      const options = { size: "4x4", goal: "blank-first", partition: "6-6-3", worker };
      const solver = await createSolver(options);
      assert.deepEqual(await nodes(solver, "start"), [58_181, 26_271, 60_619]);
      assert.deepEqual(await nodes(solver), [50_852, 26_400, 10_893]);
      const later = await createSolver({ ...options, bothSides: false });
      assert.deepEqual(await nodes(later), [50_852, 26_271, 60_619]);
      await assert.rejects(later.solve(boards[2], { side: "goal" }), TableError);
      if (worker) {
        const signal = AbortSignal.timeout(20);
        await assert.rejects(later.openOtherGoals({ signal }), CancelledError);
        assert.equal((await later.solve(boards[2])).length, (await solver.solve(boards[2])).length);
      }
      await later.openOtherGoals();
      await later.openOtherGoals();
      assert.deepEqual(await nodes(later), [50_852, 26_400, 10_893]);
      assert.equal(later.tables.length, 3);
      later.close();
      solver.close();
    });

    test("errors are classes with reports", async () => {
      await assert.rejects(solver.solve("what"), InputError);
      await assert.rejects(solver.solve(undefined), InputError);
      const unsolvable = solver.solve("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0");
      const isOwn = (kind, status) => (error) =>
        error instanceof kind && error.report.status === status;
      await assert.rejects(unsolvable, isOwn(UnsolvableError, "unsolvable"));
      for (const limit of [{ maxNodes: 100_000 }, { maxTime: 50 }]) {
        await assert.rejects(solver.solve(HARD, limit), isOwn(LimitError, "limit"));
      }
    });

    test("an aborted signal", async () => {
      const signal = AbortSignal.abort("why");
      await assert.rejects(solver.solve(HARD, { signal }), { code: "cancelled", cause: "why" });
    });

    test("anytime: better and better", async () => {
      const improved = [];
      const progress = [];
      const report = await solver.solve(HARD, {
        mode: "anytime",
        maxTime: 1500,
        onImproved: (report) => improved.push(report),
        onProgress: (one) => progress.push(one),
      });
      assertSolved(report, HARD, GOAL_15);
      assert.equal(report.mode, "anytime");
      assert.ok(improved.length >= 1);
      for (const [i, better] of improved.entries()) {
        assert.equal(better.status, "improved");
        assert.deepEqual([better.mode, better.tables, better.threads], ["anytime", "6-6-3", 1]);
        assert.ok(better.length <= (improved[i - 1]?.length ?? Infinity));
        assert.equal(replay(HARD, better.moves), GOAL_15);
      }
      assert.equal(improved.at(-1).length, report.length);
      assert.ok(progress.length >= 1 && progress.length <= 40);
      for (const { bound, nodes, rate, ms } of progress) {
        assert.ok(bound >= 60 && nodes >= 0 && ms >= 0 && rate >= 0);
      }
      assert.ok(progress.at(-1).best.length >= report.length);
    });

    test("the module may be given: compiled, as bytes, by URL", async () => {
      const url = new URL("../wasm/sliding_tile_pdb_bg.wasm", import.meta.url);
      const bytes = readFileSync(url);
      for (const wasm of [url, new Uint8Array(bytes), await WebAssembly.compile(bytes)]) {
        const other = await createSolver({ size: "2x2", wasm, worker });
        assert.equal((await other.solve("0 1/3 2")).length, 2);
        other.close();
      }
    });

    test("close", async () => {
      const other = await createSolver({ size: "2x2", worker });
      const call = other.solve("0 1/3 2");
      other.close();
      await assert.rejects(call, CancelledError);
      await assert.rejects(other.solve("0 1/3 2"), CancelledError);
      other.close();
    });
  });
}

test("tables within a build time, and the reason for the choice", async () => {
  const none = await createSolver({ size: "5x5", maxBuildTime: 0 });
  assert.equal(none.partition, "manhattan");
  assert.match(none.reason, /^tables of 6-6-6-6 are missing .* s to build: manhattan instead$/);
  none.close();
  for (const maxBuildTime of [1000, Infinity, undefined]) {
    const usual = await createSolver({ size: "3x3", maxBuildTime });
    assert.deepEqual([usual.partition, usual.reason], ["8", undefined]);
    usual.close();
  }
  const asked = await createSolver({ size: "3x3", partition: "4-4" });
  assert.equal(asked.reason, undefined);
  asked.close();
  const late = createSolver({ size: "4x4", partition: "6-6-3", maxBuildTime: 1 });
  await assert.rejects(late, { code: "table", message: /6-6-3 are missing.*raise maxBuildTime/ });
  await assert.rejects(async () => createSolver({ maxBuildTime: -1 }), { code: "error" });
});

test("every entry proved", async () => {
  const solver = await createSolver({ size: "3x3" });
  const progress = [];
  const tables = await solver.verify({ onProgress: (one) => progress.push(one.stage) });
  assert.ok(tables.length > 0 && tables.every(({ verified }) => verified === "proved"));
  assert.equal(solver.tables, tables);
  assert.ok(progress.every((stage) => stage === "verify"));
  solver.close();
});

test("impossible requests", async () => {
  for (const [options, words] of [
    [{ size: "4" }, /4/],
    [{ size: "21x4" }, /21/],
    [{ size: "4x4", goal: "what" }, /goal/],
    [{ size: "4x4", partition: "6-6-4" }, /16 tiles/],
    [{ size: "4x4", metric: "what" }, /what/],
    [{ tables: "https://example.org/manifest.json" }, /URL/],
    [{ tables: 5 }, /5/],
    [{ wasm: "what" }, /wasm/],
  ]) {
    await assert.rejects(createSolver(options), { code: "error", message: words });
  }
  await assert.rejects(createSolver({ partition: "12-3" }), { code: "memory" });
  const wasm = Uint8Array.of(0, 97, 115, 109);
  await assert.rejects(createSolver({ wasm }), { code: "unsupported" });
  const missing = new URL("nothing.wasm", import.meta.url);
  await assert.rejects(createSolver({ wasm: missing }), { code: "download", url: missing.href });
});

for (const worker of [true, false])
  test(`a listener that throws disturbs nothing, and is reported: ${worker}`, () => {
    const api = new URL("../dist/index.js", import.meta.url).href;
    const script = `import { createSolver } from ${JSON.stringify(api)};
    process.on("uncaughtException", (error) => console.log(error.message));
    const worker = ${worker};
    const onProgress = () => { throw new Error("mine"); };
    const solver = await createSolver({ size: "3x3", onProgress, worker });
    console.log((await solver.solve("8 6 7/2 5 4/3 0 1")).length);`;
    const args = ["--input-type=module", "--eval", script];
    const said = execFileSync(process.execPath, args, { timeout: 20000 }).toString();
    assert.match(said, /^mine$/m);
    assert.match(said, /^31$/m);
  });

describe("lists of boards", () => {
  let solver;
  before(async () => (solver = await createSolver({ size: "3x3" })));
  after(() => solver.close());
  const boards = ["8 6 7/2 5 4/3 0 1", "2 1 3/4 5 6/7 8 0", [1, 2, 3, 4, 0, 6, 7, 5, 8], "what"];

  test("each board has its solution or its error", async () => {
    const heard = [];
    const entries = [];
    const onBoard = ({ finished, boards }) => heard.push([finished, boards]);
    for await (const entry of solver.solveList(boards, { onBoard })) entries.push(entry);
    assert.deepEqual(heard, [
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 4],
    ]);
    assert.deepEqual(
      entries.map(({ number, board }) => [number, board]),
      [
        [1, boards[0]],
        [2, boards[1]],
        [3, boards[2]],
        [4, boards[3]],
      ],
    );
    assert.deepEqual(
      entries.map(({ solution }) => solution?.length),
      [31, undefined, 2, undefined],
    );
    assert.deepEqual(
      entries.map(({ error }) => error?.code),
      [undefined, "unsolvable", undefined, "error"],
    );
    for await (const entry of solver.solveList([])) assert.fail(entry);
  });

  test("a list ends when it is cancelled or its loop is left", async () => {
    const stop = new AbortController();
    const many = Array(50).fill(boards[0]);
    let count = 0;
    const run = async () => {
      for await (const _ of solver.solveList(many, { signal: stop.signal })) {
        if (++count === 3) stop.abort("enough");
      }
    };
    await assert.rejects(run(), { name: "CancelledError", cause: "enough" });
    assert.equal(count, 3);
    for await (const _ of solver.solveList(many)) break;
    assert.equal((await solver.solve(boards[2])).length, 2);
    const aborted = solver.solveList(many, { signal: AbortSignal.abort() });
    await assert.rejects(aborted.next(), { name: "CancelledError" });
  });

  test("values that are not lists of boards", async () => {
    for (const bad of [boards[0], boards[2], 5, null, undefined]) {
      await assert.rejects(solver.solveList(bad).next(), { name: "InputError" });
    }
  });
});
