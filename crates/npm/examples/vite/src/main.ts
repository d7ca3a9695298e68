import { createSolver, PuzzleError, type Solver } from "sliding-tile-pdb";

const form = document.querySelector("form")!;
const cancel = form.querySelector<HTMLButtonElement>("button[type=button]")!;
const output = document.querySelector("output")!;
const say = (text: string) => (output.textContent = text);

let solver: Promise<Solver> | undefined;
let stop: AbortController | undefined;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  stop?.abort();
  const current = (stop = new AbortController());
  cancel.disabled = false;
  const board = String(new FormData(form).get("board"));
  try {
    // Uses all cores if the host sends the headers for threads, otherwise one core.
    solver ??= createSolver({ size: "4x4", partition: "6-6-3", threads: 0 });
    const report = await (
      await solver
    ).solve(board, {
      signal: current.signal,
      onProgress: ({ bound, nodes }) => say(`at least ${bound} moves, ${nodes} nodes`),
    });
    say(`${report.length} moves: ${report.moves}`);
  } catch (error) {
    if (!(error instanceof PuzzleError)) throw error;
    say(error.code === "cancelled" ? "cancelled" : error.message);
  }
  if (stop === current) cancel.disabled = true;
});

cancel.addEventListener("click", () => stop?.abort());
