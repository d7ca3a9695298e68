// Solvers with the real module, in a worker of Node and on the calling thread.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  CancelledError,
  InputError,
  LimitError,
  UnsolvableError,
  createSolver,
  loadPuzzle,
} from "../dist/index.js";
import {
  GOAL_15,
  GOAL_8,
  HARD,
  assertSolved,
  letters,
  replay,
  repository,
  sha256,
} from "./support.mjs";

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

    test("guesses about the text are in the report; a goal of its own is an error", async () => {
      const report = await solver.solve("123456789ABCDE_F");
      assert.deepEqual([report.length, report.notes.length], [1, 1]);
      const cells = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, null, 15];
      assert.equal((await solver.solve(cells)).notes, undefined);
      const own = JSON.stringify({ board: cells, goal: "snail" });
      await assert.rejects(solver.solve(own), { code: "error", message: /own goal/ });
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
      await assert.rejects(later.solve(boards[2], { side: "goal" }), { code: "error" });
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

    test("a board of 55 moves, from a text and from numbers", async () => {
      const board = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";
      const report = await solver.solve(board);
      assertSolved(report, board, GOAL_15, 55);
      assert.equal(report.proved, true);
      assert.ok(report.h0 <= 55 && report.h0 % 2 === 1);
      assert.ok(report.nodes >= 55 && report.expanded >= 55);
      const numbers = board.split(/[ /]/).map(Number);
      assert.equal((await solver.solve(numbers)).moves, report.moves);
    });

    test("an unsolvable board names two tiles to swap", async () => {
      const board = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0";
      const error = await solver.solve(board).catch((error) => error);
      assert.ok(error instanceof UnsolvableError);
      assert.equal(error.report.status, "unsolvable");
      // No search ran, so the report has no fields about a search.
      for (const field of ["tables", "threads", "ms"]) assert.equal(error.report[field], undefined);
      const [a, b] = error.report.swap;
      const swapped = board.replace(/\d+/g, (n) => (n == a ? b : n == b ? a : n));
      assertSolved(await solver.solve(swapped), swapped, GOAL_15);
      for (const call of [
        solver.hint(board),
        solver.allSolutions(board),
        solver.rate(board, "R"),
      ]) {
        await assert.rejects(call, UnsolvableError);
      }
    });

    test("limits of nodes and time", async () => {
      for (const limit of [{ maxNodes: 100_000 }, { maxTime: 50 }]) {
        const start = performance.now();
        await assert.rejects(solver.solve(HARD, limit), (error) => {
          assert.ok(error instanceof LimitError);
          assert.equal(error.report.status, "limit");
          assert.ok(error.report.bound >= 60, `bound ${error.report.bound}`);
          return true;
        });
        assert.ok(performance.now() - start < 1000);
      }
    });

    test("invalid input is an InputError", async () => {
      for (const [board, words] of [
        ["", /./],
        ["what", /./],
        ["1 2 3", /./],
        ["1 1 2 3/4 5 6 7/8 9 10 11/12 13 14 0", /./],
        ["1 2 3/4 5 6/7 8 0", /3x3/],
        [[1, 2, 3], /3 numbers.*16/],
        [null, /missing/],
        [undefined, /missing/],
        [5, /text or an array/],
        [[..."what"], /neither a tile's number nor a blank/],
        [[1.5, ...Array(15).fill(0)], /1\.5/],
      ]) {
        await assert.rejects(solver.solve(board), (error) => {
          assert.ok(error instanceof InputError, `${board}: ${error.stack}`);
          assert.match(error.message, words);
          return true;
        });
      }
      await assert.rejects(solver.solve(GOAL_15, { mode: "what" }), { code: "error" });
      await assert.rejects(solver.solve(GOAL_15, { maxTime: -1 }), { message: /maxTime/ });
      await assert.rejects(solver.solve(GOAL_15, { maxNodes: 0 }), { message: /maxNodes/ });
      await assert.rejects(solver.solve(GOAL_15, { notation: "what" }), { code: "error" });
      await assert.rejects(solver.rate(GOAL_15, "what?"), { code: "error" });
      for (const [options, words] of [
        [{ short: true }, /^short is for the mode strategic, not for optimal: leave it out$/],
        [{ mode: "anytime", explain: true }, /^explain is for the mode strategic, not for anytime/],
        [{ within: 0.5 }, /^within is 0\.5: expected a number of moves/],
        [
          { mode: "strategic", short: true, explain: true },
          /^short and explain exclude each other/,
        ],
      ]) {
        const error = await solver.solve(GOAL_15, options).catch((error) => error);
        assert.ok(error instanceof InputError, `${JSON.stringify(options)}: ${error.stack}`);
        assert.match(error.message, words);
      }
      assert.equal((await solver.solve(GOAL_15)).length, 0);
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

test("3x3: the farthest boards, all solutions, other goals", async () => {
  const solver = await createSolver({ size: "3x3", partition: "8" });
  const board = "8 6 7/2 5 4/3 0 1";
  assertSolved(await solver.solve(board), board, GOAL_8, 31);
  assertSolved(await solver.solve("6 4 7/8 5 0/3 2 1"), "6 4 7/8 5 0/3 2 1", GOAL_8, 31);
  const all = await solver.allSolutions(board);
  assert.deepEqual([all.count, all.solutions.length, all.length], [40, 40, 31]);
  assert.equal(new Set(all.solutions).size, 40);
  for (const moves of all.solutions) {
    assert.equal(replay(board, moves), GOAL_8);
    assert.equal(letters(moves).length, 31);
  }
  const few = await solver.allSolutions(board, { most: 3 });
  assert.deepEqual([few.count, few.solutions.length], [40, 3]);
  const most = await solver.allSolutions(board, { most: 2 ** 32 });
  assert.deepEqual([most.counts, most.solutions.length], [undefined, 40]);
  const counted = await solver.allSolutions(board, { count: true, within: 2 });
  assert.equal(counted.solutions, undefined);
  assert.equal(counted.counts.length, 3);
  assert.equal(counted.counts[0], 40);
  const count = await solver.allSolutions(board, { count: true });
  assert.deepEqual([count.count, count.counts, count.solutions], [40, undefined, undefined]);
  assert.equal(replay(board, count.moves), GOAL_8);
  const none = await solver.allSolutions(board, { count: true, within: 0 });
  assert.deepEqual([none.count, none.counts], [40, [40]]);
  for (const within of [0.5, -1, NaN, Infinity, "2"]) {
    const call = solver.allSolutions(board, { within });
    await assert.rejects(call, { code: "error", message: /^within / });
  }
  const both = solver.allSolutions(board, { count: true, most: 3 });
  await assert.rejects(both, { code: "error", message: /count and most exclude each other/ });
  solver.close();

  const first = await createSolver({ size: "3x3", goal: "blank-first" });
  assertSolved(await first.solve("1 0 2/3 4 5/6 7 8"), "1 0 2/3 4 5/6 7 8", "0 1 2/3 4 5/6 7 8", 1);
  first.close();
  const goal = "8 7 6/5 0 4/3 2 1";
  for (const given of [goal, goal.split(/[ /]/).map(Number)]) {
    const own = await createSolver({ goal: given });
    assert.equal(own.goal.board, goal);
    assertSolved(await own.solve("8 7 6/5 4 1/3 2 0"), "8 7 6/5 4 1/3 2 0", goal, 2);
    own.close();
  }
});

test("a tray that is no square, from numbers", async () => {
  const solver = await createSolver({ size: "3x2", goal: [1, 2, 3, 4, 5, 0] });
  assert.equal(solver.goal.board, "1 2 3/4 5 0");
  assertSolved(await solver.solve([1, 2, 3, 0, 4, 5]), "1 2 3/0 4 5", "1 2 3/4 5 0", 2);
  solver.close();
});

test("a strategic answer for 10x10, with and without steps", async () => {
  const solver = await createSolver({ size: "10x10" });
  const [{ board }] = (await loadPuzzle()).scramble({ size: "10x10", seed: 5 });
  const start = performance.now();
  const report = await solver.solve(board, { mode: "strategic", explain: true });
  assert.ok(performance.now() - start < 1000);
  assertSolved(report, board, solver.goal.board);
  assert.equal(report.mode, "strategic");
  const moves = report.steps.map(({ moves }) => letters(moves)).join("");
  assert.equal(moves, letters(report.moves));
  assert.equal((await solver.solve(board, { mode: "strategic" })).steps, undefined);
  const short = await solver.solve(board, { mode: "strategic", short: true });
  assert.ok(short.length < report.length);
  solver.close();
});

test("without tables", async () => {
  const solver = await createSolver({ size: "4x4", tables: "none" });
  assert.deepEqual(solver.tables, []);
  const board = "1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15";
  assertSolved(await solver.solve(board), board, GOAL_15, 3);
  solver.close();
});

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
    assert.deepEqual(heard, [[1, 4], [2, 4], [3, 4], [4, 4]]);
    assert.deepEqual(entries.map(({ number, board }) => [number, board]), [
      [1, boards[0]],
      [2, boards[1]],
      [3, boards[2]],
      [4, boards[3]],
    ]);
    assert.deepEqual(entries.map(({ solution }) => solution?.length), [31, undefined, 2, undefined]);
    assert.deepEqual(entries.map(({ error }) => error?.code), [
      undefined,
      "unsolvable",
      undefined,
      "error",
    ]);
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
