import type { CompareOptions, Laboratory } from "sliding-tile-pdb";
import { beforeEach, expect, test, vi } from "vitest";
import { settle } from "../solver/fake.ts";

vi.mock("sliding-tile-pdb", () => ({ createSolver: () => Promise.reject(new Error("no")) }));
const { Versus } = await import("./versus.svelte.ts");

let asked: { options: CompareOptions; answer: (found: object) => void }[] = [];
let versus: InstanceType<typeof Versus>;

beforeEach(() => {
  asked = [];
  const laboratory = {
    compare: (options: CompareOptions) =>
      new Promise((resolve, reject) => {
        const [heuristic] = options.heuristics;
        const answer = (found: object) => resolve([{ heuristic, h0: 1, ms: 1, ...found }]);
        asked.push({ options, answer });
        options.signal?.addEventListener("abort", () =>
          reject(Object.assign(new Error("cancelled"), { code: "cancelled" })),
        );
      }),
  };
  versus = new Versus({
    ground: (search) => ({
      board: "1 2/0 3",
      goal: "1 2/3 0",
      search,
      question: { game: "", prefix: "", board: [], columns: 2, metric: "single" },
    }),
    laboratory: () => Promise.resolve(laboratory as unknown as Laboratory),
  });
});

const states = () => versus.entries.map(({ heuristic, state }) => `${heuristic} ${state}`);

test("searches run one after the other with a time limit; fast heuristics come last", async () => {
  versus.seconds = 2;
  const done = versus.run(["zero", "manhattan"]);
  await settle();
  expect(states()).toEqual(["zero waiting", "manhattan running"]);
  expect(asked[0].options).toMatchObject({ heuristics: ["manhattan"], maxTime: 2000 });
  asked[0].options.onProgress?.({ generated: 7, ms: 1, bound: 1 });
  expect(versus.entries[1].progress?.nodes).toBe(7);
  asked[0].answer({ length: 1, moves: "L", generated: 9 });
  await settle();
  asked[1].answer({ limit: "time", generated: 90 });
  await done;
  expect(states()).toEqual(["zero done", "manhattan done"]);
  expect(versus.entries.map(({ trial }) => trial?.limit)).toEqual(["time", undefined]);
  expect(versus.running).toBeNull();
});

test("cancelling keeps finished searches, and ignores later events", async () => {
  versus.view = "two";
  const done = versus.run(["zero", "manhattan"]);
  await settle();
  asked[0].answer({ length: 1, moves: "L", generated: 9 });
  await settle();
  versus.cancel();
  asked[1].options.onProgress?.({ generated: 7, ms: 1, bound: 1 });
  await done;
  expect(states()).toEqual(["zero done", "manhattan cancelled"]);
  expect(versus.running).toBeNull();
  versus.view = "all";
  expect(versus.entries).toHaveLength(0);
});

test("a second run replaces the first", async () => {
  const first = versus.run(["zero", "manhattan"]);
  await settle();
  const second = versus.run(["8"]);
  await first;
  await settle();
  expect(versus.running).toBe("all");
  asked[1].answer({ length: 1, moves: "L", generated: 1 });
  await second;
  expect(states()).toEqual(["8 done"]);
});
