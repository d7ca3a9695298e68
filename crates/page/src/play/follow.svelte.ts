/**
 * Observes the game: stores results of solved games, records help (a game with help has no result),
 * and starts the inspection.
 */
import { untrack } from "svelte";
import { arranging } from "../board/marks.svelte.ts";
import { announce } from "../common/notice.svelte.ts";
import { game } from "../game/game.svelte.ts";
import { playback } from "../solve/playback.svelte.ts";
import { text } from "../text/text.svelte.ts";
import { listOf, records, solved, takeDealt } from "./records.svelte.ts";
import { INSPECTION, inspection } from "../common/settings.svelte.ts";

/** Milliseconds left of the inspection when screen readers announce the remaining time. */
const WARNING = 5000;

/** Starts observing. */
export function followPlay(): () => void {
  records.follow();
  return $effect.root(() => {
    let isFirst = true;
    $effect(() => {
      void game.start;
      untrack(() => {
        solved.standing = null;
        if (!isFirst) begin();
        isFirst = false;
      });
    });
    $effect(() => {
      if (game.isSolved && game.position > 0) untrack(record);
    });
    // A visible solution counts as help, even if the player makes the moves.
    $effect(() => {
      if (playback.solution && !untrack(() => game.isSolved)) game.assisted = true;
    });
    $effect(() => {
      if (!game.clock.isInspecting) return;
      const wait = untrack(() => game.clock.inspectionLeft) - WARNING;
      const warn = () => announce(text.play.inspectionLeft(WARNING / 1000));
      const timer = setTimeout(warn, wait);
      return () => clearTimeout(timer);
    });
  });
}

/** Handles a new board, unless Undo restored it or the visitor arranges it. */
function begin(): void {
  const isNew = game.position === 0 && game.elapsed === 0 && !game.isSolved && !arranging.on;
  if (isNew && inspection.isOn) game.clock.inspect(INSPECTION);
}

function record(): void {
  if (!takeDealt(game) || game.assisted) return;
  const result = { ms: Math.floor(game.elapsed), moves: game.position };
  solved.standing = records.add(listOf(game), result);
  const { isFastest, isShortest } = solved.standing;
  if (isFastest) announce(text.play.newFastest);
  else if (isShortest) announce(text.play.newShortest);
}
