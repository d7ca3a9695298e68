import { beforeEach, expect, test } from "vitest";
import { loadPuzzle } from "sliding-tile-pdb";
import { ordered } from "../game/rules.ts";
import { type FakeCall, FakeSolver, settle } from "../solver/fake.ts";
import { BoardList } from "./list.svelte.ts";
import { readList } from "./reading.ts";
import { stateText, tableCsv, tableText } from "./table.ts";

const puzzle = await loadPuzzle();
let made: FakeSolver[];
let list: BoardList;
let answered: Set<FakeCall>;

beforeEach(async () => {
  made = [];
  answered = new Set();
  list = new BoardList((options) => {
    const fake = new FakeSolver(options);
    made.push(fake);
    return Promise.resolve(fake.solver);
  });
  const text = "8 6 7/2 5 4/3 0 1 31\nhello, world\n2 1/3 0\n6 4 7/8 5 0/3 2 1";
  const goal = { size: "2x2", tiles: [0, 1, 2, 3] };
  list.take(await readList(puzzle, text, "3x3"), goal);
});

const states = () => list.rows.map(({ state }) => state);
const asked = () => made.flatMap((fake) => fake.asked);
/** The pending call; the list has at most one. */
const next = () => {
  const call = asked().find((each) => !answered.has(each));
  if (!call) throw new Error("nothing is asked");
  answered.add(call);
  return call;
};

test("rows are solved in order, each size with its goal, despite errors", async () => {
  const run = list.run();
  await settle();
  expect(states()).toEqual(["running", "error", "waiting", "waiting"]);
  next().answer({ length: 31, proved: true, moves: "U", ms: 1.234, nodes: 43 });
  await settle();
  next().fail(Object.assign(new Error("no"), { code: "unsolvable", report: {} }));
  await settle();
  next().fail(Object.assign(new Error("time"), { code: "limit", report: { bound: 30 } }));
  await run;
  expect(states()).toEqual(["solved", "error", "unsolvable", "limit"]);
  expect(list.done).toBe(4);
  expect(list.isBusy).toBe(false);
  const goals = made.map(({ options }) => options.goal);
  expect(goals).toEqual(["1 2 3/4 5 6/7 8 0", "0 1/2 3"]);
  expect(list.rows[0].goal).toEqual(ordered(9));

  const lines = tableCsv(list.rows).split("\r\n");
  expect(lines[0]).toBe("line,board,length,proved,bound,ms,nodes,state,moves");
  expect(lines[1]).toBe("1,8 6 7/2 5 4/3 0 1,31,yes,,1.2,43,solved,U");
  expect(lines[2]).toMatch(/^2,"hello, world",,,,,,"?error: /);
  expect(tableText(list.rows).split("\n")[4]).toBe("4\t6 4 7/8 5 0/3 2 1\t\t\t30\t\t\tlimit\t");
});

test("cancel ends immediately and keeps the answers; the rest can be solved later", async () => {
  void list.run();
  await settle();
  next().answer({ length: 31, proved: true });
  await settle();
  list.cancel();
  await settle();
  expect(states()).toEqual(["solved", "error", "cancelled", "waiting"]);
  expect(list.isBusy).toBe(false);
  // Marks the cancelled call as answered. The next run solves its board.
  next();
  const run = list.run();
  await settle();
  next().answer({ length: 1 });
  await settle();
  next().answer({ length: 21 });
  await run;
  expect(states()).toEqual(["solved", "error", "solved", "solved"]);
});

test("a proved length that differs from the known one is reported", () => {
  const [row] = list.rows;
  const said = (length: number, proved: boolean) =>
    stateText({ ...row, state: "solved", report: { length, proved } });
  expect(said(31, true)).toBe("solved");
  expect(said(33, true)).toBe("solved, but the list has 31");
  expect(said(33, false)).toBe("solved");
  expect(said(29, false)).toBe("solved, but the list has 31");
});
