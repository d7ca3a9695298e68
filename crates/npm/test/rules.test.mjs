// The rules on the calling thread, and the laboratory, with the real module.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { createLaboratory, loadPuzzle } from "../dist/index.js";
import { GOAL_8, letters, replay } from "./support.mjs";

describe("rules", () => {
  let puzzle;
  before(async () => (puzzle = await loadPuzzle()));

  test("an HTML page in place of the module has its own message", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html>");
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const wasm = new URL(`http://127.0.0.1:${server.address().port}/rules.wasm`);
    await assert.rejects(loadPuzzle({ wasm }), { code: "download", message: /sent HTML.*Vite/ });
    server.close();
  });

  test("scrambles: after moves, with a seed that is random by default", () => {
    const [{ board, scramble }] = puzzle.scramble({ size: "3x3", moves: 10, seed: 1 });
    assert.equal(replay(GOAL_8, scramble), board);
    assert.equal(letters(scramble).length, 10);
    assert.notEqual(puzzle.scramble()[0].board, puzzle.scramble()[0].board);
    assert.throws(() => puzzle.scramble({ number: -1 }), { code: "error" });
  });

  test("moves: texts, arrays, the place of a wrong one", () => {
    const board = "1 2 3/4 0 6/7 5 8";
    for (const moves of [["U", "L"], ["up", "left"], [5, 8], "↑←", '["Up","Left"]']) {
      assert.equal(puzzle.apply(board, moves).result, GOAL_8);
    }
    assert.equal(puzzle.invert([8, 5]), "5 8");
    // `start` and `end` count UTF-16 units, as in JavaScript. U+1F600 has two units.
    assert.throws(() => puzzle.apply(GOAL_8, "\u{1f600}"), {
      name: "InputError",
      fault: { reason: "unknown", number: 1, start: 0, end: 2, tiles: [1, 2, 3, 4, 5, 6, 7, 8, 0] },
    });
    assert.throws(() => puzzle.convert(GOAL_8, "d\u2003R3", "numbers"), {
      fault: {
        ...{ reason: "edge", number: 4, start: 2, end: 4, direction: "R" },
        tiles: [1, 2, 3, 0, 4, 5, 7, 8, 6],
      },
    });
    assert.throws(() => puzzle.apply(GOAL_8, 5), { code: "error" });
  });

  test("boards before and after each move, in any notation", () => {
    const board = "1 2 3/4 0 6/7 5 8";
    const way = [board, "1 2 3/4 5 6/7 0 8", GOAL_8];
    assert.deepEqual(puzzle.boardsAlong(board, "UL"), way);
    assert.deepEqual(puzzle.boardsAlong(board, "DR", { notation: "blank" }), way);
    assert.deepEqual(puzzle.boardsAlong(board, "5 8"), way);
    assert.deepEqual(puzzle.boardsAlong(GOAL_8, ""), [GOAL_8]);
    assert.throws(() => puzzle.boardsAlong(GOAL_8, "U"), { name: "InputError" });
    const far = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    const boards = puzzle.boardsAlong(far, "D3R3");
    assert.equal(boards.length, 7);
    assert.equal(boards.at(-1), puzzle.apply(far, "D3R3").result);
  });

  test("the version is the package's", async () => {
    const { default: own } = await import("../package.json", { with: { type: "json" } });
    assert.equal(puzzle.version, own.version);
  });
});

for (const worker of [true, false]) {
  describe(`laboratory, ${worker ? "in a worker" : "on the calling thread"}`, () => {
    let laboratory;
    before(async () => (laboratory = await createLaboratory({ worker })));
    after(() => laboratory.close());

    test("searches compared", async () => {
      const heard = [];
      const records = await laboratory.compare({
        sizes: ["3x3"],
        number: 5,
        seed: 3,
        heuristics: ["manhattan", "zero"],
        searches: ["astar", "ida-star"],
        maxNodes: 100_000,
        onRecord: (record, progress) => heard.push([record, progress]),
      });
      assert.equal(records.length, 20);
      assert.deepEqual(
        heard.map(([record]) => record),
        records,
      );
      assert.deepEqual(heard.at(-1)[1], { finished: 20, runs: 20 });
      const lengths = new Map();
      for (const { board, status, length, moves } of records) {
        if (status !== "solved") continue;
        assert.equal(replay(board, moves), GOAL_8);
        assert.equal(letters(moves).length, length);
        assert.equal(lengths.get(board) ?? length, length);
        lengths.set(board, length);
      }
      assert.equal(lengths.size, 5);
    });

    test("plots of searches", async () => {
      const options = { number: 3, moves: [5, 20], heuristics: ["manhattan"], searches: ["astar"] };
      const records = await laboratory.compare({ sizes: ["3x3"], seed: 1, ...options });
      const names = { astar: "A*", and: " & ", nodes: "Knoten" };
      const plots = await laboratory.plots(records, { width: 300, bare: true, names });
      assert.deepEqual(
        plots.map(({ name }) => name),
        ["nodes", "spread", "time", "solved", "h", "walk-nodes", "walk-length"],
      );
      const [{ svg, title, series }] = plots;
      assert.equal(title, "3x3 walk-5: Knoten");
      assert.match(svg, /^<svg [^>]*width="300"[^]*<\/svg>\n$/);
      assert.equal(series[0].label, "A* & manhattan");
      assert.match(series[0].sample, /^<svg/);
      assert.deepEqual(await laboratory.plots([]), []);
      await assert.rejects(laboratory.plots([{}]), { code: "error" });
      await assert.rejects(laboratory.plots("records"), { code: "error" });
    });

    test("progress of a search, with the iterations of IDA*", async () => {
      const heard = [];
      const [record] = await laboratory.compare({
        boards: ["8 6 7/2 5 4/3 0 1"],
        heuristics: ["linear-conflict"],
        searches: ["ida-star"],
        onProgress: (progress) => heard.push(progress),
      });
      assert.equal(record.length, 31);
      const ended = heard.flatMap(({ ended }) => ended ?? []);
      assert.deepEqual(ended, record.iterations);
      assert.equal(heard.at(-1).generated, record.generated);
      assert.equal(heard.at(-1).bound, 31);
      assert.ok(heard.every(({ ms }, i) => ms >= (heard[i - 1]?.ms ?? 0)));
    });
  });
}
